"""What a seat of eketorp sees, chooses and is told, as types. Made of openapi/openapi.json by `make openapi`.

`type` tells the kinds of an Action apart, and those of an Event, which is the `payload` of one.
"""

from typing import Literal, NotRequired, TypedDict

from ._common import JSON
from ._games import HouseEvent


class PlacementAction(TypedDict):
    """E3.2: so many Vikings to each field, one to each siege space; the rest defend."""

    fields: dict[str, int]
    sieges: list[str]
    type: Literal["place"]


class BattleCardAction(TypedDict):
    """E4.4: play a card of one's hand."""

    card: int
    type: Literal["play"]


class Laid(TypedDict):
    """One stone, laid on top of a wall, which are numbered from 1."""

    stone: Literal["clay", "grass", "stone", "wood"]
    wall: int


class BuildingAction(TypedDict):
    """E5.3: new stones laid one after another."""

    stones: list[Laid]
    type: Literal["build"]


class CombatView(TypedDict):
    """The combat that is going on. `difference` and `cards` are known from the reveal on, `asking` during amulets."""

    amulets: list[int]
    asking: int | None
    attacker: int
    cards: list[int] | None
    defaulted: bool
    defender: int
    difference: int | None
    forced: bool
    kind: str
    number: int
    space: str
    undefended: bool


class DrawingView(TypedDict):
    cards: int
    seat: int


class FieldView(TypedDict):
    """Stones by name, Vikings by seat (`"2": 1`)."""

    stones: dict[str, int]
    vikings: dict[str, int]


class Result(TypedDict):
    ranking: list[list[int]]
    reason: str
    scores: list[int]


class SeatView(TypedDict):
    """A seat as everybody sees it. `walls` are stone names from the bottom up; `carried` stones are not built yet."""

    amulets: int
    aside: dict[str, int]
    carried: dict[str, int]
    hand_size: int
    home: int
    hospital: dict[str, int]
    pile: list[int]
    resigned: bool
    score: int
    seat: int
    stands: bool
    walls: list[list[str]]


class SiegeView(TypedDict):
    """The seats with a Viking on a siege space; `settled` once its siege is decided (E4.7.1)."""

    seats: list[int]
    settled: bool


class SpoilsView(TypedDict):
    field: str
    seat: int


class View(TypedDict):
    """The table from one seat, or from none. `hand` and `choice` (a sealed choice of one's own) are that seat's alone.
    `phase` is the turn's kind, or what is drawn by chance, or `over`. `asked` seats still owe a choice, those in
    `sealed` have made theirs. `score` counts what stands now. `spoils` tells the field and seat of a choice of
    spoils."""

    asked: list[int]
    choice: PlacementAction | BattleCardAction | BuildingAction | None
    chooser: int | None
    combat: CombatView | None
    combats: int
    deck_size: int
    discarded: int
    drawing: DrawingView | None
    fields: dict[str, FieldView]
    first: int | None
    hand: list[int] | None
    material_card: str | None
    material_cards_shown: list[int]
    options: JSON
    phase: str
    players: int
    result: Result | None
    round: int
    sealed: list[int]
    seat: int | None
    seats: list[SeatView]
    sieges: dict[str, SiegeView]
    spoils: SpoilsView | None
    supply: dict[str, int]
    turn: int


class FightAction(TypedDict):
    """E4.2: start the fight on a contested space against a Viking of `against`."""

    against: int
    space: str
    type: Literal["fight"]


class Besiege(TypedDict):
    """E4.2: start one's siege from a siege space."""

    space: str
    type: Literal["besiege"]


class Exchange(TypedDict):
    """E4.3: swap the whole hand for new cards, for an amulet a card."""

    type: Literal["exchange"]


class Stand(TypedDict):
    """E4.3: keep the hand; with `until` for the rest of the round."""

    type: Literal["stand"]
    until: NotRequired[Literal["round"] | None]


class Loot(TypedDict):
    """E4.7.5: take so many stones off the top of each wall, and keep one of them."""

    kept: Literal["clay", "grass", "stone", "wood"]
    type: Literal["loot"]
    walls: dict[str, int]


class Decline(TypedDict):
    """E4.7.5: take nothing."""

    type: Literal["decline"]


class SpoilsAction(TypedDict):
    """E5.1: take a stone of a field that holds several kinds."""

    space: Literal["A", "B", "C", "D", "E", "F", "G"]
    stone: Literal["clay", "grass", "stone", "wood"]
    type: Literal["take"]


class HandDealt(TypedDict):
    """E2.3. Only the seat itself is told its cards."""

    cards: NotRequired[list[int] | None]
    count: int
    seat: int
    type: Literal["hand_dealt"]


class LowHandShown(TypedDict):
    """E2.3: a hand without a card above 3 goes back into the deck."""

    cards: list[int]
    seat: int
    type: Literal["low_hand_shown"]


class FirstPlayerChosen(TypedDict):
    """E2.5; `by` is `option` or `chance`."""

    by: str
    seat: int
    type: Literal["first_player_chosen"]


class RoundStarted(TypedDict):
    """E3, E6.4."""

    first: int
    round: int
    type: Literal["round_started"]


class MaterialRevealed(TypedDict):
    """E3.1: the card, what it put on each field, and what the supply lacked."""

    card: str
    short: NotRequired[dict[str, int]]
    stones: dict[str, dict[str, int]]
    type: Literal["material_revealed"]


class VikingsPlaced(TypedDict):
    """E3.3: a seat's placement, shown with all others'; `home` defend."""

    defaulted: NotRequired[bool]
    fields: dict[str, int]
    home: int
    seat: int
    sieges: list[str]
    type: Literal["vikings_placed"]


class FightStarted(TypedDict):
    """E4.2."""

    attacker: int
    combat: int
    defaulted: NotRequired[bool]
    defender: int
    forced: NotRequired[bool]
    space: str
    type: Literal["fight_started"]


class SiegeStarted(TypedDict):
    """E4.2, E4.7; `undefended`: nobody is at home in the village."""

    attacker: int
    combat: int
    defaulted: NotRequired[bool]
    defender: int
    forced: NotRequired[bool]
    space: str
    type: Literal["siege_started"]
    undefended: bool


class HandExchanged(TypedDict):
    """E4.3. Only the seat itself is told its new cards."""

    amulets_left: int
    cards: NotRequired[list[int] | None]
    combat: int
    count: int
    seat: int
    type: Literal["hand_exchanged"]


class Stood(TypedDict):
    """E4.3; `until` is `round` for a standing order."""

    combat: int
    defaulted: NotRequired[bool]
    forced: NotRequired[bool]
    seat: int
    type: Literal["stood"]
    until: NotRequired[str | None]


class CardsRevealed(TypedDict):
    """E4.4. `winner` is None for a tie; `forced` and `defaulted` name the seats that did not choose."""

    attacker: int
    attacker_card: int
    combat: int
    defaulted: NotRequired[list[int]]
    defender: int
    defender_card: int
    difference: int
    forced: NotRequired[list[int]]
    type: Literal["cards_revealed"]
    undefended: bool
    winner: int | None


class VikingWounded(TypedDict):
    """E4.5; `moved_on` where a losing defender went one station further at once (E4.7.2)."""

    combat: int
    moved_on: NotRequired[bool]
    seat: int
    station: str
    type: Literal["viking_wounded"]


class HandRefilled(TypedDict):
    """E4.6: the side pile, which everybody knows, is the hand now."""

    cards: list[int]
    seat: int
    type: Literal["hand_refilled"]


class SiegeLapsed(TypedDict):
    """E4.8: nobody is left on a siege space."""

    space: str
    type: Literal["siege_lapsed"]


class LootTaken(TypedDict):
    """E4.7.5: the stones taken off each wall, from the top; one is kept, the others go to the supply."""

    combat: int
    kept: str
    seat: int
    type: Literal["loot_taken"]
    village: int
    walls: dict[str, list[str]]


class LootDeclined(TypedDict):
    """E4.7.5; forced where no stone may be taken."""

    combat: int
    defaulted: NotRequired[bool]
    forced: NotRequired[bool]
    seat: int
    type: Literal["loot_declined"]


class StoneTaken(TypedDict):
    """E5.1: so many stones of a field by Vikings of one seat."""

    count: int
    defaulted: NotRequired[bool]
    forced: NotRequired[bool]
    seat: int
    space: str
    stone: str
    type: Literal["stone_taken"]


class VikingsReturned(TypedDict):
    """E5.2: Vikings at home now, by seat."""

    home: list[int]
    type: Literal["vikings_returned"]


class WallsBuilt(TypedDict):
    """E5.3: stones in building order, each with its wall; those that do not fit are kept aside."""

    aside: NotRequired[dict[str, int]]
    defaulted: NotRequired[bool]
    forced: NotRequired[bool]
    seat: int
    stones: list[list[str | int]]
    type: Literal["walls_built"]


class HospitalMoved(TypedDict):
    """E6.2: how many Vikings of each seat came home."""

    healed: list[int]
    type: Literal["hospital_moved"]


class FieldsCleared(TypedDict):
    """E6.3: grass and wood that went back to the supply."""

    stones: dict[str, int]
    type: Literal["fields_cleared"]


class SeatResigned(TypedDict):
    """C6."""

    seat: int
    type: Literal["seat_resigned"]


class GameEnded(TypedDict):
    """E6.1, E7, C6, C7. `reason` is `walls_complete`, `tenth_round` or `last_seat`."""

    ranking: list[list[int]]
    reason: str
    scores: list[int]
    type: Literal["game_ended"]


Action = (
    PlacementAction
    | FightAction
    | Besiege
    | Exchange
    | Stand
    | BattleCardAction
    | Loot
    | Decline
    | SpoilsAction
    | BuildingAction
)

Event = (
    HouseEvent
    | HandDealt
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

__all__ = [
    "Action",
    "BattleCardAction",
    "Besiege",
    "BuildingAction",
    "CardsRevealed",
    "CombatView",
    "Decline",
    "DrawingView",
    "Event",
    "Exchange",
    "FieldView",
    "FieldsCleared",
    "FightAction",
    "FightStarted",
    "FirstPlayerChosen",
    "GameEnded",
    "HandDealt",
    "HandExchanged",
    "HandRefilled",
    "HospitalMoved",
    "Laid",
    "Loot",
    "LootDeclined",
    "LootTaken",
    "LowHandShown",
    "MaterialRevealed",
    "PlacementAction",
    "Result",
    "RoundStarted",
    "SeatResigned",
    "SeatView",
    "SiegeLapsed",
    "SiegeStarted",
    "SiegeView",
    "SpoilsAction",
    "SpoilsView",
    "Stand",
    "StoneTaken",
    "Stood",
    "View",
    "VikingWounded",
    "VikingsPlaced",
    "VikingsReturned",
    "WallsBuilt",
]
