"""Effects in sentences, for feeds that people read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from holmgang.engine.messages import how_many

from . import effects as e
from .effects import Counts


def tell(effect: Any) -> str:
    """One sentence; seats are written `seat 2`. Hidden parts of a redacted effect are left out."""
    told = _TELL[type(effect)](effect)
    if getattr(effect, "defaulted", False) is True:
        told += " (played for a seat that has resigned)"
    return told[0].upper() + told[1:] + "."


def _stones(stones: Counts) -> str:
    return " and ".join(f"{n} {name}" for name, n in stones.items()) or "nothing"


def _list(cards: tuple[int, ...]) -> str:
    return ", ".join(map(str, cards))


def _material(f: e.MaterialRevealed) -> str:
    fields = "; ".join(f"{name} gets {_stones(stones)}" for name, stones in f.stones.items())
    short = f"; the supply lacks {_stones(f.short)}" if f.short else ""
    return f"material: {fields or 'nothing'}{short}"


def _placed(f: e.VikingsPlaced) -> str:
    errands = [f"{n} to {field}" for field, n in f.fields.items()] + [f"1 to {siege}" for siege in f.sieges]
    return f"seat {f.seat} sends {', '.join(errands) or 'nobody out'} and keeps {f.home} at home"


def _revealed(f: e.CardsRevealed) -> str:
    """Who played which card comes first, and which card goes to whom in a sentence of its own."""
    counts = ", which counts 0 since nobody defends" if f.undefended else ""
    shown = f"seat {f.attacker} plays {f.attacker_card}, seat {f.defender} {f.defender_card}{counts}"
    result = f"{shown}: a tie" if f.winner is None else f"{shown}: seat {f.winner} wins by {f.difference}"
    swap = f"seat {f.attacker} gets the {f.defender_card}, seat {f.defender} the {f.attacker_card}"
    return f"{result}. Then the cards change owners: {swap}"


def _looted(f: e.LootTaken) -> str:
    taken = ", ".join(f"{' and '.join(stones)} off wall {wall}" for wall, stones in f.walls.items())
    return f"seat {f.seat} takes {taken} of seat {f.village} and keeps {f.kept}"


def _built(f: e.WallsBuilt) -> str:
    laid = ", ".join(f"{stone} on wall {wall}" for stone, wall in f.stones) or "nothing"
    aside = f" and puts {_stones(f.aside)} aside" if f.aside else ""
    return f"seat {f.seat} builds {laid}{aside}"


def _ended(f: e.GameEnded) -> str:
    why = {
        "walls_complete": "a ring wall is complete",
        "tenth_round": "the tenth round is over",
        "last_seat": "one seat is left",
    }[f.reason]
    winners = " and ".join(f"seat {s}" for s in f.ranking[0])
    scores = ", ".join(f"seat {s} {points}" for s, points in enumerate(f.scores))
    return f"the game ends, since {why}: {scores}; {winners} {'wins' if len(f.ranking[0]) == 1 else 'win'}"


_AWAY = {"345": "misses two rounds", "12": "misses one round", "0": "is back for the next round"}

_TELL: Mapping[type, Callable[[Any], str]] = {
    e.HandDealt: lambda f: (
        f"seat {f.seat} is dealt {how_many(f.count, 'card')}" + (f": {_list(f.cards)}" if f.cards else "")
    ),
    e.LowHandShown: lambda f: f"seat {f.seat} shows a low hand, {_list(f.cards)}, and is dealt another",
    e.FirstPlayerChosen: lambda f: f"seat {f.seat} is first player, by {f.by}",
    e.RoundStarted: lambda f: f"round {f.round} begins; seat {f.first} is first player",
    e.MaterialRevealed: _material,
    e.VikingsPlaced: _placed,
    e.FightStarted: lambda f: f"combat {f.combat}: seat {f.attacker} fights seat {f.defender} for {f.space}",
    e.SiegeStarted: lambda f: (
        f"combat {f.combat}: seat {f.attacker} besieges seat {f.defender} from {f.space}"
        + (", where nobody defends" if f.undefended else "")
    ),
    e.HandExchanged: lambda f: (
        f"seat {f.seat} pays {how_many(f.count, 'amulet')} and swaps its hand"
        + (f" for {_list(f.cards)}" if f.cards else "")
    ),
    e.Stood: lambda f: f"seat {f.seat} keeps its hand" + (" for the rest of the round" if f.until else ""),
    e.CardsRevealed: _revealed,
    e.VikingWounded: lambda f: f"a Viking of seat {f.seat} goes to hospital and {_AWAY[f.station]}",
    e.HandRefilled: lambda f: f"seat {f.seat} takes up its side pile: {_list(f.cards)}",
    e.SiegeLapsed: lambda f: f"nobody is left on {f.space}",
    e.LootTaken: _looted,
    e.LootDeclined: lambda f: f"seat {f.seat} takes no loot" + (": no stone may be taken" if f.forced else ""),
    e.StoneTaken: lambda f: f"seat {f.seat} takes {f.count} {f.stone} from {f.space}",
    e.VikingsReturned: lambda _f: "the Vikings go home",
    e.WallsBuilt: _built,
    e.HospitalMoved: lambda f: (
        "the wounded move on"
        + (f"; {sum(f.healed)} come home" if sum(f.healed) > 1 else "; one comes home" if any(f.healed) else "")
    ),
    e.FieldsCleared: lambda f: f"{_stones(f.stones)} left on the fields go back to the supply",
    e.SeatResigned: lambda f: f"seat {f.seat} resigns",
    e.GameEnded: _ended,
}
