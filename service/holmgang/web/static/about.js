/**
 * What a thing on the page is, in a sentence or two: a piece or a space of the board, a button of the panel where one chooses,
 * or one of the table's own buttons (`data-about`). The game's screen says it of what is its own (`explain`, see screens.js).
 */

import { t } from "./i18n.js";

/** The table's own buttons. Those with a name after them are told with the rule that the screen's `rules` has by it. */
const ABOUT = {
  confirm: [() => t("Sends your choice. What all choose in secret you can change until the last one has chosen."), "choice"],
  undo: [() => t("Takes back the last step of this choice. Nothing has been sent yet."), "step"],
  keep: [() => t("Goes back: the choice that you have sent stands."), "choice"],
  change: [() => t("Opens your secret choice again. Nobody learns that you have changed it."), "choice"],
  list: [() => t("The same choices as on the board, as a list of buttons."), "step"],
  further: [() => t("Moves the board up: more of what you can choose lies below its edge.")],
  skip: [() => t("Shows at once how it stands now. What has changed stays marked on the board.")],
  onward: [() => t("Nothing more is played until you are asked.")],
  pace: [() => t("How fast moves are played on your board. The others do not wait for it.")],
  now: [() => t("Shows the board as it is now. What you had begun to choose is still there.")],
  earlier: [() => t("Shows the combat before this one.")],
  later: [() => t("Shows the combat after this one.")],
  again: [() => t("Tells this combat once more, step by step.")],
  scene: [() => t("Shows the board as it was in this combat. The buttons beside change the words only.")],
  rule: [() => t("Shows the words of this rule.")],
  leave: [() => t("Gives your seat back. The game has not begun, so nothing is lost.")],
  resign: [() => t("Ends the game for you: safe choices are made for you, and you cannot win. You are asked once more before that."), "resign"],
  watch: [() => t("Plays the whole game again, move by move, with a slider.")],
  invite: [() => t("Shows the link by which others come to this private game.")],
  rules: [() => t("How the game is played in a few sentences, and every rule by its number.")],
  bot: [() => t("A bot takes this seat. The game begins when no seat is free.")],
  back: [() => t("Ends your absence: you choose yourself again.")],
  vacation: [() => t("Your clock stands, and the game waits for you. You are asked once more before that.")],
  presence: [() => t("Whether they have this page open, or play by a program: noted by the minute, for those at the table alone. Everybody can hide it, on the page of their account.")],
  return: [() => t("Your clock runs again when you are asked. What is left of your leave you may take another time.")],
  alerts: [() => t("Tones and notifications when it is your turn, or when somebody challenges you.")],
  result: [() => t("How the game ended, and each part of the final score with its rule.")],
  link: [() => t("Copies the address of the moment that you look at, to send it to somebody.")],
  row: [() => t("Every move of the game, from the first to the last: draw it to any of them.")],
  start: [() => t("Back to the board before the first move.")],
  end: [() => t("The board when the game was over.")],
  play: [() => t("Plays the moves one after another from here, and stops when it is pressed again.")],
  "step back": [() => t("One move back.")],
  "step on": [() => t("One move on, which is played on the board.")],
  "change on": [() => t("On to the next move that changed something on the board.")],
  speed: [() => t("How fast moves are played here.")],
  seen: [() => t("Whose view is shown: what each seat saw then, its own secrets among it, or what everybody saw.")],
  sit: [() => t("Takes a free seat. The game begins when no seat is free.")],
};

const ruleOf = (game, ctx, name) => (game.rules || {})[name] || (name === "choice" || name === "step" ? (game.rules || {})[ctx.kind] : undefined);

const PRESSED = "button, summary, select, a.button";
const sizeOf = ({ width, height }) => width * height;

/** All on a picture that may be a piece or a space. */
export const pieces = (picture) => [...picture.querySelectorAll("g[class], g[data-at]")].filter((one) => !one.closest(".over, .played"));

const touches = (box, x, y) => box.width > 0 && x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;

/** The screen's word on an element or on what is around it, up to `end`. */
function within(element, end, game, ctx) {
  for (let one = element; one && one !== end; one = one.parentElement) {
    const told = game.explain(one, ctx);
    if (told) return { ...told, element: one };
  }
  return null;
}

/** What lies at a point of the board, the smallest first; a place that can be chosen says what choosing it means. */
export function atPoint(board, x, y, target, game, ctx) {
  const offer = target && board.offers.find((one) => one.target === target);
  const there = pieces(board.picture).map((element) => ({ element, box: element.getBoundingClientRect() })).filter(({ box }) => touches(box, x, y));
  there.sort((one, other) => sizeOf(one.box) - sizeOf(other.box));
  for (const element of [...there.map((one) => one.element), ...(offer ? [offer.element] : [])]) {
    const told = onPicture(board, element, game, ctx, offer);
    if (told) return told;
  }
  return null;
}

/** A group of the picture, and what choosing it means where that is offered. */
export function onPicture(board, element, game, ctx, offer = board.offers.find((one) => one.element === element)) {
  const told = game.explain(element, ctx);
  return told && { ...told, element, now: offer ? offered(offer, told) : told.now };
}

/** What choosing it means, where that says more than its name. */
const offered = ({ label }, { name }) => (name && name.toLowerCase().includes(label.toLowerCase()) ? t("You can choose this now.") : t("You can choose this now: {what}.", { what: label.replace(/\.$/, "") }));

/** What has the focus on the board: a place that can be chosen. */
export function atTarget(board, target, game, ctx) {
  const offer = board.offers.find((one) => one.target === target), told = offer && within(offer.element, board.picture, game, ctx);
  return told ? { ...told, element: target, now: offered(offer, told) } : null;
}

/** A button or anything else beside the board; `chooser` knows which steps its buttons stand for. */
export function beside(element, { board, chooser, root }, game, ctx) {
  const pressed = element.closest(PRESSED);
  const own = chooser && element.closest(".choose") && within(element, chooser.element, game, ctx);
  if (own && (!pressed || pressed.contains(own.element) || own.element.contains(pressed))) return { ...own, element: pressed || own.element };
  const named = element.closest("[data-about]");
  if (named && root.contains(named) && ABOUT[named.dataset.about]) {
    const [what, rule] = ABOUT[named.dataset.about];
    return { element: named, what: what(), rule: rule && ruleOf(game, ctx, rule) };
  }
  if (!pressed || !chooser || !chooser.element.contains(pressed)) return null;
  const step = chooser.steps().find((one) => one.key === pressed.dataset.step);
  const place = step && step.place && board.picture && board.places(game, ctx).get(step.place);
  const told = place && within(place.element, board.picture, game, ctx);
  if (told) return { ...told, element: pressed, now: offered(step, told) };
  return { element: pressed, what: t("A step of your choice. Nothing is sent before you confirm it."), rule: ruleOf(game, ctx, "step") };
}
