/** Challenges that wait for an answer: those that came, and one's own. */

import * as api from "./api.js";
import { button, h, toast } from "./dom.js";
import { t, together } from "./i18n.js";
import { isolated, personLink } from "./people.js";
import { ago, termsTold, titleOf } from "./terms.js";

/** A challenge in a list; `changed()` is called when something was done about it. */
export function challengeLine(challenge, changed) {
  const { id, challenger, name, players, terms, created_at } = challenge;
  const own = challenger === api.me.id, asked = players.find((one) => one.player === api.me.id);
  const act = async (what) => {
    try {
      const found = await what();
      if (found && found.game) location.hash = `#/games/${found.game}`;
      else await changed();
    } catch (fault) {
      if (!fault.told) throw fault;
      toast(fault.told);
    }
  };
  const path = `/v1/challenges/${id}`, answer = (accepts) => api.call("PUT", `${path}/answer`, { body: { accepts }, repeat: true });
  const open = players.filter((one) => !one.answer).map((one) => isolated(one.name));
  const rest = players.filter((one) => own || one !== asked);
  const buttons = own ? [button(t("Withdraw"), () => act(() => api.call("DELETE", path, { repeat: true })), { "data-key": `withdraw ${id}` })]
    : [asked && asked.answer ? null : button(t("Accept"), () => act(() => answer(true)), { class: "go", "data-key": `accept ${id}` }), button(t("Decline"), () => act(() => answer(false)), { "data-key": `decline ${id}` })];
  return h("li", { class: "sought", "data-key": id },
    h("span", { class: "who" }, h("b", {}, titleOf(terms.ruleset)), own ? t("You challenge") : personLink(challenger, isolated(name)), own ? null : t("challenges you"),
      rest.length && !own ? t("with") : null, rest.map((one) => personLink(one.player, isolated(one.name)))),
    h("span", { class: "facts" }, [termsTold(terms), ago(created_at), ...(asked && asked.answer ? [t("waiting for {names}", { names: together(open) })] : [])].join(" · ")),
    h("span", { class: "bar" }, buttons));
}
