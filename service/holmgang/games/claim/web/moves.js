/** Where pieces of Claim may go (K3), and what they catch there (K4). */

export const pieceOn = (view, point) => view.seats.find((one) => one.pieces.includes(point));
export const castleOn = (view, point) => view.territories.find((one) => one.castle_point === point);

const WAYS = [[1, 0], [-1, 0], [0, 1], [0, -1]];
const beside = (point, [x, y]) => String.fromCharCode(point.charCodeAt(0) + x) + (Number(point.slice(1)) + y);

/** K3.1: a shortest path to each point that a piece may reach. */
export function paths(view, start) {
  const land = new Set(view.territories.flatMap((one) => one.points));
  const taken = new Set([...view.seats.flatMap((one) => one.pieces), ...view.territories.map((one) => one.castle_point).filter(Boolean)]);
  taken.delete(start);
  const found = new Map();
  for (const way of WAYS) {
    const point = beside(start, way);
    if (land.has(point) && !taken.has(point)) found.set(point, [start, point]);
  }
  const landed = new Set([start]);
  for (let edge = [[start]]; edge.length;) {
    const further = [];
    for (const path of edge) {
      for (const way of WAYS) {
        const over = beside(path[path.length - 1], way), behind = beside(over, way);
        if (!land.has(over) || !taken.has(over) || !land.has(behind) || taken.has(behind) || landed.has(behind)) continue;
        landed.add(behind);
        if (!found.has(behind)) found.set(behind, [...path, behind]);
        further.push([...path, behind]);
      }
    }
    edge = further;
  }
  return found;
}

/** K4.1: what a seat's piece catches that goes from `start` to `end`: `[{seat, kind, point}]`. */
export function catches(view, mover, start, end) {
  const land = new Set(view.territories.flatMap((one) => one.points));
  const friends = (one, other) => one === other || view.teams.some((team) => team.includes(one) && team.includes(other));
  const owner = (point) => {
    if (point === start) return null;
    const piece = pieceOn(view, point), castle = castleOn(view, point);
    return piece ? piece.seat : castle ? castle.castle : null;
  };
  return WAYS.flatMap((way) => {
    const point = beside(end, way), victim = owner(point), behind = beside(point, way);
    if (victim === null || friends(victim, mover)) return [];
    const closer = owner(behind);
    if (land.has(behind) && (closer === null || friends(closer, victim))) return [];
    return [{ seat: victim, kind: castleOn(view, point) ? "castle" : "piece", point }];
  });
}

const friend = (view, one, other) => one === other || view.teams.some((team) => team.includes(one) && team.includes(other));

/** K5: territories that a seat could claim at the beginning of a turn, as far as pieces and castles stand now. */
export function claimable(view, seat) {
  const foes = view.seats.filter((one) => !friend(view, one.seat, seat)).flatMap((one) => one.pieces);
  return view.territories.filter((one) => one.points.some((point) => view.seats[seat].pieces.includes(point)) && !one.points.some((point) => foes.includes(point))
    && (one.castle === null || !friend(view, one.castle, seat)) && one.points.some((point) => !pieceOn(view, point)));
}

/** How it stands once a seat's piece has gone from `start` to `end`: what it catches has left. */
export function moved(view, seat, start, end) {
  const gone = catches(view, seat, start, end).map((one) => one.point);
  const own = (one) => (one.seat === seat ? [...one.pieces.filter((point) => point !== start), end] : one.pieces);
  return { ...view, seats: view.seats.map((one) => ({ ...one, pieces: own(one).filter((point) => !gone.includes(point)) })),
    territories: view.territories.map((one) => (gone.includes(one.castle_point) ? { ...one, castle: null, castle_point: null } : one)) };
}

/** K6.1: who of the others needs but their next turn to win, and on which territories: `[{seat, lands}]`. */
export function threats(view, own) {
  return view.seats.filter((one) => !one.resigned && !friend(view, one.seat, own)).flatMap(({ seat, castles_in_hand: hand }) => {
    const side = view.teams.find((team) => team.includes(seat)) || [seat], lands = claimable(view, seat);
    const castles = view.territories.filter((one) => side.includes(one.castle)).length;
    return lands.length && castles + Math.min(hand, lands.length) >= (side.length > 1 ? 5 : 3) ? [{ seat, lands }] : [];
  });
}

/** Where a seat stands on a territory: one of its points. */
export const foothold = (view, seat, land) => land.points.find((point) => view.seats[seat].pieces.includes(point));
