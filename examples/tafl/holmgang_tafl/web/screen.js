/** Tafl: what the general screen cannot know, in words. Men are chosen on the board. */

import { t, together } from "../../i18n.js";

const reasons = {
  king_home: t("the king got home"),
  king_taken: t("the king was taken"),
  no_moves: t("no move was left"),
  repetition: t("the position stood for the third time"),
  turn_limit: t("the turns were used up"),
  last_seat: t("only one side was left"),
};
const tellers = {
  moved: (e, name) => t("{name} moves from {start} to {end}.", { name, start: e.from, end: e.to }),
  taken: (e, name) => t("{name} takes what stands on {points}.", { name, points: together(e.points) }),
  ended: (e) => t("The game ends by rule {rule}.", { rule: e.rule }),
};
const count = (table, men) => table.board.split(men).length - 1;

export default {
  boardFirst: true,
  ask: () => t("Choose one of your men, and where it goes."),
  describe: (action) => t("Move from {start} to {end}.", { start: action.from, end: action.to }),
  tell: (event, ctx) => tellers[event.type](event, ctx.name(event.seat)),
  marks: (event) => (event.type === "moved" ? [[event.from, event.to]] : event.points || []),
  reason: (reason) => reasons[reason],
  seatNote: (seat, { view: { table } }) => (seat ? t("defends the king: {men}", { men: count(table, "d") }) : t("attacks: {men}", { men: count(table, "a") })),
};
