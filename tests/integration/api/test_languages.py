"""Accept-Language: rules, problems and their pages in English, French and Dutch; everything else stays as it is."""

from __future__ import annotations

import html
from typing import Any

import pytest

from holmgang import registry
from holmgang.api.problems.table import PROBLEMS
from holmgang.engine.rulebook import read_rules
from holmgang.languages.catalogue import LANGUAGES, translation

from .calling import Api

NOBODY = "0192f0c1-0000-7000-8000-000000000000"
OTHERS = [language for language in LANGUAGES if language != "en"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ruleset", registry.names())
def test_rules_are_told_in_each_language(api: Api, ruleset: str, language: str) -> None:
    answer = api.call("GET", f"/v1/rulesets/{ruleset}", status=200, Accept_Language=language)
    assert answer.headers["Content-Language"] == language
    assert "Accept-Language" in answer.headers["Vary"]
    english = api.get(f"/v1/rulesets/{ruleset}")
    told = answer.get_json()
    assert [rule["id"] for rule in told["rules"]] == [rule["id"] for rule in english["rules"]]
    assert {name: told[name] for name in told if name not in ("rules", "reconstructed")} == {
        name: english[name] for name in english if name not in ("rules", "reconstructed")
    }
    for rule, original in zip(told["rules"], english["rules"], strict=True):
        assert (rule["text"] == original["text"]) is (language == "en"), rule["id"]
    for part, original in zip(told["reconstructed"], english["reconstructed"], strict=True):
        assert (part["what"] == original["what"]) is (language == "en"), part["rule"]


def test_rules_have_another_tag_in_another_language(api: Api) -> None:
    path = "/v1/rulesets/claim"
    tags = {
        language: api.call("GET", path, Accept_Language=language, status=200).headers["ETag"] for language in LANGUAGES
    }
    assert len(set(tags.values())) == len(LANGUAGES)
    for language, tag in tags.items():
        same = api.call("GET", path, Accept_Language=language, If_None_Match=tag, status=304)
        assert "Accept-Language" in same.headers["Vary"]
        assert same.headers["ETag"] == tag
    api.call("GET", path, Accept_Language="nl", If_None_Match=tags["fr"], status=200)


@pytest.mark.parametrize("ruleset", registry.names())
def test_every_rule_that_refusals_name_has_a_text(ruleset: str) -> None:
    ids = [rule["id"] for rule in read_rules(registry.game(ruleset).rulebook)]
    assert len(ids) == len(set(ids))
    for parent in {ident.rpartition(".")[0] for ident in ids if "." in ident}:
        assert parent in ids
    texts = {rule["id"]: rule["text"] for rule in read_rules(registry.game(ruleset).rulebook)}
    if ruleset == "drakkars":
        assert texts["D4.2.5"].startswith("`launch`")
        assert "`launch`" not in texts["D4.2"]
    if ruleset == "claim":
        assert "put a castle on a free point" in texts["K5"]


@pytest.mark.parametrize("language", OTHERS)
def test_a_problem_is_told_in_each_language(api: Api, language: str) -> None:
    english = api.problem("GET", f"/v1/games/{NOBODY}", 404, "not_found")
    answer = api.call("GET", f"/v1/games/{NOBODY}", status=404, Accept_Language=f"{language}-BE, en;q=0.1")
    told = answer.get_json()
    assert answer.headers["Content-Language"] == language
    assert answer.headers["Vary"] == "Accept-Language"
    assert told["title"] == translation(PROBLEMS["not_found"].title, language) != english["title"]
    assert told["detail"] != english["detail"]
    assert NOBODY in told["detail"]
    free = ("title", "detail", "request_id")
    assert {n: told[n] for n in told if n not in free} == {n: english[n] for n in english if n not in free}


@pytest.mark.parametrize(
    ("method", "path", "more"),
    [
        ("POST", "/v1/players", {"json": {"nmae": 1}}),
        ("POST", "/v1/players", {"json": {}}),
        ("POST", "/v1/players", {"json": {"name": " "}}),
        ("POST", "/v1/players", {"body": b"{", "Content_Type": "application/json"}),
        ("POST", "/v1/players", {"body": b"x" * 100_000, "Content_Type": "application/json"}),
        ("POST", "/v1/players", {"body": b"{}", "Content_Type": "text/plain"}),
        ("GET", "/v1/games?limit=0", {}),
        ("GET", "/v1/games?limit=x&colour=red", {}),
        ("GET", "/v1/games?status=lost", {}),
        ("GET", "/v1/me", {}),
        ("GET", "/v1/me", {"Authorization": "Basic xyz"}),
        ("GET", "/v1/rulesets/chess", {}),
        ("PUT", "/v1/rulesets/claim", {}),
        ("GET", "/nowhere", {}),
    ],
)
def test_errors_of_every_layer_are_told_in_each_language(
    api: Api, method: str, path: str, more: dict[str, Any]
) -> None:
    english = api.call(method, path, **more).get_json()
    for language in OTHERS:
        told = api.call(method, path, Accept_Language=language, **more).get_json()
        assert told["code"] == english["code"]
        assert told["title"] != english["title"]
        assert told["detail"] != english["detail"]
        for error, original in zip(told.get("errors", ()), english.get("errors", ()), strict=True):
            assert error["detail"] != original["detail"]
            assert (error["pointer"], error["code"]) == (original["pointer"], original["code"])


def test_a_refused_action_names_the_rule_in_the_language_asked_for(api: Api) -> None:
    table = api.table()
    turn = table.turn(0)
    action = {"type": "place", "fields": {"A": 8, "B": 1}, "sieges": []}
    sent = {"turn": turn["turn"], "action": action}
    path, token = f"{table.path}/submissions", table.token(0)
    details = {}
    for language in LANGUAGES:
        told = api.call("POST", path, token=token, json=sent, status=422, Accept_Language=language).get_json()
        assert (told["code"], told["rule"]) == ("illegal_action", "E3.2")
        details[language] = told["detail"]
    assert details == {
        "en": "You have 8 Vikings at home, but placed 9.",
        "fr": "Tu as 8 Vikings au village, mais tu en as envoyé 9.",
        "nl": "Je hebt 8 vikingen thuis, maar zette er 9 in.",
    }
    sent["action"] = {"type": "place", "fields": {"A": "one"}, "sieges": []}
    said = "'fields/A' moet een geheel getal van 1 tot en met 8 zijn, niet \"one\"."
    told = api.call("POST", path, token=token, json=sent, status=422, Accept_Language="nl").get_json()
    assert told["errors"][0]["detail"] == told["detail"] == said


def test_what_is_no_text_for_people_does_not_depend_on_the_language(api: Api) -> None:
    table = api.table()
    for path in (table.path, f"{table.path}/view", f"{table.path}/events", "/v1/rulesets"):
        english = api.call("GET", path, token=table.token(0), status=200)
        other = api.call("GET", path, token=table.token(0), status=200, Accept_Language="fr")
        assert other.get_data() == english.get_data()
        assert "Content-Language" not in other.headers
    turn = api.call("GET", f"{table.path}/turn", token=table.token(0), status=200, Accept_Language="fr")
    tag = turn.headers["ETag"]
    api.call("GET", f"{table.path}/turn", token=table.token(0), status=304, If_None_Match=tag, Accept_Language="nl")


def test_a_kept_answer_is_given_again_in_any_language(api: Api) -> None:
    token = api.register().token
    body = {"ruleset": "claim", "seats": 2}
    made = [
        api.call(
            "POST", "/v1/games", token=token, json=body, status=201, Idempotency_Key="one", Accept_Language=language
        )
        for language in LANGUAGES
    ]
    assert len({answer.get_json()["id"] for answer in made}) == 1
    told = api.call(
        "POST",
        "/v1/games",
        token=token,
        json={**body, "seats": 3},
        status=422,
        Idempotency_Key="one",
        Accept_Language="fr",
    ).get_json()
    assert told["code"] == "idempotency_mismatch"
    assert told["title"] == translation(PROBLEMS["idempotency_mismatch"].title, "fr")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", sorted(PROBLEMS))
def test_pages_of_problems_are_in_each_language(api: Api, code: str, language: str) -> None:
    answer = api.call("GET", f"/problems/{code}", status=200, Accept_Language=language)
    page, row = answer.get_data(as_text=True), PROBLEMS[code]
    assert answer.headers["Content-Language"] == language
    assert "Accept-Language" in answer.vary
    assert f'<html lang="{language}">' in page
    assert translation(row.title, language).split("`")[0] in html.unescape(page)
    if language != "en":
        for text in (row.title, row.meaning, row.remedy):
            assert translation(text, language) != text
        for text in ("What it means", "What to do", "The same request may", "Repeating"):
            assert text not in page


@pytest.mark.parametrize("language", OTHERS)
def test_the_list_of_problems_is_in_each_language(api: Api, language: str) -> None:
    page = api.call("GET", "/problems", status=200, Accept_Language=language).get_data(as_text=True)
    for row in PROBLEMS.values():
        assert f"/problems/{row.code}" in page
        assert row.title not in page
