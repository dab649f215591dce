/** What the lists of the lobby are narrowed down to: the address says it, and the browser keeps it. */

import { asked, say } from "./address.js";
import { button, h, select } from "./dom.js";
import { games } from "./games.js";
import { t } from "./i18n.js";
import { keep, kept } from "./kept.js";
import { live } from "./terms.js";

const KEPT = "holmgang.filters";
const NAMES = ["game", "pace", "rated"];

/** What lists of games are narrowed down to anywhere, as options of a select. */
export const whichGames = () => [["", t("all")], ...Object.values(games).map((one) => [one.ruleset, one.title])];
export const whichRated = () => [["", t("any")], ["true", t("rated")], ["false", t("casual")]];

/** What the address asks for; where it asks for nothing, what was asked for before. */
function before() {
  const found = asked();
  if (NAMES.some((name) => found[name])) return found;
  try {
    return JSON.parse(kept(KEPT)) || {};
  } catch {
    return {};
  }
}

export class Filters {
  /** `changed()` is called when something else is asked for. */
  constructor(changed) {
    const was = before();
    const one = (name, words, options) => select(name, words, options, { chosen: was[name] });
    this.element = h("form", { class: "filters", "aria-label": t("Which games are listed"), onsubmit: (event) => event.preventDefault(), onchange: () => {
      this.keep();
      changed();
    } }, one("game", t("Game"), whichGames()),
    one("pace", t("Time"), [["", t("any")], ["live", t("in one sitting")], ["slow", t("over days")]]),
    one("rated", t("Ratings"), whichRated()));
    this.all = button(t("Show all"), () => { this.clear(); changed(); }, { class: "quiet" });
    this.element.append(this.all);
    if (this.some) say(this.chosen);
    this.all.hidden = !this.some;
  }

  keep() {
    keep(KEPT, JSON.stringify(this.chosen));
    say(this.chosen);
    this.all.hidden = !this.some;
  }

  /** List everything again. */
  clear() {
    this.element.reset();
    NAMES.forEach((name) => { this.element.elements[name].value = ""; });
    this.keep();
  }

  /** Whether anything is left out. */
  get some() {
    return Object.values(this.chosen).some(Boolean);
  }

  get chosen() {
    return Object.fromEntries(new FormData(this.element));
  }

  /** The part of a query that asks for the chosen game. */
  get ruleset() {
    const { game } = this.chosen;
    return game ? `&ruleset=${game}` : "";
  }

  /** All that the service can narrow down by itself. */
  get query() {
    const { rated } = this.chosen;
    return this.ruleset + (rated ? `&rated=${rated}` : "");
  }

  /** Whether terms are such as were asked for. */
  get fits() {
    const { pace, rated } = this.chosen;
    return (terms) => (!pace || live(terms) === (pace === "live")) && (!rated || String(terms.rated) === rated);
  }
}
