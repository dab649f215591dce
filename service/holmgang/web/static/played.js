/** The games of a player, narrowed down by what they were and how they ended; the address says how. */

import * as api from "./api.js";
import { asked, say } from "./address.js";
import { announce, button, h, labelled, select, show } from "./dom.js";
import { whichGames, whichRated } from "./filters.js";
import { t } from "./i18n.js";
import { attempt, fill } from "./lists.js";
import { gameLine } from "./lobby.js";
import { isolated } from "./people.js";

const NAMES = ["game", "rated", "result", "other"];
const FOUND = 6;

export class Played {
  /** `player` is whose games they are; `met(other)` is told whom they are to have met: a player, or null. */
  constructor(player, met, options) {
    Object.assign(this, { player, met, options, other: null, turn: 0 });
    const was = asked(), one = (name, words, options) => select(name, words, options, { chosen: was[name], onchange: () => this.changed() });
    this.list = h("div", {});
    this.whom = h("div", { class: "whom" });
    this.form = h("form", { class: "filters", "aria-label": t("Which games are listed"), onsubmit: (event) => { event.preventDefault(); attempt(() => this.search()); } },
      one("game", t("Game"), whichGames()),
      one("rated", t("Ratings"), whichRated()),
      one("result", t("Result"), [["", t("any")], ["won", t("won")], ["lost", t("not won")], ["active", t("being played")]]),
      labelled(t("With whom"), h("input", { type: "text", name: "name", maxlength: "40", autocomplete: "off", enterkeyhint: "search" })), button(t("Search"), () => attempt(() => this.search())));
    this.element = h("section", { class: "panel" }, h("h2", {}, t("Games")), this.form, this.whom, this.list);
  }

  async start() {
    const { other } = asked();
    if (other && /^[0-9a-f-]{36}$/.test(other)) {
      try {
        this.other = await api.get(`/v1/players/${other}`, this.options);
      } catch (fault) {
        if (fault.status !== 404) throw fault; // else it was never anybody
      }
    }
    this.drawWhom();
    await Promise.all([this.met(this.other), this.draw()]);
  }

  get chosen() {
    const { game, rated, result } = this.form.elements;
    return { game: game.value, rated: rated.value, result: result.value, other: this.other ? this.other.id : "" };
  }

  changed() {
    say(this.chosen);
    return attempt(() => this.draw());
  }

  /** List everything again. */
  clear() {
    NAMES.slice(0, 3).forEach((name) => { this.form.elements[name].value = ""; });
    return this.choose(null);
  }

  /** Only games with somebody, or with anybody. */
  choose(other) {
    this.other = other;
    this.form.elements.name.value = "";
    this.drawWhom();
    return Promise.all([attempt(() => this.met(other)), this.changed()]);
  }

  drawWhom(...found) {
    show(this.whom, this.other ? button(t("with {name} ×", { name: isolated(this.other.name) }), () => this.choose(null), { "aria-label": t("With anybody again") }) : null, found);
  }

  /** Find whom the name means; where several have such a name, they are asked which. */
  async search() {
    const name = this.form.elements.name.value.trim();
    if (!name) return this.other ? this.choose(null) : null;
    const ask = (exact) => api.get(`/v1/players?name=${encodeURIComponent(name)}&exact=${exact}&limit=${FOUND}`, this.options).then((page) => page.items.filter((one) => one.id !== this.player.id));
    const exact = await ask(true), found = exact.length ? exact : await ask(false);
    if (found.length === 1) return this.choose(found[0]);
    const since = (one) => new Date(one.created_at).toLocaleDateString(document.documentElement.lang);
    return this.drawWhom(h("p", { class: "soft", role: "status" }, found.length ? t("Who is it?") : t("Nobody is called so. The beginning of a name is enough.")),
      h("div", { class: "bar" }, found.map((one) => button(t("{name}, here since {day}", { name: isolated(one.name), day: since(one) }), () => this.choose(one)))));
  }

  async draw() {
    const { game, rated, result, other } = this.chosen, { id } = this.player, turn = this.turn += 1;
    const list = h("ul", { class: "games" }), held = h("div", {}, list);
    const query = [`player=${id}`, "limit=20", game && `ruleset=${game}`, rated && `rated=${rated}`, other && `other=${other}`,
      result && (result === "active" ? "status=active" : `${result}_by=${id}`)].filter(Boolean).join("&");
    const some = await fill(list, `/v1/games?${query}`, (one) => this.line(one), this.options);
    if (turn !== this.turn) return; // something else was asked for meanwhile
    const all = !Object.values(this.chosen).some(Boolean);
    if (turn > 1) announce(some ? t("Games listed: {n}", { n: some }) : t("No public game is like this."));
    const none = () => [h("p", { class: "soft" }, t("No public games yet.")), api.me && api.me.id === id ? h("a", { class: "button", href: "#/" }, t("To the lobby")) : null];
    show(this.list, some ? held : all ? none() : [h("p", { class: "soft" }, t("No public game is like this.")), h("div", { class: "bar" }, button(t("Show all"), () => this.clear()))]);
  }

  line(game) {
    const { result, status } = game, own = game.seats.filter((one) => one.player === this.player.id).map((one) => one.seat);
    const outcome = result ? [own.some((seat) => result.winners.includes(seat)) ? t("won") : t("not won")] : [];
    return gameLine(game, status === "over" ? t("Watch it again") : t("Look"), status === "over" ? "/replay" : "", outcome);
  }
}
