/** Eketorp: errands are given in secret on a screen of their own; stones are laid and looted wall by wall; fights show both sides. */

import { t, together } from "../../i18n.js";
import { building, looting, spoils } from "./building.js";
import { COMPLETE, ending } from "./ending.js";
import { explain, rules } from "./explain.js";
import { asOf, cards, combat, exchange, initiative } from "./fights.js";
import { plays } from "./flights.js";
import { placement } from "./placement.js";
import { describe, ended, KINDS, space, stones, tell, WORTH } from "./words.js";

const asks = {
  placement: () => t("Give your Vikings their errands, in secret."),
  initiative: (ctx, chosen) => (chosen.length && !chosen[chosen.length - 1].action ? t("Against whom?") : t("Choose the fight that you begin.")),
  amulets: (ctx) => [affair(ctx), t("Will you exchange your hand first?")].join(" "),
  battle_card: (ctx) => [affair(ctx), t("Choose your card, in secret.")].join(" "),
  loot: () => t("Your siege is won: what do you take?"),
  spoils: (ctx) => t("Which stone do you take from field {name}?", { name: ctx.view.spoils.field }),
  building: (ctx) => (Object.keys(ctx.view.seats[ctx.seat].carried).length > 1 ? t("Build your new stones, in secret: choose a stone, then its wall.") : t("Build your new stones, in secret: choose their walls.")),
};

/** The fight that one is in. */
function affair(ctx) {
  const fight = ctx.view.combat;
  if (!fight) return "";
  const attacks = fight.attacker === ctx.seat, name = ctx.name(attacks ? fight.defender : fight.attacker);
  if (fight.kind === "siege") return attacks ? t("You besiege {name}.", { name }) : t("{name} besieges you.", { name });
  return attacks ? t("You attack {name}.", { name }) : t("{name} attacks you.", { name });
}

const fights = () => t("fights and sieges");
const phases = {
  placement: () => t("the Vikings get their errands"), initiative: fights, amulets: fights, battle_card: fights, loot: fights,
  spoils: () => t("stones are brought home"), building: () => t("walls are built"),
};

/** What stands in the picture's heading, for people. */
function standing(ctx) {
  const { view } = ctx;
  const phase = phases[view.phase];
  const said = [phase ? t("Round {n} of 10: {phase}.", { n: view.round, phase: phase() }) : t("Round {n} of 10.", { n: view.round })];
  if (view.first !== null) said.push(view.first === ctx.seat ? t("You are first player.") : t("{name} is first player.", { name: ctx.name(view.first) }));
  return [said.join(" "), ...ending(ctx)];
}

const points = (n) => (n === 1 ? t("1 point") : t("{n} points", { n }));

const BONUS = 5;
const worth = (counts) => Object.entries(counts).reduce((sum, [kind, n]) => sum + n * WORTH[kind], 0);
const number = (counts) => Object.values(counts).reduce((sum, n) => sum + n, 0);

/** E7: what a score is made of: `{standing, aside, complete, amulets}`, of which the first two are stones by kind. */
function parts(view, seat) {
  const { walls, aside, amulets } = view.seats[seat], all = walls.flat();
  const standing = Object.fromEntries(KINDS.map((kind) => [kind, all.filter((one) => one === kind).length]));
  return { standing, aside, complete: number(standing) + number(aside) >= COMPLETE, amulets };
}

/** Each part of a score, with its rule. */
function tally(view, seat) {
  const { standing, aside, complete, amulets } = parts(view, seat);
  return [[t("{stones} on the walls:", { stones: stones(standing) }), worth(standing), "E7"],
    ...(number(aside) ? [[t("{stones} beside the full walls:", { stones: stones(aside) }), worth(aside), "E7"]] : []),
    ...(complete ? [[t("18 stones or more:"), BONUS, "E7"]] : []), [t("amulets left:"), amulets, "E7"]];
}

/** The same in a few words. */
function partsTold(view, seat) {
  const { standing, aside, complete, amulets } = parts(view, seat);
  return together([t("{n} for stones", { n: worth(standing) + worth(aside) }), ...(complete ? [t("{n} for having 18 of them", { n: BONUS })] : []), t("{n} for amulets", { n: amulets })]);
}

const RULES = { walls_complete: "E6.1", tenth_round: "E6.1", last_seat: "C7" };

/** Why the winners won (E7). */
function won({ winners, scores, reason }, { view, name }) {
  if (reason === "last_seat") return { rule: RULES[reason], words: t("All others had given up.") };
  const names = together(winners.map(name)), n = scores[winners[0]];
  if (winners.length > 1) return { rule: "E7", words: t("{names} have the same number of points, {n}, and share the win.", { names, n }) };
  const [first] = winners, next = view.seats.filter((one) => one.seat !== first && !one.resigned).sort((one, other) => scores[other.seat] - scores[one.seat])[0];
  return { rule: "E7", words: t("{names} has the most points, {n}: {parts}. Next is {other}, with {m}: {others}.", { names, n, parts: partsTold(view, first), other: name(next.seat), m: scores[next.seat], others: partsTold(view, next.seat) }) };
}

const composers = { placement, building, initiative, amulets: exchange, battle_card: cards, loot: looting, spoils };

export default {
  headless: true,
  told: false,
  get gist() {
    return [
      t("After ten rounds, or when a ring of 18 stones stands, the dearest stones win, with 1 point for each amulet kept and 5 for having 18 stones."),
      t("Each round new stones come to the fields, and all send out their Vikings in secret: to fields, before others' villages, or to stay and defend."),
      t("Where Vikings of several clans want more stones than there are, they fight, one against one. Who is alone before a village besieges it."),
      t("Both play a card, and the higher wins. Who loses by 3 or more is in hospital for two rounds, by 1 or 2 for one; equal cards send both out of this round."),
      t("Then the cards change owners. They lie open on your side pile until your hand is empty: then they are your next hand. What you play today comes back at you."),
      t("Before the cards, amulets buy you a whole new hand, at one for each card."),
      t("Who wins a siege pulls down stones worth no more than the difference, from the top of the two walls in front of them, and keeps one."),
      t("The stones that came home are built on six walls, three stones high."),
    ];
  },
  places: [
    { selector: "g.space", id: (element) => element.dataset.at, label: (element, ctx) => space(element.dataset.at, ctx) },
    { selector: "g.siege", id: (element) => element.dataset.at, label: (element, ctx) => space(element.dataset.at, ctx) },
    { selector: "g.wall", id: (element) => `wall ${element.dataset.seat} ${element.dataset.wall}`, label: (element) => t("wall {n}", { n: element.dataset.wall }) },
  ],
  ask: (ctx, chosen) => (asks[ctx.kind] || (() => ""))(ctx, chosen),
  compose: (ctx) => composers[ctx.kind](ctx),
  describe,
  explain,
  rules,
  tell,
  plays,
  marks: (event) => (typeof event.space === "string" ? [event.space] : event.type === "walls_built" ? event.stones.map(([, wall]) => `wall ${event.seat} ${wall}`) : []),
  combat,
  signs: () => [["g.siege[data-settled=true]", "✓", t("this siege is settled")], ["g.stone[data-at$='/aside']", t("aside"), t("beyond 18 stones: its value counts")]],
  standing,
  seatNote: (seat, ctx) => points(ctx.view.seats[seat].score),
  tally,
  asOf,
  reason: ended,
  endRule: (reason) => RULES[reason] || null,
  won,
};
