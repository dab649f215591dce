/** What everything on the island of Claim is, with the rule that says so. */

import { t } from "../../i18n.js";
import { castleOn, pieceOn } from "./moves.js";

export const rules = { placement: "K2.1", removal: "K2.2", claim: "K5", move: "K3.1", chase: "K4.3", castle: "K4.4", choice: "C2", resign: "C6" };

const asked = (ctx, ...kinds) => kinds.includes(ctx.kind) && ctx.turn && ctx.turn.yours;
const friends = (view, one, other) => one === other || view.teams.some((team) => team.includes(one) && team.includes(other));
const alone = (view, territory, seat) => territory.points.some((point) => view.seats[seat].pieces.includes(point))
  && !view.seats.some((one) => !friends(view, one.seat, seat) && one.pieces.some((point) => territory.points.includes(point)));

function piece(seat, at, ctx) {
  const name = t("Piece of {name} on {point}", { name: ctx.name(seat), point: at });
  if (asked(ctx, "placement")) return { name, what: t("Two of your pieces go onto free points, not here."), rule: "K2.1" };
  if (asked(ctx, "removal")) return { name, what: t("Each takes enemy pieces off, four at most of one clan."), now: friends(ctx.view, seat, ctx.seat) ? t("Your own side's pieces stay.") : null, rule: "K2.2" };
  const moves = asked(ctx, "move") && seat === ctx.seat;
  if (moves) return { name, what: t("It steps to a free point beside it, or hops over whatever stands beside it, again and again."), now: t("It is hemmed in now."), rule: "K3.1" };
  return { name, what: t("It is caught when an enemy's move ends beside it and it is shut in from the other side, or by the end of the island."),
    now: asked(ctx, "move") ? t("You move your own pieces only.") : null, rule: "K4.1" };
}

function castle({ seat, at, territory }, ctx) {
  const name = t("Castle of {name}", { name: ctx.name(Number(seat)) });
  if (at === "hand") return { name, what: t("In hand: it goes onto a territory that is claimed. Everybody has three, and three on the island win; partners need five together."), rule: "K6.1" };
  return { name, what: t("Territory {n} is claimed. A castle never moves; it goes back to its owner when it is caught, or when an enemy claims the territory.", { n: territory }), rule: "K4.4" };
}

function territory({ territory: number }, ctx) {
  const one = ctx.view.territories[number];
  const now = one.castle !== null ? t("It is claimed by {name}.", { name: ctx.name(one.castle) })
    : ctx.seat !== null && alone(ctx.view, one, ctx.seat) ? t("You alone have pieces here.") : t("Nobody has claimed it.");
  return { name: t("Territory {n}", { n: number }), what: t("Who has a piece here, with no enemy piece, may claim it with a castle before moving."), now, rule: "K5" };
}

function point({ at }, ctx) {
  const there = pieceOn(ctx.view, at), fort = castleOn(ctx.view, at);
  if (there) return piece(there.seat, at, ctx);
  if (fort) return castle({ seat: fort.castle, at, territory: fort.number }, ctx);
  const name = t("Point {point}, free", { point: at }), number = ctx.view.territories.find((one) => one.points.includes(at)).number;
  if (asked(ctx, "claim", "castle")) return { name, what: t("A point of territory {n}. A castle can stand here.", { n: number }), now: t("Not now: only on territories where you alone have pieces, or whose castle you caught."), rule: ctx.kind === "claim" ? "K5" : "K4.4" };
  if (asked(ctx, "removal")) return { name, what: t("A point of territory {n}. There is nothing to take off here.", { n: number }), rule: "K2.2" };
  return { name, what: t("A point of territory {n}. A piece beside it can step here, and one behind a neighbour can hop here.", { n: number }), rule: "K3.1" };
}

const groups = {
  piece: ({ seat, at }, ctx) => piece(Number(seat), at, ctx),
  castle,
  point,
  territory,
  seat({ seat }, ctx) {
    const one = ctx.view.seats[seat], own = ctx.view.territories.filter((land) => land.castle === one.seat).length;
    return { name: ctx.name(one.seat), what: t("Castles on the island: {n}, in hand: {m}. Three on the island win; partners need five together.", { n: own, m: one.castles_in_hand }),
      now: t("Pieces on the island: {n}, caught: {caught}.", { n: one.pieces.length, caught: one.caught }), rule: "K6.1" };
  },
};

export function explain(element, ctx) {
  if (element.localName === "g") return groups[element.classList[0]] ? groups[element.classList[0]](element.dataset, ctx) : null;
  return element.dataset.step === "stop" ? { what: t("The move ends here, and the next player goes on. Chasing is never a must."), rule: "K4.3" } : null;
}
