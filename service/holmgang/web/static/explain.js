/**
 * Explanations that open beside what they are about: where a pointer rests, a finger stays, or people go with the keyboard (a focus
 * that the page itself moves, since what had it is gone, opens none). They stay
 * while the pointer is on either, and go with Escape (WCAG 1.4.13). `?` opens the one of what has the focus, and then leads to its
 * rule; on the board arrow keys then go from thing to thing, whether it can be chosen or not.
 */

import { atPoint, atTarget, beside, onPicture, pieces } from "./about.js";
import { announce, h, show } from "./dom.js";
import { t } from "./i18n.js";
import { ruleButton } from "./rulebook.js";

const REST_MS = 400, PRESS_MS = 500, GRACE_MS = 300;
const STRAY = 10, GAP = 8, LARGE = 120;
/** Pixels: how far a finger may slip, how far the explanation stands off, and what is so large that it opens at the pointer. */

const FIELDS = "input, textarea, select";
const GOING = /^(Tab|Home|End|Arrow\w+)$/;
/** Keys with which people move the focus themselves. */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const middle = (box) => ({ x: box.left + box.width / 2, y: box.top + box.height / 2 });

export class Explainer {
  /**
   * For what is within `root`; `now()` gives the screen and what the page knows, `{game, ctx}`, or null. Where it has yet to fetch
   * the view of what the board shows, it gives none, and calls `again()` when it is there.
   */
  constructor({ root, board, chooser, now }) {
    Object.assign(this, { root, board, chooser, now });
    this.text = h("p", { id: "explained" });
    this.rule = h("span", {});
    this.tip = h("div", { class: "explained", hidden: true }, this.text, this.rule);
    this.ring = h("div", { class: "asking", hidden: true }); // around what it is about
    this.heard = h("p", { id: "about", hidden: true }); // for who does not see where it opens
    this.timer = 0;
    this.mouse = null; // where it is, unless something else was used since
    this.going = false; // whether a key is down that moves the focus
    this.walking = null; // what the keyboard asks about on the board
    this.open = null; // `{element, box, by}`
    this.stopper = new AbortController();
    const { signal } = this.stopper;
    const on = (where, type, does, more = {}) => where.addEventListener(type, does, { signal, ...more });
    root.append(this.ring, this.tip, this.heard);
    on(root, "pointermove", (event) => this.move(event));
    on(root, "pointerleave", (event) => { if (event.pointerType !== "touch") this.away(); });
    on(document, "pointerdown", (event) => this.down(event), { capture: true });
    for (const type of ["pointerup", "pointercancel"]) on(document, type, (event) => { if (event.pointerType === "touch") this.wait(); });
    on(root, "contextmenu", (event) => { if (event.pointerType === "touch" && this.under(event)) event.preventDefault(); });
    on(document, "click", (event) => this.click(event), { capture: true });
    on(root, "focusin", ({ target }) => this.focus(target));
    on(root, "focusout", ({ target, relatedTarget }) => this.blur(target, relatedTarget));
    on(document, "keydown", (event) => this.key(event), { capture: true });
    on(document, "keyup", () => { this.going = false; }, { capture: true });
    on(window, "blur", () => { this.going = false; }); // the key comes up elsewhere
    on(window, "scroll", () => this.scrolled(), { capture: true, passive: true });
    this.watch = new MutationObserver(() => this.follow());
    this.watch.observe(root, { childList: true, subtree: true, attributeFilter: ["hidden", "open"] });
  }

  /** There is more to be known: whoever waits for an explanation gets it. */
  again() {
    if (!this.open && this.asked) this.asked();
  }

  stop() {
    this.wait();
    this.stopper.abort();
    this.watch.disconnect();
  }

  /** After a while, and nothing else that was waited for. */
  wait(ms = 0, does = null) {
    window.clearTimeout(this.timer);
    this.asked = null;
    if (does) this.timer = window.setTimeout(() => { this.asked = does; does(); }, ms);
  }

  /** What is explained at a point of the page. */
  under({ clientX: x, clientY: y }) {
    const known = this.now(), element = document.elementFromPoint(x, y);
    if (!known || !element || !this.root.contains(element)) return null;
    const { game, ctx } = known, { board } = this;
    if (!board.picture || !board.picture.contains(element)) return beside(element, this, game, ctx);
    return ctx.view ? atPoint(board, x, y, element.closest(".target"), game, ctx) : null;
  }

  about(target) {
    const known = this.now();
    if (!known) return null;
    const { game, ctx } = known;
    return this.board.frame.contains(target) ? (ctx.view ? atTarget(this.board, target, game, ctx) : null) : beside(target, this, game, ctx);
  }

  // A pointer

  move(event) {
    const at = { clientX: event.clientX, clientY: event.clientY };
    if (event.pointerType === "touch") {
      if (this.finger && Math.hypot(at.clientX - this.finger.clientX, at.clientY - this.finger.clientY) > STRAY) this.wait();
      return;
    }
    if (event.buttons) return;
    this.mouse = at;
    if (this.tip.contains(event.target) || (this.open && near(this.open.box, at))) this.wait();
    else if (this.open) this.wait(GRACE_MS, () => { this.close(); this.rest(at, REST_MS - GRACE_MS); });
    else this.rest(at, REST_MS);
  }

  rest(at, ms) {
    if (this.done && near(this.done, at)) return; // it was pressed or sent away
    this.done = null;
    this.wait(ms, () => this.show(this.under(at), at));
  }

  away() {
    if (this.open) this.wait(GRACE_MS, () => this.close());
    else this.wait();
    this.done = this.mouse = null;
  }

  down(event) {
    this.held = this.going = false;
    this.mouse = null;
    if (this.tip.contains(event.target)) return;
    const at = { clientX: event.clientX, clientY: event.clientY };
    this.wait();
    this.close();
    this.walking = null;
    if (!this.root.contains(event.target)) return;
    if (event.pointerType === "touch") {
      this.finger = at;
      this.wait(PRESS_MS, () => { this.held = this.show(this.under(at), at); });
    } else {
      this.done = new DOMRect(at.clientX - STRAY, at.clientY - STRAY, 2 * STRAY, 2 * STRAY);
    }
  }

  /** A finger that stayed to be told what is there presses nothing. */
  click(event) {
    if (!this.held) return;
    this.held = false;
    event.preventDefault();
    event.stopPropagation();
  }

  // The keyboard

  focus(target) {
    if (this.tip.contains(target)) return;
    const found = this.about(target);
    this.heard.textContent = found ? inWords(found) : "";
    if (!found) return;
    if (!target.hasAttribute("aria-describedby")) target.setAttribute("aria-describedby", this.heard.id);
    if (this.going && target.matches(":focus-visible")) this.wait(REST_MS, () => { if (document.activeElement === target) this.show(this.about(target), null); });
  }

  blur(target, next) {
    if (target.getAttribute("aria-describedby") === this.heard.id) target.removeAttribute("aria-describedby");
    if (this.tip.contains(next)) return;
    if (this.open && !this.open.at) this.close();
    if (!this.board.frame.contains(next)) this.walking = null;
  }

  key(event) {
    const { key, target } = event, here = this.root.contains(target);
    this.mouse = null;
    this.going = GOING.test(key);
    if (key === "Escape" && this.open && !document.querySelector("dialog[open]")) {
      event.stopPropagation();
      event.preventDefault();
      if (this.tip.contains(target) && this.back && this.back.isConnected) this.back.focus();
      this.close();
      this.walking = null;
    } else if (key === "?" && here && !target.matches(FIELDS)) {
      event.preventDefault();
      this.ask(target);
    } else if (this.walking && WAYS[key] && this.board.frame.contains(target)) {
      event.preventDefault();
      event.stopPropagation();
      this.walk(WAYS[key]);
    } else if ((key === "Enter" || key === " ") && this.walking && this.walking !== target && this.board.frame.contains(target)) {
      event.preventDefault(); // what is asked about is not what has the focus
      event.stopPropagation();
    }
  }

  /** `?`: what is this? Once more: by which rule? */
  ask(target) {
    const rule = this.rule.querySelector("button");
    if (this.open && rule) {
      this.back = target;
      rule.focus();
      return;
    }
    this.wait();
    const onBoard = this.board.frame.contains(target), found = this.about(target) || (onBoard ? this.all()[0] : null);
    if (!this.show(found, null)) {
      this.asked = () => { if (document.activeElement === target) this.ask(target); }; // it may be known in a moment
      return;
    }
    this.asked = null;
    if (onBoard) this.walking = found.element;
    if (found.element !== target) announce(inWords(found));
  }

  /** All that the board has to explain. */
  all() {
    const { game, ctx } = this.now(), { picture } = this.board;
    return picture && ctx.view ? pieces(picture).map((element) => onPicture(this.board, element, game, ctx)).filter(Boolean) : [];
  }

  /** To the next thing that way; if it can be chosen, it has the focus. */
  walk([right, down]) {
    const from = middle(this.open ? this.open.box : this.board.frame.getBoundingClientRect());
    let best = null, least = Infinity;
    for (const one of this.all()) {
      const at = middle(one.element.getBoundingClientRect()), x = at.x - from.x, y = at.y - from.y;
      const along = x * right + y * down, across = Math.abs(x * down) + Math.abs(y * right);
      if (along > 1 && along + 2.5 * across < least) { best = one; least = along + 2.5 * across; }
    }
    if (!best) return;
    this.board.bring([best.element]);
    const offer = this.board.offers.find((one) => one.element === best.element);
    this.walking = offer ? offer.target : best.element;
    if (offer) offer.target.focus();
    else announce(inWords(best));
    this.wait();
    this.show(best, null);
  }

  // What is shown

  /** Open an explanation, at a point or beside what it is about. Gives whether there is one. */
  show(found, at) {
    if (!found || !found.element.isConnected) return false;
    this.close();
    const { game } = this.now(), box = found.element.getBoundingClientRect();
    show(this.text, found.name ? [h("b", {}, found.name), " "] : null, [found.what, found.now].filter(Boolean).join(" "));
    show(this.rule, found.rule ? ruleButton(game.ruleset, found.rule) : null);
    this.marked = found.element;
    this.tip.hidden = this.ring.hidden = false;
    this.stand(box, at);
    return true;
  }

  /** Beside what it is about, or at the pointer where that is large. */
  stand(box, at) {
    this.open = { box, at };
    this.place(at && (box.width > LARGE || box.height > LARGE) ? new DOMRect(at.clientX - STRAY, at.clientY - STRAY, 2 * STRAY, 2 * STRAY) : box);
  }

  /** Above a place of the page, or below it where there is no room, all of it in sight. */
  place(box) {
    const { width, height } = this.tip.getBoundingClientRect(), wide = document.documentElement.clientWidth, high = window.innerHeight;
    const above = box.top - GAP - height, top = above >= GAP ? above : Math.min(box.bottom + GAP, high - height - GAP);
    const left = Math.max(GAP, Math.min(box.left + (box.width - width) / 2, wide - width - GAP)), px = (n) => `${n}px`;
    const about = this.marked.getBoundingClientRect();
    Object.assign(this.tip.style, { top: px(top), left: px(left) });
    Object.assign(this.ring.style, { top: px(about.top), left: px(about.left), width: px(about.width), height: px(about.height) });
  }

  /** What the keyboard asked about goes with its explanation; a pointer is somewhere else now. */
  scrolled() {
    if (this.open && this.open.at) this.anew();
    else if (this.open) this.place(this.marked.getBoundingClientRect());
  }

  /** The page was drawn anew: an explanation goes with what it is about, or is closed. */
  follow() {
    if (!this.open) return;
    const box = this.marked.getBoundingClientRect(), { x, y, width, height } = this.open.box;
    const left = this.mouse && ![box, this.tip.getBoundingClientRect()].some((one) => near(one, this.mouse));
    if (!this.marked.isConnected || !box.width || left) this.anew();
    else if (x !== box.x || y !== box.y || width !== box.width || height !== box.height) this.stand(box, this.open.at);
  }

  /** Something else is there: a pointer that rests is told what. */
  anew() {
    this.close();
    this.done = null;
    if (this.mouse) this.rest(this.mouse, REST_MS);
  }

  close() {
    if (!this.open) return;
    this.done = this.open.at ? this.open.box : null;
    this.open = null;
    this.tip.hidden = this.ring.hidden = true;
  }
}

const inWords = ({ name, what, now }) => [name && `${name}:`, what, now].filter(Boolean).join(" ");

const near = (box, { clientX: x, clientY: y }) => x >= box.left - GAP && x <= box.right + GAP && y >= box.top - GAP && y <= box.bottom + GAP;
