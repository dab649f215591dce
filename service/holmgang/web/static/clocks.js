/** The time that is left: of a turn, and in the bank of each seat. */

import { h } from "./dom.js";
import { t } from "./i18n.js";

const SOON_S = 30;

/** A span of milliseconds as clocks show it: `4:07`, `1:02:33`, `3 d 4 h`. */
export function clockTold(ms) {
  const left = Math.max(0, Math.round(ms / 1000)), two = (n) => String(n).padStart(2, "0");
  const days = Math.floor(left / 86400), hours = Math.floor(left / 3600) % 24;
  return days ? t("{days} d {hours} h", { days, hours }) : `${hours ? `${hours}:` : ""}${hours ? two(Math.floor(left / 60) % 60) : Math.floor(left / 60)}:${two(left % 60)}`;
}

export class Clocks {
  /** `root` holds the elements that this makes. */
  constructor(root) {
    Object.assign(this, { root, turn: null, skew: 0 });
  }

  /** What the service says of the clocks with a turn. */
  know(turn) {
    this.turn = turn;
    this.skew = Date.parse(turn.server_time) - Date.now();
  }

  /** The clock of a seat as the service tells it; null where seats have none. */
  of(seat) {
    return (this.turn.clocks || [])[seat] || null;
  }

  /** How long it was at the service's time since then. */
  since(when) {
    return Date.now() + this.skew - Date.parse(when);
  }

  /** Whether a player is on leave, which ends without news. */
  onLeave(seat) {
    const clock = this.of(seat);
    return Boolean(clock && clock.on_leave_since) && this.since(clock.on_leave_since) < clock.leave_ms;
  }

  /** Milliseconds of leave that a seat has. */
  leave(seat) {
    const clock = this.of(seat);
    return clock ? Math.max(0, clock.leave_ms - (clock.on_leave_since ? this.since(clock.on_leave_since) : 0)) : 0;
  }

  /** Milliseconds that are left of the turn (`turn`, one's own where one is asked) or in the bank of a seat; null where nothing runs out. */
  left(which) {
    const { deadline, seat, yours } = this.turn;
    if (which === "turn") {
      const ends = (yours && this.of(seat)?.deadline) || deadline;
      return ends ? Math.max(0, -this.since(ends)) : null;
    }
    const { bank_ms: bank, since } = this.of(which) || { bank_ms: null };
    return bank === null ? null : Math.max(0, bank - (since ? Math.max(0, this.since(since)) : 0));
  }

  /** An element that shows it, for as long as it is in the root; null where nothing runs out. */
  element(which) {
    const left = this.left(which);
    return left === null ? null : h("span", { class: left < SOON_S * 1000 ? "clock soon" : "clock", "data-clock": which }, clockTold(left));
  }

  tick() {
    if (!this.turn) return;
    for (const one of this.root.querySelectorAll("[data-clock]")) {
      const left = this.left(one.dataset.clock === "turn" ? "turn" : Number(one.dataset.clock));
      if (left === null) continue;
      one.textContent = clockTold(left);
      one.classList.toggle("soon", left < SOON_S * 1000);
    }
  }
}
