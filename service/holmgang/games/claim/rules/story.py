"""Effects in sentences, for feeds that people read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from holmgang.engine.messages import how_many

from . import effects as e


def tell(effect: Any) -> str:
    """One sentence; seats are written `seat 2`."""
    told = _TELL[type(effect)](effect)
    if getattr(effect, "defaulted", False):
        told += " (played for a seat that has resigned)"
    return told[0].upper() + told[1:] + "."


def _ended(f: e.GameEnded) -> str:
    why = {
        "castles": "the castles are enough",
        "alone": "nobody else has pieces",
        "repetition": "the position has stood four times",
        "turn_limit": "the turns are used up",
        "last_seat": "one side is left",
    }[f.reason]
    winners = " and ".join(f"seat {s}" for s in f.winners)
    counts = ", ".join(
        f"seat {s} {how_many(c, 'castle')} and {how_many(p, 'piece')}"
        for s, (c, p) in enumerate(zip(f.castles, f.pieces, strict=True))
    )
    return f"the game ends, since {why}: {counts}; {winners} {'wins' if len(f.winners) == 1 else 'win'}"


_TELL: Mapping[type, Callable[[Any], str]] = {
    e.FirstPlayerChosen: lambda f: f"seat {f.seat} is first player, by {f.by}",
    e.PiecesPlaced: lambda f: f"seat {f.seat} places {' and '.join(f.points)}",
    e.PiecesRemoved: lambda f: (
        f"seat {f.seat} takes off " + ", ".join(f"{p} of seat {v}" for p, v in zip(f.points, f.victims, strict=True))
    ),
    e.BattleTurnStarted: lambda f: (
        f"battle turn {f.number} of seat {f.seat}"
        + (f"; the position stands for the {f.repeats}. time" if f.repeats > 1 else "")
    ),
    e.CastleReturned: lambda f: f"a castle of seat {f.owner} leaves {f.point} in territory {f.territory}",
    e.CastlePlaced: lambda f: (
        f"seat {f.seat} {'claims' if f.claimed else 'takes'} territory {f.territory} at {f.point}"
    ),
    e.ClaimDeclined: lambda f: f"seat {f.seat} claims nothing",
    e.PieceMoved: lambda f: f"seat {f.seat} moves {' to '.join(f.path)}",
    e.Caught: lambda f: f"combat {f.combat}: seat {f.seat} catches a {f.kind} of seat {f.victim} on {f.point}",
    e.ChaseEnded: lambda f: f"seat {f.seat} chases no further",
    e.TurnSkipped: lambda f: f"seat {f.seat} cannot move",
    e.SeatResigned: lambda f: f"seat {f.seat} resigns" + (" with its partner" if len(f.seats) > 1 else ""),
    e.GameEnded: _ended,
}
