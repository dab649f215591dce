/** What is new in a game with a turn: all of it is fetched before any of it is shown, and each thing once. */

import * as api from "./api.js";
import { language } from "./i18n.js";
import { gamePath } from "./people.js";
import { file, root } from "./place.js";
import { Sight } from "./sight.js";

const PAGE = 200;
const FEW = 5;
/** So many combats are fetched one by one; of more, the list. */

export class News {
  constructor(ident, options) {
    this.path = (rest = "") => gamePath(ident, rest);
    this.options = options;
    this.summary = null;
    this.events = [];
    this.combats = new Map();
    this.pictured = null; // the view of which the picture is there
    this.opening = null; // the board before the game begins
    this.views = new Sight((path) => api.get(path, this.options()));
  }

  /** The number of the last event that is known. */
  get known() {
    return this.events.length ? this.events[this.events.length - 1].seq : 0;
  }

  /**
   * Fetch what a turn brings: `{events, picture, fights}`, of which `picture` is an SVG document, or null where it is the one that
   * was there, and `fights` all combats, or null where none is new. `missing` tells why there is no picture. After a fault nothing
   * counts as known, and all is fetched when it is asked for again.
   */
  async of(turn) {
    const [events, drawn] = await Promise.all([this.since(turn), this.drawing(turn)]);
    const [summary, fights] = await Promise.all([this.facts(turn, events), this.fighting(turn, events)]);
    Object.assign(this, { summary, pictured: drawn.of });
    this.events.push(...events);
    if (fights) fights.forEach((one) => this.combats.set(one.number, one));
    return { events, picture: drawn.picture, missing: drawn.missing, fights: fights && [...this.combats.values()].sort((one, other) => one.number - other.number) };
  }

  /** The events up to the turn; those after it come with the next. */
  async since(turn) {
    if (turn.version <= this.known) return [];
    const whole = (items) => items[items.length - 1].seq >= turn.version;
    const found = await api.pages(this.path(`/events?after=${this.known}&limit=${PAGE}`), this.options(), { whole });
    return found.filter((one) => one.seq <= turn.version);
  }

  /** Equal views have equal pictures. Before there are views, there is the board that waits, drawn each time, since who sits there changes. */
  async drawing({ view, status }) {
    if (status === "open") return { of: null, picture: this.opening ||= await this.beginning() };
    const of = view ? JSON.stringify(view) : null;
    if (of === this.pictured) return { of };
    if (!view) return { of: this.pictured };
    try {
      return { of, picture: await api.text(this.path("/board.svg"), this.options()) };
    } catch (fault) {
      if (!fault.told || fault instanceof api.Unreachable) throw fault;
      return { of: null, missing: fault.told }; // one can play all the same
    }
  }

  /** Where the board before the game begins is found, or with `json` the view of it. */
  opened(ending) {
    const { ruleset, seats, options } = this.summary, by = encodeURIComponent(JSON.stringify(options));
    return file(`boards/${ruleset}-${seats.length}.${language}.${ending}?options=${by}`).slice(root.href.length - 1);
  }

  /** The view of it, where it is known; else it is fetched, and `then` called. */
  beginningView(then) {
    return this.views.of(this.opened("json"), then);
  }

  /** Null where there is none: one can wait all the same. */
  async beginning() {
    try {
      return await api.text(this.opened("svg"), this.options());
    } catch (fault) {
      if (!fault.told || fault instanceof api.Unreachable) throw fault;
      return null;
    }
  }

  /** The game's facts, where they may be others than they were. */
  facts(turn, events) {
    const { summary } = this;
    const same = summary && (summary.version === turn.version || (summary.status === turn.status && !events.some((one) => /^(seat_|game_)/.test(one.payload.type))));
    return same ? summary : api.get(this.path(), this.options());
  }

  /** The combats that began or went on since. */
  async fighting({ view }, events) {
    if (!view || view.combats === 0 || (!events.length && this.combats.size)) return null;
    const list = () => api.pages(this.path("/combats?limit=100"), this.options());
    const begun = [...new Set(events.map(({ payload }) => payload.combat))].filter((number) => Number.isInteger(number) && !this.combats.has(number));
    if (!this.combats.size || view.combats !== this.combats.size + begun.length) return list(); // events and view of a game need not tell
    const touched = ({ payload }, number) => payload.type !== "choice_sealed" && [undefined, number].includes(payload.combat);
    const open = [...this.combats.values()].filter((one) => one.status === "open" && events.some((event) => touched(event, one.number))).map((one) => one.number);
    const changed = [...open, ...begun];
    if (changed.length > FEW) return list();
    return changed.length ? Promise.all(changed.map((number) => api.get(this.path(`/combats/${number}`), this.options()))) : null;
  }
}
