"""Who is given a seat, or the seats of the absent: bots that can play the game, and no others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from holmgang import registry as games
from holmgang.bots import registry
from holmgang.bots.base import NAMES
from holmgang.languages.catalogue import LANGUAGES
from tests.games import install, known

from .calling import Api, Person

TERMS: dict[str, dict[str, Any]] = {
    "public": {},
    "private": {"visibility": "private"},
    "practice": {"practice": True},
    "rated": {"rated": True, "turn_seconds": 60},
    "timed": {"turn_seconds": 60, "join": False},
}


@pytest.fixture(scope="module", autouse=True)
def toy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with known(install(tmp_path_factory.mktemp("games"), whole=False)):
        yield


def new(api: Api, person: Person, ruleset: str, terms: dict[str, Any]) -> Any:
    seats = min(games.latest(ruleset).seat_counts)
    return api.call("POST", "/v1/games", token=person.token, json={"ruleset": ruleset, "seats": seats, **terms})


def seat(api: Api, person: Person, ruleset: str, bot: str, terms: dict[str, Any]) -> Any:
    game = new(api, person, ruleset, terms).get_json()["id"]
    body = {"bot": bot, "seat": 1}
    return api.call("POST", f"/v1/games/{game}/seats", token=person.token, json=body)


def stand_in(api: Api, person: Person, ruleset: str, bot: str, terms: dict[str, Any]) -> Any:
    return new(api, person, ruleset, {**terms, "absence": f"bot:{bot}"})


WAYS: dict[str, Callable[..., Any]] = {"/bot": seat, "/absence": stand_in}


def able(api: Api, ruleset: str) -> list[str]:
    (found,) = [item["bots"] for item in api.get("/v1/rulesets")["items"] if item["ruleset"] == ruleset]
    return list(found)


def test_rulesets_say_which_bots_play(api: Api) -> None:
    for ruleset in games.names():
        assert able(api, ruleset) == list(registry.playing(ruleset))
    assert "greedy" not in able(api, "toy"), "nobody has told it what is good"
    assert "random" in able(api, "toy")
    assert api.get("/v1/rulesets/claim")["bots"] == able(api, "claim") == list(NAMES)


@pytest.mark.parametrize("terms", TERMS.values(), ids=TERMS)
@pytest.mark.parametrize("pointer", WAYS)
@pytest.mark.parametrize("bot", NAMES)
@pytest.mark.parametrize("ruleset", ["toy", "claim"])
def test_no_seat_is_given_to_a_bot_that_cannot_play(
    api: Api, ruleset: str, bot: str, pointer: str, terms: dict[str, Any]
) -> None:
    ragna = api.register()
    answer = WAYS[pointer](api, ragna, ruleset, bot, terms)
    if bot in able(api, ruleset):
        assert answer.status_code == 201
        return
    assert answer.status_code == 422
    problem = answer.get_json()
    assert problem["code"] == "invalid_field"
    (error,) = problem["errors"]
    assert error["pointer"] == pointer
    assert error["detail"] == f"The bot '{bot}' cannot play Toy. Those that can: {', '.join(able(api, ruleset))}."
    mine = api.get("/v1/me/games", ragna.token)["items"]
    assert [one["bot"] for game in mine for one in game["seats"] if one["bot"]] == []
    assert len(mine) == (1 if pointer == "/bot" and terms.get("join", True) else 0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_refusal_is_told_in_each_language(api: Api, language: str) -> None:
    ragna = api.register()
    body = {"ruleset": "toy", "seats": 2, "absence": "bot:greedy"}
    problem = api.problem(
        "POST", "/v1/games", 422, "invalid_field", token=ragna.token, json=body, Accept_Language=language
    )
    (error,) = problem["errors"]
    assert ("cannot play" in error["detail"]) is (language == "en")
    assert error["detail"].endswith(f"{', '.join(able(api, 'toy'))}.")


def test_a_game_that_is_played_by_rules_that_are_not_here_seats_no_bot(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody here can say who plays those, whoever plays the latest."""
    latest = games.latest("toy")
    older = type("Older", (type(latest),), {"version": "0"})()
    package = vars(games.game("toy"))
    ragna = api.register()
    monkeypatch.setitem(package, "versions", (older,))
    path = f"/v1/games/{new(api, ragna, 'toy', {}).get_json()['id']}/seats"
    monkeypatch.setitem(package, "versions", (latest,))
    api.problem("POST", path, 503, "ruleset_unavailable", token=ragna.token, json={"bot": "random"})
    monkeypatch.setitem(package, "versions", (older, latest))
    api.problem("POST", path, 422, "invalid_field", token=ragna.token, json={"bot": "greedy"})
    api.call("POST", path, token=ragna.token, json={"bot": "random"}, status=201)
