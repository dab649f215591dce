/** Tournaments that are open, played or over; and a new one. */

import * as api from "./api.js";
import { asked, say } from "./address.js";
import { choices, h, labelled, select, show } from "./dom.js";
import { games } from "./games.js";
import { t } from "./i18n.js";
import { attempt, fill } from "./lists.js";
import { isolated } from "./people.js";
import { clocks } from "./terms.js";
import { factsOf, KINDS, STATUSES } from "./tournament.js";

export class Tournaments {
  constructor() {
    this.stopper = new AbortController();
    this.held = h("section", { class: "panel" });
    this.status = h("select", { onchange: () => { say({ which: this.status.value }); attempt(() => this.draw()); } }, choices([["", t("all")], ["mine", t("yours, private ones too")], ["open", STATUSES.open()], ["active", STATUSES.active()], ["over", STATUSES.over()]].map(([value, words]) => [value, words, value === asked().which])));
    this.element = h("div", { class: "wide" }, h("h1", {}, t("Tournaments")), h("div", { class: "bar" }, h("a", { class: "button go", href: "#/tournaments/new" }, t("Make a tournament"))),
      h("label", { class: "inline" }, h("span", {}, t("Which are listed")), this.status), this.held);
  }

  start() {
    return this.draw();
  }

  stop() {
    this.stopper.abort();
  }

  async draw() {
    const list = h("ul", { class: "games" }), held = h("div", {}, list), { value } = this.status;
    const mine = value === "mine", path = mine ? "/v1/me/tournaments?limit=20" : `/v1/tournaments?limit=20${value ? `&status=${value}` : ""}`;
    const some = (!mine || api.me) && await fill(list, path, (one) => h("li", {}, h("a", { class: "cup", href: `#/tournaments/${one.id}` },
      h("b", {}, isolated(one.name)), h("span", { class: "word" }, STATUSES[one.status]()), h("span", { class: "facts" }, factsOf(one)))), { signal: this.stopper.signal });
    show(this.held, some ? held : h("p", { class: "soft" }, t("There is none. Make one, and others find it here.")));
  }
}

/** A tournament of one's own. */
export class NewTournament {
  constructor() {
    this.game = Object.values(games)[0];
    const count = (name, words, value, more = {}) => labelled(words, h("input", { type: "number", name, min: "1", value, ...more }));
    this.rounds = count("rounds", t("Rounds; empty: as many as it takes"), "");
    this.minutes = count("minutes", t("Minutes for which it is open"), "60", { required: true });
    this.form = h("form", { class: "panel form", onsubmit: (event) => { event.preventDefault(); attempt(() => this.create()); } },
      labelled(t("Name"), h("input", { type: "text", name: "name", required: true, maxlength: "64" })),
      select("ruleset", t("Game"), Object.values(games).map((one) => [one.ruleset, one.title]), { onchange: () => this.tellSeats() }),
      select("seats", t("Players at a table"), []),
      select("kind", t("Who meets whom"), ["swiss", "round-robin", "knock-out", "arena"].map((kind) => [kind, KINDS[kind]()]), { onchange: () => this.tell() }),
      this.rounds, this.minutes,
      select("clock", t("Time"), clocks().slice(1).map(([terms, words], n) => [JSON.stringify(terms), words, n === 1])),
      count("starts_with", t("With how many players it starts; empty: you start it"), ""),
      count("fill_to", t("Bots fill it up to; empty: no bots"), ""),
      select("visibility", t("Who may come"), [["public", t("Everybody"), true], ["private", t("Only who has my link")]]),
      h("label", { class: "check" }, h("input", { type: "checkbox", name: "rated" }), h("span", {}, t("It counts for the players' ratings"))),
      h("div", { class: "bar" }, h("button", { type: "submit", class: "go" }, t("Make the tournament")), h("a", { class: "button", href: "#/tournaments" }, t("Back"))));
    this.element = h("div", { class: "narrow" }, h("h1", {}, t("A new tournament")), this.form);
    this.tellSeats();
    this.tell();
  }

  start() {}

  stop() {}

  /** How many can sit at a table; few, so that many games are played. */
  tellSeats() {
    const { ruleset, seats } = this.form.elements;
    show(seats, choices(games[ruleset.value].seats.map((n) => [n, String(n)])));
  }

  /** What the form asks for a kind. */
  tell() {
    const { kind } = this.form.elements;
    this.rounds.hidden = kind.value === "arena";
    this.minutes.hidden = kind.value !== "arena";
    this.minutes.querySelector("input").disabled = this.minutes.hidden;
  }

  async create() {
    const found = new FormData(this.form), kind = found.get("kind"), [rounds, startsWith, fillTo] = ["rounds", "starts_with", "fill_to"].map((name) => Number(found.get(name)));
    const terms = { name: found.get("name").trim(), ruleset: found.get("ruleset"), seats: Number(found.get("seats")), kind, visibility: found.get("visibility"), rated: found.has("rated"), ...JSON.parse(found.get("clock")) };
    if (kind === "arena") terms.seconds = 60 * Number(found.get("minutes"));
    else if (rounds) terms.rounds = rounds;
    if (startsWith) terms.starts_with = startsWith;
    if (fillTo) Object.assign(terms, { bots: ["greedy"], fill_to: fillTo });
    await api.somebody();
    const made = await api.post("/v1/tournaments", terms, { key: api.once() });
    location.hash = `#/tournaments/${made.id}`;
  }
}
