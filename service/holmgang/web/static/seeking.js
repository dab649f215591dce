/** The game that this page seeks, for as long as somebody waits for it at the lobby. */

import * as api from "./api.js";
import { toast } from "./dom.js";

/**
 * So long a seek lasts, the first and each that renews it. The first is short: a page that is left before the answer to it came
 * knows of no seek to withdraw, and nobody is to sit down with who has gone.
 */
const FIRST_S = 10;
const LASTS_S = 120;
const WAIT_S = 25;
const MOST_POINTS = 10000;

/** What one click seeks for a game: all who do the same meet. */
export const usually = ({ ruleset, seats }) => ({ ruleset, seats, turn_seconds: 300 });

let current = null;
let changed = () => {};
let naming = false; // nobody gets two names by two clicks

/** What is sought: `{terms, limits, since}`, or null. */
export const sought = () => current;

/** Have somebody told when that changes. */
export function onSought(listener) {
  changed = listener;
}

function become(other) {
  current = other;
  changed();
}

/** Seek a game on these terms, in place of what was sought; go there when it begins. `limits` says in words which ratings they take. */
export async function seek(terms, limits = "") {
  if (naming) return;
  try {
    naming = true;
    const { token } = await api.somebody().finally(() => { naming = false; }); // may open the lobby anew, which ends what was sought
    leave();
    const own = { terms, limits, token, since: Date.now(), id: null, stopper: new AbortController() };
    become(own);
    try {
      await follow(own);
    } finally {
      if (current === own) become(null);
    }
  } catch (fault) {
    if (!fault.told) throw fault;
    toast(fault.told);
  }
}

/** The terms of who has waited since then: a seek that renews another goes on with the limits that have widened. */
function widened({ terms, since }) {
  const more = (terms.rating_widens || 0) * Math.floor((Date.now() - since) / 60000);
  const limits = ["rating_below", "rating_above"].filter((name) => terms[name] !== undefined).map((name) => [name, Math.min(terms[name] + more, MOST_POINTS)]);
  return { ...terms, ...Object.fromEntries(limits) };
}

async function follow(own) {
  const { signal } = own.stopper;
  for (let lasts = FIRST_S; ; lasts = LASTS_S) {
    own.id = (await api.post("/v1/seeks", { ...widened(own), expires_in: lasts }, { key: api.once() })).id;
    if (signal.aborted) return withdraw(own);
    const found = await ended(own.id, signal);
    if (!found) return null; // left
    if (found.game) location.hash = `#/games/${found.game}`;
    if (found.status !== "expired") return null;
  }
}

/** Wait until a seek has led to something; null where its seeker left before. */
async function ended(id, signal) {
  const over = new AbortController();
  let have = null;
  signal.addEventListener("abort", () => over.abort());
  await api.persist(async (hasty, early) => {
    have = (await api.poll(`/v1/seeks/${id}`, { have, wait: hasty ? 0 : WAIT_S, signal: over.signal, early })) || have;
    if (have.body.status !== "waiting") over.abort();
  }, over.signal).catch((fault) => {
    if (!over.signal.aborted) throw fault;
  });
  return signal.aborted ? null : have.body;
}

/** Seek no longer. Where that comes too late, the game is gone to all the same. */
export function leave() {
  const own = current;
  if (!own) return;
  own.stopper.abort();
  become(null);
  if (own.id) withdraw(own);
}

async function withdraw({ id, token }) {
  try {
    const game = await api.withdraw(`/v1/seeks/${id}`, token);
    if (game) location.hash = `#/games/${game}`;
  } catch {
    // it ends by itself soon
  }
}

window.addEventListener("pagehide", leave);
