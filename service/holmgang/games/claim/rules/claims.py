"""K2.3 and K5: claims, and castles that are put and returned."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from holmgang.engine.teams import enemies, side
from holmgang.engine.tuples import put
from holmgang.engine.turn import Seat

from .effects import CastlePlaced, CastleReturned, ClaimDeclined
from .ending import gone, judge_castles
from .island import NOWHERE, Island, points_of
from .model import Board, Claim, Stake
from .work import NOBODY, Work, in_hand, occupied


def claimable(land: Island, board: Board, seat: Seat) -> dict[int, list[int]]:
    """K5: the territories that the seat may claim now, with the points where a castle may stand."""
    if not in_hand(board, seat):
        return {}
    foes = 0
    for foe in enemies(board.players, seat):
        foes |= board.pieces[foe]
    mine, partners = board.pieces[seat], side(board.players, seat)
    taken = occupied(board)
    found = {}
    for territory, ground in enumerate(land.land):
        if not mine & ground or foes & ground or board.castles[territory] in partners:
            continue
        blocked = taken
        if board.castles[territory] != NOBODY:
            blocked &= ~(1 << board.castle_points[territory])
        free = list(points_of(ground & ~blocked))
        if free:
            found[territory] = free
    return found


def every_claim(land: Island, board: Board, seat: Seat) -> Iterator[Claim]:
    """Every claim, the empty one first."""
    ground = claimable(land, board, seat)
    most = min(in_hand(board, seat), len(ground))
    for size in range(most + 1):
        for chosen in combinations(sorted(ground), size):
            yield from _stakes(land, ground, chosen, ())


def _stakes(
    land: Island, ground: dict[int, list[int]], chosen: tuple[int, ...], so_far: tuple[Stake, ...]
) -> Iterator[Claim]:
    if not chosen:
        yield Claim(castles=so_far)
        return
    for point in ground[chosen[0]]:
        yield from _stakes(land, ground, chosen[1:], (*so_far, Stake(territory=chosen[0], point=land.names[point])))


def stake_first(w: Work) -> None:
    """K2.3: each may claim once before the battle."""
    d = w.d
    if d.phase == "stake_first" and not ask_claim(w):
        after_claim(w)


def ask_claim(w: Work) -> bool:
    """Whether the active seat is asked for a claim."""
    d = w.d
    if not claimable(w.land, d, d.active):
        return False
    if gone(d, d.active):
        w.effects.append(ClaimDeclined(seat=d.active, defaulted=True))
        return False
    w.ask("claim", d.active)
    return True


def claim(w: Work, stakes: tuple[Stake, ...]) -> None:
    """K5: castles on territories; enemy castles there go back first."""
    d = w.d
    if not stakes:
        w.effects.append(ClaimDeclined(seat=d.active))
    for stake in stakes:
        if d.castles[stake.territory] != NOBODY:
            give_back(w, stake.territory)
    for stake in sorted(stakes, key=lambda s: s.territory):
        set_castle(w, stake.territory, w.land.numbers[stake.point], claimed=True)
    judge_castles(w)
    if d.phase != "over":
        after_claim(w)


def after_claim(w: Work) -> None:
    """K2.3 goes on with the next seat until all have been asked; in the battle a move follows."""
    d = w.d
    if any(d.turns):
        d.phase = "march"
        return
    d.active = (d.active + 1) % d.players
    if d.active != d.first:
        d.phase = "stake_first"
        return
    if d.battle_starts == "second":
        d.active = (d.first + 1) % d.players
    d.phase = "begin"


def give_back(w: Work, territory: int) -> None:
    d = w.d
    w.effects.append(
        CastleReturned(owner=d.castles[territory], territory=territory, point=w.land.names[d.castle_points[territory]])
    )
    d.castles = put(d.castles, territory, NOBODY)
    d.castle_points = put(d.castle_points, territory, NOWHERE)


def set_castle(w: Work, territory: int, point: int, *, claimed: bool, forced: bool = False, **marks: bool) -> None:
    d = w.d
    d.castles = put(d.castles, territory, d.active)
    d.castle_points = put(d.castle_points, territory, point)
    w.effects.append(
        CastlePlaced(
            seat=d.active,
            territory=territory,
            point=w.land.names[point],
            claimed=claimed,
            forced=forced,
            **marks,
        )
    )
