/**
 * The screen of every game that brings none: whatever there is to choose, tell and show, by the schemas of its ruleset.
 *
 * Where the legal actions are listed, one is picked from the list, part by part where they are many; else the action is
 * put together in a form (`form.js`). What the picture has at `data-at` can be clicked where an action names it.
 */

import { get } from "./api.js";
import { Form } from "./form.js";
import { t, together } from "./i18n.js";
import { capital, event, members, payload, value, words } from "./told.js";

const FEW = 12;
/** So many actions are listed whole; of more, their parts are chosen one after another. */

const REASONS = { last_seat: () => t("only one side was left"), turn_limit: () => t("the turns were used up") };

export class General {
  constructor(game) {
    this.game = game;
    this.kinds = null;
    this.form = null;
    this.asked = null;
  }

  get ruleset() { return this.game.ruleset; }

  get title() { return this.game.title; }

  boardFirst = true;

  headless = false;

  told = true;

  gist = null;

  signs = () => [];

  rules = {};

  /** Learn the schemas of the ruleset; without them only what is listed can be chosen. */
  async learn() {
    if (this.kinds) return;
    try {
      this.kinds = (await get(`/v1/rulesets/${this.ruleset}`)).turn_kinds;
    } catch (fault) {
      if (!fault.told) throw fault;
    }
  }

  places = [{ selector: "[data-at]", id: (element) => element.dataset.at, label: (element) => element.dataset.at }];

  compose(ctx) {
    const legal = ctx.legal || ctx.were; // what was legal before one's choice was sealed is so until all have chosen
    const actions = legal && (legal.actions || (legal.grammar && legal.grammar.actions));
    if (Array.isArray(actions)) {
      this.asked = narrowing(actions, (action) => this.describe(action, ctx), ctx);
      return this.asked;
    }
    const schema = (legal && legal.schema) || (this.kinds && this.kinds[ctx.kind]);
    this.asked = null;
    const question = `${ctx.turn.turn} ${ctx.kind} ${Boolean(ctx.legal)}`;
    if (!this.form || this.form.question !== question) this.form = new Form(schema || {}, question, legal && legal.sample);
    return this.form.composer(ctx.places);
  }

  ask(ctx, chosen) {
    const part = this.asked && this.asked.part(chosen);
    if (part && part !== "type") return t("Choose: {what}.", { what: `${words(ctx.kind)}, ${words(part)}` });
    const about = ctx.turn.context ? members(ctx.turn.context, ctx).join(", ") : "";
    return t("Choose: {what}.", { what: about ? t("{what} ({how})", { what: words(ctx.kind), how: about }) : words(ctx.kind) });
  }

  describe(action, ctx) {
    return capital(payload(action, ctx));
  }

  tell(found, ctx) {
    return event(found, ctx);
  }

  reason(reason) {
    return (REASONS[reason] || (() => words(reason)))();
  }

  combat(record, ctx) {
    return { title: t("Combat {n}", { n: record.number }), steps: [{ words: capital(members(record, ctx, { without: ["number", "status"] }).join(", ")) }] };
  }

  asOf(record) {
    return record;
  }

  /** The places that an event names, and a line where something went from one to another. */
  marks(found, ctx) {
    const { places, ways } = named(found, ctx);
    return [...places, ...ways];
  }

  /** The sign of who did it goes the way that an event names, or to each place. */
  plays(found, ctx) {
    const { places, ways } = named(found, ctx);
    const seat = found.seat ?? found.owner;
    return ways.length ? ways.map((via) => ({ seat, via, hop: via.length > 2 })) : places.map((to) => ({ seat, to }));
  }

  /** What the picture says of its own: a group's title, or else its class and data. */
  explain(element, ctx) {
    const { title, ...data } = element.dataset;
    if (title) return { what: title };
    if (element.localName !== "g" || !Object.keys(data).length) return null;
    const known = Object.fromEntries(Object.entries(data).map(([name, one]) => [name, /^\d+$/.test(one) ? Number(one) : one]));
    return { name: capital(words(element.getAttribute("class") || t("place"))), what: capital(`${members(known, ctx).join(", ")}.`) };
  }

  standing() {
    return [];
  }

  seatNote(seat, { view }) {
    const found = view.scores ? view.scores[seat] : view.seats && view.seats[seat] && view.seats[seat].score;
    return typeof found === "number" ? t("score {n}", { n: found }) : "";
  }

  tally() {
    return [];
  }

  endRule() {
    return null;
  }

  move() {
    return null;
  }

  ruleOf() {
    return null;
  }

  /** The scores of the winning sides and of the next one; nothing where they do not tell who won. */
  won({ winners, scores, reason }, { name, sides }) {
    if (reason === "last_seat") return { words: t("All others had given up.") };
    const worth = (side) => side.reduce((sum, seat) => sum + scores[seat], 0);
    const best = sides.filter((side) => side.some((seat) => winners.includes(seat)));
    const others = sides.filter((side) => !best.includes(side)).sort((one, other) => worth(other) - worth(one));
    const told = { names: together(winners.map(name)), n: worth(best[0]) };
    if (best.length > 1 && best.every((side) => worth(side) === told.n)) return { words: t("{names} have the same score, {n}, and share the win.", told) };
    if (best.length > 1 || !others.length || worth(others[0]) >= told.n) return null;
    return { words: t("The highest score: {names}, with {n}. Next: {others}, with {m}.", { ...told, others: together(others[0].map(name)), m: worth(others[0]) }) };
  }
}

const WAYS = [["from", "to"], ["start", "end"], ["source", "target"], ["origin", "destination"]];

/** The places of the board that an event names, and the ways between them: lists called `path`, and pairs of fields. */
function named(found, { places: known }) {
  const places = [], ways = [];
  const look = (value, name) => {
    if (typeof value === "string" && known.includes(value)) places.push(value);
    else if (Array.isArray(value) && name === "path" && value.length > 1 && value.every((one) => known.includes(one))) { ways.push(value); places.push(value[value.length - 1]); }
    else if (typeof value === "object" && value !== null) Object.entries(value).forEach(([key, one]) => look(one, key));
  };
  look(found, "");
  for (const [start, end] of WAYS) if (known.includes(found[start]) && known.includes(found[end])) ways.push([found[start], found[end]]);
  return { places: [...new Set(places)], ways };
}

/** The parts of an action by their pointers: what is in lists and objects within it, too. What is empty is null. */
function parts(found, pointer = "", into = new Map()) {
  const within = typeof found === "object" && found !== null ? Object.entries(found) : [];
  within.forEach(([name, one]) => parts(one, `${pointer}/${name}`, into));
  if (!within.length) into.set(pointer, typeof found === "object" ? null : found);
  return into;
}

/** What a part is called: the last name in its pointer that is no number. */
const nameOf = (pointer) => pointer.split("/").filter((one) => !/^\d*$/.test(one)).pop() || "";

/** A composer of listed actions that makes many of them fewer, part by part. */
function narrowing(actions, describe, ctx) {
  const all = actions.map((action) => ({ action, key: JSON.stringify(action), has: parts(action) }));
  const left = (chosen) => all.filter((one) => chosen.every((step) => (step.pointer === undefined ? step.key === one.key : one.has.get(step.pointer) === step.value)));
  const onBoard = (found) => typeof found === "string" && ctx.places.includes(found);
  /** The first part in which these differ. */
  const differing = (some) => {
    for (const pointer of new Set(some.flatMap((one) => [...one.has.keys()]))) {
      if (some.some((one) => one.has.get(pointer) !== some[0].has.get(pointer))) return pointer;
    }
    return null;
  };
  /** The part by which these are told apart; null where they are listed whole. */
  const asked = (some) => {
    const pointer = differing(some);
    return pointer !== null && (some.length > FEW || some.some((one) => onBoard(one.has.get(pointer)))) ? pointer : null;
  };
  return {
    options(chosen) {
      const some = left(chosen);
      if (some.length < 2) return [];
      const pointer = asked(some);
      if (pointer === null) return some.map((one) => ({ key: one.key, label: describe(one.action) }));
      const name = nameOf(pointer), found = new Map();
      for (const one of some) {
        const part = one.has.get(pointer);
        const label = !one.has.has(pointer) ? t("no more") : name === "type" ? capital(words(part)) : value(part, name, ctx);
        if (!found.has(part)) found.set(part, { key: `${pointer} ${JSON.stringify(part)}`, pointer, value: part, label, ...(onBoard(part) ? { place: part } : {}) });
      }
      return [...found.values()];
    },
    action(chosen) {
      const some = left(chosen);
      return some.length === 1 ? some[0].action : null;
    },
    /** What the next part is called that is asked for; null where actions are listed whole. */
    part(chosen) {
      const pointer = asked(left(chosen));
      return pointer === null ? null : nameOf(pointer);
    },
  };
}
