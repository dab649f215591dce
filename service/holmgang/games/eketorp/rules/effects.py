"""What happens in a game of Eketorp, in the past tense, as everyone reads it; and the combat records.

`forced` marks what the rules took because there was nothing to choose (C3), `defaulted` what was played for a seat that
has resigned (C6). Fields and siege spaces go by their names, walls by their numbers from 1.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct, field

from holmgang.engine.effects import Effect
from holmgang.engine.rules import Combat
from holmgang.engine.turn import Seat

Counts: TypeAlias = dict[str, int]
"""Stone names, or station names, to how many."""


class HandDealt(Effect, frozen=True, tag="hand_dealt", kw_only=True):
    """E2.3. Only the seat itself is told its cards."""

    seat: Seat
    count: int
    cards: tuple[int, ...] | None = None


class LowHandShown(Effect, frozen=True, tag="low_hand_shown", kw_only=True):
    """E2.3: a hand without a card above 3 goes back into the deck."""

    seat: Seat
    cards: tuple[int, ...]


class FirstPlayerChosen(Effect, frozen=True, tag="first_player_chosen", kw_only=True):
    """E2.5; `by` is `option` or `chance`."""

    seat: Seat
    by: str


class RoundStarted(Effect, frozen=True, tag="round_started", kw_only=True):
    """E3, E6.4."""

    round: int
    first: Seat


class MaterialRevealed(Effect, frozen=True, tag="material_revealed", kw_only=True):
    """E3.1: the card, what it put on each field, and what the supply lacked."""

    card: str
    stones: dict[str, Counts]
    short: Counts = field(default_factory=dict)


class VikingsPlaced(Effect, frozen=True, tag="vikings_placed", kw_only=True):
    """E3.3: a seat's placement, shown with all others'; `home` defend."""

    seat: Seat
    fields: Counts
    sieges: tuple[str, ...]
    home: int
    defaulted: bool = False


class FightStarted(Effect, frozen=True, tag="fight_started", kw_only=True):
    """E4.2."""

    combat: int
    space: str
    attacker: Seat
    defender: Seat
    forced: bool = False
    defaulted: bool = False


class SiegeStarted(Effect, frozen=True, tag="siege_started", kw_only=True):
    """E4.2, E4.7; `undefended`: nobody is at home in the village."""

    combat: int
    space: str
    attacker: Seat
    defender: Seat
    undefended: bool
    forced: bool = False
    defaulted: bool = False


class HandExchanged(Effect, frozen=True, tag="hand_exchanged", kw_only=True):
    """E4.3. Only the seat itself is told its new cards."""

    combat: int
    seat: Seat
    count: int
    amulets_left: int
    cards: tuple[int, ...] | None = None


class Stood(Effect, frozen=True, tag="stood", kw_only=True):
    """E4.3; `until` is `round` for a standing order."""

    combat: int
    seat: Seat
    until: str | None = None
    forced: bool = False
    defaulted: bool = False


class CardsRevealed(Effect, frozen=True, tag="cards_revealed", kw_only=True):
    """E4.4. `winner` is None for a tie; `forced` and `defaulted` name the seats that did not choose."""

    combat: int
    attacker: Seat
    defender: Seat
    attacker_card: int
    defender_card: int
    undefended: bool
    difference: int
    winner: Seat | None
    forced: tuple[Seat, ...] = ()
    defaulted: tuple[Seat, ...] = ()


class VikingWounded(Effect, frozen=True, tag="viking_wounded", kw_only=True):
    """E4.5; `moved_on` where a losing defender went one station further at once (E4.7.2)."""

    combat: int
    seat: Seat
    station: str
    moved_on: bool = False


class HandRefilled(Effect, frozen=True, tag="hand_refilled", kw_only=True):
    """E4.6: the side pile, which everybody knows, is the hand now."""

    seat: Seat
    cards: tuple[int, ...]


class SiegeLapsed(Effect, frozen=True, tag="siege_lapsed", kw_only=True):
    """E4.8: nobody is left on a siege space."""

    space: str


class LootTaken(Effect, frozen=True, tag="loot_taken", kw_only=True):
    """E4.7.5: the stones taken off each wall, from the top; one is kept, the others go to the supply."""

    combat: int
    seat: Seat
    village: Seat
    walls: dict[str, tuple[str, ...]]
    kept: str


class LootDeclined(Effect, frozen=True, tag="loot_declined", kw_only=True):
    """E4.7.5; forced where no stone may be taken."""

    combat: int
    seat: Seat
    forced: bool = False
    defaulted: bool = False


class StoneTaken(Effect, frozen=True, tag="stone_taken", kw_only=True):
    """E5.1: so many stones of a field by Vikings of one seat."""

    seat: Seat
    space: str
    stone: str
    count: int
    forced: bool = False
    defaulted: bool = False


class VikingsReturned(Effect, frozen=True, tag="vikings_returned", kw_only=True):
    """E5.2: Vikings at home now, by seat."""

    home: tuple[int, ...]


class WallsBuilt(Effect, frozen=True, tag="walls_built", kw_only=True):
    """E5.3: stones in building order, each with its wall; those that do not fit are kept aside."""

    seat: Seat
    stones: tuple[tuple[str, int], ...]
    aside: Counts = field(default_factory=dict)
    forced: bool = False
    defaulted: bool = False


class HospitalMoved(Effect, frozen=True, tag="hospital_moved", kw_only=True):
    """E6.2: how many Vikings of each seat came home."""

    healed: tuple[int, ...]


class FieldsCleared(Effect, frozen=True, tag="fields_cleared", kw_only=True):
    """E6.3: grass and wood that went back to the supply."""

    stones: Counts


class SeatResigned(Effect, frozen=True, tag="seat_resigned", kw_only=True):
    """C6."""

    seat: Seat


class GameEnded(Effect, frozen=True, tag="game_ended", kw_only=True):
    """E6.1, E7, C6, C7. `reason` is `walls_complete`, `tenth_round` or `last_seat`."""

    reason: str
    scores: tuple[int, ...]
    ranking: tuple[tuple[Seat, ...], ...]


AnyEffect: TypeAlias = (
    HandDealt
    | LowHandShown
    | FirstPlayerChosen
    | RoundStarted
    | MaterialRevealed
    | VikingsPlaced
    | FightStarted
    | SiegeStarted
    | HandExchanged
    | Stood
    | CardsRevealed
    | VikingWounded
    | HandRefilled
    | SiegeLapsed
    | LootTaken
    | LootDeclined
    | StoneTaken
    | VikingsReturned
    | WallsBuilt
    | HospitalMoved
    | FieldsCleared
    | SeatResigned
    | GameEnded
)


class Pair(Struct, frozen=True):
    """Something of each of the two."""

    attacker: int
    defender: int


class Wounded(Struct, frozen=True):
    seat: Seat
    station: str


class Looted(Struct, frozen=True):
    """What a siege brought: the stones off each wall and the one kept; nothing where it was declined."""

    walls: dict[str, tuple[str, ...]] = {}
    kept: str | None = None


class EketorpCombat(Combat, frozen=True, kw_only=True):
    """A combat resolution (E4). Open until it is settled, loot included; what is not known yet is null.

    `forced` and `defaulted` tell whether it was begun by choice; `cards_forced` names the seats that had one card
    only, the attacker first (C3). An undefended village's card counts 0 in the difference; `cards` shows what was
    played. `station` is where a wounded Viking arrived in the end.
    """

    round: int
    kind: str
    space: str
    attacker: Seat
    defender: Seat
    undefended: bool
    forced: bool
    defaulted: bool
    amulets: Pair
    cards: Pair | None = None
    cards_forced: tuple[Seat, ...] = ()
    difference: int | None = None
    winner: Seat | None = None
    wounded: tuple[Wounded, ...] = ()
    loot: Looted | None = None
