"""Analyses over HTTP: who may ask and read, what is said of a game, and what is done with claims of workers."""

from __future__ import annotations

import threading
from resource import RLIMIT_CPU, getrlimit
from typing import Any
from uuid import UUID

import pytest
from msgspec.structs import replace

from holmgang.app.reading import analyses
from holmgang.store.database import PostgresStore
from holmgang.worker.analysing import ATTEMPTS, Analysing
from holmgang.worker.judging import judged

from .calling import Api, Table, legal_action

OTHER = '{"turn":7,"kind":"move","actions":[[0,{}]]}'
"""A row of a log that the rules cannot play."""


def store(api: Api) -> PostgresStore:
    found: PostgresStore = api.app.extensions["holmgang"].store
    return found


def path(table: Table) -> str:
    return f"{table.path}/analysis"


def ask(api: Api, table: Table, seat: int = 0, status: int = 202) -> Any:
    return api.call("PUT", path(table), token=table.token(seat), json={}, status=status).get_json()


def choose(api: Api, table: Table) -> Any:
    """Whoever is asked makes a choice; the turn, as they were told of it."""
    seat = table.turn(0)["awaited"][0]
    turn = table.turn(seat)
    body = {"turn": turn["turn"], "action": legal_action(turn)}
    api.call("POST", f"{table.path}/submissions", token=table.token(seat), json=body, status=201)
    return turn


def over(api: Api, choices: int = 3, **terms: Any) -> Table:
    """A game of two that ended early: after so many choices somebody resigned."""
    table = api.table(2, **{"ruleset": "claim", **terms})
    for _ in range(choices):
        choose(api, table)
    api.call("POST", f"{table.path}/resignations", token=table.token(1), json={}, status=201)
    return table


def work(api: Api) -> Analysing:
    """Make all analyses that are asked for."""
    analysing = Analysing(store(api), threading.Event())
    while analysing():
        pass
    return analysing


def claimed(api: Api, seconds: float = 60.0) -> Any:
    with store(api).reading() as tables:
        return tables.claim_analysis(seconds)


def test_a_game_is_judged_and_that_is_kept(api: Api) -> None:
    table = over(api)
    api.problem("GET", path(table), 404, "not_found", token=table.token(0))
    asked = ask(api, table)
    assert (asked["status"], asked["judged"], asked["total"], asked["positions"]) == ("waiting", 0, None, [])
    assert ask(api, table, 1) == asked == api.get(path(table), table.token(1))
    tag = api.call("GET", path(table), status=200).headers["ETag"]
    work(api)
    found = api.call("GET", path(table), status=200, If_None_Match=tag).get_json()
    assert ask(api, table, status=200) == found
    assert (found["status"], found["judged"], found["total"], found["bot"]) == ("done", 3, 3, "search")
    record = api.get(f"{table.path}/record")
    rows = {row["seq"]: row["entry"] for row in record["log"]}
    for choice in found["choices"]:
        entry = rows[choice["seq"]]
        assert [choice["seat"], choice["action"]] in entry["actions"]
        assert (choice["turn"], choice["kind"]) == (entry["turn"], entry["kind"])
        assert 0 <= choice["value"] <= 1
        assert choice["agrees"] == (choice["action"] == choice["preferred"])
        if choice["agrees"]:
            assert choice["value"] == choice["preferred_value"]
    assert [choice["seq"] for choice in found["choices"]] == [1, 2, 3]
    assert [position["seq"] for position in found["positions"]] == [0, 1, 2, max(rows)]
    assert all(sum(position["values"]) == pytest.approx(1, abs=0.001) for position in found["positions"])
    assert found["positions"][-1]["values"] == [1.0, 0.0]
    chooser, first = found["choices"][0]["seat"], found["positions"][0]
    assert first["values"][chooser] == found["choices"][0]["preferred_value"]


def test_choices_say_what_their_turns_were_about(api: Api) -> None:
    table = api.table(2, ruleset="drakkars")
    told = [choose(api, table)["context"] for _ in range(2)]
    api.call("POST", f"{table.path}/resignations", token=table.token(1), json={}, status=201)
    ask(api, table)
    work(api)
    assert [choice["context"] for choice in api.get(path(table))["choices"]] == told
    assert all(told)


def test_a_game_without_a_choice_has_its_result(api: Api) -> None:
    table = over(api, 0)
    ask(api, table)
    work(api)
    found = api.get(path(table))
    assert (found["status"], found["judged"], found["total"], found["choices"]) == ("done", 0, 0, [])
    assert [position["values"] for position in found["positions"]] == [[1.0, 0.0]]


def test_only_a_game_that_is_over_is_analysed(api: Api) -> None:
    table = api.table(2, ruleset="claim")
    api.problem("PUT", path(table), 409, "game_not_over", token=table.token(0), json={})
    api.problem("GET", path(table), 404, "not_found", token=table.token(0))


def test_who_may_not_see_the_game_may_not_see_what_is_thought_of_it(api: Api) -> None:
    stranger = api.register()
    private, closed, practice = (
        over(api, 0, **terms) for terms in ({"visibility": "private"}, {"spectators": False}, {"practice": True})
    )
    for table in (private, closed, practice):
        ask(api, table)
    for method, body in (("GET", None), ("PUT", {})):
        for known in ({}, {"If_None_Match": "*"}):
            api.problem(method, path(private), 404, "not_found", token=stranger.token, json=body, **known)
            told = "spectators_excluded"
            api.problem(method, path(closed), 403, told, token=stranger.token, json=body, **known)
        api.call(method, path(practice), token=stranger.token, json=body)
    api.problem("GET", path(closed), 401, "unauthenticated")
    invitation = api.invite(private)["secret"]
    api.call("GET", path(private), token=stranger.token, status=200, Holmgang_Invitation=invitation)
    api.call("PUT", path(private), token=stranger.token, json={}, status=202, Holmgang_Invitation=invitation)
    work(api)


def test_so_many_may_wait_for_one_player(module_database: str) -> None:
    api = Api(module_database, analyses_per_player=1)
    first, second = over(api, 0), over(api, 0)
    me = first.token(0)
    ask(api, first)
    told = api.problem("PUT", path(second), 409, "limit_reached", token=me, json={})
    assert (told["what"], told["limit"]) == ("analyses", 1)
    ask(api, first)
    ask(api, second)
    work(api)
    ask(api, second, status=200)
    third = over(api, 0)
    api.call("PUT", path(third), token=me, json={}, status=202)
    work(api)
    api.close()


def test_equal_games_are_judged_alike_wherever_it_was_broken_off(api: Api) -> None:
    """The plan of a game, judged in one go, and from each position on."""
    table = over(api, 2, practice=True, seed="11" * 32)
    ask(api, table)
    claim = claimed(api)
    with store(api).reading() as tables:
        plan = analyses.plan(tables, claim)
        assert plan is not None
    may_take = getrlimit(RLIMIT_CPU)
    whole = [(each.seq, bytes(each.step)) for each in judged(plan)]
    assert getrlimit(RLIMIT_CPU) == may_take, "that is for the process alone that does nothing else"
    assert len(whole) == 3
    for n, (seq, _) in enumerate(whole[:-1]):
        assert [(each.seq, bytes(each.step)) for each in judged(replace(plan, after=seq))] == whole[n + 1 :]
    with store(api).transaction() as tables:
        analyses.release(tables, claim, tried=False)
    work(api)
    found = api.get(path(table))
    assert [position["seq"] for position in found["positions"]] == [seq for seq, _ in whole]


def test_two_workers_never_have_the_same(api: Api) -> None:
    table = over(api, 0)
    ask(api, table)
    mine = claimed(api)
    assert mine.game == UUID(table.game)
    assert claimed(api) is None
    with store(api).reading() as tables:
        assert tables.keep_analysis(mine, 0.0), "its worker may die now"
    theirs = claimed(api)
    assert (theirs.game, theirs.attempts) == (mine.game, 2)
    with store(api).transaction() as tables:
        assert analyses.note(tables, mine, 0, 0, ["{}"], 60.0, done=True) is None
        assert not tables.keep_analysis(mine, 60.0)
        analyses.fail(tables, mine)
    assert api.get(path(table))["status"] == "running"
    with store(api).transaction() as tables:
        analyses.release(tables, theirs, tried=False)
    work(api)
    assert api.get(path(table))["status"] == "done"


def test_what_cannot_be_judged_fails_and_may_be_asked_for_again(api: Api) -> None:
    table = over(api, 1)
    ask(api, table)
    with store(api).pool.connection() as rows:
        before = rows.execute("SELECT entry FROM log WHERE game_id = %s AND seq = 1", [table.game]).fetchone()
        rows.execute("UPDATE log SET entry = %s WHERE game_id = %s AND seq = 1", [OTHER, table.game])
    claims = Analysing(store(api), threading.Event())
    assert [claims() for _ in range(ATTEMPTS + 1)] == [True] * ATTEMPTS + [False]
    found = api.get(path(table))
    assert (found["status"], found["judged"], found["finished_at"]) == ("failed", 0, None)
    with store(api).pool.connection() as rows:
        assert before is not None
        rows.execute("UPDATE log SET entry = %s WHERE game_id = %s AND seq = 1", [before[0], table.game])
    assert ask(api, table)["status"] == "waiting"
    work(api)
    assert api.get(path(table))["status"] == "done"


def test_a_worker_that_stops_lets_others_go_on_at_once(api: Api) -> None:
    table = over(api, 2)
    ask(api, table)
    stopping = threading.Event()
    stopping.set()
    assert Analysing(store(api), stopping)()
    assert api.get(path(table))["status"] == "waiting"
    work(api)
    assert api.get(path(table))["status"] == "done"


def test_it_is_deleted_with_its_game(api: Api) -> None:
    """A game in which nobody chose anything goes after some days, and nothing that was asked of it stays."""
    table, played = over(api, 0), over(api, 1)
    for one in (table, played):
        ask(api, one)
    work(api)
    with store(api).pool.connection() as rows:
        rows.execute("UPDATE games SET empty_since = '2020-01-01' WHERE empty_since IS NOT NULL")
    with store(api).transaction() as tables:
        assert tables.forget_empty_games(7, 1000) > 0
    api.problem("GET", table.path, 404, "not_found", token=table.token(0))
    with store(api).reading() as tables:
        assert tables.analysis(UUID(table.game)) is None
        assert tables.analysis(UUID(played.game)) is not None
