/**
 * How an action is chosen, whatever the game: step by step, on the board or by buttons, until it is whole.
 *
 * A step is `{key, label, place}`: `place` is where on the board it is made, or nothing for a button. A composer says, for
 * the steps that were chosen so far, which may come next and which action they make. Where it has `from(action)`, the steps
 * that lead to an action, a sealed one is changed from what it is; a panel may also call `hands.only(steps)`, to choose
 * these and nothing else, and is drawn with `hands.busy` while a choice is sent; one that
 * keeps what was chosen itself calls `hands.weigh()` when that has changed, and stays as it is.
 *
 *     options(chosen) -> steps      action(chosen) -> an action, or null while it is not whole
 *     toggles: true                 steps may be taken back one by one, in any order; otherwise all after it go with one
 *     panel(chosen, hands) -> an element shown instead of buttons, which calls hands.choose(step) and hands.take(key). What is shown
 *                                   becomes what is made: who keeps elements to change them later gives the panel a `data-key` of its own
 *     implied(chosen) -> the steps that follow from those that make an action already, and are chosen with them
 *     pick(chosen, step) -> what is chosen with a step more, where that is not always one more at the end; a step that
 *                                   stands for an earlier one, and those after it, tells so with `instead`
 *     onBoard(step, chosen) -> a step as it is offered on the board, with a `badge`, another `label`, or `drawn(box)`: what is drawn in its place
 *     near                          a selector of what the board enlarges while this is asked
 *     offers: true                  what its panel does not show is offered beside it, on the board and in a list
 *     silent: true                  its steps are not offered on the board as a list of buttons
 */

import { announce, button, h, patch, renewQuestion, TELLS } from "./dom.js";
import { t } from "./i18n.js";

const SHORT = 40;
/** What would be done is the label of the quiet button where it is no longer. */

const PRESSED = `button:enabled:not(${TELLS}), summary`;

const narrow = window.matchMedia("(max-width: 59.99rem)");

/** A composer of listed actions, each with the steps that lead to it. */
export function listed(actions, stepsOf) {
  const paths = actions.map((action) => ({ action, steps: stepsOf(action) }));
  const fitting = (chosen) => paths.filter(({ steps }) => chosen.every((one, n) => steps[n] && steps[n].key === one.key));
  return {
    options(chosen) {
      const found = new Map();
      for (const { steps } of fitting(chosen)) {
        const next = steps[chosen.length];
        if (next && !found.has(next.key)) found.set(next.key, next);
      }
      return [...found.values()];
    },
    action(chosen) {
      const left = fitting(chosen);
      const whole = left.find(({ steps }) => steps.length === chosen.length);
      if (whole) return whole.action;
      return left.length === 1 && chosen.length ? left[0].action : null;
    },
  };
}

/** The part of the page where one chooses. `confirm(action)` is called with whole actions; it may take its time. */
export class Chooser {
  constructor(board) {
    this.board = board;
    this.element = h("section", { class: "choose", tabindex: "-1", "aria-label": t("Your choice") });
    this.left = false; // whether the focus was here when there was nothing more to choose
    this.top = this.element; // what a new question begins with on the page
    new ResizeObserver(() => this.scrolls()).observe(this.element);
    this.drawn = () => {}; // called when what is chosen, or what may be, is drawn anew
    this.reading = () => false; // whether something above is to be read before the question
    this.stop();
  }

  /** Nothing is to be chosen; `said` tells why. */
  stop(said = []) {
    this.board.near(null);
    this.composer = null;
    this.question = null;
    this.chosen = [];
    delete this.element.dataset.turn;
    this.left = this.left || this.element.contains(document.activeElement);
    this.element.hidden = !said.length;
    if (said.length) renewQuestion(this.element, said);
    else this.element.replaceChildren();
  }

  /**
   * Ask, below the time that is left and the `news`, which a narrow page has below the choices. What was chosen already stays
   * where the `question` is still the same, though something else has happened.
   */
  begin(game, ctx, composer, confirm, { question, marks = [], cancel = null, start = [], time = null, news = null }) {
    const same = question === this.question;
    Object.assign(this, { game, ctx, composer, confirm, marks, cancel, question, time, news });
    if (!same) Object.assign(this, { chosen: start, busy: false });
    this.element.hidden = false;
    if (cancel) delete this.element.dataset.turn;
    else this.element.dataset.turn = t("It is your turn."); // for narrow pages, which have how the game stands below
    this.board.near(composer.near || null);
    this.draw();
    if (this.left && document.activeElement === document.body) this.first();
    this.left = false;
    if (!same) this.meet();
  }

  /** The steps that can be chosen or have been, by which buttons are known. */
  steps() {
    return this.composer ? [...this.composer.options(this.chosen), ...this.chosen] : [];
  }

  /** What has been chosen so far, to be gone on with. */
  held() {
    return { question: this.question, chosen: this.chosen };
  }

  resume({ question, chosen }) {
    if (question === null || question !== this.question) return;
    this.chosen = chosen;
    this.draw();
  }

  /** A new question is brought into sight: what it is about on the board, and on a narrow page the choices below that, or what is to be read first. */
  meet() {
    const { board } = this;
    board.bring(board.offers.map(({ target }) => target));
    const reading = this.reading();
    if (narrow.matches && (reading || this.top.getBoundingClientRect().top < board.frame.getBoundingClientRect().bottom - 1)) this.top.scrollIntoView({ block: "start" });
    if (!reading) this.reveal();
  }

  /** Nothing that comes into sight stops below the bar: see `--confirming` in board.css. */
  clear() {
    const bar = this.element.querySelector(":scope>.bar");
    if (bar && bar.offsetHeight) document.documentElement.style.setProperty("--confirming", `${bar.offsetHeight}px`);
  }

  /**
   * On a narrow page the question, Undo, and what may be pressed first are in sight; where the board, which is in sight always,
   * offers something, it need not be pressed below. The page stays where it is if they are. Where all do not fit, the first to be pressed comes alone.
   */
  reveal() {
    if (!narrow.matches) return;
    const bar = this.element.querySelector(":scope>.bar"), pinned = bar && getComputedStyle(bar).position === "sticky";
    const seen = (one) => {
      if (!one) return true;
      const { top, bottom } = one.getBoundingClientRect(), floor = pinned && !bar.contains(one) ? bar.getBoundingClientRect().top : window.innerHeight;
      return top >= this.board.frame.getBoundingClientRect().bottom - 1 && bottom <= Math.min(floor, window.innerHeight) + 1;
    };
    const first = [...this.element.querySelectorAll(PRESSED)].find((one) => !one.closest(".bar") && one.checkVisibility());
    const needed = [this.element.querySelector(".ask"), bar && bar.querySelector("[data-about=undo]"), this.board.offers.length ? null : first];
    if (!needed.every(seen)) this.top.scrollIntoView({ block: "start" });
    if (!seen(first) && !this.board.offers.length) first.scrollIntoView({ block: "nearest" });
  }

  /** What is left to choose is chosen where there is nothing else. */
  settle() {
    if (this.composer.implied) this.chosen.push(...this.composer.implied(this.chosen).map((one) => ({ ...one, forced: true })));
    if (this.composer.toggles || this.composer.panel) return;
    for (let n = 0; n < 9 && this.composer.action(this.chosen) === null; n += 1) {
      const options = this.composer.options(this.chosen);
      if (options.length !== 1) return;
      this.chosen.push({ ...options[0], forced: true });
    }
  }

  pick(step, on = false) {
    if (this.busy) return;
    if (on) {
      this.take(step.key);
      return;
    }
    const before = document.activeElement;
    this.chosen = this.composer.pick ? this.composer.pick(this.chosen, step) : [...this.chosen, step];
    this.draw();
    this.reveal();
    const whole = this.composer.action(this.chosen);
    if (whole !== null && this.composer.options(this.chosen).every((one) => one.instead !== undefined) && before && before !== document.body) {
      const go = this.element.querySelector(".go");
      if (go) go.focus({ preventScroll: true });
      announce(this.game.describe(whole, this.ctx));
    }
  }

  /** These steps and no others. */
  only(steps) {
    if (this.busy) return;
    this.chosen = steps;
    this.draw();
    const whole = this.composer.action(this.chosen);
    if (whole !== null) announce(this.game.describe(whole, this.ctx));
  }

  take(key) {
    const at = this.chosen.map((one) => one.key).lastIndexOf(key);
    if (at < 0) return;
    this.chosen = this.composer.toggles ? this.chosen.filter((one, n) => n !== at) : this.chosen.slice(0, at);
    this.draw();
  }

  undo() {
    while (this.chosen.length && this.chosen[this.chosen.length - 1].forced) this.chosen.pop();
    this.chosen = this.chosen.slice(0, -1);
    this.draw();
    this.first();
    this.reveal();
  }

  /** The focus goes to the first that can be chosen. */
  first() {
    const found = this.element.querySelector(PRESSED);
    if (found) found.focus({ preventScroll: true });
  }

  async go(action) {
    if (this.busy) return;
    const { question } = this;
    this.busy = true;
    this.draw();
    try {
      await this.confirm(action);
    } finally {
      if (this.question === question) { // or another one is asked by now
        this.busy = false;
        this.draw();
      }
    }
  }

  /** Whether the choice is whole though nothing has been chosen yet of what there is: it does nothing, or as good as nothing. */
  get idle() {
    return this.composer !== null && this.chosen.every((one) => one.forced) && this.composer.options(this.chosen).length > 0 && this.composer.action(this.chosen) !== null;
  }

  /** What comes of the choice as it stands, and what can be done with it. The quiet button says itself what it does. */
  bar() {
    const action = this.composer.action(this.chosen), will = action === null ? "" : this.game.describe(action, this.ctx);
    const told = this.idle && will.length <= SHORT ? will.replace(/\.$/, "") : null;
    return h("div", { class: "bar", hidden: action === null && !this.cancel && this.chosen.every((one) => one.forced) },
      action === null ? null : [told === null ? h("p", { class: "will" }, will) : null,
        button(told || t("Confirm"), () => this.go(action), { class: this.idle ? "go idle" : "go", disabled: this.busy, "data-about": "confirm", "data-key": `confirm ${this.question}` })], // a press means this question
      this.chosen.some((one) => !one.forced) ? button(t("Undo"), () => this.undo(), { disabled: this.busy, "data-about": "undo" }) : null,
      this.cancel ? button(t("Leave it as it is"), this.cancel, { disabled: this.busy, "data-about": "keep" }) : null);
  }

  /** Offer on the board what has a place there: gives those steps. */
  offer(options) {
    const onBoard = options.filter((step) => step.place && this.board.picture);
    const shown = (steps) => (this.busy ? [] : this.composer.onBoard ? steps.map((step) => this.composer.onBoard(step, this.chosen)) : steps);
    this.board.offer(this.game, this.ctx, shown(onBoard), shown(this.chosen.filter((one) => one.place)), (step, on) => this.pick(step, on), this.marks);
    return onBoard;
  }

  /** A panel that keeps its own state has changed it: it stays as it is, and what comes of it is told anew. */
  weigh() {
    if (this.busy) return;
    patch(this.element, [...this.element.children].map((one) => (one.matches(".bar") ? this.bar() : one)));
    this.widen();
    this.clear();
    this.scrolls();
    this.offer(this.composer.options(this.chosen));
  }

  /** What comes of a choice has a line of its own in the bar where it is too long for the room beside Confirm. */
  widen() {
    const will = this.element.querySelector(":scope>.bar .will");
    if (will) will.parentNode.classList.toggle("long", will.scrollHeight > will.clientHeight + 1);
  }

  /** What comes of a choice takes the focus where it is longer than its room, so that keys scroll it. */
  scrolls() {
    const will = this.element.querySelector(".will");
    if (!will) return;
    will.toggleAttribute("tabindex", false);
    if (will.scrollHeight > will.clientHeight) will.setAttribute("tabindex", "0");
  }

  draw() {
    const { composer, game, ctx } = this;
    this.settle();
    const options = composer.options(this.chosen);
    const action = composer.action(this.chosen);
    const onBoard = this.offer(options);
    const plain = options.filter((step) => !onBoard.includes(step));
    const hands = { choose: (step) => this.pick(step), take: (key) => this.take(key), only: (steps) => this.only(steps), weigh: () => this.weigh(), busy: this.busy };
    const parts = [this.time, narrow.matches ? null : this.news, h("p", { class: "ask" }, game.ask(ctx, this.chosen))];
    if (composer.panel) parts.push(composer.panel(this.chosen, hands));
    if (!composer.panel || composer.offers) {
      const made = this.chosen.filter((one) => !one.forced);
      if (made.length && !composer.panel) parts.push(h("ol", { class: "steps", "aria-label": t("Chosen so far") }, made.map((one) => h("li", {}, one.label))));
      if (plain.length) parts.push(h("div", { class: "options" }, plain.map((step) => button(step.label, () => this.pick(step), { "data-step": step.key, disabled: this.busy }))));
      if (onBoard.length && plain.length === 0 && action === null) parts.push(h("p", { class: "hint" }, t("Choose on the board.")));
      const listed = onBoard.filter((step) => step.instead === undefined);
      if (listed.length) {
        parts.push(h("details", { class: "list" }, h("summary", { "data-about": "list" }, t("or from a list")),
          h("div", { class: "options small" }, listed.map((step) => button(step.label, () => this.pick(step), { "data-step": step.key, disabled: this.busy })))));
      }
    }
    parts.push(this.bar(), narrow.matches ? this.news : null); // below it no line is cut by it
    renewQuestion(this.element, parts);
    this.widen();
    this.scrolls();
    this.clear();
    this.drawn();
  }
}
