"""Examples of events."""

from holmgang.api.operation.terms import Example
from holmgang.api.resources.examples import AT, GAME, LATER, PLAYER, Story


def list_events(story: Story) -> Example:
    house = {"type": "seat_taken", "seat": story.seat, "player": PLAYER}
    items = [{"seq": 2, "at": AT, "turn": 0, "payload": house}]
    if story.effect is not None:
        items.append({"seq": 3, "at": LATER, "turn": 0, "payload": story.effect})
    told = {"items": items, "next": f"{story.base}/v1/games/{GAME}/events?after=3"}
    return Example({"game": GAME, "after": 0}, answers={"page": told})
