/** Who somebody is: since when, how strong, what they have played, and what one has to do with them. */

import * as api from "./api.js";
import { button, dialog, h, select, show, toast } from "./dom.js";
import { games } from "./games.js";
import { t } from "./i18n.js";
import { attempt } from "./lists.js";
import { isolated, openDialogs, personLink } from "./people.js";
import { at } from "./place.js";
import { Played } from "./played.js";
import { clocks, titleOf } from "./terms.js";

const day = (when) => new Date(when).toLocaleDateString(document.documentElement.lang, { dateStyle: "long" });

export class Profile {
  constructor(ident) {
    this.ident = ident;
    this.stopper = new AbortController();
    this.options = { signal: this.stopper.signal };
    this.element = h("div", { class: "profile" });
  }

  async start() {
    const other = api.me && api.me.id !== this.ident;
    const [player, blocks] = await Promise.all([
      api.get(`/v1/players/${this.ident}`, this.options),
      other ? api.pages("/v1/me/blocks?limit=100", this.options) : [],
    ]);
    Object.assign(this, { player, blocked: blocks.some((one) => one.player === this.ident) });
    this.owner = player.owner ? await api.get(`/v1/players/${player.owner}`, this.options) : null;
    this.person = h("div", {});
    this.against = h("div", { class: "against" });
    const played = new Played(player, (whom) => this.drawAgainst(whom), this.options);
    show(this.element, this.person, this.ratings(), this.against, played.element);
    this.drawPerson();
    await played.start();
  }

  stop() {
    this.stopper.abort();
    openDialogs().forEach((one) => one.close());
  }

  get own() {
    return Boolean(api.me) && api.me.id === this.ident;
  }

  drawPerson() {
    const { player } = this;
    const kind = player.deleted ? t("This account was deleted.") : player.bot ? t("A bot of the house.") : player.kind === "bot" ? t("A bot.") : t("A person.");
    const former = player.former_names.map((one) => t("{name} until {day}", { name: isolated(one.name), day: day(one.until) })).join(", ");
    show(this.person, h("h1", {}, isolated(player.name)),
      h("p", { class: "soft" }, kind, " ", t("Here since {day}.", { day: day(player.created_at) })),
      this.owner ? h("p", {}, t("Registered by"), " ", personLink(this.owner.id, isolated(this.owner.name))) : null,
      former ? h("p", { class: "soft" }, t("Formerly: {names}", { names: former })) : null,
      this.blocked ? h("p", {}, t("You block this player: no seek, challenge or rematch makes a game for both of you.")) : null,
      h("div", { class: "bar" }, this.own ? h("a", { class: "button", href: "#/account" }, t("Your account")) : player.deleted ? null : [
        this.blocked ? null : button(t("Challenge"), () => this.challenge(), { class: "go" }),
        player.bot || !api.me ? null : this.blocked ? button(t("Unblock"), () => this.block(false)) : button(t("Block"), () => this.block(true), { class: "quiet" })]));
  }

  ratings() {
    const rows = Object.entries(this.player.ratings);
    if (!rows.length) return h("section", { class: "panel" }, h("h2", {}, t("Ratings")), h("p", { class: "soft" }, t("No rated games yet.")));
    const path = (ruleset) => `/v1/players/${this.ident}/ratings/${ruleset}/history.svg`;
    return h("section", { class: "panel" }, h("h2", {}, t("Ratings")), h("div", { class: "ratings" }, rows.map(([ruleset, one]) => h("figure", {},
      h("figcaption", {}, h("a", { href: `#/leaderboards/${ruleset}` }, titleOf(ruleset)), " ", h("b", {}, String(one.rating)), " ", h("span", { class: "soft" }, t("rated games: {games}, won: {wins}", one))),
      h("img", { src: at(path(ruleset)), alt: t("How the rating in {title} has changed", { title: titleOf(ruleset) }) })))));
  }

  /** How this player did against whom their games are narrowed down to; else how whoever looks did against them. */
  async drawAgainst(whom) {
    const { player } = this, { me } = api, name = isolated(player.name);
    const found = async (one, other) => (await api.get(`/v1/players/${one}/against/${other}`, this.options)).items;
    if (whom && (!me || whom.id !== me.id)) this.record(t("{name} against {other}", { name, other: isolated(whom.name) }), await found(player.id, whom.id));
    else if (me && !this.own) this.record(t("You against {name}", { name }), await found(me.id, player.id), whom ? null : h("a", { href: `#/players/${player.id}?other=${me.id}` }, t("Show these games")));
    else show(this.against);
  }

  record(caption, against, more = null) {
    show(this.against, against.length ? h("section", { class: "panel" }, h("table", { class: "scores" }, h("caption", {}, caption),
      h("thead", {}, h("tr", {}, [t("Game"), t("Games"), t("Ahead"), t("Level"), t("Behind")].map((words) => h("th", { scope: "col" }, words)))),
      h("tbody", {}, against.map((one) => h("tr", {}, h("td", {}, titleOf(one.ruleset)), [one.games, one.wins, one.shared, one.losses].map((n, column) => h("td", { class: column === 3 ? "number" : null }, String(n))))))), more) : null);
  }

  block(on) {
    return attempt(async () => {
      await api.call(on ? "PUT" : "DELETE", `/v1/me/blocks/${this.ident}`, { ...(on ? { body: {} } : {}), repeat: true });
      this.blocked = on;
      this.drawPerson();
    });
  }

  challenge() {
    const two = Object.values(games).filter((game) => game.seats.includes(2));
    dialog(t("Challenge {name}", { name: isolated(this.player.name) }), (close) => h("form", { class: "form", onsubmit: async (event) => {
      event.preventDefault();
      const found = new FormData(event.target);
      const terms = { players: [this.ident], ruleset: found.get("ruleset"), rated: found.has("rated"), ...JSON.parse(found.get("clock")) };
      await attempt(async () => {
        await api.somebody();
        const made = await api.post("/v1/challenges", terms, { key: api.once() });
        close();
        location.hash = made.game ? `#/games/${made.game}` : "#/";
        if (!made.game) toast(t("The challenge is sent. The game begins when it is accepted."), "good");
      });
    } }, select("ruleset", t("Game"), two.map((one) => [one.ruleset, one.title])),
    select("clock", t("Time"), clocks().map(([terms, words], n) => [JSON.stringify(terms), words, n === 2])),
    h("label", { class: "check" }, h("input", { type: "checkbox", name: "rated" }), h("span", {}, t("It counts for the players' ratings"))),
    h("div", { class: "bar" }, h("button", { type: "submit", class: "go" }, t("Send the challenge")), button(t("Close"), close))));
  }
}
