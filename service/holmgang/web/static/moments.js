/** The board as it was at moments of a game that goes on: as one saw it before that turn, and what has been played in it since. */

import * as api from "./api.js";
import { button, h, toast } from "./dom.js";
import { sentence } from "./feed.js";
import { t } from "./i18n.js";
import { gamePath } from "./people.js";
import { marksOf } from "./player.js";
import { Sight } from "./sight.js";

export class Moments {
  /** `options()` of requests about the game; `back` draws what is asked now. */
  constructor(ident, options, { board, chooser, player, back }) {
    Object.assign(this, { ident, options, board, chooser, player, back });
    this.now = null; // the picture to which one comes back
    this.held = null; // what was being chosen, while one looks back
    this.looks = 0;
    this.turn = 0; // the one that had ended, on the board to which one looks back
    this.pictures = new Map(); // by the turn after which they were so
    this.views = new Sight((turn) => api.get(gamePath(ident, `/view?after_turn=${turn}`), options()));
  }

  /** What one saw then, where it is known; else it is fetched, and `then` called. */
  view(then) {
    return this.views.of(this.turn, then);
  }

  /** What one saw once a turn had ended. */
  async after(turn) {
    if (!this.pictures.has(turn)) this.pictures.set(turn, await api.text(gamePath(this.ident, `/board.svg?after_turn=${turn}`), this.options()));
    return this.pictures.get(turn);
  }

  /** Show the board as it was after an event. What is being chosen waits. */
  async look(event, events, game, ctx) {
    if (!this.now || (this.player.stage && !this.held)) return; // it plays news just now
    const which = this.looks += 1;
    let picture;
    try {
      picture = await this.after(Math.max(0, event.turn - 1));
    } catch (fault) {
      if (!fault.told) throw fault;
      toast(fault.told);
      return;
    }
    if (which !== this.looks || (this.player.stage && !this.held)) return; // something else is looked at by now, or there is news
    this.player.skip();
    this.turn = Math.max(0, event.turn - 1);
    this.held ||= this.chooser.held();
    this.board.put(picture);
    this.board.offer(game, ctx, [], [], () => {});
    this.chooser.stop([h("p", { class: "soft" }, t("The board as it was then:")), h("p", { class: "ask" }, sentence(game, event, ctx)),
      h("div", { class: "bar" }, button(t("Back to the game"), () => { this.leave(); this.chooser.first(); }, { class: "go", "data-about": "now" }))]);
    this.board.mark(this.board.places(game, ctx), marksOf(game, event.payload, ctx), game);
    if (event.turn) await this.player.moment(events.filter((one) => one.turn === event.turn && one.seq <= event.seq), game, ctx);
  }

  /** Back to how it is now. */
  leave() {
    this.looks += 1;
    const { held } = this;
    if (!held) return;
    this.held = null;
    this.player.skip();
    this.board.put(this.now);
    this.back();
    this.chooser.resume(held);
  }
}
