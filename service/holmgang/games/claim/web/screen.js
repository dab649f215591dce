/** Claim: pieces hop, catch and claim. Nothing is hidden; almost everything is chosen on the board. */

import { t, together } from "../../i18n.js";
import { explain, rules } from "./explain.js";
import { castleOn, catches, foothold, moved, paths, pieceOn, threats } from "./moves.js";
import { ways } from "../../ways.js";

const at = (point, label = point) => ({ key: point, label, place: point });

function what(ctx, point) {
  const { view } = ctx;
  const piece = pieceOn(view, point), castle = castleOn(view, point);
  const there = piece ? t("piece of {name}", { name: ctx.name(piece.seat) })
    : castle ? t("castle of {name}", { name: ctx.name(castle.castle) }) : t("free");
  return t("{point}, {what}", { point, what: there });
}

function moves(ctx) {
  if (ctx.legal.actions) return ctx.legal.actions;
  return ctx.legal.grammar.pieces.flatMap((piece) => [...paths(ctx.view, piece).values()].map((path) => ({ type: "move", path })));
}

const caughtBy = (action, ctx) => catches(ctx.view, ctx.seat, action.path[0], action.path[action.path.length - 1]);

/** Where a movement ends, with what it catches and over which points it goes. */
function goal(action, ctx) {
  const { path } = action, end = path[path.length - 1], caught = caughtBy(action, ctx);
  const label = caught.length === 1 ? t("{point}: a catch", { point: end }) : caught.length ? t("{point}: {n} catches", { point: end, n: caught.length }) : end;
  return { ...at(end, label), trail: path, hits: caught.map((one) => one.point), badge: caught.length ? "×" : undefined };
}

/** Some of a set of points, in no order: `most` of them, limited further by `fits(chosen, point)`. */
function several(points, most, make, { fits = () => true, least = most, pick } = {}) {
  return {
    toggles: true,
    options: (chosen) => points.filter((point) => !chosen.some((one) => one.key === point) && (chosen.length < most || pick) && fits(chosen.map((one) => one.key), point)).map((point) => at(point)),
    action: (chosen) => (chosen.length >= least && chosen.length <= most ? make(chosen.map((one) => one.key).sort()) : null),
    ...(pick ? { pick } : {}),
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
    const same = (one, other) => home.get(one) === home.get(other);
    const fits = (chosen, point) => chosen.length < most || chosen.some((other) => same(other, point));
    const pick = (chosen, step) => [...chosen.filter((one) => !same(one.key, step.key)), step]; // a castle moves within its territory
    const make = (points) => ({ type: "claim", castles: points.map((point) => ({ territory: home.get(point), point })) });
    return several([...home.keys()], most, make, { fits, least: 0, pick });
  },
  move(ctx) {
    const actions = moves(ctx), hunters = new Set(actions.filter((action) => caughtBy(action, ctx).length).map(({ path }) => path[0]));
    return ways(actions, (action) => [[hunters.has(action.path[0]) ? { ...at(action.path[0], t("{point}: can catch", { point: action.path[0] })), badge: "×" } : at(action.path[0]), goal(action, ctx)]]);
  },
  chase: (ctx) => ways(ctx.legal.actions, (action) => [[action.type === "stop" ? { key: "stop", label: t("Chase no further") } : goal(action, ctx)]]),
  castle: (ctx) => ways(ctx.legal.actions, ({ point }) => [[at(point)]]),
};

/** Who wins with their next turn if nothing is done about it; an empty text where nobody does. */
const beware = (view, ctx) => threats(view, ctx.seat).map(({ seat, lands }) => t("Beware: {name} alone has pieces around {points}, and can win with a castle there next turn.",
  { name: ctx.name(seat), points: together(lands.map((land) => foothold(view, seat, land))) })).join(" ");

const hunting = (ctx) => moves(ctx).some((action) => caughtBy(action, ctx).length);
const asks = {
  placement: (ctx, chosen) => [t("Place two of your pieces on free points."), t("Choose a free point for the second piece."), t("Here?")][chosen.length],
  removal(ctx, chosen) {
    const left = ctx.turn.context.remove - chosen.length;
    if (!left) return t("Take off these?");
    return ctx.turn.context.remove === 1 ? t("Take one enemy piece off the island.") : t("Take {n} enemy pieces off the island: {left} to go.", { n: ctx.turn.context.remove, left });
  },
  claim: () => t("You may put castles on territories where you alone have pieces, one each. Choose points on the board, or claim nothing."),
  move(ctx, chosen) {
    const composer = composers.move(ctx);
    if (chosen.length && composer.action(chosen) !== null) {
      return composer.options(chosen).some((one) => one.instead > 0) ? t("There? Choose another point, or another piece, if not.") : t("There? Choose another piece if not.");
    }
    if (chosen.length) return t("Where does the piece on {point} go?", { point: chosen[0].key });
    return [beware(ctx.view, ctx), hunting(ctx) ? t("Move one of your pieces: choose it. Those with × can catch something.") : t("Move one of your pieces: choose it.")].filter(Boolean).join(" ");
  },
  chase: (ctx) => t("The piece on {point}, in the circle, may catch again. Choose where it goes, or stop.", { point: ctx.view.chaser }),
  castle: () => t("You caught a castle: choose a point of its territory for one of yours."),
};

/** What stands on points that are caught, in words. */
const prey = (caught, ctx) => together(caught.map((one) => (one.kind === "castle" ? t("the castle of {name} on {point}", { name: ctx.name(one.seat), point: one.point })
  : t("the piece of {name} on {point}", { name: ctx.name(one.seat), point: one.point }))));

function moveTold(action, ctx) {
  const { path } = action, told = { start: path[0], end: path[path.length - 1] };
  const said = path.length > 2 ? t("Hop from {start} by way of {via} to {end}.", { ...told, via: together(path.slice(1, -1)) }) : t("Move from {start} to {end}.", told);
  const caught = caughtBy(action, ctx);
  const danger = ctx.turn && ctx.turn.yours ? beware(moved(ctx.view, ctx.seat, told.start, told.end), ctx) : "";
  return [said, caught.length ? t("That catches {prey}.", { prey: prey(caught, ctx) }) : "", danger].filter(Boolean).join(" ");
}

/** How many castles a side has, and would have with more of a seat's. */
const castlesOf = (view, side) => view.territories.filter((one) => side.includes(one.castle)).length;
const sideOf = (view, seat) => view.teams.find((team) => team.includes(seat)) || [seat];
const enough = (side) => (side.length > 1 ? 5 : 3);

function claimTold({ castles }, ctx) {
  if (!castles.length) return t("Claim nothing.");
  const said = castles.length === 1 ? t("Put a castle on {points}.", { points: castles[0].point }) : t("Put castles on {points}.", { points: together(castles.map((one) => one.point)) });
  const gone = castles.map((one) => ctx.view.territories[one.territory]).filter((one) => one.castle !== null).map((one) => t("The castle of {name} on {point} leaves.", { name: ctx.name(one.castle), point: one.castle_point }));
  const side = sideOf(ctx.view, ctx.seat), wins = castlesOf(ctx.view, side) + castles.length >= enough(side);
  return [said, ...gone, ...(wins ? [t("That wins the game!")] : [])].join(" ");
}

function seatNote(seat, { view }) {
  const side = sideOf(view, seat);
  return t("{n} of {all} castles", { n: castlesOf(view, side), all: enough(side) });
}

/** K6: castles, and pieces where the end was drawn out. */
function tally(view, seat) {
  const drawn = view.result && ["repetition", "turn_limit"].includes(view.result.reason);
  return [[t("castles"), castlesOf(view, [seat]), "K6.1"], ...(drawn ? [[t("between equals, pieces:"), view.seats[seat].pieces.length, "K6.3"]] : [])];
}

const standing = ({ turn }) => (turn && turn.context && turn.context.position_stood > 1
  ? [t("This position has stood {n} times; at the fourth time the game ends.", { n: turn.context.position_stood })] : []);

const ended = (reason) => ({
  castles: t("enough castles stand"),
  alone: t("nobody else has pieces left"),
  repetition: t("the position stood for the fourth time"),
  turn_limit: t("the turns were used up"),
  last_seat: t("only one side was left"),
}[reason] || reason);

const RULES = { castles: "K6.1", alone: "K6.2", repetition: "K6.3", turn_limit: "K6.3", last_seat: "C7" };

/** Why the winners won (K6). */
function won({ winners, reason }, { view, name }) {
  const names = together(winners.map(name)), n = castlesOf(view, winners), rule = RULES[reason];
  const pieces = (side) => side.reduce((sum, seat) => sum + view.seats[seat].pieces.length, 0);
  switch (reason) {
    case "castles": return { rule, words: winners.length > 1 ? t("{names} have {n} castles together. Five win at once, however many pieces others have.", { names, n }) : t("{name} has castles on {n} territories. Three win at once, however many pieces others have.", { name: names, n }) };
    case "alone": return { rule, words: t("Only {names} still had pieces on the island.", { names }) };
    case "last_seat": return { rule, words: t("All others had given up.") };
    default: return { rule, words: t("Nobody had enough castles, so the most castles count, and between equals the most pieces. {names}: {n} castles, {m} pieces.", { names, n: castlesOf(view, winners), m: pieces(winners) }) };
  }
}

const tellers = {
  first_player_chosen: (e, n) => t("{name} begins.", { name: n(e.seat) }),
  pieces_placed: (e, n) => t("{name} places pieces on {points}.", { name: n(e.seat), points: together(e.points) }),
  pieces_removed: (e, n) => t("{name} takes off {points}.", { name: n(e.seat), points: together(e.points) }),
  battle_turn_started: (e, n) => (e.repeats > 1 ? t("This position stands for the {n}. time.", { n: e.repeats }) : null),
  castle_returned: (e, n) => t("A castle of {name} leaves {point}.", { name: n(e.owner), point: e.point }),
  castle_placed: (e, n) => (e.claimed ? t("{name} claims a territory with a castle on {point}.", { name: n(e.seat), point: e.point })
    : t("{name} takes the territory with a castle on {point}.", { name: n(e.seat), point: e.point })),
  claim_declined: () => null,
  piece_moved: (e, n) => t("{name} moves from {start} to {end}.", { name: n(e.seat), start: e.path[0], end: e.path[e.path.length - 1] }),
  caught: (e, n) => (e.kind === "castle" ? t("{name} catches a castle of {victim} on {point}.", { name: n(e.seat), victim: n(e.victim), point: e.point })
    : t("{name} catches a piece of {victim} on {point}.", { name: n(e.seat), victim: n(e.victim), point: e.point })),
  chase_ended: (e, n) => t("{name} chases no further.", { name: n(e.seat) }),
  turn_skipped: (e, n) => t("{name} cannot move.", { name: n(e.seat) }),
  seat_resigned: (e, n) => t("{name} gives up.", { name: together(e.seats.map(n)) }),
  game_ended: (e, n) => t("The game ends: {why}. {winners} won.", { why: ended(e.reason), winners: together(e.winners.map(n)) }),
};

const pieceAt = (point) => `g.piece[data-at="${point}"], g.castle[data-at="${point}"]`;
const seatsOwn = (kind, seat) => `g.${kind}[data-seat="${seat}"]`;

/** Pieces come from their owner, hop, and leave the island. */
const flights = {
  pieces_placed: ({ seat, points }) => points.map((to) => ({ like: seatsOwn("piece", seat), seat, from: seatsOwn("seat", seat), to, now: { at: to } })),
  pieces_removed: ({ points }) => points.map((point) => ({ piece: pieceAt(point), gone: true })),
  piece_moved: ({ path }) => [{ piece: pieceAt(path[0]), via: path.slice(1), hop: true, now: { at: path[path.length - 1] } }],
  caught: ({ point }) => [{ piece: pieceAt(point), gone: true }],
  castle_placed: ({ seat, point }) => [{ like: seatsOwn("castle", seat), seat, from: seatsOwn("seat", seat), to: point, now: { at: point } }],
  castle_returned: ({ owner, point }) => [{ piece: pieceAt(point), to: seatsOwn("seat", owner), gone: true }],
};

export default {
  boardFirst: true,
  told: true,
  headless: true,
  get chance() { return t("Here chance decided only who begins."); },
  get gist() {
    return [
      t("First all place their pieces on the island, two at a time. Then everybody takes four enemy pieces off."),
      t("On your turn, a territory where you have pieces and nobody else has is yours to claim: put a castle there. Three castles win; partners need five."),
      t("Then move a piece: one step, or hops over neighbouring pieces and castles, as many as you like."),
      t("Where it ends, it catches each enemy beside it that then stands between it and another piece or castle of yours, or the end of the island. The piece that moved is always one of the two."),
      t("After a catch the same piece may go on, as long as it catches again."),
      t("If nobody gets enough castles, the most castles win, and between equals the most pieces: when the same position has stood four times, or everybody has had 200 turns."),
    ];
  },
  above: "g.piece, g.castle",
  places: [{ selector: "g.point", id: (element) => element.dataset.at, label: (element, ctx) => what(ctx, element.dataset.at) }],
  ask: (ctx, chosen) => (asks[ctx.kind] || (() => ""))(ctx, chosen),
  compose: (ctx) => composers[ctx.kind](ctx),
  describe(action, ctx) {
    switch (action.type) {
      case "place": return t("Place pieces on {points}.", { points: together(action.points) });
      case "remove": return t("Take off {points}.", { points: together(action.points) });
      case "claim": return claimTold(action, ctx);
      case "move": return moveTold(action, ctx);
      case "stop": return t("Chase no further.");
      default: return t("Put a castle on {point}.", { point: action.point });
    }
  },
  tell: (event, ctx) => (tellers[event.type] ? tellers[event.type](event, ctx.name) : null),
  explain,
  rules,
  standing,
  seatNote,
  tally,
  plays: (event) => (flights[event.type] || (() => []))(event),
  marks: (event) => event.points || (event.path && [event.path[event.path.length - 1], event.path]) || (event.point ? [event.point] : []),
  combat(record, ctx) {
    const closer = record.closer.kind === "edge" ? t("the end of the island")
      : record.closer.kind === "castle" ? t("the castle on {point}", { point: record.closer.point }) : t("the piece on {point}", { point: record.closer.point });
    return {
      title: t("Catch {n}: {name} against {victim}", { n: record.number, name: ctx.name(record.mover), victim: ctx.name(record.victim) }),
      steps: [
        { rule: "K3.1", words: t("{name} moves from {start} to {end}.", { name: ctx.name(record.mover), start: record.start, end: record.end }) },
        { rule: "K4.1", words: t("On {point} stands what belongs to {victim}, shut in between {end} and {closer}.", { point: record.point, victim: ctx.name(record.victim), end: record.end, closer }) },
        { rule: "K4.4", words: record.kind === "castle" ? t("The castle goes back to {victim}.", { victim: ctx.name(record.victim) }) : t("The piece is out of the game.") },
      ],
    };
  },
  reason: ended,
  endRule: (reason) => RULES[reason] || null,
  won,
};
