/** What lies on the table of Eketorp, drawn as on the board: Vikings, stones, amulets, cards, walls. */

import { h, s } from "../../dom.js";
import { t } from "../../i18n.js";
import { EMBLEMS, HAMMER, HELMET, HORNS, STONES } from "./shapes.js";
import { KINDS, letter, stone } from "./words.js";

const CORNERS = [
  null,
  [[-0.88, -0.88], [0.88, -0.88], [0.88, 0.88], [-0.88, 0.88]],
  [[0, -1.12], [1.14, 0.88], [-1.14, 0.88]],
  [[0, -1.12], [1.12, 0], [0, 1.12], [-1.12, 0]],
  [[-0.54, -0.98], [0.54, -0.98], [1.08, 0], [0.54, 0.98], [-0.54, 0.98], [-1.08, 0]],
  [[-0.5, -1], [0.5, -1], [0.5, -0.5], [1, -0.5], [1, 0.5], [0.5, 0.5], [0.5, 1], [-0.5, 1], [-0.5, 0.5], [-1, 0.5], [-1, -0.5], [-0.5, -0.5]],
];
/** The shapes of the clans by seat, the circle's apart. */

/** A Viking of a clan, for the eye alone: what it means is said beside it. */
export function viking(seat, more = "") {
  const corners = CORNERS[seat], r = 6.6;
  const shield = corners ? s("polygon", { points: corners.map(([x, y]) => `${x * r},${y * r}`).join(" "), class: `f-clan${seat} s-ink` })
    : s("circle", { r, class: `f-clan${seat} s-ink` });
  return s("svg", { class: `token ${more}`, viewBox: "-11 -14.5 22 22", "aria-hidden": "true" },
    s("path", { d: `M-4.4,-8.2${HORNS}`, class: "f-card s-ink", "stroke-width": 0.7 }), s("path", { d: `M-4.5,-5.2${HELMET}`, class: "f-silver s-ink", "stroke-width": 0.8 }), shield,
    s("text", { y: seat === 2 ? 4 : 2.9, "text-anchor": "middle", "font-size": 8.2, class: `b o-clan${seat}` }, String(seat)));
}

export const vikings = (seat, number) => Array.from({ length: number }, () => viking(seat));

export function tile(kind, more = "") {
  return s("svg", { class: `tile ${more}`, viewBox: "-0.5 -0.5 16 16", "aria-hidden": "true" }, drawn(kind, "loose", 0, 0, 15, 15));
}

/** A stone as it lies on a wall of the board, with its upper left corner there. */
export const laid = (kind, x, y) => s("g", { class: "laid", "aria-hidden": "true" }, drawn(kind, "laid", x, y, 28, 14));

function drawn(kind, how, x, y, wide, high) {
  const [outline, grain] = STONES[kind][how];
  return [s("path", { d: `M${x},${y}${outline}`, class: `f-${kind} s-ink`, "stroke-width": 0.8 }), s("path", { d: `M${x},${y}${grain}`, class: "t" }),
    s("text", { x: x + wide / 2, y: y + high / 2 + 4, "text-anchor": "middle", "font-size": 11, class: `b o-${kind}` }, letter(kind))];
}

/** Stones by kind, each a tile. */
export const tiles = (counts) => KINDS.flatMap((kind) => Array.from({ length: counts[kind] || 0 }, () => tile(kind)));

const amulet = (more = "") => s("svg", { class: `gem ${more}`, viewBox: "-8 -5 16 16", "aria-hidden": "true" }, s("path", { d: `M0,-0.4${HAMMER}`, class: "f-gold s-ink" }));

export const amulets = (number) => h("span", { class: "gems", "data-about": "amulets", role: "img", "aria-label": number === 1 ? t("1 amulet") : t("{n} amulets", { n: number }) },
  number ? Array.from({ length: number }, () => amulet()) : h("span", { class: "soft", "aria-hidden": "true" }, t("no amulets")));

/** What is on the face of a battle card. */
export const face = (value) => [h("b", { "aria-hidden": "true" }, String(value)), s("svg", { class: "emblem", viewBox: "0 0 10 10", "aria-hidden": "true" }, s("path", { d: `M0,0${EMBLEMS[value]}`, class: "o-card" }))];

/** A battle card, open or (null) face down. */
export const card = (value, more = "", about = "card") => h("span", { class: `playing ${value === null ? "back" : ""} ${more}`, role: "img",
  ...(value === null ? {} : { "data-about": about, "data-card": value }),
  "aria-label": value === null ? t("a card face down") : t("card {n}", { n: value }) }, value === null ? h("b", { "aria-hidden": "true" }, "?") : face(value));

/** One's hand, small, with one's amulets: what one has to fight with. */
export function means(ctx) {
  const own = ctx.view.seats[ctx.seat];
  return h("div", { class: "means" }, h("span", { class: "soft" }, t("Your hand")), (ctx.view.hand || []).map((value) => card(value, "small")), amulets(own.amulets));
}

/** What stands on a wall, in words, from the ground up. */
export const wallInWords = (standing) => (standing.length ? standing.map(stone).join(", ") : t("empty"));
