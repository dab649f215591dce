/** A first game of Drakkars: which card to play and what to take, worked out from how the game stands. */

import { t } from "../../i18n.js";
import { battleOf, cardFor, exampleTold, foughtTold, stakeTold, worthFighting } from "./duel.js";
import { cardsTold, cell, coinsTold, counted, gift, giftTold, named, ODIN, shipName } from "./names.js";
import { CELLS, reach, shipOn, townOn } from "./outlook.js";

const SAILS = 3;

const asked = (ctx, kind) => ctx.turn.yours && ctx.kind === kind;
const did = (past, type, seat) => past.filter((one) => one.type === type && one.seat === seat);
const moved = (past, seat) => past.filter((one) => one.type === "ship_moved" && one.owner === seat && one.by === seat);
const last = (list) => list[list.length - 1];
const afloat = ({ view, seat }) => view.seats[seat].ships.filter((one) => one.at === "sea" || one.at === "fjord");
const ownShips = (ctx) => afloat(ctx).map(({ ship }) => `ship ${shipName(ctx.seat, ship)}`);

/** How good it is to sail a ship by a card: home, then towns by what they give, then open sea. */
function worth(ctx, ship, card) {
  const { view, seat } = ctx, there = reach(view, seat, ship, card);
  if (there.cell === null) return there.exact ? 30 : 20;
  const other = shipOn(view, there.cell, shipName(seat, ship)), town = townOn(view, there.cell);
  if (other) return other.seat === seat ? 0 : 1;
  if (!town) return 2 + card / 10;
  const gives = gift(view, (view.barrel + card) % view.options.shield.length);
  return town.coins.length ? 5 + (gives.coins || 0) : 3;
}

/** The best card to sail by, with its ship; null where nothing can sail. */
function best(ctx) {
  const cards = [...new Set(ctx.view.hand)].filter((card) => card !== ODIN);
  const all = afloat(ctx).flatMap(({ ship }) => cards.map((card) => ({ ship, card, worth: worth(ctx, ship, card) })));
  return all.sort((a, b) => b.worth - a.worth)[0] || null;
}

/** What to press: a card and its ship, or else to launch one or to draw. */
function go(ctx) {
  const found = best(ctx), waiting = ctx.view.seats[ctx.seat].ships.some((one) => one.at === "reserve");
  if (found) return [`card ${found.card}`, `ship ${shipName(ctx.seat, found.ship)}`];
  return !afloat(ctx).length && waiting ? ["ready_ship"] : ["draw"];
}

const target = (ctx) => { const found = best(ctx), at = found && reach(ctx.view, ctx.seat, found.ship, found.card).cell; return at === null ? [] : [`cell ${at}`]; };
/** Which cell the card leads to, which may be pressed once card and ship are chosen only. */
const leads = (ctx) => ({ card: named(best(ctx).card), cell: cell(Number(target(ctx)[0].slice(5))) });
/** Whether a way of so many steps, counted from the fjord, wants to be explained. */
const fromFjord = (ctx) => { const found = best(ctx); return Boolean(found) && ctx.view.seats[ctx.seat].ships[found.ship].at === "fjord"; };
const toTown = (ctx) => { const [place] = target(ctx); return Boolean(place) && Boolean(townOn(ctx.view, Number(place.slice(5)))); };
const spoil = (ctx) => ctx.legal.actions.map((one) => one.type);
/** The highest cards of a pile that one may choose from, as its panel calls them. */
const picked = ({ from, count }) => [...from].sort((a, b) => a - b).map((card, n) => `${n} ${card}`).slice(-count);
const take = (ctx) => (ctx.turn.context.choice ? picked(ctx.turn.context.choice) : spoil(ctx).includes("loot_coins") ? ["loot_coins"] : spoil(ctx).includes("loot_cards") ? ["loot_cards"] : []);
const meets = (ctx) => (spoil(ctx).includes("attack") && worthFighting(ctx) ? ["attack"] : ["push"]);
const fights = (ctx) => [`card ${cardFor(ctx)}`];
/** By how much the barrel moved last, in words. */
function barrelTold(ctx, past) {
  const { by } = last(past.filter((one) => one.type === "barrel_moved")), all = ctx.view.options.shield.length;
  return by === all ? t("A raid moves the barrel on by the value of the card: {n} cells, which is once all round the shield of {n}.", { n: by })
    : t("A raid moves the barrel on by the value of the card: {n} cells of the shield.", { n: by });
}
const worths = ({ view: { options: { coin_worth: [gold, silver, copper] } } }) => ({ gold, silver, copper });
/** In the last turns, whether the cards in one's hand count already. */
const ending = (ctx) => (ctx.view.seats[ctx.seat].cards_count ? t("What is at sea after it is lost. The cards in your hand count, so play few.") : t("What is at sea after it is lost. The cards in your hand count only if a ship of yours comes home now, and several cards together may bring one."));

export default {
  begin: { seats: 2, bot: "random", seed: "7".padStart(64, "0"), options: { first_player: 0 } },
  steps: [
    { key: "goal", next: true, when: () => true, rule: "D8.5", title: () => t("The most coins win"), at: ownShips,
      words: () => t("Your ship, in the gold ring, sails clockwise once round the coast, takes coins in towns, and comes home. Coins still at sea at the end count nothing.") },
    { key: (ctx, past) => `fought ${battleOf(ctx, past).combat}`, next: true, when: (ctx, past) => battleOf(ctx, past), rule: (ctx, past) => foughtTold(ctx, past).rule, title: (ctx, past) => foughtTold(ctx, past).title, words: (ctx, past) => foughtTold(ctx, past).words },
    { key: () => "last", when: (ctx) => asked(ctx, "sail") && ctx.view.end, rule: "D8.2", title: () => t("Your last turn"), words: ending },
    { key: "sail", when: (ctx) => asked(ctx, "sail"), rule: "D4.1", title: () => t("A card moves your ship"), press: go, at: target,
      words: (ctx) => [toTown(ctx) ? t("It goes as far as the card says. {card} leads just to a town, on {cell}. Press the card, then your ship if you are asked which, then Confirm.", leads(ctx))
        : t("It goes as far as the card says. Press {card}, then your ship if you are asked which, then Confirm.", { card: named(best(ctx).card) }),
      fromFjord(ctx) ? t("The first step leads out of your fjord to the cell before it; once round and home are {n} steps.", { n: CELLS + 1 }) : ""].filter(Boolean).join(" ") },
    { key: "loot", when: (ctx) => asked(ctx, "loot") && !ctx.turn.context.choice, rule: "D5.2", title: () => t("You raid the town"), press: take, at: (ctx) => [`shield ${ctx.view.barrel}`],
      words: (ctx, past) => { const { coins: n, cards } = ctx.turn.context; return `${barrelTold(ctx, past)} ${t("There, in the gold ring, it says what you take: {coins} or {cards}. Coins win games, cards keep you sailing. Cards come from the central pile, which all share.", { coins: coinsTold(n), cards: cardsTold(cards) })}`; } },
    { key: "looted", next: true, when: (ctx, past) => did(past, "coins_looted", ctx.seat).length, rule: "D5.5", title: () => t("The coins are in your ship"), at: ownShips,
      words: (ctx, past) => t("You have {coins} on board. Gold is worth {gold}, silver {silver}, copper {copper}. They are yours when the ship is home. Until then another ship may attack it for them.", { ...worths(ctx), coins: counted(last(did(past, "coins_looted", ctx.seat)).coins) }) },
    { key: "again", when: (ctx, past) => asked(ctx, "sail") && moved(past, ctx.seat).length, rule: "D5.1", title: () => t("Your turn again"), press: go, at: target,
      words: (ctx) => (toTown(ctx) ? t("Another town is within reach: {card} leads to {cell}. Press the card, then the ship if you are asked which.", leads(ctx)) : t("No card alone leads to a town now. On open sea you draw a card, so nothing is lost. Press the card, then the ship if you are asked which.")) },
    { key: "drew", next: true, when: (ctx, past) => moved(past, ctx.seat).length > 1 && did(past, "card_drawn", ctx.seat).length, rule: "D5.1", title: () => t("Open sea: a card"), at: ownShips,
      words: () => t("On an empty cell you draw a card of your own deck. You may hold seven. When no card helps, draw two of the central pile instead of sailing.") },
    { key: "two", next: true, when: (ctx, past) => asked(ctx, "sail") && moved(past, ctx.seat).length > 1, rule: "D4.2", title: () => t("Two cards do more"),
      words: () => t("Some cards do something together: Njord sails another card 3 further, Tyr launches a new ship. The list is below your hand. One card is free by itself: Odin goes 1 to 10 steps, as you choose.") },
    { key: "meet", when: (ctx) => asked(ctx, "arrival"), rule: "D5.3", title: () => t("Another ship is there"), press: meets, at: (ctx) => [`cell ${ctx.turn.context.cell}`],
      words: (ctx) => (meets(ctx)[0] === "attack" ? t("Push it on, and do what you came for. Or attack it for its coins: you have a high card, so try that.") : t("Push it on, and do what you came for. Attack where there are coins to win and you have a high card.")) },
    { key: "fight", when: (ctx) => asked(ctx, "battle_card"), rule: "D5.6", title: () => t("A fight"), press: fights,
      words: (ctx) => `${t("Each plays one card in secret, and nothing else counts: the higher card wins.")} ${stakeTold(ctx)}` },
    { key: "ships", next: true, when: (ctx, past) => asked(ctx, "sail") && moved(past, ctx.seat).length >= SAILS - 1 && !battleOf(ctx, past), rule: "D5.6", title: () => t("Where ships meet"), words: exampleTold },
    { key: "home", next: true, when: (ctx, past) => asked(ctx, "sail") && moved(past, ctx.seat).length >= SAILS - 1, rule: "D6.2", title: () => t("Coming home"), at: (ctx) => [`fjord ${ctx.seat}`],
      words: (ctx) => t("Back in your fjord the coins are safe. Come home with the exact number of steps, or with Odin, and there is a bonus: what the barrel's cell says, now {gift}. You have two more ships to send out.", { gift: giftTold(ctx.view, ctx.view.barrel) }) },
    { key: "end", next: true, when: (ctx, past) => asked(ctx, "sail") && moved(past, ctx.seat).length >= SAILS - 1, rule: "D8.1", title: () => t("How it ends"),
      words: (ctx) => t("When {n} ships are home in all, or three of one player, the game ends: everybody else has one last turn. Coins still at sea are lost.", { n: ctx.view.seats.length + 2 }) },
    { key: "cards", next: true, when: (ctx, past) => asked(ctx, "sail") && moved(past, ctx.seat).length >= SAILS - 1, rule: "D8.4", title: () => t("Cards in hand may count"),
      words: () => t("At the end two kinds of players add the cards in their hand to their coins: who brought home the ship that ended the game, and who brings one home after that. Odin is worth 10, and so on. So keep some cards.") },
  ],
  hints: {
    sail: { words: (ctx) => { const found = best(ctx); return ctx.view.end ? ending(ctx) : !found ? t("Without a ship at sea or a card for it: launch a ship, or draw two cards.")
      : toTown(ctx) ? t("{card} leads to a town.", { card: named(found.card) }) : t("{card} brings you on.", { card: named(found.card) }); }, rule: "D4", press: go, at: target },
    arrival: { words: () => t("Push the other ship on, or attack it for its coins."), at: (ctx) => [`cell ${ctx.turn.context.cell}`], rule: "D5.3", press: meets },
    barrel: { words: () => t("The barrel moves on by one of your cards: choose what you want it to stand on."), rule: "D5.2", press: (ctx) => [`by ${ctx.legal.actions[0].by}`] },
    loot: { words: (ctx) => (ctx.turn.context.choice ? t("High cards carry far and win fights.") : t("Coins win games, cards keep you sailing.")), rule: "D5.2", press: take },
    battle_card: { words: stakeTold, rule: "D5.6", press: fights },
  },
  ends: (ctx, past) => asked(ctx, "sail") && moved(past, ctx.seat).length >= SAILS,
  close: () => t("Raid towns, and bring your three ships home. The cards in your hand count as coins, too, if your ship ends the game or one comes home after that; else they count nothing. What you have not met yet, such as fights, is explained when it comes."),
};
