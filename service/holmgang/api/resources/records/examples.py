"""Examples of records of games."""

from holmgang.api.operation.terms import Example
from holmgang.api.resources.examples import OVER_GAME, SEED, Story, plain


def get_record(story: Story) -> Example:
    record = {
        "game": OVER_GAME,
        "ruleset": story.rules.ruleset,
        "version": story.rules.version,
        "seats": story.seats,
        "teams": plain(story.rules.teams(story.seats)),
        "options": story.options,
        "terms": story.terms.decode(),
        "commitment": story.commitment.hex(),
        "seed": SEED.hex(),
        "entropy": [None] * story.seats,
        "log": [story.log[0], story.log[-1]],
        "head": story.log[-1]["row_hash"],
        "result": story.result,
    }
    return Example({"game": OVER_GAME}, answers={"record": record})
