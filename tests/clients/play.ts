// A whole game through the client that openapi-typescript and openapi-fetch make of the API's document.

import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Problem = components["schemas"]["Problem"];

const [url, ruleset] = process.argv.slice(2);
if (!url || !ruleset) throw new Error("Tell the service's address and a game.");

function answered<T>(answer: { data?: T; error?: Problem | undefined; response: Response }): T {
  if (answer.data === undefined) throw new Error(answer.error?.detail ?? `answered ${answer.response.status}`);
  return answer.data;
}

const anybody = createClient<paths>({ baseUrl: url });
const { token } = answered(await anybody.POST("/v1/players", { body: { name: "Generated" } }));
const client = createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${token}` } });

const described = answered(await client.GET("/v1/rulesets/{ruleset}", { params: { path: { ruleset } } }));
const seats = described.seat_counts[0] ?? 2;
const made = answered(await client.POST("/v1/games", { body: { ruleset, seats } }));
const path = { game: made.id };
for (let seat = 1; seat < seats; seat++) {
  answered(await client.POST("/v1/games/{game}/seats", { params: { path }, body: { bot: "greedy" } }));
}

let choices = 0;
let game = made;
do {
  const turn = answered(await client.GET("/v1/games/{game}/turn", { params: { path, query: { wait: 20 } } }));
  if (turn.yours && turn.legal) {
    const action = turn.legal.actions?.at(-1) ?? turn.legal.sample;
    if (action === undefined) throw new Error("Nothing is legal.");
    answered(await client.POST("/v1/games/{game}/submissions", { params: { path }, body: { turn: turn.turn, action } }));
    choices++;
  }
  game = answered(await client.GET("/v1/games/{game}", { params: { path } }));
} while (game.status === "active");

console.log(JSON.stringify({ status: game.status, reason: game.result?.reason, choices }));
