"""What a seat of claim sees, chooses and is told, as types. Made of openapi/openapi.json by `make openapi`.

`type` tells the kinds of an Action apart, and those of an Event, which is the `payload` of one.
"""

from typing import Literal, NotRequired, TypedDict

from ._common import JSON
from ._games import HouseEvent


class Result(TypedDict):
    ranking: list[list[int]]
    reason: str
    scores: list[int]
    winners: list[int]


class SeatView(TypedDict):
    """A seat: its pieces' points, what it still has to place, its losses, its castles in hand, its battle turns."""

    battle_turns: int
    castles_in_hand: int
    caught: int
    pieces: list[str]
    removed: int
    resigned: bool
    seat: int
    to_place: int


class TerritoryView(TypedDict):
    """A territory: its points, and the castle on it, if there is one."""

    castle: int | None
    castle_point: str | None
    number: int
    points: list[str]


class View(TypedDict):
    """The table, the same for all but `seat`. `positions` are digests of the battle positions that may come again,
    `stood` is how often that with which the battle turn began has stood (K6.3). `due` are territories where a castle is
    to be put, `chaser` the piece that may catch on, `combats` how many catches there were."""

    active: int | None
    asked: list[int]
    chaser: str | None
    combats: int
    due: list[int]
    first: int | None
    options: JSON
    phase: str
    players: int
    positions: list[str]
    result: Result | None
    seat: int | None
    seats: list[SeatView]
    stood: int
    teams: list[list[int]]
    territories: list[TerritoryView]
    turn: int


class PlacementAction(TypedDict):
    """K2.1: two pieces on free points."""

    points: list[str]
    type: Literal["place"]


class RemovalAction(TypedDict):
    """K2.2: enemy pieces taken off at once."""

    points: list[str]
    type: Literal["remove"]


class Stake(TypedDict):
    """A castle for a territory, on one of its points."""

    point: str
    territory: int


class ClaimAction(TypedDict):
    """K5: castles put on territories; none to decline."""

    castles: list[Stake]
    type: Literal["claim"]


class MoveAction(TypedDict):
    """K3: a piece goes along a path, from where it stands to where it ends."""

    path: list[str]
    type: Literal["move"]


class Stop(TypedDict):
    """K4.3: no further catch."""

    type: Literal["stop"]


class CastleAction(TypedDict):
    """K4.4: a castle in the place of a caught one."""

    point: str
    type: Literal["castle"]


class FirstPlayerChosen(TypedDict):
    """K2.1; `by` is `option` or `chance`."""

    by: str
    seat: int
    type: Literal["first_player_chosen"]


class PiecesPlaced(TypedDict):
    """K2.1."""

    defaulted: NotRequired[bool]
    points: list[str]
    seat: int
    type: Literal["pieces_placed"]


class PiecesRemoved(TypedDict):
    """K2.2: by `seat`, of `victims`, in the order of points."""

    defaulted: NotRequired[bool]
    forced: NotRequired[bool]
    points: list[str]
    seat: int
    type: Literal["pieces_removed"]
    victims: list[int]


class BattleTurnStarted(TypedDict):
    """K2.4; `number` counts the seat's battle turns, `repeats` how often the position has stood."""

    number: int
    repeats: int
    seat: int
    type: Literal["battle_turn_started"]


class CastleReturned(TypedDict):
    """K4.4, K5: an owner's castle comes back."""

    owner: int
    point: str
    territory: int
    type: Literal["castle_returned"]


class CastlePlaced(TypedDict):
    """K4.4, K5: `claimed` on one's own turn, or in the place of a caught one."""

    claimed: bool
    defaulted: NotRequired[bool]
    forced: NotRequired[bool]
    point: str
    seat: int
    territory: int
    type: Literal["castle_placed"]


class ClaimDeclined(TypedDict):
    """K5."""

    defaulted: NotRequired[bool]
    seat: int
    type: Literal["claim_declined"]


class PieceMoved(TypedDict):
    """K3: the path that was taken."""

    defaulted: NotRequired[bool]
    forced: NotRequired[bool]
    path: list[str]
    seat: int
    type: Literal["piece_moved"]


class Caught(TypedDict):
    """K4.1: a piece or castle of `victim`; `combat` is the record's number."""

    combat: int
    kind: str
    point: str
    seat: int
    type: Literal["caught"]
    victim: int


class ChaseEnded(TypedDict):
    """K4.3: a further catch was left alone."""

    defaulted: NotRequired[bool]
    seat: int
    type: Literal["chase_ended"]


class TurnSkipped(TypedDict):
    """K3.2: no legal move."""

    seat: int
    type: Literal["turn_skipped"]


class SeatResigned(TypedDict):
    """C6; `seats` are the seat and its partner."""

    seat: int
    seats: list[int]
    type: Literal["seat_resigned"]


class GameEnded(TypedDict):
    """K6, C7. `reason` is `castles`, `alone`, `repetition`, `turn_limit` or `last_seat`."""

    castles: list[int]
    pieces: list[int]
    reason: str
    type: Literal["game_ended"]
    winners: list[int]


Action = PlacementAction | RemovalAction | ClaimAction | MoveAction | Stop | CastleAction

Event = (
    HouseEvent
    | FirstPlayerChosen
    | PiecesPlaced
    | PiecesRemoved
    | BattleTurnStarted
    | CastleReturned
    | CastlePlaced
    | ClaimDeclined
    | PieceMoved
    | Caught
    | ChaseEnded
    | TurnSkipped
    | SeatResigned
    | GameEnded
)

__all__ = [
    "Action",
    "BattleTurnStarted",
    "CastleAction",
    "CastlePlaced",
    "CastleReturned",
    "Caught",
    "ChaseEnded",
    "ClaimAction",
    "ClaimDeclined",
    "Event",
    "FirstPlayerChosen",
    "GameEnded",
    "MoveAction",
    "PieceMoved",
    "PiecesPlaced",
    "PiecesRemoved",
    "PlacementAction",
    "RemovalAction",
    "Result",
    "SeatResigned",
    "SeatView",
    "Stake",
    "Stop",
    "TerritoryView",
    "TurnSkipped",
    "View",
]
