/** A first game of Eketorp: where to send Vikings, what to fight with and where to build, worked out from how the game stands. */

import { t, together } from "../../i18n.js";
import { FACES, FIELDS, KINDS, here, space, stone, stones, WORTH } from "./words.js";

const HEIGHT = 3, SENT = 4;
/** So many Vikings are sent out at most by what is said here. */
const AWAY = { 345: () => t("for two rounds"), 12: () => t("for one round"), 0: () => t("until this round is over") };

const asked = (ctx, kind) => ctx.turn.yours && ctx.kind === kind;
const last = (list) => list[list.length - 1];
const sum = (counts) => Object.values(counts).reduce((total, n) => total + n, 0);
const key = (action) => JSON.stringify(action);
const ofMine = (past, seat, type) => past.filter((one) => one.type === type && (one.attacker === seat || one.defender === seat));
const rounds = (past) => past.filter((one) => one.type === "round_started").length;

/** All stones on the fields, the dearest first, each with its field. */
const lying = ({ view }) => FIELDS.flatMap((name) => Object.entries(view.fields[name].stones).flatMap(([kind, n]) => Array.from({ length: n }, () => ({ name, kind }))))
  .sort((a, b) => WORTH[b.kind] - WORTH[a.kind]);
const errands = (ctx) => lying(ctx).slice(0, Math.min(SENT, ctx.view.seats[ctx.seat].home)).map(({ name }) => name);

/** Fields where Vikings of several clans want more than there is (E4.1). */
const contested = ({ view }) => FIELDS.filter((name) => { const { vikings, stones: there } = view.fields[name]; return Object.keys(vikings).length > 1 && sum(vikings) > sum(there); });

/** The fight to begin: where the dearest stone is at stake. */
function opening({ legal, view }) {
  const stake = ({ space: name }) => (name.includes(":") ? 1 : Math.max(0, ...Object.keys(view.fields[name].stones).map((kind) => WORTH[kind])));
  const one = [...legal.actions].sort((a, b) => stake(b) - stake(a))[0];
  return [`${one.space} ${one.type} ${one.against}`];
}
const keep = (ctx) => [key(ctx.legal.actions.find((one) => one.until) || ctx.legal.actions.find((one) => one.type === "stand"))];
const highest = (ctx) => [key({ type: "play", card: Math.max(...ctx.view.hand) })];
const placeOfFight = (ctx) => (ctx.view.combat ? [ctx.view.combat.space] : []);

/** Walls to lay the new stones on, one after another: the lowest first. */
function walls({ view, seat }) {
  const own = view.seats[seat], heights = own.walls.map((one) => one.length), found = [];
  for (let left = sum(own.carried); left > 0; left -= 1) {
    const n = heights.indexOf(Math.min(...heights));
    if (heights[n] >= HEIGHT) break;
    heights[n] += 1;
    found.push(`wall ${seat} ${n + 1}`);
  }
  return found;
}

/** How the last fight of one's own went, and who lies in hospital for it. */
function fought(ctx, past) {
  const one = last(ofMine(past, ctx.seat, "cards_revealed")), attacks = one.attacker === ctx.seat;
  const [own, other] = attacks ? [one.attacker_card, one.defender_card] : [one.defender_card, one.attacker_card];
  const hurt = past.find((each) => each.type === "viking_wounded" && each.combat === one.combat), told = { own, other };
  if (one.undefended) {
    return attacks ? t("Nobody defended the village, so your {own} counted against 0, and nobody is hurt. The two cards changed owners.", told)
      : t("Nobody of yours was at home, so your card counted 0 against {other}. Nobody is hurt. The two cards changed owners.", told);
  }
  if (one.winner === null || one.winner === undefined) return t("{own} against {other} is a tie: both Vikings are out until this round is over. The two cards changed owners.", told);
  const how = hurt ? AWAY[hurt.station]() : "";
  return one.winner === ctx.seat ? t("Your {own} beat {other}. The loser's Viking is in hospital {how}: the higher you win, the longer. The two cards changed owners.", { ...told, how })
    : t("Your {own} lost against {other}. Your Viking is in hospital {how}: the higher one loses, the longer. The two cards changed owners.", { ...told, how });
}

const engines = ({ view, seat }) => Object.keys(view.sieges).filter((name) => { const village = Number(name.split(":")[0]); return village !== seat && village < view.players; }).slice(0, 3);

export default {
  begin: { seats: 3, bot: "random", seed: "14".padStart(64, "0"), options: { first_player: 0 } },
  steps: [
    { key: "goal", next: true, when: () => true, rule: "E7", title: () => t("Build the most valuable walls"),
      words: () => t("You fetch stones for your village, which is blue. Grass is worth 1, wood 2, clay 3, stone 4. The most valuable walls after ten rounds win.") },
    { key: "fields", next: true, when: (ctx) => asked(ctx, "placement"), rule: "E3.1", title: () => t("Stones lie on the fields"), at: (ctx) => lying(ctx).slice(0, 1).map(({ name }) => name),
      words: (ctx) => { const [one] = lying(ctx); return one ? t("Every round new stones come to the fields A to G. The most valuable, {stone}, lies on field {name}.", { stone: stone(one.kind), name: one.name }) : t("Every round new stones come to the fields A to G."); } },
    { key: "place", when: (ctx) => asked(ctx, "placement"), rule: "E3.2", title: () => t("Send your Vikings out"), press: errands,
      words: () => t("Each Viking brings home one stone. All send theirs in secret. Press the fields with a gold ring, once for each Viking, then Confirm. Whoever stays defends your village.") },
    { key: "revealed", next: true, when: (ctx, past) => past.some((one) => one.type === "vikings_placed") && rounds(past) === 1 && contested(ctx).length, rule: "E4.1", title: () => t("Too many want the same"), at: contested,
      words: () => t("In the gold rings stand Vikings of several clans, and more of them than stones. They fight, one against one.") },
    { key: "fight", when: (ctx) => asked(ctx, "initiative"), rule: "E4.2", title: () => t("You choose a fight"), press: opening,
      words: () => t("In turn, each player picks a fight for one of their Vikings. Choose this one: the most is at stake there.") },
    { key: "amulets", when: (ctx) => asked(ctx, "amulets"), rule: "E4.3", title: () => t("Keep your cards"), press: keep, at: placeOfFight,
      words: () => t("Amulets would buy you a new hand, one for each card. But one that you keep is worth 1 point in the end. Keep your hand for this round.") },
    { key: "card", when: (ctx) => asked(ctx, "battle_card"), rule: "E4.4", title: () => t("Play a card"), press: highest, at: placeOfFight,
      words: () => t("Both choose a card in secret, and the higher one wins. But what you play goes to the other, who has it in a later fight. Try your highest.") },
    { key: "fought", next: true, when: (ctx, past) => ofMine(past, ctx.seat, "cards_revealed").length, rule: "E4.5", title: () => t("So it went"),
      at: (ctx, past) => { const one = last(ofMine(past, ctx.seat, "fight_started").concat(ofMine(past, ctx.seat, "siege_started"))); return one ? [one.space] : []; }, words: fought },
    { key: "build", when: (ctx) => asked(ctx, "building"), rule: "E5.3", title: () => t("Build with what came home"), press: walls,
      words: (ctx) => t("You have {stones}. Press the walls with a gold ring, then Confirm. The most valuable go first: others can pull stones off the top only.", { stones: stones(ctx.view.seats[ctx.seat].carried) }) },
    { key: "round", next: true, when: (ctx, past) => rounds(past) > 1, rule: "E6", title: () => t("That was a round"),
      words: (ctx) => t("Stones that nobody took are cleared away, but clay and stone stay. The wounded are one step nearer to home. You have {n} points so far.", { n: ctx.view.seats[ctx.seat].score }) },
    { key: "sieges", next: true, when: (ctx, past) => rounds(past) > 1, rule: "E4.7", title: () => t("One thing more: sieges"), at: engines,
      words: () => t("You may send a Viking to an engine before another village, in the gold rings. Whoever wins there pulls down stones of the two walls beside it, and keeps one.") },
  ],
  hints: {
    placement: { words: () => t("Send Vikings where valuable stones lie and few others will come. Keep some at home once your walls are worth a siege."), rule: "E3.2", press: errands },
    initiative: { words: () => t("Choose the next fight. Where your cards are weak, begin where little is at stake."), rule: "E4.2", press: opening },
    amulets: { words: () => t("A new hand costs an amulet a card, and each is a point."), rule: "E4.3", press: keep },
    battle_card: { words: (ctx) => (ctx.view.combat.undefended ? t("Nobody defends: the village's card counts 0.") : t("The higher card wins, and then they change owners.")), rule: "E4.4", press: highest, at: placeOfFight },
    loot: { words: (ctx) => t("You won the siege. {where}: pull stones off walls {walls}, from the top, and keep one.", { where: here(space(ctx.view.combat.space, ctx)), walls: together(FACES[ctx.view.combat.space.split(":")[1]]) }), rule: "E4.7.5" },
    building: { words: () => t("Lay the most valuable stones first, where nothing stands yet."), rule: "E5.3", press: walls },
  },
  ends: (ctx, past) => rounds(past) > 1,
  close: () => t("Nine rounds like this, or until somebody has 18 stones. Keep an eye on which cards lie open: they are the others' next hands."),
};
