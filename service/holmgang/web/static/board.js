/**
 * The board: the service's own picture, put into the page, with what can be chosen laid over it. One picture becomes the
 * next, and what is the same in both stays, so that a press is not lost when there is news.
 *
 * Over every place that can be chosen lies one button. A press beside it is meant for the nearest one within a finger's
 * reach. The board is one stop of the tab key; arrow keys go from place to place, Enter and Space choose.
 */

import { become, button, h, patch, s } from "./dom.js";
import { t } from "./i18n.js";
import { badge, cross, frame, LEAST, Legend, marked, trail } from "./marks.js";
import { isolated } from "./people.js";

const FINGER = 24.5;
/** The same in pixels, for narrow pages (WCAG 2.5.8 asks for 24). */
const REACH = 44;
/** So many pixels around its middle a press is meant for a place that nothing else is nearer to (WCAG 2.5.5). */
const LOW = 40;
/** A picture that is no higher shows nothing: the board in words stands open beside it. */
const NEAR = 2.4;
/** What is enlarged has so many pixels for a unit of the picture at most. */
const AROUND = 6;
/** So much is seen around it, */
const BELOW = 26;
/** and below it, where the button is that shows the whole board. */
const MANY = 24;
/** Above so many places they are drawn fainter. */

const MARGIN = 6;
/** So far from its edge a line of the picture ends. */

const SHORT = 12;
/** A name has so much room in the picture. */

function fill(line, room) {
  line.setAttribute("textLength", room);
  line.setAttribute("lengthAdjust", "spacingAndGlyphs");
}

function edges(rect) {
  const [left, top, wide, high] = ["x", "y", "width", "height"].map((name) => rect[name].baseVal.value);
  return { left, top, right: left + wide, bottom: top + high };
}

/** A name that fits where the picture says "Seat 3". */
function short(name) {
  const letters = [...name];
  return letters.length > SHORT ? `${letters.slice(0, SHORT - 1).join("")}…` : name;
}

const brief = (name) => isolated(short(name));

/** Leave out a picture's heading, which tells its lower edge: so the page need not lay it out first. */
function behead(picture) {
  const heading = picture.querySelector("g.heading[data-bottom]");
  if (!heading) return;
  const [left, top, wide, high] = picture.getAttribute("viewBox").split(" ").map(Number), cut = Math.floor(heading.dataset.bottom) - 1;
  heading.remove();
  picture.setAttribute("viewBox", `${left} ${top + cut} ${wide} ${high - cut}`);
}

const still = window.matchMedia("(prefers-reduced-motion: reduce)");

export class Board {
  /** `holder(seat, as)` tells who holds a seat, as `as` writes their name, or null. */
  constructor(holder) {
    this.holder = holder;
    this.frame = h("div", { class: "board" });
    this.words = h("pre", { class: "inwords", tabindex: "0" });
    this.legend = new Legend((seat) => this.holder(seat, brief));
    this.inWords = h("details", { class: "wordsof" }, h("summary", {}, t("The board in words")), this.words);
    this.element = h("section", { class: "boardside", "aria-label": t("Board") }, this.legend.element, this.frame, this.inWords);
    this.picture = null;
    this.over = null; // what lies over the picture
    this.signs = () => []; // what the game has to say of signs on its picture, as screens do
    this.under = null; // lines, which lie below what stands on the board
    this.headless = false; // whether the page tells in its own words what the picture's heading tells
    this.offers = [];
    this.focused = null;
    this.laid = null; // what waits until the picture has its size on the page
    new ResizeObserver(() => this.fit()).observe(this.frame);
    this.whole = null; // the part of the picture that is all of it
    this.close = null; // a selector of what is enlarged
    this.wide = false; // though the whole board is to be seen now
    this.lens = button("", () => { this.wide = !this.wide; this.look(); }, { class: "lens", hidden: true });
    this.further = button("▾", () => this.frame.scrollBy({ top: this.frame.clientHeight / 2, behavior: still.matches ? "auto" : "smooth" }), { class: "further", hidden: true, "data-about": "further", "aria-label": t("More of the board") });
    this.frame.addEventListener("scroll", () => this.goesOn(), { passive: true });
    this.left = false; // whether the focus was on a place that is gone, and nowhere else since
  }

  /** There is no picture: why stands in its place. */
  miss(why) {
    this.picture = null;
    this.over = null;
    this.offers = [];
    this.words.textContent = "";
    this.legend.show(null);
    this.frame.replaceChildren(h("p", { class: "missing" }, why));
  }

  /** Show a picture; what is offered stays until something else is. */
  put(source) {
    const bare = source.replace(/<style>[^<]*<\/style>/, ""); // the page's own sheet has the colours, and its policy allows no other
    const read = new DOMParser().parseFromString(bare, "image/svg+xml").documentElement;
    if (read.localName !== "svg") return;
    const told = read.querySelector("desc"), named = this.name(read);
    this.words.textContent = named(told ? told.textContent : "");
    this.words.lang = read.getAttribute("lang");
    read.querySelectorAll("g > title").forEach((one) => one.parentNode.setAttribute("data-title", one.textContent)); // for `explain`
    read.querySelectorAll("title, desc").forEach((one) => one.remove());
    read.setAttribute("role", "group");
    read.removeAttribute("aria-labelledby");
    read.setAttribute("aria-label", t("Board"));
    read.querySelectorAll("text").forEach((one) => one.setAttribute("aria-hidden", "true"));
    this.left = this.left || this.frame.contains(document.activeElement);
    if (read.viewBox.baseVal.height <= LOW) this.inWords.open = true;
    if (this.headless) behead(read);
    const next = document.importNode(read, true);
    if (this.picture) {
      become(this.picture, next, this.over ? [this.over] : []);
    } else {
      this.picture = next;
      this.frame.replaceChildren(next, this.further, this.lens);
    }
    this.whole = this.picture.getAttribute("viewBox").split(" ").map(Number);
    this.look();
    this.squeeze();
    this.scrolls();
  }

  /** Lines that names have made too long for their panel or the picture are written narrower; it tells how long they are once it is shown. */
  squeeze() {
    if (!this.picture) return;
    const [left, , wide] = this.whole, panels = [...this.picture.querySelectorAll("rect.f-panel")].map(edges);
    for (const one of this.picture.querySelectorAll("text[data-named]:not([text-anchor], [textLength])")) {
      const x = one.x.baseVal[0].value, y = one.y.baseVal[0].value;
      const around = panels.filter((panel) => x >= panel.left && x <= panel.right && y >= panel.top && y <= panel.bottom).map(({ right }) => right);
      const room = Math.min(left + wide, ...around) - MARGIN - x;
      if (one.getComputedTextLength() > room) fill(one, room);
    }
  }

  /**
   * Have seats bear their holders' names: where the picture begins to tell of one, with a word and its number, and wherever else
   * that word stands with the number of one, or a longer one with those of several. Gives what does so in the board in words.
   */
  name(picture) {
    const words = new Set();
    for (const group of picture.querySelectorAll("[data-seat]:not([data-at])")) {
      const { seat } = group.dataset, begins = new RegExp(`^(\\p{L}+)\\s${seat}(?=\\s?[,:]|$)`, "u");
      const told = [...group.children].find((one) => one.localName === "text" && begins.test(one.textContent));
      const holder = told && this.holder(Number(seat), brief);
      if (!holder) continue;
      words.add(begins.exec(told.textContent)[1].toLowerCase());
      told.textContent = told.textContent.replace(begins, () => holder);
      told.dataset.named = "";
    }
    if (!words.size) return (said) => said;
    const [one, several] = ["\\s(\\d+)", "\\p{L}{1,2}\\s((?:\\d+, )*\\d+\\s\\p{L}+\\s\\d+)"].map((seats) => new RegExp(`(?<!\\p{L})(?:${[...words].join("|")})${seats}(?!\\p{N})`, "giu"));
    const named = (said, as) => [several, one].reduce((now, form) => now.replace(form, (all, seats) => {
      let whole = true;
      const held = seats.replace(/\d+/g, (seat) => { const holder = this.holder(Number(seat), as); whole &&= Boolean(holder); return holder; });
      return whole ? held : all;
    }), said);
    for (const text of picture.querySelectorAll("text:not([data-named])")) {
      text.textContent = named(text.textContent, brief);
      text.dataset.named = "";
    }
    return (said) => named(said, isolated);
  }

  /** The places that the picture names (`data-at`). */
  names() {
    return this.picture ? [...this.picture.querySelectorAll("[data-at]")].map((one) => one.dataset.at) : [];
  }

  /** Enlarge what a question is about, beside a button that shows the whole board; `null` for the whole board alone. */
  near(selector) {
    if (selector !== this.close) this.wide = false;
    this.close = selector;
    this.look();
  }

  look() {
    if (!this.picture) return;
    const found = this.close && this.picture.querySelector(this.close);
    this.lens.hidden = !found;
    this.lens.textContent = this.wide ? t("Closer") : t("Whole board");
    const seen = (found && !this.wide ? this.around(found.getBBox()) : this.whole).join(" ");
    if (this.picture.getAttribute("viewBox") === seen) return;
    this.picture.setAttribute("viewBox", seen);
    this.fit();
  }

  /** The part of the picture that shows a box as large as the frame has room for it. */
  around(box) {
    const { clientWidth } = this.frame, [x, y, width, height] = this.whole;
    const high = box.height + AROUND + BELOW, room = parseFloat(window.getComputedStyle(this.frame).maxHeight) || window.innerHeight * 0.8;
    const wide = Math.min(width, Math.max(box.width + 2 * AROUND, clientWidth / NEAR, (high * clientWidth) / room));
    const within = (start, size, from, all) => Math.max(from, Math.min(start, from + all - size));
    return [within(box.x + (box.width - wide) / 2, wide, x, width), within(box.y - AROUND, high, y, height), wide, high].map((one) => Math.round(one * 10) / 10);
  }

  /** The places of a game on this picture: id to `{label, box, element, shape}`; `shape` is the outline of one that is no rectangle. */
  places(game, ctx) {
    const found = new Map();
    if (!this.picture) return found;
    for (const { selector, id, label, outline } of game.places) {
      for (const element of this.picture.querySelectorAll(selector)) {
        const name = id(element, ctx);
        if (name === null || name === undefined || found.has(name)) continue;
        const drawn = outline ? element.querySelector(outline) : null;
        found.set(name, { label: label(element, ctx), box: element.getBBox(), element, shape: drawn && drawn.getAttribute("d") });
      }
    }
    return found;
  }

  /**
   * Offer steps that have places; `chosen` ones are marked, and can be picked again: once more where that is offered, too,
   * else to take them back. A chosen step's `trail` is drawn from place to place, and its `hits` are crossed. `marks` say what has just
   * happened: see `marked`.
   */
  offer(game, ctx, steps, chosen, pick, marks = []) {
    if (!this.picture) return;
    const had = document.activeElement;
    this.left = this.frame.contains(had) || (this.left && had === document.body);
    const places = this.places(game, ctx), over = [], fresh = marked(places, marks), under = fresh.lines;
    if (!this.over) {
      this.over = s("g", { class: "over" });
      this.picture.append(this.over);
    }
    over.push(...fresh.spots);
    this.offers = [];
    const more = new Set(steps.map((step) => step.place));
    const all = [...chosen.map((step) => ({ step, on: true, again: more.has(step.place) })), ...steps.map((step) => ({ step, on: false, again: true }))];
    const seen = new Set();
    for (const { step, on, again } of all) {
      const place = step.place && places.get(step.place);
      if (!place || seen.has(step.place)) continue;
      seen.add(step.place);
      const choose = () => pick(step, !again);
      const label = step.label.toLowerCase().includes(place.label.toLowerCase()) ? step.label : `${place.label}: ${step.label}`;
      const target = s("g", {
        class: on ? "target on" : step.instead === undefined ? "target" : "target instead", role: "button", tabindex: "-1", "aria-label": label, "data-place": step.place, "data-badge": step.badge,
        "aria-pressed": on ? "true" : "false", onclick: choose, onkeydown: (event) => this.key(event, step, !again, pick),
        onfocus: () => { this.focused = step.place; this.rove(); },
      }, this.hit(place), step.drawn ? step.drawn(place.box) : null, step.badge ? badge(place.box, step.badge) : null);
      this.offers.push({ target, choose, label: step.label, element: place.element, box: place.box, shape: place.shape, id: step.place, x: place.box.x + place.box.width / 2, y: place.box.y + place.box.height / 2 });
      over.push(target);
    }
    for (const step of chosen) {
      if (step.trail) under.push(trail(step.trail.map((one) => places.get(one)), "trail"));
      for (const one of step.hits || []) if (places.has(one)) over.push(cross(places.get(one).box));
    }
    over.unshift(s("g", { class: "reaches", "aria-hidden": "true", onclick: (event) => this.touch(event) }, this.offers.map(({ box }) => this.reach(box))));
    this.over.classList.toggle("many", this.offers.length > MANY);
    this.draw(under, game);
    const now = patch(this.over, over.filter(Boolean));
    const shown = new Map(now.filter((one) => one.dataset.place !== undefined).map((one) => [one.dataset.place, one]));
    for (const one of this.offers) one.target = shown.get(one.id);
    this.picture.setAttribute("aria-label", this.offers.length ? t("Board: arrow keys go from place to place, Enter chooses") : t("Board"));
    this.legend.show(this.picture, this.signs());
    this.goesOn();
    this.rove();
    if (this.left && this.offers.length) (this.offers.find((one) => one.id === this.focused) || this.offers[0]).target.focus({ preventScroll: true });
  }

  /** Mark these places, where nothing is to be chosen. */
  mark(places, marks, game) {
    this.offers = [];
    if (!this.over) this.over = s("g", { class: "over" });
    const { spots, lines } = marked(places, marks);
    patch(this.over, spots);
    this.picture.append(this.over); // over whatever moves there
    this.draw(lines, game);
    this.legend.show(this.picture, this.signs());
  }

  /** Lines from place to place, below what stands there: the game's `above` says what that is in the picture. */
  draw(lines, game) {
    if (!this.under) this.under = s("g", { class: "under", "aria-hidden": "true" });
    patch(this.under, lines.filter(Boolean));
    const above = (game.above && this.picture.querySelector(game.above)) || this.over;
    if (this.under.nextSibling !== above) above.before(this.under);
  }

  /** Pixels for each unit of the picture. */
  get scale() {
    return this.picture.getBoundingClientRect().width / this.picture.viewBox.baseVal.width || 1;
  }

  hit(place) {
    return frame(place, "hit", Math.max(LEAST, FINGER / this.scale + 2));
  }

  /** All of it is on the picture: what lies beyond its end cannot be pressed. */
  reach(box) {
    const { x, y, width, height } = this.picture.viewBox.baseVal, least = REACH / this.scale;
    const wide = Math.max(box.width, least), high = Math.max(box.height, least);
    const within = (middle, size, start, all) => Math.max(start, Math.min(middle - size / 2, start + all - size));
    return s("rect", { class: "reach", width: wide, height: high, x: within(box.x + box.width / 2, wide, x, width), y: within(box.y + box.height / 2, high, y, height) });
  }

  /** A press beside all places is meant for the nearest. */
  touch({ clientX, clientY }) {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(this.picture.getScreenCTM().inverse());
    const away = (one) => Math.hypot(one.x - x, one.y - y);
    [...this.offers].sort((one, other) => away(one) - away(other))[0].choose();
  }

  /** Where the picture is higher than its frame: if none of these is in sight, the first comes into it. */
  bring(elements) {
    const { frame } = this, seen = frame.getBoundingClientRect();
    const boxes = elements.map((one) => one.getBoundingClientRect());
    if (!boxes.length || frame.scrollHeight <= frame.clientHeight || boxes.some(({ top, bottom }) => top >= seen.top && bottom <= seen.bottom)) return;
    frame.scrollTop += (boxes[0].top + boxes[0].bottom - seen.top - seen.bottom) / 2;
  }

  /** Places are as large as they must be at the width that the page has now. */
  fit() {
    if (this.close) this.look();
    for (const offer of this.offers) become(offer.target.querySelector(".hit"), this.hit(offer));
    if (this.offers.length) patch(this.over.querySelector(".reaches"), this.offers.map(({ box }) => this.reach(box)));
    this.goesOn();
    this.scrolls();
    this.squeeze();
    const { laid } = this;
    this.laid = null;
    if (laid) laid();
  }

  /** Where what can be chosen goes on below the frame's edge, or is cut by it, a button leads there. */
  goesOn() {
    const { frame, further } = this, edge = frame.getBoundingClientRect().bottom + 2;
    further.hidden = frame.scrollTop + frame.clientHeight >= frame.scrollHeight - 2 || !this.lens.hidden || !this.offers.some(({ element }) => element.getBoundingClientRect().bottom > edge);
  }

  /** Where nothing on the picture takes the focus its frame does: keys scroll it, and have it explained. */
  scrolls() {
    const { frame } = this;
    frame.toggleAttribute("tabindex", false);
    if (!this.offers.length && this.picture) frame.setAttribute("tabindex", "0");
  }

  /** One place alone is in the tab order: the one that had the focus, or the first. */
  rove() {
    this.scrolls();
    const first = this.offers.find((one) => one.id === this.focused) || this.offers[0];
    for (const one of this.offers) one.target.setAttribute("tabindex", one === first ? "0" : "-1");
  }

  key(event, step, on, pick) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      pick(step, on);
    } else if (way) {
      event.preventDefault();
      const from = this.offers.find((one) => one.id === step.place);
      let best = null, least = Infinity;
      for (const one of this.offers) {
        const along = (one.x - from.x) * way[0] + (one.y - from.y) * way[1];
        const across = Math.abs((one.x - from.x) * way[1]) + Math.abs((one.y - from.y) * way[0]);
        if (along > 0.5 && along + 2.5 * across < least) { best = one; least = along + 2.5 * across; }
      }
      if (best) best.target.focus();
    }
  }
}
