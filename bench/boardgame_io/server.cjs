// boardgame.io's server as its documentation starts it, with its state in memory, on the port that is given.
const { Server, Origins } = require("boardgame.io/server");
const { Game } = require("./game.cjs");

const server = Server({ games: [Game], origins: [Origins.LOCALHOST] });
server.run({ port: Number(process.argv[2]), callback: () => console.log("ready") });
