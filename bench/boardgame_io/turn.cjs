// node turn.cjs <port> <match>
//
// prints the turn that a game is in, as the server tells a spectator; null if it has no such game.
const { Client } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const { Game } = require("./game.cjs");

const [port, matchID] = process.argv.slice(2);
const url = `http://127.0.0.1:${port}`;

function tell(turn) {
  console.log(JSON.stringify(turn));
  process.exit(0);
}

async function main() {
  const found = await fetch(`${url}/games/${Game.name}/${matchID}`);
  if (found.status === 404) tell(null);
  const client = Client({ game: Game, multiplayer: SocketIO({ server: url }), matchID, debug: false });
  client.subscribe((state) => state?.isConnected && tell(state.ctx.turn));
  client.start();
}

main();
