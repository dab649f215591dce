/** One tournament: what it is, who leads, who meets whom; followed by waiting for news. */

import * as api from "./api.js";
import { announce, button, dialog, h, renew } from "./dom.js";
import { language, t } from "./i18n.js";
import { attempt } from "./lists.js";
import { isolated, openDialogs, personLink } from "./people.js";
import { ago, span, termsTold, titleOf } from "./terms.js";

const WAIT_S = 25;
const PAGES = 5;
/** So many pages of rounds are shown: an arena may have any number. */

export const KINDS = {
  "round-robin": () => t("everybody meets everybody"), swiss: () => t("those with the same points meet (Swiss)"), "knock-out": () => t("who loses is out (knock-out)"),
  arena: () => t("whoever is free meets whoever is free (arena)"), ladder: () => t("a ladder without end, for bots"),
};

export const STATUSES = { open: () => t("open: you can enter"), active: () => t("being played"), over: () => t("over"), cancelled: () => t("cancelled") };

/** What a tournament is, in a line. */
export const factsOf = (one) => [titleOf(one.terms.ruleset), KINDS[one.kind](), t("{n} players", { n: one.entered }), termsTold(one.terms), ...(one.seconds ? [t("open for {time}", { time: span(one.seconds) })] : [])].join(" · ");

const number = (n) => new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(n);

const table = (caption, heads, rows) => h("table", { class: "scores", "data-key": caption }, h("caption", {}, caption), h("thead", {}, h("tr", {}, heads.map((words) => h("th", { scope: "col" }, words)))), h("tbody", {}, rows));

export class Tournament {
  constructor(ident) {
    this.path = `/v1/tournaments/${ident}`;
    this.stopper = new AbortController();
    this.options = { signal: this.stopper.signal };
    this.element = h("div", { class: "profile" });
    this.round = null;
  }

  async start() {
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
    openDialogs().forEach((one) => one.close());
  }

  /** Fetch all that belongs to it, and only then show it. */
  async renew(tournament) {
    const [standings, rounds] = await Promise.all([
      api.get(`${this.path}/standings`, this.options), api.pages(`${this.path}/rounds?limit=20`, this.options, { most: PAGES }),
    ]);
    Object.assign(this, { tournament, standings: standings.items, rounds, names: new Map(standings.items.map((one) => [one.entry, one])) });
    this.draw();
    if (this.round !== null && tournament.round > this.round) announce(t("Round {n} begins.", { n: tournament.round }));
    this.round = tournament.round;
  }

  draw() {
    const { tournament } = this;
    document.title = `${tournament.name} · Holmgang`;
    renew(this.element, h("h1", {}, isolated(tournament.name)), this.state(), this.standing(), [...this.rounds].sort((one, other) => other.round - one.round).map((one) => this.roundTold(one)));
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
    const begins = status !== "open" ? null : tournament.starts_at ? t("It starts {when}.", { when: new Date(tournament.starts_at).toLocaleString(language) })
      : tournament.starts_with ? t("It starts with {n} players.", { n: tournament.starts_with }) : t("Its maker starts it.");
    return h("section", { class: "panel state", "data-key": "state" }, h("p", { class: "now" }, STATUSES[status]()), h("p", { class: "soft" }, factsOf(tournament)), begins ? h("p", {}, begins) : null,
      own && ["open", "active"].includes(status) ? h("p", { class: "yours" }, own.out ? t("You missed a game and are not paired until you are back.") : t("You are in it.")) : null, h("div", { class: "bar" }, buttons));
  }

  standing() {
    const me = api.me && api.me.id;
    const told = (one) => (one.out === "withdrawn" ? t("left") : one.out === "absent" ? t("absent") : null);
    return h("section", { class: "panel", "data-key": "standings" }, this.standings.length ? table(t("Standings"), [t("Rank"), t("Player"), t("Points")], this.standings.map((one) => h("tr", { class: one.player === me ? "own" : null, "data-key": one.entry },
      h("td", {}, String(one.rank)), h("td", {}, personLink(one.player, isolated(one.name)), told(one) ? h("span", { class: "soft" }, ` ${told(one)}`) : null), h("td", { class: "number" }, number(one.points)))))
      : h("p", { class: "soft" }, t("Nobody is in it yet.")));
  }

  nameOf(entry) {
    const found = this.names.get(entry);
    return found ? isolated(found.name) : "?";
  }

  roundTold({ round, tables, byes, paired_at }) {
    const outcome = (game) => (game.outcome === "played" ? t("played") : game.outcome === "void" ? t("counts for nobody") : game.outcome === "forfeited" ? t("nobody turned up") : t("being played"));
    const gameTold = (game) => h("span", {}, game.game ? h("a", { href: `#/games/${game.game}${game.outcome === "played" ? "/replay" : ""}`, "data-key": `game ${game.game}` }, t("Game {n}", { n: game.number })) : t("Game {n}", { n: game.number }), ` ${outcome(game)}`);
    return h("section", { class: "panel", "data-key": `round ${round}` }, table(t("Round {n}, {when}", { n: round, when: ago(paired_at) }), [t("Table"), t("Players"), t("Games")], tables.map((one) => h("tr", { class: this.mine(one) ? "own" : null, "data-key": `table ${round} ${one.at}` },
      h("td", {}, String(one.at)), h("td", {}, one.players.map((entry, n) => h("div", {}, this.nameOf(entry), one.points.length ? ` ${number(one.points[n])}` : null))), h("td", { class: "number" }, one.games.map((game) => h("div", {}, gameTold(game))))))),
    byes.length ? h("p", { class: "soft" }, t("Without an opponent: {names}", { names: byes.map((entry) => this.nameOf(entry)).join(", ") })) : null);
  }

  mine({ players }) {
    return Boolean(api.me) && players.some((entry) => this.names.get(entry)?.player === api.me.id);
  }

  async enter() {
    await api.somebody();
    await api.post(`${this.path}/entries`, {}, { key: api.once() });
  }

  leave() {
    return attempt(() => api.call("DELETE", `${this.path}/entries/${api.me.id}`, { repeat: true }));
  }

  cancel() {
    dialog(t("Call this tournament off?"), (close) => [h("p", {}, t("Games that are being played are played on, and count nowhere.")),
      h("div", { class: "bar" }, button(t("Call it off"), async () => { if (await attempt(() => api.call("DELETE", this.path, { repeat: true }))) close(); }, { class: "go" }), button(t("Close"), close))]);
  }
}
