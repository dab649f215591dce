/** How things are called in Drakkars. */

import { language, t, together } from "../../i18n.js";

export const NJORD = 3;
export const TYR = 8;
export const ODIN = 10;

export const god = (card) => [null, t("Freyr"), t("Idunn"), t("Njord"), t("Sif"), t("Frigg"), t("Freya"), t("Heimdall"), t("Tyr"),
  t("Thor"), t("Odin")][card];
export const named = (card) => t("{god} ({value})", { god: god(card), value: card });
/** In names of places; people read `shipTold`. */
export const shipName = (seat, ship) => `${seat}.${ship}`;

const OWN = [() => t("your first ship"), () => t("your second ship"), () => t("your third ship")];
const OTHERS = [(name) => t("the first ship of {name}", { name }), (name) => t("the second ship of {name}", { name }), (name) => t("the third ship of {name}", { name })];

/** What a ship is called, within a sentence, by whoever reads it: who chose, where nobody else is named. */
export const shipTold = ({ seat: own, reader = own, name }, seat, ship) => (Number(seat) === reader ? OWN[ship]() : OTHERS[ship](name(Number(seat))));

/** A sentence that may begin with a ship. */
export const capital = (said) => said.charAt(0).toLocaleUpperCase(language) + said.slice(1);
export const cell = (n) => (n === null || n === undefined ? t("the fjord") : t("cell {n}", { n }));
export const cardsTold = (n) => (n === 1 ? t("1 card") : t("{n} cards", { n }));
export const stepsTold = (n) => (n === 1 ? t("1 step") : t("{n} steps", { n }));
export const coinsTold = (n) => (n === 1 ? t("1 coin") : t("{n} coins", { n }));

const HAND = 7;
/** How many cards whoever plays none draws of the central pile, which the discard renews (D2.4, D4.3, D4.5). */
export const drawn = (view, seat) => Math.min(2, HAND - view.seats[seat].hand_size, view.central_size + view.discard.length);
export const drawTold = (n) => [() => t("Pass"), () => t("Draw a card"), () => t("Draw two cards")][n]();
/** Why nothing is drawn, or where the cards come from. */
export const drawNote = (view, seat) => (drawn(view, seat) ? t("Of the central pile, which all share, instead of sailing.")
  : view.seats[seat].hand_size < HAND ? t("No card is left to draw.") : t("Your hand is full: you draw nothing."));

const COINS = { gold: (n) => t("{n} gold", { n }), silver: (n) => t("{n} silver", { n }), copper: (n) => t("{n} copper", { n }) };

/** Coins by kind, in words. */
export const coins = (counts) => together(Object.entries(counts || {}).map(([kind, n]) => COINS[kind](n))) || t("nothing");
export const counted = (list) => coins(list.reduce((sum, kind) => ({ ...sum, [kind]: (sum[kind] || 0) + 1 }), {}));

const pairOf = (one, other) => ({ one: named(one), other: named(other) });

/** What two cards do together (D4.2): the cards (null for any other), what it is called, and what it does. */
export const COMBINATIONS = {
  launch: { cards: [TYR, null], name: () => t("Launch and sail"), does: () => t("{tyr} with any card but {njord}: a ship leaves the reserve and sails by the other card.", { tyr: named(TYR), njord: named(NJORD) }) },
  boost: { cards: [NJORD, null], name: () => t("Sail further"), does: () => t("{njord} with any card but {tyr}: a ship of yours sails by the other card and 3 more.", { tyr: named(TYR), njord: named(NJORD) }) },
  pair: { cards: [1, 6], name: () => t("Move two ships"), does: () => t("{one} and {other}: any two ships share seven steps.", pairOf(1, 6)) },
  swap: { cards: [5, ODIN], name: () => t("Exchange two ships"), does: () => t("{one} and {other}: any two ships at sea exchange places.", pairOf(ODIN, 5)) },
  back: { cards: [2, 7], name: () => t("Send a ship back"), does: () => t("{one} and {other}: any ship at sea goes back five cells.", pairOf(7, 2)) },
  fog: { cards: [4, 9], name: () => t("Hide a ship"), does: () => t("{one} and {other}: a ship of yours hides in the fog, where nobody can touch it.", pairOf(9, 4)) },
};

/** What a cell of the shield gives: `{coins, cards}` or `{count, pile}`. */
export function gift(view, n) {
  const found = /^(\d+) coins? or (\d+)/.exec(view.options.shield[n]);
  if (found) return { coins: Number(found[1]), cards: Number(found[2]) };
  const [count, pile] = view.options.shield[n].split(" of ");
  return { count: Number(count), pile };
}

/** The same in words; of a town's pile, which coins. */
export function giftTold(view, n, town = null) {
  const gives = gift(view, n);
  if (gives.pile) return gives.pile === "discard" ? t("any {n} cards of the discard", { n: gives.count }) : t("any {n} cards of the central pile", { n: gives.count });
  const told = { coins: coinsTold(gives.coins), cards: cardsTold(gives.cards) };
  if (town === null) return t("{coins} or {cards}", told);
  const top = view.towns.find((one) => one.town === town).coins.slice(0, gives.coins);
  return t("{coins} ({which}) or {cards}", { ...told, coins: coinsTold(top.length), which: counted(top) });
}
