"""Catalogues of packages: a game's own words are its own, and what is wrong with them stops nobody."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import pytest
from click.testing import CliRunner, Result

from holmgang import registry
from holmgang.api.problems.documents import document
from holmgang.api.resources.rulesets.routes import body
from holmgang.cli.main import holmgang
from holmgang.engine.messages import say
from holmgang.languages import catalogue
from holmgang.languages.catalogue import left_out, messages, sentence, tongue, translation
from holmgang.web.files import files
from tests.games import known
from tests.packages import package

HOUSE = "Must be true or false."
RULES = """
from holmgang.engine.messages import say, template
from holmgang.games.claim.rules.rules import ClaimRules


class Pebbles(ClaimRules):
    ruleset, title = "{name}", "Pebbles"
    reconstructed = ()


SAID = say("{n} pebbles", n=2), template("deck"), say("Must be true or false.")
"""
BOOK = "# Pebbles\n\n- **P1** Take `n` pebbles.\n"


class Outputs(NamedTuple):
    api: dict[str, dict[str, str]]
    web: dict[str, dict[str, str]]
    rulesets: dict[str, bytes]


@pytest.fixture(scope="module")
def house() -> Outputs:
    """What goes out where there are no packages."""
    api, web = ({language: messages(language, of) for language in ("fr", "nl")} for of in ("api", "web"))
    rulesets = {name: body(name, "fr").content for name in registry.names()}
    body.cache_clear()
    return Outputs(api, web, rulesets)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with two packages, whose games say the same and translate it otherwise."""
    for name in ("pebbles", "acorns"):
        package(tmp_path, name, rules=RULES, files={"RULES.md": BOOK})
    with known(tmp_path):
        yield tmp_path
    body.cache_clear()


def put(folder: Path, name: str, domain: str, content: str | bytes, language: str = "fr") -> None:
    path = folder / name / "locale" / language / "LC_MESSAGES" / f"{domain}.po"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def po(*entries: tuple[str, str] | tuple[str, str, str]) -> str:
    lines = ['msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n']
    for *context, english, text in entries:
        lines.append("".join(f'msgctxt "{each}"\n' for each in context) + f'msgid "{english}"\nmsgstr "{text}"\n')
    return "\n".join(lines)


def words(name: str) -> str:
    return po(("deck", f"paquet de {name}"), (HOUSE, f"tout {name}"), ("{n} pebbles", f"{{n}} {name}"))


def test_what_a_game_says_is_found_in_its_own_catalogue_first(folder: Path) -> None:
    put(folder, "pebbles", "api", words("pebbles"))
    put(folder, "acorns", "api", words("acorns"))
    said = say("{a} of {b}", a=say("deck"), b=say("{n} pebbles", n=3))
    for name in ("pebbles", "acorns"):
        assert sentence(said, "fr", name) == f"paquet de {name} of 3 {name}"
        assert tongue("fr", name).into(said) == f"paquet de {name} of 3 {name}"
        assert document("illegal_action", said, "", "", "fr", {"errors": [{"detail": said}]}, name)["errors"] == [
            {"detail": f"paquet de {name} of 3 {name}"}
        ]
    assert sentence(say("deck"), "nl", "pebbles") == "deck"
    assert left_out() == ()


def test_no_game_changes_what_the_house_or_another_game_says(house: Outputs, folder: Path) -> None:
    for name in ("pebbles", "acorns"):
        for language in ("fr", "nl"):
            taken = ((english, "x" + text) for english, text in house.api[language].items() if '"' not in english)
            put(folder, name, "api", po(*taken), language)
            put(folder, name, "web", po(("New game", "x"), ("Pebbles!", name)), language)
        put(folder, name, "rules", po(("claim K1", "The island", "x"), (f"{name} P1", "Take `n` pebbles.", "x `n`")))
    for language in ("fr", "nl"):
        assert messages(language, "api") == house.api[language]
        assert messages(language, "web") == {**house.web[language], "Pebbles!": "acorns"}  # the first by its name
    assert {name: body(name, "fr").content for name in house.rulesets} == house.rulesets
    assert all(b"x `n`" in body(name, "fr").content for name in ("pebbles", "acorns"))
    assert translation("The island", "fr", "rules", "claim K1", "pebbles") == "L'île"


@pytest.mark.parametrize("first", ["pebbles", "acorns"])
def test_the_order_of_discovery_changes_nothing(folder: Path, first: str) -> None:
    """Where it is not known who speaks, games come in the order of the registry, however they were found."""
    second = ({"pebbles", "acorns"} - {first}).pop()
    for name in (first, second):
        put(folder, name, "api", po(("deck", f"paquet de {name}"), (f"of {name}", "y")))
    assert translation("deck", "fr") == "paquet de acorns"
    assert translation(f"of {second}", "fr") == "y"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"\xff\xfe", "UnicodeDecodeError"),
        ("this is none", "PoFileError"),
        (
            b'msgid ""\nmsgstr "Content-Type: text/plain; charset=nope\\n"\n\nmsgid "deck"\nmsgstr "paquet"\n',
            "LookupError",
        ),
        (po(("deck", "paquet")).encode("utf-16"), "UnicodeDecodeError"),
        (b'msgid ""\nmsgstr ""\n\nmsgid "deck"\nmsgstr "\xe9"\n', "UnicodeDecodeError"),
    ],
)
def test_a_catalogue_that_cannot_be_read_is_left_out(folder: Path, content: str | bytes, why: str) -> None:
    put(folder, "pebbles", "api", content)
    put(folder, "acorns", "api", words("acorns"))
    assert translation("deck", "fr", ruleset="pebbles") == "paquet de acorns"
    (told,) = left_out()
    assert told.startswith(
        "The catalogue 'locale/fr/LC_MESSAGES/api.po' of the game 'pebbles' was left out: it cannot be read: " + why
    )
    assert "\n" not in told
    assert files()["messages/fr.js"].content
    assert CliRunner().invoke(holmgang, ["games"]).output.splitlines()[-1] == told


def test_no_catalogue_is_blamed_for_what_is_not_installed(folder: Path) -> None:
    """Who only plays has no Babel."""
    (folder / "pebbles/locale/nl/LC_MESSAGES/api.po").mkdir(parents=True)
    assert len(left_out()) == 1
    with mock.patch.object(catalogue, "find_spec", return_value=None):
        assert left_out() == ()


def test_a_catalogue_that_is_a_folder_is_left_out(folder: Path) -> None:
    (folder / "pebbles" / "locale" / "nl" / "LC_MESSAGES" / "web.po").mkdir(parents=True)
    assert len(left_out()) == 1
    assert "New game" in messages("nl", "web")


@pytest.mark.parametrize("text", ["{m} cailloux", "cailloux", "{n} {", "{n} }", "{n:>9999999999}", "{n.real}", "{0}"])
def test_a_translation_that_cannot_be_filled_is_left_out(folder: Path, text: str) -> None:
    put(folder, "pebbles", "api", po(("{n} pebbles", text), ("deck", "paquet")))
    assert sentence(say("{n} pebbles", n=2), "fr", "pebbles") == "2 pebbles"
    assert sentence(say("deck"), "fr", "pebbles") == "paquet"
    assert left_out() == (
        "1 of the messages in 'locale/fr/LC_MESSAGES/api.po' of the game 'pebbles' were left out, for their"
        " translations do not fit them, as that of '{n} pebbles'.",
    )


def called(*words: str) -> Result:
    return CliRunner().invoke(holmgang, ["messages", *words])


def test_a_package_makes_and_checks_its_own_catalogues(folder: Path) -> None:
    assert "speaks English alone" in called("pebbles").output
    written = called("pebbles", "--write", "--language", "nl")
    assert written.exit_code == 0, written.output
    place = folder / "pebbles" / "locale" / "nl" / "LC_MESSAGES"
    assert sorted(path.name for path in place.iterdir()) == ["api.po", "rules.po"]
    assert not (folder / "pebbles" / "locale" / "fr").exists()
    api = (place / "api.po").read_text()
    assert '#: rules.py\nmsgid "deck"\nmsgstr ""\n' in api
    checked = called("pebbles")
    assert checked.exit_code == 1
    assert f"{place / 'api.po'}: 'deck' has no translation." in checked.output.splitlines()
    assert HOUSE not in checked.output, "the house translates it already"
    assert checked.output.splitlines()[-1] == "Error: There are 3 to mend."
    for path in place.iterdir():  # with itself for a translation
        path.write_text(re.sub('msgid "(.+)"\nmsgstr ""', r'msgid "\1"\nmsgstr "\1"', path.read_text()))
    assert called("pebbles").output == "All that 'pebbles' says is translated: nl.\n"
    (folder / "pebbles" / "rules.py").write_text('from holmgang.engine.messages import say\n\nsay("new")\n')
    assert called("pebbles", "--write").exit_code == 0
    assert 'msgid "deck"' not in (place / "api.po").read_text()
    assert "'new' has no translation." in called("pebbles").output


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("say(f'{x}')", "Error: NoLiteral: rules.py:4: a message stands in the source as a literal.\n"),
        ("say()", "Error: NoLiteral: rules.py:4: a message stands in the source as a literal.\n"),
        ("say(", "Error: SyntaxError: "),
    ],
)
def test_what_cannot_be_gathered_is_told(folder: Path, source: str, told: str) -> None:
    registry.games()  # imported before it is broken
    path = folder / "pebbles" / "rules.py"
    path.write_text(f"#\n#\n#\n{source}\n")
    found = called("pebbles", "--language", "fr")
    assert found.exit_code == 1
    assert told in found.output


@pytest.mark.parametrize(
    ("english", "text", "wrong"),
    [
        ("{n} pebbles", "{m} x", "The translation of '{n} pebbles' cannot be filled with ['n']."),
        ("deck", " x", "The translation of 'deck' begins or ends with a blank."),
        ("deck", "`x`", "The translation of 'deck' has other code."),
        ("gone", "x", "'gone' is not said any more."),
    ],
)
def test_what_is_wrong_in_a_catalogue_is_told(folder: Path, english: str, text: str, wrong: str) -> None:
    put(folder, "pebbles", "api", po((english, text)))
    assert wrong in called("pebbles").output


def test_an_unknown_game_and_an_unreadable_catalogue_are_told(folder: Path) -> None:
    assert called("nope").exit_code == 2
    put(folder, "pebbles", "api", b"\xff")
    found = called("pebbles", "--write")
    assert found.exit_code == 1
    assert "Error: " in found.output
    assert (folder / "pebbles" / "locale" / "fr" / "LC_MESSAGES" / "api.po").read_bytes() == b"\xff"
