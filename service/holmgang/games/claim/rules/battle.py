"""K2.4, K3, K4 and K6.3: battle turns, moves, catches, castles in the place of caught ones, the chase; resigning."""

from __future__ import annotations

import hashlib
from typing import Any

from holmgang.engine.teams import partners_across, side
from holmgang.engine.tuples import put
from holmgang.engine.turn import Seat

from .claims import after_claim, ask_claim, give_back, set_castle
from .effects import (
    BattleTurnStarted,
    Caught,
    ChaseEnded,
    ClaimCombat,
    ClaimDeclined,
    Closer,
    PieceMoved,
    SeatResigned,
    TurnSkipped,
)
from .ending import alone, finish, gone, judge_castles
from .island import NOWHERE, Island, points_of
from .model import Board
from .moving import Catch, Nets, can_move, further_catches, moves_of, only_way
from .work import Work, castle_bits, in_hand, occupied

MOST_TURNS = 200
MOST_REPEATS = 4


def position(board: Board) -> bytes:
    """K6.3: pieces, castles and the player to move, as 8 bytes."""
    key = (tuple(map(int, board.pieces)), board.castles, board.castle_points, board.active)
    return hashlib.blake2b(repr(key).encode(), digest_size=8).digest()


def begin(w: Work) -> None:
    """A battle turn begins (K2.4): K6.2 and K6.3 first, then K5, then K3."""
    d = w.d
    if alone(w):
        return
    if d.turns[d.active] == MOST_TURNS:
        finish(w, "turn_limit")
        return
    here = position(d)
    repeats = d.seen.count(here) + 1
    if repeats == MOST_REPEATS:
        finish(w, "repetition")
        return
    d.seen, d.stood = (*d.seen, here), repeats
    d.turns = put(d.turns, d.active, d.turns[d.active] + 1)
    w.effects.append(BattleTurnStarted(seat=d.active, number=d.turns[d.active], repeats=repeats))
    if not ask_claim(w):
        d.phase = "march"


def march(w: Work) -> None:
    """K3: the active seat moves, if it can."""
    d = w.d
    seat = d.active
    taken = occupied(d)
    if not can_move(w.land, taken, d.pieces[seat]):
        w.effects.append(TurnSkipped(seat=seat))
        _pass_on(w)
        return
    if gone(d, seat):
        move(w, default_move(w.land, d, seat), defaulted=True)
        return
    only = only_way(w.land, taken, d.pieces[seat])
    if only is None:
        w.ask("move", seat)
    else:
        move(w, only, forced=True)


def default_move(land: Island, board: Board, seat: Seat) -> tuple[int, ...]:
    """The first by start, then end, that catches no castle, else the first."""
    nets = Nets(land, board, seat)
    options = moves_of(land, board, seat)
    for start, end in sorted(options):
        if not any(castle for _, _, castle, _ in nets.catches(start, end)):
            return options[start, end]
    return options[min(options)]


def move(w: Work, path: tuple[int, ...], *, forced: bool = False, defaulted: bool = False) -> None:
    """A whole movement and what it catches (K4)."""
    d = w.d
    seat, start, end = d.active, path[0], path[-1]
    catches = Nets(w.land, d, seat).catches(start, end)
    d.pieces = put(d.pieces, seat, d.pieces[seat] & ~(1 << start) | 1 << end)
    names = w.land.names
    w.effects.append(PieceMoved(seat=seat, path=tuple(names[p] for p in path), forced=forced, defaulted=defaulted))
    if not catches:
        _pass_on(w)
        return
    for caught in catches:
        _catch(w, caught, names[start], names[end])
    due = []
    for victim, point, castle, _ in catches:
        if castle:
            territory = w.land.territory[point]
            give_back(w, territory)
            due.append(territory)
        else:
            d.pieces = put(d.pieces, victim, d.pieces[victim] & ~(1 << point))
            d.caught = put(d.caught, victim, d.caught[victim] + 1)
            d.seen = ()  # what was caught never comes back, nor does any position with it
    d.due, d.chaser = tuple(sorted(due)), end
    d.phase = "castles"
    alone(w)


def _catch(w: Work, caught: Catch, start: str, end: str) -> None:
    d = w.d
    victim, point, castle, behind = caught
    d.combats += 1
    closer = Closer("edge")
    if behind != NOWHERE:
        kind = "castle" if castle_bits(d) >> behind & 1 else "piece"
        owner = next(s for s in range(d.players) if (d.pieces[s] | castle_bits(d, (s,))) >> behind & 1)
        closer = Closer(kind, owner, w.land.names[behind])
    name = w.land.names[point]
    word = "castle" if castle else "piece"
    w.effects.append(Caught(combat=d.combats, seat=d.active, victim=victim, kind=word, point=name))
    w.records.append(
        ClaimCombat(
            number=d.combats,
            status="resolved",
            mover=d.active,
            start=start,
            end=end,
            victim=victim,
            kind=word,
            point=name,
            closer=closer,
        )
    )


def castle_points(land: Island, board: Board) -> dict[int, int]:
    """K4.4: the points where the active seat may put a castle now, each with its territory."""
    taken = occupied(board)
    return {point: t for t in board.due for point in points_of(land.land[t] & ~taken)}


def castles(w: Work) -> None:
    """K4.4: one castle after another, as far as they and free points go; then the chase (K4.3)."""
    d = w.d
    points = castle_points(w.land, d) if in_hand(d, d.active) else {}
    if not points:
        d.due, d.phase = (), "hunt"
    elif len(points) == 1:
        put_castle(w, next(iter(points)), forced=True)
    elif gone(d, d.active):
        put_castle(w, min(points), defaulted=True)
    else:
        w.ask("castle", d.active)


def put_castle(w: Work, point: int, *, forced: bool = False, defaulted: bool = False) -> None:
    d = w.d
    territory = w.land.territory[point]
    d.due = tuple(t for t in d.due if t != territory)
    set_castle(w, territory, point, claimed=False, forced=forced, defaulted=defaulted)
    d.phase = "castles"
    judge_castles(w)


def hunt(w: Work) -> None:
    """K4.3: the same piece may go on where it would catch again."""
    d = w.d
    if not further_catches(w.land, d, d.active, d.chaser):
        _pass_on(w)
    elif gone(d, d.active):
        stop(w, defaulted=True)
    else:
        w.ask("chase", d.active)


def stop(w: Work, *, defaulted: bool = False) -> None:
    w.effects.append(ChaseEnded(seat=w.d.active, defaulted=defaulted))
    _pass_on(w)


def _pass_on(w: Work) -> None:
    d = w.d
    d.chaser, d.active, d.phase = NOWHERE, (d.active + 1) % d.players, "begin"


def resign(w: Work, seat: Seat) -> None:
    """C6, C7: the seat and its partner give up."""
    d = w.d
    mine = side(d.players, seat)
    for each in mine:
        d.resigned |= 1 << each
    w.effects.append(SeatResigned(seat=seat, seats=mine))
    left = [team for team in partners_across(d.players) if not gone(d, team[0])]
    if len(left) == 1:
        finish(w, "last_seat", left[0])
        return
    if d.awaited and d.awaited[0] in mine:
        d.awaited = ()
        _BY_DEFAULT[d.phase](w)


def _claim_by_default(w: Work) -> None:
    w.effects.append(ClaimDeclined(seat=w.d.active, defaulted=True))
    after_claim(w)


def _again(phase: str) -> Any:
    def go(w: Work) -> None:
        w.d.phase = phase

    return go


_BY_DEFAULT = {
    "placement": _again("lay"),
    "removal": _again("cull"),
    "claim": _claim_by_default,
    "move": _again("march"),
    "castle": _again("castles"),
    "chase": lambda w: stop(w, defaulted=True),
}
"""The phase of a turn whose seat has gone takes the default by itself."""
