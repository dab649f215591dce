/** The same players once more, when a game is over: who has agreed, and the game that comes of it. */

import * as api from "./api.js";
import { button, h, renew, toast } from "./dom.js";
import { t, together } from "./i18n.js";
import { gamePath, nameOf } from "./people.js";

const WAIT_S = 25;

export class Rematch {
  /** For a player on `seat`; it looks for news until `signal` ends. */
  constructor(summary, seat, signal) {
    Object.assign(this, { summary, seat, signal, have: null, agreed: false });
    this.path = gamePath(summary.id, "/rematch");
    this.element = h("div", { class: "rematch", role: "status", "data-key": "rematch" });
    api.persist((hasty, early) => this.look(hasty, early), signal).catch((fault) => {
      if (!signal.aborted && !fault.told) throw fault; // else there is none to be had
    });
  }

  async look(hasty, early) {
    const news = await api.poll(this.path, { have: this.have, wait: hasty ? 0 : WAIT_S, signal: this.signal, early });
    if (!news) return;
    this.have = news;
    this.draw(news.body);
  }

  draw({ agreed, missing, next }) {
    if (next && this.agreed) location.hash = `#/games/${next}`;
    const names = (seats) => together(seats.map((seat) => nameOf(this.summary, seat)));
    const others = agreed.filter((seat) => seat !== this.seat && !this.summary.seats[seat].bot);
    if (next) renew(this.element, h("a", { class: "button go", href: `#/games/${next}` }, t("To the rematch")));
    else if (agreed.includes(this.seat)) renew(this.element, h("span", {}, t("A rematch: waiting for {names}.", { names: names(missing) })), button(t("No rematch"), () => this.act("DELETE")));
    else renew(this.element, others.length ? h("span", {}, t("{names} would play again.", { names: names(others) })) : null, button(t("Play again"), () => this.act("PUT"), { class: others.length ? "go" : null }));
  }

  async act(method) {
    this.agreed = method === "PUT";
    try {
      const found = await api.call(method, this.path, { ...(this.agreed ? { body: {} } : {}), repeat: true });
      this.draw(found || (await api.get(this.path, { signal: this.signal })));
    } catch (fault) {
      this.agreed = false;
      if (!fault.told) throw fault;
      toast(fault.told);
    }
  }
}
