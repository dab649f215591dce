/** An invitation to a private game, as a link. */

import * as api from "./api.js";
import { t } from "./i18n.js";
import { gamePath, showLink } from "./people.js";
import { at } from "./place.js";

/** Make an invitation for all other seats, and show its link. Problems are thrown. */
export async function invite({ id, seats }) {
  const made = await api.post(gamePath(id, "/invitations"), { uses: Math.max(1, seats.length - 1) }, { key: api.once() });
  showLink(t("Invite to this game"), t("Invitation link"), t("Send this link. Who opens it may look and sit down."), at(`/games/${id}#invitation=${made.secret}`));
}
