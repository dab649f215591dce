/** Combats step by step: one at a time, each step after a breath, or all at once for who prefers no motion. */

import { button, h, renew } from "./dom.js";
import { t } from "./i18n.js";

const BREATH_MS = 1100;
const still = window.matchMedia("(prefers-reduced-motion: reduce)");

export class Combats {
  constructor() {
    this.element = h("section", { class: "panel combats", "aria-labelledby": "combats", hidden: true });
    this.records = [];
    this.at = -1;
    this.seen = new Map();
    this.timer = 0;
    this.following = true; // whether what is new is shown by itself
  }

  /** All combats there are. What is new is played, one's own combats before the latest, unless an older one is looked at. */
  know(records, game, ctx, { play = true } = {}) {
    Object.assign(this, { records, game, ctx });
    if (!play) records.forEach((one) => this.seen.set(one.number, Infinity));
    if (this.following) this.at = this.next(Math.max(0, this.at));
    this.draw();
  }

  /** Which is to be shown next: the first of one's own from there on that was not shown whole, or the last of all. */
  next(from) {
    const { seat } = this.ctx;
    const own = this.records.findIndex(({ number, record }, n) => n >= from && seat !== null && [record.attacker, record.defender].some((one) => one === seat || (one && one.seat === seat))
      && (this.seen.get(number) || 0) < this.game.combat(record, this.ctx).steps.length);
    return own < 0 ? this.records.length - 1 : own;
  }

  go(by) {
    this.at = Math.min(this.records.length - 1, Math.max(0, this.at + by));
    this.following = this.at === this.records.length - 1;
    this.draw();
  }

  draw() {
    window.clearTimeout(this.timer);
    const found = this.records[this.at];
    this.element.hidden = !found;
    if (!found) return;
    const { title, steps } = this.game.combat(found.record, this.ctx);
    const done = still.matches ? steps.length : Math.min(steps.length, this.seen.get(found.number) || 1);
    const scene = done && steps[done - 1].scene ? steps[done - 1].scene() : null;
    const clan = (seat) => `f-clan${seat}`;
    renew(this.element,
      h("h2", { id: "combats" }, title),
      scene,
      h("ol", { class: "fight" }, steps.slice(0, done).map((step, n) => h("li", { class: n === done - 1 ? "last" : null },
        h("p", {}, step.words),
        step.cards ? h("div", { class: "cards" }, step.cards.map(({ seat, card }) => h("span", { class: card === null ? "playing back" : "playing", role: "img",
          "aria-label": card === null ? t("{name}: a card face down", { name: this.ctx.name(seat) }) : t("{name}: card {card}", { name: this.ctx.name(seat), card }) },
        h("span", { class: `of ${clan(seat)}`, "aria-hidden": "true" }, String(seat)), h("b", { "aria-hidden": "true" }, card === null ? "?" : String(card))))) : null))),
      found.status === "open" ? h("p", { class: "hint" }, t("It is not over yet.")) : null,
      found.status === "abandoned" ? h("p", { class: "hint" }, t("The game ended before it was over.")) : null,
      h("div", { class: "bar" },
        button(t("Earlier"), () => this.go(-1), { disabled: this.at <= 0 }),
        button(t("Later"), () => this.go(1), { disabled: this.at >= this.records.length - 1 }),
        button(t("Again"), () => { this.seen.set(found.number, 1); this.draw(); }, { disabled: still.matches }),
        h("span", { class: "soft" }, t("{n} of {all}", { n: this.at + 1, all: this.records.length }))));
    this.seen.set(found.number, done);
    const last = this.records.length - 1;
    if (done < steps.length) {
      this.timer = window.setTimeout(() => { this.seen.set(found.number, done + 1); this.draw(); }, BREATH_MS);
    } else if (this.following && this.at < last) {
      this.timer = window.setTimeout(() => { this.at = this.next(this.at); this.draw(); }, still.matches ? 0 : 2 * BREATH_MS);
    }
  }

  stop() {
    window.clearTimeout(this.timer);
  }
}
