/**
 * The screens of games: what a game's `screen.js` exports by default, or what the house has for every game (`general.js`).
 *
 * A screen is an object with any of these; what it does not have, the general one does:
 *
 *   places                       what can be clicked: `[{selector, id(element, ctx), label(element, ctx)}]`, by the classes
 *                                and data attributes of the board's picture; `id` is what steps name as their `place`. `outline` selects the path
 *                                whose shape the place has, where that is no rectangle
 *   above                        selects what stands on the board, below which lines from place to place are drawn
 *   ask(ctx, chosen)             a sentence: what is to be chosen now
 *   compose(ctx)                 a composer (see chooser.js) of the turn's actions; `listed(actions, steps)` of chooser.js and
 *                                `ways` of ways.js make one where they are listed. Also when a sealed choice is replaced:
 *                                then ctx.legal is null, and what is possible follows from ctx.view alone
 *   describe(action, ctx)        what an action would do, or has done, in a sentence
 *   tell(event, ctx)             an event's payload in a sentence; null for what is not worth one
 *   move(event)                  whether a move begins by an event: what befalls others then is told together with it, and in a log a move is
 *                                read downwards; null where turns are moves
 *   ruleOf(event)                the id of the rule that an event's payload follows, for who wonders; null for none
 *   reason(reason)               why the game ended, in words
 *   endRule(reason)              the id of the rule by which it ended; null for none
 *   won(result, about)           why its winners won, as `{words, rule}`, in a sentence that beginners understand; null for nothing to
 *                                say. `result` is the game's (`winners`, `ranking`, `scores`, `reason`); about is `view`, `seat`,
 *                                `name(seat)`, and `sides`: lists of seats that win together
 *   combat(record, ctx)          a combat as `{title, steps: [{words, cards: [{seat, card}]}]}`; a card of null lies face down.
 *                                A step may have the `rule` that it follows, by its id, and `scene()`: a picture of how it stands then
 *   asOf(record, events)         a combat's record as these events tell it, for replays; else a combat is told whole
 *   marks(event, ctx)            places that an event touched, to be shown on the board; a list of them is shown as a line
 *   signs()                      what signs on the picture mean, for the line at the board, as `[[selector, sign, words]]`
 *   plays(event, ctx)            what moves on the board with an event: a list of flights (see player.js)
 *   standing(ctx)                what else is to be known of how the game stands, in sentences
 *   seatNote(seat, ctx)          how a seat stands, in a few words
 *   tally(view, seat)            what a seat's score consists of, as `[[words, number, rule]]`; the rule's id may be left out
 *   explain(element, ctx)        what a group of the picture, or an element of the panel where one chooses, is:
 *                                `{name, what, now, rule}`, or null where it means nothing by itself. `what` is a sentence or two, `now` one
 *                                about what it can do just now, `rule` a rule's id; each may be left out but `what`
 *   rules                        the rules of all kinds of turns, by their names, for what has no explanation of its own; of
 *                                sending a `choice` and of giving up (`resign`), too
 *   gist                         how the game is played, in a few sentences, for who has never played it
 *   chance                       a sentence: what chance decides in the game, where that is little
 *   headless: true               `standing` tells what the picture's heading tells (`g.heading`, whose lower edge is `data-bottom`), which is left out then
 *   boardFirst: true             on a narrow page the board comes before how the game stands
 *   told: false                  combats are played step by step, since the board does not show all of them
 *
 * ctx is what the page knows now: `turn` (GET /turn), `view`, `legal` (the turn's, or null), `kind`, `seat` (one's own, or
 * null), `name(seat)` for sentences, `places` (what the picture has at `data-at`), `were` (what was legal in this turn when
 * one was asked, where that is known). Screens ask the service for nothing themselves, and keep nothing.
 *
 * A screen that cannot be had, or that fails, is given up for as long as the page is open, and the general one goes on.
 */

import { fetchScreen, PATIENCE_MS, wear } from "./brought.js";
import { h } from "./dom.js";
import { General } from "./general.js";
import { t } from "./i18n.js";

/** The screen by which a game is shown. `anew` is called when its own had to be given up: all is to be drawn by the general one. */
export async function screenOf(game, anew) {
  const general = new General(game);
  const late = new Promise((go) => { window.setTimeout(go, PATIENCE_MS, null); });
  const worn = Promise.race([wear(game), late]);
  const own = await Promise.race([fetchScreen(game), late]);
  await worn;
  if (!own) await general.learn();
  return watched(own, general, { broken: game.screen && !own, anew });
}

/** What an action does, where less may be known than when it is chosen: by the screen if it can tell, else by the general one. */
function described(screen, general, action, ctx) {
  try {
    return (screen && screen.describe ? screen : general).describe(action, ctx);
  } catch {
    return general.describe(action, ctx);
  }
}

/** What a composer of a screen that fails says meanwhile. */
const NOTHING = { options: () => [], onwards: () => [], implied: () => [], from: () => [], action: () => null, panel: () => h("div"), pick: (chosen) => chosen };

/**
 * A screen of which whatever fails is done by the general one. `given` is called with a fault that it led to elsewhere:
 * it gives whether there is anything to give up. `notice` says that the screen does not work, or is null.
 */
function watched(own, general, { broken, anew }) {
  let given = own === null;
  const giveUp = (fault) => {
    if (given) return false;
    given = true;
    broken = true;
    console.error(fault);
    general.learn().then(anew);
    return true;
  };
  const careful = (made, name, otherwise) => (...args) => {
    try {
      return made[name](...args);
    } catch (fault) {
      giveUp(fault);
      return otherwise(...args);
    }
  };
  const within = (made) => new Proxy(made, {
    get: (composer, name) => (typeof composer[name] === "function" ? careful(composer, name, NOTHING[name] || (() => undefined)) : composer[name]),
  });
  const shown = { // what is made by a screen and called later
    compose: within,
    combat: (found) => ({ ...found, steps: found.steps.map((step) => (step.scene ? { ...step, scene: careful(step, "scene", () => null) } : step)) }),
  };
  const word = (name) => (typeof general[name] === "function" ? general[name].bind(general) : general[name]);
  return new Proxy(general, {
    get(_, name) {
      if (name === "giveUp") return giveUp;
      if (name === "notice") return broken ? t("The screen of {title} does not work here; the general one is shown instead.", { title: general.title }) : null;
      if (name === "words") return (action, ctx) => described(given ? general : own, general, action, ctx);
      if (given) return word(name);
      try {
        if (!(name in own) || name in general.game) return word(name);
        if (typeof own[name] !== "function") return own[name];
      } catch (fault) {
        giveUp(fault);
        return word(name);
      }
      const otherwise = (...args) => word(name)(...args);
      return careful({ call: (...args) => (shown[name] || ((made) => made))(own[name](...args)) }, "call", otherwise);
    },
  });
}
