/**
 * The games that can be played here, each a module of its own with this form (as its default export):
 *
 *   ruleset, title, blurb        its name for the API, its name for people, and a sentence about it
 *   seats, quick                 how many may play, and how many are at the table of the one-click game
 *   places                       what can be clicked: `[{selector, id(element, ctx), label(element, ctx)}]`, by the classes
 *                                and data attributes of the board's picture; `id` is what steps name as their `place`
 *   tally(view, seat)            what a seat's score consists of, as `[[words, number]]`; may be left out
 *   asOf(record, events)         a combat's record as these events tell it, for replays; without it a combat is told whole.
 *                                A combat's step may have `scene()`: a picture of how it stands then
 *   ask(ctx, chosen)             a sentence: what is to be chosen now
 *   compose(ctx)                 a composer (see chooser.js) of the turn's actions; `listed(actions, steps)` makes one where
 *                                they are listed. Also when a sealed choice is replaced: then ctx.legal is null, and what
 *                                is possible follows from ctx.view alone
 *   describe(action, ctx)        what an action would do, or has done, in a sentence
 *   tell(event, ctx)             an event's payload in a sentence; null for what is not worth one
 *   marks(event)                 places that an event touched, to be shown on the board; a list of them is shown as a line
 *   combat(record, ctx)          a combat as `{title, steps: [{words, cards: [{seat, card}]}]}`; a card of null lies face down
 *   standing(ctx)                what else is to be known of how the game stands, in sentences; the picture's heading, which
 *                                tells this, too, is left out then
 *   gist                         how the game is played, in a few sentences, for who has never played it; not needed
 *   seatNote(seat, ctx)          how a seat stands, in a few words; not needed
 *   reason(reason)               why the game ended, in words
 *
 * ctx is what the page knows now: `turn` (GET /turn), `view`, `legal` (the turn's, or null), `kind`, `seat` (one's own, or
 * null), `name(seat)` for sentences. Modules ask the service for nothing themselves, and keep nothing.
 */

import claim from "./claim.js";
import drakkars from "./drakkars.js";
import eketorp from "./eketorp.js";

export const games = { __proto__: null, claim, drakkars, eketorp }; // with no names but these
