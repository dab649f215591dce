/** The secret placement: on the board one's Vikings are sent to fields and before others' villages. */

import { button, h } from "../../dom.js";
import { t } from "../../i18n.js";
import { endingTold } from "./ending.js";
import { means, vikings } from "./tokens.js";
import { FIELDS, here, space, stones } from "./words.js";

export const errand = (name, ctx) => ({ key: name, label: space(name, ctx), place: name });

/** E3.2: any number to each field, one at most to each siege space of others; the rest defend. */
export function placement(ctx) {
  const home = ctx.view.seats[ctx.seat].home;
  const sieges = Object.keys(ctx.view.sieges).filter((name) => {
    const village = Number(name.split(":")[0]);
    return village !== ctx.seat && village < ctx.view.players;
  });
  const count = (chosen, name) => chosen.filter((one) => one.key === name).length;
  return {
    toggles: true,
    options: (chosen) => (chosen.length >= home ? [] : [...FIELDS, ...sieges.filter((name) => !count(chosen, name))].map((name) => errand(name, ctx))),
    action: (chosen) => ({
      type: "place",
      fields: Object.fromEntries(FIELDS.filter((name) => count(chosen, name)).map((name) => [name, count(chosen, name)])),
      sieges: sieges.filter((name) => count(chosen, name)),
    }),
    from: (action) => [...Object.entries(action.fields).flatMap(([name, n]) => Array.from({ length: n }, () => name)), ...action.sieges].map((name) => errand(name, ctx)),
    offers: true,
    onBoard: (step, chosen) => ({ ...step, label: more(step.key, ctx, count(chosen, step.key)), ...(count(chosen, step.key) ? { badge: String(count(chosen, step.key)) } : {}) }),
    panel: (chosen, hands) => screen(ctx, home, [...FIELDS, ...sieges].map((name) => ({ name, n: count(chosen, name) })).filter(({ n }) => n), home - chosen.length, hands),
  };
}

/** What one more Viking at a place means. */
function more(name, ctx, n) {
  const said = t("{where}: one Viking more", { where: here(space(name, ctx)) });
  return name.includes(":") ? said : `${said}; ${t("{stones} there, {n} of yours sent", { stones: stones(ctx.view.fields[name].stones), n })}`;
}

/** Errands are given on the board: beside it stands who stays, and who goes where. */
function screen(ctx, home, sent, left, hands) {
  return h("div", { class: "errands ownscreen" },
    h("div", { class: "athome" },
      h("span", { class: "tokens" }, vikings(ctx.seat, left), Array.from({ length: home - left }, () => h("span", { class: "hole", "aria-hidden": "true" }))),
      h("p", { class: "left" }, left === 1 ? t("1 Viking stays at home and defends.") : t("{n} Vikings stay at home and defend.", { n: left }))),
    sent.length ? h("ul", { class: "sent", "aria-label": t("Sent out") }, sent.map(({ name, n }) => h("li", { "data-key": name },
      h("span", { class: "tokens" }, vikings(ctx.seat, n)), h("span", {}, here(space(name, ctx))),
      button("−", () => hands.take(name), { class: "less", "data-about": "fewer", "aria-label": t("{where}: one Viking fewer", { where: here(space(name, ctx)) }), disabled: hands.busy })))) : null,
    endingTold(ctx),
    h("p", { class: "hint" }, t("Tap a field or an engine on the board to send a Viking there. A field brings a stone for each Viking, if there are enough; a siege that is won, one of the two walls. All others see only that you have chosen, until the last one has.")),
    means(ctx));
}
