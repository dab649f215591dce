"""K6.1, K6.2 and C5 to C7: how a game ends, and how the sides stand then."""

from __future__ import annotations

from typing import Any

from holmgang.engine.teams import partners_across, ranked, side
from holmgang.engine.turn import Over, Seat

from .effects import GameEnded
from .island import CASTLES, NOWHERE
from .model import Board
from .work import Work

TEAM_CASTLES = 5


def gone(board: Board, seat: Seat) -> bool:
    return bool(board.resigned >> seat & 1)


def judge_castles(w: Work) -> None:
    """K6.1: three castles on three territories, or with partners five together; never for those who resigned."""
    d = w.d
    mine = side(d.players, d.active)
    wanted = CASTLES if len(mine) == 1 else TEAM_CASTLES
    if not gone(d, d.active) and sum(owner in mine for owner in d.castles) >= wanted:
        finish(w, "castles", mine)


def alone(w: Work) -> bool:
    """K6.2: a side that alone has pieces on the island has won, unless it resigned."""
    d = w.d
    left = [team for team in partners_across(d.players) if any(d.pieces[s] for s in team)]
    if len(left) != 1 or gone(d, left[0][0]):
        return False
    finish(w, "alone", left[0])
    return True


def finish(w: Work, reason: str, winners: tuple[Seat, ...] = ()) -> None:
    """Nobody is asked any more. Without winners the most castles win, then the most pieces (K6.3)."""
    d = w.d
    d.phase, d.reason, d.awaited, d.due, d.chaser = "over", reason, (), (), NOWHERE
    d.winners = winners
    d.winners = over(d).ranking[0]
    counted = tuple(d.castles.count(s) for s in range(d.players))
    w.effects.append(
        GameEnded(
            reason=reason,
            winners=d.winners,
            castles=counted,
            pieces=tuple(bits.bit_count() for bits in d.pieces),
        )
    )


def over(board: Board) -> Over:
    """C5, C6: winners first, then by castles and pieces, sides summed; who resigned comes behind all who stayed."""

    def standing(team: tuple[Seat, ...]) -> tuple[Any, ...]:
        return (
            not gone(board, team[0]),
            team[0] in board.winners,
            sum(board.castles.count(s) for s in team),
            sum(board.pieces[s].bit_count() for s in team),
        )

    groups = ranked(partners_across(board.players), standing)
    return Over(tuple(board.castles.count(s) for s in range(board.players)), groups, board.reason)
