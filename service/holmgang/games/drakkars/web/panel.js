/** What stands beside the board of Drakkars while one chooses: the hand, what two cards do, what is at stake. */

import { button, h } from "../../dom.js";
import { t } from "../../i18n.js";
import { COMBINATIONS, capital, cardsTold, coins, god, named, shipTold } from "./names.js";

/** A card of a god as a button: `step` chooses it, or it is `chosen` and can be taken back, or it is shown only. */
export function godCard(card, { step = null, chosen = null, hands }) {
  const face = [h("b", {}, String(card)), h("span", {}, god(card))];
  return h("button", { type: "button", class: "god", "aria-label": named(card), "data-about": "god", "data-card": card, "data-step": step ? step.key : null, disabled: !(step || chosen) || hands.busy,
    "aria-pressed": chosen ? "true" : "false", onclick: () => (chosen ? hands.take(chosen.key) : hands.choose(step)) }, face);
}

/** The cards in hand; of equal ones the first is the one that is chosen. */
export function handRow(hand, offered, chosen, hands) {
  if (!hand.length) return h("p", { class: "hint" }, t("You have no cards in hand."));
  const taken = [];
  return h("div", { class: "options gods", role: "group", "aria-label": t("Your hand") }, [...hand].sort((a, b) => a - b).map((card) => {
    const found = chosen.find((one) => one.card === card && !taken.includes(card));
    if (found) taken.push(card);
    return godCard(card, { step: offered.find((one) => one.card === card) || null, chosen: found, hands });
  }));
}

export function crumbs(chosen) {
  const made = chosen.filter((one) => !one.forced);
  return made.length ? h("ol", { class: "steps", "aria-label": t("Chosen so far") }, made.map((one) => h("li", {}, one.label))) : null;
}

/** Buttons with what they do written small below. */
export const choices = (steps, hands, note = () => null) => (steps.length ? h("div", { class: "options" }, steps.map((step) => {
  const said = note(step);
  return h("button", { type: "button", "data-step": step.key, disabled: hands.busy, onclick: () => hands.choose(step), class: said ? "noted" : null }, h("span", {}, step.label), said ? h("small", {}, said) : null);
})) : null);

/** Steps with places, for who does not use the board. */
export const listOf = (steps, hands) => (steps.length ? h("details", { class: "list" }, h("summary", { "data-about": "list" }, t("or from a list")),
  h("div", { class: "options small" }, steps.map((step) => button(step.label, () => hands.choose(step), { "data-step": step.key, disabled: hands.busy })))) : null);

/** What two cards do together: those that one holds first. */
export function combinations(hand) {
  const held = ({ cards: [one, other] }) => hand.includes(one) && (other === null ? hand.length > 1 : hand.includes(other));
  return h("details", { class: "two" }, h("summary", { "data-about": "two" }, t("What two cards do together")),
    h("ul", {}, Object.values(COMBINATIONS).sort((a, b) => held(b) - held(a)).map((one) => h("li", { class: held(one) ? "held" : null }, h("b", {}, one.name()), " ", one.does()))));
}

const cargoOf = (view, seat, ship) => {
  const { rank } = view.seats[seat].ships[ship];
  return rank === null ? t("nothing") : coins(view.seats[seat].cargo[rank - 1]);
};

/** Two ships that meet, with what they carry and how many cards their owners hold. */
export function meeting(ctx, one, other) {
  const { view } = ctx;
  return h("ul", { class: "meeting" }, [one, other].map(({ seat, ship }) => h("li", {}, h("span", { class: `chip clan${seat}`, "aria-hidden": "true" }, String(seat)), " ",
    capital(t("{ship}: cargo {coins}, {cards} in hand", { ship: shipTold(ctx, seat, ship), coins: cargoOf(view, seat, ship), cards: cardsTold(view.seats[seat].hand_size) })))));
}
