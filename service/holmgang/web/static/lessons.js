/** What this browser knows of first games: which are begun and how far, and which games nobody has to be told of any more. */

import { button, h } from "./dom.js";
import { t } from "./i18n.js";
import { keep, kept } from "./kept.js";

const KEPT = "holmgang.lessons", MET = "holmgang.met";

function read(key, otherwise) {
  try {
    return JSON.parse(kept(key)) || otherwise;
  } catch {
    return otherwise;
  }
}

/** What is noted of somebody's first game: `{game, seen, done}`; nothing for none. */
export const lessonOf = (player, ruleset) => read(KEPT, {})[`${player} ${ruleset}`] || {};

/** Where a game of who plays here goes on: at its table, or with its coach where it is their first game, as long as there is anything to say. */
export function addressOf({ id, ruleset, status }, player) {
  const { game, done } = lessonOf(player, ruleset);
  return game === id && !done && status !== "over" ? `#/learn/${ruleset}` : `#/games/${id}`;
}

export function noteLesson(player, ruleset, more) {
  const all = read(KEPT, {}), name = `${player} ${ruleset}`;
  keep(KEPT, JSON.stringify({ ...all, [name]: { ...all[name], ...more } }));
}

const met = () => read(MET, []);

/** Who has met a game is not offered its first game again. */
export function meet(ruleset) {
  if (!met().includes(ruleset)) keep(MET, JSON.stringify([...met(), ruleset]));
}

/** One line for whoever opens a game for the first time, once; null for others. */
export function firstLook({ ruleset, title, lesson }) {
  if (!lesson || met().includes(ruleset)) return null;
  meet(ruleset);
  const line = h("p", { class: "firstlook" }, h("span", {}, t("New to {title}?", { title })), " ", h("a", { class: "button", href: `#/learn/${ruleset}` }, t("Learn it in two minutes")),
    button("×", () => { line.hidden = true; }, { class: "quiet", "aria-label": t("Close") }));
  return line;
}
