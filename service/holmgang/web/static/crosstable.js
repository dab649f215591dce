/** Who did how against whom in a tournament: everybody against everybody, and one at a time where that is too wide. */

import * as api from "./api.js";
import { choices, h, show } from "./dom.js";
import { language, t } from "./i18n.js";
import { attempt } from "./lists.js";
import { isolated, personLink } from "./people.js";

const NARROW = 5, MOST = 16;
/** So many columns fit on a telephone, and on a desk. */

const number = (n) => new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(n);

const scoreOf = (cell) => (!cell ? "·" : cell.met === 1 ? number(cell.won) : `${number(cell.won)}/${number(cell.met)}`);

export class Crosstable {
  constructor(path, options) {
    Object.assign(this, { path, options, turn: 0 });
    this.held = h("div", {});
    this.chosen = h("select", { onchange: () => this.drawOne() });
    this.one = h("div", {});
    this.element = h("details", { class: "panel crosstable", "data-key": "crosstable", ontoggle: () => this.draw() }, h("summary", {}, t("Who did how against whom")), this.held);
  }

  /** Those in it are these, the best first; ask anew if somebody looks. */
  tell(standings) {
    this.standings = standings;
    return this.draw();
  }

  draw() {
    return this.element.open ? attempt(() => this.ask()) : null;
  }

  async ask() {
    const turn = this.turn += 1, found = await api.get(`${this.path}/crosstable`, this.options);
    if (turn !== this.turn) return; // a later answer is on its way
    this.cells = new Map(found.items.map((cell) => [`${cell.entry} ${cell.against}`, cell]));
    if (!found.items.length) {
      show(this.held, h("p", { class: "soft" }, t("No table has been played to its end yet.")));
      return;
    }
    const { standings } = this, { value } = this.chosen, me = api.me && api.me.id;
    const first = standings.find((one) => one.entry === value) || standings.find((one) => one.player === me) || standings[0];
    show(this.chosen, choices(standings.map((one) => [one.entry, isolated(one.name), one === first])));
    this.drawOne();
    const some = standings.length > NARROW;
    show(this.held, standings.length > MOST ? null : h("div", { class: some ? "broad" : null }, this.everybody()), some ? [h("label", { class: "inline" }, h("span", {}, t("Against each of the others")), this.chosen), this.one] : null);
  }

  cellOf(one, other) {
    return this.cells.get(`${one.entry} ${other.entry}`);
  }

  everybody() {
    const { standings } = this, me = api.me && api.me.id;
    return h("table", { class: "scores numbers" }, h("caption", {}, t("Points of each row against each column")),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("Player")), standings.map((one, n) => h("th", { scope: "col", "aria-label": isolated(one.name), title: one.name }, String(n + 1))))),
      h("tbody", {}, standings.map((one, n) => h("tr", { class: one.player === me ? "own" : null }, h("th", { scope: "row" }, `${n + 1} `, personLink(one.player, isolated(one.name))),
        standings.map((other) => h("td", {}, one === other ? "–" : scoreOf(this.cellOf(one, other))))))));
  }

  /** The row of who is chosen, as lines. */
  drawOne() {
    const one = this.standings.find(({ entry }) => entry === this.chosen.value), met = this.standings.filter((other) => this.cellOf(one, other));
    show(this.one, met.length ? h("table", { class: "scores" }, h("caption", {}, t("{name} against each of the others", { name: isolated(one.name) })),
      h("thead", {}, h("tr", {}, [t("Player"), t("Tables"), t("Points")].map((words) => h("th", { scope: "col" }, words)))),
      h("tbody", {}, met.map((other) => { const cell = this.cellOf(one, other); return h("tr", {}, h("td", {}, personLink(other.player, isolated(other.name))), h("td", {}, String(cell.met)), h("td", { class: "number" }, number(cell.won))); })))
      : h("p", { class: "soft" }, t("They have not met anybody yet.")));
  }
}
