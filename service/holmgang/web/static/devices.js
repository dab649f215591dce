/** Where one plays as oneself: each device or program has a token of its own, which can be taken back. */

import * as api from "./api.js";
import { button, dialog, h, labelled, renew, toast } from "./dom.js";
import { language, t } from "./i18n.js";
import { attempt } from "./lists.js";
import { isolated, showLink } from "./people.js";
import { at } from "./place.js";

const day = (when) => new Date(when).toLocaleDateString(language, { dateStyle: "medium" });

/** The service knows when a token was used by the hour. */
const hour = (when) => new Date(when).toLocaleString(language, { day: "numeric", month: "short", year: "numeric", hour: "numeric" });

/** What the service and this page call a token by themselves; other labels are somebody's own words. */
const LABELS = { "first token": () => t("Where you began") };

const labelTold = ({ label }) => (LABELS[label] ? LABELS[label]() : isolated(label));

/** What whoever has it may do. */
function mayTold({ scopes, game }) {
  if (game) return t("one seat of one game");
  if (scopes.includes("manage")) return t("plays, and manages the account");
  return scopes.includes("play") ? t("plays") : t("looks only");
}

const revoke = (token) => api.call("DELETE", `/v1/me/tokens/${token}`, { repeat: true });

/** A link by which another device, called like this, plays as who plays here. It holds a token of its own. */
async function linkFor(label) {
  const { token } = await api.post("/v1/me/tokens", { label, scopes: ["read", "play", "manage"] }, { key: api.once() });
  return at(`/#player=${token}`);
}

export class Devices {
  constructor(signal) {
    this.options = { signal };
    this.list = h("ul", { class: "games devices" });
    this.element = h("section", { class: "panel" }, h("h2", {}, t("Devices")),
      h("p", { class: "soft" }, t("Whatever plays as you: this browser, other devices, and programs. Take back what you have lost or use no longer.")), this.list,
      h("div", { class: "bar" }, button(t("Play on another device"), () => this.ask())));
  }

  /** Ask for the list anew, and show it; or why this browser may not have it. */
  async start() {
    try {
      await this.renew();
    } catch (fault) {
      if (fault.status !== 403) throw fault;
      this.element.replaceChildren(h("h2", {}, t("Devices")), h("p", {}, fault.told));
    }
  }

  async renew() {
    const [here, tokens] = await Promise.all([api.get("/v1/me", this.options), api.pages("/v1/me/tokens?limit=200", this.options)]);
    this.here = here.token.id;
    this.hides = here.hides_presence; // for the page around
    const first = ({ id }) => (id === this.here ? 0 : 1);
    renew(this.list, [...tokens].reverse().sort((one, other) => first(one) - first(other)).map((one) => this.line(one)));
  }

  line(token) {
    const { id, created_at, expires_at, last_used_at } = token, here = id === this.here, name = labelTold(token);
    const over = expires_at && Date.parse(expires_at) <= Date.now();
    const used = here ? [] : [last_used_at ? t("last used {when}", { when: hour(last_used_at) }) : t("no use noted")];
    const ends = expires_at ? [over ? t("ended {day}", { day: day(expires_at) }) : t("until {day}", { day: day(expires_at) })] : [];
    return h("li", { class: "sought", "data-key": id }, h("span", { class: "who" }, h("b", {}, name), here ? h("span", { class: "yours" }, t("this browser")) : null),
      h("span", { class: "facts" }, [t("made {day}", { day: day(created_at) }), ...used, mayTold(token), ...ends].join(" · ")),
      button(here ? t("Sign out") : t("Take back"), () => (here ? this.signOut() : this.revoke(token)), { class: "quiet", "aria-label": here ? t("Sign out of this browser") : t("Take back: {name}", { name }) }));
  }

  revoke(token) {
    dialog(t("Take back: {name}", { name: labelTold(token) }), (close) => [h("p", {}, t("Whatever plays as you by it stops at once, and its seeks end. Your games, and your other devices, stay.")),
      h("div", { class: "bar" }, button(t("Take it back"), async () => {
        if (!(await attempt(() => revoke(token.id)))) return;
        close();
        await attempt(() => this.renew());
        toast(t("It plays as you no longer."), "good");
      }, { class: "go" }), button(t("Close"), close))]);
  }

  /** This browser forgets who plays; without another device nobody gets back to the account. */
  signOut() {
    const alone = this.list.childElementCount < 2;
    dialog(t("Sign out of this browser?"), (close) => [h("p", {}, alone ? t("Nothing else plays as you: nobody, you neither, would get back to this account. Make a link for another device first.")
      : t("This browser forgets you. To come back, make a link on another device and open it here.")),
    h("div", { class: "bar" }, button(t("Sign out"), () => attempt(async () => {
      await revoke(this.here);
      api.forget();
      location.hash = "#/";
      toast(t("This browser has forgotten you."), "good");
    }), { class: "go" }), button(t("Close"), close))]);
  }

  /** A link, once the device has a name by which to know it again. */
  ask() {
    const field = h("input", { type: "text", required: true, maxlength: "64", autocomplete: "off", value: t("another device") });
    dialog(t("Play on another device"), (close) => h("form", { class: "form", onsubmit: async (event) => {
      event.preventDefault();
      await attempt(async () => {
        const link = await linkFor(field.value.trim());
        close();
        showLink(t("Play on another device"), t("Link for another device"), t("Open this link there. Show it to nobody: who has it plays as you."), link);
        await this.renew();
      });
    } }, h("p", { class: "soft" }, t("A link by which you play as yourself elsewhere, too. You can take it back here.")), labelled(t("What you call the device"), field),
    h("div", { class: "bar" }, h("button", { type: "submit", class: "go" }, t("Make a link")), button(t("Close"), close))));
  }
}
