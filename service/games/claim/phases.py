"""K2 to K6: placement, removal, claims, moves, catches, and how a game ends."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from service.engine.codec import Bits
from service.engine.turn import Over, Seat

from .effects import (
    BattleTurnStarted,
    CastlePlaced,
    CastleReturned,
    Caught,
    ChaseEnded,
    ClaimCombat,
    ClaimDeclined,
    Closer,
    FirstPlayerChosen,
    GameEnded,
    PieceMoved,
    PiecesPlaced,
    PiecesRemoved,
    SeatResigned,
    TurnSkipped,
)
from .island import CASTLES, NOWHERE, PIECES, Island, island, points_of
from .model import Board, Claim, Config, Stake, State
from .moving import Catch, Nets, can_move, further_catches, moves_of, only_way
from .work import NOBODY, Work, castle_bits, enemies, in_hand, occupied, put, side, teams

REMOVED = 4
MOST_TURNS = 200
MOST_REPEATS = 4
TEAM_CASTLES = 5


def initial(config: Config) -> State:
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


def gone(board: Board, seat: Seat) -> bool:
    return bool(board.resigned >> seat & 1)


# Placement and removal


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


# Claims


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


def stake_first(w: Work) -> None:
    """K2.3: each may claim once before the battle."""
    d = w.d
    if d.phase == "stake_first" and not _ask_claim(w):
        after_claim(w)


def _ask_claim(w: Work) -> bool:
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
            _give_back(w, stake.territory)
    for stake in sorted(stakes, key=lambda s: s.territory):
        _set_castle(w, stake.territory, w.land.numbers[stake.point], claimed=True)
    _test_castles(w)
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


def _give_back(w: Work, territory: int) -> None:
    d = w.d
    w.effects.append(
        CastleReturned(owner=d.castles[territory], territory=territory, point=w.land.names[d.castle_points[territory]])
    )
    d.castles = put(d.castles, territory, NOBODY)
    d.castle_points = put(d.castle_points, territory, NOWHERE)


def _set_castle(w: Work, territory: int, point: int, *, claimed: bool, forced: bool = False, **marks: bool) -> None:
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


# Battle


def position(board: Board) -> bytes:
    """K6.3: pieces, castles and the player to move, as 8 bytes."""
    key = (tuple(map(int, board.pieces)), board.castles, board.castle_points, board.active)
    return hashlib.blake2b(repr(key).encode(), digest_size=8).digest()


def begin(w: Work) -> None:
    """A battle turn begins (K2.4): K6.2 and K6.3 first, then K5, then K3."""
    d = w.d
    if _alone(w):
        return
    if d.turns[d.active] == MOST_TURNS:
        finish(w, "turn_limit")
        return
    here = position(d)
    repeats = d.seen.count(here) + 1
    if repeats == MOST_REPEATS:
        finish(w, "repetition")
        return
    d.seen = (*d.seen, here)
    d.turns = put(d.turns, d.active, d.turns[d.active] + 1)
    w.effects.append(BattleTurnStarted(seat=d.active, number=d.turns[d.active], repeats=repeats))
    if not _ask_claim(w):
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
            _give_back(w, territory)
            due.append(territory)
        else:
            d.pieces = put(d.pieces, victim, d.pieces[victim] & ~(1 << point))
            d.caught = put(d.caught, victim, d.caught[victim] + 1)
            d.seen = ()  # what was caught never comes back, nor does any position with it
    d.due, d.chaser = tuple(sorted(due)), end
    d.phase = "castles"
    _alone(w)


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
    _set_castle(w, territory, point, claimed=False, forced=forced, defaulted=defaulted)
    d.phase = "castles"
    _test_castles(w)


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


# The end


def _test_castles(w: Work) -> None:
    """K6.1: three castles on three territories, or with partners five together; never for those who resigned."""
    d = w.d
    mine = side(d.players, d.active)
    wanted = CASTLES if len(mine) == 1 else TEAM_CASTLES
    if not gone(d, d.active) and sum(owner in mine for owner in d.castles) >= wanted:
        finish(w, "castles", mine)


def _alone(w: Work) -> bool:
    """K6.2: a side that alone has pieces on the island has won, unless it resigned."""
    d = w.d
    left = [team for team in teams(d.players) if any(d.pieces[s] for s in team)]
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

    ranked = sorted({standing(team) for team in teams(board.players)}, reverse=True)
    groups = tuple(
        tuple(sorted(s for team in teams(board.players) if standing(team) == key for s in team)) for key in ranked
    )
    return Over(tuple(board.castles.count(s) for s in range(board.players)), groups, board.reason)


def resign(w: Work, seat: Seat) -> None:
    """C6, C7: the seat and its partner give up."""
    d = w.d
    mine = side(d.players, seat)
    for each in mine:
        d.resigned |= 1 << each
    w.effects.append(SeatResigned(seat=seat, seats=mine))
    left = [team for team in teams(d.players) if not gone(d, team[0])]
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
