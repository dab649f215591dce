"""E5: spoils, the way home, and walls."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from holmgang.engine.tuples import add, put
from holmgang.engine.turn import Seat

from .board import FIELDS, HEIGHT, KINDS, WALL_STONES
from .effects import StoneTaken, VikingsReturned, WallsBuilt
from .model import Board, Build, Kinds, Laid, Wall, Walls
from .work import NO_STONES, Work, counts, plus


def spoil(w: Work) -> None:
    """E5.1, field by field: stones are taken; a seat is asked only while its field holds several kinds."""
    d = w.d
    while d.field < len(FIELDS):
        vikings, stones = d.vikings[d.field], d.stones[d.field]
        kinds = [kind for kind, n in enumerate(stones) if n]
        if not any(vikings) or not kinds:
            d.field, d.taker = d.field + 1, d.first
        elif len(kinds) == 1:
            _take_evenly(w, kinds[0])
            d.field, d.taker = d.field + 1, d.first
        else:
            while not vikings[d.taker]:
                d.taker = (d.taker + 1) % d.players
            if not d.resigned >> d.taker & 1:
                w.ask("spoils", d.taker)
                return
            take(w, kinds[-1], defaulted=True)
    go_home(w)


def _take_evenly(w: Work, kind: int) -> None:
    """One kind is left: every Viking takes a stone, the seats in turn, as far as they go."""
    d = w.d
    vikings, left = d.vikings[d.field], d.stones[d.field][kind]
    seat, taken = d.taker, [0] * d.players
    while left and sum(taken) < sum(vikings):
        if taken[seat] < vikings[seat]:
            taken[seat] += 1
            left -= 1
        seat = (seat + 1) % d.players
    for offset in range(d.players):
        seat = (d.taker + offset) % d.players
        if taken[seat]:
            _carry(w, seat, kind, taken[seat], forced=True)


def take(w: Work, kind: int, *, defaulted: bool = False) -> None:
    """A Viking of the taker takes a stone of choice and is on its way home."""
    d = w.d
    seat = d.taker
    _carry(w, seat, kind, 1, defaulted=defaulted)
    d.vikings = put(d.vikings, d.field, add(d.vikings[d.field], seat, -1))
    d.home = add(d.home, seat, 1)
    d.taker = (seat + 1) % d.players
    d.phase = "spoil"


def _carry(w: Work, seat: Seat, kind: int, count: int, *, forced: bool = False, defaulted: bool = False) -> None:
    d = w.d
    d.stones = put(d.stones, d.field, add(d.stones[d.field], kind, -count))
    d.carried = put(d.carried, seat, add(d.carried[seat], kind, count))
    w.effects.append(
        StoneTaken(seat=seat, space=FIELDS[d.field], stone=KINDS[kind], count=count, forced=forced, defaulted=defaulted)
    )


def go_home(w: Work) -> None:
    """E5.2, and who is asked how to build (E5.4)."""
    d = w.d
    home = list(d.home)
    for vikings in d.vikings:
        for seat, n in enumerate(vikings):
            home[seat] += n
    for bits in d.sieges:
        for seat in range(d.players):
            home[seat] += bits >> seat & 1
    d.home = tuple(home)
    d.vikings = ((0,) * d.players,) * len(FIELDS)
    d.sieges = (0,) * len(d.sieges)
    d.settled = 0
    w.effects.append(VikingsReturned(home=d.home))
    asked = tuple(s for s in range(d.players) if not d.resigned >> s & 1 and not is_forced(d.walls[s], d.carried[s]))
    if asked:
        w.ask("building", *asked)
    else:
        d.phase = "raise"


def room(walls: Walls) -> int:
    """Free places."""
    return WALL_STONES - sum(map(len, walls))


def is_forced(walls: Walls, new: Kinds) -> bool:
    """E5.4: no new stones, or every legal order gives the same walls.

    Two kinds and a free place always leave a choice; one kind leaves none where it fills all places or only one wall
    is open.
    """
    total = sum(new)
    free = room(walls)
    if not total or not free:
        return True
    if max(new) < total:
        return False
    return total >= free or sum(len(wall) < HEIGHT for wall in walls) == 1


def by_default(walls: Walls, new: Kinds) -> tuple[Laid, ...]:
    """Dearest first, each on the lowest-numbered wall with room."""
    heights = [len(wall) for wall in walls]
    laid: list[Laid] = []
    for kind in reversed(range(len(KINDS))):
        for _ in range(new[kind]):
            wall = next((n for n, height in enumerate(heights) if height < HEIGHT), None)
            if wall is None:
                return tuple(laid)
            heights[wall] += 1
            laid.append(Laid(stone=KINDS[kind], wall=wall + 1))  # type: ignore[arg-type]
    return tuple(laid)


def raise_walls(w: Work) -> None:
    """E5.3: all build at once what was sealed, or what is forced or a default; the rest is kept aside."""
    d = w.d
    for seat in range(d.players):
        new = d.carried[seat]
        if not any(new):
            continue
        choice = d.sealed[seat]
        forced = choice is None and is_forced(d.walls[seat], new)
        stones = choice.stones if type(choice) is Build else by_default(d.walls[seat], new)
        walls, left = list(d.walls[seat]), list(new)
        for laid in stones:
            kind = KINDS.index(laid.stone)
            walls[laid.wall - 1] = (*walls[laid.wall - 1], kind)
            left[kind] -= 1
        d.walls = put(d.walls, seat, tuple(walls))
        d.carried = put(d.carried, seat, NO_STONES)
        rest: Kinds = (left[0], left[1], left[2], left[3])
        d.aside = put(d.aside, seat, plus(d.aside[seat], rest))
        w.effects.append(
            WallsBuilt(
                seat=seat,
                stones=tuple((laid.stone, laid.wall) for laid in stones),
                aside=counts(rest),
                forced=forced,
                defaulted=choice is None and not forced,
            )
        )
    d.sealed = (None,) * d.players
    d.phase = "close"


@lru_cache(maxsize=4096)
def _sequences(free: int, new: Kinds) -> tuple[Wall, ...]:
    """Every ordered choice of up to `free` of the new stones."""
    found: list[Wall] = [()]
    if free:
        for kind, n in enumerate(new):
            if n:
                rest: Kinds = add(new, kind, -1)  # type: ignore[assignment]
                found += [(kind, *more) for more in _sequences(free - 1, rest)]
    return tuple(found)


def additions(free: tuple[int, ...], new: Kinds, must: int) -> Iterator[tuple[Wall, ...]]:
    """Every way to lay exactly `must` of the new stones on walls with so many free places, each once."""
    if not free:
        if not must:
            yield ()
        return
    later = sum(free[1:])
    for here in _sequences(free[0], new):
        if len(here) <= must and must - len(here) <= later:
            left = new
            for kind in here:
                left = add(left, kind, -1)  # type: ignore[assignment]
            for rest in additions(free[1:], left, must - len(here)):
                yield (here, *rest)


@lru_cache(maxsize=65536)
def count_additions(free: tuple[int, ...], new: Kinds, must: int) -> int:
    """How many `additions` there are. The order of walls does not matter to the number, so callers sort them."""
    if not free:
        return int(must == 0)
    later = sum(free[1:])
    total = 0
    for used, ways in _ways(free[0], new):
        size = sum(used)
        if size <= must and must - size <= later:
            left: Kinds = (new[0] - used[0], new[1] - used[1], new[2] - used[2], new[3] - used[3])
            total += ways * count_additions(free[1:], left, must - size)
    return total


@lru_cache(maxsize=4096)
def _ways(free: int, new: Kinds) -> tuple[tuple[Kinds, int], ...]:
    """What `_sequences` use up, and how many use up the same."""
    tally: dict[Kinds, int] = {}
    for sequence in _sequences(free, new):
        used: Kinds = (sequence.count(0), sequence.count(1), sequence.count(2), sequence.count(3))
        tally[used] = tally.get(used, 0) + 1
    return tuple(tally.items())


def must_build(state: Board, seat: Seat) -> int:
    """E5.3: exactly so many stones are built."""
    return min(sum(state.carried[seat]), room(state.walls[seat]))
