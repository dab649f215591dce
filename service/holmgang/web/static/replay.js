/** A finished game again: a slider over the rows of its log, with the board and the story as they were then. */

import * as api from "./api.js";
import { Board } from "./board.js";
import { Combats } from "./combats.js";
import { button, h, show, toast } from "./dom.js";
import { Feed } from "./feed.js";
import { games } from "./games.js";
import { t } from "./i18n.js";
import { gamePath, holderOf, invitationOf, maySee, nameOf, seatChip } from "./people.js";
import { rulesButton } from "./rulebook.js";
import { screenOf } from "./screens.js";

const KEEP = 60;
const STEP_MS = 1200;

export class Replay {
  /** At a row of its log, or after an event; at its end for null. */
  constructor(ident, at, seq = null) {
    this.ident = ident;
    this.at = at;
    this.seq = seq;
    this.seat = "";
    this.stopper = new AbortController();
    this.board = new Board((seat) => holderOf(this.summary, seat));
    this.feed = new Feed((seq) => ({ onclick: () => this.go(this.rowOf(seq)) }));
    this.combats = new Combats();
    this.pictures = new Map();
    this.head = h("div", { class: "tablehead" });
    this.side = h("section", { class: "panel status", "aria-label": t("Replay") });
    this.element = h("div", { class: "table" }, this.head, this.side, this.board.element, h("div", { class: "side" }, this.combats.element, this.feed.element));
  }

  get options() {
    return { signal: this.stopper.signal, invitation: invitationOf(this.ident) };
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
    const [record, events, combats] = await Promise.all([api.get(path("/record"), this.options), api.pages(path("/events?limit=200"), this.options),
      api.pages(path("/combats?limit=100"), this.options)]);
    this.fights = combats;
    this.turns = record.log.map((row) => row.entry.turn);
    this.events = events;
    const last = this.turns.length - 1;
    if (this.seq !== null) this.at = this.rowOf(this.seq);
    this.at = Math.min(last, this.at === null ? last : this.at);
    show(this.head, h("h1", {}, t("{title}, again", { title: this.game.title })), h("div", { class: "bar" },
      h("a", { class: "button", href: `#/games/${this.ident}` }, t("Result")), rulesButton(this.game)));
    this.slider = h("input", { type: "range", min: "0", max: String(last), step: "1", "aria-label": t("Point of the game"), oninput: () => this.go(Number(this.slider.value)) });
    this.place = h("p", { class: "now" });
    this.player = button("", () => this.play(), { class: "go" });
    const as = h("label", {}, h("span", {}, t("Seen by")), h("select", { onchange: (event) => { this.seat = event.target.value; this.draw(); } },
      h("option", { value: "" }, t("yourself, or a spectator")), this.summary.seats.map((one) => h("option", { value: String(one.seat) }, nameOf(this.summary, one.seat)))));
    show(this.side, this.place, this.slider, h("div", { class: "bar" },
      button("|◀", () => this.go(0), { "aria-label": t("To the start") }), button("◀", () => this.go(this.at - 1), { "aria-label": t("One back") }), this.player,
      button("▶", () => this.go(this.at + 1), { "aria-label": t("One on") }), button("▶|", () => this.go(last), { "aria-label": t("To the end") })),
    h("div", { class: "form" }, as),
    h("ul", { class: "seats" }, this.summary.seats.map((one) => h("li", {}, seatChip(one.seat), h("span", { class: "who" }, nameOf(this.summary, one.seat, true)),
      h("span", { class: "soft" }, t("final score {n}", { n: this.summary.result.scores[one.seat] }))))));
    await this.draw();
    document.title = `${this.game.title} · Holmgang`;
  }

  /** The row after which an event had happened. */
  rowOf(seq) {
    const event = this.events.find((one) => one.seq === seq);
    return event ? Math.max(0, this.turns.findLastIndex((turn) => turn <= event.turn)) : this.turns.length - 1;
  }

  stop() {
    window.clearInterval(this.playing);
    this.combats.stop();
    this.stopper.abort();
  }

  play() {
    if (this.playing) {
      window.clearInterval(this.playing);
      this.playing = 0;
    } else {
      if (this.at === this.turns.length - 1) this.at = 0;
      this.playing = window.setInterval(() => {
        if (this.at >= this.turns.length - 1) this.play();
        else this.go(this.at + 1);
      }, STEP_MS);
    }
    this.draw();
  }

  go(at) {
    this.at = Math.min(this.turns.length - 1, Math.max(0, at));
    this.draw();
  }

  /** Which picture is wished for now. */
  get wish() {
    return `?at=${this.at}${this.seat === "" ? "" : `&as_seat=${this.seat}`}`;
  }

  async picture(wish) {
    const kept = this.pictures.get(wish);
    if (kept) return kept;
    const drawn = await api.text(gamePath(this.ident, `/board.svg${wish}`), this.options);
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

  /** Mark what happened in the turn that is shown. */
  mark() {
    const ctx = { places: this.board.names() };
    const places = this.board.places({ places: this.game.places.map((one) => ({ ...one, label: () => "" })) }, ctx);
    this.board.mark(places, this.events.filter((event) => event.turn === this.turns[this.at]).flatMap((event) => this.game.marks(event.payload, ctx)));
  }

  async draw() {
    const at = this.at;
    this.slider.value = String(at);
    this.slider.setAttribute("aria-valuetext", t("turn {n}", { n: this.turns[at] }));
    this.place.textContent = t("Turn {turn}, move {n} of {all}", { turn: this.turns[at], n: at, all: this.turns.length - 1 });
    this.player.textContent = this.playing ? t("Pause") : t("Play");
    history.replaceState(null, "", `#/games/${this.ident}/replay/${at}`);
    const until = this.events.filter((event) => event.turn <= this.turns[at]);
    const ctx = { view: null, turn: null, legal: null, seat: null, name: (seat) => nameOf(this.summary, seat) };
    this.feed.tell(this.game, until, ctx);
    this.tellCombats(until, ctx);
    if (this.drawing) return; // the latest wish is drawn when the one before is done
    this.drawing = true;
    try {
      for (let drawn = null; drawn !== this.wish && !this.stopper.signal.aborted;) {
        drawn = this.wish;
        this.board.put(await this.picture(drawn));
        this.mark();
      }
    } catch (fault) {
      if (!this.stopper.signal.aborted) toast(fault.told || String(fault));
    } finally {
      this.drawing = false;
    }
  }
}
