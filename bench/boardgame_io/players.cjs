// boardgame.io's own clients in games of four, each moving as soon as it hears from the server that it is its turn.
//
//   node players.cjs <port> <games> <seconds>
//
// prints one line of JSON. A move counts when the next player has it from the server; that its own client shows it at
// once does not.
const { setTimeout: sleep } = require("node:timers/promises");
const { Client } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const { FIELDS, Game, SEATS } = require("./game.cjs");

const [port, count, seconds] = process.argv.slice(2).map(Number);
const url = `http://127.0.0.1:${port}`;
const WARM_SECONDS = 1;

let counting = false;
const latencies = [];

async function post(path, body) {
  const answer = await fetch(`${url}/games/${Game.name}${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

async function join(matchID, seat) {
  const { playerCredentials } = await post(`/${matchID}/join`, { playerID: String(seat), playerName: `bench ${seat}` });
  return playerCredentials;
}

async function sit(game, matchID, seat, credentials) {
  const playerID = String(seat);
  const multiplayer = SocketIO({ server: url });
  const client = Client({ game: Game, numPlayers: SEATS, multiplayer, matchID, playerID, credentials, debug: false });
  game.clients.push(client);
  let answered = 0; // the last turn that it moved in: unlike the state's number, turns go on at the server only
  const move = () => {
    const own = client.getState().G.pieces.filter((piece) => piece.owner === playerID);
    const piece = own[Math.floor(Math.random() * own.length)];
    game.sentAt = performance.now();
    client.moves.sail(piece.id, Math.floor(Math.random() * FIELDS));
  };
  const connected = new Promise((resolve) => {
    client.subscribe((state) => {
      if (state === null) return;
      if (state.isConnected) resolve();
      if (state.ctx.currentPlayer !== playerID || state.ctx.turn <= answered) return;
      answered = state.ctx.turn;
      if (game.sentAt === undefined) {
        game.begin = move;
        return;
      }
      if (counting) latencies.push(performance.now() - game.sentAt);
      setImmediate(move); // a client may not move while it tells of news
    });
  });
  client.start();
  await connected;
}

async function main() {
  const games = [];
  for (let n = 0; n < count; n++) {
    const { matchID } = await post("/create", { numPlayers: SEATS });
    const game = { matchID, clients: [], sentAt: undefined, begin: undefined };
    games.push(game);
    const credentials = [];
    // All join before the first connects: a server with a database reads who sits where and writes it back when a client
    // connects, and forgets who has joined in between.
    for (let seat = 0; seat < SEATS; seat++) credentials.push(await join(matchID, seat));
    for (let seat = 0; seat < SEATS; seat++) await sit(game, matchID, seat, credentials[seat]);
  }
  for (const game of games) game.begin();
  await sleep(WARM_SECONDS * 1000);
  counting = true;
  const started = performance.now();
  await sleep(seconds * 1000);
  const took = (performance.now() - started) / 1000;
  counting = false;
  latencies.sort((a, b) => a - b);
  const quantile = (share) => latencies[Math.floor(latencies.length * share)];
  const { G, ctx } = games[0].clients[0].getState();
  const figures = {
    per_second: latencies.length / took,
    p50_ms: quantile(0.5),
    p99_ms: quantile(0.99),
    state_bytes: JSON.stringify(G).length,
    match: games[0].matchID,
    turn: ctx.turn,
  };
  console.log(JSON.stringify(figures));
  process.exit(0);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
