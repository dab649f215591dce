/**
 * A first game: a practice game at the real table, and a coach beside it who says what to do, where, and why.
 *
 * What the coach says is the game's: its `lesson.js` exports by default
 *
 *   begin      what the practice game is made of: `{seats, bot, seed, options}`; who learns sits on seat 0
 *   steps      `[{key, when(ctx, past), title, words(ctx, past), rule, at(ctx), press(ctx, past), next, rest}]`, of which the
 *              first is shown that was not seen and whose `when` holds. One with `next: true` is read; any other is done, when
 *              what is asked has been answered. A key that is a function makes a step of each thing of a kind,
 *              and these are told until the game is over.
 *              `fight(ctx, past)` gives the number of a combat, whose cards and outcome are drawn below the words
 *   hints      the same by the kind of a turn, for questions that no step is about (any more)
 *   ends(ctx, past)  whether all has been shown
 *   close      a sentence: what else there is to the game
 *
 * `past` is the payloads of all events so far. `title`, `words` and `rule` are texts, or functions that give one. `at` names places of the
 * board that are pointed at. `press` names what is to be chosen, one after another, by the keys or the places of steps; what the
 * learner chooses otherwise counts as well. With `rest: {words, action(ctx, past)}` all questions of this kind may be answered for them.
 *
 * Nothing depends on what others do: a hint is made of what is asked and how the game stands.
 */

import * as api from "./api.js";
import { patiently } from "./brought.js";
import { button, dialog, h, patch, renew, s } from "./dom.js";
import { games } from "./games.js";
import { t } from "./i18n.js";
import { lessonOf, meet, noteLesson } from "./lessons.js";
import { create, make } from "./making.js";
import { frame } from "./marks.js";
import { gamePath } from "./people.js";
import { file } from "./place.js";
import { ruleButton, rulesButton } from "./rulebook.js";
import { seek, usually } from "./seeking.js";
import { Table } from "./table.js";

const text = (said, ...args) => (typeof said === "function" ? said(...args) : said);
const AROUND = 3;
/** A place is pointed at from so far around it, in units of the picture. */

/** The script of a game's first game. */
async function scriptOf(ruleset) {
  try {
    return (await patiently(() => import(file(`games/${ruleset}/lesson.js`)))).default;
  } catch (fault) {
    console.error(fault);
    throw Object.assign(new Error(fault.message), { told: t("The first game cannot be had just now.") });
  }
}

/** The practice game of who plays here: the one that was begun, or else a new one. */
async function gameOf(ruleset, { seats, bot, seed, options = {} }) {
  await api.somebody();
  const { game } = lessonOf(api.me.id, ruleset);
  if (game) {
    try {
      if ((await api.get(gamePath(game))).status !== "over") return game;
    } catch (fault) {
      if (fault.status !== 404) throw fault;
    }
  }
  const made = await create({ ruleset, seats, bot, bots: seats - 1, practice: true, seed, options, visibility: "private" });
  noteLesson(api.me.id, ruleset, { game: made, seen: [], done: false });
  return made;
}

const opening = new Map(); // the page is made anew when somebody gets a name on the way

/** The page of a game's first game. */
export async function learn(ruleset) {
  const game = games[ruleset];
  if (!game || !game.lesson) throw Object.assign(new Error(ruleset), { status: 404, told: t("There is no first game of {name} here.", { name: ruleset }) });
  meet(ruleset);
  const script = await scriptOf(ruleset);
  if (!opening.has(ruleset)) opening.set(ruleset, gameOf(ruleset, script.begin).finally(() => opening.delete(ruleset)));
  return new Lesson(await opening.get(ruleset), game, script);
}

class Lesson extends Table {
  constructor(ident, game, script) {
    super(ident);
    this.script = script;
    this.about = game;
    this.shown = null; // the step or hint that stands there
    this.sent = null; // the turn that has been answered
    this.wanted = [];
    this.answering = null; // the kind of turn that is answered for the learner
    this.element.dataset.lesson = "";
    this.coach = h("section", { class: "panel coach", "aria-label": t("Your first game"), "aria-live": "polite" });
    this.pointers = s("g", { class: "pointers", "aria-hidden": "true" });
    this.chooser.element.before(this.coach);
    this.chooser.drawn = () => this.teach();
    this.chooser.reading = () => Boolean(this.shown && this.shown.next);
    this.chooser.top = this.board.legend.element; // which lessons speak of
  }

  get noted() {
    return { seen: [], ...lessonOf(api.me && api.me.id, this.about.ruleset) };
  }

  note(more) {
    noteLesson(api.me && api.me.id, this.about.ruleset, more);
  }

  drawAll(...args) {
    super.drawAll(...args);
    this.teach();
    this.answer();
  }

  /** Where a step is about what came of it, the coach tells that. */
  sinceThen(ctx) {
    const found = this.find(ctx, this.past);
    return found && found.key ? null : super.sinceThen(ctx);
  }

  get past() {
    return this.news.events.map((one) => one.payload);
  }

  drawHead() {
    renew(this.head, h("h1", {}, this.about.title), h("div", { class: "bar" }, h("a", { class: "button quiet", href: "#/" }, t("Leave it for now")), rulesButton(this.game)));
  }

  /** What would do nothing, while the coach asks for something, is asked about once more. */
  async submit(turn, action) {
    const step = this.shown;
    if (this.chooser.idle && this.wanted.length && !await this.means(action)) return false;
    return this.send(turn, action, step);
  }

  means(action) {
    return new Promise((tell) => {
      let meant = false;
      const words = this.game.describe(action, this.ctx());
      dialog(t("Really?"), (close) => [h("p", {}, t("You have chosen nothing yet, and the coach asks for something. This is what you would do:")), h("p", {}, h("b", {}, words)),
        h("div", { class: "bar" }, button(t("Choose something"), close, { class: "go" }), button(t("Do that"), () => { meant = true; close(); }, { "data-key": "meant" }))]).addEventListener("close", () => tell(meant), { once: true });
    });
  }

  async send(turn, action, step) {
    this.sent = turn.turn; // nothing more is said about it
    const done = await super.submit(turn, action);
    if (!done) this.sent = null;
    if (done && step && step.key) this.pass(step);
    return done;
  }

  /** A step has been seen. */
  pass({ key }) {
    this.note({ seen: [...new Set([...this.noted.seen, key])] });
  }

  /** What is to be said now: a step, a hint, the end, or nothing. */
  find(ctx, past) {
    const { seen, done, quiet } = this.noted;
    if (this.turn.status === "over" || !this.view) return null;
    const { steps, hints, ends } = this.script, sent = this.sent === this.turn.turn; // and nothing more is said about it
    for (const one of done ? steps.filter(({ key }) => typeof key === "function") : steps) {
      const step = (one.next || !sent) && one.when(ctx, past) && { ...one, key: text(one.key, ctx, past) };
      if (step && !seen.includes(step.key)) return step;
    }
    if (!done && !sent && ends(ctx, past)) return { ending: true };
    return ctx.turn.yours && !sent && !quiet ? hints[ctx.kind] || null : null;
  }

  /** How a combat was that a step is about. */
  scene({ fight }, ctx, past) {
    const found = fight && this.news.combats.get(fight(ctx, past));
    const step = found && this.game.combat(found.record, ctx).steps.findLast((one) => one.scene);
    return step ? step.scene() : null;
  }

  /** A script that fails says nothing more; the game goes on. */
  teach() {
    if (!this.turn) return;
    try {
      this.say(this.ctx(), this.past);
    } catch (fault) {
      console.error(fault);
      this.coach.hidden = true;
      this.pointers.remove();
    }
  }

  say(ctx, past) {
    const found = this.find(ctx, past), { title } = this.about;
    this.shown = found;
    this.coach.hidden = (this.noted.quiet && !found) || this.turn.status === "over";
    if (found && found.ending) {
      renew(this.coach, h("h2", {}, t("You know enough to play")), h("p", {}, text(this.script.close)),
        h("div", { class: "bar", "data-key": "ending" }, button(t("Play on to the end"), () => { this.finish(); this.teach(); }, { class: "go", "data-key": "on" }),
          button(t("A game against bots"), () => this.leaveFor(() => make({ ruleset: this.about.ruleset, seats: this.about.usual, bots: this.about.usual - 1 }))),
          button(t("A game with people"), () => this.leaveFor(() => { location.hash = "#/"; seek(usually(this.about)); }))));
    } else if (found) {
      const rule = found.rule ? ruleButton(this.about.ruleset, text(found.rule, ctx, past)) : null, words = text(found.words, ctx, past);
      renew(this.coach, found.title ? [h("div", { class: "coachhead" }, h("h2", {}, text(found.title, ctx, past)), rule), h("p", {}, words)] : h("div", { class: "coachhead" }, h("p", {}, words), rule),
        this.scene(found, ctx, past),
        h("div", { class: "bar", "data-key": found.key || ctx.kind },
          found.next ? button(t("Go on"), () => { this.pass(found); this.teach(); this.coach.scrollIntoView({ block: "nearest" }); this.chooser.meet(); }, { class: "go", "data-key": "next" }) : null,
          found.rest && ctx.turn.yours ? button(text(found.rest.words), () => { this.answering = ctx.kind; return this.answer(); }, { "data-key": "rest" }) : null,
          this.noted.done ? button(t("No more hints"), () => { this.note({ quiet: true }); this.teach(); }, { class: "quiet", "data-key": "quiet" }) : null));
    } else {
      renew(this.coach, h("p", {}, t("The others choose now. What they do is shown on the board.")));
    }
    this.coach.dataset.step = found ? found.key || (found.ending ? "ending" : `hint ${ctx.kind}`) : "";
    this.coach.setAttribute("aria-label", t("Your first game of {title}", { title }));
    this.point(found, ctx, past);
  }

  /** Point at what is to be seen or pressed: at places of the board, or at buttons. */
  point(found, ctx, past) {
    const { composer, chosen, element, busy } = this.chooser, { board } = this;
    document.querySelectorAll(".pointed").forEach((one) => one.classList.remove("pointed"));
    const places = found && found.at ? [...found.at(ctx, past)] : [];
    if (!busy) this.wanted = []; // of what is pointed at, what could be chosen before anything was sent
    if (found && found.press && composer && ctx.turn.yours && !busy) {
      const left = [...found.press(ctx, past)];
      for (const one of chosen) {
        const at = left.findIndex((name) => name === one.key || name === one.place);
        if (at >= 0) left.splice(at, 1);
      }
      const offered = new Set(board.offers.map(({ id }) => id));
      const buttonOf = (name) => [...element.querySelectorAll("[data-step]:enabled")].find((one) => one.dataset.step === name);
      const able = this.wanted = left.filter((name) => offered.has(name) || buttonOf(name));
      for (const name of composer.toggles ? able : able.slice(0, 1)) {
        if (offered.has(name)) places.push(name);
        else buttonOf(name).classList.add("pointed");
      }
      const go = element.querySelector(".go:enabled");
      if (!able.length && go) go.classList.add("pointed");
    }
    if (!board.picture) return;
    const known = board.places(this.game, ctx), pressable = new Set(board.offers.map(({ id }) => id));
    const asking = found && found.press && pressable.size; // then a ring means what may be pressed now, and nothing else
    patch(this.pointers, [...new Set(places)].filter((name) => !asking || pressable.has(name)).filter((name) => known.has(name)).map((name) => {
      const ring = frame(known.get(name), "ring", 0, AROUND);
      ring.dataset.to = name;
      return ring;
    }));
    board.picture.append(this.pointers);
    board.legend.show(board.picture, board.signs());
    board.bring([...this.pointers.children]);
  }

  /** Answer for the learner, who has asked for it, as long as the same is asked. */
  async answer() {
    const { turn, shown, answering } = this;
    if (answering === null || !turn.yours || this.answered === turn.turn) return;
    const ctx = this.ctx(), found = [shown, this.script.hints[ctx.kind]].find((one) => one && one.rest);
    if (ctx.kind !== answering || !found) {
      this.answering = null;
      return;
    }
    this.answered = turn.turn;
    await this.send(turn, found.rest.action(ctx, this.past));
  }

  /** All has been shown; hints go on. */
  finish() {
    this.note({ done: true });
  }

  /** The first game is given up for another one, so that nobody is waited for there. */
  async leaveFor(other) {
    this.finish();
    await this.act(() => api.post(this.path("/resignations"), {}));
    await other();
  }
}
