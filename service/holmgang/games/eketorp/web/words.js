/** The words of Eketorp: stones, spaces, actions and events in sentences. All pieces are stones, so that the dearest kind is told with its colour. */

import { t, together } from "../../i18n.js";

export const FIELDS = ["A", "B", "C", "D", "E", "F", "G"];
export const KINDS = ["grass", "wood", "clay", "stone"];
export const WORTH = { grass: 1, wood: 2, clay: 3, stone: 4 };
export const FACES = { catapult: [1, 2], boat: [3, 4], ram: [5, 6] };
/** The walls that a siege from there threatens. */

const STONES = { grass: (n) => t("{n} grass", { n }), wood: (n) => t("{n} wood", { n }), clay: (n) => t("{n} clay", { n }), stone: (n) => (n === 1 ? t("1 grey stone") : t("{n} grey stones", { n })) };
export const stones = (counts) => together(Object.entries(counts).filter(([, n]) => n).map(([kind, n]) => STONES[kind](n))) || t("nothing");
export const ENGINES = { catapult: () => t("catapult"), boat: () => t("boat"), ram: () => t("ram") };
export const stone = (kind) => ({ grass: t("grass"), wood: t("wood"), clay: t("clay"), stone: t("grey stone") }[kind]);
/** The first letter of a kind's name, without its colour. */
export const letter = (kind) => (kind === "stone" ? t("stone") : stone(kind))[0];

export const cardsHeld = (n) => (n === 1 ? t("1 card in hand") : t("{n} cards in hand", { n }));

export function space(name, ctx) {
  if (!name.includes(":")) return t("field {name}", { name });
  const [village, engine] = name.split(":");
  return t("{engine} at the village of {name}", { engine: ENGINES[engine](), name: ctx.name(Number(village)) });
}

/** At the beginning of a sentence. */
export const here = (text) => text[0].toUpperCase() + text.slice(1);

/** The same within a sentence. */
export const theSpace = (name, ctx) => (name.includes(":") ? t("the {where}", { where: space(name, ctx) }) : space(name, ctx));

const onWall = (kind, n) => t("{stone} on wall {n}", { stone: stone(kind), n });
const offWall = (n, wall) => t("{n} off wall {wall}", { n, wall });

export function describe(action, ctx) {
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
      walls: together(Object.entries(action.walls).map(([wall, n]) => offWall(n, wall))), stone: stone(action.kept) });
    case "decline": return t("Take nothing");
    case "take": return t("Take {stone} from field {name}", { stone: stone(action.stone), name: action.space });
    default: return t("Build {stones}", { stones: together(action.stones.map((one) => onWall(one.stone, one.wall))) });
  }
}

export const ended = (reason) => ({ walls_complete: t("a ring of 18 stones stands"), tenth_round: t("the tenth round was the last"), last_seat: t("only one was left") }[reason] || reason);
/** How long whoever lies on a station of the hospital is away. */
export const AWAY = { 345: () => t("misses two rounds"), 12: () => t("misses one round"), 0: () => t("back for the next round") };
const WOUNDED = {
  345: (name) => t("A Viking of {name} goes to hospital and misses two rounds.", { name }),
  12: (name) => t("A Viking of {name} goes to hospital and misses one round.", { name }),
  0: (name) => t("A Viking of {name} goes to hospital and is back for the next round.", { name }),
};
export const wounded = (station, name) => WOUNDED[station](name);

/** Why a Viking is away for so long, with the rule. */
export function costs({ tie, siege, defended }) {
  if (tie) return { why: t("After a tie both do."), rule: siege ? "E4.7.4" : "E4.5" };
  return siege && defended ? { why: t("Losing by 3 or more costs a defender one round, by less none."), rule: "E4.7.2" } : { why: t("Losing by 3 or more costs two rounds, by less one."), rule: "E4.5" };
}

/** Whether nobody won a fight. */
export const tied = ({ winner }) => winner === null || winner === undefined;

/** E4.6: which card goes to whom after a fight. */
export const exchanged = (told) => t("Then the cards change owners: {one} gets the {second}, {other} the {first}.", told);

const tellers = {
  hand_dealt: (e, n) => (e.cards ? t("{name} is dealt {cards}.", { name: n(e.seat), cards: together(e.cards) }) : null),
  low_hand_shown: (e, n) => t("{name} shows a feeble hand and is dealt another.", { name: n(e.seat) }),
  first_player_chosen: (e, n) => t("{name} is first player.", { name: n(e.seat) }),
  round_started: (e, n) => t("Round {n} begins. First player: {name}.", { n: e.round, name: n(e.first) }),
  material_revealed: (e) => t("New stones: {what}.", { what: Object.entries(e.stones).map(([field, found]) => `${field} ${stones(found)}`).join("; ") || t("nothing") }),
  vikings_placed(e, n, ctx) {
    const sent = [...Object.entries(e.fields).map(([name, m]) => t("{n} to {where}", { n: m, where: space(name, ctx) })), ...e.sieges.map((name) => t("1 to the {where}", { where: space(name, ctx) }))];
    const errands = together(sent) || t("nobody");
    return t("{name} sends {errands}; {n} at home.", { name: n(e.seat), errands, n: e.home });
  },
  fight_started: (e, n, ctx) => t("{name} fights {victim} for {where}.", { name: n(e.attacker), victim: n(e.defender), where: theSpace(e.space, ctx) }),
  siege_started: (e, n, ctx) => t("{name} besieges {victim} from the {where}.", { name: n(e.attacker), victim: n(e.defender), where: space(e.space, ctx) }),
  hand_exchanged: (e, n) => (e.count === 1 ? t("{name} pays 1 amulet and exchanges the hand.", { name: n(e.seat) })
    : t("{name} pays {count} amulets and exchanges the hand.", { name: n(e.seat), count: e.count })),
  stood: () => null,
  cards_revealed(e, n) {
    const told = { one: n(e.attacker), first: e.attacker_card, other: n(e.defender), second: e.defender_card, n: e.difference };
    const result = tied(e) ? t("{one} and {other} both play card {first}: a tie.", told)
      : e.undefended ? t("{one} plays card {first}, {other} card {second}, which counts 0 since nobody defends: {one} wins by {n}.", told)
        : t("{one} plays card {first}, {other} card {second}: {name} wins by {n}.", { ...told, name: n(e.winner) });
    const bound = (e.forced || []).map((seat) => t("{name} had no other card.", { name: n(seat) }));
    return [result, ...bound, exchanged(told)].join(" ");
  },
  viking_wounded: (e, n) => wounded(e.station, n(e.seat)),
  hand_refilled: (e, n) => t("{name} takes up the side pile: {cards}.", { name: n(e.seat), cards: together(e.cards) }),
  siege_lapsed: (e, n, ctx) => t("Nobody is left at the {where}.", { where: space(e.space, ctx) }),
  loot_taken: (e, n) => t("{name} loots {victim} and keeps {stone}.", { name: n(e.seat), victim: n(e.village), stone: stone(e.kept) }),
  loot_declined: (e, n) => (e.forced ? t("{name} takes no loot: the top stone of either wall is worth more than the difference, or nothing stands there.", { name: n(e.seat) }) : t("{name} takes no loot.", { name: n(e.seat) })),
  stone_taken: (e, n) => t("{name} takes {stones} from field {field}.", { name: n(e.seat), stones: STONES[e.stone](e.count), field: e.space }),
  vikings_returned: () => t("The Vikings go home."),
  walls_built: (e, n) => t("{name} builds {stones}.", { name: n(e.seat), stones: together(e.stones.map(([kind, wall]) => onWall(kind, wall))) || t("nothing") }),
  hospital_moved: () => t("The wounded walk on."),
  fields_cleared: (e) => t("{stones} go back to the supply.", { stones: stones(e.stones) }),
  seat_resigned: (e, n) => t("{name} gives up.", { name: n(e.seat) }),
  game_ended: (e, n) => t("The game ends: {why}. {winners} won.", { why: ended(e.reason), winners: together(e.ranking[0].map(n)) }),
};

/** An event's payload in a sentence; null for what is not worth one. */
export const tell = (event, ctx) => (tellers[event.type] ? tellers[event.type](event, ctx.name, ctx) : null);
