/** Eketorp: errands are given in secret on a screen of their own; stones are laid and looted wall by wall; fights show both sides. */

import { t } from "../i18n.js";
import { building, looting, spoils } from "./eketorp_building.js";
import { asOf, cards, combat, exchange, initiative } from "./eketorp_fights.js";
import { placement } from "./eketorp_placement.js";
import { describe, ended, space, tell } from "./eketorp_words.js";

const asks = {
  placement: () => t("Give your Vikings their errands, in secret."),
  initiative: (ctx, chosen) => (chosen.length && !chosen[chosen.length - 1].action ? t("Against whom?") : t("Choose the fight that you begin.")),
  amulets: (ctx) => t("A fight with {name}: will you exchange your hand first?", { name: rival(ctx) }),
  battle_card: (ctx) => t("A fight with {name}: choose your card in secret. The higher wins.", { name: rival(ctx) }),
  loot: () => t("Your siege is won: what do you take?"),
  spoils: (ctx) => t("Which stone do you take from field {name}?", { name: ctx.view.spoils.field }),
  building: () => t("Build your new stones, in secret: choose a stone, then its wall."),
};

function rival(ctx) {
  const fight = ctx.view.combat;
  return fight ? ctx.name(fight.attacker === ctx.seat ? fight.defender : fight.attacker) : "";
}

const composers = { placement, building, initiative, amulets: exchange, battle_card: cards, loot: looting, spoils };

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
  compose: (ctx) => composers[ctx.kind](ctx),
  describe,
  tell,
  marks: (event) => (typeof event.space === "string" ? [event.space] : []),
  combat,
  asOf,
  reason: ended,
};
