/**
 * A go in Drakkars (D4, D7, D8.2): all that may be done, and the rows of steps that lead to each: ship first, then where to
 * and by what; or a card first; or what two cards do together.
 */

import { t, together } from "../../i18n.js";
import { COMBINATIONS, NJORD, ODIN, TYR, capital, cell, drawn, drawNote, drawTold, named, shipName, shipTold, stepsTold } from "./names.js";
import { briefly, outlook, reach } from "./outlook.js";

const unique = (sets) => [...new Map(sets.map((one) => [String(one), one])).values()];

export function choose(cards, size) {
  if (!size) return [[]];
  return cards.flatMap((card, n) => choose(cards.slice(n + 1), size - 1).map((rest) => [card, ...rest]));
}

/** All that may be done, where the service counts it only. */
export function sails(view, seat, launches) {
  const hand = view.hand, cards = [...new Set(hand)].sort((a, b) => a - b), own = view.seats[seat];
  const has = (...gods) => gods.every((card) => hand.includes(card));
  const all = view.seats.flatMap((one) => one.ships.map((ship) => ({ seat: one.seat, ...ship })));
  const afloat = all.filter((ship) => ship.at === "sea" || ship.at === "fjord"), sea = all.filter((ship) => ship.at === "sea");
  const fleet = afloat.filter((ship) => ship.seat === seat), hidden = own.ships.find((ship) => ship.at === "hidden");
  const ref = ({ seat: owner, ship }) => ({ seat: owner, ship });
  const moves = (card, more = 0) => (card === ODIN ? Array.from({ length: 10 }, (_, n) => ({ card, steps: n + 1 + more })) : [{ card }]);
  const partners = cards.filter((card) => card !== TYR && card !== NJORD);
  const found = [];
  for (const { ship } of fleet) for (const card of cards) found.push(...moves(card).map((one) => ({ type: "sail", ship, ...one })));
  if (has(5, ODIN)) {
    sea.forEach((one, n) => sea.slice(n + 1).forEach((other) => {
      found.push({ type: "swap", ships: [ref(one), ref(other)] });
      if (one.seat === seat && other.seat === seat) found.push({ type: "swap", ships: [ref(other), ref(one)] });
    }));
  }
  if (has(4, 9) && !hidden) found.push(...fleet.map(({ ship }) => ({ type: "fog", ship })));
  if (has(2, 7)) found.push(...sea.map((one) => ({ type: "back", ship: ref(one) })));
  if (has(1, 6)) {
    for (const one of afloat) for (const other of afloat) if (one !== other) {
      for (let n = 1; n < 7; n += 1) found.push({ type: "pair", moves: [{ ...ref(one), steps: n }, { ...ref(other), steps: 7 - n }] });
    }
  }
  if (launches && has(TYR)) for (const card of partners) found.push(...moves(card).map((one) => ({ type: "launch", ...one })));
  if (has(NJORD)) for (const { ship } of fleet) for (const card of partners) found.push(...moves(card, 3).map((one) => ({ type: "boost", ship, ...one })));
  found.push({ type: "draw" });
  if (launches) found.push({ type: "ready_ship" });
  if (hidden) {
    if (view.fog_cards.length === 1) found.push(...cards.map((card) => ({ type: "fog_card", card })));
    found.push(...cards.map((card) => ({ type: "emerge", card })));
  }
  if (view.end) {
    const under = view.fog_cards ? view.fog_cards.reduce((sum, card) => sum + card, 0) : 0;
    for (const { ship, way_home: way } of hidden ? [...fleet, hidden] : fleet) {
      const needed = Math.max(1, way - (hidden && hidden.ship === ship ? under : 0));
      for (let size = 1; size <= hand.length; size += 1) {
        for (const set of unique(choose([...hand].sort((a, b) => a - b), size))) {
          const sum = set.reduce((total, card) => total + card, 0);
          if (sum >= needed && sum < needed + set[0]) found.push({ type: "rush", ship, cards: set });
        }
      }
    }
  }
  return found;
}

export const reserve = (view, seat) => view.seats[seat].ships.find((ship) => ship.at === "reserve");
const hiddenOne = (view, seat) => view.seats[seat].ships.find((ship) => ship.at === "hidden");
const plus = (card, more) => t("{card} and {other}", { card: named(more), other: named(card) });

/** Which of one's ships moves, and how many steps; nothing for what moves none of one's own, or more than one. */
export function moved(action, { view, seat }) {
  const by = action.steps === undefined ? action.card : action.steps;
  switch (action.type) {
    case "sail": return { ship: action.ship, steps: by };
    case "boost": return { ship: action.ship, steps: action.steps === undefined ? action.card + 3 : action.steps };
    case "launch": return { ship: reserve(view, seat).ship, steps: by };
    case "emerge": return { ship: hiddenOne(view, seat).ship, steps: view.fog_cards.reduce((sum, card) => sum + card, action.card) };
    case "rush": {
      const under = view.seats[seat].ships[action.ship].at === "hidden" ? view.fog_cards : [];
      return { ship: action.ship, steps: [...action.cards, ...under].reduce((sum, card) => sum + card, 0) };
    }
    default: return null;
  }
}

/** Without those that go further past home with Odin than they must: that makes no difference. */
export function useful(actions, ctx) {
  const { view, seat } = ctx;
  return actions.filter((action) => {
    if (action.steps === undefined) return true;
    const least = action.type === "boost" ? 4 : 1, { ship } = moved(action, ctx);
    return action.steps === least || reach(view, seat, ship, action.steps - 1).cell !== null;
  });
}

/** What will come of it, in sentences; of what can be told. */
export function consequences(action, ctx) {
  const { view, seat } = ctx;
  const one = moved(action, ctx);
  if (one) {
    const under = view.seats[seat].ships[one.ship].at === "hidden" ? view.fog_cards : [];
    const played = { sail: [one.steps], boost: [NJORD, action.card], launch: [TYR, action.card], emerge: [...under, action.card], rush: action.cards }[action.type];
    const used = action.cards ? action.cards.length : ["boost", "launch"].includes(action.type) ? 2 : 1;
    return outlook(ctx, one.ship, reach(view, seat, one.ship, one.steps), { values: played, odin: [...played, action.card].includes(ODIN), left: view.hand.length - used });
  }
  switch (action.type) {
    case "draw": return [drawNote(view, seat)];
    case "ready_ship": return [t("It waits in your fjord for a later turn.")];
    case "fog": return [t("Nobody can touch it there. It lies on a hidden card, and sails on when you play another.")];
    case "fog_card": return [t("When the ship sails out of the fog, this card counts, too.")];
    case "back": {
      const ship = view.seats[action.ship.seat].ships[action.ship.ship];
      const there = { cell: (ship.cell + 31) % 36, exact: false };
      return [t("It goes back to {cell}.", { cell: cell(there.cell) }), ...(action.ship.seat === seat ? outlook(ctx, action.ship.ship, there, { values: [2, 7], left: view.hand.length - 2 }) : [])];
    }
    case "pair": {
      const moving = action.moves.map((move) => shipName(move.seat, move.ship));
      return action.moves.map((move) => capital(t("{ship} gets to {place}.", { ship: shipTold(ctx, move.seat, move.ship), place: placeTold(ctx, reach(view, move.seat, move.ship, move.steps).cell, moving) })));
    }
    case "swap": return action.ships.map((ship, n) => capital(t("{ship} gets to {place}.", { ship: shipTold(ctx, ship.seat, ship.ship),
      place: cell(view.seats[action.ships[1 - n].seat].ships[action.ships[1 - n].ship].cell) })));
    default: return [];
  }
}

const placeTold = (ctx, at, moving) => (at === null ? t("home") : t("{cell} ({what})", { cell: cell(at), what: briefly(ctx, at, ...moving) }));

const cardStep = (card) => ({ key: `card ${card}`, label: named(card), card });
const KINDS = {
  rush: () => t("Bring a ship home with several cards"),
  draw: (ctx) => drawTold(drawn(ctx.view, ctx.seat)),
  ready_ship: () => t("Launch a ship into your fjord"),
  fog_card: () => t("Add a card to the hidden ship"),
  emerge: () => t("Sail out of the fog"),
};
const kindStep = (type, ctx) => ({ key: type, label: COMBINATIONS[type] ? COMBINATIONS[type].name() : KINDS[type](ctx), kind: type });

/** The rows of steps that lead to an action. */
export function rowsOf(action, ctx) {
  const { view, seat } = ctx;
  const shipStep = (owner, ship) => {
    const { at, cell: sea } = view.seats[owner].ships[ship], hidden = at === "hidden", fjord = `fjord ${owner}`;
    const spot = { sea, fjord, hidden: hidden ? view.seats[owner].fog.cell ?? fjord : null }[at];
    return { key: `ship ${shipName(owner, ship)}`, told: shipTold(ctx, owner, ship), label: capital(shipTold(ctx, owner, ship)), place: hidden ? `fog ${owner}` : `ship ${shipName(owner, ship)}`,
      spot };
  };
  const whither = (owner, ship, steps) => {
    const at = reach(view, owner, ship, steps).cell;
    return at === null ? { key: "to home", label: t("home"), place: `fjord ${owner}` }
      : { key: `to ${at}`, label: t("{n}: {what}", { n: stepsTold(steps), what: briefly(ctx, at) }), place: `cell ${at}`, badge: String(steps), spot: at };
  };
  const type = action.type, kind = COMBINATIONS[type] || KINDS[type] ? kindStep(type, ctx) : null;
  const own = moved(action, ctx);
  const to = own && whither(seat, own.ship, own.steps);
  const ship = own ? shipStep(seat, own.ship) : null;
  const card = action.card === undefined ? null : cardStep(action.card);
  const by = (label) => ({ key: `by ${type} ${action.card || action.cards}`, label, note: () => consequences(action, ctx).join(" ") });
  switch (type) {
    case "sail": return [[ship, to, by(t("by {card}", { card: named(action.card) }))], [ship, card, to], [card, ship, to]];
    case "boost": {
      const means = by(t("by {cards}", { cards: plus(action.card, NJORD) }));
      return [[ship, to, means], [kind, ship, to, means], [ship, kind, to, means], [card, kind, ship, to], [cardStep(NJORD), kind, ship, to, means]];
    }
    case "launch": {
      const means = by(t("by {card}", { card: named(action.card) }));
      return [[ship, to, means], [kind, to, means], [card, kind, to], [cardStep(TYR), kind, to, means]];
    }
    case "emerge": return [[ship, to, by(t("by {card}", { card: named(action.card) }))], [kind, card], [ship, card], [card, kind]];
    case "fog_card": return [[kind, card], [ship, kind, card], [card, kind]].map((row) => row.map((step) => step || shipStep(seat, hiddenOne(view, seat).ship)));
    case "rush": return [[ship, to, by(t("by {cards}", { cards: together(action.cards.map(named)) }))], [kind, ship, { ...by(together(action.cards.map(named))) }]];
    case "draw": return [[kind]];
    case "ready_ship": return [[kind], [shipStep(seat, reserve(view, seat).ship), kind]];
    case "fog": return paired(kind, [[shipStep(seat, action.ship)]]);
    case "back": return paired(kind, [[shipStep(action.ship.seat, action.ship.ship)]], action.ship.seat === seat);
    case "swap": {
      const [one, other] = action.ships.map((each) => shipStep(each.seat, each.ship));
      const both = action.ships.every((each) => each.seat === seat);
      return [...paired(kind, [[one, other]], action.ships[0].seat === seat), ...(both ? [] : paired(kind, [[other, one]], action.ships[1].seat === seat))];
    }
    default: {
      const [one, other] = action.moves;
      const first = whither(one.seat, one.ship, one.steps); // several numbers of steps lead home, and leave others to the second ship
      const share = first.key === "to home" ? { key: `to home ${one.steps}`, label: t("{n}: {what}", { n: stepsTold(one.steps), what: t("home") }) } : first;
      return paired(kind, [[shipStep(one.seat, one.ship), share, shipStep(other.seat, other.ship)]], one.seat === seat);
    }
  }
}

/** The rows of a combination of two certain cards: it first, one of its cards first, or a ship of one's own first. */
function paired(kind, rows, mine = true) {
  return rows.flatMap(([ship, ...rest]) => [[kind, ship, ...rest], ...COMBINATIONS[kind.kind].cards.map((card) => [cardStep(card), kind, ship, ...rest]),
    ...(mine ? [[ship, kind, ...rest]] : [])]);
}
