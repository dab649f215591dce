"""The bench that a step is worked on; sums of stones, and combats as they stand."""

from __future__ import annotations

from functools import lru_cache

from holmgang.engine import work
from holmgang.engine.turn import Seat

from .board import KINDS, SPACE_NAMES, STATIONS
from .effects import EketorpCombat, Looted, Pair, Wounded
from .model import Board, Fight, Kinds, State

NO_STONES: Kinds = (0, 0, 0, 0)


class Work(work.Work[Board, State, EketorpCombat]):
    """The bench."""

    __slots__ = ()

    board, state = Board, State


def plus(one: Kinds, other: Kinds) -> Kinds:
    return (one[0] + other[0], one[1] + other[1], one[2] + other[2], one[3] + other[3])


def counts(stones: tuple[int, ...]) -> dict[str, int]:
    """Stones by name, without those of which there are none."""
    return _counts(stones).copy()


@lru_cache(maxsize=4096)
def _counts(stones: tuple[int, ...]) -> dict[str, int]:
    return {name: n for name, n in zip(KINDS, stones, strict=True) if n}


def winner_of(fight: Fight) -> Seat | None:
    """E4.4, of a fight whose cards are shown; None for a tie. An undefended village's card counts 0 (E4.7.3)."""
    mine, theirs = fight.cards[0], 0 if fight.undefended else fight.cards[1]
    return None if mine == theirs else fight.attacker if mine > theirs else fight.defender


def wounded_of(fight: Fight) -> tuple[tuple[Seat, int], ...]:
    """E4.5, E4.7.2 to E4.7.4: who goes to hospital, and the station where each arrives in the end."""
    winner = winner_of(fight)
    if winner is None:
        return ((fight.attacker, 2), (fight.defender, 2))
    station = 0 if fight.difference >= 3 else 1
    if winner == fight.defender:
        return ((fight.attacker, station),)
    if fight.undefended:
        return ()
    return ((fight.defender, station + fight.siege),)


def record_of(d: Board, status: str, loot: Looted | None = None) -> EketorpCombat:
    """The open combat's resolution as it stands. Whoever played their only card has taken up their pile (E4.6)."""
    fight = d.fight
    assert fight is not None
    settled = fight.difference >= 0
    return EketorpCombat(
        number=fight.number,
        status=status,
        round=d.round,
        kind="siege" if fight.siege else "fight",
        space=SPACE_NAMES[fight.space],
        attacker=fight.attacker,
        defender=fight.defender,
        undefended=fight.undefended,
        forced=fight.started == "forced",
        defaulted=fight.started == "defaulted",
        amulets=Pair(*fight.spent),
        cards=Pair(*fight.cards) if settled else None,
        cards_forced=tuple(s for s in (fight.attacker, fight.defender) if settled and not d.piles[s]),
        difference=fight.difference if settled else None,
        winner=winner_of(fight) if settled else None,
        wounded=tuple(Wounded(seat, STATIONS[station]) for seat, station in wounded_of(fight)) if settled else (),
        loot=loot,
    )
