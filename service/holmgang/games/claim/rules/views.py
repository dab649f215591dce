"""The view, which hides nothing; what a turn is about; and the state that a view stands for."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from holmgang.engine.codec import Bits
from holmgang.engine.moves import Rng
from holmgang.engine.teams import partners_across
from holmgang.engine.turn import Seat

from . import battle, claims, ending, setup
from .island import NOWHERE, PIECES, Part, island, names_of, points_of
from .model import Options, State
from .work import NOBODY, in_hand


class TerritoryView(Struct, frozen=True):
    """A territory: its points, and the castle on it, if there is one."""

    number: int
    points: tuple[str, ...]
    castle: Seat | None
    castle_point: str | None


class SeatView(Struct, frozen=True, kw_only=True):
    """A seat: its pieces' points, what it still has to place, its losses, its castles in hand, its battle turns."""

    seat: Seat
    pieces: tuple[str, ...]
    to_place: int
    caught: int
    removed: int
    castles_in_hand: int
    battle_turns: int
    resigned: bool


class Result(Struct, frozen=True):
    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
    ranking: tuple[tuple[Seat, ...], ...]
    reason: str


class View(Struct, frozen=True, kw_only=True):
    """The table, the same for all but `seat`. `positions` are digests of the battle positions that may come again,
    `stood` is how often that with which the battle turn began has stood (K6.3).

    `due` are territories where a castle is to be put, `chaser` the piece that may catch on, `combats` how many catches
    there were.
    """

    seat: Seat | None
    players: int
    teams: tuple[tuple[Seat, ...], ...]
    options: dict[str, Any]
    phase: str
    turn: int
    asked: tuple[Seat, ...]
    first: Seat | None
    active: Seat | None
    territories: tuple[TerritoryView, ...]
    seats: tuple[SeatView, ...]
    due: tuple[int, ...]
    chaser: str | None
    combats: int
    positions: tuple[str, ...]
    stood: int
    result: Result | None


def view(state: State, seat: Seat | None) -> View:
    land = island(state.layout)
    result = ending.over(state) if state.phase == "over" else None
    return View(
        seat=seat,
        players=state.players,
        teams=partners_across(state.players),
        options=Options.kept(state).told(),
        phase=state.phase,
        turn=state.turn,
        asked=state.awaited,
        first=None if state.first == NOBODY else state.first,
        active=None if state.active == NOBODY else state.active,
        territories=tuple(
            TerritoryView(
                n,
                names,
                None if state.castles[n] == NOBODY else state.castles[n],
                None if state.castles[n] == NOBODY else land.names[state.castle_points[n]],
            )
            for n, names in enumerate(names_of(state.layout))
        ),
        seats=tuple(_seat(state, s) for s in range(state.players)),
        due=state.due,
        chaser=None if state.chaser == NOWHERE else land.names[state.chaser],
        combats=state.combats,
        positions=tuple(digest.hex() for digest in state.seen),
        stood=state.stood or (state.seen.count(state.seen[-1]) if state.seen else int(any(state.turns))),
        result=None if result is None else Result(state.winners, result.scores, result.ranking, result.reason),
    )


def _seat(state: State, seat: Seat) -> SeatView:
    land = island(state.layout)
    out = state.pieces[seat].bit_count() + state.caught[seat] + state.removed[seat]
    return SeatView(
        seat=seat,
        pieces=land.named(points_of(state.pieces[seat])),
        to_place=PIECES - out,
        caught=state.caught[seat],
        removed=state.removed[seat],
        castles_in_hand=in_hand(state, seat),
        battle_turns=state.turns[seat],
        resigned=ending.gone(state, seat),
    )


def state_of(seen: View) -> State:
    """The state that a view shows: nothing of it is hidden."""
    layout = tuple(Part(**part) for part in seen.options["layout"])
    land = island(layout)
    first = seen.options["first_player"]
    return State(
        players=seen.players,
        layout=layout,
        first_option=NOBODY if first == "random" else first,
        battle_starts=seen.options["battle_starts"],
        phase=seen.phase,
        turn=seen.turn,
        awaited=seen.asked,
        first=NOBODY if seen.first is None else seen.first,
        active=NOBODY if seen.active is None else seen.active,
        pieces=tuple(Bits(sum(1 << land.numbers[p] for p in s.pieces)) for s in seen.seats),
        castles=tuple(NOBODY if t.castle is None else t.castle for t in seen.territories),
        castle_points=tuple(
            NOWHERE if t.castle_point is None else land.numbers[t.castle_point] for t in seen.territories
        ),
        caught=tuple(s.caught for s in seen.seats),
        removed=tuple(s.removed for s in seen.seats),
        turns=tuple(s.battle_turns for s in seen.seats),
        seen=tuple(bytes.fromhex(digest) for digest in seen.positions),
        due=seen.due,
        chaser=NOWHERE if seen.chaser is None else land.numbers[seen.chaser],
        combats=seen.combats,
        resigned=sum(s.resigned << s.seat for s in seen.seats),
        winners=() if seen.result is None else seen.result.winners,
        reason="" if seen.result is None else seen.result.reason,
        stood=seen.stood,
    )


def context(seen: View) -> dict[str, Any]:
    """Turns tell the removal quota, what may be claimed where, the chaser, repetitions and turns left."""
    if not seen.asked or seen.active is None:
        return {}
    state = state_of(seen)
    land = island(state.layout)
    told: dict[str, Any] = {}
    if seen.phase == "removal":
        told["remove"] = setup.to_remove(state, seen.active)
        told["most"] = {str(foe): n for foe, n in setup.quotas(state, seen.active).items()}
    if seen.phase == "claim":
        ground = claims.claimable(land, state, seen.active)
        told["claimable"] = {str(t): [land.names[p] for p in free] for t, free in ground.items()}
    if seen.phase == "castle":
        told["territories"] = list(seen.due)
    if seen.chaser is not None:
        told["chaser"] = seen.chaser
    if any(state.turns):
        told["position_stood"] = seen.stood
        told["turns_left"] = battle.MOST_TURNS - state.turns[seen.active]
    return told


def redact(effect: Any, seat: Seat | None) -> Any:
    """Nothing is hidden."""
    return effect


def determinize(seen: View, rng: Rng) -> State:
    return state_of(seen)
