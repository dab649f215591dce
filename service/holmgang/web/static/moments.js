/** The board as it was at moments of a game that goes on: from the pictures that the page had, and what has been played on them. */

import { button, h } from "./dom.js";
import { sentence } from "./feed.js";
import { t } from "./i18n.js";

const MOST = 60;
/** So many pictures are kept. */

export class Moments {
  /** `back` draws what is asked now. */
  constructor({ board, chooser, player, back }) {
    Object.assign(this, { board, chooser, player, back });
    this.shots = []; // `{seq, picture}`: the picture after that event
    this.held = null; // what was being chosen, while one looks back
  }

  put(seq, picture) {
    this.shots.push({ seq, picture });
    if (this.shots.length > MOST) this.shots.shift();
  }

  /** Show the board as it was after an event. What is being chosen waits. */
  async look(event, events, game, ctx) {
    if (!this.shots.length || (this.player.stage && !this.held)) return; // it plays news just now
    this.player.skip();
    this.held ||= this.chooser.held();
    const at = this.shots.findIndex((one) => one.seq >= event.seq), before = this.shots[at - 1];
    this.board.put((before || this.shots[at]).picture);
    this.board.offer(game, ctx, [], [], () => {});
    this.chooser.stop([h("p", { class: "soft" }, t("The board as it was then:")), h("p", { class: "ask" }, sentence(game, event, ctx)),
      before ? null : h("p", { class: "hint" }, t("This page was not open yet: the board is the first that it had.")),
      h("div", { class: "bar" }, button(t("Back to the game"), () => { this.leave(); this.chooser.first(); }, { class: "go" }))]);
    this.board.mark(this.board.places(game, ctx), game.marks(event.payload, ctx));
    if (before) await this.player.moment(events.filter((one) => one.seq > before.seq && one.seq <= event.seq), game, ctx);
  }

  /** Back to how it is now. */
  leave() {
    const { held } = this;
    if (!held) return;
    this.held = null;
    this.player.skip();
    this.board.put(this.shots[this.shots.length - 1].picture);
    this.back();
    this.chooser.resume(held);
  }
}
