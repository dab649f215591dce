/** Who is strongest in a game, and how oneself stands among them. */

import * as api from "./api.js";
import { asked, say } from "./address.js";
import { h, select, show } from "./dom.js";
import { games } from "./games.js";
import { t } from "./i18n.js";
import { attempt, fill } from "./lists.js";
import { isolated, personLink } from "./people.js";
import { titleOf } from "./terms.js";

const DAY_MS = 24 * 60 * 60 * 1000;

/** The midnight (UTC) so many days ago: the service knows the days on which people played, and for a day the address of the list is the same. */
const daysAgo = (days) => new Date((Math.floor(Date.now() / DAY_MS) - days) * DAY_MS).toISOString();

export class Leaderboard {
  constructor(ruleset) {
    this.ruleset = games[ruleset] ? ruleset : Object.keys(games)[0];
    this.stopper = new AbortController();
    this.options = { signal: this.stopper.signal };
    this.list = h("div", { class: "standings" });
    const { who, active } = asked();
    this.filters = h("form", { class: "filters who", "aria-label": t("Which players are listed"), onsubmit: (event) => event.preventDefault(), onchange: () => { this.keep(); attempt(() => this.draw()); } },
      select("who", t("Who is listed"), [["", t("all but the bots of the house")], ["all", t("all")]], { chosen: who }),
      select("active", t("Who played"), [["", t("ever")], ["7", t("in the last 7 days")], ["30", t("in the last 30 days")], ["365", t("in the last year")]], { chosen: active }));
    this.links = h("nav", { class: "bar", "aria-label": t("Game") });
    this.element = h("div", { class: "wide" }, h("h1", {}, t("Leaderboard of {title}", { title: titleOf(this.ruleset) })), this.links,
      this.filters, h("section", { class: "panel" }, this.list));
    this.keep();
  }

  start() {
    return this.draw();
  }

  stop() {
    this.stopper.abort();
  }

  get chosen() {
    return Object.fromEntries([...new FormData(this.filters)].filter(([, value]) => value));
  }

  /** The address says who is listed, and so do the links to other games. */
  keep() {
    const { chosen } = this, query = new URLSearchParams(chosen).toString();
    say(chosen);
    show(this.links, Object.values(games).map((one) => h("a", { class: "button", href: `#/leaderboards/${one.ruleset}${query ? `?${query}` : ""}`, "aria-current": one.ruleset === this.ruleset ? "page" : null }, one.title)));
  }

  line(one) {
    return h("tr", { class: api.me && one.player.id === api.me.id ? "own" : null }, h("td", {}, String(one.rank)), h("td", { class: "names" }, personLink(one.player.id, isolated(one.player.name))),
      h("td", {}, String(one.games)), h("td", {}, String(one.wins)), h("td", { class: "number" }, String(one.rating)));
  }

  async draw() {
    const rows = h("tbody", {}), foot = h("tfoot", {}), table = h("table", { class: "scores" }, h("caption", {}, t("By rating, the best first")),
      h("thead", {}, h("tr", {}, [t("Rank"), t("Player"), t("Games"), t("Won"), t("Rating")].map((words) => h("th", { scope: "col" }, words)))), rows, foot);
    const held = h("div", {}, table), path = `/v1/leaderboards/${this.ruleset}`, { who, active } = this.chosen;
    const which = new URLSearchParams({ bots: who === "all", ...(active ? { active_since: daysAgo(Number(active)) } : {}) });
    const [own, some] = await Promise.all([
      api.me ? api.get(`${path}?${which}&player=${api.me.id}`, this.options).then((page) => page.items) : [],
      fill(rows, `${path}?limit=50&${which}`, (one) => this.line(one), this.options, table),
    ]);
    show(foot, own.map((one) => this.line(one))); // the style shows it for as long as the list does not go so far
    show(this.list, some ? held : h("p", { class: "soft" }, active ? t("Nobody has played a rated game in this time.") : t("Nobody has played a rated game yet.")),
      own.length ? null : h("p", {}, active ? t("You are not listed: you have played no rated game in this time.") : t("You are not listed yet: play a rated game."), " ", h("a", { href: `#/new/${this.ruleset}` }, t("A game your way"))));
  }
}
