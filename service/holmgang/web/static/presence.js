/** Whether the others at one's table are there: asked for once a minute, while somebody sees the page and the game goes on. */

import * as api from "./api.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";

const EVERY_MS = 60000, TICK_MS = 1000;

const AWAY = [
  [1440, (n) => (n === 1 ? t("away for a day") : t("away for {n} days", { n }))],
  [60, (n) => (n === 1 ? t("away for an hour") : t("away for {n} hours", { n }))],
  [1, (n) => (n === 1 ? t("away for a minute") : t("away for {n} minutes", { n }))],
];

/** How long somebody has been away, in the largest unit that there is one of. */
function awayTold(ms) {
  const minutes = Math.max(1, Math.floor(ms / 60000));
  const [unit, told] = AWAY.find(([most]) => minutes >= most);
  return told(Math.floor(minutes / unit));
}

export class Presence {
  constructor(table) {
    Object.assign(this, { table, seats: new Map(), next: 0, asking: false });
    const { signal } = table.stopper, look = () => this.look();
    const ticking = window.setInterval(look, TICK_MS);
    signal.addEventListener("abort", () => window.clearInterval(ticking));
    document.addEventListener("visibilitychange", look, { signal });
  }

  async look() {
    const { table } = this, { turn, summary, stopper: { signal } } = table;
    if (document.hidden || this.asking || Date.now() < this.next || !turn || turn.seat === null || !["open", "active"].includes(summary.status)) return;
    Object.assign(this, { asking: true, next: Date.now() + EVERY_MS });
    try {
      const found = await api.get(table.path("/presence"), { signal });
      this.seats = new Map(found.seats.map((one) => [one.seat, one]));
    } catch (fault) {
      if (signal.aborted) return;
      if (!fault.told) throw fault;
      this.seats.clear(); // what is not known is not told
    } finally {
      this.asking = false;
    }
    if (!signal.aborted) table.drawStatus(table.ctx());
  }

  /** A word on who sits there; null for bots, for oneself while others may see it, and for what is not known. */
  element({ seat, bot }) {
    const { turn, clocks } = this.table, one = this.seats.get(seat);
    if (!one || bot || turn.seat === null || (seat === turn.seat && one.status !== "hidden")) return null;
    const { status, away_since: since } = one;
    const told = { here: () => t("here"), hidden: () => t("does not show whether they are here"), away: () => (since ? awayTold(clocks.since(since)) : t("away")) };
    const own = () => t("the others do not see whether you are here");
    return h("span", { class: `presence ${status}`, "data-about": "presence", "data-key": `presence ${seat}` }, seat === turn.seat ? own() : told[status]());
  }
}
