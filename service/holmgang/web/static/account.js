/** One's own account: another name, one's devices, one's games to take along, and the end of it. */

import * as api from "./api.js";
import { Devices } from "./devices.js";
import { button, dialog, h, labelled, show, toast } from "./dom.js";
import { t } from "./i18n.js";
import { attempt } from "./lists.js";
import { isolated, openDialogs } from "./people.js";

const PATIENCE_MS = 600000;
/** Any number of games may come. */

export class Account {
  constructor() {
    this.element = h("div", { class: "narrow account" });
    this.stopper = new AbortController();
  }

  async start() {
    if (!api.me) {
      show(this.element, h("h1", {}, t("Your account")), h("p", {}, t("Nobody plays in this browser yet. You get a name with your first game.")), h("a", { class: "button go", href: "#/" }, t("To the lobby")));
      return;
    }
    this.devices = new Devices(this.stopper.signal);
    await this.devices.start();
    const field = h("input", { name: "new", type: "text", maxlength: "40", required: true, autocomplete: "nickname", value: api.me.name });
    show(this.element, h("h1", {}, t("Your account")), h("p", {}, h("a", { href: `#/players/${api.me.id}` }, t("Your profile"))),
      h("section", { class: "panel" }, h("h2", {}, t("Name")), h("form", { class: "form", onsubmit: (event) => { event.preventDefault(); this.rename(field.value.trim()); } },
        h("p", { class: "soft" }, t("You stay who you are, with your games and seats. The former name is shown with you for a year.")),
        labelled(t("New name"), field), h("div", { class: "bar" }, h("button", { type: "submit", class: "go" }, t("Change the name"))))),
      this.devices.element,
      h("section", { class: "panel" }, h("h2", {}, t("Alerts")), h("p", { class: "soft" }, t("Tones and notifications when it is your turn, or when somebody challenges you.")),
        h("div", { class: "bar" }, button(t("Alerts"), async () => (await import("./play.js")).default.alerts()))),
      this.presence(),
      this.others(),
      h("section", { class: "panel" }, h("h2", {}, t("Your games")), h("p", { class: "soft" }, t("The records of all your finished games, one in a line: enough to verify them, and to play them again.")),
        h("div", { class: "bar" }, button(t("Download"), () => attempt(() => this.download())))),
      h("section", { class: "panel" }, h("h2", {}, t("Delete the account")), h("p", { class: "soft" }, t("You leave and give up all games. What you played stays, without your name. There is no way back.")),
        h("div", { class: "bar" }, button(t("Delete the account"), () => this.ask(), { class: "quiet" }))));
  }

  stop() {
    this.stopper.abort();
    openDialogs().forEach((one) => one.close());
  }

  /** Whether others are told that one is here. */
  presence() {
    const { hides } = this.devices;
    if (hides === undefined) return null; // this browser may not change it
    const box = h("input", { type: "checkbox", name: "presence", checked: !hides, onchange: () => this.tellPresence(box) });
    return h("section", { class: "panel" }, h("h2", {}, t("Whether you are here")), h("p", { class: "soft" }, t("Those who sit at a table with you see whether you are here, or for how many minutes you have been away. Nobody else does.")),
      h("label", { class: "check" }, box, h("span", {}, t("Let the others at my tables see whether I am here"))));
  }

  async tellPresence(box) {
    const shown = box.checked;
    if (!(await attempt(() => api.call("PATCH", "/v1/me", { body: { hides_presence: !shown }, repeat: true })))) box.checked = !shown;
    else toast(shown ? t("The others at your tables see whether you are here.") : t("Nobody sees any more whether you are here."), "good");
  }

  /** Who else plays in this browser. */
  others() {
    const found = api.others();
    if (!found.length) return null;
    return h("section", { class: "panel" }, h("h2", {}, t("Others who play in this browser")), h("div", { class: "bar" }, found.map((one) => button(t("Play as {name}", { name: isolated(one.name) }), () => api.switchTo(one.id)))));
  }

  async rename(name) {
    if (await attempt(() => api.rename(name))) toast(t("Your name is {name} from now on.", { name: isolated(name) }), "good");
  }

  async download() {
    const found = await api.get("/v1/me/games/export", { accept: "application/x-ndjson, application/problem+json", patience: PATIENCE_MS });
    const address = URL.createObjectURL(new Blob([found], { type: "application/x-ndjson" }));
    h("a", { href: address, download: "holmgang.ndjson" }).click();
    URL.revokeObjectURL(address);
  }

  ask() {
    const { name } = api.me, field = h("input", { type: "text", required: true, autocomplete: "off" });
    dialog(t("Delete the account?"), (close) => h("form", { class: "form", onsubmit: async (event) => {
      event.preventDefault();
      if (!(await attempt(() => api.call("DELETE", "/v1/me", { body: { name: field.value } })))) return;
      api.forget();
      location.hash = "#/";
      toast(t("Your account is gone."), "good");
    } }, h("p", {}, t("There is no way back. Write your name, {name}, to confirm.", { name: isolated(name) })), labelled(t("Your name"), field),
    h("div", { class: "bar" }, h("button", { type: "submit", class: "go" }, t("Delete for ever")), button(t("Close"), close))));
  }
}
