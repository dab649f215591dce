"""The values of Eketorp: options, state, actions, effects, combat records and views."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from holmgang.engine.options import GameOptions, first_player, option
from holmgang.engine.patterns import matching
from holmgang.engine.turn import Seat

from .board import LONGEST_CARD, MATERIAL_CARDS, check_cards

Kinds: TypeAlias = tuple[int, int, int, int]
"""How many stones of each kind: grass, wood, clay, stone."""
Values: TypeAlias = tuple[int, int, int, int, int, int]
"""How many battle cards of each value, 1 to 6."""
Wall: TypeAlias = tuple[int, ...]
"""Kinds from the bottom up."""
Walls: TypeAlias = tuple[Wall, Wall, Wall, Wall, Wall, Wall]

StoneName = Literal["grass", "wood", "clay", "stone"]
FieldName = Literal["A", "B", "C", "D", "E", "F", "G"]
SiegeName = Annotated[str, matching("[0-5]:(catapult|boat|ram)", "1:boat")]
SpaceName = Annotated[str, matching("([A-G]|[0-5]:(catapult|boat|ram))", "1:boat")]
CardValue = Annotated[int, Meta(ge=1, le=6)]
SeatNumber = Annotated[int, Meta(ge=0, le=5)]


class Options(GameOptions, frozen=True, kw_only=True):
    """Of Eketorp."""

    first_player: Annotated[Seat | None, first_player("C1, E2.5")] = None
    material_cards: Annotated[
        tuple[Annotated[str, Meta(max_length=LONGEST_CARD)], ...],
        Meta(min_length=len(MATERIAL_CARDS), max_length=len(MATERIAL_CARDS)),
        option(
            "E1.5",
            "another deck of material cards, such as `A g2, B w2, C g2*`. A group is a field, a kind (g, w, c, s) and a"
            " count; `*` marks one stone of it for five or six players only. A card names a field twice at most, with"
            " two kinds.",
            read=check_cards,
        ),
    ] = MATERIAL_CARDS


# Actions


class Place(Struct, frozen=True, tag="place", forbid_unknown_fields=True):
    """E3.2: so many Vikings to each field, one to each siege space; the rest defend."""

    fields: dict[FieldName, Annotated[int, Meta(ge=1, le=8)]]
    sieges: Annotated[tuple[SiegeName, ...], Meta(max_length=15)]

    def __hash__(self) -> int:
        return hash((frozenset(self.fields.items()), self.sieges))


class FightAction(Struct, frozen=True, tag="fight", forbid_unknown_fields=True):
    """E4.2: start the fight on a contested space against a Viking of `against`."""

    space: SpaceName
    against: SeatNumber


class Besiege(Struct, frozen=True, tag="besiege", forbid_unknown_fields=True):
    """E4.2: start one's siege from a siege space."""

    space: SiegeName


class Exchange(Struct, frozen=True, tag="exchange", forbid_unknown_fields=True):
    """E4.3: swap the whole hand for new cards, for an amulet a card."""


class Stand(Struct, frozen=True, tag="stand", forbid_unknown_fields=True, omit_defaults=True):
    """E4.3: keep the hand; with `until` for the rest of the round."""

    until: Literal["round"] | None = None


class Play(Struct, frozen=True, tag="play", forbid_unknown_fields=True):
    """E4.4: play a card of one's hand."""

    card: CardValue


class Loot(Struct, frozen=True, tag="loot", forbid_unknown_fields=True):
    """E4.7.5: take so many stones off the top of each wall, and keep one of them."""

    walls: Annotated[
        dict[Literal["1", "2", "3", "4", "5", "6"], Annotated[int, Meta(ge=1, le=3)]], Meta(min_length=1, max_length=2)
    ]
    kept: StoneName

    def __hash__(self) -> int:
        return hash((frozenset(self.walls.items()), self.kept))


class Decline(Struct, frozen=True, tag="decline", forbid_unknown_fields=True):
    """E4.7.5: take nothing."""


class Take(Struct, frozen=True, tag="take", forbid_unknown_fields=True):
    """E5.1: take a stone of a field that holds several kinds."""

    space: FieldName
    stone: StoneName


class Laid(Struct, frozen=True, forbid_unknown_fields=True):
    """One stone, laid on top of a wall, which are numbered from 1."""

    stone: StoneName
    wall: Annotated[int, Meta(ge=1, le=6)]


class Build(Struct, frozen=True, tag="build", forbid_unknown_fields=True):
    """E5.3: new stones laid one after another."""

    stones: Annotated[tuple[Laid, ...], Meta(max_length=18)]


Action: TypeAlias = Place | FightAction | Besiege | Exchange | Stand | Play | Loot | Decline | Take | Build

TURN_KINDS: dict[str, Any] = {
    "placement": Place,
    "initiative": FightAction | Besiege,
    "amulets": Exchange | Stand,
    "battle_card": Play,
    "loot": Loot | Decline,
    "spoils": Take,
    "building": Build,
}


# State


class Fight(Struct, frozen=True, array_like=True):
    """The open combat. Spaces are numbered as in `board`; a card of 0 is not shown yet; `asking` is who may swap."""

    number: int
    space: int
    attacker: Seat
    defender: Seat
    undefended: bool
    started: str = ""
    spent: tuple[int, int] = (0, 0)
    cards: tuple[int, int] = (0, 0)
    difference: int = -1
    asking: int = -1

    @property
    def siege(self) -> bool:
        """Whether the village's owner is attacked, not another Viking on the same space."""
        return self.space >= 7 and (self.space - 7) // 3 == self.defender


class Board(Struct, array_like=True):
    """Everything, in small numbers, as a step works on it. Seats, kinds, values and spaces index the tuples; nothing
    has a hidden order.

    `awaited` are the seats that still owe a choice of the kind that `phase` names. `sieges` holds a bit a seat for
    every siege space, `settled` a bit a siege space; `standing` and `resigned` a bit a seat. `drawing` is how many
    battle cards `drawer` is still to draw.
    """

    players: int
    material_cards: tuple[str, ...]
    first_option: int
    phase: str
    turn: int
    awaited: tuple[Seat, ...]
    round: int
    first: Seat
    shown: tuple[int, ...]
    supply: Kinds
    stones: tuple[Kinds, ...]
    vikings: tuple[tuple[int, ...], ...]
    sieges: tuple[int, ...]
    settled: int
    home: tuple[int, ...]
    hospital: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
    hands: tuple[tuple[int, ...], ...]
    piles: tuple[tuple[int, ...], ...]
    deck: Values
    discarded: Values
    amulets: tuple[int, ...]
    walls: tuple[Walls, ...]
    carried: tuple[Kinds, ...]
    aside: tuple[Kinds, ...]
    sealed: tuple[Place | Play | Build | None, ...]
    standing: int
    resigned: int
    chooser: Seat
    drawer: Seat
    drawing: int
    fights: int
    fight: Fight | None
    taker: int
    field: int
    reason: str


class State(Board, frozen=True, array_like=True):  # type: ignore[misc]
    """A board that nobody changes any more: what a step starts from and gives away."""
