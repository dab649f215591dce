// Loaded into every tool before its own code: it may talk to this machine alone, and what it tried else is written down.

const { appendFileSync } = require("node:fs");
const net = require("node:net");

const connect = net.Socket.prototype.connect;

net.Socket.prototype.connect = function (...given) {
  const wanted = [given[0]].flat()[0];
  const host = typeof wanted === "object" ? (wanted.host ?? (wanted.path ? "127.0.0.1" : "localhost")) : given[1];
  if (["127.0.0.1", "localhost", undefined].includes(host)) return connect.apply(this, given);
  appendFileSync(process.env.CALLED, `${host}\n`);
  throw new Error(`${host} is not this machine.`);
};
