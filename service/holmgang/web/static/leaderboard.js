/** Who is strongest in a game, and how oneself stands among them. */

import * as api from "./api.js";
import { asked, say } from "./address.js";
import { choices, h, show } from "./dom.js";
import { games } from "./games.js";
import { t } from "./i18n.js";
import { attempt, fill } from "./lists.js";
import { isolated, personLink } from "./people.js";
import { titleOf } from "./terms.js";

export class Leaderboard {
  constructor(ruleset) {
    this.ruleset = games[ruleset] ? ruleset : Object.keys(games)[0];
    this.stopper = new AbortController();
    this.options = { signal: this.stopper.signal };
    this.list = h("div", { class: "standings" });
    this.bots = h("select", { onchange: () => { this.keep(); attempt(() => this.draw()); } }, choices([["", t("all but the bots of the house")], ["all", t("all"), asked().who === "all"]]));
    this.links = h("nav", { class: "bar", "aria-label": t("Game") });
    this.element = h("div", { class: "wide" }, h("h1", {}, t("Leaderboard of {title}", { title: titleOf(this.ruleset) })), this.links,
      h("label", { class: "inline" }, h("span", {}, t("Who is listed")), this.bots), h("section", { class: "panel" }, this.list));
    this.keep();
  }

  start() {
    return this.draw();
  }

  stop() {
    this.stopper.abort();
  }

  /** The address says who is listed, and so do the links to other games. */
  keep() {
    const { value } = this.bots;
    say({ who: value });
    show(this.links, Object.values(games).map((one) => h("a", { class: "button", href: `#/leaderboards/${one.ruleset}${value ? `?who=${value}` : ""}`, "aria-current": one.ruleset === this.ruleset ? "page" : null }, one.title)));
  }

  line(one) {
    return h("tr", { class: api.me && one.player.id === api.me.id ? "own" : null }, h("td", {}, String(one.rank)), h("td", { class: "names" }, personLink(one.player.id, isolated(one.player.name))),
      h("td", {}, String(one.games)), h("td", {}, String(one.wins)), h("td", { class: "number" }, String(one.rating)));
  }

  async draw() {
    const rows = h("tbody", {}), foot = h("tfoot", {}), table = h("table", { class: "scores" }, h("caption", {}, t("By rating, the best first")),
      h("thead", {}, h("tr", {}, [t("Rank"), t("Player"), t("Games"), t("Won"), t("Rating")].map((words) => h("th", { scope: "col" }, words)))), rows, foot);
    const held = h("div", {}, table), path = `/v1/leaderboards/${this.ruleset}`, bots = this.bots.value === "all";
    const [own, some] = await Promise.all([
      api.me ? api.get(`${path}?bots=${bots}&player=${api.me.id}`, this.options).then((page) => page.items) : [],
      fill(rows, `${path}?limit=50&bots=${bots}`, (one) => this.line(one), this.options, table),
    ]);
    show(foot, own.map((one) => this.line(one))); // the style shows it for as long as the list does not go so far
    show(this.list, some ? held : h("p", { class: "soft" }, t("Nobody has played a rated game yet.")), own.length ? null : h("p", {}, t("You are not listed yet: play a rated game."), " ", h("a", { href: `#/new/${this.ruleset}` }, t("A game your way"))));
  }
}
