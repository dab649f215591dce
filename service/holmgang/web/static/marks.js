/** Marks on the board: what may be pressed, what has just changed and by whom, and what they all mean. */

import { h, patch, s } from "./dom.js";
import { t } from "./i18n.js";

export const LEAST = 26;
/** How wide and high a place is at least, in units of the picture, of which 400 are its width. */

const DOT = 0.1, NEXT = 2.6, GAP = 6;
/** Of dotted marks: how long a dot is, how far the next one of a group, and of the next group. */

/** A dotted mark is a seat's: its dots come in groups of as many as the seat's number and one, so that players are told apart without colours, too. */
function by(drawn, seat) {
  if (!Number.isInteger(seat)) return;
  drawn.classList.add(`by${seat}`);
  if (seat) drawn.setAttribute("stroke-dasharray", [...Array(seat).fill(`${DOT} ${NEXT}`), `${DOT} ${GAP}`].join(" "));
}

/**
 * What has just happened, as `{at, seat}` (`marksOf` of player.js): places marked, and lines between places, each once and by who was there last.
 */
export function marked(places, marks) {
  const once = new Map(marks.map((mark) => [String(mark.at), mark])), spots = [], lines = [];
  for (const { at, seat } of once.values()) {
    const drawn = Array.isArray(at) ? trail(at.map((one) => places.get(one)), "fresh") : places.has(at) ? frame(places.get(at), "fresh") : null;
    if (!drawn) continue;
    by(drawn, seat);
    (Array.isArray(at) ? lines : spots).push(drawn);
  }
  return { spots, lines };
}

const BADGE = 7, SMALLEST = 4;
/** Half as wide as a badge is, on a large place and on the smallest. */

/** A few signs in the lower right corner of a place, where they hide nothing of what stands on it. */
export function badge(box, words) {
  const r = Math.max(SMALLEST, Math.min(BADGE, Math.min(box.width, box.height) / 5)), x = box.x + box.width - r - 1, y = box.y + box.height - r - 1;
  return [s("circle", { class: "badgeback", cx: x, cy: y, r }), s("text", { class: "badge", x, y: y + r / 2, "font-size": 10 * (r / BADGE), "aria-hidden": "true" }, words)];
}

/** A line from place to place, where all of them are there. */
export function trail(places, kind) {
  return places.every(Boolean) ? s("polyline", { class: kind, points: places.map(({ box }) => `${box.x + box.width / 2},${box.y + box.height / 2}`).join(" ") }) : null;
}

export function cross(box) {
  const x = box.x + box.width / 2, y = box.y + box.height / 2, arm = Math.min(box.width, box.height) * 0.36;
  return s("path", { class: "cross", d: `M${x - arm},${y - arm}L${x + arm},${y + arm}M${x + arm},${y - arm}L${x - arm},${y + arm}` });
}

/** A frame in the shape of a place, `around` it by so much, and `least` so wide and high. */
export function frame({ box, shape }, kind, least = LEAST, around = -1) {
  if (shape) return s("path", { class: kind, d: shape });
  const wide = Math.max(box.width, least), high = Math.max(box.height, least);
  return s("rect", {
    class: kind, x: box.x + (box.width - wide) / 2 - around, y: box.y + (box.height - high) / 2 - around, width: wide + 2 * around, height: high + 2 * around, rx: 5,
  });
}

const MOST = 4;
/** Of more players than this, dots tell no names. */

/** What the kinds of marks on the board mean, of which those are told that are there. Lessons call them by the same words. */
export class Legend {
  /** `named(seat)` is what a seat's holder is called in short, or null. */
  constructor(named) {
    this.named = named;
    const box = { x: 2, y: 2, width: 14, height: 14 };
    this.kinds = [[".target:not(.on, .instead)", "hit", t("frame: you may press it")], [".target.on", "chosen", t("thick frame: chosen")], [".target.instead", "instead", t("pale: instead of it")],
      [".target[data-badge='×']", "catching", t("×: can catch"), badge({ x: -26, y: -26, width: 43, height: 43 }, "×")], [".over .cross", "caught", t("crossed out: caught"), cross({ x: 0, y: 0, width: 18, height: 18 })],
      [".fresh", "fresh", t("dots: just changed")], [".pointers > *", "ring", t("gold ring: the hint")]]
      .map(([selector, kind, words, drawn]) => [selector, h("li", { hidden: true, "data-kind": kind }, sample(drawn || frame({ box }, kind, 0)), words)]);
    this.dots = Array.from({ length: 6 }, (_, seat) => h("span", { class: "whose", hidden: true }, sample(frame({ box }, "fresh", 0), seat), h("span", {})));
    this.kinds.find(([selector]) => selector === ".fresh")[1].append(...this.dots);
    this.element = h("ul", { class: "marks", "aria-hidden": "true" }, this.kinds.map(([, line]) => line)); // those who see no marks are told by name what can be chosen
  }

  show(picture, signs = []) {
    const there = (selector) => picture !== null && picture.querySelector(selector) !== null;
    for (const [selector, line] of this.kinds) line.hidden = !there(selector);
    const names = this.dots.map((_, seat) => (there(`.fresh.by${seat}`) && this.named(seat)) || ""), some = names.filter(Boolean).length;
    this.dots.forEach((one, seat) => {
      one.hidden = !names[seat] || some > MOST;
      one.lastChild.textContent = names[seat];
    });
    patch(this.element, [...this.kinds.map(([, line]) => line), ...signs.filter(([selector]) => there(selector)).map(([, sign, words]) => h("li", { "data-sign": sign }, h("b", {}, sign), words))]);
  }
}

/** How a mark looks, for the legend. */
function sample(drawn, seat) {
  by(drawn, seat);
  return s("svg", { class: "mark", viewBox: "0 0 18 18", width: 18, height: 18, "aria-hidden": "true" }, drawn);
}
