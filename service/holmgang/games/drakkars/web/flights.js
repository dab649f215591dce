/** What moves on the board of Drakkars with an event: ships sail along the coast, cards and coins go from hand to place. */

import { CELLS } from "./outlook.js";

const shipOf = (seat, ship) => `g.ship[data-seat="${seat}"][data-ship="${ship}"]`;
const ofSeat = (seat) => `g.seat[data-seat="${seat}"]`;
const DISCARD = "g.discard", CENTRAL = "g.central";
const pileOf = (pile, seat) => ({ central: CENTRAL, discard: DISCARD }[pile] || `g.deck[data-seat="${seat}"]`);
const stud = (cell) => `g.stud[data-cell="${cell}"]`;
const SHIELD = 8;
const fjord = (seat) => `fjord ${seat}`;
const place = (cell, seat) => (cell === null || cell === undefined ? fjord(seat) : `cell ${cell}`);

/** The cells from one to another, clockwise, without the first; out of the fjord and into it by its own cell. */
function coast(start, end, seat) {
  if (start === null || start === undefined || end === null || end === undefined) return [place(end, seat)];
  return Array.from({ length: (end - start + CELLS) % CELLS }, (_, n) => `cell ${(start + n + 1) % CELLS}`);
}

const sails = (owner, ship, start, end) => [{ piece: shipOf(owner, ship), seat: owner, from: place(start, owner), via: coast(start, end, owner), gone: end === null || end === undefined }];
const cards = (seat, n, more) => Array.from({ length: n }, () => ({ like: `g.card[data-seat="${seat}"]`, seat, ...more }));

const flights = {
  cards_played: ({ seat, cards: played }) => played.map((card) => ({ piece: [`g.card.hand[data-seat="${seat}"][data-card="${card}"]`, `g.card.hand[data-seat="${seat}"]:not([data-card])`], seat, to: DISCARD, gone: true })),
  ship_launched: ({ seat }) => [{ like: `g.ship[data-seat="${seat}"]`, seat, from: ofSeat(seat), to: fjord(seat) }],
  ship_moved: ({ owner, ship, start, end }) => sails(owner, ship, start, end),
  ship_pushed: ({ owner, ship, start, end }) => sails(owner, ship, start, end),
  ship_fled: ({ owner, ship, start, end }) => sails(owner, ship, start, end),
  ship_came_home: ({ seat, ship }) => [{ piece: shipOf(seat, ship), seat, to: fjord(seat), gone: true }],
  ship_destroyed: ({ owner, ship }) => [{ piece: shipOf(owner, ship), seat: owner, to: ofSeat(owner), gone: true }],
  ship_hidden: ({ seat, ship }) => [{ piece: shipOf(seat, ship), seat, gone: true }],
  ships_swapped: (e) => [[e.first_owner, e.first_ship, e.second_owner, e.second_ship], [e.second_owner, e.second_ship, e.first_owner, e.first_ship]]
    .map(([seat, ship, other, there]) => ({ piece: shipOf(seat, ship), seat, to: `ship ${other}.${there}` })),
  barrel_moved: ({ by, cell }) => [{ piece: "g.barrel", via: Array.from({ length: by }, (_, n) => stud((cell + SHIELD * by - by + n + 1) % SHIELD)) }],
  coins_looted: ({ seat, town, coins }) => coins.map((kind) => ({ piece: `g.pile[data-town="${town}"] g.coin[data-kind="${kind}"]`, seat, to: ofSeat(seat), gone: true })),
  coin_drawn: ({ seat, coin }) => [{ like: `g.coin[data-kind="${coin}"]`, seat, from: `g.coin[data-at="bag"]`, to: ofSeat(seat), gone: true }],
  cargo_taken: ({ seat, coins }) => Object.keys(coins).map((kind) => ({ like: `g.coin[data-kind="${kind}"]`, seat, to: ofSeat(seat) })),
  card_drawn: ({ seat, pile }) => cards(seat, 1, { from: pileOf(pile, seat), to: ofSeat(seat), gone: true }),
  cards_looted: ({ seat, cards: n }) => cards(seat, n, { from: CENTRAL, to: ofSeat(seat), gone: true }),
  cards_chosen: ({ seat, pile, count }) => cards(seat, count, { from: pileOf(pile, seat), to: ofSeat(seat), gone: true }),
};

export const plays = (event) => (flights[event.type] || (() => []))(event);
