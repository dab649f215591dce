/** The games that can be played here, as the lobby knows them; their screens are had when one is opened (`brought.js`). */

import listed from "./games/index.js";
import { language } from "./i18n.js";
import { file } from "./place.js";

/** A game by its ruleset: `title`, `blurb`, `seats` (how many may play) and `usual` (how many do). */
export const games = Object.assign(Object.create(null), // with no names but these
  Object.fromEntries(listed.map((one) => [one.ruleset, { ...one, blurb: one.blurb[language] }])));

/** A game's picture, or a general one. */
export const signOf = ({ sign }) => (sign.startsWith("data:") ? sign : file(sign || "sign.svg"));
