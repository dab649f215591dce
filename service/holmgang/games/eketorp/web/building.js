/** Building and looting: stones go onto walls, and off them. */

import { button, h } from "../../dom.js";
import { t } from "../../i18n.js";
import { tile, tiles, wall, wallInWords } from "./tokens.js";
import { describe, FACES, KINDS, stone, stones, WORTH } from "./words.js";

const HEIGHT = 3;
const sum = (counts) => Object.values(counts).reduce((total, n) => total + n, 0);
const worth = (kinds) => kinds.reduce((total, kind) => total + WORTH[kind], 0);
const dearestFirst = [...KINDS].reverse();

/** E5.3: new stones one after another, each on a wall with room, until all that fit are built. Which kind comes next is the
 * dearest that is left, or the one that was taken in hand. */
export function building(ctx) {
  const own = ctx.view.seats[ctx.seat];
  const room = own.walls.map((standing) => HEIGHT - standing.length);
  const must = Math.min(sum(own.carried), sum(room));
  const laid = (chosen) => chosen.filter((one) => one.wall);
  const on = (chosen, n) => laid(chosen).filter((one) => one.wall === n).map((one) => one.stone);
  const left = (chosen, kind) => (own.carried[kind] || 0) - laid(chosen).filter((one) => one.stone === kind).length;
  const free = (chosen, n) => room[n - 1] - on(chosen, n).length;
  const walls = room.map((_, n) => n + 1);
  const held = (chosen) => {
    const wanted = chosen.map((one) => one.hold).filter(Boolean).pop();
    return wanted && left(chosen, wanted) ? wanted : dearestFirst.find((kind) => left(chosen, kind) > 0);
  };
  const step = (kind, n, chosen) => ({ key: `${kind} ${n} ${chosen.length}`, stone: kind, wall: n, place: `wall ${ctx.seat} ${n}`, label: t("{stone} on wall {n}", { stone: stone(kind), n }) });
  const rest = (chosen) => {
    let all = chosen;
    while (laid(all).length < must) {
      const lowest = walls.filter((n) => free(all, n)).sort((a, b) => free(all, b) - free(all, a) || a - b)[0];
      all = [...all, step(dearestFirst.find((kind) => left(all, kind) > 0), lowest, all)];
    }
    return all;
  };
  return {
    toggles: true,
    options: (chosen) => (laid(chosen).length >= must ? [] : walls.filter((n) => free(chosen, n)).map((n) => step(held(chosen), n, chosen))),
    action: (chosen) => (laid(chosen).length === must ? { type: "build", stones: laid(chosen).map((one) => ({ stone: one.stone, wall: one.wall })) } : null),
    from: (action) => action.stones.reduce((all, one) => [...all, step(one.stone, one.wall, all)], []),
    panel(chosen, hands) {
      const open = must - laid(chosen).length;
      const inHand = open ? held(chosen) : null;
      const take = (n) => laid(chosen).filter((one) => one.wall === n).pop();
      return h("div", { class: "errands works ownscreen" },
        h("p", { class: "hint" }, t("The others see your walls when all have built. Looters take from the top: what lies below is safer.")),
        h("div", { class: "tray", role: "group", "aria-label": t("Your new stones") }, KINDS.filter((kind) => own.carried[kind]).map((kind) => button(
          [tile(kind), h("span", {}, t("{n} left", { n: left(chosen, kind) }))], () => hands.only([...chosen.filter((one) => !one.hold), { key: `hold ${kind}`, hold: kind, forced: true }]),
          { "data-about": "hold", "data-step": kind, "aria-pressed": kind === inHand ? "true" : "false", disabled: hands.busy || !open || !left(chosen, kind), "aria-label": t("{kind}, worth {worth}: {n} left", { kind: stone(kind), worth: WORTH[kind], n: left(chosen, kind) }) }))),
        h("ul", { class: "ring" }, walls.map((n) => h("li", {},
          button([wall(own.walls[n - 1], on(chosen, n)), h("span", { class: "number" }, String(n))], () => hands.choose(step(inHand, n, chosen)),
            { class: "column", "data-about": "build", "data-step": `wall ${n}`, disabled: hands.busy || !open || !free(chosen, n),
              "aria-label": (inHand && free(chosen, n) ? t("Lay {stone} on wall {n}", { stone: stone(inHand), n }) : t("wall {n}", { n })) + ": " + wallInWords([...own.walls[n - 1], ...on(chosen, n)]) }),
          on(chosen, n).length ? button("−", () => hands.take(take(n).key), { class: "less", "data-about": "unbuild", disabled: hands.busy, "aria-label": t("Take the top stone back from wall {n}", { n }) }) : null))),
        open ? h("div", { class: "bar" }, h("span", { class: "soft" }, open === 1 ? t("1 stone is still to be laid.") : t("{n} stones are still to be laid.", { n: open })),
          button(t("Lay the rest for me"), () => hands.only(rest(chosen)), { class: "quiet", "data-about": "rest", disabled: hands.busy })) : null,
        sum(own.carried) > must ? h("p", { class: "hint" }, t("There is no room for all: the others are laid aside and still count.")) : null);
    },
  };
}

/** E4.7.5: off the two walls before the engine, topmost first, worth no more than the difference; one is kept. */
export function looting(ctx) {
  const { actions } = ctx.legal;
  const { space, difference } = ctx.view.combat;
  const [village, engine] = space.split(":");
  const standing = (n) => ctx.view.seats[Number(village)].walls[n - 1];
  const count = (chosen, n) => chosen.filter((one) => one.pull === n).length;
  const pulled = (chosen, n) => { const k = count(chosen, n); return k ? standing(n).slice(-k) : []; };
  const all = (chosen) => FACES[engine].flatMap((n) => pulled(chosen, n));
  const kept = (chosen) => {
    const wanted = chosen.map((one) => one.keep).filter(Boolean).pop(), found = all(chosen);
    return found.includes(wanted) ? wanted : dearestFirst.find((kind) => found.includes(kind));
  };
  const found = (chosen) => actions.find((one) => one.type === "loot" && one.kept === kept(chosen) && FACES[engine].every((n) => (one.walls[n] || 0) === count(chosen, n)));
  const pull = (n, chosen) => ({ key: `pull ${n} ${count(chosen, n)}`, pull: n, place: `wall ${village} ${n}`, label: t("pull a stone off wall {n}", { n }) });
  const without = (chosen) => chosen.filter((one) => !one.decline);
  return {
    toggles: true,
    options: (chosen) => FACES[engine].map((n) => pull(n, chosen)).filter((step) => found([...without(chosen), step])),
    action: (chosen) => (chosen.some((one) => one.decline) ? actions.find((one) => one.type === "decline") : found(chosen)) || null,
    panel(chosen, hands) {
      const taken = all(chosen);
      return h("div", { class: "errands works ownscreen" },
        h("p", { class: "hint" }, t("You won by {n}: pull down stones worth {n} at most, topmost first. You keep one, the others go back to the supply.", { n: difference })),
        h("ul", { class: "ring" }, FACES[engine].map((n) => {
          const next = pull(n, chosen), can = found([...without(chosen), next]), down = pulled(chosen, n);
          return h("li", {},
            button([wall(standing(n).slice(0, standing(n).length - down.length)), h("span", { class: "number" }, String(n))], () => hands.only([...without(chosen), next]),
              { class: "column", "data-about": "pull", "data-step": `wall ${n}`, disabled: hands.busy || !can, "aria-label": t("Pull a stone off wall {n}", { n }) + ": " + wallInWords(standing(n).slice(0, standing(n).length - down.length)) }),
            down.length ? button("+", () => hands.take(chosen.filter((one) => one.pull === n).pop().key), { class: "less", "data-about": "unpull", disabled: hands.busy, "aria-label": t("Put the last stone back on wall {n}", { n }) }) : null);
        })),
        taken.length ? h("p", {}, t("Pulled down: {stones}, worth {n} of {all}.", { stones: stones(Object.fromEntries(KINDS.map((kind) => [kind, taken.filter((one) => one === kind).length]))), n: worth(taken), all: difference })) : null,
        taken.length ? h("div", { class: "options", role: "group", "aria-label": t("Which do you keep?") }, h("span", { class: "soft" }, t("Which do you keep?")), KINDS.filter((kind) => taken.includes(kind)).map((kind) => button([tile(kind), " ", stone(kind)],
          () => hands.only([...without(chosen).filter((one) => !one.keep), { key: `keep ${kind}`, keep: kind, forced: true }]), { "data-about": "kept", "data-key": `keep ${kind}`, "aria-pressed": kept(chosen) === kind ? "true" : "false", disabled: hands.busy }))) : null,
        actions.some((one) => one.type === "decline") ? h("div", { class: "options" }, button(t("Take nothing"), () => hands.only([{ key: "decline", decline: true, label: t("Take nothing") }]), { "data-about": "decline", disabled: hands.busy, "aria-pressed": chosen.some((one) => one.decline) ? "true" : "false" })) : null);
    },
  };
}

/** E5.1: one stone of a field where several kinds lie. */
export function spoils(ctx) {
  const actions = ctx.legal.actions;
  return {
    options: () => [],
    action: (chosen) => (chosen.length ? chosen[0].action : null),
    panel: (chosen, hands) => h("div", { class: "ownscreen" },
      h("p", {}, t("On field {name}:", { name: ctx.view.spoils.field }), " ", h("span", { class: "tiles" }, tiles(ctx.view.fields[ctx.view.spoils.field].stones))),
      h("div", { class: "options" }, actions.map((action) => button([tile(action.stone), " ", t("{stone}, worth {n}", { stone: stone(action.stone), n: WORTH[action.stone] })],
        () => hands.only([{ key: action.stone, action, label: describe(action, ctx) }]), { "data-about": "take", "data-key": `take ${action.stone}`, disabled: hands.busy, "aria-pressed": chosen.length && chosen[0].key === action.stone ? "true" : "false" })))),
  };
}
