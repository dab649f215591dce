"""Games of private tournaments: who is in one, or has its link, watches all of its games as spectators do, and nobody
else does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.soon import soon

from .calling import UNHURRIED, Api, Person, Table
from .test_private_games import OPERATIONS, UNKNOWN, bodies, headers, told
from .test_tournaments import Cup, invited, made
from .test_waiting import LONG, Waiting

if TYPE_CHECKING:
    from werkzeug.test import TestResponse

READS = [(path, operation) for verb, path, operation in OPERATIONS if verb == "GET"]
WRITES = [(verb, path, operation) for verb, path, operation in OPERATIONS if verb != "GET"]
EACH_TIME = re.compile(r'"(?:request_id|server_time)": ?"[^"]*"')


class Scene(NamedTuple):
    """A private tournament of six whose two games have begun, and who looks at one of them from without."""

    cup: Cup
    games: list[Table]
    looks: dict[str, dict[str, str]]
    spectator: dict[str, str]
    strangers: dict[str, dict[str, str]]


def table_of(api: Api, cup: Cup, game: str) -> Table:
    people = {person.id: person for person in cup.people}
    seats = api.get(f"/v1/games/{game}", cup.maker.token)["seats"]
    return Table(api, game, [people[seat["player"]] for seat in seats])


def begun(api: Api, people: int = 4, **terms: Any) -> tuple[Cup, list[Table]]:
    cup = made(api, people, visibility="private", **terms)
    cup.secret = invited(cup)
    cup.start()
    cup.work(lambda: all(api.get("/v1/me/games", person.token)["items"] for person in cup.people))
    tables = cup.get("/rounds/1")["tables"]
    return cup, [table_of(api, cup, one["games"][0]["game"]) for one in tables]


@pytest.fixture(scope="module")
def api(module_database: str) -> Iterator[Api]:
    api = Api(module_database, **UNHURRIED)
    yield api
    api.close()


@pytest.fixture(scope="module")
def scene(api: Api) -> Scene:
    cup, games = begun(api, 6, ruleset="eketorp", seats=3)
    games[0].play(1)
    games[0].submit(games[0].turn(0)["awaited"][0], status=201)  # sealed, or told to all
    other, stranger = games[1].people[0], api.register("stranger")

    def seat_token(person: Person, game: str) -> str:
        wanted = {"label": "seat", "scopes": ["read", "play"], "game": game}
        answer = api.call("POST", "/v1/me/tokens", token=person.token, json=wanted, status=201)
        return str(answer.get_json()["token"])

    def shown(secret: str) -> dict[str, str]:
        return {"Holmgang-Invitation": secret}

    creator = api.get(games[0].path, cup.maker.token)["creator"]
    creators = Table(api, games[0].game, [person for person in games[0].people if person.id == creator])
    elsewhere = seat_token(other, games[1].game)
    old, cup.secret = cup.secret, invited(cup)
    of_another = made(api, 2, visibility="private")
    return Scene(
        cup,
        games,
        {
            "who plays at another table": headers(other.token, {}),
            "its maker": headers(cup.maker.token, {}),
            "whoever has the link": shown(cup.secret),
            "a player who has the link": {**headers(stranger.token, {}), **shown(cup.secret)},
            "a player with the link of another": {**headers(other.token, {}), **shown(invited(of_another))},
        },
        shown(api.invite(creators, uses=9)["secret"]),
        {
            "nobody": {},
            "another player": headers(stranger.token, {}),
            "another with an old link": {**headers(stranger.token, {}), **shown(old)},
            "another with the link of another": shown(invited(of_another)),
            "a seat at another table": headers(elsewhere, {}),
        },
    )


def asked(scene: Scene, verb: str, path: str, game: str, sent: dict[str, str], **more: Any) -> TestResponse:
    address = path.format(game=game, seat=0, number=1, submission=UNKNOWN, invitation=UNKNOWN)
    return scene.cup.api.client.open(address, method=verb, headers=sent, **more)


@pytest.mark.parametrize(("path", "operation"), READS, ids=[operation["operationId"] for _, operation in READS])
def test_they_see_what_spectators_see_and_no_more(scene: Scene, path: str, operation: dict[str, Any]) -> None:
    """What is for players alone, such as rematches, is refused to each in their way."""
    game = scene.games[0].game
    for accept in ({}, {"Accept": "text/event-stream"}):
        if accept and operation["operationId"] == "listEvents":
            continue  # it does not end
        spectator = asked(scene, "GET", path, game, {**scene.spectator, **accept})
        for who, sent in scene.looks.items():
            answer = asked(scene, "GET", path, game, {**sent, **accept})
            if spectator.status_code == 401:
                assert answer.status_code in (401, 403, 404), who
                continue
            assert answer.status_code == spectator.status_code, who
            alike = [EACH_TIME.sub("", each.get_data(as_text=True)) for each in (answer, spectator)]
            assert alike[0] == alike[1], who
            assert answer.headers.get("ETag") == spectator.headers.get("ETag")


def test_they_see_the_game_and_no_hand(scene: Scene) -> None:
    """What the comparisons above would be worth nothing without."""
    path = scene.games[0].path
    for who, sent in scene.looks.items():
        turn = scene.cup.api.client.get(f"{path}/turn?include=view", headers=sent).get_json()
        assert (turn["seat"], turn["legal"], turn["submission"]) == (None, None, None), who
        assert turn["view"]["seat"] is None
    own = scene.cup.api.get(f"{path}/view", scene.games[0].token(0))
    seen = scene.cup.api.client.get(f"{path}/view", headers=scene.spectator).get_json()
    assert own != seen


@pytest.mark.parametrize(
    ("verb", "path", "operation"), OPERATIONS, ids=[operation["operationId"] for _, _, operation in OPERATIONS]
)
def test_it_is_no_game_to_others(scene: Scene, verb: str, path: str, operation: dict[str, Any]) -> None:
    for who, sent in scene.strangers.items():
        for body in bodies(operation):
            more: dict[str, Any] = {} if body is None else {"json": body}
            answers = [asked(scene, verb, path, game, sent, **more) for game in (scene.games[0].game, UNKNOWN)]
            assert told(answers[0], scene.games[0].game) == told(answers[1], UNKNOWN), who
            assert answers[0].status_code >= 400


@pytest.mark.parametrize(
    ("verb", "path", "operation"), WRITES, ids=[operation["operationId"] for _, _, operation in WRITES]
)
def test_they_change_nothing(scene: Scene, verb: str, path: str, operation: dict[str, Any]) -> None:
    before = scene.cup.api.get(scene.games[0].path, scene.cup.maker.token)
    for who, sent in scene.looks.items():
        for body in bodies(operation):
            more: dict[str, Any] = {} if body is None else {"json": body}
            answer = asked(scene, verb, path, scene.games[0].game, sent, **more)
            assert answer.status_code in (400, 401, 403, 404, 409, 422), (who, body)
    assert scene.cup.api.get(scene.games[0].path, scene.cup.maker.token) == before


@pytest.mark.parametrize("part", soon(["view", "turn", "turn?include=view", "events?after=0"], "view"))
def test_they_are_told_of_news(api: Api, scene: Scene, part: str) -> None:
    """Both who has the tag and who waits."""
    path, table = f"{scene.games[1].path}/{part}", scene.games[1]
    watcher = scene.games[0].token(0)
    tag = api.call("GET", path, token=watcher, status=200).headers["ETag"]
    api.call("GET", path, token=watcher, status=304, If_None_Match=tag)
    with ThreadPoolExecutor(1) as hands:
        wait = f"{path}{'&' if '?' in path else '?'}wait={LONG}"
        held = Waiting(api, hands, wait, watcher, If_None_Match=tag)
        for seat in table.turn(0)["awaited"]:
            table.submit(seat, status=201)
        assert held.status() == 200


def test_who_waits_by_a_link_that_is_renewed_hears_no_more(api: Api, scene: Scene) -> None:
    table = scene.games[1]
    shown = scene.cup.secret
    tag = api.call("GET", f"{table.path}/view", status=200, Holmgang_Invitation=shown).headers["ETag"]
    with ThreadPoolExecutor(1) as hands:
        sent = {"If_None_Match": tag, "Holmgang_Invitation": shown}
        held = Waiting(api, hands, f"{table.path}/view?wait={LONG}", None, **sent)
        scene.cup.secret = invited(scene.cup)
        for seat in table.turn(0)["awaited"]:
            table.submit(seat, status=201)
        assert held.status() == 404
    api.call("GET", f"{table.path}/view", status=200, Holmgang_Invitation=scene.cup.secret)


def test_without_spectators_they_see_the_summary_alone(api: Api) -> None:
    cup, games = begun(api, spectators=False)
    for sent in ({"token": games[1].token(0)}, {"token": cup.maker.token}):
        assert api.get(games[0].path, sent["token"])["tournament"] == cup.id
        api.problem("GET", f"{games[0].path}/view", 403, "spectators_excluded", **sent)
    api.problem("GET", f"{games[0].path}/view", 401, "unauthenticated", Holmgang_Invitation=cup.secret)
    api.problem("GET", games[0].path, 404, "not_found")


def test_they_have_games_that_are_over_analysed_and_read_their_records(api: Api) -> None:
    _cup, games = begun(api)
    api.call("POST", f"{games[0].path}/resignations", token=games[0].token(0), json={})
    watcher, stranger = games[1].token(0), api.register("stranger").token
    assert api.get(f"{games[0].path}/record", watcher)["game"] == games[0].game
    api.call("PUT", f"{games[0].path}/analysis", token=watcher, json={}, status=202)
    for method, part in (("GET", "record"), ("GET", "analysis"), ("PUT", "analysis")):
        body: dict[str, str] | None = {} if method == "PUT" else None
        api.problem(method, f"{games[0].path}/{part}", 404, "not_found", token=stranger, json=body)
