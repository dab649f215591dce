"""Examples of problems. What a game refuses is taken from one that is really played."""

from __future__ import annotations

from service.api.problems.documents import document
from service.api.problems.table import PROBLEMS
from service.api.resources.examples import GAME, SUBMISSION, Story, Values


def problem_examples(story: Story) -> dict[str, Values]:
    """A problem document of every code."""
    found: dict[str, Values] = {}
    title, fewest, most = story.rules.title, story.rules.seat_counts[0], story.rules.seat_counts[-1]
    option, malformed = story.faults["invalid_option"], story.faults["malformed_action"]
    for code, row in PROBLEMS.items():
        extras: dict[str, Values] = {
            "invalid_request": {
                "errors": [{"pointer": "/nmae", "code": "unknown_field", "detail": "Unknown field."}],
            },
            "invalid_field": {
                "errors": [
                    {
                        "pointer": "/seats",
                        "code": code,
                        "detail": f"{title} takes {fewest} to {most} players, not {most + 3}.",
                    }
                ]
            },
            "invalid_option": {
                "rule": option.rule,
                "errors": [{"pointer": "/options" + option.pointer, "code": code, "detail": option.detail}],
            },
            "malformed_action": {
                "errors": [{"pointer": "/action" + malformed.pointer, "code": code, "detail": malformed.detail}]
            },
            "illegal_action": {"rule": story.faults["illegal_action"].rule},
            "missing_scope": {"scope": "play"},
            "stale_turn": {"current_turn": 8},
            "already_submitted": {
                "game": GAME,
                "submission": SUBMISSION,
                "revision": 1,
                "receipt": f"{story.base}/v1/games/{GAME}/submissions/{SUBMISSION}",
            },
            "revision_conflict": {"revision": 2},
            "limit_reached": {"what": "webhooks", "limit": 20},
            "seat_taken": {"free": [2]},
            "already_seated": {"seat": 1},
            "not_found": {"what": "game"},
        }
        detail = row.meaning.replace("`", "'")
        found[code] = document(code, detail, "019a0c56-aa00-7000-8000-000000000001", story.base, extra=extras.get(code))
    return found
