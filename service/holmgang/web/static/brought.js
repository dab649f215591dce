/** What games bring for the table, fetched when it is needed: their screens, and the styles of those. */

import { pause } from "./api.js";
import { h } from "./dom.js";
import { file } from "./place.js";

const addressOf = (game, name) => file(`games/${game.ruleset}/${name}`);

export const PATIENCE_MS = 8000;
/** So long is waited for a screen and its style; one that comes later is there when a game is opened next. */

const AGAIN_MS = [300, 900];

/** Whether what failed to load did not come, as browsers say it; else it came and is broken. */
export const unfetched = (fault) => fault instanceof TypeError && /\b(import|load)/i.test(fault.message) && /\b(module|style)\b/.test(fault.message);

/** Load what the page goes on without for as long as it is open: a fault that passes is no reason to. Some browsers try again for a new page only. */
export async function patiently(loading) {
  for (const ms of AGAIN_MS) {
    try {
      return await loading();
    } catch (fault) {
      if (!unfetched(fault)) throw fault;
      await pause(ms);
    }
  }
  return loading();
}

const screens = new Map();

/** Begin to fetch a game's own screen, where it has one: gives a promise of the object, or of null. */
export function fetchScreen(game) {
  if (!game.screen) return Promise.resolve(null);
  if (!screens.has(game.ruleset)) screens.set(game.ruleset, load(game));
  return screens.get(game.ruleset);
}

async function load(game) {
  try {
    const found = (await patiently(() => import(addressOf(game, "screen.js")))).default;
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
  await patiently(() => dress(addressOf(game, "style.css"), game)).catch(() => {}); // one can play all the same
}

function dress(href, { ruleset }) {
  const sheet = h("link", { rel: "stylesheet", href, "data-of": ruleset });
  return new Promise((go, stop) => {
    sheet.addEventListener("load", go);
    sheet.addEventListener("error", () => {
      sheet.remove();
      stop(new TypeError("the style was not loaded"));
    });
    document.head.append(sheet);
  });
}
