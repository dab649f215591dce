/** Claim: pieces hop, catch and claim. Nothing is hidden; almost everything is chosen on the board. */

import { listed } from "../chooser.js";
import { t, together } from "../i18n.js";

const pieceOn = (view, point) => view.seats.find((one) => one.pieces.includes(point));
const castleOn = (view, point) => view.territories.find((one) => one.castle_point === point);
const territoryOf = (view, point) => view.territories.find((one) => one.points.includes(point));
const at = (point, label = point) => ({ key: point, label, place: point });

function what(ctx, point) {
  const { view } = ctx;
  const piece = pieceOn(view, point), castle = castleOn(view, point);
  const there = piece ? t("piece of {name}", { name: ctx.name(piece.seat) })
    : castle ? t("castle of {name}", { name: ctx.name(castle.castle) }) : t("free");
  return t("{point}, {what}", { point, what: there });
}

function near(point) {
  const column = point.charCodeAt(0), row = Number(point.slice(1));
  return [[1, 0], [-1, 0], [0, 1], [0, -1]].map((way) => ({ way, point: String.fromCharCode(column + way[0]) + (row + way[1]) }));
}

/** K3.1: a shortest path to each point that a piece may reach. */
function ways(view, start) {
  const land = new Set(view.territories.flatMap((one) => one.points));
  const taken = new Set([...view.seats.flatMap((one) => one.pieces), ...view.territories.map((one) => one.castle_point).filter(Boolean)]);
  taken.delete(start);
  const found = new Map();
  for (const { point } of near(start)) if (land.has(point) && !taken.has(point)) found.set(point, [start, point]);
  const landed = new Set([start]);
  for (let edge = [[start]]; edge.length;) {
    const further = [];
    for (const path of edge) {
      for (const { way, point } of near(path[path.length - 1])) {
        if (!land.has(point) || !taken.has(point)) continue;
        const behind = String.fromCharCode(point.charCodeAt(0) + way[0]) + (Number(point.slice(1)) + way[1]);
        if (!land.has(behind) || taken.has(behind) || landed.has(behind)) continue;
        landed.add(behind);
        if (!found.has(behind)) found.set(behind, [...path, behind]);
        further.push([...path, behind]);
      }
    }
    edge = further;
  }
  return found;
}

function moves(ctx) {
  if (ctx.legal.actions) return ctx.legal.actions;
  return ctx.legal.grammar.pieces.flatMap((piece) => [...ways(ctx.view, piece).values()].map((path) => ({ type: "move", path })));
}

/** Some of a set of points, in no order: `most` of them, limited further by `fits(chosen, point)`. */
function several(points, most, make, { fits = () => true, least = most } = {}) {
  return {
    toggles: true,
    options: (chosen) => (chosen.length >= most ? [] : points
      .filter((point) => !chosen.some((one) => one.key === point) && fits(chosen.map((one) => one.key), point)).map((point) => at(point))),
    action: (chosen) => (chosen.length >= least && chosen.length <= most ? make(chosen.map((one) => one.key).sort()) : null),
  };
}

const composers = {
  placement(ctx) {
    const taken = new Set(ctx.view.seats.flatMap((one) => one.pieces));
    const free = ctx.view.territories.flatMap((one) => one.points).filter((point) => !taken.has(point));
    return several(free, 2, (points) => ({ type: "place", points }));
  },
  removal(ctx) {
    const { remove, most } = ctx.turn.context;
    const owner = (point) => String(pieceOn(ctx.view, point).seat);
    const points = ctx.view.seats.filter((one) => most[one.seat] !== undefined).flatMap((one) => one.pieces);
    const fits = (chosen, point) => chosen.filter((other) => owner(other) === owner(point)).length < most[owner(point)];
    return several(points, remove, (found) => ({ type: "remove", points: found }), { fits });
  },
  claim(ctx) {
    const ground = ctx.turn.context.claimable;
    const home = new Map(Object.entries(ground).flatMap(([territory, points]) => points.map((point) => [point, Number(territory)])));
    const most = Math.min(ctx.view.seats[ctx.seat].castles_in_hand, Object.keys(ground).length);
    const fits = (chosen, point) => chosen.every((other) => home.get(other) !== home.get(point));
    const make = (points) => ({ type: "claim", castles: points.map((point) => ({ territory: home.get(point), point })) });
    return several([...home.keys()], most, make, { fits, least: 0 });
  },
  move: (ctx) => listed(moves(ctx), ({ path }) => [at(path[0]), at(path[path.length - 1])]),
  chase: (ctx) => listed(ctx.legal.actions, (action) => (
    action.type === "stop" ? [{ key: "stop", label: t("Chase no further") }] : [at(action.path[action.path.length - 1])])),
  castle: (ctx) => listed(ctx.legal.actions, ({ point }) => [at(point)]),
};

const asks = {
  placement: (ctx, chosen) => (chosen.length === 1 ? t("Choose a free point for the second piece.") : t("Place two of your pieces on free points.")),
  removal: (ctx, chosen) => t("Take {n} enemy pieces off the island: {left} to go.", { n: ctx.turn.context.remove, left: ctx.turn.context.remove - chosen.length }),
  claim: () => t("Put castles on territories where you alone have pieces, one each, or claim nothing."),
  move: (ctx, chosen) => (chosen.length ? t("Where does the piece on {point} go?", { point: chosen[0].key }) : t("Move one of your pieces: choose it.")),
  chase: (ctx) => t("The piece on {point} may catch again. Choose where it goes, or stop.", { point: ctx.view.chaser }),
  castle: () => t("You caught a castle: choose a point of its territory for one of yours."),
};

const ended = (reason) => ({
  castles: t("enough castles stand"),
  alone: t("nobody else has pieces left"),
  repetition: t("the position stood for the fourth time"),
  turn_limit: t("the turns were used up"),
  last_seat: t("only one side was left"),
}[reason] || reason);

const tellers = {
  first_player_chosen: (e, n) => t("{name} begins.", { name: n(e.seat) }),
  pieces_placed: (e, n) => t("{name} places pieces on {points}.", { name: n(e.seat), points: together(e.points) }),
  pieces_removed: (e, n) => t("{name} takes off {points}.", { name: n(e.seat), points: together(e.points) }),
  battle_turn_started: (e, n) => (e.repeats > 1 ? t("This position stands for the {n}. time.", { n: e.repeats }) : null),
  castle_returned: (e, n) => t("A castle of {name} leaves {point}.", { name: n(e.owner), point: e.point }),
  castle_placed: (e, n) => (e.claimed ? t("{name} claims territory {territory} with a castle on {point}.", { name: n(e.seat), territory: e.territory, point: e.point })
    : t("{name} takes territory {territory} with a castle on {point}.", { name: n(e.seat), territory: e.territory, point: e.point })),
  claim_declined: () => null,
  piece_moved: (e, n) => t("{name} moves from {start} to {end}.", { name: n(e.seat), start: e.path[0], end: e.path[e.path.length - 1] }),
  caught: (e, n) => (e.kind === "castle" ? t("{name} catches a castle of {victim} on {point}.", { name: n(e.seat), victim: n(e.victim), point: e.point })
    : t("{name} catches a piece of {victim} on {point}.", { name: n(e.seat), victim: n(e.victim), point: e.point })),
  chase_ended: (e, n) => t("{name} chases no further.", { name: n(e.seat) }),
  turn_skipped: (e, n) => t("{name} cannot move.", { name: n(e.seat) }),
  seat_resigned: (e, n) => t("{name} gives up.", { name: together(e.seats.map(n)) }),
  game_ended: (e, n) => t("The game ends: {why}. {winners} won.", { why: ended(e.reason), winners: together(e.winners.map(n)) }),
};

export default {
  ruleset: "claim",
  title: "Claim",
  get blurb() { return t("Hop, catch between two sides, and raise three castles. No luck but who starts."); },
  seats: [2, 3, 4],
  quick: 2,
  places: [{ selector: "g.point", id: (element) => element.dataset.at, label: (element, ctx) => what(ctx, element.dataset.at) }],
  ask: (ctx, chosen) => (asks[ctx.kind] || (() => ""))(ctx, chosen),
  compose: (ctx) => composers[ctx.kind](ctx),
  describe(action, ctx) {
    switch (action.type) {
      case "place": return t("Place pieces on {points}", { points: together(action.points) });
      case "remove": return t("Take off {points}", { points: together(action.points) });
      case "claim": return action.castles.length ? t("Put castles on {points}", { points: together(action.castles.map((one) => one.point)) }) : t("Claim nothing");
      case "move": return t("Move from {start} to {end}", { start: action.path[0], end: action.path[action.path.length - 1] });
      case "stop": return t("Chase no further");
      default: return t("Put a castle on {point}, in territory {territory}", { point: action.point, territory: territoryOf(ctx.view, action.point).number });
    }
  },
  tell: (event, ctx) => (tellers[event.type] ? tellers[event.type](event, ctx.name) : null),
  marks: (event) => event.points || event.path && [event.path[0], event.path[event.path.length - 1]] || (event.point ? [event.point] : []),
  combat(record, ctx) {
    const closer = record.closer.kind === "edge" ? t("the end of the island")
      : record.closer.kind === "castle" ? t("the castle on {point}", { point: record.closer.point }) : t("the piece on {point}", { point: record.closer.point });
    return {
      title: t("Catch {n}: {name} against {victim}", { n: record.number, name: ctx.name(record.mover), victim: ctx.name(record.victim) }),
      steps: [
        { words: t("{name} moves from {start} to {end}.", { name: ctx.name(record.mover), start: record.start, end: record.end }) },
        { words: t("On {point} stands what belongs to {victim}, shut in between {end} and {closer}.", { point: record.point, victim: ctx.name(record.victim), end: record.end, closer }) },
        { words: record.kind === "castle" ? t("The castle goes back to {victim}.", { victim: ctx.name(record.victim) }) : t("The piece is out of the game.") },
      ],
    };
  },
  reason: ended,
};
