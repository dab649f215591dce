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
