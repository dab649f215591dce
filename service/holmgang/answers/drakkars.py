"""What a seat of drakkars sees, chooses and is told, as types. Made of openapi/openapi.json by `make openapi`.

`type` tells the kinds of an Action apart, and those of an Event, which is the `payload` of one.
"""

from typing import Literal, NotRequired, TypedDict

from ._common import JSON
from ._games import HouseEvent


class BattleCardAction(TypedDict):
    """D5.6: fight with a card."""

    card: int
    type: Literal["play"]


class CombatView(TypedDict):
    """The fight that is going on; its cards are hidden until both have chosen."""

    attacker: int
    attacker_ship: int
    cell: int
    defender: int
    defender_ship: int
    number: int


class EndView(TypedDict):
    """D8.1: who called the end, and the last turns still to come."""

    last_turns: list[int]
    seat: int


class StintView(TypedDict):
    """A move still to be made in this go; without steps the ship acts where it is."""

    owner: int
    ship: int
    steps: int


class GoView(TypedDict):
    """The active seat's go: what is still `to_do`, the own ship that acts now, the values that may move the barrel,
    whether Odin was played, and whether loot is a bonus (D6.2)."""

    arriving: int | None
    bonus: bool
    odin: bool
    to_do: list[StintView]
    values: list[int]


class OfferView(TypedDict):
    """What the shield's cell gives now: coins or cards; or `count` cards of choice from `pile`. The central pile's
    cards are `values` for the taker alone."""

    cards: int
    coins: int
    count: int
    pile: str | None
    values: list[int] | None


class Result(TypedDict):
    ranking: list[list[int]]
    reason: str
    scores: list[int]
    winners: list[int]


class FogView(TypedDict):
    """The fog token: its cell, none in the fjord, and how many cards lie under the hidden ship."""

    cards: int
    cell: int | None


class ShipView(TypedDict):
    """A ship: `at` is `sea`, `fjord`, `hidden`, `home` or `reserve`. `rank` (from 1) says which cargo is its own,
    `way_home` how many steps it has to go (D3.2)."""

    at: str
    cell: int | None
    rank: int | None
    ship: int
    way_home: int | None


class SeatView(TypedDict):
    """A seat as everybody sees it. `cargo` holds coins by rank, `piers` the ships in the order of coming home, `coins`
    what their cargoes are worth. `hand` is shown at the end, if its cards count (D8.4)."""

    cards_count: bool
    cargo: list[dict[str, int]]
    coins: int
    deck_size: int
    fjord: int
    fog: FogView | None
    hand: list[int] | None
    hand_size: int
    piers: list[int]
    resigned: bool
    seat: int
    ships: list[ShipView]
    turns: int


class TownView(TypedDict):
    """A town by the number of its pile of coins, which lie open, the top first. No cell before it stands."""

    cell: int | None
    coins: list[str]
    town: int


class View(TypedDict):
    """The table from one seat, or from none. `hand`, `deck` (what is left in the own one, in no order), `fog_cards` and
    `choice` (a sealed choice) are that seat's alone. `phase` is the turn's kind, or what chance decides, or `over`.
    `asked` seats still owe a choice, those in `sealed` have made theirs. `barrel` is a cell of the shield."""

    active: int | None
    asked: list[int]
    bag: dict[str, int]
    barrel: int
    central_size: int
    choice: BattleCardAction | None
    combat: CombatView | None
    combats: int
    deck: list[int] | None
    discard: list[int]
    end: EndView | None
    first: int | None
    fog_cards: list[int] | None
    go: GoView | None
    hand: list[int] | None
    offer: OfferView | None
    options: JSON
    phase: str
    players: int
    result: Result | None
    sealed: list[int]
    seat: int | None
    seats: list[SeatView]
    teams: list[list[int]]
    towns: list[TownView]
    turn: int


class Sail(TypedDict):
    """D4.1: move a ship by a card; `steps` with Odin only."""

    card: int
    ship: int
    steps: NotRequired[int]
    type: Literal["sail"]


class ShipRef(TypedDict):
    """A ship of any player."""

    seat: int
    ship: int


class Swap(TypedDict):
    """D4.2.1, with Odin and Frigg: two ships exchange places. Own ships act in the order in which they are named."""

    ships: list[ShipRef]
    type: Literal["swap"]


class Back(TypedDict):
    """D4.2.3, with Heimdall and Idunn: a ship goes back five cells."""

    ship: ShipRef
    type: Literal["back"]


class Fog(TypedDict):
    """D4.2.2, D7.1, with Thor and Sif: an own ship hides."""

    ship: int
    type: Literal["fog"]


class Stint(TypedDict):
    """D4.2.4: a ship of any player, and its share of the seven steps."""

    seat: int
    ship: int
    steps: int


class Pair(TypedDict):
    """D4.2.4, with Freyr and Freya: two ships share seven steps and move in the order named."""

    moves: list[Stint]
    type: Literal["pair"]


class Launch(TypedDict):
    """D4.2.5, with Tyr: launch a ship and move it by the other card; `steps` with Odin only."""

    card: int
    steps: NotRequired[int]
    type: Literal["launch"]


class Boost(TypedDict):
    """D4.2.6, with Njord: an own ship moves by the other card and 3 more; `steps`, the whole move, with Odin only."""

    card: int
    ship: int
    steps: NotRequired[int]
    type: Literal["boost"]


class Draw(TypedDict):
    """D4.3: pass, and draw two cards from the central pile."""

    type: Literal["draw"]


class ReadyShip(TypedDict):
    """D4.3: pass, and launch a ship."""

    type: Literal["ready_ship"]


class FogCard(TypedDict):
    """D7.1: add a card, face down, to the hidden ship."""

    card: int
    type: Literal["fog_card"]


class Emerge(TypedDict):
    """D7.2: the hidden ship sails by its cards and this one."""

    card: int
    type: Literal["emerge"]


class Rush(TypedDict):
    """D8.2, in a last turn: cards whose values bring a ship home."""

    cards: list[int]
    ship: int
    type: Literal["rush"]


class Push(TypedDict):
    """D5.3: push the ship that stands there, and act."""

    type: Literal["push"]


class Attack(TypedDict):
    """D5.3: attack the ship that stands there."""

    type: Literal["attack"]


class BarrelAction(TypedDict):
    """D5.2: the barrel moves on by one of the values used."""

    by: int
    type: Literal["advance"]


class LootCoins(TypedDict):
    """D5.2, D6.2: take the coins."""

    type: Literal["loot_coins"]


class LootCards(TypedDict):
    """D5.2, D6.2: take the cards."""

    type: Literal["loot_cards"]


class LootChoice(TypedDict):
    """D1.7: take these cards from the pile that the shield names."""

    cards: list[int]
    type: Literal["loot_choice"]


class FirstPlayerChosen(TypedDict):
    """D2.1; `by` is `option` or `chance`."""

    by: str
    seat: int
    type: Literal["first_player_chosen"]


class PileLaid(TypedDict):
    """D2.2: a pile of coins, the top first."""

    coins: list[str]
    pile: int
    type: Literal["pile_laid"]


class CardTurned(TypedDict):
    """D2.3; `passed_over` for a 9 or 10."""

    card: int
    passed_over: NotRequired[bool]
    seat: int
    type: Literal["card_turned"]


class TownPlaced(TypedDict):
    """D2.3. The first town is told without its pile when it is placed, and with it when the others are."""

    cell: int
    town: NotRequired[int | None]
    type: Literal["town_placed"]


class TurnStarted(TypedDict):
    """D4: a player's go; `number` counts them a player, `last` marks D8.1's."""

    last: NotRequired[bool]
    number: int
    seat: int
    type: Literal["turn_started"]


class CardsPlayed(TypedDict):
    """D4, D7.2, D8.2: the cards that were discarded, and for which action."""

    action: str
    cards: list[int]
    seat: int
    type: Literal["cards_played"]


class Passed(TypedDict):
    """D4.3: to draw."""

    defaulted: NotRequired[bool]
    forced: NotRequired[bool]
    seat: int
    type: Literal["passed"]


class CardDrawn(TypedDict):
    """From a player's own `deck` or the `central` pile. Only the seat itself is told the card."""

    card: NotRequired[int | None]
    pile: str
    seat: int
    type: Literal["card_drawn"]


class FogCardDrawn(TypedDict):
    """D7.1: from the central pile. Only the seat itself is told the card."""

    card: NotRequired[int | None]
    seat: int
    type: Literal["fog_card_drawn"]


class FogCardAdded(TypedDict):
    """D7.1: from the hand. Only the seat itself is told the card."""

    card: NotRequired[int | None]
    seat: int
    type: Literal["fog_card_added"]


class PileRenewed(TypedDict):
    """D4.5: the discard became the central pile."""

    cards: int
    type: Literal["pile_renewed"]


class ShipLaunched(TypedDict):
    """D2.4, D4.2.5, D4.3: into its fjord."""

    seat: int
    ship: int
    type: Literal["ship_launched"]


class ShipMoved(TypedDict):
    """D3, D4: by `steps`, which are negative backwards, moved by `by`."""

    by: int
    end: int
    owner: int
    ship: int
    start: int | None
    steps: int
    type: Literal["ship_moved"]


class ShipsSwapped(TypedDict):
    """D4.2.1: the first ship left `first_cell` for `second_cell`, the second the other way."""

    first_cell: int
    first_owner: int
    first_ship: int
    seat: int
    second_cell: int
    second_owner: int
    second_ship: int
    type: Literal["ships_swapped"]


class ShipStayed(TypedDict):
    """D4.2.4: a second ship that was no longer at sea."""

    owner: int
    ship: int
    type: Literal["ship_stayed"]


class ShipHidden(TypedDict):
    """D7.1."""

    cell: int | None
    seat: int
    ship: int
    type: Literal["ship_hidden"]


class FogLifted(TypedDict):
    """D7.2, D8.2: a hidden ship is back at its token, and its cards are shown and discarded."""

    cards: list[int]
    cell: int | None
    seat: int
    ship: int
    type: Literal["fog_lifted"]


class ShipPushed(TypedDict):
    """D5.4: on to the next free cell; no `end` when it came home."""

    by: int
    defaulted: NotRequired[bool]
    end: int | None
    forced: NotRequired[bool]
    owner: int
    ship: int
    start: int
    type: Literal["ship_pushed"]


class ShipCameHome(TypedDict):
    """D6.1: at this pier; `bonus` as in D6.2."""

    bonus: NotRequired[bool]
    pier: int
    seat: int
    ship: int
    type: Literal["ship_came_home"]


class CombatStarted(TypedDict):
    """D5.6."""

    attacker: int
    attacker_ship: int
    cell: int
    combat: int
    defender: int
    defender_ship: int
    type: Literal["combat_started"]


class CardsRevealed(TypedDict):
    """D5.6: no `defender_card` of a defender without cards, which counts 0. `forced` and `defaulted` name seats."""

    attacker: int
    attacker_card: int
    combat: int
    defaulted: NotRequired[list[int]]
    defender: int
    defender_card: int | None
    difference: int
    forced: NotRequired[list[int]]
    type: Literal["cards_revealed"]
    winner: int


class CargoTaken(TypedDict):
    """D5.6.1, D5.6.2: by the winner into their cargo `rank`; `returned` coins did not fit and went to the bag."""

    coins: dict[str, int]
    combat: int
    rank: int
    returned: NotRequired[dict[str, int]]
    seat: int
    type: Literal["cargo_taken"]


class CargoLost(TypedDict):
    """D5.6.2: to the bag."""

    coins: dict[str, int]
    combat: int
    seat: int
    type: Literal["cargo_lost"]


class ShipFled(TypedDict):
    """D5.4, D5.6.1: no `end` when it came home."""

    combat: int
    end: int | None
    owner: int
    ship: int
    start: int
    type: Literal["ship_fled"]


class ShipDestroyed(TypedDict):
    """D5.6.2."""

    combat: int
    owner: int
    ship: int
    type: Literal["ship_destroyed"]


class BarrelMoved(TypedDict):
    """D5.2: by a value, to a cell of the shield."""

    by: int
    cell: int
    defaulted: NotRequired[bool]
    forced: NotRequired[bool]
    seat: int
    type: Literal["barrel_moved"]


class CoinsLooted(TypedDict):
    """D5.2: off the top of a town's pile into the cargo `rank`; `returned` coins did not fit and went to the bag."""

    coins: list[str]
    defaulted: NotRequired[bool]
    forced: NotRequired[bool]
    rank: int
    returned: NotRequired[dict[str, int]]
    seat: int
    town: int
    type: Literal["coins_looted"]


class BonusTaken(TypedDict):
    """D6.2: so many coins are drawn from the bag for the cargo `rank`."""

    coins: int
    defaulted: NotRequired[bool]
    forced: NotRequired[bool]
    rank: int
    seat: int
    type: Literal["bonus_taken"]


class CoinDrawn(TypedDict):
    """D6.2."""

    coin: str
    rank: int
    seat: int
    type: Literal["coin_drawn"]


class CardsLooted(TypedDict):
    """D5.2, D6.2: so many cards are drawn from the central pile."""

    cards: int
    defaulted: NotRequired[bool]
    forced: NotRequired[bool]
    seat: int
    type: Literal["cards_looted"]


class PileShown(TypedDict):
    """D1.7: the central pile, to choose from. Only the seat itself is told its cards, in no order."""

    cards: NotRequired[list[int] | None]
    count: int
    seat: int
    type: Literal["pile_shown"]


class CardsChosen(TypedDict):
    """D1.7: from the `discard`, or from the `central` pile, whose cards only the seat itself is told."""

    cards: NotRequired[list[int] | None]
    count: int
    defaulted: NotRequired[bool]
    forced: NotRequired[bool]
    pile: str
    seat: int
    type: Literal["cards_chosen"]


class NothingLooted(TypedDict):
    """D1.7: the shield's cell yields nothing now."""

    seat: int
    type: Literal["nothing_looted"]


class EndCalled(TypedDict):
    """D8.1: by the ship that came home; `last_turns` in their order."""

    last_turns: list[int]
    seat: int
    type: Literal["end_called"]


class SeatResigned(TypedDict):
    """C6; `seats` are the seat and its partner."""

    seat: int
    seats: list[int]
    type: Literal["seat_resigned"]


class GameEnded(TypedDict):
    """D8.5, D8.6, C7. `reason` is `ships`, `turn_limit` or `last_seat`; `hands` of those whose cards count."""

    hands: list[list[int] | None]
    reason: str
    scores: list[int]
    type: Literal["game_ended"]
    winners: list[int]


Action = (
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
    | BarrelAction
    | LootCoins
    | LootCards
    | LootChoice
    | BattleCardAction
)

Event = (
    HouseEvent
    | FirstPlayerChosen
    | PileLaid
    | CardTurned
    | TownPlaced
    | TurnStarted
    | CardsPlayed
    | Passed
    | CardDrawn
    | FogCardDrawn
    | FogCardAdded
    | PileRenewed
    | ShipLaunched
    | ShipMoved
    | ShipsSwapped
    | ShipStayed
    | ShipHidden
    | FogLifted
    | ShipPushed
    | ShipCameHome
    | CombatStarted
    | CardsRevealed
    | CargoTaken
    | CargoLost
    | ShipFled
    | ShipDestroyed
    | BarrelMoved
    | CoinsLooted
    | BonusTaken
    | CoinDrawn
    | CardsLooted
    | PileShown
    | CardsChosen
    | NothingLooted
    | EndCalled
    | SeatResigned
    | GameEnded
)

__all__ = [
    "Action",
    "Attack",
    "Back",
    "BarrelAction",
    "BarrelMoved",
    "BattleCardAction",
    "BonusTaken",
    "Boost",
    "CardDrawn",
    "CardTurned",
    "CardsChosen",
    "CardsLooted",
    "CardsPlayed",
    "CardsRevealed",
    "CargoLost",
    "CargoTaken",
    "CoinDrawn",
    "CoinsLooted",
    "CombatStarted",
    "CombatView",
    "Draw",
    "Emerge",
    "EndCalled",
    "EndView",
    "Event",
    "FirstPlayerChosen",
    "Fog",
    "FogCard",
    "FogCardAdded",
    "FogCardDrawn",
    "FogLifted",
    "FogView",
    "GameEnded",
    "GoView",
    "Launch",
    "LootCards",
    "LootChoice",
    "LootCoins",
    "NothingLooted",
    "OfferView",
    "Pair",
    "Passed",
    "PileLaid",
    "PileRenewed",
    "PileShown",
    "Push",
    "ReadyShip",
    "Result",
    "Rush",
    "Sail",
    "SeatResigned",
    "SeatView",
    "ShipCameHome",
    "ShipDestroyed",
    "ShipFled",
    "ShipHidden",
    "ShipLaunched",
    "ShipMoved",
    "ShipPushed",
    "ShipRef",
    "ShipStayed",
    "ShipView",
    "ShipsSwapped",
    "Stint",
    "StintView",
    "Swap",
    "TownPlaced",
    "TownView",
    "TurnStarted",
    "View",
]
