/** One game: who sits there, what is asked, the board, and what has happened; followed by waiting for news. */

import * as api from "./api.js";
import { alerts, entitle, hear } from "./alerts.js";
import { Board } from "./board.js";
import { players, usual } from "./bots.js";
import { Chooser } from "./chooser.js";
import { Clocks } from "./clocks.js";
import { Combats, lastOf } from "./combats.js";
import { announce, button, dialog, h, renew, show, toast } from "./dom.js";
import { Explainer } from "./explain.js";
import { chose, lastChosen, left, sitDown, verdict } from "./fair.js";
import { Feed } from "./feed.js";
import { games } from "./games.js";
import { t, together } from "./i18n.js";
import { invite } from "./invite.js";
import { firstLook } from "./lessons.js";
import { Moments } from "./moments.js";
import { News } from "./news.js";
import { gamePath, heldBy, invitationOf, isolated, maySee, nameOf, openDialogs } from "./people.js";
import { marksOf, paceChoice, Player } from "./player.js";
import { Presence } from "./presence.js";
import { Rematch } from "./rematch.js";
import { resultTold } from "./result.js";
import { ruleButton, rulesButton } from "./rulebook.js";
import { screenOf } from "./screens.js";
import { askLeave, mayLeave, seatLines } from "./seats.js";
import { befallen } from "./since.js";

const TURN = "/turn?include=view", WAIT_S = 25, ENDED_MS = 15000;

export class Table {
  /** `summary` is a promise of the game's facts, where they are fetched already. */
  constructor(ident, summary = null) {
    Object.assign(this, { ident, facts: summary });
    this.stopper = new AbortController();
    this.board = new Board((seat, as) => heldBy(this.summary, seat, as));
    this.chooser = new Chooser(this.board);
    this.combats = new Combats((number) => { const seq = lastOf(this.news.events, number); return seq && this.link(seq); });
    this.player = new Player(this.board, this.chooser);
    this.moments = new Moments(ident, () => this.options, { board: this.board, chooser: this.chooser, player: this.player, back: () => this.drawChoice(this.ctx()) });
    this.link = (seq) => (this.summary.status === "over" ? { href: `#/games/${this.ident}/replay/after/${seq}` } : { onclick: () => this.look(seq) });
    this.feed = new Feed(this.link, paceChoice());
    this.news = new News(ident, () => this.options);
    Object.assign(this, { asked: "", replacing: false, since: null, fresh: null }); // what was new when all was drawn last
    this.legal = {}; // what one might choose when one was asked last
    this.head = h("div", { class: "tablehead" });
    this.status = h("section", { class: "panel status", tabindex: "-1", "aria-label": t("How the game stands") });
    this.element = h("div", { class: "table" }, this.head, this.status, this.board.element,
      h("div", { class: "side" }, this.chooser.element, this.combats.element, this.feed.element));
    this.explainer = new Explainer({ root: this.element, board: this.board, chooser: this.chooser, now: () => this.known() });
    this.clocks = new Clocks(this.element);
    this.presence = new Presence(this);
  }

  get options() {
    return { signal: this.stopper.signal, invitation: invitationOf(this.ident) };
  }

  path(rest = "") {
    return gamePath(this.ident, rest);
  }

  async start() {
    this.news.summary = this.summary = await (this.facts || api.get(this.path(), this.options));
    const known = games[this.summary.ruleset];
    if (!known) {
      show(this.element, h("p", { class: "panel" }, t("The game {name} cannot be played here just now.", { name: this.summary.ruleset })));
      return;
    }
    const sees = maySee(this.summary, api.me);
    if (sees) (this.coming = this.first()).catch(() => {}); // what is wrong meets who follows
    this.game = await screenOf(known, () => this.anew());
    if (this.stopper.signal.aborted) return;
    if (!sees) {
      this.close();
      return;
    }
    this.element.dataset.game = this.summary.ruleset;
    this.dress();
    this.firstLook = firstLook(known);
    this.ticking = window.setInterval(() => this.clocks.tick(), 1000);
  }

  /** The page is there now, so that what is drawn has its size. */
  appear() {
    if (!this.ticking || this.stopper.signal.aborted) return; // nothing is followed
    this.follow().catch((fault) => this.stopper.signal.aborted || this.fail(fault));
  }

  /** How the page is laid out for a screen. */
  dress() {
    Object.assign(this.board, { headless: this.game.headless, signs: () => this.game.signs() });
    if (this.game.boardFirst) this.element.dataset.board = "first";
    else delete this.element.dataset.board;
  }

  /** Another screen goes on: nothing that was half chosen by the one before is kept. */
  anew() {
    if (this.stopper.signal.aborted || !this.fresh) return; // else it is drawn in any case
    this.chooser.stop();
    this.dress();
    this.draw([], true);
  }

  /** For who may not see the game: who plays, and how it ended. */
  close() {
    const { status, awaited } = this.summary;
    this.closed = true;
    this.turn = { seat: null, yours: false, awaited, submitted: [] };
    this.clocks.know(this.turn);
    Object.assign(this.element.dataset, { status, closed: "" });
    show(this.element, this.head, this.status);
    this.drawHead();
    this.drawStatus(this.ctx());
  }

  stop() {
    this.stopper.abort();
    this.explainer.stop();
    this.combats.stop();
    this.player.skip();
    window.clearInterval(this.ticking);
    entitle(null);
    openDialogs().forEach((one) => one.close());
  }

  fail(fault) {
    if (fault.code !== undefined || fault.told) show(this.status, h("p", { class: "bad" }, fault.told || fault.message));
    else throw fault;
  }

  /** The first news with all that they bring, fetched while the screen is. */
  async first() {
    const news = await api.poll(this.path(TURN), { ...this.options, wait: 0, early: this.stopper.signal });
    return { news, brought: await this.news.of(news.body) };
  }

  /** For as long as the page is open: what the turn is, and whatever is new with it, beginning with what is coming already. */
  follow() {
    const { signal } = this.stopper;
    let have = null, { coming } = this;
    return api.persist(async (hasty, early) => {
      const first = coming;
      coming = null;
      const there = await first, news = there ? there.news : await api.poll(this.path(TURN), { ...this.options, have, wait: hasty ? 0 : WAIT_S, early });
      if (!news) return;
      await this.renew(news.body, there ? there.brought : await this.news.of(news.body));
      have = news;
      if (["over", "archived"].includes(news.body.status)) await api.pause(ENDED_MS, signal, early);
    }, signal);
  }

  /** Show a turn with all that it brings, when that is there: what is asked, the board and what has happened change together. */
  async renew(turn, { events, picture, missing, fights }) {
    const before = this.turn, { summary } = this.news;
    if (summary.status === "over" && this.verdict === undefined) {
      this.verdict = await verdict(summary, this.options).catch(() => ({ unread: true })); // another visit asks again
    }
    if (summary.status === "over" && turn.seat !== null && !summary.practice) this.rematch ||= new Rematch(summary, turn.seat, this.stopper.signal);
    if (this.stopper.signal.aborted) return;
    this.moments.leave();
    hear(before, turn, summary, this.game.title);
    if (before) await this.play(turn, events);
    if (this.stopper.signal.aborted) return;
    Object.assign(this, { turn, summary, view: turn.view || null });
    this.clocks.know(turn);
    if (turn.legal) this.legal = { turn: turn.turn, was: turn.legal };
    if (before && before.yours) this.feed.since = events.length ? events[0].seq - 1 : this.news.known; // what comes of one's choice, and what others do then, stands out
    this.fresh = this.since ? [...this.since, ...events] : before ? events : this.sinceLast();
    if (turn.seat !== null && (this.since || !before)) this.since = this.fresh;
    if (picture) {
      this.board.put(picture);
      if (turn.view) this.moments.now = picture;
    }
    if (missing) this.board.miss(missing);
    if (fights) this.combats.know(fights, this.game, this.ctx());
    if (!before) this.player.knows(this.news.combats.values(), this.game, this.ctx());
    this.draw(events, !before);
  }

  /** Play what is new on the board as it was, unless one is just choosing and is still asked the same. */
  async play(turn, events) {
    const before = this.turn;
    if (!this.view || (before.yours && turn.yours && before.turn === turn.turn)) return; // it has only begun
    this.element.dataset.playing = "";
    try {
      await this.player.play(events, this.game, this.ctx(), { ...this.ctx(), turn }, this.news.combats);
    } catch (fault) {
      if (!this.game.giveUp(fault)) throw fault;
    } finally {
      delete this.element.dataset.playing;
    }
  }

  /** What has happened since the last choice that this browser made, as far as it is still awaited what others do. */
  sinceLast() {
    const last = this.turn.seat === null ? null : lastChosen(this.ident);
    return last === null ? [] : this.news.events.filter((one) => one.turn >= last);
  }

  look(seq) {
    this.moments.look(this.news.events.find((one) => one.seq === seq), this.news.events, this.game, this.ctx());
  }

  ctx() {
    return {
      turn: this.turn, view: this.view, legal: this.turn.legal, kind: this.turn.kind, seat: this.turn.seat,
      name: (seat) => nameOf(this.summary, seat), were: this.legal.turn === this.turn.turn ? this.legal.was : null, places: this.board.names(),
    };
  }

  /** What explanations are made of: how it stands on the board that is shown, and what is asked where that is the one of now. */
  known() {
    if (!this.turn) return null;
    const { game, moments, news } = this, ctx = this.ctx(), then = { ...ctx, turn: { ...this.turn, yours: false }, legal: null, kind: null };
    if (moments.held) return { game, ctx: { ...then, view: moments.view(() => this.explainer.again()) } };
    return { game, ctx: this.turn.status === "open" ? { ...then, view: news.beginningView(() => this.explainer.again()) } : ctx };
  }

  draw(events, first) {
    try {
      this.drawAll(events, first);
    } catch (fault) {
      if (!this.game.giveUp(fault)) throw fault; // or it is drawn anew
    }
  }

  drawAll(events, first) {
    const ctx = this.ctx();
    this.drawHead();
    this.drawStatus(ctx);
    const told = this.view || events.length ? (first ? (this.feed.tell(this.game, this.news.events, ctx), []) : this.feed.add(this.game, events, ctx)) : [];
    this.drawChoice(ctx);
    const asked = `${this.turn.turn} ${this.turn.yours} ${this.turn.status}`;
    if (asked !== this.asked || told.length) {
      const yours = this.turn.yours && asked !== this.asked ? [t("It is your turn."), this.view ? this.game.ask(ctx, []) : ""] : [];
      announce([...told.slice(-4), ...yours].join(" "));
    }
    this.asked = asked;
    Object.assign(this.element.dataset, { turn: this.turn.turn, status: this.turn.status, yours: this.turn.yours });
    entitle({ title: this.game.title, yours: this.turn.yours });
  }

  drawHead() {
    const { summary } = this, mine = this.turn.seat !== null, menu = [];
    if (summary.status === "open" && mine) menu.push(button(t("Leave"), () => this.leave(), { class: "quiet", "data-about": "leave" }));
    if (summary.status === "active" && mine && !summary.seats[this.turn.seat].resigned_at) menu.push(button(t("Give up"), () => this.resign(), { class: "quiet", "data-about": "resign" }));
    if (summary.status === "over" && !this.closed) menu.push(h("a", { class: "button", href: `#/games/${this.ident}/replay`, "data-about": "watch" }, t("Watch it again")));
    if (summary.visibility === "private" && !summary.tournament && api.me && summary.creator === api.me.id && summary.status !== "over") menu.push(button(t("Invite"), () => this.act(() => invite(summary)), { class: "quiet", "data-about": "invite" }));
    if (summary.status === "active" && mine && !summary.seats[this.turn.seat].resigned_at && mayLeave(this)) menu.push(button(t("Go on leave"), () => askLeave(this), { class: "quiet", "data-about": "vacation" }));
    menu.push(rulesButton(this.game));
    renew(this.head, h("h1", {}, this.game.title), h("div", { class: "bar" }, menu), this.firstLook);
  }

  drawStatus(ctx) {
    const { summary, turn } = this;
    const lines = [];
    if (summary.status === "open") {
      const free = summary.seats.filter((one) => !one.player).length;
      lines.push(h("p", { class: "now" }, free === 1 ? t("One seat is free. The game begins when it is taken.") : t("{n} seats are free. The game begins when all are taken.", { n: free })));
    } else if (summary.status === "over") {
      lines.push(resultTold(this));
    } else if (summary.status === "archived") {
      lines.push(h("p", { class: "now" }, t("The game is laid aside, since nobody came.")));
    } else if (turn.yours) {
      lines.push(h("p", { class: "now yours" }, t("It is your turn.")));
    } else {
      const who = turn.awaited.map((seat) => ctx.name(seat));
      lines.push(h("p", { class: "now" }, who.length ? t("Waiting for {names}.", { names: together(who) }) : t("Waiting.")));
    }
    if (this.game.notice) lines.push(h("p", { class: "hint", role: "status" }, this.game.notice));
    if (this.view && summary.status === "active") lines.push(...this.game.standing(ctx).map((said) => h("p", {}, said)));
    if (this.closed) lines.push(h("p", { class: "soft" }, t("Only its players may see this game.")));
    else if (turn.seat === null && summary.status === "active") lines.push(h("p", { class: "soft" }, t("You are watching.")));
    if (api.gone && summary.seats.some((one) => one.player === api.gone.id)) {
      lines.push(h("p", { class: "bad" }, t("A seat here is yours, as {name}, but the service does not know your token any more: you can only look on.", { name: isolated(api.gone.name) })),
        button(t("Try again"), api.tryAgain));
    }
    if (turn.deadline) lines.push(h("p", { class: "soft" }, t("Time left:"), " ", this.clocks.element("turn")));
    if (turn.deadline && turn.yours && this.clockWaits()) lines.push(h("p", { class: "soft" }, t("Nobody else waits: then the clock stops until you choose.")));
    if (summary.status !== "over") lines.push(seatLines(this));
    const absent = turn.seat !== null && summary.seats[turn.seat].absent_since;
    if (absent || (summary.status === "archived" && turn.seat !== null)) {
      lines.push(button(t("I am back"), () => this.act(() => api.post(this.path(`/seats/${turn.seat}/return`), {})), { class: "go", "data-about": "back" }));
    }
    if (turn.seat !== null && this.clocks.onLeave(turn.seat)) lines.push(h("p", {}, t("You are on leave: your clock stands.")), button(t("End your leave"), () => this.act(() => api.call("DELETE", this.path(`/seats/${turn.seat}/leave`), { repeat: true })), { class: "go", "data-about": "return" }));
    if (summary.status === "open" && turn.seat === null) lines.push(button(t("Sit down"), () => this.join(), { class: "go", "data-about": "sit" }));
    if (turn.seat !== null && summary.status !== "over") lines.push(button(t("Alerts"), alerts, { class: "quiet", "data-about": "alerts" }));
    renew(this.status, lines);
  }

  /** Whether a choice is taken after its deadline: nobody else is there who would be kept waiting. */
  clockWaits() {
    const { clock, absence, seats } = this.summary;
    return clock === "waits" && absence !== "forfeit" && seats.every((one) => one.seat === this.turn.seat || one.bot || one.absent_since || one.resigned_at);
  }

  /** The time for one's choice, beside it where the page is narrow. */
  timeLeft() {
    const clock = this.clocks.element("turn");
    return clock && h("p", { class: "soft beside", "data-key": "time" }, t("Time left:"), " ", clock);
  }

  sinceThen(ctx) {
    return befallen(this, ctx);
  }

  drawChoice(ctx) {
    const { turn } = this;
    const marks = this.fresh.flatMap((event) => marksOf(this.game, event.payload, ctx));
    const nothing = () => (this.view ? this.board.offer(this.game, ctx, [], [], () => {}, marks) : null);
    if (turn.status !== "active" || turn.seat === null) {
      this.chooser.stop();
      nothing();
    } else if (turn.yours) {
      this.replacing = this.player.past = false;
      this.chooser.begin(this.game, ctx, this.game.compose(ctx), (action) => this.submit(turn, action), { question: `${turn.turn}`, marks, time: this.timeLeft(), news: this.sinceThen(ctx) });
    } else if (turn.submission && this.replacing) {
      const back = () => { this.replacing = false; this.drawChoice(ctx); };
      const composer = this.game.compose({ ...ctx, legal: null });
      const start = composer.from && this.view && this.view.choice ? composer.from(this.view.choice) : [];
      this.chooser.begin(this.game, ctx, composer, (action) => this.replace(turn, action), { question: `${turn.turn} again`, marks, cancel: back, start });
    } else if (turn.submission) {
      const own = this.view && this.view.choice;
      this.chooser.stop([h("p", { class: "ask" }, own ? t("You have chosen: {choice}.", { choice: this.game.describe(own, ctx) }) : t("You have chosen.")),
        h("p", { class: "hint" }, t("Until all have chosen, nobody else knows what, and you may change it.")),
        h("div", { class: "bar" }, button(t("Change it"), () => { this.replacing = true; this.drawChoice(ctx); }, { "data-about": "change" }))]);
      nothing();
    } else {
      this.chooser.stop();
      nothing();
    }
  }

  /** Do something and tell what was wrong with it. Gives whether it was done. */
  async act(what) {
    try {
      await what();
      return true;
    } catch (fault) {
      if (!fault.told) throw fault;
      if (fault.rule) toast(fault.plain, "bad", ruleButton(this.game.ruleset, fault.rule, t("(rule {rule})", { rule: fault.rule })));
      else toast(fault.told);
      return false;
    }
  }

  /** Send a choice for the turn that it was made for, whichever it is by now. */
  submit({ turn }, action) {
    Object.assign(this, { since: [], firstLook: null });
    return this.act(async () => {
      const receipt = await api.post(this.path("/submissions"), { turn, action }, { repeat: true });
      chose(this.ident, receipt.turn, receipt.action);
    });
  }

  async replace({ turn, submission }, action) {
    const done = await this.act(async () => {
      const path = this.path(`/submissions/${submission}`), receipt = await api.get(path);
      chose(this.ident, receipt.turn, null); // one or the other, if the answer gets lost
      const other = await api.call("PUT", path, { body: { turn, revision: receipt.revision, action } });
      chose(this.ident, other.turn, other.action);
    });
    if (!done) return;
    this.replacing = false;
    this.drawChoice(this.ctx());
  }

  /** The seat is shown as taken before anything else can be clicked. */
  seatBot(seat) {
    return this.act(async () => {
      const bot = usual((await players(this.options))(this.game.ruleset));
      await api.post(this.path("/seats"), { bot, seat });
      this.news.summary = this.summary = await api.get(this.path(), this.options);
      this.drawStatus(this.ctx());
    });
  }

  async join() {
    const invitation = invitationOf(this.ident);
    await this.act(async () => {
      await api.somebody();
      await sitDown(this.summary, invitation && this.summary.visibility === "private" ? { invitation } : {});
      if (this.closed) window.dispatchEvent(new Event("hashchange")); // the page is another one from now on
    });
  }

  leave() {
    return this.act(async () => {
      await api.call("DELETE", this.path(`/seats/${this.turn.seat}`));
      left(this.ident);
      location.hash = "#/";
    });
  }

  resign() {
    dialog(t("Give up this game?"), (close) => [h("p", {}, t("Safe choices are made for you from now on, and you cannot win any more.")),
      h("div", { class: "bar" }, button(t("Give up"), () => { close(); this.act(() => api.post(this.path("/resignations"), {})); }, { class: "go" }), button(t("Play on"), close))]);
  }
}
