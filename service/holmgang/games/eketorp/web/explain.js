/** What everything on the table of Eketorp is, with the rule that says so. */

import { t, together } from "../../i18n.js";
import { wallInWords } from "./tokens.js";
import { ENGINES, FACES, here, space, stone, stones, WORTH } from "./words.js";

export const rules = {
  placement: "E3.2", initiative: "E4.2", amulets: "E4.3", battle_card: "E4.4", loot: "E4.7.5", spoils: "E5.1", building: "E5.3", choice: "C2", resign: "C6",
};

const vikings = (n, seat, ctx) => (n === 1 ? t("1 Viking of {name}", { name: ctx.name(seat) }) : t("{n} Vikings of {name}", { n, name: ctx.name(seat) }));
const asked = (ctx, kind) => ctx.kind === kind && ctx.turn && ctx.turn.yours;
const total = (counts) => Object.values(counts).reduce((sum, n) => sum + n, 0);
const capital = (kind) => here(stone(kind));

function field({ at }, ctx) {
  const { stones: lying, vikings: sent } = ctx.view.fields[at], clans = Object.entries(sent);
  const contested = clans.length > 1 && total(sent) > total(lying);
  const there = t("Here are {what}.", { what: together([stones(lying), ...clans.map(([seat, n]) => vikings(n, Number(seat), ctx))]) });
  const now = asked(ctx, "initiative") && !contested ? [there, t("Nobody fights here: there is enough for all, or only one clan.")].join(" ") : there;
  return { name: here(space(at, ctx)), what: t("Each Viking here brings home one stone. Where several clans have more Vikings than there are stones, they fight."), now, rule: asked(ctx, "initiative") ? "E4.1" : "E5.1" };
}

function siege({ at }, ctx) {
  const [village, engine] = at.split(":"), [one, two] = FACES[engine], { seats, settled } = ctx.view.sieges[at];
  const now = asked(ctx, "placement") && Number(village) === ctx.seat ? t("You cannot besiege yourself.")
    : settled && seats.length ? t("The tick says that this siege is settled for this round.")
      : seats.length > 1 ? t("They fight each other first, until one is left.") : seats.length ? vikings(1, seats[0], ctx) + "." : t("Nobody is here.");
  return { name: here(space(at, ctx)), what: t("A Viking who is alone here besieges the village. Who wins pulls stones off walls {one} and {two}.", { one, two }), now, rule: "E4.7" };
}

const engineOf = (n) => Object.keys(FACES).find((engine) => FACES[engine].includes(n));

function wall(seat, n, ctx) {
  const standing = ctx.view.seats[seat].walls[n - 1], worth = standing.reduce((sum, kind) => sum + WORTH[kind], 0);
  const now = asked(ctx, "building") && seat === ctx.seat && standing.length > 2 ? t("It is full.") : asked(ctx, "building") && seat !== ctx.seat ? t("You build on your own walls only.")
    : asked(ctx, "loot") && ctx.view.combat.space === `${seat}:${engineOf(n)}` ? t("You may pull down as much as your card was higher: {n}.", { n: ctx.view.combat.difference })
      : t("The {engine} stands before it.", { engine: ENGINES[engineOf(n)]() });
  return { name: t("Wall {n} of {name}", { n, name: ctx.name(seat) }), what: t("From the ground up: {stones}; worth {worth}. Up to three stones fit, and looters take from the top.", { stones: wallInWords(standing), worth }), now, rule: asked(ctx, "loot") ? "E4.7.5" : "E5.3" };
}

const LIES = {
  supply: () => [t("The supply: new stones come from here, and looted ones go back."), "E1.1"],
  carried: () => [t("It came home and is built at the end of the round."), "E5.3"],
  aside: () => [t("There was no room on the walls: it lies aside, and counts all the same."), "E5.3"],
};

function tile({ kind, at, count }) {
  const place = LIES[at] || LIES[String(at).split("/")[1]], n = Number(count || 1);
  const [where, rule] = place ? place() : /^[A-G]$/.test(at) ? [t("A Viking who is left on the field brings it home."), "E5.1"] : [t("It stays where it is built, unless looters pull it down."), "E5.3"];
  return { name: n > 1 ? t("{stones}, worth {n} each", { stones: here(stones({ [kind]: n })), n: WORTH[kind] }) : t("{stone}, worth {n}", { stone: capital(kind), n: WORTH[kind] }), what: where, rule };
}

const HEALED = { 345: () => t("They miss two rounds."), 12: () => t("They miss one round."), 0: () => t("They are back for the next round.") };

function viking({ seat, at, count }, ctx) {
  const name = here(vikings(Number(count || 1), Number(seat), ctx)), [, lying] = /^station (\d+)$/.exec(at) || [];
  if (lying) return { name, what: [t("In hospital."), HEALED[lying]()].join(" "), rule: "E4.5" };
  if (at.endsWith("/home")) return { name, what: t("At home: they can be sent out, and who stays defends the village."), rule: "E3.2" };
  if (at.includes(":")) return { name, what: t("Sent before this village, to besiege it."), rule: "E4.7" };
  return { name, what: t("Sent to this field, to bring home a stone. Who loses a fight goes to hospital instead."), rule: "E4.4" };
}

const amulet = (seat, n, ctx) => ({ name: n === undefined || seat === null ? t("Amulets") : t("Amulets of {name}", { name: ctx.name(seat) }),
  what: t("Before the cards of a fight, amulets buy a whole new hand, at one for each card. An amulet kept is worth 1 point."), rule: "E4.3" });

/** What a card in one's own hand does. */
function fighting(value, ctx) {
  const fight = ctx.view.combat, siege = fight && fight.kind === "siege" && fight.attacker === ctx.seat;
  const against = value === 1 ? t("It beats no other card, and ties with another 1.") : value === 6 ? t("It beats every card but another 6, with which it ties.") : t("It beats {n} and lower, and ties with another {value}.", { n: value - 1, value });
  return [against, siege ? t("By as much as it is higher you may loot.") : t("After the fight your opponent gets it.")].join(" ");
}

function card(element, ctx) {
  const { seat, card: value } = element.dataset, name = ctx.name(Number(seat));
  if (element.classList.contains("pile")) return { name: t("Card {n} on the side pile of {name}", { n: value, name }), what: t("Played by an opponent. The side pile lies open: when the hand is empty, it is their next hand."), rule: "E4.6" };
  if (value === undefined) return { name: t("A card of {name}", { name }), what: t("Only {name} knows its value, from 1 to 6.", { name }), rule: "E4.4" };
  return { name: t("Card {n}", { n: value }), what: fighting(Number(value), ctx), rule: "E4.4" };
}

const groups = {
  space: ({ dataset }, ctx) => field(dataset, ctx),
  field: ({ dataset }, ctx) => field(dataset, ctx),
  siege: ({ dataset }, ctx) => siege(dataset, ctx),
  wall: ({ dataset }, ctx) => wall(Number(dataset.seat), Number(dataset.wall), ctx),
  stone: ({ dataset }) => tile(dataset),
  viking: ({ dataset }, ctx) => viking(dataset, ctx),
  amulet: ({ dataset }, ctx) => amulet(Number(dataset.seat), Number(dataset.count), ctx),
  card,
  village: ({ dataset }, ctx) => ({ name: t("The village of {name}", { name: ctx.name(Number(dataset.seat)) }),
    what: t("It is worth {n} now: its stones, 5 for having 18 of them, and 1 for each amulet.", { n: ctx.view.seats[dataset.seat].score }), rule: "E7" }),
  sealed: ({ dataset }, ctx) => ({ name: t("A sealed choice"), what: t("{name} has chosen. Nobody sees what before all have.", { name: ctx.name(Number(dataset.seat)) }), rule: "C2" }),
  hospital: () => ({ name: t("Hospital"), what: t("Who loses by 3 or more misses two rounds, by 1 or 2 one; a tie sends both here until the next round. After each round all go on by one place, and home from the last."), rule: "E6.2" }),
  stock: (_, ctx) => ({ name: t("Supply"), what: t("The stones that are on no field and no wall, and the pile of cards for new hands: {n} are left.", { n: ctx.view.deck_size }), rule: "E1.1" }),
  combat: () => ({ name: t("The fight that goes on"), what: t("Both choose a card in secret. The higher wins; then the two cards change owners."), rule: "E4.4" }),
};

/** Buttons of the panels, by what they are called there. */
const pressed = {
  fewer: () => ({ what: t("One Viking comes back from there and stays at home."), rule: "E3.2" }),
  unbuild: () => ({ what: t("Takes the topmost of the stones that you laid here now back into your hand. What stood before stays."), rule: "E5.3" }),
  unpull: () => ({ what: t("Puts the last stone that you pulled down back on its wall."), rule: "E4.7.5" }),
  rest: () => ({ what: t("Lays all stones that are left, the dearest first, where the most room is. You can still change it."), rule: "E5.3" }),
  hold: ({ dataset }) => ({ ...tile({ kind: dataset.step, at: "carried" }), what: t("Takes this kind in hand: the next wall that you choose gets such a stone."), rule: "E5.3" }),
  kept: () => ({ what: t("Of all that you pull down you keep one stone; the others go to the supply."), rule: "E4.7.5" }),
  decline: () => ({ what: t("All walls stay as they are. The siege is won all the same."), rule: "E4.7.5" }),
  fight: () => ({ what: t("Begins this fight at once: who loses is out of it. Then the next player chooses a fight."), rule: "E4.2" }),
  besiege: () => ({ what: t("Begins your siege at once, against one defender. There is one attempt only."), rule: "E4.7.1" }),
  exchange: () => ({ what: t("All cards of your hand leave the game, and you draw as many. You can do it again while you can pay."), rule: "E4.3" }),
  stand: () => ({ what: t("You fight with the cards that you have."), rule: "E4.3" }),
  take: () => ({ what: t("Your Viking brings this stone home."), rule: "E5.1" }),
  card: ({ dataset }, ctx) => ({ name: t("Card {n}", { n: dataset.card }), what: fighting(Number(dataset.card), ctx), rule: "E4.4" }),
  pile: ({ dataset }) => ({ name: t("Card {n}", { n: dataset.card }), what: t("It lies open on the side pile: when the hand is empty, that is the next hand."), rule: "E4.6" }),
  amulets: (_, ctx) => amulet(null, undefined, ctx),
};

export function explain(element, ctx) {
  if (element.localName === "g") return (groups[element.classList[0]] || (() => null))(element, ctx);
  return (pressed[element.dataset.about] || (() => null))(element, ctx);
}
