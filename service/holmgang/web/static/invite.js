/** An invitation to a private game, as a link. */

import * as api from "./api.js";
import { button, dialog, h, toast } from "./dom.js";
import { t } from "./i18n.js";
import { gamePath } from "./people.js";
import { at } from "./place.js";

/** Make an invitation for all other seats, and show its link. Problems are thrown. */
export async function invite({ id, seats }) {
  const made = await api.post(gamePath(id, "/invitations"), { uses: Math.max(1, seats.length - 1) }, { key: api.once() });
  const link = at(`/games/${id}#invitation=${made.secret}`);
  const field = h("input", { type: "text", readonly: true, value: link, "aria-label": t("Invitation link"), onfocus: (event) => event.target.select() });
  dialog(t("Invite to this game"), (close) => [h("p", {}, t("Send this link. Who opens it may look and sit down.")), field,
    h("div", { class: "bar" }, button(t("Copy the link"), async () => { try { await navigator.clipboard.writeText(link); toast(t("Copied."), "good"); } catch { field.select(); } }, { class: "go" }), button(t("Close"), close))]);
}
