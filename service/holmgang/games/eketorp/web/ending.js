/** How near the end of the game is (E6.1), and what stones beyond a whole ring are for (E7). */

import { h } from "../../dom.js";
import { t } from "../../i18n.js";

export const ROUNDS = 10;
export const COMPLETE = 18;
const NEAR = 2;
/** Who lacks no more stones than this is told of. */

const OTHERS = [(told) => t("{name} has built 17 of 18 stones: one more, and the game ends with that round.", told), (told) => t("{name} has built 16 of 18 stones: two more, and the game ends with that round.", told)];
const OWN = [() => t("You have built 17 of 18 stones: one more, and the game ends with that round."), () => t("You have built 16 of 18 stones: two more, and the game ends with that round.")];

/** That the game may end with this round, in sentences; none while that is far off. */
export function ending({ view, seat: own, name }) {
  if (view.result) return [];
  const near = view.seats.map(({ seat, walls }) => ({ seat, missing: COMPLETE - walls.flat().length })).filter(({ missing }) => missing > 0 && missing <= NEAR);
  const told = view.round < ROUNDS ? near.map(({ seat, missing }) => (seat === own ? OWN[missing - 1]() : OTHERS[missing - 1]({ name: name(seat) }))) : [t("This is the last round.")];
  return near.some(({ seat }) => seat === own) ? [...told, t("What you bring home beyond 18 stones lies aside, and its value counts in the end all the same.")] : told;
}

/** The same in a panel, for pages on which how the game stands comes below it. */
export const endingTold = (ctx) => ending(ctx).map((said) => h("p", { class: "hint ending" }, said));
