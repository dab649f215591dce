/** Against whom one seeks a game: people or bots, and how much weaker or stronger. The browser keeps it. */

import * as api from "./api.js";
import { h, select } from "./dom.js";
import { t } from "./i18n.js";
import { keep, kept } from "./kept.js";
import { NEWCOMER } from "./terms.js";

const KEPT = "holmgang.limits";
const STEPS = [50, 100, 200, 400];
const WIDENS = 50; // points a minute

function before() {
  try {
    return JSON.parse(kept(KEPT)) || {};
  } catch {
    return {};
  }
}

/** Which ratings a seek takes, in a sentence; null where it takes all. */
function limitsTold({ rating_below: below, rating_above: above, rating_widens: widens }, rating) {
  if (below === undefined && above === undefined) return null;
  const least = below === undefined ? null : rating - below, most = above === undefined ? null : rating + above;
  const told = least === null ? t("Rating at most {most}.", { most }) : most === null ? t("Rating at least {least}.", { least }) : t("Rating {least} to {most}.", { least, most });
  return widens ? `${told} ${t("The limits widen by {n} points a minute.", { n: widens })}` : told;
}

/** One's rating in each ruleset: what the service goes by, also for newcomers. */
async function ownRatings(options) {
  const ratings = api.me ? (await api.get(`/v1/players/${api.me.id}`, options)).ratings : {};
  return (ruleset) => ratings[ruleset]?.rating ?? NEWCOMER;
}

export class Limits {
  constructor() {
    const was = before(), by = (n) => t("by {n} points", { n });
    const one = (name, words, options) => select(name, words, options, { chosen: was[name] });
    this.told = h("p", { class: "soft", role: "status" });
    this.fields = h("fieldset", { class: "plain", onchange: () => this.changed() },
      one("wanted", t("Against whom"), [["both", t("people, and bots of other players")], ["people", t("people")], ["bots", t("bots of other players")]]),
      one("below", t("How much weaker they may be"), [["", t("any")], ...STEPS.map((n) => [n, by(n)])]),
      one("above", t("How much stronger they may be"), [["", t("any")], ...STEPS.map((n) => [n, by(n)])]),
      h("label", { class: "check" }, h("input", { type: "checkbox", name: "widens", checked: was.widens !== false }), h("span", {}, t("Widen the limits while I wait"))), this.told);
    this.element = h("details", { open: ["below", "above"].some((name) => was[name]) || (was.wanted || "both") !== "both" }, h("summary", {}, t("Whom you look for")), this.fields);
    this.of = () => NEWCOMER;
  }

  get chosen() {
    const [wanted, below, above] = ["wanted", "below", "above"].map((name) => this.fields.querySelector(`[name=${name}]`).value);
    return { wanted, below, above, widens: this.fields.querySelector("[name=widens]").checked };
  }

  /** As the service takes it. */
  get terms() {
    const { wanted, below, above, widens } = this.chosen, limited = below || above;
    return { ...(wanted === "both" ? {} : { wanted }), ...(below ? { rating_below: Number(below) } : {}), ...(above ? { rating_above: Number(above) } : {}), ...(limited && widens ? { rating_widens: WIDENS } : {}) };
  }

  /** The same in words; empty where all ratings are taken. */
  get words() {
    return limitsTold(this.terms, this.of(this.ruleset)) || "";
  }

  /** Say what is chosen for this ruleset. */
  tell(ruleset = this.ruleset) {
    this.ruleset = ruleset;
    const { words } = this;
    this.told.textContent = words ? `${t("Your rating is {rating}.", { rating: this.of(ruleset) })} ${words}` : "";
  }

  changed() {
    keep(KEPT, JSON.stringify(this.chosen));
    this.tell();
  }

  async start(options) {
    this.of = await ownRatings(options);
    this.tell();
  }
}
