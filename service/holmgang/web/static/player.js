/**
 * What has happened, played on the board as it was before: one thing after another, with who did it, until the board is as it
 * is now. Fights are told in the same place. Who prefers no motion, or no playing, sees what has come of it at once.
 *
 * What a game's screen says of an event (`plays`) is a list of flights. All of one event fly together:
 *
 *   piece        a selector of what moves, or several, of which the first counts that finds anything: it is lifted off the picture;
 *                `now` are data attributes that it has where it arrives
 *   like         a selector of what a copy is made of, where nothing is lifted
 *   seat         whose sign flies where the picture has neither
 *   from         where it starts, if not where it lies: a place of the board, or a selector
 *   via, to      the places that it passes, and where it ends; without them it stays
 *   hop          it hops from place to place, and does not glide
 *   gone         it is not there any more afterwards
 */

import { cardsOf } from "./combats.js";
import { button, h, renew, s } from "./dom.js";
import { HOUSE, sentence } from "./feed.js";
import { t } from "./i18n.js";
import { keep, kept } from "./kept.js";
import { openDialogs, seatChip } from "./people.js";
import { ruleButton } from "./rulebook.js";

const KEPT = "holmgang.pace";
const PACES = { slow: 900, usual: 700, fast: 300, off: 0 };
/** Milliseconds for each thing that happened. */
const NAMES = { slow: () => t("slowly"), usual: () => t("at the usual pace"), fast: () => t("fast"), off: () => t("not at all") };
const READING = 1.5;
/** A step of one's own fight takes so much longer. */
const TOGETHER = 3;
/** So many fights of others are shown at once. */
const BETWEEN_MS = 2100;
/** What lies between two moments of a replay takes no longer. */
const LIFT = 9;
/** How high a piece hops, in units of the picture. */

const still = window.matchMedia("(prefers-reduced-motion: reduce)");

const chosen = () => { const found = kept(KEPT); return found in PACES ? found : "usual"; };

/** How long each thing takes that is played: 0 where nothing is. */
const paceMs = () => (still.matches || document.hidden ? 0 : PACES[chosen()]);

/** Where people choose how fast moves are played. */
export function paceChoice() {
  const box = h("select", { name: "pace", "aria-label": t("Moves are played"), onchange: () => {
    keep(KEPT, box.value);
    document.querySelectorAll("select[name=pace]").forEach((one) => { one.value = box.value; });
  } }, Object.keys(PACES).map((one) => h("option", { value: one, selected: one === chosen() }, NAMES[one]())));
  return h("label", { class: "pace", "data-key": "pace", "data-about": "pace" }, h("span", {}, t("Moves are played")), box);
}

let playing = null;
document.addEventListener("visibilitychange", () => { if (document.hidden && playing) playing.skip(); }); // nothing moves on a page that nobody sees

/** Whoever reads a rule meanwhile is waited for. */
const closed = () => new Promise((go) => {
  const open = openDialogs().pop();
  if (open) open.addEventListener("close", go, { once: true });
  else go();
});

const centre = ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 });

/** Who did it, as events of most games tell. */
const whose = ({ seat, owner, by, attacker }) => seat ?? (owner !== undefined && Number.isInteger(by) ? by : owner) ?? attacker;

/** What an event has changed on the board, and whose doing that was: `{at, seat}`, where `at` is a place, or a list of places. */
export const marksOf = (game, payload, ctx) => game.marks(payload, ctx).map((at) => ({ at, seat: whose(payload) }));

/** A game's places without what they are called, which may depend on more than is known. */
export const unlabelled = (game) => ({ places: game.places.map((one) => ({ ...one, label: () => "" })) });

/** The board's picture, on which things move. */
class Stage {
  constructor(board, game, ctx) {
    this.board = board;
    this.picture = board.picture;
    this.places = board.places(unlabelled(game), ctx);
    this.layer = s("g", { class: "played", "aria-hidden": "true" });
    this.lifted = new Set();
    this.known = new Map(); // of what lies in the layer: where it was drawn, and where it is
    this.flying = new Set();
    this.picture.append(this.layer);
  }

  /** All is as it was. */
  clear() {
    this.lifted.forEach((one) => one.removeAttribute("visibility"));
    this.layer.remove();
  }

  /** Several selectors are tried one after another; in one list the first of the picture would be found. */
  find(selectors) {
    for (const one of [selectors || []].flat()) {
      const found = [...this.picture.querySelectorAll(one)].find((each) => !this.lifted.has(each));
      if (found) return found;
    }
    return null;
  }

  spot(where) {
    if (where === undefined || where === null) return null;
    const place = this.places.get(where);
    if (place) return centre(place.box);
    const found = /^[a-z]+[.[]/.test(where) ? this.find(where) : null;
    return found && (this.known.has(found) ? this.known.get(found).at : centre(found.getBBox()));
  }

  /** The sign of a seat, where there is nothing else to be seen of it. */
  sign(seat) {
    const numbered = Number.isInteger(seat);
    return s("g", {}, s("circle", { r: 9, class: numbered ? `f-clan${seat} s-ink` : "f-gold s-ink" }),
      numbered ? s("text", { y: 3.6, "text-anchor": "middle", "font-size": 10, class: `b o-clan${seat}` }, String(seat)) : null);
  }

  /** What flies, in the layer. */
  lift({ piece, like, seat }, start) {
    const there = this.find(piece);
    if (there && this.known.has(there)) return there;
    const model = there || this.find(like);
    const made = model ? model.cloneNode(true) : this.sign(seat);
    made.removeAttribute("transform");
    const at = model ? (this.known.get(model) || { at: centre(model.getBBox()) }).at : start;
    const drawn = model && this.known.has(model) ? this.known.get(model).drawn : model ? at : { x: 0, y: 0 };
    if (!at) return null;
    if (there) {
      there.setAttribute("visibility", "hidden");
      this.lifted.add(there);
    }
    this.layer.append(made);
    this.known.set(made, { drawn, at: there ? at : start || at });
    return made;
  }

  /** Have something fly for so long; at once for 0. */
  async fly(flight, ms) {
    const spots = [...(flight.via || []), ...(flight.to === undefined ? [] : [flight.to])].map((one) => this.spot(one)).filter(Boolean);
    const start = this.spot(flight.from) || (this.find(flight.piece) ? null : spots[0]);
    const made = this.lift(flight, start);
    if (!made) return;
    const { drawn, at } = this.known.get(made), end = spots[spots.length - 1] || at;
    const shift = ({ x, y }, up = 0) => `translate(${(x - drawn.x).toFixed(1)}px, ${(y - drawn.y - up).toFixed(1)}px)`;
    const route = [at, ...spots].filter((one, n, all) => !n || one.x !== all[n - 1].x || one.y !== all[n - 1].y);
    const frames = route.flatMap((one, n) => [...(n && flight.hop ? [{ transform: shift({ x: (one.x + route[n - 1].x) / 2, y: (one.y + route[n - 1].y) / 2 }, LIFT) }] : []), { transform: shift(one) }]);
    if (frames.length === 1) frames.push({ ...frames[0] });
    if (flight.gone) frames[frames.length - 1].opacity = 0;
    else if (route.length === 1 && !flight.piece) frames[0].opacity = 0; // it appears
    made.setAttribute("transform", `translate(${(at.x - drawn.x).toFixed(1)} ${(at.y - drawn.y).toFixed(1)})`);
    if (ms) {
      this.board.bring([made]);
      const flying = made.animate(frames, { duration: ms, easing: "ease-in-out", fill: "both" });
      this.flying.add(flying);
      await flying.finished;
      this.flying.delete(flying);
      flying.cancel();
    }
    made.setAttribute("transform", `translate(${(end.x - drawn.x).toFixed(1)} ${(end.y - drawn.y).toFixed(1)})`);
    this.known.set(made, { drawn, at: end });
    if (ms) this.board.bring([made]);
    Object.assign(made.dataset, flight.now);
    if (!flight.gone) return;
    made.setAttribute("visibility", "hidden");
    this.lifted.add(made);
  }
}

export class Player {
  constructor(board, chooser) {
    this.board = board;
    this.chooser = chooser;
    this.told = new Map(); // how many steps of each combat have been told
    this.stage = null;
    this.past = false; // whether nothing is played until one is asked
    this.said = h("div", {});
    this.note = h("span", { class: "soft" });
    this.onward = button(t("On to my turn"), () => { this.past = true; this.skip(); }, { "data-about": "onward" });
    this.element = h("div", { "data-key": "player" }, this.said, h("div", { class: "bar" }, button(t("Skip"), () => this.skip(), { class: "go", "data-about": "skip" }), this.onward, paceChoice(), this.note));
  }

  /** What is to be shown of events: `{words, flights, seat, marks, records}`, what belongs together as one. */
  acts(events, game, ctx, fights) {
    const made = [];
    const last = new Map(events.map((one) => [one.payload.combat, one.seq]));
    for (const event of events) {
      const { payload, turn, seq } = event;
      if (HOUSE.has(payload.type)) continue;
      const words = sentence(game, event, ctx), flights = game.plays(payload, ctx);
      if (!words && !flights.length && payload.combat === undefined) continue;
      const seat = whose(payload), before = made[made.length - 1];
      const fight = game.told || payload.combat === undefined ? null : fights.get(payload.combat);
      const steps = fight && this.own(fight, ctx) && fight.status !== "open"; // which tell all of it
      const of = fight && (this.own(fight, ctx) ? `combat ${payload.combat}` : "combats"), kind = of || `${turn} ${payload.type} ${seat}`;
      const full = of === "combats" && before && !before.fights.has(payload.combat) && before.fights.size === TOGETHER;
      const together = before && !full && (before.kind === kind || (!flights.length && !fight && !before.fights.size && before.turn === turn && before.seat === seat));
      const act = together ? before : { kind, turn, seat, words: [], flights: [], marks: [], fights: new Set(), records: [], rule: null };
      if (act !== before) made.push(act);
      act.flights.push(...flights);
      act.marks.push(...marksOf(game, payload, ctx));
      if (words && !steps && !act.words.includes(words)) {
        act.words.push(words);
        act.rule ||= game.ruleOf(payload);
      }
      if (!fight) continue;
      act.fights.add(payload.combat);
      if (last.get(payload.combat) === seq) act.records.push(fight);
    }
    return made.filter((act) => act.words.length || act.flights.length || this.steps(act, ctx));
  }

  /** Whether an act is one's own fight, of which each step is told. */
  steps({ records: [record] }, ctx) {
    return record !== undefined && record.status !== "open" && this.own(record, ctx);
  }

  /** These combats have been told as far as they are. */
  knows(fights, game, ctx) {
    for (const one of fights) this.told.set(one.number, one.status === "open" ? 1 : game.combat(one.record, ctx).steps.length);
  }

  /**
   * Play events on the board, which shows what was before them. `ctx` is what was known then, `now` what is known with them, and
   * `fights` are the combats by number.
   */
  async play(events, game, ctx, now, fights) {
    if (this.past || !paceMs() || !this.board.picture) return;
    const acts = this.acts(events, game, now, fights);
    if (!acts.length) return;
    this.skipping = false;
    this.onward.hidden = ctx.seat === null;
    playing = this;
    this.board.offer(game, ctx, [], [], () => {});
    const stage = this.stage = new Stage(this.board, game, ctx), marks = [], { scrollTop } = this.board.frame;
    try {
      for (let n = 0; n < acts.length && !this.skipping; n += 1) {
        const act = acts[n], ms = paceMs();
        if (!ms) break;
        marks.push(...act.marks);
        if (act.words.length) this.say({ ...act, rule: act.rule && ruleButton(game.ruleset, act.rule) }, t("{n} of {all}", { n: n + 1, all: acts.length }), this.sceneOf(act, game, now));
        this.board.mark(stage.places, marks, game);
        const fly = () => Promise.all([this.rest(ms), ...act.flights.map((flight) => stage.fly(flight, ms))]), told = this.steps(act, now);
        if (!told) await fly();
        if (act.records.length) await this.fight(act, game, now);
        if (told) await fly(); // what comes of one's own fight would give away how it ends
      }
    } finally {
      playing = null;
      stage.clear();
      this.stage = null;
      this.board.frame.scrollTop = scrollTop; // what flew to a hand below led away from where one chooses
    }
  }

  /** How a fight of others stands after it. */
  sceneOf({ records: [found, more] }, game, ctx) {
    if (!found || more || this.own(found, ctx)) return null;
    const step = game.combat(found.record, ctx).steps.findLast((one) => one.scene || one.cards);
    return step ? sceneOf(step, ctx) : null;
  }

  own({ record }, { seat }) {
    return seat !== null && [record.attacker, record.defender].some((one) => one === seat || (one && one.seat === seat));
  }

  async fight(act, game, ctx) {
    if (!this.steps(act, ctx)) {
      for (const one of act.records) this.told.set(one.number, 1); // who fights whom
      const over = act.records.filter((one) => one.status !== "open").length;
      if (over) await this.rest((over > 1 ? READING : 1) * paceMs());
      return;
    }
    const [record] = act.records, { steps, title } = game.combat(record.record, ctx);
    for (let n = this.told.get(record.number) || 0; n < steps.length && !this.skipping; n += 1) {
      const { words, rule } = steps[n];
      this.say({ seat: act.seat, words: [words], rule: rule && ruleButton(game.ruleset, rule) }, title, sceneOf(steps[n], ctx));
      await this.rest(READING * paceMs());
    }
    this.told.set(record.number, steps.length);
  }

  /** What is said beside the board meanwhile, in the place of choices. */
  say({ seat, words, fights, rule }, note, scene = null) {
    renew(this.said, h("div", { class: "teller" }, Number.isInteger(seat) && !(fights && fights.size > 1) ? seatChip(seat) : null, h("p", { class: "ask" }, words.join(" "), rule ? [" ", rule] : null)), scene);
    this.note.textContent = note;
    this.chooser.stop([this.element]);
  }

  rest(ms) {
    return new Promise((go) => {
      const timer = window.setTimeout(() => closed().then(go), ms);
      this.hurry = () => { window.clearTimeout(timer); go(); };
    });
  }

  /** What is left is not played. */
  skip() {
    this.skipping = true;
    if (this.hurry) this.hurry();
    if (this.stage) this.stage.flying.forEach((one) => one.finish());
  }

  /** Whether anything is played. */
  get moves() {
    return paceMs() > 0;
  }

  /** Play what happened between two moments of a replay, so many times as fast; what is said of it stands elsewhere. */
  async between(events, game, ctx, speed) {
    const flights = this.acts(events, game, ctx, new Map()).map((act) => act.flights).filter((some) => some.length);
    if (!this.moves || !flights.length || !this.board.picture) return;
    this.skipping = false;
    const stage = this.stage = new Stage(this.board, game, ctx), ms = Math.min(paceMs(), BETWEEN_MS / flights.length) / speed;
    for (const some of flights) if (!this.skipping) await Promise.all(some.map((flight) => stage.fly(flight, ms)));
    stage.clear();
    this.stage = null;
  }

  /** Have the board, which shows what was before these events, show what was after them; the last is played. */
  async moment(events, game, ctx) {
    const stage = this.stage = new Stage(this.board, game, ctx);
    for (const event of events) {
      const ms = event === events[events.length - 1] ? paceMs() : 0;
      await Promise.all(game.plays(event.payload, ctx).map((flight) => stage.fly(flight, ms)));
    }
    if (this.stage === stage) this.stage = null;
  }
}

/** How it stands at a step of a combat. */
const sceneOf = (step, ctx) => (step.scene ? step.scene() : cardsOf(step, ctx));
