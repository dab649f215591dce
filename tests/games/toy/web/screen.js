/** Toy: its questions and its story, in words. */

import { t } from "../../i18n.js";

const tellers = {
  dealt: (event, ctx) => (event.card ? t("{name} is dealt the card {card}.", { name: ctx.name(event.seat), card: event.card }) : t("{name} is dealt a card.", { name: ctx.name(event.seat) })),
  revealed: (event) => t("All show their cards: {cards}.", { cards: event.cards.join(", ") }),
  claimed: (event, ctx) => t("{name} claims {points}.", { name: ctx.name(event.seat), points: event.points }),
};

export default {
  ask: (ctx) => (ctx.kind === "play" ? t("Which card do you play?") : t("How many points do you claim?")),
  describe: (action) => (action.type === "play" ? t("Play the card {card}.", { card: action.card }) : t("Claim {points}.", { points: action.points })),
  tell: (event, ctx) => tellers[event.type](event, ctx),
};
