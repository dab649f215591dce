/** What the browser keeps for the table. Where it lets nothing be kept, the page does, for as long as it is open. */

import { root } from "./place.js";

const own = new Map();

/** What a text is kept under: other services at other paths of this host keep theirs. */
export const keyOf = (key) => (root.pathname === "/" ? key : `${key} ${root.pathname}`);

const areaOf = (visit) => (visit ? window.sessionStorage : window.localStorage);

/** A text that was kept, or null; `visit` for what is kept for the visit alone. */
export function kept(key, { visit = false } = {}) {
  if (own.has(key)) return own.get(key);
  try {
    return areaOf(visit).getItem(keyOf(key));
  } catch {
    return null;
  }
}

/** Keep a text, or with null no longer. */
export function keep(key, text, { visit = false } = {}) {
  try {
    if (text === null) areaOf(visit).removeItem(keyOf(key));
    else areaOf(visit).setItem(keyOf(key), text);
    own.delete(key);
  } catch {
    own.set(key, text);
  }
}
