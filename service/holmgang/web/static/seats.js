/** Who sits at a table, how much time each has, and what each is doing. */

import * as api from "./api.js";
import { clockTold } from "./clocks.js";
import { button, dialog, h } from "./dom.js";
import { t } from "./i18n.js";
import { nameOf, personLink, seatChip } from "./people.js";

export const seatLines = (table) => h("ul", { class: "seats" }, table.summary.seats.map((one) => seatLine(table, one)));

function seatLine(table, one) {
  const { turn, summary, clocks } = table;
  const notes = table.view && summary.status === "active" ? [table.game.seatNote(one.seat, table.ctx())].filter(Boolean) : [];
  if (one.seat === turn.seat) notes.push(t("you"));
  if (turn.awaited.includes(one.seat)) notes.push(t("to choose"));
  if (turn.submitted.includes(one.seat)) notes.push(t("has chosen"));
  if (turn.defaulted?.includes(one.seat)) notes.push(t("was played for"));
  if (one.absent_since && !one.bot) notes.push(t("absent"));
  if (clocks.onLeave(one.seat)) notes.push(t("on leave"));
  if (one.resigned_at) notes.push(t("gave up"));
  const partners = summary.teams.find((team) => team.includes(one.seat));
  if (partners && partners.length > 1) notes.push(t("with {name}", { name: nameOf(summary, partners.find((seat) => seat !== one.seat)) }));
  const bots = summary.status === "open" && !one.player && api.me && summary.creator === api.me.id;
  return h("li", { class: turn.awaited.includes(one.seat) ? "awaited" : null, "data-key": `seat ${one.seat}` }, seatChip(one.seat),
    h("span", { class: "who" }, one.player ? personLink(one.player, nameOf(summary, one.seat)) : t("free seat")),
    summary.status === "active" && !one.bot ? clocks.element(one.seat) : null,
    table.presence.element(one),
    notes.length ? h("span", { class: "soft" }, notes.join(", ")) : null,
    bots ? button(t("Seat a bot"), () => table.seatBot(one.seat), { class: "quiet", "data-about": "bot", "data-key": `bot ${one.seat}` }) : null);
}

/** Ask whether somebody goes on leave. */
export function askLeave(table) {
  const { seat } = table.turn;
  dialog(t("Go on leave?"), (close) => [h("p", {}, t("Your clock stands and the game waits for you, until you end your leave or it is used up. You have {time} of it.", { time: clockTold(table.clocks.leave(seat)) })),
    h("div", { class: "bar" }, button(t("Go on leave"), () => { close(); return table.act(() => api.post(table.path(`/seats/${seat}/leave`), {}, { key: api.once() })); }, { class: "go" }), button(t("Close"), close))]);
}

/** Whether a player may go on leave now. */
export const mayLeave = ({ turn, summary, clocks }) => Boolean(summary.leave_days) && !summary.seats[turn.seat].absent_since && !clocks.onLeave(turn.seat) && clocks.leave(turn.seat) > 0;
