"""The table as text, for people at terminals and for golden playthroughs."""

from __future__ import annotations

from collections.abc import Iterator

from holmgang.engine.messages import ENGLISH, Tongue, counted, listed, say, template

from .board import ENGINE_WORDS, ENGINES, FIELDS, STONE_WORDS
from .effects import Counts
from .views import SeatView, View


def render(view: View, tongue: Tongue = ENGLISH) -> str:
    """Fields, then each village with its walls from the bottom up: `gwc` is grass under wood under clay."""
    return "\n".join(_lines(view, tongue))


def _lines(view: View, tongue: Tongue) -> Iterator[str]:
    into = tongue.into
    head: list[str] = [say("round {round}", round=view.round)]
    head += [] if view.first is None else [say("first player: seat {seat}", seat=view.first)]
    head += [say("card: {card}", card=view.material_card)] if view.material_card else []
    yield into(listed(head))
    yield into(
        say(
            "supply: {stones}; deck {cards}, discarded {discarded}",
            stones=_stones(view.supply, tongue),
            cards=view.deck_size,
            discarded=view.discarded,
        )
    )
    for name in FIELDS:
        field = view.fields[name]
        vikings = " ".join(into(say("{count}x seat {seat}", count=n, seat=seat)) for seat, n in field.vikings.items())
        if field.stones or vikings:
            yield f"  {name}  {_stones(field.stones, tongue):14} {vikings}".rstrip()
    for seat in view.seats:
        yield from _village(view, seat, tongue)
    if view.hand is not None:
        yield into(say("your hand: {cards}", cards=" ".join(map(str, view.hand))))


def _village(view: View, seat: SeatView, tongue: Tongue) -> Iterator[str]:
    into = tongue.into
    who = say("seat {seat}", seat=seat.seat)
    who = say("{who} (resigned)", who=who) if seat.resigned else who
    who = say("{who} (stands this round)", who=who) if seat.stands else who
    wounded = " ".join(into(say("{count} at {station}", count=n, station=at)) for at, n in seat.hospital.items())
    yield into(
        say(
            "{who}: {points}, home {home}, hospital {hospital}, amulets {amulets}, hand {hand}, pile {pile}",
            who=who,
            points=counted(seat.score, template("{count} point"), template("{count} points")),
            home=seat.home,
            hospital=wounded or say("none"),
            amulets=seat.amulets,
            hand=seat.hand_size,
            pile=" ".join(map(str, seat.pile)) or "-",
        )
    )
    letters = {kind: into(word)[0] for kind, word in STONE_WORDS.items()}
    engines = {engine: into(word) for engine, word in ENGINE_WORDS.items()}
    wide = 1 + max(map(len, engines.values()))
    for n, engine in enumerate(ENGINES):
        siege = view.sieges[f"{seat.seat}:{engine}"]
        walls = "  ".join(
            f"{2 * n + 1 + side}:{''.join(letters[stone] for stone in seat.walls[2 * n + side]) or '-':3}"
            for side in (0, 1)
        )
        besiegers = " ".join(into(say("seat {seat}", seat=s)) for s in siege.seats)
        settled = f" ({into(say('settled'))})" if siege.settled and besiegers else ""
        yield f"    {engines[engine]:{wide}}{walls}  {besiegers}{settled}".rstrip()
    more = [say("carries {stones}", stones=_stones(seat.carried, tongue))] if seat.carried else []
    more += [say("aside {stones}", stones=_stones(seat.aside, tongue))] if seat.aside else []
    if more:
        yield f"    {into(listed(more))}"


def _stones(stones: Counts, tongue: Tongue) -> str:
    told = (say("{count} {stone}", count=n, stone=STONE_WORDS[name]) for name, n in stones.items())
    return " ".join(map(tongue.into, told)) or "-"
