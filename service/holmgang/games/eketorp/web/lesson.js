/** A first game of Eketorp: where to send Vikings, what to fight with and where to build, worked out from how the game stands. */

import { t, together } from "../../i18n.js";
import { costs, exchanged, FACES, FIELDS, here, space, stone, stones, tied, WORTH, wounded } from "./words.js";

const HEIGHT = 3, SENT = 4;
/** So many Vikings are sent out at most by what is said here. */
const WEAK = 3;
/** A hand without a card above this is weak. */

const asked = (ctx, kind) => ctx.turn.yours && ctx.kind === kind;
const last = (list) => list[list.length - 1];
const sum = (counts) => Object.values(counts).reduce((total, n) => total + n, 0);
const key = (action) => JSON.stringify(action);
const ofMine = (past, seat, type) => past.filter((one) => one.type === type && (one.attacker === seat || one.defender === seat));
const rounds = (past) => past.filter((one) => one.type === "round_started").length;

/** All stones on the fields, the dearest first, each with its field. */
const lying = ({ view }) => FIELDS.flatMap((name) => Object.entries(view.fields[name].stones).flatMap(([kind, n]) => Array.from({ length: n }, () => ({ name, kind }))))
  .sort((a, b) => WORTH[b.kind] - WORTH[a.kind]);
/** Fields to send Vikings to; one stays at home where there are walls to defend. */
const errands = (ctx) => { const { home, walls } = ctx.view.seats[ctx.seat]; return [...new Set(lying(ctx).map(({ name }) => name))].slice(0, Math.min(SENT, walls.flat().length ? Math.max(1, home - 1) : home)); };

/** Fields where Vikings of several clans want more than there is (E4.1). */
const contested = ({ view }) => FIELDS.filter((name) => { const { vikings, stones: there } = view.fields[name]; return Object.keys(vikings).length > 1 && sum(vikings) > sum(there); });

/** Whether one's hand holds no card that often wins. */
const weak = ({ view }) => Math.max(...view.hand) <= WEAK;

/** The fight to begin: where the dearest stone is at stake, or with a weak hand where the cheapest is. */
function opening(ctx) {
  const { legal, view } = ctx;
  const stake = ({ space: name }) => (name.includes(":") ? 1 : Math.max(0, ...Object.keys(view.fields[name].stones).map((kind) => WORTH[kind])));
  const one = [...legal.actions].sort((a, b) => (stake(b) - stake(a)) * (weak(ctx) ? -1 : 1))[0];
  return [`${one.space} ${one.type} ${one.against}`];
}
const chooseTold = (ctx) => (weak(ctx) ? t("Your cards are low, so begin where the least is at stake: in the gold ring.") : t("Begin where the most is at stake: in the gold ring."));
const keep = (ctx) => [key(ctx.legal.actions.find((one) => one.until) || ctx.legal.actions.find((one) => one.type === "stand"))];
const bare = ({ view }) => { const [village, engine] = view.combat.space.split(":"); return FACES[engine].every((n) => !view.seats[Number(village)].walls[n - 1].length); };

/** Whether one's card decides nothing, and why; null where it does. */
function wasted(ctx) {
  const { combat } = ctx.view;
  if (!combat || !combat.undefended) return null;
  if (combat.defender === ctx.seat) return t("Nobody of yours is at home, so your card counts 0, whichever it is. Give your lowest away.");
  return bare(ctx) ? t("Nobody defends, so you win with any card, and there is no stone to pull down. Give your lowest away.") : null;
}
const suited = (ctx) => [key({ type: "play", card: (wasted(ctx) ? Math.min : Math.max)(...ctx.view.hand) })];
function cardTold(ctx) {
  const { undefended, attacker } = ctx.view.combat;
  return wasted(ctx) || (undefended && attacker === ctx.seat ? t("Nobody defends, so the village's card counts 0. The higher yours, the more you may pull down.")
    : t("The higher card wins. Your highest wins most often, but afterwards the other gets it."));
}

/** The stones to pull down: so that the dearest can be kept, and else as many as may be. */
function pulls({ legal, view }) {
  const all = legal.actions.filter((one) => one.type === "loot"), taken = (one) => Object.values(one.walls).reduce((total, n) => total + n, 0);
  const [best] = all.sort((a, b) => WORTH[b.kept] - WORTH[a.kept] || taken(b) - taken(a)), village = view.combat.space.split(":")[0];
  return best ? Object.entries(best.walls).flatMap(([wall, n]) => Array.from({ length: n }, () => `wall ${village} ${wall}`)) : ["decline"];
}
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

/** One's own combats of a kind that came out in a certain way. */
const fought = (past, seat, siege, how) => ofMine(past, seat, "cards_revealed").filter((one) => how(one) && siege === past.some((each) => each.type === "siege_started" && each.combat === one.combat));

/** What happened in a combat and why, in sentences: the cards, who is hurt, and which card goes to whom. */
function outcome(one, siege, ctx, past) {
  const attacks = one.attacker === ctx.seat, name = ctx.name(attacks ? one.defender : one.attacker);
  const [own, other] = attacks ? [one.attacker_card, one.undefended ? 0 : one.defender_card] : [one.undefended ? 0 : one.defender_card, one.attacker_card];
  const told = { own, other, name, n: one.difference };
  const said = tied(one) ? t("You played {own}, and so did {name}: a tie.", told) : one.winner === ctx.seat ? t("Your {own} beats the {other} of {name}, by {n}.", told) : t("Your {own} loses against the {other} of {name}, by {n}.", told);
  const hurt = past.filter((each) => each.type === "viking_wounded" && each.combat === one.combat);
  const away = hurt.map((each) => wounded(each.station, ctx.name(each.seat)));
  const { why } = costs({ tie: tied(one), siege, defended: hurt.length > 0 && hurt[0].seat === one.defender });
  return [said, one.undefended ? t("Nobody was at home to defend: then the village's card counts 0, and nobody is hurt.") : [...away, why].join(" "),
    exchanged({ one: ctx.name(one.attacker), first: one.attacker_card, other: ctx.name(one.defender), second: one.defender_card })].join(" ");
}

/** A step about a combat that came out like this, the first time that it happens. */
const came = (name, rule, title, siege, how, more = () => "") => {
  const found = (ctx, past) => last(fought(past, ctx.seat, siege, (one) => how(one, ctx.seat)));
  return { key: name, next: true, rule, title, when: (ctx, past) => found(ctx, past) !== undefined, fight: (ctx, past) => found(ctx, past).combat,
    words: (ctx, past) => { const one = found(ctx, past); return [outcome(one, siege, ctx, past), more(one, ctx)].join(" ").trim(); },
    at: (ctx, past) => past.filter((one) => one.combat === found(ctx, past).combat && one.space).map(({ space: at }) => at).slice(0, 1) };
};
const siegeTold = (end) => [t("A Viking who is alone at an engine before a village besieges it."), end].join(" ");
const won = (one, seat) => one.winner === seat, lost = (one, seat) => !tied(one) && one.winner !== seat;

/** E7: what one's points are made of so far. */
function pointsTold({ view, seat }) {
  const { score, amulets } = view.seats[seat];
  return t("You have {n} points so far: {stones} for stones and {amulets} for amulets.", { n: score, stones: score - amulets, amulets });
}

const engines = ({ view, seat }) => Object.keys(view.sieges).filter((name) => { const village = Number(name.split(":")[0]); return village !== seat && village < view.players; }).slice(0, 3);

export default {
  begin: { seats: 3, bot: "random", seed: "14".padStart(64, "0"), options: { first_player: 0 } },
  steps: [
    { key: "goal", next: true, when: () => true, rule: "E7", title: () => t("Build the most valuable walls"),
      words: () => t("You fetch stones for your village, which is blue. Grass is worth 1, wood 2, clay 3, grey stone 4. The most points after ten rounds win: what your stones are worth, 5 for having 18 of them, and 1 for each amulet left.") },
    { key: "fields", next: true, when: (ctx) => asked(ctx, "placement"), rule: "E3.1", title: () => t("Stones lie on the fields"), at: (ctx) => lying(ctx).slice(0, 1).map(({ name }) => name),
      words: (ctx) => { const [one] = lying(ctx); return one ? t("Every round new stones come to the fields A to G. The most valuable, {stone}, lies on field {name}.", { stone: stone(one.kind), name: one.name }) : t("Every round new stones come to the fields A to G."); } },
    { key: "place", when: (ctx) => asked(ctx, "placement"), rule: "E3.2", title: () => t("Send your Vikings out"), press: errands,
      words: (ctx) => { const n = errands(ctx).length; return [t("Each Viking brings home one stone. All send theirs in secret."), n === 1 ? t("Press the field with the gold ring once, which sends one Viking there, then Confirm.") : t("Press each of the {n} fields with a gold ring once, which sends one Viking there, however many stones lie on it. Then Confirm.", { n }), t("Whoever stays defends your village.")].join(" "); } },
    { key: "revealed", next: true, when: (ctx, past) => past.some((one) => one.type === "vikings_placed") && rounds(past) === 1 && contested(ctx).length, rule: "E4.1", title: () => t("Too many want the same"), at: contested,
      words: () => t("In the gold rings stand Vikings of several clans, and more of them than stones. They fight, one against one.") },
    { key: "fight", when: (ctx) => asked(ctx, "initiative"), rule: "E4.2", title: () => t("You choose a fight"), press: opening,
      words: (ctx) => [t("In turn, each player picks a fight for one of their Vikings."), chooseTold(ctx)].join(" ") },
    { key: "amulets", when: (ctx) => asked(ctx, "amulets"), rule: "E4.3", title: () => t("Keep your cards"), press: keep, at: placeOfFight,
      words: () => t("Amulets would buy you a new hand, one for each card. But one that you keep is worth 1 point in the end. Keep your hand for this round.") },
    { key: "card", when: (ctx) => asked(ctx, "battle_card"), rule: "E4.4", title: () => t("Play a card"), press: suited, at: placeOfFight,
      words: (ctx) => wasted(ctx) || t("Both choose a card in secret, and the higher one wins. But what you play goes to the other, who has it in a later fight. Try your highest.") },
    came("won", "E4.4", () => t("You won a fight"), false, won, () => t("What the others played lies open on your side pile, and is your next hand.")),
    came("lost", "E4.5", () => t("You lost a fight"), false, lost, () => t("What the others played lies open on your side pile, and is your next hand.")),
    came("tie", "E4.5", () => t("A tie"), false, tied),
    came("defended", "E4.7", () => t("You were besieged"), true, (one, seat) => one.defender === seat, (one, { seat }) => siegeTold(won(one, seat) || tied(one) ? t("Your walls stay as they are.") : t("So the besieger may pull down stones worth {n} at most off the two walls before them, and keep one.", { n: one.difference }))),
    came("besieged", "E4.7.5", () => t("Your siege"), true, (one, seat) => one.attacker === seat, (one, { seat }) => (won(one, seat) ? t("So you may pull down stones worth {n} at most, and keep one.", { n: one.difference }) : t("Their walls stay as they are."))),
    { key: "build", when: (ctx) => asked(ctx, "building"), rule: "E5.3", title: () => t("Build with what came home"), press: walls,
      words: (ctx) => t("You have {stones}. Press the walls with a gold ring, then Confirm. The most valuable go first: others can pull stones off the top only.", { stones: stones(ctx.view.seats[ctx.seat].carried) }) },
    { key: "round", next: true, when: (ctx, past) => rounds(past) > 1, rule: "E6", title: () => t("That was a round"),
      words: (ctx) => [t("Stones that nobody took are cleared away, but clay and grey stone stay. The wounded are one round nearer to home."), pointsTold(ctx)].join(" ") },
    { key: "sieges", next: true, when: (ctx, past) => rounds(past) > 1, rule: "E4.7", title: () => t("One thing more: sieges"), at: engines,
      words: () => t("You may send a Viking to an engine before another village, in the gold rings. Whoever wins there by 3 pulls down stones worth 3 at most, from the top of the two walls beside it, and keeps one.") },
  ],
  hints: {
    placement: { words: () => t("Send Vikings where valuable stones lie and few others will come. Keep some at home once your walls are worth a siege."), rule: "E3.2", press: errands },
    initiative: { words: (ctx) => [t("You choose the next fight."), chooseTold(ctx)].join(" "), rule: "E4.2", press: opening },
    amulets: { words: () => t("A new hand costs an amulet a card, and each amulet that is left counts 1 point in the end. Keep your hand."), rule: "E4.3", press: keep },
    battle_card: { words: cardTold, rule: "E4.4", press: suited, at: placeOfFight },
    loot: { words: (ctx) => t("You won the siege. {where}: pull stones off walls {walls}, from the top, and keep one.", { where: here(space(ctx.view.combat.space, ctx)), walls: together(FACES[ctx.view.combat.space.split(":")[1]]) }), rule: "E4.7.5", press: pulls },
    building: { words: () => t("Lay the most valuable stones first, where nothing stands yet."), rule: "E5.3", press: walls },
  },
  ends: (ctx, past) => rounds(past) > 1,
  close: () => t("Nine rounds like this, or until somebody has built 18 stones. Then the most points win. Keep an eye on the side piles: they are the others' next hands."),
};
