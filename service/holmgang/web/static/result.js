/** How a game ended: who won, why, and what each score consists of. */

import { verdictTold } from "./fair.js";
import { button, h } from "./dom.js";
import { games } from "./games.js";
import { t, together } from "./i18n.js";
import { make } from "./making.js";
import { nameOf, personLink, seatChip } from "./people.js";
import { ruleButton } from "./rulebook.js";

/** The result of a game that is over, as its table knows it. */
export function resultTold({ ident, summary, turn, game, view, verdict, closed, rematch }) {
  const { result } = summary;
  const mine = turn.seat;
  const order = result.ranking.flat();
  const won = mine !== null && result.winners.includes(mine);
  const place = (seat) => 1 + result.ranking.slice(0, result.ranking.findIndex((group) => group.includes(seat))).flat().length;
  return h("div", { class: "result" },
    h("h2", {}, mine === null ? t("{names} won", { names: together(result.winners.map((seat) => nameOf(summary, seat))) }) : won ? t("You have won!") : t("You have lost")),
    whyTold(game, summary, view, mine),
    h("p", { class: "soft" }, t("It ended because {why}.", { why: game.reason(result.reason) }), named(game, game.endRule(result.reason))),
    h("table", { class: "scores" }, h("caption", {}, t("Final score")), h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("Place")), h("th", { scope: "col" }, t("Player")), h("th", { scope: "col" }, t("Score")))),
      h("tbody", {}, order.map((seat) => h("tr", { class: seat === mine ? "own" : null },
        h("td", {}, String(place(seat))), h("td", {}, seatChip(seat), " ", personLink(summary.seats[seat].player, nameOf(summary, seat)), tally(game, view, seat)), h("td", { class: "number" }, String(result.scores[seat])))))),
    verdictTold(verdict, game.chance),
    rematch ? rematch.element : null,
    h("div", { class: "bar" }, mine !== null && summary.practice ? button(t("A game against bots"), () => againstBots(summary.ruleset), { class: "go", "data-key": "again" }) : null, closed ? null : h("a", { class: summary.practice ? "button" : "button go", href: `#/games/${ident}/replay` }, t("Watch it again")), closed ? null : h("a", { class: "button", href: `#/games/${ident}/analysis` }, t("Analyse")), h("a", { class: "button", href: "#/" }, t("To the lobby"))));
}

/** One's next game after a practice game, which has no rematch. */
const againstBots = (ruleset) => make({ ruleset, seats: games[ruleset].usual, bots: games[ruleset].usual - 1 });

const named = (game, rule) => (rule ? [" ", ruleButton(game.ruleset, rule)] : null);

/** Why the winners won, in a sentence, with its rule. */
function whyTold(game, { result, teams, seats }, view, mine) {
  const of = { view, seat: mine, sides: teams, name: (seat) => nameOf({ seats }, seat) };
  const why = view ? game.won(result, of) : null;
  return why ? h("p", { class: "why" }, why.words, named(game, why.rule)) : null;
}

/** What a score consists of, where the game tells, each part with its rule. */
function tally(game, view, seat) {
  const told = view ? game.tally(view, seat) : [];
  return told.length ? h("ul", { class: "tally" }, told.map(([words, n, rule]) => h("li", {}, `${words} ${n}`, named(game, rule)))) : null;
}
