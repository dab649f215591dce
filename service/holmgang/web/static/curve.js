/** How a game was judged, position after position: a line for each seat, told apart by colour, dashes and number. */

import { h, renew, s } from "./dom.js";
import { t } from "./i18n.js";

const HIGH = 230, TOP = 14, BOTTOM = 22, LEFT = 48, RIGHT = 34, LEAST = 260;
const APART = 20;
/** So far the labels of lines are from each other. */
const DASHES = ["", "10 5", "3 4", "12 4 3 4", "6 3", "1 5"];

/** A share of victory as it is written. */
export const percent = (share) => t("{n} %", { n: Math.round(100 * share) });

/** What a seat's line looks like. */
export function sample(seat) {
  return s("svg", { class: "sample", width: 36, height: 12, "aria-hidden": "true" }, stroke(seat, "M0 6H36"));
}

const stroke = (seat, d) => s("g", {}, s("path", { class: "under", d, "stroke-dasharray": DASHES[seat] }), s("path", { class: `line line${seat}`, d, "stroke-dasharray": DASHES[seat] }));

const disc = (x, y, seat) => [s("circle", { cx: x, cy: y, r: 9, class: `f-clan${seat} edge` }), s("text", { x, y: y + 4, class: `b o-clan${seat}`, "text-anchor": "middle" }, String(seat))];

export class Curve {
  /** `go(seq)` leads to the moment after a row of the log; `tell(position)` says how it stood then. */
  constructor(go, tell) {
    Object.assign(this, { go, tell, known: null, wide: 0 });
    this.element = h("div", { class: "curveframe" });
    new ResizeObserver(() => { if (this.known && this.element.clientWidth !== this.wide) this.draw(); }).observe(this.element);
  }

  /** `{positions, last, at, turns}`: what was judged, the last row of the log, the row that is shown, and choices to be marked by number. */
  know(known) {
    this.known = known;
    this.draw();
  }

  /** The position that was judged last at or before a row. */
  placeOf(seq) {
    return Math.max(0, this.known.positions.findLastIndex((one) => one.seq <= seq));
  }

  draw() {
    const { positions, last, at, turns } = this.known;
    this.wide = this.element.clientWidth;
    const wide = Math.max(LEAST, this.wide || 0), across = wide - LEFT - RIGHT, high = HIGH - TOP - BOTTOM;
    const x = (seq) => LEFT + (across * seq) / Math.max(1, last), y = (value) => TOP + high * (1 - value);
    const end = positions[positions.length - 1], seats = end.values.map((_, seat) => seat), here = positions[this.placeOf(at)];
    const levels = [0, 0.5, 1].map((value) => [s("path", { class: "level", d: `M${LEFT} ${y(value)}H${wide - RIGHT}` }), s("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, percent(value))]);
    const lines = seats.map((seat) => stroke(seat, positions.map((one, n) => `${n ? "L" : "M"}${x(one.seq).toFixed(1)} ${y(one.values[seat]).toFixed(1)}`).join("")));
    const judged = (one) => y(positions[this.placeOf(one.seq)].values[one.seat]);
    const marks = turns.map((one, n) => [s("circle", { class: "turn", cx: x(one.seq), cy: judged(one), r: 10 }), s("text", { class: "turnword b", x: x(one.seq), y: judged(one) + 4.5, "text-anchor": "middle" }, String(n + 1))]);
    renew(this.element, s("svg", {
      class: "curve", width: wide, height: HIGH, viewBox: `0 0 ${wide} ${HIGH}`, tabindex: 0, role: "slider", "aria-label": t("Chances of winning: arrow keys go from position to position"),
      "aria-valuemin": 0, "aria-valuemax": positions.length - 1, "aria-valuenow": this.placeOf(at), "aria-valuetext": this.tell(here),
      onclick: (event) => this.touch(event), onkeydown: (event) => this.key(event),
    }, ...levels.flat(), s("path", { class: "cursor", d: `M${x(at)} ${TOP}V${HIGH - BOTTOM}` }), ...lines, ...this.labels(end.values, y).flatMap(({ seat, to }) => disc(wide - RIGHT + 14, to, seat)), ...marks.flat(),
    s("text", { x: LEFT, y: HIGH - 5 }, t("Start")), s("text", { x: wide - RIGHT, y: HIGH - 5, "text-anchor": "end" }, t("End"))));
  }

  /** Where the lines' numbers stand: at their ends, or as near as there is room. */
  labels(values, y) {
    const all = values.map((value, seat) => ({ seat, to: y(value) })).sort((one, other) => one.to - other.to);
    const least = y(1), most = y(0);
    all.forEach((one, n) => { one.to = Math.max(one.to, n ? all[n - 1].to + APART : least); });
    all.reverse().forEach((one, n) => { one.to = Math.min(one.to, n ? all[n - 1].to - APART : most); });
    return all;
  }

  touch({ clientX, currentTarget }) {
    const { left, width } = currentTarget.getBoundingClientRect(), { positions, last } = this.known, wide = Math.max(LEAST, this.wide);
    const seq = (((clientX - left) * (wide / width) - LEFT) / (wide - LEFT - RIGHT)) * last;
    this.go([...positions].sort((one, other) => Math.abs(one.seq - seq) - Math.abs(other.seq - seq))[0].seq);
  }

  key(event) {
    const { positions, at } = this.known, now = this.placeOf(at);
    const to = { ArrowLeft: now - 1, ArrowDown: now - 1, ArrowRight: now + 1, ArrowUp: now + 1, Home: 0, End: positions.length - 1 }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (positions[to]) this.go(positions[to].seq);
  }
}
