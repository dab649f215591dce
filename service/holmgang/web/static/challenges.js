/** Challenges that wait for an answer: those that came, and one's own. */

import * as api from "./api.js";
import { button, dialog, h, select, toast } from "./dom.js";
import { t, together } from "./i18n.js";
import { isolated, personLink } from "./people.js";
import { ago, termsTold, titleOf } from "./terms.js";

const REASONS = {
  later: () => t("Not now."), too_fast: () => t("The clock is too fast."), too_slow: () => t("The clock is too slow."), rated: () => t("It should not be rated."), casual: () => t("It should be rated."),
  terms: () => t("On other terms."), opponents: () => t("With other players."), other: () => t("For another reason."),
};

/** Why somebody declined, in a sentence. */
export const reasonTold = (reason) => (REASONS[reason] || REASONS.other)();

/** Do something about a challenge; `changed()` is called when it is done, but where a game has come of it. */
async function act(what, changed) {
  try {
    const found = await what();
    if (found && found.game) location.hash = `#/games/${found.game}`;
    await changed();
  } catch (fault) {
    if (fault.name === "AbortError") return; // the page that was to show it is left
    if (!fault.told) throw fault;
    toast(fault.told);
  }
}

const answer = ({ id }, body) => api.call("PUT", `/v1/challenges/${id}/answer`, { body, repeat: true });

/** Decline, with a reason or without. */
function decline(challenge, changed) {
  dialog(t("Decline the challenge?"), (close) => h("form", { class: "form", onsubmit: (event) => {
    event.preventDefault();
    const { value } = event.target.elements.reason;
    return act(() => answer(challenge, { accepts: false, ...(value ? { reason: value } : {}) }), () => { close(); return changed(); });
  } }, select("reason", t("Why, if you want to say so"), [["", t("No reason")], ...Object.entries(REASONS).map(([reason, words]) => [reason, words()])]),
  h("div", { class: "bar" }, h("button", { type: "submit", class: "go" }, t("Decline")), button(t("Close"), close))));
}

/** The buttons by which a challenge is answered. */
export function answers(challenge, changed) {
  const { id, players } = challenge, asked = players.find((one) => one.player === api.me.id);
  return [asked && asked.answer ? null : button(t("Accept"), () => act(() => answer(challenge, { accepts: true }), changed), { class: "go", "data-key": `accept ${id}` }),
    button(t("Decline"), () => decline(challenge, changed), { "data-key": `decline ${id}` })];
}

/** A challenge in a list; `changed()` is called when something was done about it. */
export function challengeLine(challenge, changed) {
  const { id, challenger, name, players, terms, created_at } = challenge;
  const own = challenger === api.me.id, asked = players.find((one) => one.player === api.me.id);
  const open = players.filter((one) => !one.answer).map((one) => isolated(one.name));
  const rest = players.filter((one) => own || one !== asked);
  const buttons = own ? [button(t("Withdraw"), () => act(() => api.call("DELETE", `/v1/challenges/${id}`, { repeat: true }), changed), { "data-key": `withdraw ${id}` })] : answers(challenge, changed);
  return h("li", { class: "sought", "data-key": id },
    h("span", { class: "who" }, h("b", {}, titleOf(terms.ruleset)), own ? t("You challenge") : personLink(challenger, isolated(name)), own ? null : t("challenges you"),
      rest.length && !own ? t("with") : null, rest.map((one) => personLink(one.player, isolated(one.name)))),
    h("span", { class: "facts" }, [termsTold(terms), ago(created_at), ...(asked && asked.answer ? [t("waiting for {names}", { names: together(open) })] : [])].join(" · ")),
    h("span", { class: "bar" }, buttons));
}
