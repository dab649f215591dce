/** Combats step by step: one at a time, whole, or again each step after a breath. */

import { button, h, renew } from "./dom.js";
import { t } from "./i18n.js";
import { ruleButton } from "./rulebook.js";

const BREATH_MS = 1100;
const still = window.matchMedia("(prefers-reduced-motion: reduce)");

/** The cards of a step in a combat, which lie open or (null) face down. */
export function cardsOf(step, ctx) {
  return step.cards ? h("div", { class: "cards" }, step.cards.map(({ seat, card }) => h("span", { class: card === null ? "playing back" : "playing", role: "img",
    "aria-label": card === null ? t("{name}: a card face down", { name: ctx.name(seat) }) : t("{name}: card {card}", { name: ctx.name(seat), card }) },
  h("span", { class: `of f-clan${seat}`, "aria-hidden": "true" }, String(seat)), h("b", { "aria-hidden": "true" }, card === null ? "?" : String(card))))) : null;
}

/** The number of the last event of a combat, by which moments are known; null where events do not tell. */
export function lastOf(events, number) {
  const found = events.findLast(({ payload }) => payload.combat === number);
  return found ? found.seq : null;
}

export class Combats {
  /** `shows(number)` gives the attributes of a link or button by which the board shows a combat; null where there is none. */
  constructor(shows) {
    this.shows = shows;
    this.element = h("section", { class: "panel combats", "aria-labelledby": "combats", hidden: true });
    this.records = [];
    this.at = -1;
    this.shown = Infinity; // how many steps, where one is told again
    this.timer = 0;
    this.following = true; // whether what is new is shown by itself
  }

  /** All combats there are. The latest is shown, unless an older one is looked at: until another one begins. */
  know(records, game, ctx) {
    if (records.length > this.records.length) this.following = true;
    Object.assign(this, { records, game, ctx });
    if (this.following) this.at = records.length - 1;
    this.draw();
  }

  go(by) {
    this.at = Math.min(this.records.length - 1, Math.max(0, this.at + by));
    this.following = this.at === this.records.length - 1;
    this.shown = Infinity;
    this.draw();
  }

  again() {
    this.shown = 1;
    this.draw();
  }

  draw() {
    window.clearTimeout(this.timer);
    const found = this.records[this.at];
    this.element.hidden = !found;
    if (!found) return;
    const { title, steps } = this.game.combat(found.record, this.ctx);
    const done = still.matches ? steps.length : Math.min(steps.length, this.shown);
    const scene = done && steps[done - 1].scene ? steps[done - 1].scene() : null;
    renew(this.element,
      h("h2", { id: "combats" }, title),
      scene,
      h("ol", { class: "fight" }, steps.slice(0, done).map((step, n) => h("li", { class: n === done - 1 ? "last" : null }, h("p", {}, step.words, step.rule ? [" ", ruleButton(this.game.ruleset, step.rule)] : null), cardsOf(step, this.ctx)))),
      found.status === "open" ? h("p", { class: "hint" }, t("It is not over yet.")) : null,
      found.status === "abandoned" ? h("p", { class: "hint" }, t("The game ended before it was over.")) : null,
      h("div", { class: "bar" },
        this.onBoard(found.record.number),
        button(t("Earlier"), () => this.go(-1), { disabled: this.at <= 0, "data-about": "earlier" }),
        button(t("Later"), () => this.go(1), { disabled: this.at >= this.records.length - 1, "data-about": "later" }),
        button(t("Step by step"), () => this.again(), { disabled: still.matches, "data-about": "again" }),
        h("span", { class: "soft" }, t("{n} of {all}", { n: this.at + 1, all: this.records.length }))));
    if (done < steps.length) {
      this.timer = window.setTimeout(() => { this.shown = done + 1; this.draw(); }, BREATH_MS);
    } else {
      this.shown = Infinity;
    }
  }

  /** The board may show another moment than the words tell of: this leads it there. */
  onBoard(number) {
    const given = this.shows(number);
    return given && h(given.href ? "a" : "button", { ...(given.href ? {} : { type: "button" }), class: "button quiet", "data-about": "scene", "data-key": "scene", ...given }, t("Show it on the board"));
  }

  stop() {
    window.clearTimeout(this.timer);
  }
}
