/** What belongs together of what has happened: what befalls somebody, with the move that brought it about. */

/**
 * Of all events, in their order, those that are in `some`, each after the one that brought it about: the latest before it of which the
 * game's `move(event)` says that a move begins by it.
 */
export function withCauses(events, some, game) {
  const told = new Set();
  let cause = null;
  for (const event of events) {
    if (game.move(event.payload)) cause = event;
    if (!some.has(event)) continue;
    if (cause) told.add(cause);
    told.add(event);
  }
  return [...told];
}
