"""K2.1 and K2.2: the first player, placement and removal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from holmgang.engine.codec import Bits
from holmgang.engine.teams import enemies
from holmgang.engine.tuples import put
from holmgang.engine.turn import Seat

from .effects import FirstPlayerChosen, PiecesPlaced, PiecesRemoved
from .ending import gone
from .island import NOWHERE, PIECES, island, points_of
from .model import Board, Options, State
from .work import NOBODY, Work, occupied

REMOVED = 4


def initial(config: Options) -> State:
    n = config.seats
    territories = len(island(config.layout).land)
    nothing = (0,) * n
    return State(
        players=n,
        layout=config.layout,
        first_option=NOBODY if config.first_player is None else config.first_player,
        battle_starts=config.battle_starts,
        phase="first_player" if config.first_player is None else "open",
        turn=0,
        awaited=(),
        first=NOBODY,
        active=NOBODY,
        pieces=(Bits(0),) * n,
        castles=(NOBODY,) * territories,
        castle_points=(NOWHERE,) * territories,
        caught=nothing,
        removed=nothing,
        turns=nothing,
        seen=(),
        due=(),
        chaser=NOWHERE,
        combats=0,
        resigned=0,
        winners=(),
        reason="",
    )


def choose_first(w: Work, seat: Seat, by: str) -> None:
    """K2.1, C1."""
    d = w.d
    d.first = d.active = seat
    w.effects.append(FirstPlayerChosen(seat=seat, by=by))
    d.phase = "lay"


def lay(w: Work) -> None:
    """K2.1: two pieces each in turn, until all are out."""
    d = w.d
    if all(bits.bit_count() == PIECES for bits in d.pieces):
        d.phase, d.active = "cull", d.first
    elif gone(d, d.active):
        free = list(points_of(w.land.whole & ~occupied(d)))[:2]
        place(w, free, defaulted=True)
    else:
        w.ask("placement", d.active)


def place(w: Work, points: list[int], *, defaulted: bool = False) -> None:
    d = w.d
    seat = d.active
    d.pieces = put(d.pieces, seat, d.pieces[seat] | sum(1 << p for p in points))
    w.effects.append(
        PiecesPlaced(seat=seat, points=tuple(w.land.names[p] for p in sorted(points)), defaulted=defaulted)
    )
    d.active = (seat + 1) % d.players
    d.phase = "lay"


def quotas(board: Board, seat: Seat) -> dict[Seat, int]:
    """K2.2: how many pieces of each enemy the seat may take off, at most."""
    most = 2 if board.players == 3 else REMOVED
    return {foe: min(most, REMOVED - board.removed[foe]) for foe in enemies(board.players, seat)}


def to_remove(board: Board, seat: Seat) -> int:
    """K2.2: exactly so many at once; fewer than four only where the limit leaves fewer."""
    return min(REMOVED, sum(quotas(board, seat).values()))


def removals(board: Board, seat: Seat) -> Iterator[tuple[int, ...]]:
    """Every legal set, in board order."""
    limits = quotas(board, seat)
    owner = {point: foe for foe in limits for point in points_of(board.pieces[foe])}
    for points in combinations(sorted(owner), to_remove(board, seat)):
        if all(sum(owner[p] == foe for p in points) <= most for foe, most in limits.items()):
            yield points


def cull(w: Work) -> None:
    """K2.2, from the first player on; then claims (K2.3)."""
    d = w.d
    if d.phase == "cull" and all(r >= REMOVED for r in d.removed):
        d.phase, d.active = "stake_first", d.first
    elif gone(d, d.active):
        remove(w, next(removals(d, d.active)), defaulted=True)
    else:
        w.ask("removal", d.active)


def remove(w: Work, points: tuple[int, ...], *, defaulted: bool = False) -> None:
    d = w.d
    seat = d.active
    victims = []
    for point in sorted(points):
        victim = next(s for s in range(d.players) if d.pieces[s] >> point & 1)
        victims.append(victim)
        d.pieces = put(d.pieces, victim, d.pieces[victim] & ~(1 << point))
        d.removed = put(d.removed, victim, d.removed[victim] + 1)
    names = tuple(w.land.names[p] for p in sorted(points))
    w.effects.append(PiecesRemoved(seat=seat, points=names, victims=tuple(victims), defaulted=defaulted))
    d.active = (seat + 1) % d.players
    d.phase = "cull"
