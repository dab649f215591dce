/** What happens in Drakkars, in sentences. */

import { t, together } from "../../i18n.js";
import { cardsTold, cell, coins, counted, named, ODIN, stepsTold } from "./names.js";

export const ended = (reason) => ({ ships: t("the ships are home"), turn_limit: t("the turns were used up"), last_seat: t("only one side was left") }[reason] || reason);

/** What cards that are played do, where a card does not just sail a ship by its value. */
const PLAYED = {
  sail: (told, cards) => (cards[0] === ODIN ? t("{name} plays {cards}, which goes 1 to 10 steps, as its owner chooses.", told) : null),
  boost: (told, cards) => (cards.includes(ODIN) ? t("{name} plays {cards}: Odin goes 1 to 10 steps, as chosen, and Njord adds 3.", told) : t("{name} plays {cards}: Njord adds 3 steps to the other card.", told)),
  launch: (told) => t("{name} plays {cards}: Tyr launches a ship, which sails by the other card.", told),
  pair: (told) => t("{name} plays {cards}: together they move two ships, seven steps in all.", told),
  swap: (told) => t("{name} plays {cards}: together they make two ships exchange places.", told),
  back: (told) => t("{name} plays {cards}: together they send any ship back five cells.", told),
  fog: (told) => t("{name} plays {cards}: together they hide a ship in the fog.", told),
  emerge: (told) => t("{name} plays {cards}: the hidden ship sails out of the fog by all its cards.", told),
  rush: (told, cards) => (cards.length > 1 ? t("{name} plays {cards}: in a last turn they add up, to bring one ship home.", told) : null),
};

const SHIELD = 8;

function barrelTold({ by, cell: to }) {
  if (by === SHIELD) return t("The barrel moves on by 8, once all round the shield, to where it was: cell {cell}.", { cell: to });
  return t("The barrel moves on by {n}, as the card says, to cell {cell} of the shield.", { n: by, cell: to });
}

/** Both cards of a fight, and who won by them. */
export function revealed(e, n) {
  const told = { one: n(e.attacker), first: e.attacker_card, other: n(e.defender), second: e.defender_card, name: n(e.winner), n: e.difference };
  if (!e.defender_card) return t("{one} shows {first}, {other} has no card, which counts 0: {name} wins.", told);
  return e.difference ? t("{one} shows {first}, {other} {second}: {name} wins by {n}.", told) : t("{one} shows {first}, {other} {second}: a tie goes to the attacker, so {name} wins.", told);
}

/** The same, and who had but one card, which was played without asking (C3). */
const played = (e, n) => [revealed(e, n), ...(e.forced || []).map((seat) => t("{name} had no other card.", { name: n(seat) }))].join(" ");

export const tellers = {
  first_player_chosen: (e, n) => t("{name} begins.", { name: n(e.seat) }),
  town_placed: () => null, pile_laid: () => null, card_turned: () => null, turn_started: (e, n) => (e.last ? t("{name} has a last turn.", { name: n(e.seat) }) : null),
  cards_played(e, n) {
    const told = { name: n(e.seat), cards: together(e.cards.map(named)) };
    return (PLAYED[e.action] && PLAYED[e.action](told, e.cards)) || t("{name} plays {cards}.", told);
  },
  passed: (e, n) => t("{name} plays no card.", { name: n(e.seat) }),
  card_drawn(e, n) {
    const told = { name: n(e.seat), card: e.card ? named(e.card) : t("1 card") };
    return e.pile === "central" ? t("{name} draws {card} from the central pile.", told) : t("{name} draws {card} from their own deck.", told);
  },
  fog_card_drawn: (e) => (e.card ? t("Under the fog lies {card}.", { card: named(e.card) }) : null),
  fog_card_added: (e, n) => t("{name} adds a card to the hidden ship.", { name: n(e.seat) }),
  pile_renewed: () => t("The discard becomes the central pile."),
  ship_launched: (e, n, s) => t("{ship} is launched.", { ship: s(e.seat, e.ship) }),
  ship_moved(e, n, s) {
    const told = { ship: s(e.owner, e.ship), steps: stepsTold(Math.abs(e.steps)), start: cell(e.start), end: cell(e.end) };
    return e.steps < 0 ? t("{ship} is sent back {steps}, from {start} to {end}.", told) : t("{ship} sails {steps}, from {start} to {end}.", told);
  },
  ships_swapped: (e, n, s) => t("{name} exchanges {one} and {other}.", { name: n(e.seat), one: s(e.first_owner, e.first_ship), other: s(e.second_owner, e.second_ship) }),
  ship_stayed: (e, n, s) => t("{ship} stays where it is.", { ship: s(e.owner, e.ship) }),
  ship_hidden: (e, n) => t("{name} hides a ship in the fog.", { name: n(e.seat) }),
  fog_lifted: (e, n, s) => t("{ship} comes out of the fog with {cards}.", { ship: s(e.seat, e.ship), cards: together(e.cards.map(named)) }),
  ship_pushed: (e, n, s) => (e.end === null || e.end === undefined ? t("{ship} is pushed home.", { ship: s(e.owner, e.ship) }) : t("{ship} is pushed to {end}.", { ship: s(e.owner, e.ship), end: cell(e.end) })),
  ship_came_home: (e, n, s) => (e.bonus ? t("{ship} comes home, with a bonus.", { ship: s(e.seat, e.ship) }) : t("{ship} comes home.", { ship: s(e.seat, e.ship) })),
  combat_started: (e, n, s) => t("{one} attacks {other}, on {cell}.", { one: s(e.attacker, e.attacker_ship), other: s(e.defender, e.defender_ship), cell: cell(e.cell) }),
  cards_revealed: played,
  cargo_taken: (e, n) => t("{name} takes {coins}.", { name: n(e.seat), coins: coins(e.coins) }),
  cargo_lost: (e, n) => t("{name} loses {coins} to the bag.", { name: n(e.seat), coins: coins(e.coins) }),
  ship_fled: (e, n, s) => (e.end === null || e.end === undefined ? t("{ship} flees home.", { ship: s(e.owner, e.ship) }) : t("{ship} flees to {end}.", { ship: s(e.owner, e.ship), end: cell(e.end) })),
  ship_destroyed: (e, n, s) => t("{ship} is destroyed.", { ship: s(e.owner, e.ship) }),
  barrel_moved: barrelTold,
  coins_looted: (e, n) => t("{name} takes {coins} from town {town}.", { name: n(e.seat), coins: counted(e.coins), town: e.town }),
  bonus_taken: (e, n) => t("{name} takes a bonus in coins.", { name: n(e.seat) }),
  coin_drawn: (e, n) => t("{name} draws {coins} from the bag.", { name: n(e.seat), coins: coins({ [e.coin]: 1 }) }),
  cards_looted: (e, n) => t("{name} takes {cards}.", { name: n(e.seat), cards: cardsTold(e.cards) }),
  pile_shown: (e, n) => t("{name} looks through the central pile.", { name: n(e.seat) }),
  cards_chosen: (e, n) => t("{name} takes {cards}.", { name: n(e.seat), cards: e.cards ? together(e.cards.map(named)) : cardsTold(e.count) }),
  nothing_looted: (e, n) => t("There is nothing to take for {name}.", { name: n(e.seat) }),
  end_called: (e, n) => t("Enough ships are home: {name} has ended the game, but for last turns: {names}.", { name: n(e.seat), names: together(e.last_turns.map(n)) || t("none") }),
  seat_resigned: (e, n) => t("{name} gives up.", { name: together(e.seats.map(n)) }),
  game_ended: (e, n) => t("The game ends: {why}. {winners} won.", { why: ended(e.reason), winners: together(e.winners.map(n)) }),
};
