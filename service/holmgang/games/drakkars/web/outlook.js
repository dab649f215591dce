/** Where a ship gets in Drakkars, and what will happen there (D3, D5, D6). */

import { t } from "../../i18n.js";
import { capital, cell, giftTold, shipName, shipTold } from "./names.js";

export const CELLS = 36;

/** Where `steps` lead a ship: a cell, or null for home. `ship` is one of the view's, or one that is launched. */
export function reach(view, seat, ship, steps) {
  const place = view.seats[seat].ships[ship];
  const fog = place.at === "hidden" ? view.seats[seat].fog.cell : null;
  const from = place.at === "sea" ? place.cell : fog;
  const way = place.at === "reserve" ? CELLS + 1 : place.way_home;
  if (steps >= way) return { cell: null, exact: steps === way };
  return { cell: from === null || from === undefined ? (view.seats[seat].fjord + steps - 1) % CELLS : (from + steps) % CELLS, exact: false };
}

export const townOn = (view, at) => view.towns.find((one) => one.cell === at);
/** The ship on a cell, without those that are named. */
export function shipOn(view, at, ...but) {
  for (const { seat, ships } of view.seats) {
    const found = ships.find((one) => one.at === "sea" && one.cell === at && !but.includes(shipName(seat, one.ship)));
    if (found) return { seat, ...found };
  }
  return null;
}

/** The cell where a ship goes that is pushed off its own (D5.4); null for home. */
export function pushedTo(view, { seat, cell: from }) {
  const home = ((view.seats[seat].fjord - 1 - from + 2 * CELLS) % CELLS) + 1;
  for (let n = 1; n < home; n += 1) if (!shipOn(view, (from + n) % CELLS)) return (from + n) % CELLS;
  return null;
}

const friends = (view, seat, other) => seat === other || view.teams.some((team) => team.includes(seat) && team.includes(other));

/** In short, what is at a place that ships reach which are named. */
export function briefly(ctx, at, ...moving) {
  const { view } = ctx;
  if (at === null) return t("home");
  const town = townOn(view, at), there = shipOn(view, at, ...moving);
  if (there) return t("where {ship} stands", { ship: shipTold(ctx, there.seat, there.ship) });
  return town ? t("town {town}", { town: town.town }) : t("open sea");
}

/** What an own ship does where it arrives: sentences. `values` may move the barrel, `left` cards stay in hand. */
export function outlook(ctx, ship, there, { values, odin = false, left = 1, sure = true }) {
  const { view, seat } = ctx;
  const barrel = (by) => (view.barrel + by) % view.options.shield.length;
  if (there.cell === null) {
    return there.exact || odin ? [t("It comes home with a bonus: {gift}.", { gift: giftTold(view, view.barrel) })]
      : [t("It comes home; for a bonus the steps would have to be exact.")];
  }
  const other = shipOn(view, there.cell, shipName(seat, ship)), town = townOn(view, there.cell);
  const told = [], its = other && { ship: shipTold(ctx, other.seat, other.ship) };
  if (other && friends(view, seat, other.seat)) told.push(capital(t("{ship} is there, and is pushed on.", its)));
  else if (other && left) told.push(capital(t("{ship} is there: you attack it, or push it on and act.", its)));
  else if (other) told.push(capital(t("{ship} is there, and is pushed on: without a card you cannot attack.", its)));
  if (!town) told.push(t("On open sea you draw a card."));
  else if (!sure || new Set(values).size > 1) told.push(t("It raids town {town}: the barrel moves on by one of the cards, at your choice.", { town: town.town }));
  else told.push(t("It raids town {town}: the barrel moves on by {n}, to {gift}.", { town: town.town, n: values[0], gift: giftTold(view, barrel(values[0]), town.town) }));
  return told;
}
