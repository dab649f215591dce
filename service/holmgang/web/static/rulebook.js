/** The rules of a game, as the service tells them. */

import { get } from "./api.js";
import { button, dialog, h, toast } from "./dom.js";
import { t } from "./i18n.js";

/** A rule's text with the marks of Markdown that rules have: emphasis and code. */
export function marked(text) {
  return text.split(/(\*[^*]+\*|`[^`]+`)/).map((part, n) => (n % 2 ? h(part[0] === "*" ? "em" : "code", {}, part.slice(1, -1)) : part));
}

export function rulesButton(game) {
  return button(t("Rules"), async () => {
    try {
      const found = await get(`/v1/rulesets/${game.ruleset}`);
      const every = !found.rules.length ? h("p", {}, t("The rules of this game are not told here.")) : h("dl", { class: "rules", tabindex: "0" }, found.rules.flatMap((rule) => [h("dt", {}, rule.id), h("dd", {}, marked(rule.text))]));
      dialog(t("Rules of {title}", { title: found.title }), (close) => [
        game.gist ? [h("ol", { class: "gist" }, game.gist.map((said) => h("li", {}, said))), h("details", {}, h("summary", {}, t("Every rule")), every)] : every,
        h("div", { class: "bar" }, button(t("Close"), close, { class: "go" })),
      ]);
    } catch (fault) {
      if (!fault.told) throw fault;
      toast(fault.told);
    }
  }, { class: "quiet" });
}
