"""E1: what is in the box. Stones, battle cards, fields, siege spaces, and the material cards with their notation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from holmgang.engine.errors import InvalidOption
from holmgang.engine.messages import say
from holmgang.engine.misfits import found_there

KINDS = ("grass", "wood", "clay", "stone")
STONE_WORDS = {"grass": say("grass"), "wood": say("wood"), "clay": say("clay"), "stone": say("grey stone")}
"""E1.1, by worth: a kind's index is its worth less one. All pieces are stones, so the dearest kind has its colour."""
LETTERS = {**STONE_WORDS, "stone": say("stone")}
"""Words of which the first letter stands for a kind."""
STONES = (52, 42, 12, 6)
FIELDS = "ABCDEFG"
ENGINES = ("catapult", "boat", "ram")
ENGINE_WORDS = {"catapult": say("catapult"), "boat": say("boat"), "ram": say("ram")}
STATIONS = ("345", "12", "0")
HIGHEST_CARD = 6
CARDS_OF_A_VALUE = 9
HAND = 4
LOW = 3
"""E2.3: a first hand with nothing above this is dealt again."""
WALLS = 6
HEIGHT = 3
WALL_STONES = WALLS * HEIGHT
ROUNDS = 10
AMULETS = 5
VIKINGS = {3: 8, 4: 6, 5: 6, 6: 5}
SEATS = (3, 4, 5, 6)
MANY = 5
"""E1.5: from so many players on, the stones marked `*` are put out too."""

MATERIAL_CARDS = (
    "A g2, B w2, C g2*, D w2*, E w1, F c1",
    "A w2, B g3*, C w2*, D g1, E w1, F c1, G s1",
    "A g3*, B w2*, C g2, D w1, E w1, F c1",
    "A w3*, B g2, C g1, D w1, E g2*, F c1, G s1",
    "A g1, B g2*, C w2, D g2, E w2*, F c1",
    "A w1, B w3*, C g3*, D g2, F c1, G s1",
    "A g2, C w4*, D g3*, G s1",
    "A w2*, B g2*, D w2, E g3, G s1",
    "B g4*, C w2, D w2*, E g1, F c1",
    "A g3, B w1, C g2*, D w3*, F c2",
    "A g3*, B g1, C w1, D g2, E w2*, F c1, G s1",
    "A w3*, B g2, C g2*, E g2, F c2",
)
"""E1.5, reconstructed: only the totals of the first are printed in the rulebook."""

LONGEST_CARD = 500
"""Characters; a card with two kinds on every field takes 110."""
MOST_KINDS = 2
"""E1.5: of stone that a card brings to a field."""

_GROUP = re.compile(r"([A-G]) ([gwcs])([1-9])(\*?)")
_LETTERS = "gwcs"


class Group(NamedTuple):
    """So many stones of a kind for a field; `more_players` marks one of them for games of five or six only."""

    field: int
    kind: int
    number: int
    more_players: bool


@lru_cache(maxsize=4096)
def parse_card(text: str) -> tuple[Group, ...]:
    """A material card in the notation of E1.5, such as `A g2, F c1*`, in the order of fields and kinds: stones are
    put out in that order however the card is written (E3.1). ValueError says what is wrong."""
    if len(text) > LONGEST_CARD:
        raise ValueError(say("it is longer than {most} characters", most=LONGEST_CARD))
    groups = []
    for part in text.split(","):
        found = _GROUP.fullmatch(part.strip())
        if found is None:
            raise ValueError(
                say(
                    "'{part}' is not a field, a kind and a count such as 'A g2' or 'C w4*'",
                    part=part.strip()[:40],
                )
            )
        field, letter, count, star = found.groups()
        groups.append(Group(FIELDS.index(field), _LETTERS.index(letter), int(count), bool(star)))
    places = [(g.field, g.kind) for g in groups]
    for field, kind in places:
        if places.count((field, kind)) > 1:
            raise ValueError(
                say("field {field} gets {stone} twice", field=FIELDS[field], stone=STONE_WORDS[KINDS[kind]])
            )
    for kind, stones in enumerate(STONES):
        asked = sum(g.number for g in groups if g.kind == kind)
        if asked > stones:
            raise ValueError(
                say(
                    "it asks for {asked} {stone}, and there are {there}",
                    asked=asked,
                    stone=STONE_WORDS[KINDS[kind]],
                    there=stones,
                )
            )
    return tuple(sorted(groups))


def check_cards(cards: Any, seats: int, new: bool) -> tuple[str, ...]:
    """Twelve material cards of one's own (E1.5), in one spelling; InvalidOption otherwise.

    Games that are not `new` may have cards with more kinds on a field, which were taken once.
    """
    if not isinstance(cards, (list, tuple)):
        raise InvalidOption(
            "/material_cards",
            "E1.5",
            say(
                "'material_cards' must be a list of {count} texts, not {found}.",
                count=len(MATERIAL_CARDS),
                found=found_there(cards),
            ),
        )
    if len(cards) != len(MATERIAL_CARDS):
        raise InvalidOption(
            "/material_cards",
            "E1.5",
            say("There are {wanted} material cards, not {count}.", wanted=len(MATERIAL_CARDS), count=len(cards)),
        )
    spelled = []
    for n, card in enumerate(cards):
        if not isinstance(card, str):
            raise InvalidOption(
                f"/material_cards/{n}", "E1.5", say("A material card is a string such as 'A g2, F c1*'.")
            )
        try:
            groups = parse_card(card)
            if new:
                _check_kinds(groups)
        except ValueError as fault:
            raise InvalidOption(
                f"/material_cards/{n}",
                "E1.5",
                say("Material card {number} cannot be used: {why}.", number=n + 1, why=fault.args[0]),
            ) from None
        spelled.append(", ".join(f"{FIELDS[f]} {_LETTERS[k]}{c}{'*' if m else ''}" for f, k, c, m in groups))
    return tuple(spelled)


def _check_kinds(groups: Sequence[Group]) -> None:
    """E1.5: a field is written twice at most."""
    fields = [group.field for group in groups]
    for field in fields:
        if fields.count(field) > MOST_KINDS:
            raise ValueError(
                say("field {field} gets more than {most} kinds of stone", field=FIELDS[field], most=MOST_KINDS)
            )


def card_stones(card: str, players: int) -> tuple[Group, ...]:
    """What a card puts out in a game of so many players."""
    groups = parse_card(card)
    if players >= MANY:
        return groups
    return tuple(g._replace(number=g.number - g.more_players) for g in groups)


FIELD_COUNT = len(FIELDS)


def siege_name(siege: int) -> str:
    village, engine = divmod(siege, 3)
    return f"{village}:{ENGINES[engine]}"


SIEGE_NUMBERS = {siege_name(s): s for s in range(3 * SEATS[-1])}
SPACE_NUMBERS = {**{name: f for f, name in enumerate(FIELDS)}, **{n: s + FIELD_COUNT for n, s in SIEGE_NUMBERS.items()}}
SPACE_NAMES = {number: name for name, number in SPACE_NUMBERS.items()}
