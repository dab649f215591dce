/** On what terms games are played, and how long ago things were, in few words. */

import { games } from "./games.js";
import { t } from "./i18n.js";

/** The rating with which everybody begins. */
export const NEWCOMER = 1500;

/** A span in seconds: `5 min`. */
export function span(seconds) {
  if (seconds % 86400 === 0) return t("{n} d", { n: seconds / 86400 });
  if (seconds % 3600 === 0) return t("{n} h", { n: seconds / 3600 });
  if (seconds % 60 === 0) return t("{n} min", { n: seconds / 60 });
  return t("{n} s", { n: seconds });
}

/** How much time a player has. */
function clockTold({ turn_seconds, bank_seconds, increment_seconds }) {
  const told = [];
  if (turn_seconds) told.push(t("{time} a turn", { time: span(turn_seconds) }));
  if (bank_seconds) told.push(increment_seconds ? t("{time} in all, and {more} for each choice", { time: span(bank_seconds), more: span(increment_seconds) }) : t("{time} in all", { time: span(bank_seconds) }));
  return told.length ? told : [t("no limit of time")];
}

/** What is agreed about a game, a seek or a challenge: its clock, and whether it counts. */
export const termsTold = (terms) => [...clockTold(terms), terms.rated ? t("rated") : t("casual"), ...(terms.visibility === "private" ? [t("private")] : [])].join(" · ");

/** How long ago it was. */
export function ago(when) {
  const minutes = Math.floor(Math.max(0, Date.now() - Date.parse(when)) / 60000);
  if (minutes < 1) return t("just now");
  if (minutes < 60) return t("{n} min ago", { n: minutes });
  if (minutes < 1440) return t("{n} h ago", { n: Math.floor(minutes / 60) });
  return t("{n} d ago", { n: Math.floor(minutes / 1440) });
}

/** A ruleset's title; its name where it cannot be played here. */
export const titleOf = (ruleset) => games[ruleset]?.title ?? ruleset;

/** Clocks to choose among, each as terms and in words. */
export const clocks = () => [
  [{}, t("as long as it takes")], [{ turn_seconds: 60 }, t("a minute for a turn")], [{ turn_seconds: 300 }, t("five minutes for a turn")],
  [{ bank_seconds: 300, increment_seconds: 5 }, t("five minutes in all, and 5 s for each choice")],
  [{ bank_seconds: 900, increment_seconds: 10 }, t("a quarter of an hour in all, and 10 s for each choice")],
  [{ turn_seconds: 86400 }, t("a day for a turn")], [{ turn_seconds: 604800 }, t("a week for a turn")],
];

/** Whether a game is over in one sitting, by the service's rule for seeks. */
export const live = ({ turn_seconds, bank_seconds }) => [turn_seconds, bank_seconds].some((n) => n && n < 86400);
