/** Building and looting: stones go onto walls, and off them. */

import { button, h, s } from "../../dom.js";
import { t } from "../../i18n.js";
import { endingTold } from "./ending.js";
import { laid as stoneAt, tile, tiles, wallInWords } from "./tokens.js";
import { describe, FACES, KINDS, stone, stones, WORTH } from "./words.js";

const HEIGHT = 3;
const THICK = 14;
/** How high a stone on a wall is, in units of the picture. */
const sum = (counts) => Object.values(counts).reduce((total, n) => total + n, 0);
const worth = (kinds) => kinds.reduce((total, kind) => total + WORTH[kind], 0);
const LINE = 0.5;
/** The outline of a stone is so far within its place. */

/** The upper edge of the n-th stone from the ground, of a wall whose box on the board is known. */
const upper = (box, n) => box.y - LINE + (HEIGHT - n) * THICK;
const village = (seat) => `g.village[data-seat="${seat}"]`;
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
  const lies = (chosen, n) => [...own.walls[n - 1], ...on(chosen, n)];
  const top = (chosen, n) => laid(chosen).filter((one) => one.wall === n).pop();
  return {
    toggles: true,
    offers: true,
    near: village(ctx.seat),
    pick: (chosen, one) => [...chosen, step(held(chosen), one.wall, chosen)],
    onBoard(one, chosen) {
      const n = one.wall, more = laid(chosen).length < must && free(chosen, n);
      const label = more ? t("Lay {stone} on wall {n}", { stone: stone(held(chosen)), n }) : t("Take the top stone back from wall {n}", { n });
      return { ...(more ? one : top(chosen, n)), label: `${label}: ${wallInWords(lies(chosen, n))}`,
        drawn: (box) => on(chosen, n).map((kind, k) => stoneAt(kind, box.x - LINE, upper(box, own.walls[n - 1].length + k + 1))) };
    },
    options: (chosen) => (laid(chosen).length >= must ? [] : walls.filter((n) => free(chosen, n)).map((n) => step(held(chosen), n, chosen))),
    action: (chosen) => (laid(chosen).length === must ? { type: "build", stones: laid(chosen).map((one) => ({ stone: one.stone, wall: one.wall })) } : null),
    from: (action) => action.stones.reduce((all, one) => [...all, step(one.stone, one.wall, all)], []),
    panel(chosen, hands) {
      const open = must - laid(chosen).length;
      const inHand = open ? held(chosen) : null;
      return h("div", { class: "errands works ownscreen" },
        endingTold(ctx),
        h("p", { class: "hint" }, t("Tap a wall on the board to lay a stone there. The others see your walls when all have built. Looters take from the top: what lies below is safer.")),
        h("div", { class: "tray", role: "group", "aria-label": t("Your new stones") }, KINDS.filter((kind) => own.carried[kind]).map((kind) => button(
          [tile(kind), h("span", {}, t("{n} left", { n: left(chosen, kind) }))], () => hands.only([...chosen.filter((one) => !one.hold), { key: `hold ${kind}`, hold: kind, forced: true }]),
          { "data-about": "hold", "data-step": kind, "aria-pressed": kind === inHand ? "true" : "false", disabled: hands.busy || !open || !left(chosen, kind), "aria-label": t("{kind}, worth {worth}: {n} left", { kind: stone(kind), worth: WORTH[kind], n: left(chosen, kind) }) }))),
        laid(chosen).length ? h("ul", { class: "sent", "aria-label": t("Laid so far") }, walls.filter((n) => on(chosen, n).length).map((n) => h("li", { "data-key": n },
          h("span", { class: "tiles" }, on(chosen, n).map((kind) => tile(kind))), h("span", {}, t("wall {n}", { n })),
          button("−", () => hands.take(top(chosen, n).key), { class: "less", "data-about": "unbuild", disabled: hands.busy, "aria-label": t("Take the top stone back from wall {n}", { n }) })))) : null,
        open ? h("div", { class: "bar" }, h("span", { class: "soft" }, open === 1 ? t("1 stone is still to be laid.") : t("{n} stones are still to be laid.", { n: open })),
          button(t("Lay the rest for me"), () => hands.only(rest(chosen)), { class: "quiet", "data-about": "rest", disabled: hands.busy })) : null,
        sum(own.carried) > must ? h("p", { class: "hint" }, t("There is no room for all: what is left over lies aside, and its value counts in the end all the same.")) : null);
    },
  };
}

/** E4.7.5: off the two walls before the engine, topmost first, worth no more than the difference; one is kept. */
export function looting(ctx) {
  const { actions } = ctx.legal;
  const { space, difference } = ctx.view.combat;
  const [owner, engine] = space.split(":");
  const standing = (n) => ctx.view.seats[Number(owner)].walls[n - 1];
  const count = (chosen, n) => chosen.filter((one) => one.pull === n).length;
  const pulled = (chosen, n) => { const k = count(chosen, n); return k ? standing(n).slice(-k) : []; };
  const all = (chosen) => FACES[engine].flatMap((n) => pulled(chosen, n));
  const kept = (chosen) => {
    const wanted = chosen.map((one) => one.keep).filter(Boolean).pop(), found = all(chosen);
    return found.includes(wanted) ? wanted : dearestFirst.find((kind) => found.includes(kind));
  };
  const found = (chosen) => actions.find((one) => one.type === "loot" && one.kept === kept(chosen) && FACES[engine].every((n) => (one.walls[n] || 0) === count(chosen, n)));
  const pull = (n, chosen) => ({ key: `pull ${n} ${count(chosen, n)}`, pull: n, place: `wall ${owner} ${n}`, label: t("pull a stone off wall {n}", { n }) });
  const without = (chosen) => chosen.filter((one) => !one.decline);
  const top = (chosen, n) => chosen.filter((one) => one.pull === n).pop();
  const more = (chosen, n) => found([...without(chosen), pull(n, chosen)]);
  return {
    toggles: true,
    offers: true,
    near: village(owner),
    pick: (chosen, one) => [...without(chosen), pull(one.pull, chosen)],
    onBoard(one, chosen) {
      const n = one.pull, all = standing(n), down = count(chosen, n), left = all.slice(0, all.length - down);
      const label = more(chosen, n) ? t("Pull a stone off wall {n}", { n }) : t("Put the last stone back on wall {n}", { n });
      return { ...(more(chosen, n) ? one : top(chosen, n)), label: `${label}: ${wallInWords(left)}`, drawn: (box) => all.slice(left.length).map((_, k) => struck(box, upper(box, left.length + k + 1))) };
    },
    options: (chosen) => FACES[engine].filter((n) => more(chosen, n)).map((n) => pull(n, chosen)),
    action: (chosen) => (chosen.some((one) => one.decline) ? actions.find((one) => one.type === "decline") : found(chosen)) || null,
    panel(chosen, hands) {
      const taken = all(chosen);
      return h("div", { class: "errands works ownscreen" },
        h("p", { class: "hint" }, t("You won by {n}: pull down stones worth {n} at most, topmost first. You keep one, the others go back to the supply.", { n: difference })),
        taken.length ? h("ul", { class: "sent", "aria-label": t("Pulled down") }, FACES[engine].filter((n) => count(chosen, n)).map((n) => h("li", { "data-key": n },
          h("span", { class: "tiles" }, pulled(chosen, n).map((kind) => tile(kind))), h("span", {}, t("wall {n}", { n })),
          button(t("Put back"), () => hands.take(top(chosen, n).key), { class: "quiet", "data-about": "unpull", disabled: hands.busy, "aria-label": t("Put the last stone back on wall {n}", { n }) })))) : null,
        taken.length ? h("p", {}, t("Pulled down: {stones}, worth {n} of {all}.", { stones: stones(Object.fromEntries(KINDS.map((kind) => [kind, taken.filter((one) => one === kind).length]))), n: worth(taken), all: difference })) : null,
        taken.length ? h("div", { class: "options", role: "group", "aria-label": t("Which do you keep?") }, h("span", { class: "soft" }, t("Which do you keep?")), KINDS.filter((kind) => taken.includes(kind)).map((kind) => button([tile(kind), " ", stone(kind)],
          () => hands.only([...without(chosen).filter((one) => !one.keep), { key: `keep ${kind}`, keep: kind, forced: true }]), { "data-about": "kept", "data-key": `keep ${kind}`, "aria-pressed": kept(chosen) === kind ? "true" : "false", disabled: hands.busy }))) : null,
        actions.some((one) => one.type === "decline") ? h("div", { class: "options" }, button(t("Take nothing"), () => hands.only([{ key: "decline", decline: true, label: t("Take nothing") }]), { "data-about": "decline", "data-step": "decline", disabled: hands.busy, "aria-pressed": chosen.some((one) => one.decline) ? "true" : "false" })) : null);
    },
  };
}

/** A stone that is to be pulled down. */
const struck = ({ x, width }, y) => s("path", { class: "cross", d: `M${x + 3},${y + 2}L${x + width - 3},${y + THICK - 2}M${x + width - 3},${y + 2}L${x + 3},${y + THICK - 2}` });

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
