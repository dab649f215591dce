/** What this browser saw, gave and chose in a game, kept with the token, until the game's record can be compared with it. */

import * as api from "./api.js";
import { h } from "./dom.js";
import { t, together } from "./i18n.js";
import { keep, kept } from "./kept.js";
import { gamePath } from "./people.js";

const KEPT = "holmgang.given";
const MOST = 30;

const nameOf = (ident) => `${api.me && api.me.id} ${ident}`;

function notes() {
  try {
    return JSON.parse(kept(KEPT)) || {};
  } catch {
    return {};
  }
}

const noteOf = (ident) => notes()[nameOf(ident)] || {};

/** Note something more of a game; the games that were noted first are forgotten first. */
function note(ident, more) {
  const { [nameOf(ident)]: before, ...others } = notes();
  const all = [...Object.entries(others), [nameOf(ident), { ...before, ...more }]];
  keep(KEPT, JSON.stringify(Object.fromEntries(all.slice(-MOST))));
}

/** Forget a game whose seat was given up: what is given there now is another's. */
export function left(ident) {
  const { [nameOf(ident)]: gone, ...others } = notes();
  if (gone) keep(KEPT, JSON.stringify(others));
}

const written = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
const read = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16));

/** Sit down with entropy, drawn after the commitment of the game was seen; both are noted before they can be of use. */
export async function sitDown(summary, place = {}) {
  const { id, commitment } = summary;
  const before = noteOf(id);
  const entropy = commitment === null ? null : before.entropy || written(crypto.getRandomValues(new Uint8Array(32)));
  const sit = (more) => api.post(gamePath(id, "/seats"), { ...place, ...more }, { key: api.once() });
  if (entropy) note(id, { commitment: before.commitment || commitment, terms: before.terms || termsOf(summary), entropy });
  let taken;
  try {
    taken = await sit(entropy ? { entropy } : {});
  } catch (fault) {
    if (fault.code !== "already_seated" || before.seat !== undefined) throw fault;
    note(id, { entropy: undefined }); // the seat was taken elsewhere
    taken = await sit({});
  }
  note(id, { seat: taken.seat });
  return taken;
}

/** Note a choice that was acknowledged, or with null that it is not sure any more. */
export function chose(ident, turn, action) {
  note(ident, { choices: { ...noteOf(ident).choices, [turn]: action || undefined } });
}

/** The last turn for which a choice was noted; null for none. */
export function lastChosen(ident) {
  const turns = Object.keys(noteOf(ident).choices || {}).map(Number);
  return turns.length ? Math.max(...turns) : null;
}

/** JSON in its one spelling: keys sorted, no white space. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

/** What is agreed of a game, as the record spells it. */
const termsOf = ({ options, ruleset, ruleset_version: version, seats }) => canonical({ options, ruleset, seats: seats.length, version });

/** What game, terms and seed of a record commit to; null where the browser cannot tell, since the page came without TLS. */
async function committed(record) {
  if (!crypto.subtle) return null;
  const { options, ruleset, seats, version } = record;
  const terms = new TextEncoder().encode(canonical({ options, ruleset, seats, version }));
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, terms.length);
  const parts = [new TextEncoder().encode("holmgang-commitment-1"), unhex(record.game.replaceAll("-", "")), length, terms, unhex(record.seed)];
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from(parts.flatMap((part) => [...part])))));
}

/** Whether the choices are those that were noted; of a turn that was ended by a resignation one may be lacking. */
function choicesHold(record, { seat, choices = {} }) {
  const rows = record.log.map((row) => row.entry);
  const made = new Map(rows.flatMap((row) => (row.actions || []).filter(([by]) => by === seat).map(([, action]) => [row.turn, action])));
  const last = rows[rows.length - 1];
  const unplayed = (turn) => !made.has(turn) && last.turn === turn && last.resigned !== undefined;
  return Object.entries(choices).every(([turn, action]) => unplayed(Number(turn)) || canonical(made.get(Number(turn)) || null) === canonical(action));
}

/** Compare the record of a game that is over with the notes: `{faults, told}`, or null where nothing was noted. */
export async function verdict(summary, options) {
  const noted = noteOf(summary.id);
  if (noted.seat === undefined || summary.seats[noted.seat].player !== api.me.id) return null; // or it was given up elsewhere
  const record = await api.get(gamePath(summary.id, "/record"), options);
  const faults = [];
  const bound = await committed(record);
  if (noted.commitment && [summary.commitment, record.commitment, bound || noted.commitment].some((one) => one !== noted.commitment)) faults.push(t("what the service fixed before the game (the commitment)"));
  if (noted.terms && record.terms !== noted.terms) faults.push(t("the terms"));
  const gave = noted.entropy ? hex(read(noted.entropy)) : null;
  if (gave && record.entropy[noted.seat] !== gave) faults.push(t("the random number that your browser gave (the entropy)"));
  if (summary.seats.some((one) => one.bot && record.entropy[one.seat] !== null)) faults.push(t("the random numbers of bots (their entropy)"));
  if (!choicesHold(record, noted)) faults.push(t("the choices (unless you changed one elsewhere)"));
  return { faults, gave, ...noted };
}

/** What came of it, for the page (`unread` where there was no record): a sentence, `chance`, which says what chance decides in this game, and how to check all the rest. */
export function verdictTold(found, chance = null) {
  if (!found) return null;
  if (found.unread) return h("div", { class: "fair" }, h("p", { class: "bad" }, t("The record of the game cannot be read, so nothing says yet that it agrees with what this browser saw, gave and chose.")));
  const { faults, gave, seat, commitment } = found;
  const check = gave ? h("details", { class: "soft" }, h("summary", {}, t("Check it yourself")),
    h("p", {}, t("The random number of your browser is called entropy; what fixed the service's own beforehand, the commitment. With both, this command checks the whole record:")),
    h("code", { class: "check" }, `holmgang verify record.json --commitment ${commitment} --entropy ${seat}=${gave}`)) : null;
  const words = faults.length ? t("Do not trust this server. Its record of the game is not what this browser saw, gave and chose: {what}.", { what: together(faults) })
    : gave ? t("Chance was honest: it was fixed before the game and mixed with a random number of your browser. The record of the game agrees with both, and with your choices.") : t("The record of the game agrees with your choices. Your browser gave no random number to it.");
  return h("div", { class: "fair", "data-fair": String(!faults.length) }, h("p", { class: faults.length ? "bad" : "soft" }, gave && chance ? `${words} ${chance}` : words), check);
}
