/** One tournament: what it is, who leads, who meets whom; followed by waiting for news. */

import * as api from "./api.js";
import { Crosstable } from "./crosstable.js";
import { announce, button, dialog, h, renew } from "./dom.js";
import { language, t, together } from "./i18n.js";
import { attempt } from "./lists.js";
import { botTold, invitationOf, isolated, keepInvitation, openDialogs, personLink, showLink } from "./people.js";
import { at } from "./place.js";
import { Rounds, roundTitle } from "./rounds.js";
import { span, termsTold, titleOf } from "./terms.js";

const WAIT_S = 25, SECOND_MS = 1000;

export const KINDS = {
  "round-robin": () => t("everybody meets everybody"), swiss: () => t("those with the same points meet (Swiss)"), "knock-out": () => t("who loses is out (knock-out)"),
  arena: () => t("whoever is free meets whoever is free (arena)"), ladder: () => t("a ladder without end, for bots"),
};

export const STATUSES = { open: () => t("open: you can enter"), active: () => t("being played"), over: () => t("over"), cancelled: () => t("cancelled") };

/** What a tournament is, in a line. */
export const factsOf = (one) => [titleOf(one.terms.ruleset), KINDS[one.kind](), t("{n} players", { n: one.entered }), termsTold(one.terms), ...(one.seconds ? [t("open for {time}", { time: span(one.seconds) })] : [])].join(" · ");

const number = (n) => new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(n);

const table = (caption, heads, rows) => h("table", { class: "scores", "data-key": caption }, h("caption", {}, caption), h("thead", {}, h("tr", {}, heads.map((words) => h("th", { scope: "col" }, words)))), h("tbody", {}, rows));

/** Standings in which built-in bots are told apart, as several of a kind may be in it: by numbers, which they keep. */
function toldApart(standings) {
  const alike = (one) => standings.filter(({ bot }) => bot === one.bot).map(({ entry }) => entry).sort();
  return standings.map((one) => (one.bot ? { ...one, name: alike(one).length > 1 ? `${botTold(one.bot)} ${alike(one).indexOf(one.entry) + 1}` : botTold(one.bot) } : one));
}

export class Tournament {
  constructor(ident) {
    this.ident = ident;
    this.path = `/v1/tournaments/${ident}`;
    this.stopper = new AbortController();
    this.options = { signal: this.stopper.signal, invitation: invitationOf(ident) };
    this.element = h("div", { class: "profile" });
    this.round = null;
    this.rounds = new Rounds(this.path, this.options, (one) => this.roundTold(one), () => this.draw());
    this.crosstable = new Crosstable(this.path, this.options);
  }

  async start() {
    this.ticking = window.setInterval(() => this.tick(), SECOND_MS);
    await this.renew((this.have = await api.poll(this.path, { ...this.options, early: this.stopper.signal, wait: 0 })).body);
    api.persist(async (hasty, early) => {
      const news = await api.poll(this.path, { ...this.options, have: this.have, wait: hasty ? 0 : WAIT_S, early, tagged: true });
      if (!news) return;
      await this.renew(news.body);
      this.have = news;
    }, this.stopper.signal).catch((fault) => {
      if (!this.stopper.signal.aborted) throw fault;
    });
  }

  stop() {
    this.stopper.abort();
    window.clearInterval(this.ticking);
    openDialogs().forEach((one) => one.close());
  }

  /** Fetch all that belongs to it, and only then show it. */
  async renew(tournament) {
    const playing = api.me && tournament.status === "active";
    const [{ items }, games] = await Promise.all([
      api.get(`${this.path}/standings`, this.options), playing ? api.get("/v1/me/games?status=active&limit=100", this.options).then((page) => page.items) : [], this.rounds.renew(tournament.round),
    ]);
    const standings = toldApart(items);
    Object.assign(this, { tournament, standings, games: games.filter((one) => one.tournament === tournament.id), names: new Map(standings.map((one) => [one.entry, one])) });
    this.crosstable.tell(this.standings);
    this.draw();
    if (this.round !== null && tournament.round > this.round) announce(t("Round {n} begins.", { n: tournament.round }));
    this.round = tournament.round;
  }

  draw() {
    const { tournament } = this;
    document.title = `${tournament.name} · Holmgang`;
    renew(this.element, h("h1", {}, isolated(tournament.name)), this.state(), this.standing(), tournament.round ? this.crosstable.element : null, this.rounds.elements);
    this.tick();
  }

  /** How long until it begins or closes. */
  tick() {
    const clock = this.element.querySelector(".state .clock");
    if (!clock) return;
    const left = Math.max(0, Math.ceil((Date.parse(clock.dataset.until) - Date.now()) / 1000)), two = (n) => String(n).padStart(2, "0");
    const days = Math.floor(left / 86400), hours = Math.floor((left % 86400) / 3600);
    clock.textContent = `${days ? `${t("{n} d", { n: days })} ` : ""}${days || hours ? `${hours}:` : ""}${days || hours ? two(Math.floor((left % 3600) / 60)) : Math.floor(left / 60)}:${two(left % 60)}`;
  }

  /** Something that happens at a time, with what is left until then. */
  until(words, when) {
    return h("p", {}, words(new Date(when).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" })), " ", h("span", { class: "clock", "aria-hidden": "true", "data-until": when }));
  }

  /** How long it goes on. */
  time() {
    const { tournament } = this, { status, kind, round, rounds, seconds, started_at } = tournament;
    if (status === "open") return tournament.starts_at ? this.until((when) => t("It starts {when}.", { when }), tournament.starts_at) : h("p", {}, tournament.starts_with ? t("It starts with {n} players.", { n: tournament.starts_with }) : t("Its maker starts it."));
    if (status !== "active") return null;
    if (kind !== "arena") return kind === "ladder" ? null : h("p", {}, rounds && kind === "swiss" ? t("Round {n} of {all}.", { n: round, all: rounds }) : t("Round {n}.", { n: round }));
    const closes = Date.parse(started_at) + 1000 * seconds;
    return closes > Date.now() ? this.until((when) => t("It is open until {when}.", { when }), new Date(closes).toISOString()) : h("p", {}, t("It has closed: the last games are being played."));
  }

  /** Where one stands oneself, and the game that waits. */
  yours(own) {
    const { tournament, games, standings } = this, { status } = tournament;
    if (!own || status === "cancelled") return null;
    const place = tournament.round ? h("p", { class: "yours" }, t("You: rank {rank} of {n}, points: {points}.", { rank: own.rank, n: standings.length, points: number(own.points) })) : null;
    if (status === "over") return place;
    const latest = this.rounds.items[this.rounds.items.length - 1], free = latest && latest.byes.includes(own.entry);
    const next = status === "open" ? t("You are in it.") : own.out ? t("You missed a game and are not paired until you are back.") : games.length ? null
      : tournament.kind === "arena" || tournament.kind === "ladder" ? t("You meet the next who is free. Stay here: your game appears by itself.") : free ? t("You have no opponent in this round.") : t("You wait for the next round, which begins when all games of this one are over.");
    return [place, next ? h("p", { class: place ? null : "yours" }, next) : null,
      games.map((game) => h("p", {}, h("a", { class: "button go", href: `#/games/${game.id}`, "data-key": `own ${game.id}` }, t("To your game against {names}", { names: together(game.seats.filter((one) => one.player && one.player !== api.me.id).map((one) => isolated(one.name))) }))))];
  }

  /** What it is, and what one may do about it. */
  state() {
    const { tournament } = this, { status } = tournament;
    const own = api.me && this.standings.find((one) => one.player === api.me.id && one.out !== "withdrawn");
    const enter = status === "open" || (status === "active" && ["arena", "ladder"].includes(tournament.kind));
    const mine = api.me && tournament.creator === api.me.id, buttons = [];
    if (enter ? !own || own.out : own && own.out && status === "active") buttons.push(button(own ? t("I am back") : t("Enter"), () => attempt(() => this.enter()), { class: "go", "data-key": "enter" }));
    if (own && ["open", "active"].includes(status)) buttons.push(button(t("Leave"), () => this.leave(), { "data-key": "leave" }));
    if (mine && status === "open") buttons.push(button(t("Start it"), () => attempt(() => api.post(`${this.path}/start`, {}, { key: api.once() })), { "data-key": "start" }));
    if (mine && ["open", "active"].includes(status)) buttons.push(button(t("Call it off"), () => this.cancel(), { class: "quiet", "data-key": "cancel" }));
    if (mine && tournament.visibility === "private" && enter) buttons.push(button(t("Invite by a link"), () => attempt(() => this.invite()), { "data-key": "invite" }));
    return h("section", { class: "panel state", "data-key": "state" }, h("p", { class: "now" }, STATUSES[status]()), h("p", { class: "soft" }, factsOf(tournament)), this.time(), this.yours(own), h("div", { class: "bar" }, buttons));
  }

  standing() {
    const me = api.me && api.me.id;
    const told = (one) => (one.out === "withdrawn" ? t("left") : one.out === "absent" ? t("absent") : null);
    return h("section", { class: "panel", "data-key": "standings" }, this.standings.length ? table(t("Standings"), [t("Rank"), t("Player"), t("Points")], this.standings.map((one) => h("tr", { class: one.player === me ? "own" : null, "data-key": one.entry },
      h("td", {}, String(one.rank)), h("td", {}, personLink(one.player, isolated(one.name)), told(one) ? h("span", { class: "soft" }, ` ${told(one)}`) : null), h("td", { class: "number" }, number(one.points)))))
      : h("p", { class: "soft" }, this.tournament.status === "open" ? t("Nobody is in it yet: enter, and others see that you wait.") : t("Nobody was in it.")));
  }

  nameOf(entry) {
    const found = this.names.get(entry);
    return found ? isolated(found.name) : "?";
  }

  roundTold({ round, tables, byes, paired_at }) {
    const { invitation } = this.options, watched = this.tournament.terms.spectators;
    const outcome = (game) => (game.outcome === "played" ? t("played") : game.outcome === "void" ? t("counts for nobody") : game.outcome === "forfeited" ? t("nobody turned up") : t("being played"));
    const gameTold = (game, mine) => h("span", {}, game.game && (mine || watched) ? h("a", { href: `#/games/${game.game}${game.outcome === "played" ? "/replay" : ""}`, "data-key": `game ${game.game}`, onclick: invitation ? () => keepInvitation(game.game, invitation) : null }, t("Game {n}", { n: game.number })) : t("Game {n}", { n: game.number }), ` ${outcome(game)}`);
    return h("section", { class: "panel", "data-key": `round ${round}` }, table(roundTitle({ round, paired_at }), [t("Table"), t("Players"), t("Games")], tables.map((one) => h("tr", { class: this.mine(one) ? "own" : null, "data-key": `table ${round} ${one.at}` },
      h("td", {}, String(one.at)), h("td", { class: "names" }, one.players.map((entry, n) => h("div", {}, this.nameOf(entry), one.points.length ? ` ${number(one.points[n])}` : null))), h("td", { class: "number" }, one.games.map((game) => h("div", {}, gameTold(game, this.mine(one)))))))),
    byes.length ? h("p", { class: "soft" }, t("Without an opponent: {names}", { names: byes.map((entry) => this.nameOf(entry)).join(", ") })) : null);
  }

  mine({ players }) {
    return Boolean(api.me) && players.some((entry) => this.names.get(entry)?.player === api.me.id);
  }

  async enter() {
    await api.somebody();
    const { invitation } = this.options;
    await api.post(`${this.path}/entries`, invitation ? { invitation } : {}, { key: api.once() });
  }

  /** A link by which others may look and enter. It is the same during a visit, since another one ends it. */
  async invite() {
    if (!invitationOf(this.ident)) keepInvitation(this.ident, (await api.post(`${this.path}/invitation`, {}, { key: api.once() })).secret);
    showLink(t("Invite to this tournament"), t("Invitation link"), t("Send this link. Who opens it may look and enter. Links from earlier visits are good no longer."), at(`/#/tournaments/${this.ident}?invitation=${invitationOf(this.ident)}`));
  }

  leave() {
    return attempt(() => api.call("DELETE", `${this.path}/entries/${api.me.id}`, { repeat: true }));
  }

  cancel() {
    dialog(t("Call this tournament off?"), (close) => [h("p", {}, t("Games that are being played are played on, and count nowhere.")),
      h("div", { class: "bar" }, button(t("Call it off"), async () => { if (await attempt(() => api.call("DELETE", this.path, { repeat: true }))) close(); }, { class: "go" }), button(t("Close"), close))]);
  }
}
