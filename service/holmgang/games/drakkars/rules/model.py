"""The values of Drakkars: options, actions and state."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from holmgang.engine.options import GameOptions, first_player, option
from holmgang.engine.turn import Seat

from .coast import CARD_WORTH, CELLS, COIN_WORTH, COINS, FJORDS, MOST, SEATS, SHIELD, check_fjords, check_shield

Coins: TypeAlias = tuple[int, int, int]
"""How many coins of gold, silver and copper."""
Values: TypeAlias = tuple[int, ...]
"""How many deity cards of each value, 1 to 10."""

Worth = Annotated[int, Meta(ge=0, le=MOST)]
CardValue = Annotated[int, Meta(ge=1, le=10)]
ShipNumber = Annotated[int, Meta(ge=0, le=2)]
Steps = Annotated[int, Meta(ge=1, le=13)]


class Options(GameOptions, frozen=True, kw_only=True):
    """Of Drakkars."""

    first_player: Annotated[Seat | None, first_player("C1, D2.1")] = None
    fjords: Annotated[
        tuple[int, ...],
        option(
            "D1.2",
            "the sea cell before which each seat's fjord opens, all different. Without it they are "
            + ", ".join(f"{list(cells)} with {n} players" for n, cells in FJORDS.items())
            + ".",
            schema={
                "type": "array",
                "minItems": SEATS[0],
                "maxItems": SEATS[-1],
                "uniqueItems": True,
                "items": {"type": "integer", "minimum": 0, "maximum": CELLS - 1},
            },
            read=check_fjords,
            usual=FJORDS.__getitem__,
        ),
    ]
    coin_worth: Annotated[
        tuple[Worth, ...],
        Meta(min_length=len(COIN_WORTH), max_length=len(COIN_WORTH)),
        option(
            "D1.3",
            f"the worth of {', '.join(COINS)}. Of coins of equal worth that do not fit into a cargo, the later named go"
            " back first (D5.5).",
        ),
    ] = COIN_WORTH
    card_worth: Annotated[
        tuple[Worth, ...],
        Meta(min_length=len(CARD_WORTH), max_length=len(CARD_WORTH)),
        option("D1.5", "what each card from 1 to 10 adds in coins."),
    ] = CARD_WORTH
    shield: Annotated[
        tuple[Annotated[str, Meta(max_length=24)], ...],
        Meta(min_length=len(SHIELD), max_length=len(SHIELD)),
        option(
            "D1.7",
            "the cells of the loot shield, such as `3 coins or 1 card`, `2 of discard` or `2 of central`.",
            read=check_shield,
        ),
    ] = SHIELD


# Actions


class ShipRef(Struct, frozen=True, forbid_unknown_fields=True):
    """A ship of any player."""

    seat: Annotated[int, Meta(ge=0, le=3)]
    ship: ShipNumber


class Stint(Struct, frozen=True, forbid_unknown_fields=True):
    """D4.2.4: a ship of any player, and its share of the seven steps."""

    seat: Annotated[int, Meta(ge=0, le=3)]
    ship: ShipNumber
    steps: Annotated[int, Meta(ge=1, le=6)]


class Sail(Struct, frozen=True, tag="sail", forbid_unknown_fields=True, omit_defaults=True):
    """D4.1: move a ship by a card; `steps` with Odin only."""

    ship: ShipNumber
    card: CardValue
    steps: Steps | UnsetType = UNSET


class Swap(Struct, frozen=True, tag="swap", forbid_unknown_fields=True):
    """D4.2.1, with Odin and Frigg: two ships exchange places. Own ships act in the order in which they are named."""

    ships: Annotated[tuple[ShipRef, ...], Meta(min_length=2, max_length=2)]


class Back(Struct, frozen=True, tag="back", forbid_unknown_fields=True):
    """D4.2.3, with Heimdall and Idunn: a ship goes back five cells."""

    ship: ShipRef


class Fog(Struct, frozen=True, tag="fog", forbid_unknown_fields=True):
    """D4.2.2, D7.1, with Thor and Sif: an own ship hides."""

    ship: ShipNumber


class Pair(Struct, frozen=True, tag="pair", forbid_unknown_fields=True):
    """D4.2.4, with Freyr and Freya: two ships share seven steps and move in the order named."""

    moves: Annotated[tuple[Stint, ...], Meta(min_length=2, max_length=2)]


class Launch(Struct, frozen=True, tag="launch", forbid_unknown_fields=True, omit_defaults=True):
    """D4.2.5, with Tyr: launch a ship and move it by the other card; `steps` with Odin only."""

    card: CardValue
    steps: Steps | UnsetType = UNSET


class Boost(Struct, frozen=True, tag="boost", forbid_unknown_fields=True, omit_defaults=True):
    """D4.2.6, with Njord: an own ship moves by the other card and 3 more; `steps`, the whole move, with Odin only."""

    ship: ShipNumber
    card: CardValue
    steps: Steps | UnsetType = UNSET


class Draw(Struct, frozen=True, tag="draw", forbid_unknown_fields=True):
    """D4.3: pass, and draw two cards from the central pile."""


class ReadyShip(Struct, frozen=True, tag="ready_ship", forbid_unknown_fields=True):
    """D4.3: pass, and launch a ship."""


class FogCard(Struct, frozen=True, tag="fog_card", forbid_unknown_fields=True):
    """D7.1: add a card, face down, to the hidden ship."""

    card: CardValue


class Emerge(Struct, frozen=True, tag="emerge", forbid_unknown_fields=True):
    """D7.2: the hidden ship sails by its cards and this one."""

    card: CardValue


class Rush(Struct, frozen=True, tag="rush", forbid_unknown_fields=True):
    """D8.2, in a last turn: cards whose values bring a ship home."""

    ship: ShipNumber
    cards: Annotated[tuple[CardValue, ...], Meta(min_length=1, max_length=7)]


class Push(Struct, frozen=True, tag="push", forbid_unknown_fields=True):
    """D5.3: push the ship that stands there, and act."""


class Attack(Struct, frozen=True, tag="attack", forbid_unknown_fields=True):
    """D5.3: attack the ship that stands there."""


class Advance(Struct, frozen=True, tag="advance", forbid_unknown_fields=True):
    """D5.2: the barrel moves on by one of the values used."""

    by: CardValue


class LootCoins(Struct, frozen=True, tag="loot_coins", forbid_unknown_fields=True):
    """D5.2, D6.2: take the coins."""


class LootCards(Struct, frozen=True, tag="loot_cards", forbid_unknown_fields=True):
    """D5.2, D6.2: take the cards."""


class LootChoice(Struct, frozen=True, tag="loot_choice", forbid_unknown_fields=True):
    """D1.7: take these cards from the pile that the shield names."""

    cards: Annotated[tuple[CardValue, ...], Meta(min_length=1, max_length=7)]


class Play(Struct, frozen=True, tag="play", forbid_unknown_fields=True):
    """D5.6: fight with a card."""

    card: CardValue


Action: TypeAlias = (
    Sail
    | Swap
    | Back
    | Fog
    | Pair
    | Launch
    | Boost
    | Draw
    | ReadyShip
    | FogCard
    | Emerge
    | Rush
    | Push
    | Attack
    | Advance
    | LootCoins
    | LootCards
    | LootChoice
    | Play
)

TURN_KINDS: dict[str, Any] = {
    "sail": Sail | Swap | Back | Fog | Pair | Launch | Boost | Draw | ReadyShip | FogCard | Emerge | Rush,
    "arrival": Push | Attack,
    "barrel": Advance,
    "loot": LootCoins | LootCards | LootChoice,
    "battle_card": Play,
}


# State


class Fight(Struct, frozen=True, array_like=True):
    """The open combat, on the cell where the active seat's ship arrives."""

    number: int
    ship: int
    defender: Seat
    target: int


class Board(Struct, array_like=True):
    """Everything, in small numbers, as a step works on it. No pile has an order but those of the towns, the top first.

    `ships` are cells, or RESERVE, FJORD, HIDDEN, HOME; `fog` where the token lies, or RESERVE; `fog_cards` the hidden
    ones, the drawn one first. `landed` holds ships in the order of coming home. `cargo` is by rank (D5.5). `towns[n]`
    is the cell of pile `n`, counted from 0, or -1. `turned` are the cards turned in setup, `start` the first town.

    Of the active seat's go: `todo` are moves still to be made as seat, ship and steps, where no steps mean that the
    ship acts where it is; `arriving` the own ship that acts; `odin` whether Odin is among the cards; `values` what may
    move the barrel; `bonus` whether loot is D6.2's. `drawing` cards are still to be drawn by `drawer`, to the hand or
    under the fog (`unseen`), from their own deck first (`own`); coins of a bonus count as drawing too.

    `again` is whether the barrel has moved in this go.

    `ender` called the end, or is -1; `queue` holds the last turns to come; `counting` bits of seats whose cards count.
    """

    players: int
    first_option: int
    fjords: tuple[int, ...]
    coin_worth: tuple[int, ...]
    card_worth: tuple[int, ...]
    shield: tuple[str, ...]
    phase: str
    turn: int
    awaited: tuple[Seat, ...]
    first: Seat
    active: Seat
    turns: tuple[int, ...]
    ships: tuple[tuple[int, ...], ...]
    landed: tuple[tuple[int, ...], ...]
    cargo: tuple[tuple[Coins, ...], ...]
    bag: Coins
    piles: tuple[tuple[int, ...], ...]
    towns: tuple[int, ...]
    start: int
    turned: tuple[int, ...]
    decks: tuple[Values, ...]
    central: Values
    discard: Values
    hands: tuple[tuple[int, ...], ...]
    fog: tuple[int, ...]
    fog_cards: tuple[tuple[int, ...], ...]
    barrel: int
    todo: tuple[tuple[int, int, int], ...]
    arriving: int
    odin: bool
    values: tuple[int, ...]
    bonus: bool
    drawer: Seat
    drawing: int
    own: bool
    unseen: bool
    sealed: tuple[Play | None, ...]
    fights: int
    fight: Fight | None
    ender: Seat
    queue: tuple[Seat, ...]
    counting: int
    resigned: int
    winners: tuple[Seat, ...]
    reason: str
    again: bool = False


class State(Board, frozen=True, array_like=True):  # type: ignore[misc]
    """A board that nobody changes any more."""
