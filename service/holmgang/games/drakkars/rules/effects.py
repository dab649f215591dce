"""What happens in a game of Drakkars, in the past tense.

`forced` marks what the rules took because there was nothing to choose (C3), `defaulted` what was played for a seat that
has resigned (C6). Ships are named by their owner's `seat` (or `owner`, where somebody else acts) and number; cells by
number, `null` for the own fjord; towns by the number of their pile; cargoes by rank from 1.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import field

from holmgang.engine.effects import Effect
from holmgang.engine.turn import Seat

Counts: TypeAlias = dict[str, int]
"""Coins by name."""


class FirstPlayerChosen(Effect, frozen=True, tag="first_player_chosen", kw_only=True):
    """D2.1; `by` is `option` or `chance`."""

    seat: Seat
    by: str


class PileLaid(Effect, frozen=True, tag="pile_laid", kw_only=True):
    """D2.2: a pile of coins, the top first."""

    pile: int
    coins: tuple[str, ...]


class CardTurned(Effect, frozen=True, tag="card_turned", kw_only=True):
    """D2.3; `passed_over` for a 9 or 10."""

    seat: Seat
    card: int
    passed_over: bool = False


class TownPlaced(Effect, frozen=True, tag="town_placed", kw_only=True):
    """D2.3. The first town is told without its pile when it is placed, and with it when the others are."""

    cell: int
    town: int | None = None


class TurnStarted(Effect, frozen=True, tag="turn_started", kw_only=True):
    """D4: a player's go; `number` counts them a player, `last` marks D8.1's."""

    seat: Seat
    number: int
    last: bool = False


class CardsPlayed(Effect, frozen=True, tag="cards_played", kw_only=True):
    """D4, D7.2, D8.2: the cards that were discarded, and for which action."""

    seat: Seat
    action: str
    cards: tuple[int, ...]


class Passed(Effect, frozen=True, tag="passed", kw_only=True):
    """D4.3: to draw."""

    seat: Seat
    forced: bool = False
    defaulted: bool = False


class CardDrawn(Effect, frozen=True, tag="card_drawn", kw_only=True):
    """From a player's own `deck` or the `central` pile. Only the seat itself is told the card."""

    seat: Seat
    pile: str
    card: int | None = None


class FogCardDrawn(Effect, frozen=True, tag="fog_card_drawn", kw_only=True):
    """D7.1: from the central pile. Only the seat itself is told the card."""

    seat: Seat
    card: int | None = None


class FogCardAdded(Effect, frozen=True, tag="fog_card_added", kw_only=True):
    """D7.1: from the hand. Only the seat itself is told the card."""

    seat: Seat
    card: int | None = None


class PileRenewed(Effect, frozen=True, tag="pile_renewed", kw_only=True):
    """D4.5: the discard became the central pile."""

    cards: int


class ShipLaunched(Effect, frozen=True, tag="ship_launched", kw_only=True):
    """D2.4, D4.2.5, D4.3: into its fjord."""

    seat: Seat
    ship: int


class ShipMoved(Effect, frozen=True, tag="ship_moved", kw_only=True):
    """D3, D4: by `steps`, which are negative backwards, moved by `by`."""

    owner: Seat
    ship: int
    start: int | None
    end: int
    steps: int
    by: Seat


class ShipsSwapped(Effect, frozen=True, tag="ships_swapped", kw_only=True):
    """D4.2.1: the first ship left `first_cell` for `second_cell`, the second the other way."""

    seat: Seat
    first_owner: Seat
    first_ship: int
    first_cell: int
    second_owner: Seat
    second_ship: int
    second_cell: int


class ShipStayed(Effect, frozen=True, tag="ship_stayed", kw_only=True):
    """D4.2.4: a second ship that was no longer at sea."""

    owner: Seat
    ship: int


class ShipHidden(Effect, frozen=True, tag="ship_hidden", kw_only=True):
    """D7.1."""

    seat: Seat
    ship: int
    cell: int | None


class FogLifted(Effect, frozen=True, tag="fog_lifted", kw_only=True):
    """D7.2, D8.2: a hidden ship is back at its token, and its cards are shown and discarded."""

    seat: Seat
    ship: int
    cell: int | None
    cards: tuple[int, ...]


class ShipPushed(Effect, frozen=True, tag="ship_pushed", kw_only=True):
    """D5.4: on to the next free cell; no `end` when it came home."""

    owner: Seat
    ship: int
    start: int
    end: int | None
    by: Seat
    forced: bool = False
    defaulted: bool = False


class ShipCameHome(Effect, frozen=True, tag="ship_came_home", kw_only=True):
    """D6.1: at this pier; `bonus` as in D6.2."""

    seat: Seat
    ship: int
    pier: int
    bonus: bool = False


class CombatStarted(Effect, frozen=True, tag="combat_started", kw_only=True):
    """D5.6."""

    combat: int
    cell: int
    attacker: Seat
    attacker_ship: int
    defender: Seat
    defender_ship: int


class CardsRevealed(Effect, frozen=True, tag="cards_revealed", kw_only=True):
    """D5.6: no `defender_card` of a defender without cards, which counts 0. `forced` and `defaulted` name seats."""

    combat: int
    attacker: Seat
    defender: Seat
    attacker_card: int
    defender_card: int | None
    difference: int
    winner: Seat
    forced: tuple[Seat, ...] = ()
    defaulted: tuple[Seat, ...] = ()


class CargoTaken(Effect, frozen=True, tag="cargo_taken", kw_only=True):
    """D5.6.1, D5.6.2: by the winner into their cargo `rank`; `returned` coins did not fit and went to the bag."""

    combat: int
    seat: Seat
    rank: int
    coins: Counts
    returned: Counts = field(default_factory=dict)


class CargoLost(Effect, frozen=True, tag="cargo_lost", kw_only=True):
    """D5.6.2: to the bag."""

    combat: int
    seat: Seat
    coins: Counts


class ShipFled(Effect, frozen=True, tag="ship_fled", kw_only=True):
    """D5.4, D5.6.1: no `end` when it came home."""

    combat: int
    owner: Seat
    ship: int
    start: int
    end: int | None


class ShipDestroyed(Effect, frozen=True, tag="ship_destroyed", kw_only=True):
    """D5.6.2."""

    combat: int
    owner: Seat
    ship: int


class BarrelMoved(Effect, frozen=True, tag="barrel_moved", kw_only=True):
    """D5.2: by a value, to a cell of the shield."""

    seat: Seat
    by: int
    cell: int
    forced: bool = False
    defaulted: bool = False


class CoinsLooted(Effect, frozen=True, tag="coins_looted", kw_only=True):
    """D5.2: off the top of a town's pile into the cargo `rank`; `returned` coins did not fit and went to the bag."""

    seat: Seat
    town: int
    rank: int
    coins: tuple[str, ...]
    returned: Counts = field(default_factory=dict)
    forced: bool = False
    defaulted: bool = False


class BonusTaken(Effect, frozen=True, tag="bonus_taken", kw_only=True):
    """D6.2: so many coins are drawn from the bag for the cargo `rank`."""

    seat: Seat
    rank: int
    coins: int
    forced: bool = False
    defaulted: bool = False


class CoinDrawn(Effect, frozen=True, tag="coin_drawn", kw_only=True):
    """D6.2."""

    seat: Seat
    rank: int
    coin: str


class CardsLooted(Effect, frozen=True, tag="cards_looted", kw_only=True):
    """D5.2, D6.2: so many cards are drawn from the central pile."""

    seat: Seat
    cards: int
    forced: bool = False
    defaulted: bool = False


class PileShown(Effect, frozen=True, tag="pile_shown", kw_only=True):
    """D1.7: the central pile, to choose from. Only the seat itself is told its cards, in no order."""

    seat: Seat
    count: int
    cards: tuple[int, ...] | None = None


class CardsChosen(Effect, frozen=True, tag="cards_chosen", kw_only=True):
    """D1.7: from the `discard`, or from the `central` pile, whose cards only the seat itself is told."""

    seat: Seat
    pile: str
    count: int
    cards: tuple[int, ...] | None = None
    forced: bool = False
    defaulted: bool = False


class NothingLooted(Effect, frozen=True, tag="nothing_looted", kw_only=True):
    """D1.7: the shield's cell yields nothing now."""

    seat: Seat


class EndCalled(Effect, frozen=True, tag="end_called", kw_only=True):
    """D8.1: by the ship that came home; `last_turns` in their order."""

    seat: Seat
    last_turns: tuple[Seat, ...]


class SeatResigned(Effect, frozen=True, tag="seat_resigned", kw_only=True):
    """C6; `seats` are the seat and its partner."""

    seat: Seat
    seats: tuple[Seat, ...]


class GameEnded(Effect, frozen=True, tag="game_ended", kw_only=True):
    """D8.5, D8.6, C7. `reason` is `ships`, `turn_limit` or `last_seat`; `hands` of those whose cards count."""

    reason: str
    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
    hands: tuple[tuple[int, ...] | None, ...]


AnyEffect: TypeAlias = (
    FirstPlayerChosen
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
