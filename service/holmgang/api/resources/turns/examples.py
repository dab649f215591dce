"""Examples of views, turns and pictures."""

from holmgang.api.operation.terms import Example
from holmgang.api.resources.examples import DEADLINE, GAME, LATER, Story


def get_board_picture(story: Story) -> Example:
    return Example({"game": GAME, "theme": "auto"}, answers={story.rules.ruleset: story.picture})


def get_view(story: Story) -> Example:
    return Example({"game": GAME}, answers={story.rules.ruleset: story.view})


def get_turn(story: Story) -> Example:
    turn = {
        "game": GAME,
        "version": 9,
        "status": "active",
        "turn": story.asked.turn,
        "kind": story.asked.kind,
        "sealed": story.asked.sealed,
        "awaited": list(story.asked.seats),
        "submitted": [],
        "defaulted": [],
        "seat": story.seat,
        "yours": True,
        "submission": None,
        "context": story.context,
        "legal": story.legal,
        "last_turn": None,
        "deadline": DEADLINE,
        "clocks": None,
        "server_time": LATER,
        "next_poll_ms": 1000,
    }
    return Example({"game": GAME, "include": "view"}, answers={"yours": turn})
