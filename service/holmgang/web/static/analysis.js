/** What the thinking bot makes of a finished game: how it judges each position, and what it would have chosen. Asked for on demand. */

import * as api from "./api.js";
import { Curve, percent, sample } from "./curve.js";
import { announce, button, h, renew } from "./dom.js";
import { t } from "./i18n.js";
import { gamePath, nameOf, seatChip } from "./people.js";

const WAIT_S = 25;
const MOST = 3;
/** So many turning points are shown at most. */
const LEAST = 0.03;
/** What loses less of a victory is none. */

const lost = (choice) => Math.max(0, choice.preferred_value - choice.value);

/** How good a choice was, 0 to 100, by what it lost, as lichess counts it (lichess.org/page/accuracy). */
const accuracy = (choice) => Math.min(100, Math.max(0, 103.1668 * Math.exp(-4.354 * lost(choice)) - 3.1669));

/** The choices that lost most, in the order of the game. */
const turningPoints = (choices) => choices.filter((one) => !one.forced && !one.agrees && lost(one) >= LEAST)
  .sort((one, other) => lost(other) - lost(one)).slice(0, MOST).sort((one, other) => one.seq - other.seq);

export class Analysis {
  constructor(replay) {
    this.replay = replay;
    this.stopper = new AbortController();
    this.found = null;
    this.wrong = null; // why there is none
    this.told = new Map(); // choices in words
    this.curve = new Curve((seq) => replay.goes(seq), (position) => this.standing(position));
    this.body = h("div", {});
    this.element = h("section", { class: "panel analysis", "aria-labelledby": "analysis" }, h("h2", { id: "analysis", tabindex: "-1" }, t("Analysis")), this.body);
  }

  get path() {
    return gamePath(this.replay.ident, "/analysis");
  }

  get options() {
    return { ...this.replay.options, signal: this.stopper.signal };
  }

  name(seat) {
    return nameOf(this.replay.summary, seat);
  }

  /** Show that it can be asked for; `asks` at once. */
  begin(asks) {
    this.draw();
    if (asks) this.ask();
  }

  stop() {
    this.stopper.abort();
  }

  async ask() {
    this.wrong = null;
    try {
      if (!api.me) { // who gets a name comes back to a page that is drawn anew
        history.replaceState(null, "", `#/games/${this.replay.ident}/analysis`);
        await api.somebody();
        return;
      }
      this.found = await api.call("PUT", this.path, { ...this.options, body: {}, repeat: true });
      this.draw();
      if (!this.ended) await this.follow();
      if (this.found.status === "done") announce(t("The analysis is there."));
    } catch (fault) {
      if (this.stopper.signal.aborted) return;
      if (!fault.told) throw fault;
      this.found = null;
      this.wrong = fault.told;
    }
    this.draw();
  }

  get ended() {
    return ["done", "failed"].includes(this.found.status);
  }

  /** Until it is done, show how far it is. */
  async follow() {
    const follower = new AbortController(), end = () => follower.abort();
    this.stopper.signal.addEventListener("abort", end);
    let have = null;
    await api.persist(async (hasty, early) => {
      const news = await api.poll(this.path, { ...this.options, signal: follower.signal, have, wait: hasty ? 0 : WAIT_S, early, tagged: true });
      if (!news) return;
      have = news;
      this.found = news.body;
      this.draw();
      if (this.ended) end();
    }, follower.signal);
    this.stopper.signal.removeEventListener("abort", end);
    this.stopper.signal.throwIfAborted();
  }

  /** The row that the replay shows now. */
  at(at) {
    if (!this.found || this.now === at) return;
    this.now = at;
    this.draw();
  }

  standing(position) {
    return t("Turn {n}: {how}", { n: position.turn, how: position.values.map((value, seat) => `${this.name(seat)} ${percent(value)}`).join(", ") });
  }

  draw() {
    const { found, wrong } = this;
    if (wrong) renew(this.body, h("p", { class: "bad", role: "alert" }, wrong), h("div", { class: "bar" }, button(t("Try again"), () => this.ask())));
    else if (!found) renew(this.body, h("p", { class: "hint" }, t("A bot that thinks ahead judges each position, and tells what it would have chosen. It takes from seconds to a few minutes, and the curve grows meanwhile.")), h("div", { class: "bar" }, button(t("Analyse"), () => this.ask(), { class: "go" })));
    else if (found.status === "failed") renew(this.body, h("p", { class: "bad", role: "alert" }, t("The analysis did not succeed.")), h("div", { class: "bar" }, button(t("Try again"), () => this.ask())));
    else renew(this.body, found.status === "done" ? this.summary() : this.progress(), this.picture(), this.here(), found.status === "done" ? [this.turns(), this.lists()] : null);
  }

  progress() {
    const { judged, total } = this.found, counted = total !== null;
    return [h("p", { role: "status" }, !counted ? t("It begins as soon as there is time for it.") : t("{n} of {all} choices are judged.", { n: judged, all: total })),
      h("progress", { max: String(Math.max(1, total || 0)), ...(counted ? { value: judged } : {}), "aria-label": t("How far the analysis is") })];
  }

  picture() {
    const { positions, choices, status } = this.found;
    if (positions.length < 2) return null;
    const at = this.replay.at, turns = status === "done" ? turningPoints(choices) : [];
    this.curve.know({ positions, last: this.replay.last, at, turns });
    return [this.curve.element, h("p", { class: "soft" }, this.standing(positions[this.curve.placeOf(at)]))];
  }

  /** How each seat chose. */
  summary() {
    const { choices } = this.found;
    return [h("ul", { class: "seats" }, this.replay.summary.seats.map(({ seat }) => {
      const own = choices.filter((one) => one.seat === seat && !one.forced), same = own.filter((one) => one.agrees).length;
      return h("li", {}, seatChip(seat), sample(seat), h("span", { class: "who" }, this.name(seat)), h("span", { class: "soft" }, own.length
        ? t("agreed in {n} of {all} choices, accuracy {share} %", { n: same, all: own.length, share: Math.round(own.reduce((sum, one) => sum + accuracy(one), 0) / own.length) }) : t("had nothing to choose")));
    })), h("p", { class: "hint" }, t("The lines are chances of winning as the bot judges them. Accuracy is 100 % where no choice loses anything; a choice that loses 10 points counts 64 %."))];
  }

  /** What was chosen in the row that is shown, and what the bot would have. */
  here() {
    const now = this.found.choices.filter((one) => one.seq === this.replay.at);
    return now.length ? h("div", { class: "here", "data-key": "here" }, now.map((one) => this.tell(one))) : null;
  }

  tell(choice) {
    const words = this.words(choice), name = this.name(choice.seat);
    if (!words) return h("p", { class: "soft" }, t("One moment…"));
    return h("div", { class: "choice" }, h("p", {}, seatChip(choice.seat), " ", t("{name} chose: {choice}", { name, choice: words.action })),
      choice.forced ? h("p", { class: "soft" }, t("There was nothing else to choose."))
        : choice.agrees ? h("p", { class: "good" }, t("The bot would have chosen the same."))
          : [h("p", {}, t("The bot would have chosen: {choice}", { choice: words.preferred })),
            h("p", { class: "soft" }, t("Chances of winning: {n} instead of {more}", { n: percent(choice.value), more: percent(choice.preferred_value) }))]);
  }

  /** A choice in words, as the screen tells it to whoever reads; null until the view of the seat that chose is there. */
  words(choice) {
    const key = `${choice.seq} ${choice.seat}`;
    if (!this.told.has(key)) {
      this.told.set(key, null);
      this.describe(choice).then((words) => { this.told.set(key, words); this.draw(); }).catch((fault) => {
        this.told.delete(key); // it is asked for again when it is shown again
        if (!fault.told && !this.stopper.signal.aborted) throw fault;
      });
    }
    return this.told.get(key);
  }

  async describe({ seq, turn, seat, kind, context, action, preferred }) {
    const view = await api.get(gamePath(this.replay.ident, `/view?at=${seq - 1}&as_seat=${seat}`), this.options);
    const ctx = { ...this.replay.ctx(), view, seat, reader: this.replay.own, kind, turn: { turn, kind, context } };
    return { action: this.replay.game.words(action, ctx), preferred: this.replay.game.words(preferred, ctx) };
  }

  turns() {
    const found = turningPoints(this.found.choices);
    if (!found.length) return h("p", {}, t("No choice lost much."));
    return h("div", { "data-key": "turns" }, h("h3", {}, found.length === 3 ? t("The three turning points") : t("Turning points")),
      h("ol", { class: "turns" }, found.map((one) => h("li", { "data-key": `turn ${one.seq} ${one.seat}` }, button(t("Turn {n}", { n: one.turn }), () => this.replay.goes(one.seq), { class: "quiet" }), this.tell(one)))));
  }

  /** The same without a picture. */
  lists() {
    const { positions, choices } = this.found, seats = this.replay.summary.seats;
    const points = (one) => Math.max(1, Math.round(100 * lost(one)));
    const judged = (one) => (one.forced ? t("nothing else to choose") : one.agrees ? t("as the bot") : lost(one) < 0.005 ? t("as good as the bot’s") : points(one) === 1 ? t("loses 1 point") : t("loses {n} points", { n: points(one) }));
    return [h("details", { "data-key": "choices" }, h("summary", {}, t("All choices")), h("ol", { class: "feed", tabindex: "0", "aria-label": t("All choices") }, choices.map((one) => h("li", {},
      h("button", { type: "button", class: "moment", "data-key": `choice ${one.seq} ${one.seat}`, onclick: () => this.replay.goes(one.seq) }, t("Turn {n}, {name}: {how}", { n: one.turn, name: this.name(one.seat), how: judged(one) })))))),
    h("details", { "data-key": "numbers" }, h("summary", {}, t("The curve in numbers")), h("div", { class: "feed", tabindex: "0", role: "region", "aria-label": t("The curve in numbers") }, h("table", { class: "scores numbers" }, h("caption", {}, t("Chances of winning in percent")),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("Turn")), seats.map(({ seat }) => h("th", { scope: "col" }, seatChip(seat), h("span", { class: "heard" }, this.name(seat)))))),
      h("tbody", {}, positions.map((one, n) => h("tr", {}, h("th", { scope: "row" }, n && positions[n - 1].turn === one.turn ? t("End") : String(one.turn)), one.values.map((value) => h("td", {}, String(Math.round(100 * value)))))))))),
    ];
  }
}
