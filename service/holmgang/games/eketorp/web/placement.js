/** The secret placement: a screen of its own, where one's Vikings are put on fields and before others' villages. */

import { button, h } from "../../dom.js";
import { t } from "../../i18n.js";
import { means, tiles, viking, vikings, wall } from "./tokens.js";
import { cardsHeld, ENGINES, FACES, FIELDS, space, stones } from "./words.js";

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
    panel: (chosen, hands) => screen(ctx, home, (name) => count(chosen, name), home - chosen.length, hands),
  };
}

function screen(ctx, home, count, left, hands) {
  const others = ctx.view.seats.filter((one) => one.seat !== ctx.seat);
  return h("div", { class: "errands ownscreen" },
    h("p", { class: "hint" }, t("Tap a field or an engine to send a Viking there. All others see only that you have chosen, until the last one has.")),
    h("div", { class: "athome" },
      h("span", { class: "tokens" }, vikings(ctx.seat, left), Array.from({ length: home - left }, () => h("span", { class: "hole", "aria-hidden": "true" }))),
      h("p", { class: "left" }, left === 1 ? t("1 Viking stays at home and defends.") : t("{n} Vikings stay at home and defend.", { n: left }))),
    h("h3", {}, t("Fields: a stone for each Viking, if there are enough")),
    h("ul", { class: "fields" }, FIELDS.map((name) => field(name, ctx, count(name), left, hands))),
    h("h3", {}, t("Sieges: win, and keep a stone of the two walls")),
    h("ul", { class: "villages" }, others.map((one) => village(one, ctx, count, left, hands))),
    means(ctx));
}

function field(name, ctx, here, left, hands) {
  const lying = ctx.view.fields[name].stones;
  return h("li", { class: here ? "plot taken" : "plot" },
    button([h("b", {}, name), h("span", { class: "tiles" }, tiles(lying)), h("span", { class: "tokens" }, vikings(ctx.seat, here))], () => hands.choose(errand(name, ctx)),
      { class: "put", "data-step": name, "aria-label": t("One Viking more to field {name}", { name }) + ": " + t("{stones} there, {n} of yours sent", { stones: stones(lying), n: here }), disabled: !left || hands.busy }),
    here ? button("−", () => hands.take(name), { class: "less", "aria-label": t("One Viking fewer to field {name}", { name }), disabled: hands.busy }) : null);
}

function village(one, ctx, count, left, hands) {
  return h("li", {},
    h("p", { class: "whose" }, viking(one.seat), h("b", {}, ctx.name(one.seat)),
      h("span", { class: "soft" }, one.home === 1 ? t("1 Viking at home") : t("{n} Vikings at home", { n: one.home }), ", ", cardsHeld(one.hand_size))),
    h("div", { class: "engines" }, Object.keys(ENGINES).map((engine) => {
      const name = `${one.seat}:${engine}`, on = count(name) > 0;
      const walls = FACES[engine].map((n) => one.walls[n - 1]);
      return button([h("span", { class: "walls" }, walls.map((standing) => wall(standing))), h("span", { class: "name" }, ENGINES[engine](), on ? viking(ctx.seat) : h("span", { class: "hole", "aria-hidden": "true" }))],
        () => (on ? hands.take(name) : hands.choose(errand(name, ctx))),
        { class: "engine", "aria-pressed": on ? "true" : "false", disabled: (!on && !left) || hands.busy, "aria-label": space(name, ctx) });
    })));
}
