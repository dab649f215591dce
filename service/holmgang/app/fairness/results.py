"""How results are written, in games and in their records."""

from __future__ import annotations

from holmgang.app.records.games import Result
from holmgang.engine.turn import Over


def result_of(over: Over) -> Result:
    """How a game ended: `winners` are the first group of the ranking."""
    return Result(
        winners=list(over.ranking[0]),
        ranking=[list(group) for group in over.ranking],
        scores=list(over.scores),
        reason=over.reason,
    )
