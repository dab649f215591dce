"""Games of packages: found, or refused in one sentence that names the package."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from holmgang import registry
from holmgang.cli.main import holmgang
from holmgang.registry import discovery, trial, trying
from holmgang.registry.discovery import LEFT_OUT
from tests.packages import GAME, but, package
from tests.soon import soon

HOUSE = ("eketorp", "drakkars", "claim")
TIME = 60
"""Seconds for a trial that comes to an end, however slow the machine is."""


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that packages are installed in."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv(LEFT_OUT, "{}")
    before = set(sys.modules)
    registry.forget()
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]
    monkeypatch.undo()
    registry.forget()


def sentences() -> list[str]:
    return [each.why for each in registry.refused()]


def test_the_game_of_a_package_is_one_like_the_others(environment: Path) -> None:
    package(environment, "pebbles", distribution="pebbles-game", version="2.5")
    assert registry.names() == (*HOUSE, "pebbles")
    assert registry.origin("pebbles") == "pebbles-game 2.5"
    assert registry.origin("claim") == "holmgang"
    assert registry.latest("pebbles").ruleset == "pebbles"
    assert registry.find("pebbles", registry.latest("claim").version).title == "Pebbles"
    assert sentences() == []


def with_more(said: str) -> str:
    return GAME.replace('".rules:Pebbles"', f'".rules:Pebbles", {said}')


def of_another_interface(interface: str) -> str:
    return with_more(f"interface={interface}")


@pytest.mark.parametrize("interface", ["1", "(1, 1)", "(1, 9)", "(0, 1)"])
def test_a_package_may_go_with_several_versions_of_the_interface(environment: Path, interface: str) -> None:
    package(environment, "pebbles", game=of_another_interface(interface))
    assert "pebbles" in registry.names()


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "not to be imported": (
        {"game": "import nothing_of_that_name\n"},
        "its game 'pebbles' cannot be imported: ModuleNotFoundError: No module named 'nothing_of_that_name'",
    ),
    "faulty in two lines": (
        {"game": "raise ValueError('one\\ntwo.')\n"},
        "its game 'pebbles' cannot be imported: ValueError: one two",
    ),
    "one that ends the process": (
        {"game": "import sys\nsys.exit(3)\n"},
        "its game 'pebbles' cannot be imported: SystemExit: 3",
    ),
    "without what it names": (
        {"point": "{module}:GAMES"},
        "its game 'pebbles' cannot be imported: AttributeError: module 'pebbles' has no attribute 'GAMES'",
    ),
    "no game": ({"game": "GAME = 'pebbles'\n"}, "its entry point 'pebbles' names no Game"),
    "of a later interface": (
        {"game": of_another_interface("2")},
        "it was made for version 2 of the games' interface, and this is version 1",
    ),
    "of later interfaces": (
        {"game": of_another_interface("(2, 4)")},
        "it was made for versions 2 to 4 of the games' interface, and this is version 1",
    ),
    "another name": (
        {"game": GAME.replace("{name}", "stones")},
        "its entry point 'pebbles' names a game that calls itself 'stones'",
    ),
    "rules of another name": (
        {"rules": but("ruleset = 'stones'")},
        "the rules of its game 'pebbles' call themselves 'stones'",
    ),
    "rules that are not there": (
        {"rules": "x = 1\n"},
        "its game 'pebbles' cannot be imported: AttributeError: module 'pebbles.rules' has no attribute 'Pebbles'",
    ),
    "rules that lack something": (
        {"rules": "class Pebbles:\n    ruleset, version = 'pebbles', '1'\n"},
        "the rules of its game 'pebbles' lack title, seat_counts, turn_kinds, ",
    ),
    "for nobody": (
        {"rules": but("seat_counts = ()")},
        "of the rules of its game 'pebbles', `seat_counts` is (), no tuple of numbers of players, from 2 on",
    ),
    "for one": (
        {"rules": but("seat_counts = (1, 2)")},
        "of the rules of its game 'pebbles', `seat_counts` is (1, 2), no tuple of numbers of players, from 2 on",
    ),
    "with players in words": (
        {"rules": but("seat_counts = ('2',)", "options_schema = {}")},
        "of the rules of its game 'pebbles', `seat_counts` is ('2',), no tuple of numbers of players, from 2 on",
    ),
    "with players twice": (
        {"rules": but("seat_counts = (2, 2)")},
        "of the rules of its game 'pebbles', `seat_counts` is (2, 2): each number once, from the least on",
    ),
    "with a number for a version": (
        {"rules": but("version = 2")},
        "of the rules of its game 'pebbles', `version` is 2, which is no text in one short line",
    ),
    "without a title": (
        {"rules": but("title = None")},
        "of the rules of its game 'pebbles', `title` is None, which is no text in one short line",
    ),
    "with a title of two lines": (
        {"rules": but("title = 'one\\ntwo'")},
        r"of the rules of its game 'pebbles', `title` is 'one\ntwo', which is no text in one short line",
    ),
    "at no place": (
        {"game": with_more("place=None")},
        "the `place` of its Game is None, which is no whole number",
    ),
    "with a blurb of numbers": (
        {"game": with_more("blurb=5")},
        "the `blurb` of its Game is 5, which is no text",
    ),
    "of an interface in words": (
        {"game": of_another_interface("'1'")},
        "the `interface` of its Game is '1', which is no whole number, nor two",
    ),
    "usually for more than may play": (
        {"game": with_more("usual=99")},
        "its game 'pebbles' is usually for 99 players, which its rules do not take",
    ),
    "no rules": ({"game": GAME.replace('".rules:Pebbles"', "()")}, "its game 'pebbles' has no rules"),
    "two versions of one number": (
        {"game": GAME.replace('".rules:Pebbles"', '(".rules:Pebbles", ".rules:Pebbles")')},
        "its game 'pebbles' has two rules of version 1",
    ),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_a_broken_package_is_refused_in_one_sentence_and_the_others_are_there(environment: Path, kind: str) -> None:
    written, fault = REFUSED[kind]
    package(environment, "pebbles", **written)
    package(environment, "marbles")
    (sentence,) = sentences()
    assert sentence.startswith(f"The package pebbles 1.0 was left out: {fault}")
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert registry.names() == (*HOUSE, "marbles")


@pytest.mark.parametrize("name", ["Pebbles", "9men", "peb-bles", "peb__bles", "pebbles_", "a/b", "pébbles", "p" * 41])
def test_a_name_that_could_not_stand_in_an_address_is_none(environment: Path, name: str) -> None:
    package(environment, name, distribution="pebbles")
    assert sentences() == [
        f"The package pebbles 1.0 was left out: '{name}' is no name for a game, which has at most 40 small letters, "
        "digits and single underscores, a letter first."
    ]


@pytest.mark.parametrize("name", HOUSE)
def test_the_names_of_the_house_are_its_own(environment: Path, name: str) -> None:
    package(environment, name, distribution="aaa")
    assert sentences() == [f"The package aaa 1.0 was left out: there is a game '{name}' already, of the house."]
    assert registry.origin(name) == "holmgang"


def test_a_name_that_two_packages_claim_is_neithers(environment: Path) -> None:
    """Whichever is found first, and whether or not the other one could be had."""
    package(environment, "pebbles", distribution="one")
    package(environment, "pebbles", distribution="other", game="import nothing_of_that_name\n")
    assert sentences() == [
        f"The package {one} was left out: the package {other} claims the name 'pebbles' too, so that neither has it."
        for one, other in (("one 1.0", "other 1.0"), ("other 1.0", "one 1.0"))
    ]
    assert registry.names() == HOUSE


def test_the_order_of_discovery_changes_nothing(environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pebbles", "marbles", "acorns"):
        package(environment, name)
    package(environment, "marbles", distribution="other")
    found, (points, unread) = discovery.discover(), discovery.packaged()
    monkeypatch.setattr(discovery, "packaged", lambda: (points[::-1], unread))
    again = discovery.discover()
    assert list(found.games) == list(again.games) == [*HOUSE, "acorns", "pebbles"]
    assert found.refused == again.refused


@pytest.mark.parametrize(
    "text",
    ["no list\n", "[holmgang.games\npebbles = pebbles:GAME\n", "[holmgang.games]\npebbles pebbles\n", b"\xff\xfe"],
)
def test_entry_points_that_cannot_be_read_end_nothing(environment: Path, text: str | bytes) -> None:
    """The package is named if it seems to have a game."""
    package(environment, "pebbles")
    package(environment, "stones")
    (environment / "pebbles-1.0.dist-info" / "entry_points.txt").write_bytes(
        text if isinstance(text, bytes) else text.encode()
    )
    assert registry.names() == (*HOUSE, "stones")
    named = isinstance(text, str) and "[holmgang.games]" in text
    assert [why.startswith("The package pebbles 1.0 was left out: its entry points ") for why in sentences()] == (
        [True] if named else []
    )


def test_a_package_that_is_there_twice_counts_once(environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package(environment, "pebbles", distribution="Peb.bles")
    other = environment / "other"
    other.mkdir()
    monkeypatch.syspath_prepend(str(other))
    package(other, "pebbles", distribution="peb-bles", version="2.0")
    assert registry.names() == (*HOUSE, "pebbles")
    assert registry.origin("pebbles") == "peb-bles 2.0"


def test_who_wants_a_game_that_was_refused_is_told_why(environment: Path) -> None:
    package(environment, "pebbles", game="GAME = 1\n")
    why = "There is no game 'pebbles': The package pebbles 1.0 was left out: its entry point 'pebbles' names no Game."
    with pytest.raises(registry.UnknownRuleset) as raised:
        registry.latest("pebbles")
    assert str(raised.value) == why
    for command in (
        ("arena", "--bots", "random,random"),
        ("simulate", "--bots", "random"),
        ("tournament", "random", "greedy"),
        ("ladder", "random", "greedy"),
        ("play", "--bots", "random"),
        ("demo",),
    ):
        done = CliRunner().invoke(holmgang, [*command, "--game", "pebbles"])
        assert (done.exit_code, done.stderr.count(why)) == (2, 1), (command, done.output)


def test_all_games_are_listed_with_where_they_come_from(environment: Path) -> None:
    screen = {"RULES.md": "", "web/screen.js": "", "locale/nl/x": ""}
    package(environment, "marbles")
    for file in screen:
        (environment / "marbles" / file).parent.mkdir(parents=True, exist_ok=True)
        (environment / "marbles" / file).touch()
    package(environment, "pebbles", game="GAME = 1\n")
    told = json.loads(CliRunner().invoke(holmgang, ["games", "--json"], catch_exceptions=False).stdout)
    assert [each["ruleset"] for each in told["games"]] == [*HOUSE, "marbles"]
    assert told["games"][-1] == {
        "ruleset": "marbles",
        "title": "Pebbles",
        "versions": ["1"],
        "seat_counts": [2, 3, 4],
        "from": "marbles 1.0",
        "brings": ["rulebook", "screen"],
        "languages": ["nl"],
    }
    why = "The package pebbles 1.0 was left out: its entry point 'pebbles' names no Game."
    assert told["refused"] == [{"package": "pebbles 1.0", "game": "pebbles", "why": why}]
    listed = CliRunner().invoke(holmgang, ["games"], catch_exceptions=False)
    assert listed.exit_code == 0
    line = next(line for line in listed.stdout.splitlines() if line.startswith("marbles"))
    assert [part in line for part in ("Pebbles", "2 to 4", "marbles 1.0", "rulebook, screen, languages: nl")] == [
        True
    ] * 4
    assert listed.stdout.splitlines()[-1] == why


FAILED = "failed when it was tried, in "
TRIED = {
    "raises in `view`": (
        but("def view(self, state, seat): raise ValueError('no view')"),
        FAILED + "`view` after 0 steps with 2 seats: ValueError: no view",
    ),
    "raises in `view` later on": (
        but(
            "def view(self, state, seat):",
            "    if self.turn(state).turn > 9: raise KeyError(7)",
            "    return super().view(state, seat)",
        ),
        FAILED + "`view` after 16 steps with 2 seats: KeyError: 7",
    ),
    "raises in `tell`": (but("def tell(self, effect): return 1 / 0"), FAILED + "`tell` after "),
    "raises in `redact`": (but("def redact(self, effect, seat): sys.exit()"), FAILED + "`redact` after "),
    "raises in `render`": (but("def render(self, view, tongue=None): return view.none"), FAILED + "`render`"),
    "draws nothing": (but("def picture(self, view, theme, tongue=None): return ''"), "`picture` gives no SVG"),
    "has a view that is no JSON": (but("def view(self, state, seat): return object()"), FAILED + "the view's"),
    "has a schema that is none": (but("view_type = object"), FAILED + "what it says of itself: TypeError"),
    "ends the process": (
        but("def apply(self, state, seat, action):", "    import os", "    os._exit(7)"),
        "ended the process that tried it, by code 7, in `apply` after ",
    ),
    "takes all memory": (
        but("def initial(self, config):", "    return bytearray(MEMORY)").replace("MEMORY", str(trial.MEMORY)),
        FAILED + "`initial`: MemoryError",
    ),
    "writes where the report goes": (
        but("def apply(self, *these):", "    print('well', flush=True)", "    raise ValueError(8)"),
        FAILED + "`apply` after ",
    ),
}


@pytest.mark.parametrize("kind", TRIED)
def test_a_game_that_fails_when_it_is_tried_is_refused(environment: Path, kind: str) -> None:
    rules, fault = TRIED[kind]
    package(environment, "pebbles", rules=rules)
    trying.try_packages(TIME)
    registry.forget()
    (sentence,) = sentences()
    assert sentence.startswith("The package pebbles 1.0 was left out: its game 'pebbles' ")
    assert fault in sentence
    assert registry.names() == HOUSE


@pytest.mark.parametrize("hangs", soon(["picture", "import", "view"], "import"))
def test_a_game_that_hangs_is_refused_when_its_time_is_up(environment: Path, hangs: str) -> None:
    forever = "import time\nwhile True: time.sleep(60)\n"
    written: dict[str, Any] = {
        "picture": {"rules": but("def picture(self, *these):", "    while True: pass")},
        "view": {"rules": but("def view(self, *these):", "    while True: pass")},
        "import": {"game": forever},
    }[hangs]
    package(environment, "pebbles", **written)
    trying.try_packages(3)
    (fault,) = json.loads(os.environ[LEFT_OUT]).values()
    assert fault.startswith("its game 'pebbles' did not end within 3 s when it was tried, in ")
    assert hangs in fault


def test_a_package_whose_judge_is_missing_or_chooses_what_is_not_allowed_is_refused(environment: Path) -> None:
    judged = GAME.replace('".rules:Pebbles"', '".rules:Pebbles", judge=".bot:Judge"')
    package(environment, "pebbles", game=judged)
    bad = "class Judge:\n    def choose(self, *these): return 'nothing'\n    def value(self, *these): return 0.5\n"
    package(environment, "marbles", game=judged, files={"bot.py": bad})
    trying.try_packages(TIME)
    faults = json.loads(os.environ[LEFT_OUT])
    assert "its judge: ModuleNotFoundError" in faults["pebbles"]
    assert "its judge's choice after 8 steps" in faults["marbles"]


def test_games_that_are_well_are_tried_and_stay(environment: Path) -> None:
    for name in ("acorns", "marbles", "pebbles"):
        package(environment, name)
    trying.try_packages(TIME)
    registry.forget()
    assert (registry.names(), sentences()) == ((*HOUSE, "acorns", "marbles", "pebbles"), [])


def test_the_folders_of_the_house_are_not_tried_and_without_packages_nothing_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def start(*these: Any) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setenv(LEFT_OUT, '{"claim": "of an earlier start"}')
    monkeypatch.setattr(discovery, "packaged", lambda: ([], []))
    monkeypatch.setattr(trying, "_start", start)
    trying.try_packages(TIME)
    assert LEFT_OUT not in os.environ


def test_folders_that_are_files_hold_nothing(environment: Path) -> None:
    package(environment, "pebbles", files={"locale": "no folder", "web": "none either"})
    assert registry.game("pebbles").languages() == ()
    listed = CliRunner().invoke(holmgang, ["games"])
    assert listed.exit_code == 0
    assert "pebbles" in listed.output
