/** Who is strongest in a game. */

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
    this.list = h("div", { class: "standings" });
    this.bots = h("select", { onchange: () => attempt(() => this.draw()) }, choices([["false", t("all but the bots of the house")], ["true", t("all")]]));
    this.element = h("div", { class: "wide" }, h("h1", {}, t("Leaderboard of {title}", { title: titleOf(this.ruleset) })),
      h("nav", { class: "bar", "aria-label": t("Game") }, Object.values(games).map((one) => h("a", { class: "button", href: `#/leaderboards/${one.ruleset}`, "aria-current": one.ruleset === this.ruleset ? "page" : null }, one.title))),
      h("label", { class: "inline" }, h("span", {}, t("Who is listed")), this.bots), h("section", { class: "panel" }, this.list));
  }

  start() {
    return this.draw();
  }

  stop() {
    this.stopper.abort();
  }

  async draw() {
    const rows = h("tbody", {}), table = h("table", { class: "scores" }, h("caption", {}, t("By rating, the best first")),
      h("thead", {}, h("tr", {}, [t("Rank"), t("Player"), t("Games"), t("Won"), t("Rating")].map((words) => h("th", { scope: "col" }, words)))), rows);
    const held = h("div", {}, table);
    const some = await fill(rows, `/v1/leaderboards/${this.ruleset}?limit=50&bots=${this.bots.value}`, (one) => h("tr", {},
      h("td", {}, String(one.rank)), h("td", {}, personLink(one.player.id, isolated(one.player.name))), h("td", {}, String(one.games)), h("td", {}, String(one.wins)), h("td", { class: "number" }, String(one.rating))),
    { signal: this.stopper.signal }, table);
    show(this.list, some ? held : h("p", { class: "soft" }, t("Nobody has played a rated game yet.")));
  }
}
