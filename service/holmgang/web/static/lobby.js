/** The lobby: one click to a game against bots or people; games to join, to go on with, to watch and to see again. */

import * as api from "./api.js";
import { challengeLine } from "./challenges.js";
import { button, h, renew } from "./dom.js";
import { Filters } from "./filters.js";
import { games, signOf } from "./games.js";
import { t } from "./i18n.js";
import { addressOf } from "./lessons.js";
import { make } from "./making.js";
import { isolated, nameOf, personLink, seatChip } from "./people.js";
import { leave, onSought, seek, sought, usually } from "./seeking.js";
import { ago, NEWCOMER, termsTold, titleOf } from "./terms.js";

const EVERY_MS = 6000;
const FRAME_MS = 30;
/** The lobby is painted before it asks who plays. */

const SECOND_MS = 1000;
const MOST_CALLS = 3;

const greeting = () => t("Pick a game and you are in it. Bots take the other seats; friends can come along, too.");

export class Lobby {
  constructor() {
    this.stopper = new AbortController();
    this.filters = new Filters(() => this.renew().catch(() => {})); // what failed is told, and asked again soon
    this.seeking = h("div", { class: "seeking", role: "status" });
    this.lists = h("div", { class: "lists" });
    this.calls = h("div", { class: "lead" }, greeting());
    this.element = h("div", { class: "lobby" },
      h("section", { class: "hero" }, h("h1", {}, t("Viking games, at one table")), this.calls),
      this.seeking,
      h("section", { class: "picks", "aria-label": t("Play against bots") }, Object.values(games).map((game) => this.pick(game))),
      this.filters.element, this.lists);
  }

  pick(game) {
    const terms = { ruleset: game.ruleset, seats: game.usual, bots: game.usual - 1 };
    const go = button(t("Play {title} against bots", { title: game.title }), () => make(terms), { class: "go", "data-play": game.ruleset });
    return h("article", { class: "pick" }, h("img", { src: signOf(game), alt: "", width: "96", height: "72" }),
      h("h2", {}, game.title), h("p", {}, game.blurb || null), go,
      button(t("Find people for {title}", { title: game.title }), () => { seek(usually(game)); }, { class: "seek", "data-seek": game.ruleset }), 
      h("div", { class: "bar" }, game.lesson ? h("a", { href: `#/learn/${game.ruleset}`, "aria-label": `${game.title}: ${t("Learn it in two minutes")}` }, t("Learn it in two minutes")) : null, h("a", { class: "soft", href: `#/new/${game.ruleset}` }, t("Your own way"))));
  }

  async start() {
    const { signal } = this.stopper;
    onSought(() => this.drawSought());
    this.drawSought();
    this.ticking = window.setInterval(() => this.tick(), SECOND_MS);
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
    window.clearInterval(this.ticking);
    onSought(() => {});
    leave();
  }

  /** What one waits for. */
  drawSought() {
    const own = sought();
    this.since = h("span", { class: "clock", "aria-hidden": "true" });
    renew(this.seeking, own ? h("section", { class: "panel", "data-key": "seeking" }, h("h2", {}, t("Looking for people to play {title} with", { title: titleOf(own.terms.ruleset) })),
      h("p", { class: "soft" }, termsTold(own.terms)), own.limits ? h("p", { class: "soft" }, own.limits) : null, h("p", {}, t("The game begins as soon as somebody comes. Stay here: who leaves this page looks no longer."), " ", this.since),
      h("div", { class: "bar" }, button(t("Stop looking"), leave))) : null);
    this.tick();
  }

  tick() {
    const own = sought();
    if (!own) return;
    const seconds = Math.floor((Date.now() - own.since) / 1000), clock = this.seeking.querySelector(".clock");
    clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }

  async renew() {
    const options = { signal: this.stopper.signal };
    const { filters } = this;
    const list = async (query) => (await api.get(`/v1/games?limit=12&${query}${filters.query}`, options)).items.filter(filters.fits);
    const [seeks, challenges, open, active, over, mine, turns] = await Promise.all([
      api.get(`/v1/seeks?limit=20${filters.ruleset}`, options).then((page) => page.items.filter((one) => filters.fits(one.terms))),
      api.me ? api.get("/v1/me/challenges?status=pending&limit=20", options).then((page) => page.items) : [],
      list("status=open&open_seats=true").then((found) => weigh(found, options)), list("status=active"), list("status=over"),
      api.me ? api.get("/v1/me/games?limit=20", options).then((page) => page.items) : [],
      api.me ? api.get("/v1/me/turns", options).then((page) => page.items) : [],
    ]);
    const waiting = new Set(turns.map((one) => one.game));
    const ours = new Set(mine.map((one) => one.id));
    const rank = (one) => (waiting.has(one.id) ? 0 : one.status === "active" ? 1 : one.status === "open" ? 2 : 3);
    const watched = (one) => !ours.has(one.id) && one.spectators;
    const own = [...mine].sort((one, other) => rank(one) - rank(other)).slice(0, 12);
    const others = seeks.filter((one) => !api.me || one.player.id !== api.me.id);
    const sections = [
      this.section(t("Challenges"), challenges, null, (one) => challengeLine(one, () => this.renew())),
      this.section(t("Looking for people"), others, null, (one) => this.soughtLine(one)),
      this.section(t("Your games"), own, null, this.liner((one) => (waiting.has(one.id) ? t("Your turn") : one.status === "over" ? t("Result") : t("Look")))),
      this.section(t("Open games"), open.filter((one) => !ours.has(one.id)), t("Nobody is waiting for players just now."), this.liner(() => t("Join"))),
      this.section(t("Being played"), active.filter(watched), null, this.liner(() => t("Watch"))),
      this.section(t("Finished"), over.filter(watched), null, this.liner(() => t("Watch it again"), "/replay")),
    ].filter(Boolean);
    this.call(own.filter((one) => waiting.has(one.id)));
    const { children: shown } = this.lists;
    const same = sections.length === shown.length && sections.every((one, n) => one.isEqualNode(shown[n]));
    if (!same) renew(this.lists, sections); // else nothing is read out again
  }

  /** Who is waited for hears it first, in place of the greeting; on a telephone the lists are far below. */
  call(waiting) {
    renew(this.calls, !waiting.length ? greeting() : h("div", { class: "bar calls" }, waiting.slice(0, MOST_CALLS).map((one) => h("a", { class: "button go", href: addressOf(one, api.me.id), "data-key": `call ${one.id}` },
      t("Your turn in {title}", { title: titleOf(one.ruleset) })))));
  }

  section(title, items, empty, line) {
    if (!items.length && !empty) return null;
    return h("section", { class: "panel", "data-key": title }, h("h2", {}, title),
      items.length ? h("ul", { class: "games" }, items.map(line)) : h("p", { class: "soft" }, empty));
  }

  liner(word, rest = "") {
    return (game) => gameLine(game, word(game), rest);
  }

  /** Somebody's seek; one plays them by seeking the same. */
  soughtLine({ id, player, seats, terms, created_at }) {
    const wanted = player.kind === "bot" ? "bots" : "people";
    return h("li", { class: "sought", "data-key": id }, h("span", { class: "who" }, h("b", {}, titleOf(terms.ruleset)), personLink(player.id, isolated(player.name)), h("span", {}, String(player.rating))),
      h("span", { class: "facts" }, [t("{n} players", { n: seats.join(", ") }), termsTold(terms), ago(created_at)].join(" · ")),
      button(t("Play"), () => { seek({ ...terms, seats, wanted }); }, { "data-key": `play ${id}`, "aria-label": t("Play {title} with {name}", { title: titleOf(terms.ruleset), name: player.name }) }));
  }
}

const ratings = new Map();
/** How strong people are who wait at rated tables, each asked for once a visit. */

async function weigh(found, options) {
  const waiting = found.filter((one) => one.rated).flatMap((one) => one.seats).filter((one) => one.player && !one.bot).map((one) => one.player);
  await Promise.all([...new Set(waiting)].filter((id) => !ratings.has(id)).map(async (id) => {
    try {
      ratings.set(id, (await api.get(`/v1/players/${id}`, options)).ratings);
    } catch {
      ratings.set(id, null); // the list is there without it
    }
  }));
  return found;
}

function ratingOf({ status, rated, ruleset }, { player }) {
  const known = status === "open" && rated && ratings.get(player);
  return known ? h("span", {}, String(known[ruleset]?.rating ?? NEWCOMER)) : null;
}

/** A game in a list, as a link to it; `more` are facts that come first. */
export function gameLine(game, word, rest = "", more = []) {
  const { scores } = game.result || {};
  const names = game.seats.map((one) => h("span", { class: "sitting" }, seatChip(one.seat), one.player ? nameOf(game, one.seat) : t("free"), ratingOf(game, one), scores ? h("b", {}, String(scores[one.seat])) : null));
  return h("li", { "data-key": game.id }, h("a", { href: `${addressOf(game, api.me && api.me.id)}${rest}` },
    h("b", {}, titleOf(game.ruleset)), h("span", { class: "who" }, names), h("span", { class: "word" }, word),
    h("span", { class: "facts" }, [...more, termsTold(game), ago(game.ended_at || game.started_at || game.created_at)].join(" · "))));
}
