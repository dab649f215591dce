/** Drakkars: cards of the gods move ships round the coast, which raid towns and each other and come home. */

import { h } from "../../dom.js";
import { t, together } from "../../i18n.js";
import { COMBINATIONS, ODIN, capital, cardsTold, cell, coins, coinsTold, counted, drawn, drawNote, drawTold, giftTold, named, shipName, shipTold, stepsTold } from "./names.js";
import { explain, ruleOf, rules } from "./explain.js";
import { plays } from "./flights.js";
import { pushedTo, townOn } from "./outlook.js";
import { choices, combinations, crumbs, godCard, handRow, listOf, meeting } from "./panel.js";
import { consequences, moved, rowsOf, sails, useful } from "./sails.js";
import { ended, revealed, tellers } from "./tell.js";
import { ways } from "../../ways.js";

const ofCards = (cards, make, label = named) => ways([...new Set(cards)].sort((a, b) => a - b).map(make), (action) => [[{ key: `card ${action.card}`, label: label(action.card), card: action.card }]]);

const NOTES = { draw: ({ view, seat }) => drawNote(view, seat), ready_ship: () => t("It waits in your fjord for a later turn.") };

const composers = {
  sail(ctx) {
    const { legal, view } = ctx;
    const actions = useful(legal.actions || sails(view, ctx.seat, legal.grammar.launch), ctx);
    const composer = ways(actions, (action) => rowsOf(action, ctx), (step) => step.spot ?? step.place);
    composer.panel = (chosen, hands) => {
      const next = composer.onwards(chosen), whole = composer.action(chosen) !== null;
      const kinds = next.filter((step) => step.kind), other = next.filter((step) => !step.kind && !step.place && !step.card);
      const note = (step) => (COMBINATIONS[step.kind] ? COMBINATIONS[step.kind].does() : NOTES[step.kind] ? NOTES[step.kind](ctx) : null);
      return h("div", {}, crumbs(chosen), handRow(view.hand, next, chosen, hands),
        whole ? null : [choices(other, hands, (step) => step.note && step.note()), choices(kinds, hands, note), listOf(next.filter((step) => step.place), hands)],
        chosen.length ? null : combinations(view.hand));
    };
    return composer;
  },
  arrival(ctx) {
    const { context } = ctx.turn, there = { ...context.occupant, cell: context.cell }, town = townOn(ctx.view, context.cell);
    const composer = ways(ctx.legal.actions, ({ type }) => [[{ key: type, label: type === "push" ? t("Push it on") : t("Attack it") }]]);
    const end = pushedTo(ctx.view, there);
    const notes = {
      push: [end === null ? t("It is pushed home.") : t("It goes to {cell}.", { cell: cell(end) }), town ? t("Your ship raids town {town}.", { town: town.town }) : t("You draw a card.")].join(" "),
      attack: t("Both choose a card in secret. Your ship does nothing else here."),
    };
    composer.panel = (chosen, hands) => h("div", {}, meeting(ctx, { seat: ctx.seat, ship: context.ship }, there), crumbs(chosen), choices(composer.onwards(chosen), hands, (step) => notes[step.key]));
    return composer;
  },
  barrel(ctx) {
    const composer = ways(ctx.legal.actions, ({ by }) => {
      const to = ctx.turn.context.values[by].cell;
      const gives = giftTold(ctx.view, to, ctx.turn.context.town), odin = by === ODIN ? t("{gift}. Odin counts 10 here, however far the ship sailed.", { gift: gives }) : gives;
      return [[{ key: `by ${by}`, label: by === 1 ? t("On by 1 cell") : t("On by {n} cells", { n: by }), place: `shield ${to}`, gives: odin }]];
    });
    composer.panel = (chosen, hands) => h("div", {}, crumbs(chosen), choices(composer.onwards(chosen), hands, (step) => step.gives));
    return composer;
  },
  loot(ctx) {
    const { choice } = ctx.turn.context;
    if (choice) return picking(choice.from, choice.count);
    const composer = ways(ctx.legal.actions, ({ type }) => [[{ key: type, label: lootTold(type, ctx) }]]);
    composer.panel = (chosen, hands) => h("div", {}, crumbs(chosen), choices(composer.onwards(chosen), hands));
    return composer;
  },
  battle_card(ctx) {
    const { attacker, attacker_ship: ship, defender, defender_ship: target } = ctx.view.combat;
    const composer = ofCards(ctx.view.hand, (card) => ({ type: "play", card }));
    composer.from = ({ card }) => [{ key: `card ${card}`, label: named(card), card }]; // a sealed card is shown as chosen when it is changed
    composer.panel = (chosen, hands) => h("div", {}, meeting(ctx, { seat: attacker, ship }, { seat: defender, ship: target }),
      handRow(ctx.view.hand, composer.onwards(chosen), chosen, hands),
      h("p", { class: "hint" }, t("The higher card wins, a tie goes to the attacker. Up to 3 more takes the cargo, and the loser flees; more than that destroys the ship. The two cards are exchanged.")));
    return composer;
  },
};

/** So many cards of a pile, in no order. */
function picking(from, count) {
  const all = [...from].sort((a, b) => a - b).map((card, n) => ({ key: `${n} ${card}`, label: named(card), card }));
  const composer = {
    toggles: true,
    options: (chosen) => (chosen.length >= count ? [] : all.filter((step) => !chosen.some((one) => one.key === step.key))),
    action: (chosen) => (chosen.length === count ? { type: "loot_choice", cards: chosen.map((one) => one.card).sort((a, b) => a - b) } : null),
  };
  composer.panel = (chosen, hands) => h("div", { class: "options gods" }, all.map((step) => {
    const picked = chosen.find((one) => one.key === step.key);
    return godCard(step.card, { step: chosen.length < count ? step : null, chosen: picked, hands });
  }));
  return composer;
}

function pickingTold({ count, pile }) {
  const told = { cards: cardsTold(count) };
  return pile === "discard" ? t("Choose {cards} of the discard.", told) : t("Choose {cards} of the central pile.", told);
}

function lootTold(type, ctx) {
  const { coins: n, cards, town, kind } = ctx.turn.context;
  if (type === "loot_cards") return t("Take {cards} of the central pile", { cards: cardsTold(cards) });
  if (kind === "bonus") return t("Take {coins} from the bag, by chance", { coins: coinsTold(n) });
  return t("Take {coins} of town {town}", { coins: counted(ctx.view.towns.find((one) => one.town === town).coins.slice(0, n)), town });
}

/** Whether somebody else reads of a choice than who made it. */
const isOther = ({ seat, reader = seat }) => reader !== seat;

function sentence(action, ctx) {
  const ship = (number, seat = ctx.seat) => shipTold(ctx, seat, number);
  const other = isOther(ctx), own = ["sail", "boost", "launch"].includes(action.type) && stepsTold(moved(action, ctx).steps);
  switch (action.type) {
    case "sail": return t("Sail {ship} {steps}, with {card}", { ship: ship(action.ship), steps: own, card: named(action.card) });
    case "boost": return t("Sail {ship} {steps}, with Njord and {card}", { ship: ship(action.ship), steps: own, card: named(action.card) });
    case "launch": return t("Launch a ship and sail it {steps}, with Tyr and {card}", { steps: own, card: named(action.card) });
    case "fog": return t("Hide {ship} in the fog, with Thor and Sif", { ship: ship(action.ship) });
    case "fog_card": return t("Add {card} to the hidden ship", { card: named(action.card) });
    case "emerge": return t("Sail out of the fog with {card}", { card: named(action.card) });
    case "swap": return t("Exchange {one} and {other}", { one: ship(action.ships[0].ship, action.ships[0].seat), other: ship(action.ships[1].ship, action.ships[1].seat) });
    case "back": return t("Send {ship} back five cells", { ship: ship(action.ship.ship, action.ship.seat) });
    case "pair": return t("Move {one} by {n}, then {other} by {m}", {
      one: ship(action.moves[0].ship, action.moves[0].seat), n: action.moves[0].steps, other: ship(action.moves[1].ship, action.moves[1].seat), m: action.moves[1].steps });
    case "rush": return t("Bring {ship} home with {cards}", { ship: ship(action.ship), cards: together(action.cards.map(named)) });
    case "draw": return drawTold(drawn(ctx.view, ctx.seat));
    case "ready_ship": return other ? t("Launch a ship into the fjord") : t("Launch a ship into your fjord");
    case "push": return t("Push the ship that stands there");
    case "attack": return t("Attack the ship that stands there");
    case "advance": return t("Move the barrel on by {n}: {gift}", { n: action.by, gift: giftTold(ctx.view, ctx.turn.context.values[action.by].cell, ctx.turn.context.town) });
    case "loot_coins": case "loot_cards": return lootTold(action.type, ctx);
    case "loot_choice": return t("Take {cards}", { cards: together(action.cards.map(named)) });
    default: return t("Fight with {card}", { card: named(action.card) });
  }
}

const MOVES = ["sail", "boost", "launch", "fog", "fog_card", "emerge", "swap", "back", "pair", "rush", "draw", "ready_ship"];
/** What a move leads to is told to whoever chooses it. */
const describe = (action, ctx) => (MOVES.includes(action.type) && !isOther(ctx) ? [`${sentence(action, ctx)}.`, ...consequences(action, ctx)].join(" ") : sentence(action, ctx));

/** What a turn may begin with, of what can be chosen. */
function opening(next) {
  const some = (what) => next.some((step) => step.key.startsWith(what));
  if (some("ship") && some("card")) return t("Your turn: choose a ship of yours on the board, or a card.");
  if (some("card")) return t("Your turn: choose a card.");
  return t("Your turn: no card can be played now. What do you do?");
}

const asks = {
  sail(ctx, chosen) {
    const composer = composers.sail(ctx);
    if (!chosen.length) return opening(composer.onwards(chosen));
    const last = chosen[chosen.length - 1], next = composer.onwards(chosen);
    if (composer.action(chosen) !== null) return t("This is your choice:");
    const ship = chosen.findLast((step) => step.key.startsWith("ship")), kind = chosen.find((step) => step.kind);
    const some = (what) => next.some((step) => step.key.startsWith(what));
    if (some("ship") && last.card) return t("Which ship sails by {card}? Or what does it do with another card?", { card: named(last.card) });
    if (some("ship") && ship) return kind.kind === "swap" ? t("With which ship does it change places?") : t("Which ship makes the other steps?");
    if (some("ship")) return t("Which ship? Choose on the board.");
    if (some("to") && some("card")) return t("Where does {ship} go? Choose a place on the board, or a card.", { ship: ship.told });
    if (some("to")) return ship ? t("Where does {ship} go? Choose a place on the board.", { ship: ship.told }) : t("Where does the new ship go? Choose a place on the board.");
    if (some("card")) return t("Which card?");
    return some("by") ? t("By what?") : t("What do you do?");
  },
  arrival: (ctx) => t("Your ship arrives on {cell}, where another one stands.", { cell: cell(ctx.turn.context.cell) }),
  barrel: (ctx) => t("Your ship raids town {town}. By how much does the barrel move on?", { town: ctx.turn.context.town }),
  loot: (ctx) => (ctx.turn.context.choice ? pickingTold(ctx.turn.context.choice)
    : ctx.turn.context.kind === "bonus" ? t("Your ship is home, with a bonus: what do you take?") : t("Your ship raids town {town}: what do you take?", { town: ctx.turn.context.town })),
  battle_card: (ctx) => (ctx.view.combat.attacker === ctx.seat ? t("You attack: choose your card in secret.") : t("You are attacked: choose your card in secret.")),
};

function shipLabel(element, ctx) {
  const { seat, ship } = element.dataset;
  const found = ctx.view.seats[seat].ships[ship];
  const where = { sea: () => cell(found.cell), fjord: () => t("in the fjord"), hidden: () => t("in the fog"), home: () => t("home"), reserve: () => t("in reserve") }[found.at]();
  return t("{ship}, {where}", { ship: shipTold(ctx, seat, ship), where });
}

function standing(ctx) {
  const { view, name } = ctx;
  const told = [];
  if (view.combat) {
    const { attacker, attacker_ship: one, defender, defender_ship: other, cell: at } = view.combat;
    told.push(t("A fight on {cell}: {one} attacks {other}.", { cell: cell(at), one: shipTold(ctx, attacker, one), other: shipTold(ctx, defender, other) }));
  }
  if (view.end) {
    told.push(t("{name} brought home the ship that ends the game. Last turns to come: {names}.", { name: name(view.end.seat), names: together(view.end.last_turns.map(name)) || t("none") }));
    if (ctx.seat !== null) told.push(view.seats[ctx.seat].cards_count ? t("The cards in your hand count.") : t("The cards in your hand count only if a ship of yours comes home now."));
  }
  return told;
}

function seatNote(seat, { view }) {
  const { coins: worth, piers } = view.seats[seat];
  return piers.length === 1 ? t("{worth} in coins, 1 ship home", { worth }) : t("{worth} in coins, {n} ships home", { worth, n: piers.length });
}

/** What a final score consists of (D8.3, D8.4). */
function tally(view, seat) {
  const { coins: worth, hand, cards_count: counts } = view.seats[seat];
  const cards = hand ? hand.reduce((sum, card) => sum + view.options.card_worth[card - 1], 0) : 0;
  const why = !view.end ? t("cards in hand, which count for nobody, as no ship ended the game:")
    : !counts ? t("cards in hand, which do not count, as no ship of this player ended the game or came home after that:")
      : view.end.seat === seat ? t("cards in hand, which count as this player's ship ended the game:") : t("cards in hand, which count as a ship came home in the last turns:");
  return [[t("coins that came home"), worth, "D8.3"], [why, cards, "D8.4"]];
}

const RULES = { ships: "D8.1", turn_limit: "D8.6", last_seat: "C7" };

/** Whose cards in hand count, and whose do not (D8.4); nothing where they count for nobody. */
function cardsCounted({ view, seat, name }) {
  if (!view.end) return "";
  const more = view.seats.filter((one) => one.cards_count && one.seat !== view.end.seat).map((one) => name(one.seat));
  const told = { name: name(view.end.seat), names: together(more) };
  const said = more.length ? t("Cards in hand count for {name}, whose ship ended the game, and for {names}, whose ship came home after that.", told)
    : t("Cards in hand count for {name}, whose ship ended the game, and for whoever comes home after that, which nobody did.", told);
  const mine = seat === null || view.seats[seat].cards_count ? "" : t("Yours do not: no ship of yours ended the game or came home after that.");
  return [said, mine].filter(Boolean).join(" ");
}

/** Why the winners won (D8.3 to D8.5). */
function won({ winners, scores, reason }, about) {
  const { view, name, sides } = about;
  if (reason === "last_seat") return { rule: RULES[reason], words: t("All others had given up.") };
  const sum = (side, of) => side.reduce((all, seat) => all + of(seat), 0), worth = (side) => sum(side, (seat) => scores[seat]);
  const others = sides.filter((side) => !side.some((seat) => winners.includes(seat))).sort((one, other) => worth(other) - worth(one));
  const home = sum(winners, (seat) => view.seats[seat].coins), n = worth(winners), told = { names: together(winners.map(name)), n, home, cards: n - home };
  if (!others.length) return { rule: "D8.5", words: t("{names} have the same and share the win.", told) };
  const next = { others: together(others[0].map(name)), m: worth(others[0]) };
  if (next.m === n) return { rule: "D8.5", words: t("{names} and {others} both have {n}. Between equals whoever ended the game wins, and else the most coins without cards.", { ...told, ...next }) };
  const why = told.cards ? t("The most coins win. {names}: {home} came home and {cards} on cards in hand, which makes {n}. Next: {others}, with {m}.", { ...told, ...next })
    : t("The most coins that came home win. {names}: {n}. Next: {others}, with {m}.", { ...told, ...next });
  return { rule: "D8.5", words: [why, cardsCounted(about)].filter(Boolean).join(" ") };
}

const placeOf = (event) => [
  ...(event.ship !== undefined ? [`ship ${shipName(event.owner ?? event.seat, event.ship)}`] : []),
  ...(event.first_ship !== undefined ? [`ship ${shipName(event.first_owner, event.first_ship)}`, `ship ${shipName(event.second_owner, event.second_ship)}`] : []),
  ...(event.type === "barrel_moved" ? [`shield ${event.cell}`] : []),
  ...(event.type === "coins_looted" ? [`pile ${event.town}`] : []),
  ...(event.type === "ship_moved" && event.start !== undefined && event.start !== null ? [`cell ${event.start}`] : []),
];

const shown = (fighter) => ({ seat: fighter.seat, card: fighter.card === undefined || fighter.card === null ? null : fighter.card });

function combat(record, ctx) {
  const { attacker, defender } = record;
  const both = { one: ctx.name(attacker.seat), other: ctx.name(defender.seat) };
  const steps = [
    { rule: "D5.3", words: capital(t("{one} attacks {other}, on {cell}.", { one: shipTold(ctx, attacker.seat, attacker.ship), other: shipTold(ctx, defender.seat, defender.ship), cell: cell(record.cell) })) },
    { rule: "D5.6", words: t("{one} and {other} choose their cards in secret.", both), cards: [{ seat: attacker.seat, card: null }, { seat: defender.seat, card: null }] },
  ];
  if (record.winner !== undefined && record.winner !== null) {
    const loser = record.winner === attacker.seat ? defender : attacker, ship = shipTold(ctx, loser.seat, loser.ship), name = ctx.name(record.winner);
    steps.push({ rule: "D5.6", words: revealed({ attacker: attacker.seat, attacker_card: attacker.card, defender: defender.seat, defender_card: defender.card, winner: record.winner, difference: record.difference }, ctx.name), cards: [shown(attacker), { ...shown(defender), card: defender.card || 0 }] });
    if (record.taken && Object.keys(record.taken).length) steps.push({ rule: record.fate === "destroyed" ? "D5.6.2" : "D5.6.1", words: t("{name} takes the cargo: {coins}.", { name, coins: coins(record.taken) }) });
    if (record.lost && Object.keys(record.lost).length) steps.push({ rule: "D5.6.2", words: t("The cargo goes back to the bag: {coins}.", { coins: coins(record.lost) }) });
    steps.push({ rule: record.fate === "destroyed" ? "D5.6.2" : "D5.6.1", words: ({ fled: () => t("Up to 3 more: {ship} flees.", { ship }), home: () => t("Up to 3 more: {ship} flees, and is home.", { ship }),
      destroyed: () => t("More than 3 more: {ship} is destroyed and goes back to the reserve.", { ship }) })[record.fate]() });
    steps.push({ rule: "D5.6.3", words: defender.card ? t("They exchange the two cards.") : t("{name} gets the attacker's card.", { name: both.other }) });
  }
  return { title: t("Fight {n}: {name} against {victim}", { n: record.number, name: both.one, victim: both.other }), steps };
}

export default {
  boardFirst: true,
  headless: true,
  told: false,
  get gist() {
    return [
      t("Your ships sail clockwise from your fjord once round the coast, and home again. The most coins that came home win."),
      t("On your turn play a card and move a ship by its value, or play two cards together that do something of their own, or draw two cards."),
      t("In a town the barrel moves on by the same value, and its cell says what you take: coins into the ship's cargo, or cards. On open sea you draw a card."),
      t("Where another ship stands, push it on, or attack it: both choose a card in secret, and the higher one wins the cargo."),
      t("Who comes home with the exact number of steps gets a bonus. When enough ships are home, everybody else has one last turn; cargo at sea is lost."),
      t("Cards in hand count as well, for the player who ended the game and for everybody whose ship came home after that."),
    ];
  },
  places: [
    { selector: "g.ship", id: ({ dataset }) => `ship ${shipName(dataset.seat, dataset.ship)}`, label: shipLabel },
    { selector: "g.cell", id: ({ dataset }) => `cell ${dataset.at}`, label: ({ dataset }) => cell(dataset.at) },
    { selector: "g.fjord", id: ({ dataset }) => `fjord ${dataset.seat}`, label: ({ dataset }, ctx) => t("fjord of {name}", { name: ctx.name(Number(dataset.seat)) }) },
    { selector: "g.fog", id: ({ dataset }) => `fog ${dataset.seat}`, label: ({ dataset }, ctx) => t("hidden ship of {name}", { name: ctx.name(Number(dataset.seat)) }) },
    { selector: "g.shield", id: ({ dataset }) => `shield ${dataset.cell}`, outline: "path", label: ({ dataset }) => t("cell {n} of the shield", { n: dataset.cell }) },
    { selector: "g.pile", id: ({ dataset }) => `pile ${dataset.town}`, label: ({ dataset }) => t("coins of town {town}", { town: dataset.town }) },
  ],
  ask: (ctx, chosen) => (asks[ctx.kind] || (() => ""))(ctx, chosen),
  compose: (ctx) => composers[ctx.kind](ctx),
  describe,
  explain,
  rules,
  standing,
  seatNote,
  tally,
  tell: (event, ctx) => {
    const said = tellers[event.type] && tellers[event.type](event, ctx.name, (seat, ship) => shipTold(ctx, seat, ship));
    return said ? capital(said) : null;
  },
  move: ({ type }) => ["turn_started", "cards_played", "passed"].includes(type),
  ruleOf,
  marks: placeOf,
  plays,
  combat,
  reason: ended,
  endRule: (reason) => RULES[reason] || null,
  won,
};
