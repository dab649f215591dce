"""The catalogues are complete and true to the sources; sentences come out in each language."""

from __future__ import annotations

import copy
import pickle
import random
import re
from typing import Any

import msgspec
import pytest

from holmgang import registry
from holmgang.engine.errors import MalformedAction
from holmgang.engine.messages import Said, either, say, way
from holmgang.engine.turn import Chance, Over
from holmgang.languages.catalogue import DOMAINS, in_language, messages, place_of, sentence, translation
from holmgang.languages.gathering import faults, kept, said_in_script, written
from holmgang.languages.negotiation import negotiate
from holmgang.languages.scripts import literals
from holmgang.web.files import FIRST, files
from tests.languages.checking import FREE, OTHERS, check_said
from tests.languages.messages import HOUSE, SCRIPTS, SOURCES, SPEAKERS, folder_of, now

EVERY = [(speaker, language) for speaker in SPEAKERS for language in OTHERS]


@pytest.mark.parametrize(("speaker", "language"), EVERY)
def test_the_catalogues_are_whole_and_what_make_messages_makes(speaker: str, language: str) -> None:
    for domain in DOMAINS:
        said = now(speaker, domain)
        assert len(said) > 10 or (speaker, domain) == (HOUSE, "rules")
        folder, path = folder_of(speaker), folder_of(speaker).joinpath(*place_of(language, domain))
        assert list(faults(folder, language, said)) == [], "run `make messages` and translate what is empty"
        assert path.is_file() == bool(len(said))
        assert not len(said) or path.read_bytes() == written(language, kept(folder, language, domain), said)


@pytest.mark.parametrize("domain", DOMAINS)
def test_french_quotes_stay_with_what_they_quote(domain: str) -> None:
    """No line ends behind the first or before the last."""
    texts = [str(each.string) for speaker in SPEAKERS for each in kept(folder_of(speaker), "fr", domain) if each.id]
    assert [text for text in texts if re.search("«[^\xa0]|[^\xa0]»", text)] == []


@pytest.mark.parametrize("language", OTHERS)
def test_rules_keep_the_ids_and_numbers_that_they_name(language: str) -> None:
    for ruleset in registry.names():
        for message in kept(folder_of(ruleset), language, "rules"):
            for cited in re.findall(r"\b[A-Z]\d+(?:\.\d+)*\b", str(message.id)):
                assert cited in str(message.string), (message.context, cited)


def test_what_scripts_say_stands_there_as_a_literal() -> None:
    for path in (*SCRIPTS.rglob("*.js"), *SOURCES.glob("games/*/web/**/*.js")):
        if path.name != "i18n.js":
            loose = re.findall(r"(?<![\w.$])t\((?!\")[^)]{0,60}", path.read_text())
            assert not loose, f"{path.name}: {loose}"


def test_what_scripts_say_is_found_wherever_it_stands() -> None:
    script = r"""/** Through `t("...")` all goes. */
const told = [t("{n} in {pile}", { n, pile: top ? t("discard") : t("central pile") }),
  `${said} ${t("That catches {prey}.", { prey })}`, got("no"), one.t("no"), t("a \"word\"")];
"""
    found = ["{n} in {pile}", "discard", "central pile", "That catches {prey}.", 'a "word"']
    assert [each.message for each in said_in_script(script, "")] == found


def test_a_sentence_is_said_with_its_values() -> None:
    said = say("You have no Viking on {space}.", space="C")
    assert said == "You have no Viking on C."
    assert sentence(said, "en") == said
    assert type(sentence(said, "en")) is str
    assert sentence(said, "fr") == "Tu n'as pas de Viking sur C."
    assert sentence(said, "nl") == "Je hebt geen viking op C."
    assert sentence("a name", "fr") == "a name"


def test_a_sentence_can_be_copied_and_sent_to_another_process() -> None:
    said = say("The barrel moves by {values}, not {by}.", values=either("12"), by=5)
    for other in (pickle.loads(pickle.dumps(said)), copy.deepcopy(said)):
        assert type(other) is Said
        assert other == said
        assert sentence(other, "fr") == sentence(said, "fr") != said


def test_what_is_said_within_is_translated_too() -> None:
    said = say("The barrel moves by {values}, not {by}.", values=either("125"), by="{values}")
    assert said == "The barrel moves by 1, 2 or 5, not {values}."
    assert sentence(said, "nl") == "De ton gaat 1, 2 of 5 verder, niet {values}."
    assert way(["a1", "a2", "b2"]) == "a1 to a2 to b2"
    found = in_language({"errors": [{"detail": said, "code": "x"}], "turn": 3, "tags": (say("grass"),)}, "fr")
    assert found == {
        "errors": [{"detail": "Le tonneau avance de 1, 2 ou 5, pas de {values}.", "code": "x"}],
        "turn": 3,
        "tags": ["herbe"],
    }
    assert msgspec.json.encode(found)


def test_a_text_without_translation_stays_english() -> None:
    assert sentence(Said("Nobody has said {what} yet.", {"what": "this"}), "fr") == "Nobody has said this yet."
    assert translation("The island", "nl", "rules", "claim K1") == "Het eiland"
    assert translation("The island", "nl", "rules", "claim K2") == "The island"


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("fr", "fr"),
        ("nl-BE", "nl"),
        ("FR-ca", "fr"),
        ("fr-CA, nl;q=0.8", "fr"),
        ("nl;q=0.8, fr-CA;q=0.5", "nl"),
        ("de, *;q=0.5", "en"),
        ("*", "en"),
        ("de-CH, de;q=0.9, fr;q=0.4, en;q=0.3", "fr"),
        ("en-GB, fr;q=0.9", "en"),
        ("fr;q=0, nl;q=0.1", "nl"),
        ("fr-CA, fr;q=0", "en"),
        ("fr-CA;q=0, fr", "fr"),
        ("french", "en"),
        ("x-fr", "en"),
        (";;,=,\x00", "en"),
        ("fr" + "-x" * 2000, "fr"),
        ("de, " * 2000 + "fr", "en"),
    ],
)
def test_the_language_is_looked_up(header: str | None, language: str) -> None:
    assert negotiate(header) == language


@pytest.mark.parametrize("ruleset", registry.names())
def test_every_refusal_of_random_actions_can_be_said(ruleset: str) -> None:
    """Positions of a game, and in each what other positions of its kind allow."""
    rules, rng = registry.latest(ruleset), random.Random(7)
    met: dict[str, list[Any]] = {}
    said = set()
    for _ in range(3):
        state = rules.initial(rules.configure(rules.seat_counts[0], {}))
        for _ in range(150):
            turn = rules.turn(state)
            if isinstance(turn, Over):
                break
            if isinstance(turn, Chance):
                state = rules.resolve(state, rng.randrange(turn.stop)).state
                continue
            seat = turn.seats[0]
            space = rules.moves(state, seat)
            for action in met.setdefault(turn.kind, [])[-6:]:
                fault = space.why_not(action)
                if fault is not None:
                    check_said(fault.detail)
                    said.add(fault.detail.template)
            chosen_action = space.sample(rng)
            met[turn.kind].append(chosen_action)
            state = rules.apply(state, seat, chosen_action).state
    assert len(said) >= 5, said


@pytest.mark.parametrize("ruleset", registry.names())
@pytest.mark.parametrize("value", [[], "x", {}, {"type": "no"}, {"type": 3}, None, 5])
def test_what_has_no_actions_shape_is_told_in_each_language(ruleset: str, value: Any) -> None:
    rules = registry.latest(ruleset)
    for kind in rules.turn_kinds:
        with pytest.raises(MalformedAction) as malformed:
            rules.decode(kind, value)
        check_said(malformed.value.detail)
        assert malformed.value.detail.template != FREE, malformed.value.detail


def _served(name: str) -> dict[str, str]:
    served = files()[name].content.decode()
    assert served.startswith("export default {")
    found: dict[str, str] = msgspec.json.decode(served.removeprefix("export default ").rstrip(";\n"))
    return found


def test_the_web_table_gets_its_messages() -> None:
    for language in OTHERS:
        known = messages(language, "web")
        first, rest = (_served(f"messages/{language}{part}.js") for part in ("", ".rest"))
        assert (first | rest, first.keys() & rest.keys()) == (known, set())
        assert first.keys() == known.keys() & set(literals(files()[FIRST].content.decode()))
        assert {"Open games", "Sit down"} & first.keys() == {"Open games"}  # of the lobby, and of a table
        assert known["New game"] != "New game"
    assert messages("en", "web") == {}
