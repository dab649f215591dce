/** What everything on the coast of Drakkars is, with the rule that says so. */

import { t } from "../../i18n.js";
import { COMBINATIONS, cardsTold, cell, coins, coinsTold, giftTold, named, ODIN, capital, shipTold, stepsTold } from "./names.js";
import { shipOn, townOn } from "./outlook.js";

const COMBINED = { launch: "D4.2.5", boost: "D4.2.6", pair: "D4.2.4", swap: "D4.2.1", back: "D4.2.3", fog: "D4.2.2" };
/** The rules of what happens, where it may surprise. */
const OF_CARDS = { ...COMBINED, emerge: "D7.2", rush: "D8.2" };
const OF_EVENTS = {
  cards_played: ({ action, cards }) => (action === "sail" && cards[0] === ODIN ? "D4.1" : OF_CARDS[action]),
  ship_moved: ({ steps }) => (steps < 0 ? "D4.2.3" : null),
  ship_pushed: () => "D5.4", ship_stayed: () => "D4.2.4", ships_swapped: () => "D4.2.1", ship_hidden: () => "D7.1", fog_card_added: () => "D7.1", fog_lifted: () => "D7.2", pile_renewed: () => "D4.5",
  barrel_moved: () => "D5.2", coins_looted: () => "D5.2", cards_looted: () => "D5.2", cards_chosen: () => "D1.7", nothing_looted: () => "D1.7", bonus_taken: () => "D6.2", coin_drawn: () => "D6.2",
  passed: () => "D4.3", ship_launched: () => "D4.3", ship_came_home: ({ bonus }) => (bonus ? "D6.2" : "D6.1"), end_called: () => "D8.1",
  cards_revealed: () => "D5.6", cargo_taken: () => "D5.6", cargo_lost: () => "D5.6.2", ship_destroyed: () => "D5.6.2", ship_fled: () => "D5.6.1",
};
export const ruleOf = (event) => (OF_EVENTS[event.type] ? OF_EVENTS[event.type](event) || null : null);

export const rules = { sail: "D4.1", arrival: "D5.3", barrel: "D5.2", loot: "D5.2", battle_card: "D5.6", choice: "C2", resign: "C6" };

const COINS = ["gold", "silver", "copper"];
const COIN = { gold: () => t("Gold"), silver: () => t("Silver"), copper: () => t("Copper") };
const worthOf = (kind, ctx) => ctx.view.options.coin_worth[COINS.indexOf(kind)];
const moving = (ctx) => ctx.kind === "sail" && ctx.turn && ctx.turn.yours;

const AT = {
  fjord: ({ way_home: steps }) => ["D3.2", t("It waits in its fjord. Once round the coast and home again are {n} steps: the first leads out to the cell before the fjord, the last one in.", { n: steps })],
  hidden: () => ["D7.3", t("It is in the fog: nobody can touch it until it sails out.")],
  home: () => ["D6.1", t("It is home: its cargo is safe, and counts.")],
  reserve: () => ["D3.4", t("It is in the reserve: it can be launched when the fjord is empty.")],
};

function ship({ seat, ship: number }, ctx) {
  const one = ctx.view.seats[seat].ships[number], load = one.rank === null ? {} : ctx.view.seats[seat].cargo[one.rank - 1];
  const cargo = !Object.keys(load).length ? null : one.at === "home" ? t("It brought home: {coins}.", { coins: coins(load) }) : t("Its cargo, which counts only at home: {coins}.", { coins: coins(load) });
  const [rule, what] = one.at === "sea" ? ["D3.2", t("It is on {cell}, {n} from home.", { cell: cell(one.cell), n: stepsTold(one.way_home) })] : AT[one.at](one);
  const now = !moving(ctx) || Number(seat) === ctx.seat ? null : t("Ships of others are moved by two cards together only.");
  return { name: capital(shipTold(ctx, seat, number)), what: [what, cargo].filter(Boolean).join(" "), now, rule: now ? "D4.2" : rule };
}

/** Of a town, what is left there. */
const lying = (town, ctx) => { const left = ctx.view.towns.find((one) => one.town === Number(town)).coins; return left.length ? t("{coins} are left.", { coins: coinsTold(left.length) }) : t("No coins are left: only cards can be had."); };

const townTold = (town, ctx) => ({ name: t("Town {town}", { town }), what: t("A ship that ends here raids it: the barrel moves on by the card's value, and its cell says what you take."), now: lying(town, ctx), rule: "D5.2" });

function sea(at, ctx) {
  const town = townOn(ctx.view, at), there = shipOn(ctx.view, at);
  if (there) return { name: t("Cell {n}", { n: at }), what: t("A ship that ends here meets another one, {ship}: it pushes it on, or attacks it.", { ship: shipTold(ctx, there.seat, there.ship) }), rule: "D5.3" };
  if (town) return townTold(town.town, ctx);
  return { name: t("Cell {n}", { n: at }), what: t("Open sea: whose ship ends here draws a card."), now: moving(ctx) ? t("Choose a ship or a card first; the places that it reaches are marked.") : null, rule: "D5.1" };
}

function coin({ kind, at, count }, ctx) {
  const name = t("{coin}, worth {n}", { coin: COIN[kind](), n: worthOf(kind, ctx) }), n = Number(count);
  if (at === "bag") return { name, what: n === 1 ? t("1 lies in the bag, from which a bonus is drawn by chance.") : t("{n} lie in the bag, from which a bonus is drawn by chance.", { n }), rule: "D6.2" };
  if (at.startsWith("town")) return { name, what: t("It lies on the pile of a town. A raid takes the coins in the order shown."), rule: "D2.2" };
  return { name, what: t("Cargo: a fight can take it, and it counts when its ship is home. A ship holds six coins. Own ships that overtake each other exchange their cargoes."), rule: "D5.5" };
}

/** What a card does, by itself and with another. */
function cardTold(card) {
  const alone = card === ODIN ? t("Sails a ship of yours 1 to 10 steps, as you like.") : t("Sails a ship of yours {n} steps.", { n: card });
  const [kind, two] = Object.entries(COMBINATIONS).find(([, { cards }]) => cards.includes(card)) || [];
  return { name: named(card), what: two ? `${alone} ${two.does()}` : alone, rule: two ? COMBINED[kind] : "D4.1" };
}

function card(element, ctx) {
  const { seat, card: value } = element.dataset, name = ctx.name(Number(seat));
  if (element.classList.contains("hidden")) return { name: value ? named(Number(value)) : t("A hidden card"), what: t("It lies under the ship in the fog, and counts when that sails out."), rule: "D7.2" };
  if (value === undefined) return { name: t("A card of {name}", { name }), what: t("Only {name} knows it. Seven cards at most are in a hand.", { name }), rule: "D2.4" };
  const told = cardTold(Number(value)), counts = ctx.view.seats[seat].cards_count;
  return { ...told, now: counts ? t("In hand it counts {n} at the end.", { n: ctx.view.options.card_worth[value - 1] }) : null };
}

const shield = ({ cell: n, barrel }, ctx) => ({ name: t("Cell {n} of the loot shield", { n }), what: t("Where the barrel stops here, a raid gives {gift}.", { gift: giftTold(ctx.view, Number(n)) }),
  now: barrel === "true" ? t("The barrel is here: so much is a bonus now.") : null, rule: "D1.7" });

const groups = {
  ship: ({ dataset }, ctx) => ship(dataset, ctx),
  cell: ({ dataset }, ctx) => sea(Number(dataset.at), ctx),
  town: ({ dataset }, ctx) => sea(Number(dataset.cell), ctx),
  fjord: ({ dataset }, ctx) => ({ name: t("Fjord of {name}", { name: ctx.name(Number(dataset.seat)) }), what: t("Its ships start here, before cell {n}, and are home again when they have gone all round.", { n: dataset.cell }), rule: "D6.1" }),
  fog: ({ dataset }, ctx) => ({ name: t("Fog of {name}", { name: ctx.name(Number(dataset.seat)) }), what: t("A ship hides here, with a card that its owner alone knows. It sails on by that card and another one."), rule: "D7.2" }),
  shield: ({ dataset }, ctx) => shield(dataset, ctx),
  stud: ({ dataset }, ctx) => shield(dataset, ctx),
  pile: ({ dataset }, ctx) => ({ ...townTold(dataset.town, ctx), what: t("The coins of this town lie open; a raid takes them in the order shown."), rule: "D2.2" }),
  coin: ({ dataset }, ctx) => coin(dataset, ctx),
  card,
  thrown: ({ dataset }) => cardTold(Number(dataset.card)),
  barrel: ({ dataset }, ctx) => shield({ ...dataset, barrel: "true" }, ctx),
  central: ({ dataset }) => ({ name: t("Central pile"), what: t("{cards} lie face down here. Whoever plays no card draws two of them, and raids can give some.", { cards: cardsTold(Number(dataset.count)) }), rule: "D4.3" }),
  discard: ({ dataset }) => ({ name: t("Discard"), what: t("{cards} lie open here. They become the central pile when that is empty.", { cards: cardsTold(Number(dataset.count)) }), rule: "D4.5" }),
  deck: ({ dataset }, ctx) => ({ name: t("Deck of {name}", { name: ctx.name(Number(dataset.seat)) }), what: t("{cards} are left. On open sea the top one is drawn.", { cards: cardsTold(ctx.view.seats[dataset.seat].deck_size) }), rule: "D5.1" }),
  seat({ dataset }, ctx) {
    const one = ctx.view.seats[dataset.seat];
    return { name: ctx.name(one.seat), what: t("{n} in coins are home. The most win, with the cards in hand where those count.", { n: one.coins }),
      now: one.cards_count ? t("The cards in hand count here.") : t("Until now the cards in hand do not count here."), rule: "D8.4" };
  },
};

const STEPS = {
  draw: () => ({ what: t("Two cards from the central pile, which all share, as far as seven fit into your hand. Then your turn is over."), rule: "D4.3" }),
  ready_ship: () => ({ what: t("A ship of your reserve goes into your fjord, and your turn is over."), rule: "D4.3" }),
  fog_card: () => ({ what: t("A second card goes under the ship in the fog: it will sail further."), rule: "D7.1" }),
  emerge: () => ({ what: t("The hidden cards and one more are added up, and the ship sails so far, past all others."), rule: "D7.2" }),
  rush: () => ({ what: t("In a last turn, cards that add up to the way home bring one ship home, past everything."), rule: "D8.2" }),
  push: () => ({ what: t("The other ship goes to the next free cell, and yours acts as if the cell had been empty."), rule: "D5.4" }),
  attack: () => ({ what: t("Both choose a card in secret. A tie is yours; up to 3 more takes the cargo, a larger difference destroys the ship."), rule: "D5.6" }),
  loot_coins: () => ({ what: t("Coins go into the ship's cargo, six at most, and count when it is home."), rule: "D5.2" }),
  loot_cards: () => ({ what: t("Cards from the central pile go into your hand, as far as seven fit."), rule: "D5.2" }),
};

/** A button beside the board, by the step that it stands for. */
function step(key, ctx) {
  if (COMBINATIONS[key]) return { what: COMBINATIONS[key].does(), rule: COMBINED[key] };
  if (STEPS[key]) return STEPS[key]();
  if (/^by \d+$/.test(key)) return { what: t("The barrel stops on another cell of the shield with each value: that is what you take."), rule: "D5.2" };
  if (key.startsWith("by ")) return { what: t("Gets there by these cards; they are discarded."), rule: COMBINED[key.split(" ")[1]] || rules[ctx.kind] };
  return null;
}

const abouts = {
  god: ({ dataset }, ctx) => (ctx.kind === "battle_card" ? { name: named(Number(dataset.card)), what: t("The higher card wins the fight; then your opponent gets this card."), rule: "D5.6.3" } : cardTold(Number(dataset.card))),
  two: () => ({ what: t("Two cards of one sign do something of their own: here is what."), rule: "D4.2" }),
};

export function explain(element, ctx) {
  if (element.localName === "g") return (groups[element.classList[0]] || (() => null))(element, ctx);
  const { about, step: key } = element.dataset;
  if (abouts[about]) return abouts[about](element, ctx);
  return key ? step(key, ctx) : null;
}
