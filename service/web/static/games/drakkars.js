/** Drakkars: cards of the gods move ships round the coast. What to do comes first, then cards, ships and steps. */

import { listed } from "../chooser.js";
import { t, together } from "../i18n.js";

const ODIN = 10, TYR = 8, NJORD = 3;

const god = (card) => [null, t("Freyr"), t("Idunn"), t("Njord"), t("Sif"), t("Frigg"), t("Freya"), t("Heimdall"), t("Tyr"),
  t("Thor"), t("Odin")][card];
const named = (card) => t("{god} ({value})", { god: god(card), value: card });
const cardStep = (card) => ({ key: `card ${card}`, label: named(card) });
const shipName = (seat, ship) => `${seat}.${ship}`;
const shipStep = (seat, ship) => ({ key: `ship ${shipName(seat, ship)}`, label: t("ship {ship}", { ship: shipName(seat, ship) }), place: `ship ${shipName(seat, ship)}` });
const stepsStep = (n) => ({ key: `steps ${n}`, label: n === 1 ? t("1 step") : t("{n} steps", { n }) });

const KINDS = {
  sail: () => t("Sail a ship"),
  boost: () => t("Sail further, with Njord"),
  launch: () => t("Launch and sail, with Tyr"),
  pair: () => t("Move two ships, with Freyr and Freya"),
  swap: () => t("Exchange two ships, with Odin and Frigg"),
  back: () => t("Send a ship back, with Heimdall and Idunn"),
  fog: () => t("Hide a ship in the fog, with Thor and Sif"),
  fog_card: () => t("Add a card to the hidden ship"),
  emerge: () => t("Sail out of the fog"),
  rush: () => t("Bring a ship home with several cards"),
  draw: () => t("Draw two cards"),
  ready_ship: () => t("Launch a ship"),
};

function stepsOf(action, ctx) {
  const own = (ship) => shipStep(ctx.seat, ship);
  const extra = action.steps === undefined ? [] : [stepsStep(action.steps)];
  const first = KINDS[action.type] ? [{ key: action.type, label: KINDS[action.type]() }] : [];
  switch (action.type) {
    case "sail": case "boost": return [...first, own(action.ship), cardStep(action.card), ...extra];
    case "launch": return [...first, cardStep(action.card), ...extra];
    case "fog": return [...first, own(action.ship)];
    case "fog_card": case "emerge": return [...first, cardStep(action.card)];
    case "swap": return [...first, ...action.ships.map((one) => shipStep(one.seat, one.ship))];
    case "back": return [...first, shipStep(action.ship.seat, action.ship.ship)];
    case "pair": return [...first, shipStep(action.moves[0].seat, action.moves[0].ship), stepsStep(action.moves[0].steps),
      shipStep(action.moves[1].seat, action.moves[1].ship)];
    case "rush": return [...first, own(action.ship), { key: `cards ${action.cards}`, label: together(action.cards.map(named)) }];
    case "draw": case "ready_ship": return first;
    case "push": return [{ key: "push", label: t("Push it on, and act here") }];
    case "attack": return [{ key: "attack", label: t("Attack it") }];
    case "advance": return [{ key: `by ${action.by}`, label: action.by === 1 ? t("1 cell") : t("{n} cells", { n: action.by }) }];
    case "loot_coins": return [{ key: "coins", label: t("Take the coins") }];
    case "loot_cards": return [{ key: "cards", label: t("Take the cards") }];
    case "loot_choice": return action.cards.map((card, n) => ({ ...cardStep(card), key: `${n} ${card}` }));
    default: return [cardStep(action.card)];
  }
}

const cells = (ship) => ship.at === "sea";
const afloat = (ship) => ship.at === "sea" || ship.at === "fjord";

function choose(cards, size) {
  if (!size) return [[]];
  return cards.flatMap((card, n) => choose(cards.slice(n + 1), size - 1).map((rest) => [card, ...rest]));
}

const unique = (sets) => [...new Map(sets.map((one) => [String(one), one])).values()];

/** All that may be done with a go, where the service counts it only (D4, D7, D8.2). */
function sails(view, seat, launches) {
  const hand = view.hand, cards = [...new Set(hand)].sort((a, b) => a - b), own = view.seats[seat];
  const has = (...gods) => gods.every((card) => hand.includes(card));
  const all = view.seats.flatMap((one) => one.ships.map((ship) => ({ seat: one.seat, ...ship })));
  const fleet = own.ships.filter(afloat), hidden = own.ships.find((ship) => ship.at === "hidden");
  const ref = ({ seat: owner, ship }) => ({ seat: owner, ship });
  const moves = (card, more = 0) => (card === ODIN ? Array.from({ length: 10 }, (_, n) => ({ card, steps: n + 1 + more })) : [{ card }]);
  const partners = cards.filter((card) => card !== TYR && card !== NJORD);
  const found = [];
  for (const { ship } of fleet) for (const card of cards) found.push(...moves(card).map((one) => ({ type: "sail", ship, ...one })));
  const sea = all.filter(cells);
  if (has(5, ODIN)) for (const one of sea) for (const other of sea) if (one !== other) found.push({ type: "swap", ships: [ref(one), ref(other)] });
  if (has(4, 9) && !hidden) found.push(...fleet.map(({ ship }) => ({ type: "fog", ship })));
  if (has(2, 7)) found.push(...sea.map((one) => ({ type: "back", ship: ref(one) })));
  if (has(1, 6)) {
    const ships = all.filter(afloat);
    for (const one of ships) for (const other of ships) if (one !== other) {
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

function all(ctx) {
  const { kind, legal, view } = ctx;
  if (legal && legal.actions) return legal.actions;
  if (kind === "battle_card") return [...new Set(view.hand)].sort((a, b) => a - b).map((card) => ({ type: "play", card }));
  if (kind === "loot") return unique(choose([...legal.grammar.from].sort((a, b) => a - b), legal.grammar.cards)).map((cards) => ({ type: "loot_choice", cards }));
  return sails(view, ctx.seat, legal.grammar.launch);
}

function describe(action, ctx) {
  const ship = (number, seat = ctx.seat) => shipName(seat, number);
  const by = action.steps === undefined ? action.card : action.steps;
  switch (action.type) {
    case "sail": return t("Sail ship {ship} by {n}, with {card}", { ship: ship(action.ship), n: by, card: named(action.card) });
    case "boost": return t("Sail ship {ship} by {n}, with Njord and {card}", { ship: ship(action.ship), n: action.steps === undefined ? action.card + 3 : action.steps, card: named(action.card) });
    case "launch": return t("Launch a ship and sail it by {n}, with Tyr and {card}", { n: by, card: named(action.card) });
    case "fog": return t("Hide ship {ship} in the fog", { ship: ship(action.ship) });
    case "fog_card": return t("Add {card} to the hidden ship", { card: named(action.card) });
    case "emerge": return t("Sail out of the fog with {card}", { card: named(action.card) });
    case "swap": return t("Exchange ships {one} and {other}", { one: ship(action.ships[0].ship, action.ships[0].seat), other: ship(action.ships[1].ship, action.ships[1].seat) });
    case "back": return t("Send ship {ship} back five cells", { ship: ship(action.ship.ship, action.ship.seat) });
    case "pair": return t("Move ship {one} by {n}, then ship {other} by {m}", {
      one: ship(action.moves[0].ship, action.moves[0].seat), n: action.moves[0].steps, other: ship(action.moves[1].ship, action.moves[1].seat), m: action.moves[1].steps });
    case "rush": return t("Bring ship {ship} home with {cards}", { ship: ship(action.ship), cards: together(action.cards.map(named)) });
    case "draw": return t("Draw two cards");
    case "ready_ship": return t("Launch a ship into your fjord");
    case "push": return t("Push the ship that stands there");
    case "attack": return t("Attack the ship that stands there");
    case "advance": return t("Move the barrel by {n}", { n: action.by });
    case "loot_coins": return t("Take the coins");
    case "loot_cards": return t("Take the cards");
    case "loot_choice": return t("Take {cards}", { cards: together(action.cards.map(named)) });
    default: return t("Fight with {card}", { card: named(action.card) });
  }
}

const asks = {
  sail(ctx, chosen) {
    const last = chosen[chosen.length - 1];
    if (!last) return t("Your turn: what do you do?");
    if (last.key === "pair" || last.key === "swap") return t("Which ship first?");
    if (last.key.startsWith("ship") && (chosen[0].key === "pair" || chosen[0].key === "sail")) return chosen[0].key === "sail" ? t("By which card?") : t("How many of the seven steps?");
    return t("Choose on.");
  },
  arrival: () => t("Another ship stands where yours arrives."),
  barrel: () => t("By how much does the barrel move on?"),
  loot: () => t("Your ship raids a town: what do you take?"),
  battle_card: () => t("A fight: choose your card in secret. The higher wins, a tie goes to the attacker."),
};

const cell = (n) => (n === null || n === undefined ? t("the fjord") : t("cell {n}", { n }));
const COINS = { gold: (n) => t("{n} gold", { n }), silver: (n) => t("{n} silver", { n }), copper: (n) => t("{n} copper", { n }) };
const coins = (counts) => together(Object.entries(counts || {}).map(([kind, n]) => COINS[kind](n))) || t("nothing");
const counted = (list) => coins(list.reduce((sum, kind) => ({ ...sum, [kind]: (sum[kind] || 0) + 1 }), {}));
const cardsTold = (n) => (n === 1 ? t("1 card") : t("{n} cards", { n }));

const ended = (reason) => ({ ships: t("the ships are home"), turn_limit: t("the turns were used up"), last_seat: t("only one side was left") }[reason] || reason);

const tellers = {
  first_player_chosen: (e, n) => t("{name} begins.", { name: n(e.seat) }),
  town_placed: () => null, pile_laid: () => null, card_turned: () => null, turn_started: (e, n) => (e.last ? t("{name} has a last turn.", { name: n(e.seat) }) : null),
  cards_played: (e, n) => t("{name} plays {cards}.", { name: n(e.seat), cards: together(e.cards.map(named)) }),
  passed: (e, n) => t("{name} passes and draws.", { name: n(e.seat) }),
  card_drawn: (e, n) => (e.card ? t("{name} draws {card}.", { name: n(e.seat), card: named(e.card) }) : t("{name} draws a card.", { name: n(e.seat) })),
  fog_card_drawn: (e) => (e.card ? t("Under the fog lies {card}.", { card: named(e.card) }) : null),
  fog_card_added: (e, n) => t("{name} adds a card to the hidden ship.", { name: n(e.seat) }),
  pile_renewed: () => t("The discard becomes the central pile."),
  ship_launched: (e, n) => t("{name} launches ship {ship}.", { name: n(e.seat), ship: shipName(e.seat, e.ship) }),
  ship_moved: (e, n) => t("Ship {ship} sails from {start} to {end}.", { ship: shipName(e.owner, e.ship), start: cell(e.start), end: cell(e.end) }),
  ships_swapped: (e, n) => t("{name} exchanges ships {one} and {other}.", { name: n(e.seat), one: shipName(e.first_owner, e.first_ship), other: shipName(e.second_owner, e.second_ship) }),
  ship_stayed: (e) => t("Ship {ship} stays where it is.", { ship: shipName(e.owner, e.ship) }),
  ship_hidden: (e, n) => t("{name} hides a ship in the fog.", { name: n(e.seat) }),
  fog_lifted: (e, n) => t("Ship {ship} comes out of the fog with {cards}.", { ship: shipName(e.seat, e.ship), cards: together(e.cards.map(named)) }),
  ship_pushed: (e) => (e.end === null || e.end === undefined ? t("Ship {ship} is pushed home.", { ship: shipName(e.owner, e.ship) }) : t("Ship {ship} is pushed to {end}.", { ship: shipName(e.owner, e.ship), end: cell(e.end) })),
  ship_came_home: (e, n) => (e.bonus ? t("{name}'s ship {ship} comes home, with a bonus.", { name: n(e.seat), ship: shipName(e.seat, e.ship) }) : t("{name}'s ship {ship} comes home.", { name: n(e.seat), ship: shipName(e.seat, e.ship) })),
  combat_started: (e, n) => t("{name} attacks ship {ship} of {victim} on {cell}.", { name: n(e.attacker), ship: shipName(e.defender, e.defender_ship), victim: n(e.defender), cell: cell(e.cell) }),
  cards_revealed: (e, n) => t("{one} shows {first}, {other} {second}: {name} wins by {n}.", { one: n(e.attacker), first: e.attacker_card, other: n(e.defender), second: e.defender_card || 0, name: n(e.winner), n: e.difference }),
  cargo_taken: (e, n) => t("{name} takes {coins}.", { name: n(e.seat), coins: coins(e.coins) }),
  cargo_lost: (e, n) => t("{name} loses {coins} to the bag.", { name: n(e.seat), coins: coins(e.coins) }),
  ship_fled: (e) => (e.end === null || e.end === undefined ? t("Ship {ship} flees home.", { ship: shipName(e.owner, e.ship) }) : t("Ship {ship} flees to {end}.", { ship: shipName(e.owner, e.ship), end: cell(e.end) })),
  ship_destroyed: (e) => t("Ship {ship} is destroyed.", { ship: shipName(e.owner, e.ship) }),
  barrel_moved: (e) => t("The barrel moves by {n} to cell {cell} of the shield.", { n: e.by, cell: e.cell }),
  coins_looted: (e, n) => t("{name} takes {coins} from town {town}.", { name: n(e.seat), coins: counted(e.coins), town: e.town }),
  bonus_taken: (e, n) => t("{name} takes a bonus in coins.", { name: n(e.seat) }),
  coin_drawn: (e, n) => t("{name} draws {coins} from the bag.", { name: n(e.seat), coins: coins({ [e.coin]: 1 }) }),
  cards_looted: (e, n) => t("{name} takes {cards}.", { name: n(e.seat), cards: cardsTold(e.cards) }),
  pile_shown: (e, n) => t("{name} looks through the central pile.", { name: n(e.seat) }),
  cards_chosen: (e, n) => t("{name} takes {cards}.", { name: n(e.seat), cards: e.cards ? together(e.cards.map(named)) : cardsTold(e.count) }),
  nothing_looted: (e, n) => t("There is nothing to take for {name}.", { name: n(e.seat) }),
  end_called: (e, n) => t("{name} calls the end. Last turns: {names}.", { name: n(e.seat), names: together(e.last_turns.map(n)) || t("none") }),
  seat_resigned: (e, n) => t("{name} gives up.", { name: together(e.seats.map(n)) }),
  game_ended: (e, n) => t("The game ends: {why}. {winners} won.", { why: ended(e.reason), winners: together(e.winners.map(n)) }),
};

function shipLabel(element, ctx) {
  const { seat, ship } = element.dataset;
  const found = ctx.view.seats[seat].ships[ship];
  const where = found.at === "sea" ? cell(found.cell) : found.at === "fjord" ? t("in the fjord") : found.at;
  return t("ship {ship} of {name}, {where}", { ship: shipName(seat, ship), name: ctx.name(Number(seat)), where });
}

const shown = (fighter) => ({ seat: fighter.seat, card: fighter.card === undefined || fighter.card === null ? null : fighter.card });

export default {
  ruleset: "drakkars",
  title: "Drakkars",
  get blurb() { return t("Sail round the coast by cards of the gods, raid towns and each other, and bring the cargo home."); },
  seats: [2, 3, 4],
  quick: 3,
  places: [{ selector: "g.ship", id: (element) => `ship ${shipName(element.dataset.seat, element.dataset.ship)}`, label: shipLabel }],
  ask: (ctx, chosen) => (asks[ctx.kind] || (() => ""))(ctx, chosen),
  compose: (ctx) => listed(all(ctx), (action) => stepsOf(action, ctx)),
  describe,
  tell: (event, ctx) => (tellers[event.type] ? tellers[event.type](event, ctx.name) : null),
  marks: (event) => (event.ship !== undefined && event.owner !== undefined ? [`ship ${shipName(event.owner, event.ship)}`] : []),
  combat(record, ctx) {
    const { attacker, defender } = record;
    const steps = [
      { words: t("{name} attacks with ship {ship}, on {cell}.", { name: ctx.name(attacker.seat), ship: shipName(attacker.seat, attacker.ship), cell: cell(record.cell) }) },
      { words: t("{one} and {other} choose their cards in secret.", { one: ctx.name(attacker.seat), other: ctx.name(defender.seat) }),
        cards: [{ seat: attacker.seat, card: null }, { seat: defender.seat, card: null }] },
    ];
    if (record.winner !== undefined && record.winner !== null) {
      const loser = record.winner === attacker.seat ? defender : attacker;
      steps.push({ words: t("{name} wins by {n}.", { name: ctx.name(record.winner), n: record.difference }), cards: [shown(attacker), { ...shown(defender), card: defender.card || 0 }] });
      steps.push({ words: ({ fled: t("Ship {ship} flees.", { ship: shipName(loser.seat, loser.ship) }), home: t("Ship {ship} flees home.", { ship: shipName(loser.seat, loser.ship) }),
        destroyed: t("Ship {ship} is destroyed.", { ship: shipName(loser.seat, loser.ship) }) })[record.fate] || "" });
      if (record.taken && Object.keys(record.taken).length) steps.push({ words: t("{name} takes {coins}.", { name: ctx.name(record.winner), coins: coins(record.taken) }) });
      if (record.lost && Object.keys(record.lost).length) steps.push({ words: t("{coins} go back to the bag.", { coins: coins(record.lost) }) });
    }
    return { title: t("Fight {n}: {name} against {victim}", { n: record.number, name: ctx.name(attacker.seat), victim: ctx.name(defender.seat) }), steps };
  },
  reason: ended,
};
