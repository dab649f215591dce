/**
 * Every text that a person reads goes through `t`: English is the key, `{name}` stands for a value.
 *
 *     t("{name} chose", { name: "Astrid" })
 *
 * The key stands there as a literal: the catalogues are made of what is found in the scripts. Whoever imports this
 * module waits until the messages are there, so that `t` may be called anywhere.
 */

import { keep, kept } from "./kept.js";

export const LANGUAGES = [["en", "English"], ["fr", "Français"], ["nl", "Nederlands"]];
const KEPT = "holmgang.language";

function known(tag) {
  const short = (tag || "").toLowerCase().split("-")[0];
  return LANGUAGES.some(([one]) => one === short) ? short : null;
}

/** What is spoken: what was chosen here, or else the first of the browser's languages that is known. */
export const language = known(kept(KEPT)) || (navigator.languages || []).map(known).find(Boolean) || "en";

async function found(part) {
  if (language === "en") return {};
  try {
    return (await import(`./messages/${language}${part}.js`)).default;
  } catch {
    return {}; // what cannot be had stays English
  }
}

const messages = await found("");
let rest = null;

/** Know what the later scripts and games say, too. Each later script waits for it before it says anything. */
export const learn = () => (rest ||= found(".rest").then((more) => Object.assign(messages, more)));

document.documentElement.lang = language;

/** Speak another language from now on: the page is opened anew. */
export function choose(other) {
  keep(KEPT, other);
  location.reload();
}

export function t(text, values = {}) {
  const said = messages[text] || text;
  return said.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** `a`, `a and b`, `a, b and c`. */
export function together(parts) {
  if (parts.length < 2) return parts.join("");
  return t("{some} and {last}", { some: parts.slice(0, -1).join(", "), last: parts[parts.length - 1] });
}
