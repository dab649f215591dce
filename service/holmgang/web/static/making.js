/** Games that are made here. */

import * as api from "./api.js";
import { players, usual } from "./bots.js";
import { fetchScreen } from "./brought.js";
import { toast } from "./dom.js";
import { sitDown } from "./fair.js";
import { games } from "./games.js";

let making = false; // here, since the page is made anew when somebody gets a name on the way

/** Make a game with bots on its last seats, the usual one unless `bot` is another: gives its id. */
export async function create({ ruleset, seats, bots, bot, ...terms }) {
  fetchScreen(games[ruleset]);
  await api.somebody();
  const player = bots && (bot || usual((await players())(ruleset)));
  const made = await api.post("/v1/games", { ruleset, seats, ...terms, join: false }, { key: api.once() });
  await sitDown(made, { seat: 0 });
  for (let n = 0; n < bots; n += 1) await api.post(`/v1/games/${made.id}/seats`, { bot: player, seat: seats - 1 - n }, { key: api.once() });
  return made.id;
}

/** The same, and go there. Nothing is made while another one is. */
export async function make(terms) {
  if (making) return;
  making = true;
  try {
    location.hash = `#/games/${await create(terms)}`;
  } catch (fault) {
    if (!fault.told) throw fault;
    toast(fault.told);
  } finally {
    making = false;
  }
}
