/** A new game by one's own terms. */

import * as api from "./api.js";
import { players, usual, WAYS } from "./bots.js";
import { button, choices, h, select, show } from "./dom.js";
import { games } from "./games.js";
import { t } from "./i18n.js";
import { Limits } from "./limits.js";
import { make } from "./making.js";
import { seek } from "./seeking.js";
import { clocks } from "./terms.js";

export class NewGame {
  constructor(ruleset) {
    this.stopper = new AbortController();
    this.game = games[ruleset] || Object.values(games)[0];
    this.blurb = h("p", { class: "soft" });
    this.limits = new Limits();
    this.form = h("form", { class: "panel form", onsubmit: (event) => { event.preventDefault(); this.create(); } },
      select("ruleset", t("Game"), Object.values(games).map((one) => [one.ruleset, one.title, one === this.game]), { onchange: (event) => this.tell(games[event.target.value]) }),
      select("seats", t("Players"), []),
      select("bots", t("Bots at the table"), []),
      select("bot", t("How they play"), []),
      select("clock", t("Time"), clocks().map(([terms, words]) => [JSON.stringify(terms), words])),
      select("visibility", t("Who may come"), [["public", t("Everybody"), true], ["private", t("Only who has my link")]]),
      h("label", { class: "check" }, h("input", { type: "checkbox", name: "rated" }), h("span", {}, t("It counts for the players' ratings"))),
      this.limits.element,
      h("div", { class: "bar" }, h("button", { type: "submit", class: "go" }, t("Create the game")), button(t("Find people to play it with"), () => this.find()), h("a", { class: "button", href: "#/" }, t("Back"))));
    this.element = h("div", { class: "narrow" }, h("h1", {}, t("A game your way")), this.blurb, this.form);
    this.tell(this.game);
  }

  async start() {
    const options = { signal: this.stopper.signal };
    const [found] = await Promise.all([players(options), this.limits.start(options)]);
    this.players = found;
    this.tellBots();
  }

  stop() {
    this.stopper.abort();
  }

  /** How bots can play the game that is chosen. */
  tellBots() {
    const bots = this.players ? this.players(this.game.ruleset) : [];
    show(this.form.elements.bot, choices(bots.map((bot) => [bot, WAYS[bot]?.() ?? bot, bot === usual(bots)])));
  }

  /** What the form says of a game. */
  tell(game) {
    this.game = game;
    this.blurb.textContent = game.blurb;
    const { seats, bots } = this.form.elements;
    show(seats, choices(game.seats.map((n) => [n, String(n), n === game.usual])));
    show(bots, choices(Array.from({ length: game.seats[game.seats.length - 1] }, (_, n) => [n, n ? String(n) : t("none")])));
    this.tellBots();
    this.limits.tell(game.ruleset);
  }

  /** What was chosen, as the service takes it. */
  get terms() {
    const found = new FormData(this.form);
    return { ruleset: this.game.ruleset, visibility: found.get("visibility"), rated: found.has("rated"), ...JSON.parse(found.get("clock")) };
  }

  create() {
    const { seats, bots, bot } = this.form.elements, n = Number(seats.value);
    return make({ ...this.terms, seats: n, bots: Math.min(Number(bots.value), n - 1), bot: bot.value });
  }

  /** Look for people at the lobby. */
  find() {
    const terms = { ...this.terms, ...this.limits.terms, seats: [Number(this.form.elements.seats.value)] };
    location.hash = "#/";
    seek(terms, this.limits.words);
  }
}
