// A game with little to it but its size: its state is 4 KB of JSON, a move sets one piece elsewhere, and turns go round.
const FIELDS = 64;
const PIECES = 64;
const SEATS = 4;

exports.FIELDS = FIELDS;
exports.SEATS = SEATS;

exports.Game = {
  name: "pieces",
  setup: () => ({
    pieces: Array.from({ length: PIECES }, (_, n) => ({
      id: n,
      owner: String(n % SEATS),
      kind: "viking",
      at: n % FIELDS,
      wounded: false,
    })),
  }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    sail: ({ G, playerID }, id, at) => {
      const piece = G.pieces[id];
      if (!piece || piece.owner !== playerID || !(at >= 0 && at < FIELDS)) return "INVALID_MOVE";
      piece.at = at;
    },
  },
};
