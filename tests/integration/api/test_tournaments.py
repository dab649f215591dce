"""Tournaments over HTTP: made, entered, followed, checked; and what of private ones nobody else sees."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import httpx
import pytest

from holmgang import Client
from holmgang.api.http import tags
from holmgang.api.operation.declaration import OPERATIONS
from holmgang.cli.standing_report import Found, differences
from holmgang.worker.loop import Worker

from .calling import Api, Person
from .test_route_walk import CALLS

VARIED = {"X-Request-ID", "RateLimit", "Date"}
NEW: dict[str, Any] = {"name": "The cup", "ruleset": "claim", "seats": 2, "turn_seconds": 600}


@dataclass
class Cup:
    """A tournament, its maker and who has entered it."""

    api: Api
    maker: Person
    id: str
    people: list[Person] = field(default_factory=list)
    secret: str = ""
    """Of the invitation to a private one."""
    old: str = ""
    """Of one that is no good any more."""

    @property
    def path(self) -> str:
        return f"/v1/tournaments/{self.id}"

    def get(self, part: str = "", token: str | None = None) -> Any:
        return self.api.get(self.path + part, token or self.maker.token)

    def enter(self, person: Person, status: int = 201, **body: Any) -> Any:
        self.people.append(person)
        path = f"{self.path}/entries"
        return self.api.call("POST", path, token=person.token, json=body, status=status).get_json()

    def start(self) -> None:
        self.api.call("POST", f"{self.path}/start", token=self.maker.token, json={}, status=200)

    def work(self, until: Callable[[], bool]) -> None:
        """What a worker does, until that is so."""
        worker = Worker(self.api.app.extensions["holmgang"].store, random.Random(1))
        for _ in range(500):
            if until():
                return
            worker.work()
        raise AssertionError("it does not come to it")

    def resign_all(self) -> None:
        """Everybody resigns who can: the first of a table loses."""
        for person in self.people:
            for turn in self.api.get("/v1/me/turns", person.token)["items"]:
                path = f"/v1/games/{turn['game']}/resignations"
                self.api.call("POST", path, token=person.token, json={})

    def play(self) -> None:
        self.start()

        def is_over() -> bool:
            self.resign_all()
            return bool(self.get()["status"] == "over")

        self.work(is_over)


def invited(cup: Cup) -> str:
    """A new invitation, in place of the one before."""
    path = f"{cup.path}/invitation"
    answer = cup.api.call("POST", path, token=cup.maker.token, json={}, status=200)
    secret: str = answer.get_json()["secret"]
    return secret


def made(api: Api, people: int = 0, **terms: Any) -> Cup:
    maker = api.register("maker")
    body = {**NEW, **terms}
    found = api.call("POST", "/v1/tournaments", token=maker.token, json=body, status=201)
    cup = Cup(api, maker, found.get_json()["id"])
    assert found.headers["Location"] == cup.path
    with_it: dict[str, Any] = {"invitation": invited(cup)} if terms.get("visibility") == "private" else {}
    for n in range(people):
        cup.enter(api.register(f"player {n}"), **with_it)
    return cup


@pytest.fixture(scope="module")
def over(module_database: str) -> Iterator[Cup]:
    """One of five people that is over: three rounds, with byes."""
    api = Api(module_database)
    cup = made(api, 5, rounds=3, rated=True)
    cup.play()
    yield cup
    api.close()


@pytest.fixture(scope="module")
def private(module_database: str) -> Iterator[Cup]:
    """A private one whose first round is played."""
    api = Api(module_database)
    cup = made(api, 2, visibility="private", spectators=False)
    cup.old, cup.secret = invited(cup), invited(cup)
    cup.start()
    cup.work(lambda: bool(api.get("/v1/me/games", cup.people[0].token)["items"]))
    yield cup
    api.close()


def test_an_answer_is_no_older_than_its_tag(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the tournament changes between the gate and the tag: else who has that tag would never hear of it."""
    cup = made(api, 2)
    tag_of = tags.tag_of_revision

    def late(*given: Any) -> tuple[str, int]:
        monkeypatch.setattr(tags, "tag_of_revision", tag_of)
        cup.start()
        return tag_of(*given)

    monkeypatch.setattr(tags, "tag_of_revision", late)
    answer = api.call("GET", cup.path, status=200)
    assert answer.get_json()["status"] == "active"
    api.call("GET", cup.path, status=304, If_None_Match=answer.headers["ETag"])


def test_it_goes_from_the_first_round_to_the_end(over: Cup) -> None:
    found = over.get()
    assert (found["status"], found["round"], found["entered"]) == ("over", 3, 5)
    assert found["seed"] is not None
    rounds = over.get("/rounds")["items"]
    assert [each["round"] for each in rounds] == [1, 2, 3]
    for each in rounds:
        assert len(each["byes"]) == 1
        assert [sorted(table["points"]) for table in each["tables"]] == [[0.0, 1.0]] * 2
        assert over.get(f"/rounds/{each['round']}") == each
    assert over.get("/rounds?limit=1&cursor=1")["items"] == rounds[1:2]
    entries = over.get("/entries")["items"]
    assert sorted(entry["number"] for entry in entries) == [1, 2, 3, 4, 5]
    assert over.get(f"/entries/{entries[0]['id']}") == entries[0]
    games = over.api.get(f"/v1/games?tournament={over.id}")["items"]
    assert {game["id"] for game in games} == {
        game["game"] for each in rounds for table in each["tables"] for game in table["games"]
    }
    assert all(game["rated"] and game["result"] is not None for game in games)


def test_the_standings_are_the_sum_of_what_was_played(over: Cup) -> None:
    points: dict[str, float] = {}
    for each in over.get("/rounds")["items"]:
        for table in each["tables"]:
            for entry, had in zip(table["players"], table["points"], strict=True):
                points[entry] = points.get(entry, 0) + had
        for entry in each["byes"]:
            points[entry] = points.get(entry, 0) + 1
    told = over.get("/standings")
    assert {line["entry"]: line["points"] for line in told["items"]} == points
    assert told["items"] == sorted(told["items"], key=lambda line: (line["rank"], -line["points"]))
    assert told["tie_breaks"] == over.get()["tie_breaks"]
    cells = over.get("/crosstable")
    assert cells["order"] == [line["entry"] for line in told["items"]]
    won = {entry: sum(cell["won"] for cell in cells["items"] if cell["entry"] == entry) for entry in cells["order"]}
    byes = [entry for each in over.get("/rounds")["items"] for entry in each["byes"]]
    assert won == {entry: had - byes.count(entry) for entry, had in points.items()}


def sheet(cup: Cup, part: str) -> list[list[str]]:
    answer = cup.api.call("GET", cup.path + part, token=cup.maker.token, status=200, Accept="text/csv")
    assert answer.mimetype == "text/csv"
    assert "Accept" in answer.vary
    same = cup.api.call("GET", cup.path + part, token=cup.maker.token, status=200)
    assert same.headers["ETag"] != answer.headers["ETag"]
    known: dict[str, Any] = {"If_None_Match": answer.headers["ETag"]}
    cup.api.call("GET", cup.path + part, token=cup.maker.token, status=304, Accept="text/csv", **known)
    cup.api.call("GET", cup.path + part, token=cup.maker.token, status=200, **known)
    return list(csv.reader(io.StringIO(answer.get_data(as_text=True))))


def test_sheets_say_the_same(over: Cup) -> None:
    told = over.get("/standings")
    head, *lines = sheet(over, "/standings")
    assert head == ["rank", "name", "points", *told["tie_breaks"], "out", "bot", "entry", "player"]
    for line, wanted in zip(lines, told["items"], strict=True):
        assert (line[0], line[1], float(line[2]), line[-2]) == (
            str(wanted["rank"]),
            wanted["name"],
            wanted["points"],
            wanted["entry"],
        )
        assert [None if had == "" else float(had) for had in line[3:-4]] == wanted["tie_breaks"]
    head, *lines = sheet(over, "/crosstable")
    assert head == ["", "name", "1", "2", "3", "4", "5"]
    cells = {(cell["entry"], cell["against"]): cell for cell in over.get("/crosstable")["items"]}
    order = over.get("/crosstable")["order"]
    for n, one in enumerate(order):
        for k, other in enumerate(order):
            cell = cells.get((one, other))
            assert lines[n][2 + k] == ("" if cell is None else f"{cell['won']:g} of {cell['met']}")


def test_a_name_in_a_sheet_is_no_formula(api: Api) -> None:
    cup = made(api)
    cup.enter(api.register("=1+1"))
    assert [line[1] for line in sheet(cup, "/standings")[1:]] == ["'=1+1"]


def test_events_tell_all_of_it(over: Cup) -> None:
    found = over.get("/events?limit=200")
    assert found["next"] is None
    events = found["items"]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    kinds = [event["type"] for event in events]
    assert kinds[:7] == ["created", *["entered"] * 5, "started"]
    assert kinds[-1] == "over"
    assert kinds.count("counted") == 6
    for number in (1, 2, 3):
        at = [kind for event, kind in zip(events, kinds, strict=True) if event["round"] == number]
        assert at == ["paired", "counted", "counted", "round_over"]
    part = over.get("/events?limit=3&after=2")
    assert part["items"] == events[2:5]
    assert part["next"].endswith("after=5&limit=3") or part["next"].endswith("limit=3&after=5")


def test_a_stream_of_events_ends_with_it(over: Cup) -> None:
    answer = over.api.call("GET", f"{over.path}/events", status=200, Accept="text/event-stream")
    told = answer.get_data(as_text=True)
    events = over.get("/events?limit=200")["items"]
    assert told.count('\ndata: {"') == len(events)
    assert told.endswith("event: end\ndata: {}\n\n")
    again: dict[str, Any] = {"Last_Event_ID": str(len(events)), "Accept": "text/event-stream"}
    over.api.call("GET", f"{over.path}/events", status=204, **again)


def test_whoever_waits_is_told_at_once(api: Api) -> None:
    cup = made(api, 1)
    parts = ("", "/entries", "/rounds", "/standings", "/crosstable", f"/entries/{cup.people[0].id}")
    tags = {part: api.call("GET", cup.path + part, status=200).headers["ETag"] for part in parts}
    with ThreadPoolExecutor(len(parts) + 1) as hands:
        waiting = [
            hands.submit(api.app.test_client().get, f"{cup.path}{part}?wait=50", headers={"If-None-Match": tag})
            for part, tag in tags.items()
        ]
        feed = hands.submit(api.app.test_client().get, f"{cup.path}/events?after=2&wait=50")
        wakeups = api.app.extensions["holmgang"].store.wakeups
        while wakeups.waiting() < len(parts) + 1:
            pass
        cup.enter(api.register("late"))
        assert [each.result().status_code for each in waiting] == [200] * len(parts)
        (event,) = feed.result().get_json()["items"]
    assert (event["seq"], event["type"], event["entry"]) == (3, "entered", cup.people[1].id)


def test_what_has_not_changed_is_not_sent_again(over: Cup) -> None:
    for part in ("", "/entries", "/rounds", "/rounds/1", "/standings", "/crosstable", "/events"):
        tag = over.api.call("GET", over.path + part, status=200).headers["ETag"]
        over.api.call("GET", over.path + part, status=304, If_None_Match=tag)


def test_its_pairings_are_made_again_from_what_is_public(over: Cup) -> None:
    transport = httpx.WSGITransport(app=over.api.app)
    with Client("http://localhost", transport=transport) as anybody:
        found = Found.read(anybody, over.id, None)
        assert list(differences(found)) == []
        first = found.rounds[0]
        first["tables"][0]["players"].reverse()
        assert next(differences(found)) == "Round 1 is not paired as it had to be."


def test_bots_of_one_name_are_told_apart_and_rounds_are_read_if_they_are_wanted(over: Cup) -> None:
    transport = httpx.WSGITransport(app=over.api.app)
    with Client("http://localhost", transport=transport) as anybody:
        found = Found.read(anybody, over.id, None, rounds=False)
    assert found.rounds == []
    named = [entry | {"name": "greedy"} for entry in found.entries.values()]
    entries = {entry["id"]: entry for entry in named}
    assert list(replace(found, entries=entries).names.values())[:3] == ["greedy", "greedy 2", "greedy 3"]


def test_bots_fill_it_up_and_play_it_without_anybody(api: Api) -> None:
    cup = made(api, bots=["random", "greedy"], fill_to=4, rounds=2)
    assert cup.enter(cup.maker, bot="random")["bot"] == "random"
    cup.people.clear()
    cup.start()
    cup.work(lambda: bool(cup.get()["status"] == "over"))
    assert sorted(entry["bot"] for entry in cup.get("/entries")["items"]) == ["greedy", "random", "random", "random"]
    assert sum(line["points"] for line in cup.get("/standings")["items"]) == 4.0


def test_who_enters_twice_is_in_once_and_may_leave(api: Api) -> None:
    cup = made(api, 2)
    first = cup.people[0]
    assert cup.enter(first, status=200)["id"] == first.id
    api.call("DELETE", f"{cup.path}/entries/{first.id}", token=first.token, status=204)
    assert [entry["id"] for entry in cup.get("/entries")["items"]] == [cup.people[1].id]
    api.problem("DELETE", f"{cup.path}/entries/{first.id}", 404, "not_found", token=first.token)
    api.problem("DELETE", f"{cup.path}/entries/{cup.people[1].id}", 403, "not_yours", token=first.token)
    api.call("DELETE", f"{cup.path}/entries/{cup.people[1].id}", token=cup.maker.token, status=204)
    assert cup.get()["entered"] == 0


def test_who_left_after_the_start_is_back_by_entering_again(api: Api) -> None:
    cup = made(api, 3)
    cup.start()
    person = cup.people[0]
    path = f"{cup.path}/entries/{person.id}"
    api.call("DELETE", path, token=person.token, status=204)
    assert api.get(path)["out"] == "withdrawn"
    api.problem("DELETE", path, 403, "not_yours", token=cup.maker.token)
    assert cup.enter(person, status=200)["out"] is None
    late: dict[str, Any] = {"token": api.register("late").token, "json": {}}
    api.problem("POST", f"{cup.path}/entries", 409, "tournament_not_open", **late)


def test_only_its_maker_starts_it_and_calls_it_off(api: Api) -> None:
    cup = made(api, 2)
    other = cup.people[0].token
    api.problem("POST", f"{cup.path}/start", 403, "not_yours", token=other, json={})
    api.problem("DELETE", cup.path, 403, "not_yours", token=other)
    api.problem("POST", f"{cup.path}/entries", 403, "not_yours", token=other, json={"bot": "random"})
    api.call("DELETE", cup.path, token=cup.maker.token, status=204)
    found = cup.get()
    assert (found["status"], found["reason"]) == ("cancelled", "by_maker")
    assert [event["type"] for event in cup.get("/events")["items"]][-1] == "cancelled"


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({"turn_seconds": None}, "/turn_seconds"),
        ({"seats": 9}, "/seats"),
        ({"ruleset": "chess"}, "/ruleset"),
        ({"least": 9, "most": 4}, "/least"),
        ({"fill_to": 4}, "/bots"),
        ({"tie_breaks": ["wins", "wins"]}, "/tie_breaks/1"),
        ({"starts_at": "2020-01-01T00:00:00Z"}, "/starts_at"),
    ],
)
def test_plans_that_cannot_be_carried_out_are_refused(api: Api, wrong: dict[str, Any], pointer: str) -> None:
    maker = api.register()
    told = api.problem("POST", "/v1/tournaments", 422, "invalid_field", token=maker.token, json={**NEW, **wrong})
    assert [error["pointer"] for error in told["errors"]] == [pointer]


def test_a_player_makes_only_so_many(module_database: str) -> None:
    api = Api(module_database, tournaments_per_player=1)
    cup = made(api)
    more: dict[str, Any] = {"token": cup.maker.token, "json": NEW}
    assert api.problem("POST", "/v1/tournaments", 409, "limit_reached", **more)["limit"] == 1
    api.call("DELETE", cup.path, token=cup.maker.token, status=204)
    api.call("POST", "/v1/tournaments", status=201, **more)
    api.close()


def test_lists_show_public_ones_by_what_is_asked(over: Cup) -> None:
    api = over.api
    assert over.id in {each["id"] for each in api.get("/v1/tournaments?status=over&ruleset=claim")["items"]}
    assert over.id not in {each["id"] for each in api.get("/v1/tournaments?status=open")["items"]}
    assert over.id not in {each["id"] for each in api.get("/v1/tournaments?ruleset=eketorp")["items"]}
    for person in (over.people[0], over.maker):
        for path, token in ((f"/v1/tournaments?player={person.id}", None), ("/v1/me/tournaments", person.token)):
            assert [each["id"] for each in api.get(path, token)["items"]] == [over.id]


OF_ONE = {name: row for name, row in OPERATIONS.items() if "tournament" in row.things}


def _asked_with(invitation: str) -> tuple[dict[str, Any], ...]:
    """Headers by which reads are answered on other ways."""
    return {}, {"If_None_Match": "*"}, {"Accept": "text/csv"}, {"Holmgang_Invitation": invitation}


@pytest.mark.parametrize("name", sorted(OF_ONE))
def test_a_private_one_is_as_one_that_there_is_not(private: Cup, name: str) -> None:
    """For strangers, with and without a token, with an invitation that was good, and with a token for a seat."""
    api, row = private.api, OF_ONE[name]
    verb, path, operation = CALLS[name]
    body = (
        next(iter(operation["requestBody"]["content"]["application/json"]["examples"].values()))["value"]
        if ("requestBody" in operation)
        else None
    )
    for part in ("entry", "number"):
        path = path.replace("{" + part + "}", private.people[0].id if part == "entry" else "1")
    stranger = api.register("stranger").token
    for token in (None, stranger):
        for more in _asked_with(private.old):
            told = []
            for ident in (private.id, "019a0c58-0000-7d1b-8a6a-0f4be9c3d10b"):
                address = path.replace("{tournament}", ident)
                answer = api.call(verb, address, token=token, json=body, status=None, **more)
                headers = {key: value for key, value in answer.headers if key not in VARIED}
                text = answer.get_data(as_text=True).replace(ident, "")
                told.append((answer.status_code, headers, text.replace(answer.headers["X-Request-ID"], "")))
            assert told[0] == told[1]
            assert told[0][0] == (404 if token or row.method == "GET" else 401)


def test_a_private_one_is_shown_to_who_is_in_it_or_invited(private: Cup) -> None:
    api = private.api
    for token in (private.maker.token, private.people[0].token):
        for part in ("", "/entries", "/rounds", "/rounds/1", "/standings", "/crosstable", "/events"):
            assert api.get(private.path + part, token)
        assert [each["id"] for each in api.get("/v1/me/tournaments", token)["items"]] == [private.id]
    for part in ("", "/standings"):
        api.call("GET", private.path + part, status=200, Holmgang_Invitation=private.secret)
    stranger = api.register("stranger").token
    path = f"{private.path}/entries"
    api.problem("POST", path, 404, "not_found", token=stranger, json={"invitation": private.old})
    late = {"token": stranger, "json": {"invitation": private.secret}}
    api.problem("POST", path, 409, "tournament_not_open", **late)
    own = api.call("GET", private.path, token=private.people[0].token, status=200)
    assert own.headers["Cache-Control"] == "private, no-cache"


def test_a_private_one_is_in_nobodys_lists_and_its_games_are_private(private: Cup) -> None:
    api, person = private.api, private.people[0]
    found = [f"/v1/tournaments?limit=200&{query}" for query in ("", f"player={person.id}", "status=active")]
    for token in (None, person.token, api.register("stranger").token):
        for path in found:
            assert private.id not in str(api.get(path.replace("&player", "&player"), token))
    (table,) = api.get(f"{private.path}/rounds/1", person.token)["tables"]
    game = table["games"][0]["game"]
    api.problem("GET", f"/v1/games/{game}", 404, "not_found")
    assert api.get(f"/v1/games?tournament={private.id}", person.token)["items"] == []
    assert api.get(f"/v1/games/{game}", person.token)["visibility"] == "private"


def test_a_token_for_a_seat_knows_no_private_one(private: Cup) -> None:
    api, person = private.api, private.people[0]
    game = api.get("/v1/me/games", person.token)["items"][0]["id"]
    body = {"label": "seat", "scopes": ["read", "play"], "game": game}
    token = api.call("POST", "/v1/me/tokens", token=person.token, json=body, status=201).get_json()["token"]
    api.problem("GET", private.path, 404, "not_found", token=token)


def test_who_waits_for_a_private_one_and_is_out_of_it_hears_no_more(api: Api) -> None:
    cup = made(api, 1, visibility="private")
    secret = invited(cup)
    person = api.register("late")
    cup.enter(person, invitation=secret)
    tag = api.call("GET", cup.path, token=person.token, status=200).headers["ETag"]
    with ThreadPoolExecutor(1) as hands:
        headers = {"If-None-Match": tag, "Authorization": f"Bearer {person.token}"}
        waiting = hands.submit(api.app.test_client().get, f"{cup.path}?wait=50", headers=headers)
        wakeups = api.app.extensions["holmgang"].store.wakeups
        while not wakeups.waiting():
            pass
        api.call("DELETE", f"{cup.path}/entries/{person.id}", token=cup.maker.token, status=204)
        assert waiting.result().status_code == 404


@pytest.mark.parametrize(("kind", "more"), [("arena", {"seconds": 60}), ("ladder", {})])
def test_an_arena_and_a_ladder_stand_by_their_own(api: Api, kind: str, more: dict[str, Any]) -> None:
    cup = made(api, 2, kind=kind, **more)
    cup.start()

    def is_counted() -> bool:
        cup.resign_all()
        return bool(cup.get("/crosstable")["items"])

    cup.work(is_counted)
    told = cup.get("/standings")
    assert sorted(told["tie_breaks"]) == ["games", "wins"]
    wins = [line["tie_breaks"][told["tie_breaks"].index("wins")] for line in told["items"]]
    assert wins == sorted(wins, reverse=True) != [0.0, 0.0]
    assert told["items"][0]["points"] > told["items"][1]["points"]
    cup.enter(api.register("late"))
    with Client("http://localhost", transport=httpx.WSGITransport(app=api.app)) as anybody:
        assert list(differences(Found.read(anybody, cup.id, None))) == []
