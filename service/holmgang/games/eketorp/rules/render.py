"""The table as text, for people at terminals and for golden playthroughs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import groupby

from holmgang.engine.messages import ENGLISH, Said, Tongue, counted, listed, say, template

from .board import ENGINE_WORDS, ENGINES, FIELDS, KINDS, STONE_WORDS, Group, card_stones
from .effects import Counts
from .views import SeatView, View

AWAY = {
    "345": (template("{count} misses 2 rounds"), template("{count} miss 2 rounds")),
    "12": (template("{count} misses 1 round"), template("{count} miss 1 round")),
    "0": (template("{count} is back next round"), template("{count} are back next round")),
}
"""How long Vikings on a station of the hospital are away (E6.2)."""


def render(view: View, tongue: Tongue = ENGLISH) -> str:
    """Fields, then each village with its walls from the bottom up."""
    return "\n".join(_lines(view, tongue))


def _lines(view: View, tongue: Tongue) -> Iterator[str]:
    into = tongue.into
    head: list[str] = [say("round {round}", round=view.round)]
    head += [] if view.first is None else [say("first player: seat {seat}", seat=view.first)]
    yield into(listed(head))
    if view.material_card:
        yield into(say("new stones: {stones}", stones=arrived(view.material_card, view.players)))
    yield into(
        say(
            "supply: {stones}; cards to draw: {cards}, used up: {discarded}",
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
    who = say("{who} (keeps its cards this round)", who=who) if seat.stands else who
    wounded = ", ".join(into(counted(n, *AWAY[at])) for at, n in seat.hospital.items())
    yield into(
        say(
            "{who}: {points}, home {home}, hospital {hospital}, amulets {amulets}, hand {hand}, side pile {pile}",
            who=who,
            points=counted(seat.score, template("{count} point"), template("{count} points")),
            home=seat.home,
            hospital=wounded or say("none"),
            amulets=seat.amulets,
            hand=seat.hand_size,
            pile=" ".join(map(str, seat.pile)) or "-",
        )
    )
    for n, engine in enumerate(ENGINES):
        siege = view.sieges[f"{seat.seat}:{engine}"]
        walls = [
            say("wall {number}: {stones}", number=number, stones=_wall(seat.walls[number - 1], tongue))
            for number in (2 * n + 1, 2 * n + 2)
        ]
        besiegers = [say("seat {seat}", seat=s) for s in siege.seats]
        settled = f" ({into(say('settled'))})" if siege.settled and besiegers else ""
        before = f"; {' '.join(map(into, besiegers))}{settled}" if besiegers else ""
        yield f"    {into(ENGINE_WORDS[engine])}: {'; '.join(map(into, walls))}{before}"
    more = [say("carries {stones}", stones=_stones(seat.carried, tongue))] if seat.carried else []
    more += [say("aside {stones}", stones=_stones(seat.aside, tongue))] if seat.aside else []
    if more:
        yield f"    {into(listed(more))}"


def _wall(standing: Sequence[str], tongue: Tongue) -> str:
    return ", ".join(tongue.into(STONE_WORDS[stone]) for stone in standing) or tongue.into(say("empty"))


def arrived(card: str, players: int) -> str:
    """What a material card puts out, field by field."""
    groups = [group for group in card_stones(card, players) if group.number]
    return listed(
        say("{field} {stones}", field=FIELDS[field], stones=reduce(_with, map(_group, here)))
        for field, here in groupby(groups, key=lambda group: group.field)
    )


def _group(group: Group) -> Said:
    return say("{count} {stone}", count=group.number, stone=STONE_WORDS[KINDS[group.kind]])


def _with(some: Said, last: Said) -> Said:
    return say("{some} and {last}", some=some, last=last)


def _stones(stones: Counts, tongue: Tongue) -> str:
    told = (say("{count} {stone}", count=n, stone=STONE_WORDS[name]) for name, n in stones.items())
    return " ".join(map(tongue.into, told)) or "-"
