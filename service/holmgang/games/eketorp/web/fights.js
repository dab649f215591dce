/** Fights and sieges: which to begin, what to fight with, and how each went. */

import { button, h } from "../../dom.js";
import { t, together } from "../../i18n.js";
import { endingTold } from "./ending.js";
import { amulets, card, face, means, tiles, viking } from "./tokens.js";
import { AWAY, cardsHeld, costs, describe, ENGINES, exchanged, FACES, here, space, stone, theSpace, tied, wounded } from "./words.js";
import { errand } from "./placement.js";

const pressed = (chosen, key) => (chosen.some((one) => one.key === key) ? "true" : "false");

/** E4.2: a fight on a disputed space, or a siege. On the board the space is chosen first; the buttons say all at once. */
export function initiative(ctx) {
  const { actions } = ctx.legal;
  const whole = (action) => ({ key: `${action.space} ${action.type} ${action.against}`, action, label: describe(action, ctx) });
  const at = (name) => actions.filter((one) => one.space === name);
  const spaces = [...new Set(actions.map((one) => one.space))];
  return {
    toggles: true,
    options: (chosen) => spaces.filter((name) => !chosen.some((one) => one.key === name || (one.action && one.action.space === name))).map((name) => errand(name, ctx)),
    action(chosen) {
      const last = chosen[chosen.length - 1];
      if (!last) return null;
      if (last.action) return last.action;
      return at(last.key).length === 1 ? at(last.key)[0] : null;
    },
    panel(chosen, hands) {
      const last = chosen[chosen.length - 1], picked = last && (last.action ? last.action.space : last.key);
      return h("div", { class: "openings ownscreen" }, endingTold(ctx), means(ctx), h("ul", {}, spaces.map((name) => h("li", { class: name === picked ? "picked" : null },
        h("p", {}, h("b", {}, here(space(name, ctx))), " ", h("span", { class: "tokens" }, standing(name, ctx)), " ", stake(name, ctx)),
        h("div", { class: "options" }, at(name).map((action) => {
          const step = whole(action), on = last && (last.key === step.key || (last.key === name && at(name).length === 1));
          return button(action.type === "besiege" ? t("Besiege the village") : [t("Fight"), " ", viking(action.against), " ", ctx.name(action.against)], () => hands.only([step]),
            { disabled: hands.busy, "data-about": action.type, "data-step": step.key, "aria-pressed": on ? "true" : "false", "aria-label": step.label });
        }))))));
    },
  };
}

/** The Vikings on a space. */
function standing(name, ctx) {
  if (name.includes(":")) return ctx.view.sieges[name].seats.map((seat) => viking(seat));
  return Object.entries(ctx.view.fields[name].vikings).flatMap(([seat, n]) => Array.from({ length: n }, () => viking(Number(seat))));
}

/** What one fights for. */
function stake(name, ctx) {
  if (!name.includes(":")) {
    const lying = tiles(ctx.view.fields[name].stones);
    return h("span", { class: "stake" }, t("for"), " ", lying.length ? h("span", { class: "tiles" }, lying) : t("no stone at all"));
  }
  const [village, engine] = name.split(":");
  const walls = FACES[engine].map((n) => ctx.view.seats[Number(village)].walls[n - 1]);
  const counts = {};
  walls.flat().forEach((kind) => { counts[kind] = (counts[kind] || 0) + 1; });
  return h("span", { class: "stake" }, t("before walls {one} and {two}:", { one: FACES[engine][0], two: FACES[engine][1] }), " ", walls.flat().length ? h("span", { class: "tiles" }, tiles(counts)) : t("nothing stands there"));
}

/** Who fights whom, where, and with what: what is open about both. */
function versus(ctx) {
  const fight = ctx.view.combat;
  if (!fight) return null;
  const side = (seat, role) => {
    const one = ctx.view.seats[seat];
    return h("div", { class: seat === ctx.seat ? "fighter own" : "fighter" }, h("p", {}, viking(seat, "big"), " ", h("b", {}, seat === ctx.seat ? t("You") : ctx.name(seat)), " ", h("span", { class: "soft" }, role)),
      seat === ctx.seat ? null : h("p", { class: "soft" }, cardsHeld(one.hand_size)),
      amulets(one.amulets),
      one.pile.length ? h("p", { class: "pile" }, h("span", { class: "soft" }, seat === ctx.seat ? t("side pile, your next hand") : t("side pile, their next hand")), one.pile.map((value) => card(value, "small", "pile"))) : null);
  };
  return h("div", { class: "versus" }, side(fight.attacker, t("attacker")), side(fight.defender, fight.undefended ? t("nobody is at home: the card counts 0") : t("defender")),
    h("p", { class: "over" }, h("b", {}, here(space(fight.space, ctx))), " ", stake(fight.space, ctx)));
}

function exchangeTold(n, all) {
  if (n > 1) return t("Exchange all {n} cards for {n} of your {all} amulets", { n, all });
  return all > 1 ? t("Exchange your one card for 1 of your {all} amulets", { all }) : t("Exchange your one card for your last amulet");
}

/** E4.3: whether to pay amulets for another hand. */
export function exchange(ctx) {
  const own = ctx.view.seats[ctx.seat];
  const words = (action) => (action.type === "exchange" ? exchangeTold(own.hand_size, own.amulets)
    : action.until ? t("Keep it, and do not ask again this round") : t("Keep this hand"));
  return choices(ctx, (chosen, hands) => [
    versus(ctx),
    h("div", { class: "hand", role: "group", "aria-label": t("Your hand") }, (ctx.view.hand || []).map((value) => card(value))),
    h("div", { class: "options column" }, ctx.legal.actions.map((action) => button(words(action), () => hands.only([step(action, ctx)]), { disabled: hands.busy, "data-about": action.type, "data-step": step(action, ctx).key, "aria-pressed": pressed(chosen, step(action, ctx).key) }))),
    h("p", { class: "hint" }, t("An amulet that you keep is worth 1 point in the end.")),
  ]);
}

const step = (action, ctx) => ({ key: JSON.stringify(action), action, label: describe(action, ctx) });

function choices(ctx, inside) {
  return {
    options: () => [],
    action: (chosen) => (chosen.length ? chosen[chosen.length - 1].action : null),
    from: (action) => [step(action, ctx)],
    panel: (chosen, hands) => h("div", { class: "battle ownscreen" }, inside(chosen, hands)),
  };
}

/** E4.4: one card of the hand, in secret. */
export function cards(ctx) {
  const fight = ctx.view.combat;
  const siege = fight && fight.kind === "siege";
  const defends = fight && fight.defender === ctx.seat;
  const risk = fight && fight.undefended ? (defends ? t("Nobody of yours is there to be hurt: your card counts 0, and goes to the besieger.") : t("The village's card counts 0: your card is what you may loot. Nobody is hurt."))
    : siege && defends ? t("The higher card wins. Lose by 3 or more and your Viking misses a round; by less, or with equal cards, it is back for the next.")
      : t("The higher card wins. Lose by 3 or more and your Viking misses two rounds, by 1 or 2 one round; with equal cards both are back for the next.");
  return choices(ctx, (chosen, hands) => [
    versus(ctx),
    h("div", { class: "hand options", role: "group", "aria-label": t("Your hand") }, (ctx.view.hand || []).map((value, n) => {
      const made = step({ type: "play", card: value }, ctx);
      const first = ctx.view.hand.indexOf(value) === n;
      return button(face(value), () => hands.only([made]), { class: "playing", "data-about": "card", "data-card": value, "data-step": first ? made.key : null, disabled: hands.busy, "aria-pressed": first ? pressed(chosen, made.key) : "false", "aria-label": t("Play card {n}", { n: value }) });
    })),
    h("p", { class: "hint" }, risk),
    h("p", { class: "hint" }, t("You get the other's card on your side pile, and the other gets yours.")),
  ]);
}

/** Who chooses a card, with the rule: whoever has one only must play it (C3). */
function choosing({ attacker, defender, cards_forced: bound = [] }, { name }) {
  if (!bound.length) return ["E4.4", t("Both choose their cards in secret.")];
  if (bound.length > 1) return ["C3", t("Both have one card only, and play it.")];
  const [one, other] = bound[0] === attacker ? [attacker, defender] : [defender, attacker];
  return ["C3", `${t("{name} has one card only, and plays it.", { name: name(one) })} ${t("{name} chooses in secret.", { name: name(other) })}`];
}

/** A combat as it was, step by step, with a picture of how it stands after each. Each card stays with whoever played it. */
export function combat(record, ctx) {
  const { attacker, defender, undefended, difference: n } = record;
  const siege = record.kind === "siege";
  const one = ctx.name(attacker), other = ctx.name(defender);
  const now = { spent: {}, cards: null, open: false, result: false, wounded: [], swapped: false };
  const steps = [];
  const say = (rule, words, change = {}) => {
    Object.assign(now, change);
    const then = { ...now };
    steps.push({ rule, words, scene: () => scene(record, then, ctx) });
  };
  say(siege ? "E4.7" : "E4.2", siege ? t("{name} besieges {victim} from the {where}.", { name: one, victim: other, where: space(record.space, ctx) })
    : t("{name} fights {victim} for {where}.", { name: one, victim: other, where: theSpace(record.space, ctx) }));
  if (undefended) say("E4.7.3", t("Nobody defends the village: its card will count 0."));
  for (const [side, seat] of [["attacker", attacker], ["defender", defender]]) {
    const m = record.amulets[side];
    if (m) say("E4.3", m === 1 ? t("{name} pays 1 amulet for a new hand.", { name: ctx.name(seat) }) : t("{name} pays {n} amulets for a new hand.", { name: ctx.name(seat), n: m }), { spent: { ...now.spent, [seat]: m } });
  }
  if (!record.cards) say("E4.4", t("The cards are not chosen yet."));
  else {
    const { attacker: first, defender: second } = record.cards, told = { one, other, first, second };
    say(...choosing(record, ctx), { cards: [null, null] });
    say("E4.4", undefended ? t("{one} plays card {first}, {other} card {second}. Nobody defends, so that counts 0.", told) : t("{one} plays card {first}, {other} card {second}.", told), { cards: [first, second], open: true });
    if (tied(record)) say(siege ? "E4.7.4" : "E4.5", t("{first} against {second} is a tie: nobody wins.", told), { result: true });
    else {
      const [high, low] = [first, undefended ? 0 : second].sort((a, b) => b - a);
      say(undefended ? "E4.7.3" : "E4.4", t("{name} wins by {n}: {high} against {low}.", { name: ctx.name(record.winner), n, high, low }), { result: true });
    }
    if (undefended) say("E4.7.3", t("Nobody goes to hospital, since nobody defended."));
    for (const hurt of record.wounded) {
      const { why, rule } = costs({ tie: tied(record), siege: record.kind === "siege", defended: hurt.seat === defender });
      say(rule, `${wounded(hurt.station, ctx.name(hurt.seat))} ${why}`, { wounded: [...now.wounded, hurt] });
    }
    say("E4.6", exchanged(told), { swapped: true });
    if (record.loot) {
      const taken = Object.entries(record.loot.walls || {}).map(([wall, kinds]) => t("{stones} off wall {n}", { stones: together(kinds.map(stone)), n: wall }));
      say("E4.7.5", taken.length ? t("{name} pulls down {stones} and keeps {stone}.", { name: one, stones: together(taken), stone: stone(record.loot.kept) }) : t("{name} takes no loot: only stones worth {n} at most could be pulled down, from the top.", { name: one, n }));
    }
  }
  return { title: siege ? t("Siege {n}: {name} against {victim}", { n: record.number, name: one, victim: other })
    : t("Fight {n}: {name} against {victim}", { n: record.number, name: one, victim: other }), steps };
}

/** Who played what, who won and who is hurt; below it, once they change owners, which card goes to whom. */
function scene(record, now, ctx) {
  const called = (seat) => (seat === ctx.seat ? t("You") : ctx.name(seat));
  const verdict = (seat) => (tied(record) ? t("a tie") : record.winner === seat ? t("wins by {n}", { n: record.difference }) : t("loses by {n}", { n: record.difference }));
  const side = (seat, n) => h("div", { class: now.result && record.winner === seat ? "fighter won" : "fighter" },
    h("span", { class: "whose" }, viking(seat), h("b", {}, called(seat))),
    h("span", { class: "playingplace" }, now.cards ? card(now.cards[n]) : null),
    now.cards && (record.cards_forced || []).includes(seat) ? h("span", { class: "soft" }, t("the only card")) : null,
    now.open && n && record.undefended ? h("span", { class: "soft" }, t("counts 0")) : null,
    now.result ? h("span", { class: "verdict" }, verdict(seat)) : null,
    now.spent[seat] ? h("span", { class: "spent" }, h("span", { class: "soft" }, t("paid")), amulets(now.spent[seat])) : null);
  const goes = (n, seat) => h("li", {}, card(now.cards[n], "small"), h("span", {}, t("goes to {name}", { name: ctx.name(seat) })), viking(seat));
  return h("div", { class: "scene" },
    h("div", { class: "arena" }, side(record.attacker, 0),
      h("div", { class: "between" }, h("span", { class: "soft" }, record.space.includes(":") ? ENGINES[record.space.split(":")[1]]() : here(space(record.space, ctx))),
        h("b", {}, now.open ? `${record.cards.attacker} : ${record.undefended ? 0 : record.cards.defender}` : ":")),
      side(record.defender, 1)),
    now.wounded.length ? h("ul", { class: "stations", "aria-label": t("Hospital") }, now.wounded.map(({ seat, station }) => h("li", {}, viking(seat), h("span", {}, t("in hospital: {away}", { away: AWAY[station]() }))))) : null,
    now.swapped ? h("div", { class: "swapped" }, h("p", { class: "soft" }, t("Afterwards the cards change owners:")), h("ul", {}, goes(0, record.defender), goes(1, record.attacker))) : null);
}

/** A combat as these events tell it: what had not happened yet is taken away. */
export function asOf(record, events) {
  const told = events.map((one) => one.payload).filter((one) => one.combat === record.number).map((one) => one.type);
  if (!told.includes("cards_revealed")) return { ...record, status: "open", cards: null, difference: null, winner: null, wounded: [], loot: null };
  if (record.loot && !told.some((type) => type.startsWith("loot_"))) return { ...record, status: "open", loot: null };
  return record;
}
