/** What the browser keeps for the table. Where it lets nothing be kept, the page does, for as long as it is open. */

const own = new Map();

const areaOf = (visit) => (visit ? window.sessionStorage : window.localStorage);

/** A text that was kept, or null; `visit` for what is kept for the visit alone. */
export function kept(key, { visit = false } = {}) {
  if (own.has(key)) return own.get(key);
  try {
    return areaOf(visit).getItem(key);
  } catch {
    return null;
  }
}

/** Keep a text, or with null no longer. */
export function keep(key, text, { visit = false } = {}) {
  try {
    if (text === null) areaOf(visit).removeItem(key);
    else areaOf(visit).setItem(key, text);
    own.delete(key);
  } catch {
    own.set(key, text);
  }
}
