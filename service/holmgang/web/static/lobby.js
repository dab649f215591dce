/** The lobby: one click to a game against bots; games to join, to go on with, to watch and to see again. */

import * as api from "./api.js";
import { players, usual, WAYS } from "./bots.js";
import { fetchScreen } from "./brought.js";
import { button, h, renew, show, toast } from "./dom.js";
import { sitDown } from "./fair.js";
import { games, signOf } from "./games.js";
import { t } from "./i18n.js";
import { nameOf, seatChip } from "./people.js";

const EVERY_MS = 6000;
const FRAME_MS = 30;
/** The lobby is painted before it asks who plays. */

let making = false; // here, since the page is made anew when somebody gets a name on the way

/** Make a game with bots on its last seats, the usual one unless `bot` is another, and go there. Nothing is made while another one is. */
async function make({ ruleset, seats, bots, bot, ...terms }) {
  if (making) return;
  making = true;
  fetchScreen(games[ruleset]);
  try {
    await api.somebody();
    const player = bots && (bot || usual((await players())(ruleset)));
    const made = await api.post("/v1/games", { ruleset, seats, ...terms, join: false }, { key: api.once() });
    await sitDown(made, { seat: 0 });
    for (let n = 0; n < bots; n += 1) await api.post(`/v1/games/${made.id}/seats`, { bot: player, seat: seats - 1 - n }, { key: api.once() });
    location.hash = `#/games/${made.id}`;
  } catch (fault) {
    if (!fault.told) throw fault;
    toast(fault.told);
  } finally {
    making = false;
  }
}

export class Lobby {
  constructor() {
    this.stopper = new AbortController();
    this.lists = h("div", { class: "lists" });
    this.element = h("div", { class: "lobby" },
      h("section", { class: "hero" }, h("h1", {}, t("Viking games, at one table")),
        h("p", { class: "lead" }, t("Pick a game and you are in it. Bots take the other seats; friends can come along, too."))),
      h("section", { class: "picks", "aria-label": t("Play against bots") }, Object.values(games).map((game) => this.pick(game))),
      this.lists);
  }

  pick(game) {
    const terms = { ruleset: game.ruleset, seats: game.usual, bots: game.usual - 1 };
    const go = button(t("Play {title} against bots", { title: game.title }), () => make(terms), { class: "go", "data-play": game.ruleset });
    return h("article", { class: "pick" }, h("img", { src: signOf(game), alt: "", width: "96", height: "72" }),
      h("h2", {}, game.title), h("p", {}, game.blurb || null), go, h("a", { class: "soft", href: `#/new/${game.ruleset}` }, t("With people, or your own way")));
  }

  async start() {
    const { signal } = this.stopper;
    await api.pause(FRAME_MS, signal);
    await this.renew();
    let fresh = true;
    api.persist(async (hasty, early) => {
      if (fresh) await api.pause(EVERY_MS, signal, early);
      fresh = false;
      if (!document.hidden) await this.renew();
      fresh = true;
    }, signal).catch(() => {}); // ended, or told of elsewhere
  }

  stop() {
    this.stopper.abort();
  }

  async renew() {
    const options = { signal: this.stopper.signal };
    const list = async (query) => (await api.get(`/v1/games?limit=12&${query}`, options)).items;
    const [open, active, over, mine, turns] = await Promise.all([
      list("status=open&open_seats=true"), list("status=active"), list("status=over"),
      api.me ? api.get("/v1/me/games?limit=20", options).then((page) => page.items) : [],
      api.me ? api.get("/v1/me/turns", options).then((page) => page.items) : [],
    ]);
    const waiting = new Set(turns.map((one) => one.game));
    const ours = new Set(mine.map((one) => one.id));
    const rank = (one) => (waiting.has(one.id) ? 0 : one.status === "active" ? 1 : one.status === "open" ? 2 : 3);
    const watched = (one) => !ours.has(one.id) && one.spectators;
    const own = [...mine].sort((one, other) => rank(one) - rank(other)).slice(0, 12);
    const sections = [
      this.section(t("Your games"), own, (one) => (waiting.has(one.id) ? t("Your turn") : one.status === "over" ? t("Result") : t("Look"))),
      this.section(t("Open games"), open.filter((one) => !ours.has(one.id)), () => t("Join"), t("Nobody is waiting for players just now.")),
      this.section(t("Being played"), active.filter(watched), () => t("Watch")),
      this.section(t("Finished"), over.filter(watched), () => t("Watch it again"), null, "/replay"),
    ].filter(Boolean);
    const { children: shown } = this.lists;
    const same = sections.length === shown.length && sections.every((one, n) => one.isEqualNode(shown[n]));
    if (!same) renew(this.lists, sections); // else nothing is read out again
  }

  section(title, items, word, empty = null, rest = "") {
    if (!items.length && !empty) return null;
    return h("section", { class: "panel", "data-key": title }, h("h2", {}, title),
      items.length ? h("ul", { class: "games" }, items.map((one) => this.line(one, word(one), rest))) : h("p", { class: "soft" }, empty));
  }

  line(game, word, rest) {
    const known = games[game.ruleset];
    const names = game.seats.map((one) => h("span", { class: "sitting" }, seatChip(one.seat), one.player ? nameOf(game, one.seat, true) : t("free")));
    return h("li", { "data-key": game.id }, h("a", { href: `#/games/${game.id}${rest}` },
      h("b", {}, known ? known.title : game.ruleset), h("span", { class: "who" }, names), h("span", { class: "word" }, word)));
  }
}

const choices = (options) => options.map(([value, words, selected]) => h("option", { value: String(value), selected: Boolean(selected) }, words));

/** A new game by one's own terms. */
export class NewGame {
  constructor(ruleset) {
    this.stopper = new AbortController();
    this.game = games[ruleset] || Object.values(games)[0];
    const select = (name, label, options, more = {}) => h("label", {}, h("span", {}, label), h("select", { name, ...more }, choices(options)));
    this.blurb = h("p", { class: "soft" });
    this.form = h("form", { class: "panel form", onsubmit: (event) => { event.preventDefault(); this.create(); } },
      select("ruleset", t("Game"), Object.values(games).map((one) => [one.ruleset, one.title, one === this.game]), { onchange: (event) => this.tell(games[event.target.value]) }),
      select("seats", t("Players"), []),
      select("bots", t("Bots at the table"), []),
      select("bot", t("How they play"), []),
      select("turn_seconds", t("Time for a turn"), [["", t("as long as it takes"), true], [60, t("a minute")], [300, t("five minutes")], [86400, t("a day")], [604800, t("a week")]]),
      select("visibility", t("Who may come"), [["public", t("Everybody"), true], ["private", t("Only who has my link")]]),
      h("div", { class: "bar" }, h("button", { type: "submit", class: "go" }, t("Create the game")), h("a", { class: "button", href: "#/" }, t("Back"))));
    this.element = h("div", { class: "narrow" }, h("h1", {}, t("A game your way")), this.blurb, this.form);
    this.tell(this.game);
  }

  async start() {
    this.players = await players({ signal: this.stopper.signal });
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
  }

  create() {
    const found = new FormData(this.form);
    const seats = Number(found.get("seats")), bots = Math.min(Number(found.get("bots")), seats - 1);
    const time = found.get("turn_seconds");
    return make({ ruleset: this.game.ruleset, seats, bots, bot: found.get("bot"), visibility: found.get("visibility"), ...(time ? { turn_seconds: Number(time) } : {}) });
  }
}
