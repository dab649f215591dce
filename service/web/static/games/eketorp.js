/** Eketorp: errands are given in secret on a screen of their own; everything else is few choices. */

import { listed } from "../chooser.js";
import { button, h } from "../dom.js";
import { t, together } from "../i18n.js";

const FIELDS = ["A", "B", "C", "D", "E", "F", "G"];
const WORTH = { grass: 1, wood: 2, clay: 3, stone: 4 };

const STONES = { grass: (n) => t("{n} grass", { n }), wood: (n) => t("{n} wood", { n }), clay: (n) => t("{n} clay", { n }), stone: (n) => t("{n} stone", { n }) };
const stones = (counts) => together(Object.entries(counts).filter(([, n]) => n).map(([kind, n]) => STONES[kind](n))) || t("nothing");
const ENGINES = { catapult: () => t("catapult"), boat: () => t("boat"), ram: () => t("ram") };
const stone = (kind) => ({ grass: t("grass"), wood: t("wood"), clay: t("clay"), stone: t("stone") }[kind]);

function space(name, ctx) {
  if (!name.includes(":")) return t("field {name}", { name });
  const [village, engine] = name.split(":");
  return t("{engine} at the village of {name}", { engine: ENGINES[engine](), name: ctx.name(Number(village)) });
}

/** The same within a sentence. */
const theSpace = (name, ctx) => (name.includes(":") ? t("the {where}", { where: space(name, ctx) }) : space(name, ctx));

const errand = (name, ctx) => ({ key: name, label: space(name, ctx), place: name });

/** E3.2: any number to each field, one at most to each siege space of others; the rest defend. */
function placement(ctx) {
  const home = ctx.view.seats[ctx.seat].home;
  const sieges = Object.keys(ctx.view.sieges).filter((name) => Number(name.split(":")[0]) !== ctx.seat && Number(name.split(":")[0]) < ctx.view.players);
  const count = (chosen, name) => chosen.filter((one) => one.key === name).length;
  return {
    toggles: true,
    options: (chosen) => (chosen.length >= home ? [] : [...FIELDS, ...sieges.filter((name) => !count(chosen, name))].map((name) => errand(name, ctx))),
    action: (chosen) => ({
      type: "place",
      fields: Object.fromEntries(FIELDS.filter((name) => count(chosen, name)).map((name) => [name, count(chosen, name)])),
      sieges: sieges.filter((name) => count(chosen, name)),
    }),
    panel(chosen, hands) {
      const left = home - chosen.length;
      const villages = ctx.view.seats.filter((one) => one.seat !== ctx.seat);
      const lying = (name) => stones(ctx.view.fields[name].stones);
      return h("div", { class: "errands" },
        h("p", { class: "left" }, left === 1 ? t("1 Viking stays at home and defends.") : t("{n} Vikings stay at home and defend.", { n: left })),
        h("ul", { class: "fields" }, FIELDS.map((name) => h("li", {},
          h("span", { class: "where" }, h("b", {}, name), " ", h("span", { class: "soft" }, lying(name))),
          h("span", { class: "count" },
            button("−", () => hands.take(name), { "aria-label": t("One Viking fewer to field {name}", { name }), disabled: !count(chosen, name) }),
            h("output", {}, String(count(chosen, name))),
            button("+", () => hands.choose(errand(name, ctx)), { "aria-label": t("One Viking more to field {name}", { name }), disabled: !left }))))),
        h("ul", { class: "villages" }, villages.map((one) => h("li", {},
          h("span", { class: "where" }, ctx.name(one.seat)),
          h("span", { class: "engines" }, Object.keys(ENGINES).map((engine) => {
            const name = `${one.seat}:${engine}`, on = count(chosen, name) > 0;
            return button(ENGINES[engine](), () => (on ? hands.take(name) : hands.choose(errand(name, ctx))),
              { "aria-pressed": on ? "true" : "false", disabled: !on && !left, "aria-label": space(name, ctx) });
          }))))),
        h("p", { class: "hint" }, t("All others see only that you have chosen, until the last one has.")));
    },
  };
}

/** E5.3: new stones one after another, each on a wall with room, until all that fit are built. */
function building(ctx) {
  const own = ctx.view.seats[ctx.seat];
  const room = own.walls.map((wall) => 3 - wall.length);
  const total = Object.values(own.carried).reduce((sum, n) => sum + n, 0);
  const must = Math.min(total, room.reduce((sum, n) => sum + n, 0));
  const laid = (chosen) => chosen.filter((one) => one.wall).map((one, n) => ({ stone: chosen.filter((other) => other.stone)[n].stone, wall: one.wall }));
  return {
    options(chosen) {
      const done = laid(chosen);
      const held = chosen.filter((one) => one.stone).length > done.length;
      if (held) {
        return room.map((free, n) => ({ free: free - done.filter((one) => one.wall === n + 1).length, wall: n + 1 })).filter((one) => one.free > 0)
          .map(({ wall }) => ({ key: `wall ${wall} ${chosen.length}`, wall, label: t("on wall {n}", { n: wall }), place: `wall ${ctx.seat} ${wall}` }));
      }
      if (done.length >= must) return [];
      return Object.keys(WORTH).filter((kind) => (own.carried[kind] || 0) > done.filter((one) => one.stone === kind).length)
        .map((kind) => ({ key: `${kind} ${chosen.length}`, stone: kind, label: stone(kind) }));
    },
    action: (chosen) => (laid(chosen).length === must ? { type: "build", stones: laid(chosen) } : null),
  };
}

function stepsOf(action, ctx) {
  switch (action.type) {
    case "fight": return [errand(action.space, ctx), { key: `against ${action.against}`, label: t("against {name}", { name: ctx.name(action.against) }) }];
    case "besiege": return [errand(action.space, ctx), { key: "besiege", label: t("besiege the village") }];
    case "exchange": return [{ key: "exchange", label: t("Exchange the whole hand, for an amulet a card") }];
    case "stand": return [action.until ? { key: "round", label: t("Keep it, for the whole round") } : { key: "stand", label: t("Keep the hand") }];
    case "play": return [{ key: `card ${action.card}`, label: t("Card {n}", { n: action.card }) }];
    case "loot": return [{ key: JSON.stringify(action), label: describe(action, ctx) }];
    case "decline": return [{ key: "decline", label: t("Take nothing") }];
    default: return [{ key: action.stone, label: stone(action.stone) }];
  }
}

function describe(action, ctx) {
  switch (action.type) {
    case "place": {
      const sent = [...Object.entries(action.fields).map(([name, n]) => t("{n} to {where}", { n, where: space(name, ctx) })), ...action.sieges.map((name) => t("1 to the {where}", { where: space(name, ctx) }))];
      return sent.length ? t("Send {errands}", { errands: together(sent) }) : t("Keep everybody at home");
    }
    case "fight": return t("Fight {name} for {where}", { name: ctx.name(action.against), where: theSpace(action.space, ctx) });
    case "besiege": return t("Besiege from the {where}", { where: space(action.space, ctx) });
    case "exchange": return t("Exchange the whole hand, for an amulet a card");
    case "stand": return action.until ? t("Keep the hand, for the whole round") : t("Keep the hand");
    case "play": return t("Play card {n}", { n: action.card });
    case "loot": return t("Take {walls}; keep {stone}", {
      walls: together(Object.entries(action.walls).map(([wall, n]) => t("{n} off wall {wall}", { n, wall }))), stone: stone(action.kept) });
    case "decline": return t("Take nothing");
    case "take": return t("Take {stone} from field {name}", { stone: stone(action.stone), name: action.space });
    default: return t("Build {stones}", { stones: together(action.stones.map((one) => t("{stone} on wall {n}", { stone: stone(one.stone), n: one.wall }))) });
  }
}

const asks = {
  placement: () => t("Give your Vikings their errands, in secret."),
  initiative: (ctx, chosen) => (chosen.length ? t("Against whom?") : t("Choose the fight that you begin.")),
  amulets: (ctx) => t("A fight with {name}: will you exchange your hand first?", { name: rival(ctx) }),
  battle_card: (ctx) => t("A fight with {name}: choose your card in secret. The higher wins.", { name: rival(ctx) }),
  loot: () => t("Your siege is won: what do you take?"),
  spoils: (ctx) => t("Which stone do you take from field {name}?", { name: ctx.view.spoils.field }),
  building: (ctx, chosen) => (chosen.length && chosen[chosen.length - 1].stone ? t("On which wall?") : t("Build your new stones, in secret: which one next?")),
};

function rival(ctx) {
  const fight = ctx.view.combat;
  return fight ? ctx.name(fight.attacker === ctx.seat ? fight.defender : fight.attacker) : "";
}

function compose(ctx) {
  if (ctx.kind === "placement") return placement(ctx);
  if (ctx.kind === "building") return building(ctx);
  const actions = ctx.legal && ctx.legal.actions ? ctx.legal.actions
    : [...new Set(ctx.view.hand)].sort((a, b) => a - b).map((card) => ({ type: "play", card }));
  return listed(actions, (action) => stepsOf(action, ctx));
}

const ended = (reason) => ({ walls_complete: t("a ring of 18 stones stands"), tenth_round: t("the tenth round was the last"), last_seat: t("only one was left") }[reason] || reason);
const station = (name) => ({ 345: t("station 345"), 12: t("station 12"), 0: t("station 0") }[name]);

const tellers = {
  hand_dealt: (e, n) => (e.cards ? t("{name} is dealt {cards}.", { name: n(e.seat), cards: together(e.cards) }) : null),
  low_hand_shown: (e, n) => t("{name} shows a feeble hand and is dealt another.", { name: n(e.seat) }),
  first_player_chosen: (e, n) => t("{name} is first player.", { name: n(e.seat) }),
  round_started: (e, n) => t("Round {n} begins. First player: {name}.", { n: e.round, name: n(e.first) }),
  material_revealed: (e) => t("New stones: {what}.", { what: Object.entries(e.stones).map(([field, found]) => t("{field} {stones}", { field, stones: stones(found) })).join("; ") || t("nothing") }),
  vikings_placed(e, n, ctx) {
    const sent = [...Object.entries(e.fields).map(([name, m]) => t("{n} to {where}", { n: m, where: space(name, ctx) })), ...e.sieges.map((name) => t("1 to the {where}", { where: space(name, ctx) }))];
    return t("{name} sends {errands}; {n} at home.", { name: n(e.seat), errands: together(sent) || t("nobody"), n: e.home });
  },
  fight_started: (e, n, ctx) => t("{name} fights {victim} for {where}.", { name: n(e.attacker), victim: n(e.defender), where: theSpace(e.space, ctx) }),
  siege_started: (e, n, ctx) => t("{name} besieges {victim} from the {where}.", { name: n(e.attacker), victim: n(e.defender), where: space(e.space, ctx) }),
  hand_exchanged: (e, n) => t("{name} pays {count} amulets and exchanges the hand.", { name: n(e.seat), count: e.count }),
  stood: () => null,
  cards_revealed: (e, n) => (e.winner === null || e.winner === undefined ? t("{one} and {other} both show {card}: a tie.", { one: n(e.attacker), other: n(e.defender), card: e.attacker_card })
    : t("{one} shows {first}, {other} {second}: {name} wins by {n}.", { one: n(e.attacker), first: e.attacker_card, other: n(e.defender), second: e.undefended ? 0 : e.defender_card, name: n(e.winner), n: e.difference })),
  viking_wounded: (e, n) => t("A Viking of {name} goes to hospital, {station}.", { name: n(e.seat), station: station(e.station) }),
  hand_refilled: (e, n) => t("{name} takes up the pile: {cards}.", { name: n(e.seat), cards: together(e.cards) }),
  siege_lapsed: (e, n, ctx) => t("Nobody is left at the {where}.", { where: space(e.space, ctx) }),
  loot_taken: (e, n) => t("{name} loots {victim} and keeps {stone}.", { name: n(e.seat), victim: n(e.village), stone: stone(e.kept) }),
  loot_declined: (e, n) => t("{name} takes no loot.", { name: n(e.seat) }),
  stone_taken: (e, n) => t("{name} takes {stones} from field {field}.", { name: n(e.seat), stones: STONES[e.stone](e.count), field: e.space }),
  vikings_returned: () => t("The Vikings go home."),
  walls_built: (e, n) => t("{name} builds {stones}.", { name: n(e.seat), stones: together(e.stones.map(([kind, wall]) => t("{stone} on wall {n}", { stone: stone(kind), n: wall }))) || t("nothing") }),
  hospital_moved: () => t("The wounded walk on."),
  fields_cleared: (e) => t("{stones} go back to the supply.", { stones: stones(e.stones) }),
  seat_resigned: (e, n) => t("{name} gives up.", { name: n(e.seat) }),
  game_ended: (e, n) => t("The game ends: {why}. {winners} won.", { why: ended(e.reason), winners: together(e.ranking[0].map(n)) }),
};

export default {
  ruleset: "eketorp",
  title: "Eketorp",
  get blurb() { return t("Send your Vikings out in secret, fight with cards that change hands, and build the dearest ring wall."); },
  seats: [3, 4, 5, 6],
  quick: 4,
  places: [
    { selector: "g.space", id: (element) => element.dataset.at, label: (element, ctx) => space(element.dataset.at, ctx) },
    { selector: "g.siege", id: (element) => element.dataset.at, label: (element, ctx) => space(element.dataset.at, ctx) },
    { selector: "g.wall", id: (element) => `wall ${element.dataset.seat} ${element.dataset.wall}`, label: (element) => t("wall {n}", { n: element.dataset.wall }) },
  ],
  ask: (ctx, chosen) => (asks[ctx.kind] || (() => ""))(ctx, chosen),
  compose,
  describe,
  tell: (event, ctx) => (tellers[event.type] ? tellers[event.type](event, ctx.name, ctx) : null),
  marks: (event) => (typeof event.space === "string" ? [event.space] : []),
  combat(record, ctx) {
    const { attacker, defender } = record;
    const siege = record.kind === "siege";
    const steps = [{ words: siege ? t("{name} besieges {victim} from the {where}.", { name: ctx.name(attacker), victim: ctx.name(defender), where: space(record.space, ctx) })
      : t("{name} fights {victim} for {where}.", { name: ctx.name(attacker), victim: ctx.name(defender), where: theSpace(record.space, ctx) }) }];
    if (record.undefended) steps.push({ words: t("Nobody defends the village: its card will count 0.") });
    for (const [side, seat] of [["attacker", attacker], ["defender", defender]]) {
      if (record.amulets[side]) steps.push({ words: t("{name} pays {n} amulets for a new hand.", { name: ctx.name(seat), n: record.amulets[side] }) });
    }
    steps.push({ words: t("Both choose their cards in secret."), cards: [{ seat: attacker, card: null }, { seat: defender, card: null }] });
    if (record.cards) {
      const cards = [{ seat: attacker, card: record.cards.attacker }, { seat: defender, card: record.cards.defender }];
      const tie = record.winner === null || record.winner === undefined;
      steps.push({ words: tie ? t("A tie.") : t("{name} wins by {n}.", { name: ctx.name(record.winner), n: record.difference }), cards });
      for (const one of record.wounded) steps.push({ words: t("A Viking of {name} goes to hospital, {station}.", { name: ctx.name(one.seat), station: station(one.station) }) });
      if (!record.undefended || record.cards) steps.push({ words: t("The cards change owners.") });
      if (record.loot) {
        const taken = Object.entries(record.loot.walls).map(([wall, kinds]) => t("{stones} off wall {n}", { stones: together(kinds.map(stone)), n: wall }));
        steps.push({ words: taken.length ? t("{name} pulls down {stones} and keeps {stone}.", { name: ctx.name(attacker), stones: together(taken), stone: stone(record.loot.kept) }) : t("{name} takes no loot.", { name: ctx.name(attacker) }) });
      }
    }
    return { title: siege ? t("Siege {n}: {name} against {victim}", { n: record.number, name: ctx.name(attacker), victim: ctx.name(defender) })
      : t("Fight {n}: {name} against {victim}", { n: record.number, name: ctx.name(attacker), victim: ctx.name(defender) }), steps };
  },
  reason: ended,
};
