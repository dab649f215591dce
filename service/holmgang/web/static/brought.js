/** What games bring for the table, fetched when it is needed: their screens, and the styles of those. */

import { h } from "./dom.js";
import { file } from "./place.js";

const addressOf = (game, name) => file(`games/${game.ruleset}/${name}`);

export const PATIENCE_MS = 8000;
/** So long is waited for a screen and its style; one that comes later is there when a game is opened next. */

const scripts = new Map();

/** Begin to fetch a game's own screen, where it has one: gives a promise of the object, or of null. */
export function fetchScreen(game) {
  if (!game.scripts.length) return Promise.resolve(null);
  if (!scripts.has(game.ruleset)) {
    document.head.append(...game.scripts.map((name) => h("link", { rel: "modulepreload", href: addressOf(game, name) }))); // all at once
    scripts.set(game.ruleset, load(game));
  }
  return scripts.get(game.ruleset);
}

async function load(game) {
  try {
    const found = (await import(addressOf(game, "screen.js"))).default;
    if (typeof found !== "object" || found === null) throw new TypeError(`the screen of ${game.ruleset} exports no object by default`);
    return found;
  } catch (fault) {
    console.error(fault); // for who made the game; the page goes on, and says so
    return null;
  }
}

const sheetsThere = () => [...document.head.querySelectorAll("link[data-of]")];

/** Have no game's style in the page. */
export function undress() {
  for (const one of sheetsThere()) one.disabled = true;
}

/** Have the style of this game in the page, and no other game's. */
export async function wear(game) {
  const sheets = sheetsThere();
  for (const one of sheets) one.disabled = one.dataset.of !== game.ruleset;
  if (!game.style || sheets.some((one) => one.dataset.of === game.ruleset)) return;
  const sheet = h("link", { rel: "stylesheet", href: addressOf(game, "style.css"), "data-of": game.ruleset });
  await new Promise((go) => {
    sheet.addEventListener("load", go);
    sheet.addEventListener("error", go);
    document.head.append(sheet);
  });
}
