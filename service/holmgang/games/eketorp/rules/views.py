"""What a seat or a spectator may see, built from that alone; hiding in effects; and states that fit a view."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from msgspec import Struct

from holmgang.engine.moves import Rng
from holmgang.engine.turn import Over, Seat

from .board import (
    CARDS_OF_A_VALUE,
    FIELD_COUNT,
    FIELDS,
    HIGHEST_CARD,
    KINDS,
    SPACE_NAMES,
    SPACE_NUMBERS,
    STATIONS,
)
from .effects import Counts, HandDealt, HandExchanged
from .model import Board, Build, Fight, Kinds, Options, Place, Play, State, Walls
from .moves import moves
from .scoring import over, score
from .work import counts

NOBODY = -1


class FieldView(Struct, frozen=True):
    """Stones by name, Vikings by seat (`"2": 1`)."""

    stones: Counts
    vikings: dict[str, int]


class SiegeView(Struct, frozen=True):
    """The seats with a Viking on a siege space; `settled` once its siege is decided (E4.7.1)."""

    seats: tuple[Seat, ...]
    settled: bool


class CombatView(Struct, frozen=True, kw_only=True):
    """The combat that is going on. `difference` and `cards` are known from the reveal on, `asking` during amulets."""

    number: int
    kind: str
    space: str
    attacker: Seat
    defender: Seat
    undefended: bool
    forced: bool
    defaulted: bool
    amulets: tuple[int, int]
    cards: tuple[int, int] | None
    difference: int | None
    asking: Seat | None


class SeatView(Struct, frozen=True, kw_only=True):
    """A seat as everybody sees it. `walls` are stone names from the bottom up; `carried` stones are not built yet."""

    seat: Seat
    home: int
    hospital: Counts
    hand_size: int
    pile: tuple[int, ...]
    amulets: int
    walls: tuple[tuple[str, ...], ...]
    carried: Counts
    aside: Counts
    stands: bool
    resigned: bool
    score: int


class Result(Struct, frozen=True):
    scores: tuple[int, ...]
    ranking: tuple[tuple[Seat, ...], ...]
    reason: str


class View(Struct, frozen=True, kw_only=True):
    """The table from one seat, or from none. `hand` and `choice` (a sealed choice of one's own) are that seat's alone.

    `phase` is the turn's kind, or what is drawn by chance, or `over`. `asked` seats still owe a choice, those in
    `sealed` have made theirs. `score` counts what stands now. `spoils` tells the field and seat of a choice of spoils.
    """

    seat: Seat | None
    players: int
    options: dict[str, Any]
    round: int
    phase: str
    turn: int
    asked: tuple[Seat, ...]
    sealed: tuple[Seat, ...]
    first: Seat | None
    chooser: Seat | None
    material_card: str | None
    material_cards_shown: tuple[int, ...]
    supply: Counts
    fields: dict[str, FieldView]
    sieges: dict[str, SiegeView]
    seats: tuple[SeatView, ...]
    hand: tuple[int, ...] | None
    choice: Place | Play | Build | None
    deck_size: int
    discarded: int
    combats: int
    combat: CombatView | None
    spoils: SpoilsView | None
    drawing: DrawingView | None
    result: Result | None


class SpoilsView(Struct, frozen=True):
    field: str
    seat: Seat


class DrawingView(Struct, frozen=True):
    seat: Seat
    cards: int


def _optional(seat: Seat) -> Seat | None:
    return None if seat == NOBODY else seat


def view(state: State, seat: Seat | None) -> View:
    """The view of a seat, or of a spectator (None)."""
    fight = state.fight
    result: Over | None = over(state) if state.phase == "over" else None
    return View(
        seat=seat,
        players=state.players,
        options=Options.kept(state).told(),
        round=state.round,
        phase=state.phase,
        turn=state.turn,
        asked=state.awaited,
        sealed=tuple(s for s in range(state.players) if state.sealed[s] is not None),
        first=_optional(state.first),
        chooser=_optional(state.chooser),
        material_card=state.material_cards[state.shown[-1]] if state.shown else None,
        material_cards_shown=state.shown,
        supply=counts(state.supply),
        fields={
            name: FieldView(counts(stones), _by_seat(vikings).copy())
            for name, stones, vikings in zip(FIELDS, state.stones, state.vikings, strict=True)
        },
        sieges={
            SPACE_NAMES[FIELD_COUNT + n]: _siege(bits, state.settled >> n & 1) for n, bits in enumerate(state.sieges)
        },
        seats=tuple(_seat(state, s) for s in range(state.players)),
        hand=None if seat is None else state.hands[seat],
        choice=None if seat is None else state.sealed[seat],
        deck_size=sum(state.deck),
        discarded=sum(state.discarded),
        combats=state.fights,
        combat=None if fight is None else _combat(fight),
        spoils=SpoilsView(FIELDS[state.field], state.taker) if state.phase == "spoils" else None,
        drawing=DrawingView(state.drawer, state.drawing) if state.drawing else None,
        result=None if result is None else Result(result.scores, result.ranking, result.reason),
    )


@lru_cache(maxsize=4096)
def _by_seat(vikings: tuple[int, ...]) -> dict[str, int]:
    return {str(seat): n for seat, n in enumerate(vikings) if n}


@lru_cache(maxsize=256)
def _siege(bits: int, settled: int) -> SiegeView:
    return SiegeView(tuple(seat for seat in range(bits.bit_length()) if bits >> seat & 1), bool(settled))


@lru_cache(maxsize=4096)
def _named(walls: Walls) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(KINDS[kind] for kind in wall) for wall in walls)


def _seat(state: State, seat: Seat) -> SeatView:
    return SeatView(
        seat=seat,
        home=state.home[seat],
        hospital={name: state.hospital[n][seat] for n, name in enumerate(STATIONS) if state.hospital[n][seat]},
        hand_size=len(state.hands[seat]),
        pile=state.piles[seat],
        amulets=state.amulets[seat],
        walls=_named(state.walls[seat]),
        carried=counts(state.carried[seat]),
        aside=counts(state.aside[seat]),
        stands=bool(state.standing >> seat & 1),
        resigned=bool(state.resigned >> seat & 1),
        score=score(state, seat),
    )


def _combat(fight: Fight) -> CombatView:
    shown = fight.difference >= 0
    return CombatView(
        number=fight.number,
        kind="siege" if fight.siege else "fight",
        space=SPACE_NAMES[fight.space],
        attacker=fight.attacker,
        defender=fight.defender,
        undefended=fight.undefended,
        forced=fight.started == "forced",
        defaulted=fight.started == "defaulted",
        amulets=fight.spent,
        cards=fight.cards if shown else None,
        difference=fight.difference if shown else None,
        asking=_optional(fight.asking),
    )


def context(seen: View) -> dict[str, Any]:
    """The combat that the current turn belongs to, or whose spoils are chosen."""
    if seen.combat is not None:
        combat = seen.combat
        told: dict[str, Any] = {
            "number": combat.number,
            "kind": combat.kind,
            "space": combat.space,
            "attacker": combat.attacker,
            "defender": combat.defender,
            "undefended": combat.undefended,
        }
        if combat.difference is not None:
            told["difference"] = combat.difference
        return {"combat": told}
    if seen.spoils is not None:
        return {"spoils": {"field": seen.spoils.field, "stones": seen.fields[seen.spoils.field].stones}}
    return {}


def redact(effect: Any, seat: Seat | None) -> Any:
    """New cards are for the one who drew them; everybody is told how many."""
    if type(effect) is HandDealt and effect.seat != seat:
        return HandDealt(seat=effect.seat, count=effect.count)
    if type(effect) is HandExchanged and effect.seat != seat:
        return HandExchanged(
            combat=effect.combat, seat=effect.seat, count=effect.count, amulets_left=effect.amulets_left
        )
    return effect


def _kinds(named: Counts) -> Kinds:
    return (named.get("grass", 0), named.get("wood", 0), named.get("clay", 0), named.get("stone", 0))


def determinize(seen: View, rng: Rng) -> State:
    """A state that this view could be of: others' hands, the deck and the discard are dealt at random from the cards
    that are not in sight, and others' sealed choices are drawn from what is legal for them."""
    n = seen.players
    unseen = [CARDS_OF_A_VALUE] * HIGHEST_CARD
    known = [card for s in seen.seats for card in s.pile] + list(seen.hand or ())
    for card in known:
        unseen[card - 1] -= 1
    pool = [value + 1 for value, left in enumerate(unseen) for _ in range(left)]
    for last in range(len(pool) - 1, 0, -1):
        other = int(rng.random() * (last + 1))
        pool[last], pool[other] = pool[other], pool[last]
    hands = []
    for s in seen.seats:
        if s.seat == seen.seat and seen.hand is not None:
            hands.append(seen.hand)
        else:
            hands.append(tuple(sorted(pool.pop() for _ in range(s.hand_size))))
    gone = [pool.pop() for _ in range(seen.discarded)]
    board = Board(
        players=n,
        material_cards=tuple(seen.options["material_cards"]),
        first_option=NOBODY if seen.options["first_player"] == "random" else seen.options["first_player"],
        phase=seen.phase,
        turn=seen.turn,
        awaited=seen.asked,
        round=seen.round,
        first=_number(seen.first),
        shown=seen.material_cards_shown,
        supply=_kinds(seen.supply),
        stones=tuple(_kinds(seen.fields[name].stones) for name in FIELDS),
        vikings=tuple(tuple(seen.fields[name].vikings.get(str(s), 0) for s in range(n)) for name in FIELDS),
        sieges=tuple(sum(1 << s for s in siege.seats) for siege in seen.sieges.values()),
        settled=sum(siege.settled << at for at, siege in enumerate(seen.sieges.values())),
        home=tuple(s.home for s in seen.seats),
        hospital=tuple(tuple(s.hospital.get(name, 0) for s in seen.seats) for name in STATIONS),  # type: ignore[arg-type]
        hands=tuple(hands),
        piles=tuple(s.pile for s in seen.seats),
        deck=tuple(pool.count(value) for value in range(1, HIGHEST_CARD + 1)),  # type: ignore[arg-type]
        discarded=tuple(gone.count(value) for value in range(1, HIGHEST_CARD + 1)),  # type: ignore[arg-type]
        amulets=tuple(s.amulets for s in seen.seats),
        walls=tuple(tuple(tuple(KINDS.index(k) for k in wall) for wall in s.walls) for s in seen.seats),  # type: ignore[misc]
        carried=tuple(_kinds(s.carried) for s in seen.seats),
        aside=tuple(_kinds(s.aside) for s in seen.seats),
        sealed=(None,) * n,
        standing=sum(s.stands << s.seat for s in seen.seats),
        resigned=sum(s.resigned << s.seat for s in seen.seats),
        chooser=_number(seen.chooser),
        drawer=seen.drawing.seat if seen.drawing else NOBODY,
        drawing=seen.drawing.cards if seen.drawing else 0,
        fights=seen.combats,
        fight=_fight(seen.combat),
        taker=seen.spoils.seat if seen.spoils else NOBODY,
        field=FIELDS.index(seen.spoils.field) if seen.spoils else 0,
        reason=seen.result.reason if seen.result else "",
    )
    board.sealed = tuple(
        (seen.choice if s == seen.seat else moves(board, s).sample(rng)) if s in seen.sealed else None for s in range(n)
    )
    return State(*(getattr(board, name) for name in State.__struct_fields__))


def _number(seat: Seat | None) -> int:
    return NOBODY if seat is None else seat


def _fight(seen: CombatView | None) -> Fight | None:
    if seen is None:
        return None
    return Fight(
        number=seen.number,
        space=SPACE_NUMBERS[seen.space],
        attacker=seen.attacker,
        defender=seen.defender,
        undefended=seen.undefended,
        started="forced" if seen.forced else "defaulted" if seen.defaulted else "",
        spent=seen.amulets,
        cards=seen.cards or (0, 0),
        difference=-1 if seen.difference is None else seen.difference,
        asking=_number(seen.asking),
    )
