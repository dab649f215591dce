"""D5.6: a fight between two ships."""

from __future__ import annotations

from holmgang.engine.tuples import put
from holmgang.engine.turn import Seat

from .coast import RESERVE
from .effects import (
    CardsRevealed,
    CargoLost,
    CargoTaken,
    CombatStarted,
    ShipDestroyed,
    ShipFled,
)
from .ending import land
from .model import Board, Fight
from .piles import to_hand
from .raiding import occupant, town_there
from .records import DrakkarsCombat, Fighter
from .sailing import give_way
from .work import NO_COINS, Work, gone, named, pour, rank, record_of, set_cargo, set_place, stow

CLOSE = 3
"""D5.6.1: up to this difference a ship flees."""


def attack(w: Work) -> None:
    """D5.3: the ship that arrives attacks the one that stands there."""
    d = w.d
    there = occupant(d)
    assert there is not None
    d.fights += 1
    fight = Fight(number=d.fights, ship=d.arriving, defender=there[0], target=there[1])
    d.fight = fight
    w.effects.append(
        CombatStarted(
            combat=fight.number,
            cell=d.ships[d.active][d.arriving],
            attacker=d.active,
            attacker_ship=fight.ship,
            defender=fight.defender,
            defender_ship=fight.target,
        )
    )
    w.records.append(record_of(d, "open"))
    asked = tuple(s for s in sorted((d.active, fight.defender)) if len(d.hands[s]) > 1 and not gone(d, s))
    if asked:
        w.ask("battle_card", *asked)
    else:
        d.phase = "battle"


def _town(board: Board) -> int | None:
    town = town_there(board)
    return None if town is None else town + 1


def battle(w: Work) -> None:
    """D5.6: the cards are shown, ranks are taken, cards change hands, and the loser flees or is destroyed."""
    d = w.d
    fight = d.fight
    assert fight is not None
    pair = (d.active, fight.defender)
    ships = (fight.ship, fight.target)
    cards: list[int | None] = []
    forced: list[Seat] = []
    defaulted: list[Seat] = []
    for seat in pair:
        choice, hand = d.sealed[seat], d.hands[seat]
        if choice is not None:
            cards.append(choice.card)
        elif not hand:
            cards.append(None)
        else:
            cards.append(hand[0])
            (forced if len(hand) == 1 else defaulted).append(seat)
    mine, theirs = cards
    assert mine is not None
    d.sealed = (None,) * d.players
    won = mine >= (theirs or 0)
    difference = abs(mine - (theirs or 0))
    winner, loser = pair if won else pair[::-1]
    w.effects.append(
        CardsRevealed(
            combat=fight.number,
            attacker=pair[0],
            defender=pair[1],
            attacker_card=mine,
            defender_card=theirs,
            difference=difference,
            winner=winner,
            forced=tuple(forced),
            defaulted=tuple(defaulted),
        )
    )
    ranks = [rank(d, seat, ship) for seat, ship in zip(pair, ships, strict=True)]
    cell, town = d.ships[d.active][fight.ship], _town(d)
    _exchange(d, pair, (mine, theirs))
    won_rank, lost_rank = ranks if won else ranks[::-1]
    lost_ship = ships[1] if won else ships[0]
    coins = d.cargo[loser][lost_rank]
    set_cargo(d, loser, lost_rank, NO_COINS)
    destroyed = difference > CLOSE
    taken = not destroyed or town is not None
    returned = NO_COINS
    if taken and any(coins):
        returned = stow(d, winner, won_rank, coins)
        w.effects.append(
            CargoTaken(
                combat=fight.number, seat=winner, rank=won_rank + 1, coins=named(coins), returned=named(returned)
            )
        )
    elif any(coins):
        d.bag = pour(d.bag, coins)
        w.effects.append(CargoLost(combat=fight.number, seat=loser, coins=named(coins)))
    fate = "destroyed"
    if destroyed:
        set_place(d, loser, lost_ship, RESERVE)
        kept = d.cargo[loser]
        d.cargo = put(d.cargo, loser, (*kept[:lost_rank], *kept[lost_rank + 1 :], NO_COINS))
        w.effects.append(ShipDestroyed(combat=fight.number, owner=loser, ship=lost_ship))
    else:
        end = give_way(w, loser, lost_ship)
        w.effects.append(ShipFled(combat=fight.number, owner=loser, ship=lost_ship, start=cell, end=end))
        fate = "home" if end is None else "fled"
        if end is None:
            land(w, loser, lost_ship)
    w.records.append(
        DrakkarsCombat(
            number=fight.number,
            status="resolved",
            cell=cell,
            town=town,
            attacker=Fighter(seat=pair[0], ship=ships[0], rank=ranks[0] + 1, card=mine),
            defender=Fighter(seat=pair[1], ship=ships[1], rank=ranks[1] + 1, card=theirs),
            difference=difference,
            winner=winner,
            fate=fate,
            taken=named(coins) if taken else {},
            lost={} if taken else named(coins),
            returned=named(returned),
        )
    )
    d.fight, d.phase = None, "next"


def _exchange(board: Board, pair: tuple[int, int], cards: tuple[int, int | None]) -> None:
    """D5.6.3, D5.6.4: each gets the other's card into the hand; a defender without cards gives none."""
    for seat, own, got in ((pair[0], cards[0], cards[1]), (pair[1], cards[1], cards[0])):
        if own is not None:
            hand = list(board.hands[seat])
            hand.remove(own)
            board.hands = put(board.hands, seat, tuple(hand))
        if got is not None:
            to_hand(board, seat, got)
