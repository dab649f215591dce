/** The built-in bots: which of them can play a game, and how. */

import * as api from "./api.js";
import { t } from "./i18n.js";

const USUAL = "greedy";

/** How they play, in a few words. */
export const WAYS = { random: () => t("At random"), greedy: () => t("What looks best at once"), search: () => t("Thinking ahead") };

/** What the service says who can play a ruleset, from the weakest on; an older one, which does not say, has the usual one. */
export async function players(options = {}) {
  const { items } = await api.get("/v1/rulesets", options);
  return (ruleset) => items.find((one) => one.ruleset === ruleset)?.bots ?? [USUAL];
}

/** The one of these bots that plays unless somebody names another. */
export const usual = (bots) => (bots.includes(USUAL) ? USUAL : bots.at(-1));
