/** A first game of Claim: where to place, what to take off, what to claim and where to go, worked out from how the game stands. */

import { t, together } from "../../i18n.js";
import { catches, claimable, foothold, moved, paths, pieceOn, threats } from "./moves.js";

const TOGETHER = [3, 1, 4, 2, 0];
/** The order in which territories are filled: in the middle of the island first. */
const FEW = 4;

const mine = ({ view, seat }) => view.seats[seat].pieces;
const enemies = ({ view, seat }) => view.seats.filter((one) => one.seat !== seat).flatMap((one) => one.pieces);
const within = (points, territory) => points.filter((point) => territory.points.includes(point));
const did = (past, type, seat) => past.filter((one) => one.type === type && one.seat === seat);
const caughtBy = (past, seat) => did(past, "caught", seat);
const lostBy = (past, seat) => past.filter((one) => one.type === "caught" && one.victim === seat);

/** Two free points side by side where there are few of one's own yet. */
function pair(ctx) {
  const { view } = ctx;
  const free = (one) => one.points.filter((point) => !pieceOn(view, point));
  const order = TOGETHER.map((n) => view.territories[n]).filter(Boolean).sort((a, b) => within(mine(ctx), a).length - within(mine(ctx), b).length);
  for (const one of order) {
    const points = free(one);
    for (const point of points) {
      const beside = String.fromCharCode(point.charCodeAt(0) + 1) + point.slice(1);
      if (points.includes(beside)) return [point, beside];
    }
  }
  return order.flatMap(free).slice(0, 2);
}

/** Territories with own pieces, those with the fewest enemies first. */
const prospects = (ctx) => ctx.view.territories.filter((one) => within(mine(ctx), one).length && one.castle !== ctx.seat)
  .map((one) => ({ one, enemies: within(enemies(ctx), one) })).sort((a, b) => a.enemies.length - b.enemies.length);

const removal = (ctx) => {
  const rest = enemies(ctx), found = prospects(ctx).flatMap((each) => each.enemies);
  return [...new Set([...found, ...rest])].slice(0, ctx.turn.context.remove);
};

/** The territory that is alone one's own when these are taken off. */
const cleared = (ctx) => prospects(ctx).find((each) => each.enemies.length && each.enemies.length <= FEW);

/** K5: a point for each territory that may be claimed, as far as there are castles. */
const claims = (ctx) => Object.values(ctx.turn.context.claimable).map((points) => points[0]).slice(0, ctx.view.seats[ctx.seat].castles_in_hand);

const goes = (view, seat, [start, end]) => ({ ...view, seats: view.seats.map((one) => (one.seat === seat ? { ...one, pieces: [...one.pieces.filter((point) => point !== start), end] } : one)) });
const moves = (view, seat) => view.seats[seat].pieces.flatMap((start) => [...paths(view, start).keys()].map((end) => [start, end]));
const prey = (view, seat, [start, end]) => catches(view, seat, start, end).length;

/** The move that keeps others from winning next, if there is one; else that which catches most; else one after which the enemy catches nothing and one may catch oneself. */
function best(ctx) {
  const { view, seat } = ctx, every = moves(view, seat), danger = threats(view, seat).length;
  const stops = danger ? every.filter(([start, end]) => !threats(moved(view, seat, start, end), seat).length) : [], all = stops.length ? stops : every;
  const hunting = all.map((way) => [prey(view, seat, way), way]).sort((a, b) => b[0] - a[0])[0];
  if (hunting[0]) return hunting[1];
  const others = view.seats.filter((one) => one.seat !== seat).map((one) => one.seat);
  const calm = all.slice(0, 40).filter((way) => { const next = goes(view, seat, way); return others.every((other) => moves(next, other).every((one) => !prey(next, other, one))); });
  return calm.find((way) => { const next = goes(view, seat, way); return moves(next, seat).some((one) => prey(next, seat, one)); }) || calm[0] || all[0];
}

const kept = new WeakMap(); // by the view: it takes a while
const way = (ctx) => { if (!kept.has(ctx.view)) kept.set(ctx.view, best(ctx)); return kept.get(ctx.view); };
const hunts = (ctx) => prey(ctx.view, ctx.seat, way(ctx)) > 0;
const after = (ctx) => moved(ctx.view, ctx.seat, ...way(ctx));

/** What a move is good for, as the hint says it. */
function served(ctx) {
  const { view, seat } = ctx, danger = threats(view, seat);
  if (danger.length && !threats(after(ctx), seat).length) {
    const around = together(danger.flatMap((one) => one.lands.map((land) => foothold(view, one.seat, land))));
    return t("The enemy alone has pieces around {points}, and could win with a castle there next turn. Press the piece with the gold ring: its move prevents that.", { points: around });
  }
  if (!hunts(ctx)) return t("There is nothing to catch just now. Move to where you can shut an enemy in next.");
  const had = claimable(view, seat).map((one) => one.number), won = claimable(after(ctx), seat).filter((one) => !had.includes(one.number));
  return won.length ? t("There is something to catch: press the piece with the gold ring. Then you alone have pieces around {points}, and can put a castle there next turn.", { points: together(won.map((land) => foothold(after(ctx), seat, land))) })
    : t("There is something to catch: press the piece with the gold ring. Each enemy that leaves brings you nearer to having a territory alone.");
}

const wins = (ctx) => ctx.view.territories.filter((one) => one.castle === ctx.seat).length + claims(ctx).length >= 3;
const asked = (ctx, kind) => ctx.turn.yours && ctx.kind === kind;
const last = (list) => list[list.length - 1];

/** Where the piece had gone that caught something, and what stood on the other side. */
function between(caught, past, ctx) {
  const { path } = past.slice(0, past.indexOf(caught)).findLast((one) => one.type === "piece_moved"), end = last(path), { point } = caught;
  const behind = String.fromCharCode(2 * point.charCodeAt(0) - end.charCodeAt(0)) + (2 * point.slice(1) - end.slice(1));
  const land = ctx.view.territories.some((one) => one.points.includes(behind));
  return { point, end, closer: land ? t("the one on {point}", { point: behind }) : t("the end of the island") };
}

const others = { words: () => t("Place the others for me"), action: (ctx) => ({ type: "place", points: pair(ctx).sort() }) };

export default {
  begin: { seats: 2, bot: "random", seed: "0".repeat(64), options: { first_player: 0 } },
  steps: [
    { key: "goal", next: true, when: () => true, rule: "K6.1", title: () => t("Three castles win"),
      words: () => t("The island has five territories. Put a castle on three of them and you have won, at once.") },
    { key: "place", when: (ctx) => asked(ctx, "placement"), rule: "K2.1", title: () => t("Place your pieces"), press: pair,
      words: () => t("Blue is your colour. You have 18 pieces, and place two at a time. Press the two points with a gold ring, then Confirm.") },
    { key: "more", when: (ctx) => asked(ctx, "placement"), rule: "K2.1", title: () => t("Your opponent places, too"), press: pair, rest: others,
      words: () => t("Be on as many territories as you can, two pieces side by side. Go on, or have the others placed for you.") },
    { key: "removal", when: (ctx) => asked(ctx, "removal"), rule: "K2.2", title: () => t("Take four enemies off"), press: removal,
      words: (ctx) => (cleared(ctx) ? t("Each of you takes four enemy pieces off the island. Take those with a gold ring: then one territory has pieces of yours alone.")
        : t("Each of you takes four enemy pieces off the island. Take those with a gold ring.")) },
    { key: "claim", when: (ctx) => asked(ctx, "claim"), rule: "K5", title: () => t("Your first castle"), press: claims,
      words: () => t("Where you have pieces and the enemy has none, a territory is yours to claim. Press the point with the gold ring: there your castle goes.") },
    { key: "claimed", next: true, when: (ctx, past) => did(past, "castle_placed", ctx.seat).length, rule: "K5", at: (ctx, past) => [last(did(past, "castle_placed", ctx.seat)).point],
      title: () => t("The castle stays"), words: (ctx) => t("It counts even when enemies come there again. But they can catch it, as they can catch pieces. You have {n} of three castles.", { n: ctx.view.territories.filter((one) => one.castle === ctx.seat).length }) },
    { key: "ways", next: true, when: (ctx) => asked(ctx, "move"), rule: "K3.1", title: () => t("How a piece moves"),
      words: () => t("A piece goes one step along a line. Or it hops over a piece beside it, anybody's, to the free point behind, and hops on from there, as often as it can.") },
    { key: "move", when: (ctx) => asked(ctx, "move") && !hunts(ctx), rule: "K3.1", title: () => t("Move one piece"), press: way, at: (ctx) => (ctx.turn.yours ? [way(ctx)[1]] : []),
      words: () => t("Press the piece with the gold ring, then where it goes, in the other one.") },
    { key: "catch", when: (ctx) => asked(ctx, "move") && hunts(ctx), rule: "K4.1", title: () => t("You can catch something"), press: way,
      words: () => t("An enemy is caught between the piece that you move, where its move ends, and another of yours or the end of the island. One that stood shut in before is safe until you move a piece beside it. Press the piece with the gold ring, then where it goes.") },
    { key: "caught", next: true, when: (ctx, past) => caughtBy(past, ctx.seat).length, rule: "K4.4", title: () => t("Caught!"), at: (ctx, past) => [last(caughtBy(past, ctx.seat)).point],
      words: (ctx, past) => t("On {point} the enemy stood shut in, between your piece on {end} and {closer}. That piece is out of the game.", between(last(caughtBy(past, ctx.seat)), past, ctx)) },
    { key: "lost", next: true, when: (ctx, past) => lostBy(past, ctx.seat).length, rule: "K4.1", title: () => t("You lost something"), at: (ctx, past) => [last(lostBy(past, ctx.seat)).point],
      words: (ctx, past) => t("On {point} you stood shut in, between the enemy on {end} and {closer}. Look who can come beside your pieces before you move.", between(last(lostBy(past, ctx.seat)), past, ctx)) },
    { key: "again", when: (ctx) => asked(ctx, "chase"), rule: "K4.3", title: () => t("The same piece may go on"), press: (ctx) => ctx.legal.actions.filter((one) => one.type === "move").map(({ path }) => last(path)).slice(0, 1),
      words: () => t("After a catch it may move again, as long as it catches again. Press where it goes, or stop.") },
    { key: "safe", next: true, when: (ctx, past) => asked(ctx, "move") && did(past, "piece_moved", ctx.seat).length > 1, rule: "K4.2", title: () => t("Between two enemies is safe"),
      words: () => t("You may move in between two enemies: nobody is caught there. Only the piece that moves catches, with what stands on the other side.") },
  ],
  hints: {
    placement: { words: () => t("Place two pieces where you have few yet."), rule: "K2.1", press: pair, rest: others },
    removal: { words: () => t("Take off those that stand on a territory with you."), rule: "K2.2", press: removal },
    claim: { words: (ctx) => (wins(ctx) ? t("You alone are there: put a castle. That wins the game!") : t("You alone are there: put a castle. Each point of the territory counts the same, but beside enemies it is caught sooner.")), rule: "K5", press: claims },
    move: { words: served, rule: "K3.1", press: way },
    chase: { words: () => t("Catch again, or stop."), rule: "K4.3", press: (ctx) => ctx.legal.actions.filter((one) => one.type === "move").map(({ path }) => last(path)).slice(0, 1) },
    castle: { words: () => t("You caught a castle: it goes home, and you put one of yours on that territory."), rule: "K4.4", press: (ctx) => [ctx.legal.actions[0].point] },
  },
  ends: (ctx, past) => ["claim", "move"].some((kind) => asked(ctx, kind)) && did(past, "piece_moved", ctx.seat).length > 2,
  close: () => t("Claim three territories: where you have pieces and no enemy is left, a castle is yours at the beginning of your turn. A castle that is caught may be put up again. If nobody gets three, the most castles win in the end."),
};
