/** What belongs together of what has happened: what befalls somebody, with the move that brought it about. */

import { h } from "./dom.js";
import { moment, sentence } from "./feed.js";
import { t } from "./i18n.js";
import { ruleButton } from "./rulebook.js";

const FEW = 5;

/**
 * Of all events, in their order, those that are in `some`, each after the one that brought it about: the latest before it of which the
 * game's `move(event)` says that a move begins by it.
 */
export function withCauses(events, some, game) {
  const told = new Set();
  let cause = null;
  for (const event of events) {
    if (game.move(event.payload)) cause = event;
    if (!some.has(event)) continue;
    if (cause) told.add(cause);
    told.add(event);
  }
  return [...told];
}

/** What one's choice at a table led to, and what else has befallen oneself since, each with what brought it about: the latest few sentences about one's own seat. */
export function befallen({ turn: { seat: own }, since, news, game, link }, ctx) {
  if (own === null || !since) return null;
  const named = ({ payload }) => ["seat", "attacker", "defender", "village", "owner", "victim"].some((role) => payload[role] === own);
  const combats = new Set(news.events.filter(named).map(({ payload }) => payload.combat).filter((number) => number !== undefined));
  const concerns = (event) => !["choice_sealed", "bank_charged"].includes(event.payload.type) && (named(event) || combats.has(event.payload.combat));
  const told = withCauses(news.events, new Set(since.filter(concerns)), game)
    .map((event) => ({ seq: event.seq, rule: game.ruleOf(event.payload), words: sentence(game, event, ctx) })).filter((one) => one.words);
  return told.length ? h("div", { class: "since" }, h("p", { class: "soft" }, t("About you, since your last choice:")), h("ul", {}, told.slice(-FEW).map(({ words, seq, rule }) => h("li", {}, moment(words, seq, link), rule ? [" ", ruleButton(game.ruleset, rule)] : null)))) : null;
}
