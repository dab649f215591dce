"""Examples of pictures."""

from __future__ import annotations

from service.api.operation.description import Example
from service.api.resources.examples import GAME
from service.api.resources.story import Story


def get_board_picture(story: Story) -> Example:
    return Example({"game": GAME, "theme": "auto"}, answers={story.rules.ruleset: story.picture})
