/** A finished game again: a slider over the rows of its log, with the board and the story as they were then. */

import { Analysis } from "./analysis.js";
import * as api from "./api.js";
import { Board } from "./board.js";
import { Combats, lastOf } from "./combats.js";
import { announce, button, h, show, toast } from "./dom.js";
import { Explainer } from "./explain.js";
import { Feed, HOUSE, sentence } from "./feed.js";
import { games } from "./games.js";
import { t } from "./i18n.js";
import { keep, kept } from "./kept.js";
import { gamePath, heldBy, invitationOf, maySee, nameOf, seatChip, showLink } from "./people.js";
import { marksOf, Player, unlabelled } from "./player.js";
import { rulesButton } from "./rulebook.js";
import { screenOf } from "./screens.js";
import { Sight } from "./sight.js";

const KEEP = 60;
const REST_MS = 1200, AFTER_MS = 500;
/** How long a moment stays: where nothing moved, and after moves were played. */
const KEPT = "holmgang.speed";
const SPEEDS = [0.5, 1, 2, 4];
const EVERYBODY = "";

/** Buttons of which one is pressed: rows of a value, what stands on it, and what it is called where that says too little. */
function chips(about, label, rows, chosen, choose) {
  const all = rows.map(([value, words, called]) => button(words, () => {
    all.forEach((one, n) => one.setAttribute("aria-pressed", String(rows[n][0] === value)));
    choose(value);
  }, { "aria-pressed": String(value === chosen), "aria-label": called }));
  return h("div", { class: "chips", role: "group", "aria-label": label, "data-about": about }, h("span", { class: "soft", "aria-hidden": "true" }, label), all);
}

export class Replay {
  /** At a row of its log, or after an event; at its end for null. It `asks` for an analysis at once, or not. */
  constructor(ident, at, seq = null, asks = false) {
    Object.assign(this, { ident, at, seq, asks });
    this.seat = EVERYBODY;
    this.stopper = new AbortController();
    this.board = new Board((seat, as) => heldBy(this.summary, seat, as));
    this.player = new Player(this.board, null);
    this.feed = new Feed((seq) => ({ onclick: () => this.go(this.rowOf(seq)) }));
    this.combats = new Combats((number) => { const seq = lastOf(this.events, number); return seq && { onclick: () => this.goes(this.rowOf(seq)) }; });
    this.pictures = new Map();
    this.views = new Sight((wish) => this.fetch("/view", wish));
    this.shown = null; // the row and the seat whose picture is there
    this.running = null; // ends what is being played
    this.speed = SPEEDS.find((one) => String(one) === kept(KEPT)) || 1;
    this.head = h("div", { class: "tablehead" });
    this.side = h("section", { class: "panel status", "aria-label": t("Replay") });
    this.analysis = new Analysis(this);
    this.element = h("div", { class: "table replay" }, this.head, this.side, this.board.element, h("div", { class: "side" }, this.analysis.element, this.combats.element, this.feed.element));
    this.explainer = new Explainer({ root: this.element, board: this.board, chooser: null, now: () => this.known() });
  }

  /** What explanations are made of: how it stood then, as whose board is shown saw it. */
  known() {
    if (!this.game || !this.turns) return null;
    const { shown } = this, view = shown && this.views.of(this.wish(shown.at, shown.seat), () => this.explainer.again());
    return { game: this.game, ctx: { ...this.ctx(), view, seat: shown && shown.seat !== EVERYBODY ? shown.seat : null, turn: { yours: false, seat: null } } };
  }

  wish(at, seat) {
    return `?at=${at}${seat === EVERYBODY ? "" : `&as_seat=${seat}`}`;
  }

  /** What a wish gives of a resource; what everybody saw is asked for without one's token. */
  fetch(rest, wish, how = api.get) {
    return how(gamePath(this.ident, `${rest}${wish}`), { ...this.options, anonymous: !wish.includes("as_seat") && this.own !== null });
  }

  get options() {
    return { signal: this.stopper.signal, invitation: invitationOf(this.ident) };
  }

  get last() {
    return this.turns.length - 1;
  }

  async start() {
    const path = (rest) => gamePath(this.ident, rest);
    this.summary = await api.get(path(""), this.options);
    const known = games[this.summary.ruleset];
    if (!known || !maySee(this.summary, api.me)) {
      this.element.replaceChildren();
      location.replace(`#/games/${this.ident}`); // which tells why
      return;
    }
    this.game = await screenOf(known, () => this.draw());
    this.board.signs = () => this.game.signs();
    const [record, events, combats] = await Promise.all([api.get(path("/record"), this.options), api.pages(path("/events?limit=200"), this.options),
      api.pages(path("/combats?limit=100"), this.options)]);
    this.fights = combats;
    this.turns = record.log.map((row) => row.entry.turn);
    this.events = events;
    if (this.seq !== null) this.at = this.rowOf(this.seq);
    this.at = Math.min(this.last, this.at === null ? this.last : this.at);
    const own = this.summary.seats.find((one) => api.me && one.player === api.me.id);
    this.own = own ? own.seat : null;
    if (own) this.seat = own.seat;
    this.build();
    this.analysis.begin(this.asks);
    this.hear = (event) => this.key(event);
    window.addEventListener("keydown", this.hear);
    await this.draw();
    document.title = `${this.game.title} · Holmgang`;
  }

  build() {
    const { summary } = this;
    show(this.head, h("h1", {}, t("{title}, again", { title: this.game.title })), h("div", { class: "bar" },
      h("a", { class: "button", href: `#/games/${this.ident}`, "data-about": "result" }, t("Result")), button(t("Copy link"), () => this.copy(), { class: "quiet", "data-about": "link" }), rulesButton(this.game)));
    this.slider = h("input", { type: "range", min: "0", max: String(this.last), step: "1", "aria-label": t("Point of the game"), "data-about": "row", oninput: () => this.go(Number(this.slider.value)) });
    this.place = h("p", { class: "now" });
    this.toggle = button("", () => this.play(), { class: "go", "aria-keyshortcuts": "Space", "data-about": "play" });
    const open = summary.visibility !== "private" || invitationOf(this.ident);
    const views = [...(this.own === null || (summary.spectators && open) ? [[EVERYBODY, t("everybody")]] : []),
      ...summary.seats.map((one) => [one.seat, [seatChip(one.seat), " ", nameOf(summary, one.seat)], nameOf(summary, one.seat)])];
    show(this.side, this.place, this.slider, h("div", { class: "bar transport" },
      this.step("|◀", () => 0, t("To the start"), "Home", "start"), this.step("◀", () => this.at - 1, t("One back"), "ArrowLeft", "step back"), this.toggle,
      this.step("▶", () => this.at + 1, t("One on"), "ArrowRight", "step on"), this.step("▶|", () => this.last, t("To the end"), "End", "end"),
      button(t("Next change"), () => { this.halt(); this.change().then(() => this.say()); }, { "data-about": "change on" })),
    h("p", { class: "hint keys" }, t("Keys: ← and → go one move back and on, Home and End to the start and the end, Space plays.")),
    h("p", { class: "hint" }, t("“Next change” and playing skip choices that moved nothing on the board.")),
    chips("speed", t("Speed"), SPEEDS.map((one) => [one, `${one}×`]), this.speed, (one) => { this.speed = one; keep(KEPT, String(one)); this.player.skip(); }),
    chips("seen", t("Seen by"), views, this.seat, (seat) => { this.seat = seat; this.draw(); }),
    h("ul", { class: "seats" }, summary.seats.map((one) => h("li", {}, seatChip(one.seat), h("span", { class: "who" }, nameOf(summary, one.seat)),
      h("span", { class: "soft" }, t("final score {n}", { n: summary.result.scores[one.seat] }))))));
  }

  step(sign, to, words, key, about) {
    return button(sign, () => { this.goes(to()); }, { "aria-label": words, "aria-keyshortcuts": key, "data-about": about });
  }

  /** The row after which an event had happened. */
  rowOf(seq) {
    const event = this.events.find((one) => one.seq === seq);
    return event ? Math.max(0, this.turns.findLastIndex((turn) => turn <= event.turn)) : this.last;
  }

  stop() {
    this.halt();
    this.explainer.stop();
    this.combats.stop();
    this.analysis.stop();
    this.player.skip();
    this.stopper.abort();
    window.removeEventListener("keydown", this.hear);
  }

  /** Where the keyboard does something else already, it does that. */
  key(event) {
    const { key, target } = event;
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || document.querySelector("dialog[open]")) return;
    if (target.matches("input, select, textarea") && (target !== this.slider || key !== " ")) return;
    if (target.closest("[tabindex='0']") && !key.startsWith("Arrow")) return; // it scrolls
    if (key === " " && target.closest("a, button, summary")) return;
    const does = { ArrowLeft: () => this.goes(this.at - 1), ArrowRight: () => this.goes(this.at + 1), Home: () => this.goes(0), End: () => this.goes(this.last), " ": () => this.play() }[key];
    if (!does) return;
    event.preventDefault();
    does();
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(location.href);
      toast(t("Copied: the link leads to this moment."), "good");
    } catch {
      showLink(t("Copy link"), t("Link"), t("The link leads to this moment."), location.href);
    }
  }

  halt() {
    if (this.running) this.running.abort();
    this.running = null;
  }

  /** Play on from here, or from the start, or stop that. */
  async play() {
    if (this.running) {
      this.halt();
      this.tell();
      return;
    }
    const { signal } = this.running = new AbortController();
    if (this.at === this.last) this.at = 0;
    await this.draw();
    try {
      while (!signal.aborted && this.at < this.last) {
        await api.pause((this.player.moves ? AFTER_MS : REST_MS) / this.speed, signal);
        await this.change();
      }
    } catch (fault) {
      if (!signal.aborted) throw fault;
    }
    if (signal.aborted) return; // or played anew by now
    this.halt();
    this.tell();
  }

  /** The rows in which something happened that has its place on the board; all, where the game tells of none. */
  get moves() {
    const ctx = this.ctx(), placed = new Set(this.events.filter(({ payload }) => this.game.marks(payload, ctx).length || this.game.plays(payload, ctx).length).map(({ turn }) => turn));
    const rows = [...this.turns.keys()], found = rows.filter((at) => placed.has(this.turns[at]));
    return found.length ? found : rows;
  }

  /** On to the next of them, over what was chosen but moved nothing. */
  change() {
    return this.go(this.moves.find((at) => at > this.at) ?? this.last, true);
  }

  /** To a row, by hand: what is being played stops there, and it is said what happened. */
  async goes(at) {
    this.halt();
    await this.go(at, at === this.at + 1);
    this.say();
  }

  go(at, moving = false) {
    this.moving = moving;
    this.at = Math.min(this.last, Math.max(0, at));
    return this.draw();
  }

  say() {
    const now = this.events.filter((one) => one.turn === this.turns[this.at] && !HOUSE.has(one.payload.type)).map((one) => sentence(this.game, one, this.ctx()));
    announce([this.place.textContent, ...now.filter(Boolean)].join(". "));
  }

  async picture(at, seat = this.seat) {
    const wish = this.wish(at, seat), found = this.pictures.get(wish);
    if (found) return found;
    const drawn = await this.fetch("/board.svg", wish, api.text);
    if (this.pictures.size > KEEP) this.pictures.delete(this.pictures.keys().next().value);
    this.pictures.set(wish, drawn);
    return drawn;
  }

  /** The combats that had begun by then, the latest as far as it was. */
  tellCombats(until, ctx) {
    const begun = this.fights.filter((one) => one.turn <= this.turns[this.at]);
    const told = begun.map((one) => { const record = this.game.asOf(one.record, until); return { ...one, status: record.status, record }; });
    Object.assign(this.combats, { at: told.length - 1, following: true });
    this.combats.know(told, this.game, ctx);
  }

  /** Mark what happened in the turn that is shown, as soon as the picture has its size: before that it has no places. */
  mark() {
    this.board.laid = null;
    if (!this.board.frame.clientWidth) {
      this.board.laid = () => this.mark();
      return;
    }
    const ctx = { places: this.board.names() };
    this.board.mark(this.board.places(unlabelled(this.game), ctx), this.events.filter((event) => event.turn === this.turns[this.at]).flatMap((event) => marksOf(this.game, event.payload, ctx)), this.game);
  }

  ctx() {
    return { view: null, turn: null, legal: null, seat: null, name: (seat) => nameOf(this.summary, seat), places: this.board.names() };
  }

  /** All that is said beside the board. */
  tell() {
    const { at } = this;
    this.slider.value = String(at);
    this.slider.setAttribute("aria-valuetext", t("turn {n}", { n: this.turns[at] }));
    this.place.textContent = t("Turn {turn}, move {n} of {all}", { turn: this.turns[at], n: at, all: this.last });
    this.toggle.textContent = this.running ? t("Pause") : t("Play");
    history.replaceState(null, "", `#/games/${this.ident}/replay/${at}`);
    const until = this.events.filter((event) => event.turn <= this.turns[at]);
    this.feed.tell(this.game, until, this.ctx());
    this.tellCombats(until, this.ctx());
    this.analysis.at(at);
  }

  fail(fault) {
    if (!this.stopper.signal.aborted) toast(fault.told || String(fault));
    this.halt();
  }

  /** The latest wish is drawn when the one before is done, which is hurried then. */
  draw() {
    this.tell();
    if (this.drawing) this.player.skip();
    else this.drawing = this.drawAll().finally(() => { this.drawing = null; });
    return this.drawing;
  }

  async drawAll() {
    const same = ({ at, seat }) => at === this.at && seat === this.seat;
    try {
      while (!this.stopper.signal.aborted) {
        const { at, seat, shown, moving } = this, picture = await this.picture(at, seat);
        if (!same({ at, seat })) continue;
        if (moving && shown && shown.seat === seat && shown.at < at) {
          const between = this.events.filter(({ turn }) => turn > this.turns[shown.at] && turn <= this.turns[at]);
          await this.player.between(between, this.game, this.ctx(), this.speed);
        }
        this.board.put(picture);
        this.mark();
        this.shown = { at, seat };
        if (same(this.shown)) break;
      }
    } catch (fault) {
      this.fail(fault);
      this.tell();
    }
  }
}
