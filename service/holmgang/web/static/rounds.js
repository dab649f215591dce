/** The rounds of a tournament, the latest first; earlier ones when they are asked for. */

import * as api from "./api.js";
import { button } from "./dom.js";
import { t } from "./i18n.js";
import { attempt } from "./lists.js";
import { ago } from "./terms.js";

const SHOWN = 20, MOST = 200;

export class Rounds {
  /** `told(round)` gives a round as it is shown; `changed()` is called when there are more to show. */
  constructor(path, options, told, changed) {
    Object.assign(this, { path, options, told, changed, items: [] });
    this.back = 0; // how many rounds before the latest somebody wants to see besides
  }

  /** Fetch them as they are, up to the one that is the latest now. */
  async renew(latest) {
    const from = Math.max(0, latest - SHOWN - this.back);
    this.latest = latest;
    this.items = await api.pages(`${this.path}/rounds?limit=${Math.min(MOST, SHOWN + this.back)}&cursor=${from}`, this.options);
  }

  earlier() {
    return attempt(async () => {
      this.back += SHOWN;
      await this.renew(this.latest);
      this.changed();
    });
  }

  get elements() {
    const first = this.items.length ? this.items[0].round : 1;
    return [...[...this.items].sort((one, other) => other.round - one.round).map((one) => this.told(one)),
      first > 1 ? button(t("Show earlier rounds ({n} more)", { n: first - 1 }), () => this.earlier(), { "data-key": "earlier" }) : null];
  }
}

/** When a round was paired, beside its number. */
export const roundTitle = ({ round, paired_at }) => t("Round {n}, {when}", { n: round, when: ago(paired_at) });
