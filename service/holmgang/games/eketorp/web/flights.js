/** What moves on the board of Eketorp with an event: Vikings set out, stones come home and onto walls. */

const village = (seat) => `g.village[data-seat="${seat}"]`;
const home = (seat) => `g.viking[data-seat="${seat}"][data-at="${seat}/home"]`;
const times = (n, make) => Array.from({ length: n }, (_, at) => make(at));

const flights = {
  material_revealed: ({ stones }) => Object.entries(stones).flatMap(([field, found]) => Object.entries(found)
    .flatMap(([kind, n]) => times(n, () => ({ like: `g.stone[data-kind="${kind}"]`, from: "g.stock", to: field })))),
  vikings_placed: ({ seat, fields, sieges }) => [...Object.entries(fields).flatMap(([name, n]) => times(n, () => name)), ...sieges]
    .map((to) => ({ piece: home(seat), seat, from: village(seat), to, now: { at: to } })),
  viking_wounded: ({ seat }) => [{ like: `g.viking[data-seat="${seat}"]`, seat, to: "g.hospital" }],
  loot_taken: ({ seat, village: looted, walls }) => Object.entries(walls || {}).flatMap(([wall, kinds]) => times(Array.isArray(kinds) ? kinds.length : kinds,
    () => ({ piece: `g.stone[data-at="${looted}/${wall}"]`, seat, to: village(seat), gone: true }))),
  stone_taken: ({ seat, space, stone, count }) => times(count, () => ({ piece: `g.stone[data-at="${space}"][data-kind="${stone}"]`, seat, to: village(seat), gone: true })),
  walls_built: ({ seat, stones }) => stones.map(([kind, wall]) => ({ like: `g.stone[data-kind="${kind}"]`, seat, from: village(seat), to: `wall ${seat} ${wall}` })),
};

export const plays = (event) => (flights[event.type] || (() => []))(event);
