"""How results are written, in games and in their records."""

from __future__ import annotations

from typing import Any

from service.engine.turn import Over


def result_of(over: Over) -> dict[str, Any]:
    """The result as clients see it. `winners` are the first group of the ranking."""
    return {
        "winners": list(over.ranking[0]),
        "ranking": [list(group) for group in over.ranking],
        "scores": list(over.scores),
        "reason": over.reason,
    }
