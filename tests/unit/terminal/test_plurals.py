"""One card, two cards: what is told at the terminal and by the API, wherever it counts something."""

from __future__ import annotations

import re
from random import Random

import pytest

from holmgang import registry
from holmgang.bots import registry as bots
from holmgang.engine.messages import how_many
from holmgang.engine.rules import AnyRules, players
from holmgang.languages.catalogue import messages
from holmgang.terminal.local import LocalTable

from .test_faces import GAMES, printed

NOUNS = (
    "amulets|bots|cards|castles|choices|coins|columns|days|entries|events|games|keys|levels|moves|pieces|players|points"
    "|polls|registrations|requests|rows|seats|seconds|stones|steps|turns|values|Vikings"
)
ONE_OF_SEVERAL = re.compile(rf"(?<![\d.,:])\b1 (?:\w+ )?({NOUNS})\b")


@pytest.mark.parametrize(("rules", "seats"), GAMES, ids=lambda value: getattr(value, "ruleset", value))
def test_nothing_is_told_of_one_cards(rules: AnyRules, seats: int) -> None:
    face = registry.game(rules.ruleset).face
    assert face is not None
    table, rng = LocalTable(rules, ["random"] * (seats - 1), 0, "Ann", Random(6)), Random(6)
    told: list[str] = []
    while (moment := table.now()).status != "over":
        told += table.news()
        if not moment.yours:
            table.wait(moment)
            continue
        space = rules.moves(rules.determinize(moment.view, Random(0)), 0)
        told.append(face.question(moment.view, table.people))
        told += face.chooser(moment.view, table.people, space).lines()
        told += rules.render(moment.view).splitlines()
        told += printed(face.board(moment.view, table.people)).splitlines()[:1]
        action = bots.find("random").choose(rules, moment.view, rng)
        told.append(face.words(action, moment.view, table.people))
        table.choose(moment, action)
    told += table.news()
    assert len(told) > 50
    assert [line for line in told if ONE_OF_SEVERAL.search(line)] == []


ALONE = {
    "The JSON nests deeper than {most} levels.": "a constant",
    "The island is more than {count} columns wide.": "a constant",
    "There are {wanted} material cards, not {count}.": "a constant",
    "Wall {wall} would be more than {height} stones high.": "a constant",
    "With {players} players the island has {wanted_doubles} doubles and {wanted_singles} single, not {doubles} and "
    "{singles}.": "never fewer than two players",
    "You have created {count} games that are not over: play some to the end.": "that for one differs in more words",
    "a JSON object of {least} to {most} keys": "from one number to another",
    "a list of {least} to {most} entries": "from one number to another",
    "{title} takes {fewest} to {most} players, not {seats}.": "from one number to another",
    "{coins} in coins": "their worth",
    "You block {most} players, and no more are kept: unblock some.": "a constant",
    "Such a tournament takes {most} players at most.": "a constant",
    "It takes {fewest} to {most} players to begin.": "from one number to another",
    "It starts with {least} to {most} players.": "from one number to another",
    "It takes {most} players at most.": "never fewer than sit at a table",
    "The tournament is full: it takes {most} players.": "never fewer than sit at a table",
}
"""Sentences that have none for one, and why."""
COUNTED = re.compile(rf"\{{(\w+)\}} (?:\w+ )?({NOUNS})\b")


def test_what_is_counted_has_a_sentence_for_one() -> None:
    said = set(messages("fr", "api")) | set(messages("fr", "rules"))
    alone = set()
    for text in said:
        for found in COUNTED.finditer(text):
            noun = "entry" if found[2] == "entries" else found[2].removesuffix("s")
            one = text[: found.start(2)] + noun + text[found.end(2) :]
            alone |= {text} if one not in said else set()
    assert alone == set(ALONE)


@pytest.mark.parametrize(("number", "told"), [(0, "0 cards"), (1, "1 card"), (2, "2 cards"), (1000, "1000 cards")])
def test_how_many(number: int, told: str) -> None:
    assert how_many(number, "card") == told


def test_players_of_a_game_for_one() -> None:
    class Alone:
        seat_counts = (1,)

    assert players(Alone()) == "1 player"  # type: ignore[arg-type]
