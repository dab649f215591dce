"""Effects in sentences, for feeds that people read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from holmgang.engine.messages import how_many

from . import effects as e
from .wording import ship_of

FATES = {"ships": "the last turns are played", "turn_limit": "the turns are used up", "last_seat": "one side is left"}


def tell(effect: Any) -> str:
    """One sentence; seats are written `seat 2`."""
    told = _TELL[type(effect)](effect)
    if getattr(effect, "defaulted", False) is True:
        told += " (played for a seat that has resigned)"
    return told[0].upper() + told[1:] + "."


def _coins(counts: e.Counts) -> str:
    return " and ".join(f"{n} {name}" for name, n in counts.items()) or "nothing"


def _place(cell: int | None) -> str:
    return "its fjord" if cell is None else f"cell {cell}"


_ship = ship_of


def _end(cell: int | None) -> str:
    return "home" if cell is None else f"to cell {cell}"


def _back(returned: e.Counts) -> str:
    return f"; {_coins(returned)} did not fit" if returned else ""


def _cards(cards: tuple[int, ...]) -> str:
    return " and ".join(map(str, cards))


def _revealed(f: e.CardsRevealed) -> str:
    theirs = "has no card" if f.defender_card is None else f"plays {f.defender_card}"
    told = (
        f"combat {f.combat}: seat {f.attacker} plays {f.attacker_card}, seat {f.defender} {theirs}; seat {f.winner}"
        f" wins by {f.difference}"
    )
    if f.forced:
        told += " (no other card: " + ", ".join(f"seat {s}" for s in f.forced) + ")"
    if f.defaulted:
        told += " (by default: " + ", ".join(f"seat {s}" for s in f.defaulted) + ")"
    return told


def _chosen(f: e.CardsChosen) -> str:
    what = how_many(f.count, "card") if f.cards is None else _cards(f.cards)
    return f"seat {f.seat} chooses {what} from the {f.pile} pile"


def _ended(f: e.GameEnded) -> str:
    winners = " and ".join(f"seat {s}" for s in f.winners)
    scores = ", ".join(f"seat {s} {score}" for s, score in enumerate(f.scores))
    hands = "".join(f"; cards of seat {s} count: {_cards(hand)}" for s, hand in enumerate(f.hands) if hand)
    wins = "wins" if len(f.winners) == 1 else "win"
    return f"the game ends, since {FATES[f.reason]}: {scores}{hands}; {winners} {wins}"


_TELL: Mapping[type, Callable[[Any], str]] = {
    e.FirstPlayerChosen: lambda f: f"seat {f.seat} is first player, by {f.by}",
    e.PileLaid: lambda f: f"pile {f.pile}, from the top: {', '.join(f.coins)}",
    e.CardTurned: lambda f: f"seat {f.seat} turns {f.card}" + (", which is passed over" if f.passed_over else ""),
    e.TownPlaced: lambda f: f"{'the first town' if f.town is None else f'town {f.town}'} stands on cell {f.cell}",
    e.TurnStarted: lambda f: f"{'last turn' if f.last else f'turn {f.number}'} of seat {f.seat}",
    e.CardsPlayed: lambda f: f"seat {f.seat} plays {_cards(f.cards)} ({f.action})",
    e.Passed: lambda f: f"seat {f.seat} plays no card",
    e.CardDrawn: lambda f: (
        f"seat {f.seat} draws {'a card' if f.card is None else f.card} from"
        f" {'the central pile' if f.pile == 'central' else 'its deck'}"
    ),
    e.FogCardDrawn: lambda f: f"seat {f.seat} puts {'a card' if f.card is None else f.card} under its hidden ship",
    e.FogCardAdded: lambda f: (
        f"seat {f.seat} adds {'a card' if f.card is None else f.card} from its hand to its hidden ship"
    ),
    e.PileRenewed: lambda f: f"the central pile is renewed with {how_many(f.cards, 'card')} of the discard",
    e.ShipLaunched: lambda f: f"{_ship(f.seat, f.ship)} is launched",
    e.ShipMoved: lambda f: (
        f"{_ship(f.owner, f.ship)} moves {f.steps} from {_place(f.start)} to cell {f.end}"
        + (f", moved by seat {f.by}" if f.by != f.owner else "")
    ),
    e.ShipsSwapped: lambda f: (
        f"{_ship(f.first_owner, f.first_ship)} on cell {f.first_cell} and {_ship(f.second_owner, f.second_ship)} on"
        f" cell {f.second_cell} exchange places"
    ),
    e.ShipStayed: lambda f: f"{_ship(f.owner, f.ship)} is no longer at sea and stays",
    e.ShipHidden: lambda f: f"{_ship(f.seat, f.ship)} at {_place(f.cell)} hides in the fog",
    e.FogLifted: lambda f: (
        f"{_ship(f.seat, f.ship)} comes out of the fog at {_place(f.cell)} with {_cards(f.cards) or 'no card'}"
    ),
    e.ShipPushed: lambda f: f"{_ship(f.owner, f.ship)} on cell {f.start} is pushed {_end(f.end)}",
    e.ShipCameHome: lambda f: (
        f"{_ship(f.seat, f.ship)} comes home to pier {f.pier}" + (" with a bonus" if f.bonus else "")
    ),
    e.CombatStarted: lambda f: (
        f"combat {f.combat} on cell {f.cell}: {_ship(f.attacker, f.attacker_ship)} attacks"
        f" {_ship(f.defender, f.defender_ship)}"
    ),
    e.CardsRevealed: _revealed,
    e.CargoTaken: lambda f: (
        f"combat {f.combat}: seat {f.seat} takes {_coins(f.coins)} into cargo {f.rank}{_back(f.returned)}"
    ),
    e.CargoLost: lambda f: f"combat {f.combat}: seat {f.seat} loses {_coins(f.coins)} to the bag",
    e.ShipFled: lambda f: f"combat {f.combat}: {_ship(f.owner, f.ship)} flees from cell {f.start} {_end(f.end)}",
    e.ShipDestroyed: lambda f: f"combat {f.combat}: {_ship(f.owner, f.ship)} is destroyed",
    e.BarrelMoved: lambda f: f"seat {f.seat} moves the barrel by {f.by} to {f.cell}",
    e.CoinsLooted: lambda f: (
        f"seat {f.seat} takes {', '.join(f.coins)} of town {f.town} into cargo {f.rank}{_back(f.returned)}"
    ),
    e.BonusTaken: lambda f: f"seat {f.seat} draws {f.coins} of the bag as a bonus for cargo {f.rank}",
    e.CoinDrawn: lambda f: f"seat {f.seat} draws {f.coin}",
    e.CardsLooted: lambda f: f"seat {f.seat} takes {f.cards} of the central pile as loot",
    e.PileShown: lambda f: (
        f"seat {f.seat} looks through the {how_many(f.count, 'card')} of the central pile"
        + ("" if f.cards is None else f": {_cards(f.cards)}")
    ),
    e.CardsChosen: _chosen,
    e.NothingLooted: lambda f: f"seat {f.seat} finds nothing to take",
    e.EndCalled: lambda f: (
        f"seat {f.seat} ends the game, but for last turns: {', '.join(f'seat {s}' for s in f.last_turns) or 'none'}"
    ),
    e.SeatResigned: lambda f: f"seat {f.seat} resigns" + (" with its partner" if len(f.seats) > 1 else ""),
    e.GameEnded: _ended,
}
