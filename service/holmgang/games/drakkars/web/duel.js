/** What a coach says of fights in Drakkars (D5.6): which card to play, and afterwards who won and why. */

import { t } from "../../i18n.js";
import { capital, coins, named, shipTold } from "./names.js";
import { revealed } from "./tell.js";

const STRONG = 7;
/** With such a card one may well attack. */
const CLOSE = 3;
/** By more the loser's ship is destroyed. */
const EXAMPLE = [8, 6];
/** Two cards of a fight that is told before there is one. */

const ordered = (hand) => [...hand].sort((a, b) => a - b);
const carried = (view, seat, ship) => { const { rank } = view.seats[seat].ships[ship]; return rank === null ? {} : view.seats[seat].cargo[rank - 1]; };
const any = (load) => Object.keys(load).length > 0;

/** Whether one attacks with some hope, and for something. */
export function worthFighting({ view, turn: { context: { occupant } } }) {
  return Math.max(...view.hand) >= STRONG && any(carried(view, occupant.seat, occupant.ship));
}

/** The cargoes of both ships of a fight: one's own first. */
function stakes({ view, seat }) {
  const { attacker, attacker_ship: one, defender, defender_ship: other } = view.combat;
  const both = [carried(view, attacker, one), carried(view, defender, other)];
  return seat === attacker ? both : both.reverse();
}

/** The highest card where there are coins to win or to lose; else a middling one, since it goes to the other. */
export function cardFor(ctx) {
  const hand = ordered(ctx.view.hand);
  return stakes(ctx).some(any) ? hand[hand.length - 1] : hand[Math.floor(hand.length / 2)];
}

/** What is at stake in a fight, and what the card wins against that is pointed at. */
export function stakeTold(ctx) {
  const [mine, theirs] = stakes(ctx), card = cardFor(ctx), told = { card: named(card), mine: coins(mine), theirs: coins(theirs) };
  const stake = any(mine) || any(theirs) ? t("You carry {mine}, the other {theirs}: the winner takes the loser's.", told) : t("Neither ship carries coins, so keep your best card: what you play goes to the other.", told);
  const wins = ctx.view.combat.attacker === ctx.seat ? t("You attack, so a tie is yours: {card} wins against any card that is not higher.", told) : t("You are attacked, and a tie goes to the attacker: {card} wins against lower cards only.", told);
  return [stake, wins, t("Whoever loses by more than 3 loses the ship. Then the two cards change hands.")].join(" ");
}

/** A fight with its sum, for who has met none yet. */
export const exampleTold = () => t("Where another ship stands, push it on to the next free cell, or attack it. Then each of you plays a card in secret. {high} against {low} wins by {n}: the winner takes the loser's coins, and the loser's ship flees. By more than {most} it is destroyed. A tie is the attacker's, and the two cards change hands.",
  { high: named(EXAMPLE[0]), low: named(EXAMPLE[1]), n: EXAMPLE[0] - EXAMPLE[1], most: CLOSE });

/** The latest fight of one's own that has been decided. */
export const battleOf = ({ seat }, past) => past.findLast((one) => one.type === "cards_revealed" && (one.attacker === seat || one.defender === seat));

/** How it went, and why. */
export function foughtTold(ctx, past) {
  const fight = battleOf(ctx, past), of = (type) => past.find((one) => one.type === type && one.combat === fight.combat);
  const [taken, lost, sunk, fled] = ["cargo_taken", "cargo_lost", "ship_destroyed", "ship_fled"].map(of);
  const loser = sunk || fled, ship = shipTold(ctx, loser.owner, loser.ship), name = ctx.name(fight.winner), n = fight.difference;
  const said = [revealed(fight, ctx.name)];
  if (sunk) said.push(t("That is more than {most} apart: {ship} is destroyed, and can be launched again.", { most: CLOSE, ship }));
  else said.push(t("That is at most {most} apart: {ship} flees.", { most: CLOSE, ship }));
  if (taken) said.push(t("{name} takes its {coins}.", { name, coins: coins(taken.coins) }));
  else if (lost) said.push(t("Its coins go back to the bag: {coins}.", { coins: coins(lost.coins) }));
  else said.push(t("It carried nothing."));
  const [gave, got] = fight.attacker === ctx.seat ? [fight.attacker_card, fight.defender_card] : [fight.defender_card, fight.attacker_card];
  if (got && gave) said.push(t("The two cards change hands: you gave {gave} and have {got} now.", { gave: named(gave), got: named(got) }));
  else if (got) said.push(t("You had no card to play, and get {got}.", { got: named(got) }));
  return { title: fight.winner === ctx.seat ? t("You won the fight") : n ? t("You lost the fight") : t("You lost the fight: a tie"), words: said.map(capital).join(" "), rule: sunk ? "D5.6.2" : n ? "D5.6.1" : "D5.6" };
}
