/** What lies on the table of Eketorp, drawn as on the board: Vikings, stones, amulets, cards, walls. */

import { h, s } from "../../dom.js";
import { t } from "../../i18n.js";
import { KINDS, stone } from "./words.js";

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
  const corners = CORNERS[seat];
  const shape = corners ? s("polygon", { points: corners.map(([x, y]) => `${x * 8},${y * 8}`).join(" "), class: `f-clan${seat} s-ink` })
    : s("circle", { r: 8, class: `f-clan${seat} s-ink` });
  return s("svg", { class: `token ${more}`, viewBox: "-10 -10 20 20", "aria-hidden": "true" }, shape,
    s("text", { y: seat === 2 ? 5 : 3.6, "text-anchor": "middle", "font-size": 10, class: `b o-clan${seat}` }, String(seat)));
}

export const vikings = (seat, number) => Array.from({ length: number }, () => viking(seat));

export function tile(kind, more = "") {
  return s("svg", { class: `tile ${more}`, viewBox: "0 0 16 16", "aria-hidden": "true" },
    s("rect", { x: 0.7, y: 0.7, width: 14.6, height: 14.6, rx: 2.2, class: `f-${kind} s-ink` }),
    s("text", { x: 8, y: 12, "text-anchor": "middle", "font-size": 11.5, class: `b o-${kind}` }, stone(kind)[0]));
}

/** Stones by kind, each a tile. */
export const tiles = (counts) => KINDS.flatMap((kind) => Array.from({ length: counts[kind] || 0 }, () => tile(kind)));

const amulet = (more = "") => s("svg", { class: `gem ${more}`, viewBox: "-8 -8 16 16", "aria-hidden": "true" }, s("polygon", { points: "0,-7 7,0 0,7 -7,0", class: "f-gold s-ink" }));

export const amulets = (number) => h("span", { class: "gems", "data-about": "amulets", role: "img", "aria-label": number === 1 ? t("1 amulet") : t("{n} amulets", { n: number }) },
  number ? Array.from({ length: number }, () => amulet()) : h("span", { class: "soft", "aria-hidden": "true" }, t("no amulets")));

/** A battle card, open or (null) face down. */
export const card = (value, more = "", about = "card") => h("span", { class: `playing ${value === null ? "back" : ""} ${more}`, role: "img",
  ...(value === null ? {} : { "data-about": about, "data-card": value }),
  "aria-label": value === null ? t("a card face down") : t("card {n}", { n: value }) }, h("b", { "aria-hidden": "true" }, value === null ? "?" : String(value)));

/** One's hand, small, with one's amulets: what one has to fight with. */
export function means(ctx) {
  const own = ctx.view.seats[ctx.seat];
  return h("div", { class: "means" }, h("span", { class: "soft" }, t("Your hand")), (ctx.view.hand || []).map((value) => card(value, "small")), amulets(own.amulets));
}

/** A wall from above to below; `fresh` stones lie on those that stand. */
export function wall(standing, fresh = []) {
  const all = [...standing.map((kind) => tile(kind)), ...fresh.map((kind) => tile(kind, "new"))];
  const free = Array.from({ length: Math.max(0, 3 - all.length) }, () => h("span", { class: "gap", "aria-hidden": "true" }));
  return h("span", { class: "wall" }, free, all.reverse());
}

/** What stands on a wall, in words, from the ground up. */
export const wallInWords = (standing) => (standing.length ? standing.map(stone).join(", ") : t("empty"));
