/** What has happened, in sentences: the latest move first, and each from its beginning. */

import { clockTold } from "./clocks.js";
import { h, renew } from "./dom.js";
import { t, together } from "./i18n.js";

const FEW = 40;

/** What happens around any game, and not on its board. */
export const HOUSE = new Set(["game_created", "seat_taken", "seat_left", "game_started", "choice_sealed", "choice_defaulted", "seat_absent", "seat_forfeited",
  "clock_stopped", "seat_returned", "deadline_put_off", "bank_charged", "leave_begun", "leave_ended", "game_archived", "game_revived"]);

const UNSPOKEN = new Set(["bank_charged"]);

/** A sentence about an event of any game; null for what is not worth one. */
export function sentence(game, event, ctx) {
  const { payload } = event;
  const name = payload.seat === undefined ? "" : ctx.name(payload.seat);
  switch (payload.type) {
    case "game_created": return t("The game was created.");
    case "seat_taken": return t("{name} sits down.", { name });
    case "seat_left": return t("Seat {n} is free again.", { n: payload.seat });
    case "game_started": return t("The game begins.");
    case "choice_sealed": return t("{name} has chosen.", { name });
    case "choice_defaulted": return t("A choice is made for {name}.", { name });
    case "seat_absent": return t("{name} is absent and is played for.", { name });
    case "seat_forfeited": return t("{name} is out: the time was up.", { name });
    case "clock_stopped": return t("Nobody is there: the clock stops until somebody comes back.");
    case "seat_returned": return t("{name} is back.", { name });
    case "deadline_put_off": return t("The service was away: there is more time.");
    case "bank_charged": return t("{name} thought for {spent}; {left} is left.", { name, spent: clockTold(payload.spent_ms), left: clockTold(payload.left_ms) });
    case "leave_begun": return t("{name} goes on leave, for {time} at most.", { name, time: clockTold(payload.left_ms) });
    case "leave_ended": return t("{name} is back from leave; {time} of it is left.", { name, time: clockTold(payload.left_ms) });
    case "game_archived": return t("Nobody came for a long time: the game is laid aside.");
    case "game_revived": return t("The game goes on.");
    default: return game.tell(payload, ctx);
  }
}

const OPENING = new Set(["game_created", "seat_taken", "seat_left", "game_started"]);

/** The same lines, with one in place of all that led to the beginning of the game. */
function opened(told) {
  const start = told.findIndex(({ type }) => type === "game_started"), upto = start < 0 ? told.length : start + 1;
  const some = told.slice(0, upto).filter(({ type }) => OPENING.has(type)), last = some[some.length - 1], names = new Map();
  for (const { type, seat, name } of some) {
    if (type === "seat_taken") names.set(seat, name);
    if (type === "seat_left") names.delete(seat);
  }
  if (some.length < 2 || names.size < 2) return told;
  const all = { names: together([...names.values()]) }, words = start < 0 ? t("{names} sit down.", all) : t("{names} sit down, and the game begins.", all);
  return [...told.filter((one) => !some.includes(one)), { ...last, words }];
}

/** A sentence as a link to the moment that it tells of; `link(seq)` gives the attributes of the link, or of the button. */
export function moment(words, seq, link) {
  const given = link(seq);
  return h(given.href ? "a" : "button", { ...(given.href ? {} : { type: "button" }), class: "moment", "data-key": `moment ${seq}`, ...given }, words);
}

export class Feed {
  /** `link(seq)`: see `moment`; `foot` stands below the list. */
  constructor(link, foot = null) {
    this.link = link;
    this.list = h("ol", { class: "feed", tabindex: "0", "aria-labelledby": "happened" });
    this.all = false;
    this.more = h("button", { type: "button", class: "quiet", hidden: true, onclick: () => { this.all = !this.all; this.draw(); } });
    this.element = h("section", { class: "panel happened", "aria-labelledby": "happened" }, h("h2", { id: "happened" }, t("What has happened")), this.list, this.more, foot);
    this.told = [];
    Object.assign(this, { turn: null, move: 0 }); // of the latest event
    this.since = Infinity; // what is later is shown as new
  }

  /** All sentences anew. */
  tell(game, events, ctx) {
    this.told = [];
    this.add(game, events, ctx);
  }

  /** More of them; gives the sentences that are worth reading out. */
  add(game, events, ctx) {
    const lineOf = (event) => {
      const { type, seat } = event.payload;
      return { seq: event.seq, move: this.moveOf(event, game), type, seat, name: type === "seat_taken" ? ctx.name(seat) : null, words: sentence(game, event, ctx) };
    };
    const fresh = events.map(lineOf).filter((one) => one.words);
    this.told.push(...fresh);
    this.draw();
    return fresh.filter((one) => !UNSPOKEN.has(one.type)).map((one) => one.words);
  }

  /** Moves are counted by their beginnings, or are turns where the game tells none. */
  moveOf({ turn, payload }, game) {
    const begins = game.move(payload);
    if (begins || (begins === null && turn !== this.turn)) this.move += 1;
    this.turn = turn;
    return this.move;
  }

  draw() {
    const told = [...opened(this.told)].sort((one, other) => one.seq - other.seq);
    const shown = (this.all ? told : told.slice(-FEW)).slice().sort((one, other) => other.move - one.move || one.seq - other.seq);
    renew(this.list, shown.map((one, n) => h("li", { class: [n && shown[n - 1].move !== one.move ? "newturn" : "", one.seq > this.since ? "new" : ""].join(" ").trim() || null, "data-key": `line ${one.seq}` }, HOUSE.has(one.type) ? one.words : moment(one.words, one.seq, this.link))));
    this.more.hidden = told.length <= FEW;
    this.more.textContent = this.all ? t("Show the latest only") : t("Show all {n}", { n: told.length });
  }
}
