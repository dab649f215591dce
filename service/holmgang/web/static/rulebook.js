/** The rules of a game, as the service tells them: all of them, or the one that something comes of. */

import { get } from "./api.js";
import { button, dialog, h, toast } from "./dom.js";
import { t } from "./i18n.js";

/** A rule's text with the marks of Markdown that rules have: emphasis and code. */
export function marked(text) {
  return text.split(/(\*[^*]+\*|`[^`]+`)/).map((part, n) => (n % 2 ? h(part[0] === "*" ? "em" : "code", {}, part.slice(1, -1)) : part));
}

const listed = (rules) => (!rules.length ? h("p", {}, t("The rules of this game are not told here."))
  : h("dl", { class: "rules", tabindex: "0" }, rules.flatMap((rule) => [h("dt", {}, rule.id), h("dd", {}, marked(rule.text))])));

const books = new Map();

async function bookOf(ruleset) {
  if (!books.has(ruleset)) books.set(ruleset, await get(`/v1/rulesets/${ruleset}`));
  return books.get(ruleset);
}

/** A button that shows what `inside(book)` makes of the rules, under a title. */
const opens = (words, ruleset, title, inside, more) => button(words, async () => {
  try {
    const book = await bookOf(ruleset);
    dialog(title(book), (close) => [inside(book), h("div", { class: "bar" }, button(t("Close"), close, { class: "go" }))]);
  } catch (fault) {
    if (!fault.told) throw fault;
    toast(fault.told);
  }
}, more);

/** A rule with what belongs to it; where that is not told by itself, the rule that it belongs to. */
function within(rules, id) {
  const found = rules.filter((rule) => rule.id === id || rule.id.startsWith(`${id}.`));
  return found.length || !id.includes(".") ? found : within(rules, id.slice(0, id.lastIndexOf(".")));
}

/** A rule's name, one tap from its text. */
export const ruleButton = (ruleset, id, words = t("rule {rule}", { rule: id })) => opens(words, ruleset, ({ title }) => t("{title}: rule {rule}", { title, rule: id }),
  ({ rules }) => listed(within(rules, id)), { class: "rule", "data-about": "rule", "data-key": `rule ${id}` });

export function rulesButton(game) {
  return opens(t("Rules"), game.ruleset, ({ title }) => t("Rules of {title}", { title }), ({ rules }) => (game.gist
    ? [h("ol", { class: "gist" }, game.gist.map((said) => h("li", {}, said))), h("details", {}, h("summary", {}, t("Every rule")), listed(rules))] : listed(rules)), { class: "quiet", "data-about": "rules" });
}
