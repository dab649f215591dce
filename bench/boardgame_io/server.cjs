// boardgame.io's server as its documentation starts it.
//
//   node server.cjs <port> [<folder of Postgres' socket> <user> <database>]
//
// keeps its state in memory, or in that database by bgio-postgres.
const { Server, Origins } = require("boardgame.io/server");
const { PostgresStore } = require("bgio-postgres");
const { Game } = require("./game.cjs");

const [port, host, username, database] = process.argv.slice(2);
const db = host && new PostgresStore({ host, username, database, logging: false });
const server = Server({ games: [Game], origins: [Origins.LOCALHOST], ...(db && { db }) });
server.run({ port: Number(port), callback: () => console.log("ready") });
