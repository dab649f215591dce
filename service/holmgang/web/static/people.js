/** Seats and those who hold them; addresses of games; invitations that were followed; links that hold a secret. */

import { button, dialog, h, toast } from "./dom.js";
import { t } from "./i18n.js";
import { keep, kept } from "./kept.js";

export const gamePath = (ident, rest = "") => `/v1/games/${ident}${rest}`;

const KEPT = "holmgang.invitations";

function invitations() {
  try {
    return JSON.parse(kept(KEPT, { visit: true })) || {};
  } catch {
    return {};
  }
}

/** The secret by which one may look at a private game, if a link with it was followed. */
export function invitationOf(ident) {
  return invitations()[ident];
}

export function keepInvitation(ident, secret) {
  keep(KEPT, JSON.stringify({ ...invitations(), [ident]: secret }), { visit: true });
}

const BOTS = { random: () => t("Random bot"), greedy: () => t("Greedy bot"), search: () => t("Thinking bot") };

const LATIN = /^[\u0020-\u024f]*$/;

/** A name that turns nothing around it, whichever way it is written; Latin letters alone do not. */
export const isolated = (name) => (LATIN.test(name) ? name : `\u2068${name.replace(/[\u202a-\u202e\u2066-\u2069]/g, "")}\u2069`);

/** A built-in bot as it is called. */
export const botTold = (bot) => (BOTS[bot] || (() => bot))();

/** Who holds a seat, as they are called; null for nobody. */
export function holderOf(summary, seat) {
  const { bot, name } = summary.seats[seat] || {};
  return bot ? botTold(bot) : name || null;
}

/** Who holds a seat, as `as` writes their name; with the seat's number where others at the table are called the same. Null for nobody. */
export function heldBy(summary, seat, as = isolated) {
  const holder = holderOf(summary, seat);
  if (!holder) return null;
  const alike = summary.seats.filter((_, n) => holderOf(summary, n) === holder).length > 1;
  return alike ? t("{name} ({n})", { name: as(holder), n: seat }) : as(holder);
}

/** The same in sentences. */
export const nameOf = (summary, seat) => heldBy(summary, seat) || t("seat {n}", { n: seat });

/** A player's name as a link to who they are. */
export const personLink = (id, name) => h("a", { class: "person", href: `#/players/${id}`, "data-key": `person ${id}` }, name);

/** Whether one may look at a game: with `spectators: false` its players alone may. */
export const maySee = (summary, me) => summary.spectators || (me !== null && summary.seats.some((one) => one.player === me.id));

/** A seat's number in its clan's colour, as on the board. */
export function seatChip(seat) {
  return h("span", { class: `chip clan${seat}`, "aria-hidden": "true" }, String(seat));
}

/** The dialogs that belong to the page that is shown, and are closed with it. */
export function openDialogs() {
  return [...document.querySelectorAll("dialog[open]:not([data-stays])")];
}

/** Show a link that is to be copied. */
export function showLink(title, label, words, link) {
  const field = h("input", { type: "text", readonly: true, value: link, "aria-label": label, onfocus: (event) => event.target.select() });
  dialog(title, (close) => [h("p", {}, words), field,
    h("div", { class: "bar" }, button(t("Copy the link"), async () => { try { await navigator.clipboard.writeText(link); toast(t("Copied."), "good"); } catch { field.select(); } }, { class: "go" }), button(t("Close"), close))]);
}
