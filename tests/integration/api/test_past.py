"""Games as they were: finished ones after any row of the log, as any seat saw it; others after a turn, as oneself."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
import pytest

from holmgang import registry
from holmgang.engine.replay import Entry, replay

from .calling import Api, Table


@pytest.fixture(scope="module", params=registry.names())
def over(api: Api, request: pytest.FixtureRequest) -> Table:
    table = api.table(3, ruleset=request.param)
    table.play()
    return table


def record(api: Api, table: Table) -> Any:
    return api.get(f"{table.path}/record", table.token(0))


def plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def test_every_row_shows_what_each_seat_saw(api: Api, over: Table) -> None:
    told = record(api, over)
    rules = registry.latest(told["ruleset"])
    entries = [msgspec.convert(row["entry"], Entry) for row in told["log"]]
    states = [played.step.state for _, played in replay(rules, rules.configure(3, told["options"]), entries)]
    rows = sorted({0, 1, 2, len(states) // 3, len(states) // 2, len(states) - 2, len(states) - 1})
    for at in rows:
        for seat in range(3):
            seen = plain(rules.view(states[at], seat))
            assert api.get(f"{over.path}/view?at={at}", over.token(seat)) == seen
            assert api.get(f"{over.path}/view?at={at}&as_seat={seat}") == seen
        assert api.get(f"{over.path}/view?at={at}") == plain(rules.view(states[at], None))
        picture = api.call("GET", f"{over.path}/board.svg?at={at}&as_seat=1&theme=dark", status=200)
        assert picture.get_data(as_text=True) == rules.picture(rules.view(states[at], 1), "dark")
    assert api.get(f"{over.path}/view?at={len(states) - 1}", over.token(1)) == api.get(
        f"{over.path}/view", over.token(1)
    )


@pytest.mark.parametrize("form", ["view", "board.svg"])
def test_there_are_no_rows_beyond_the_log_and_no_such_seats(api: Api, over: Table, form: str) -> None:
    rows = len(record(api, over)["log"])
    api.call("GET", f"{over.path}/{form}?at={rows - 1}", status=200)
    problem = api.problem("GET", f"{over.path}/{form}?at={rows}", 404, "not_found")
    assert problem["what"] == "row"
    api.problem("GET", f"{over.path}/{form}?at=0&as_seat=3", 404, "not_found")
    for wrong in ("-1", "x", "1.5", ""):
        api.call("GET", f"{over.path}/{form}?at={wrong}", status=422)


@pytest.mark.parametrize("form", ["view", "board.svg"])
def test_a_game_that_is_not_over_shows_no_row(api: Api, form: str) -> None:
    waiting = api.table(3, taken=2)
    api.problem("GET", f"{waiting.path}/{form}?at=0", 409, "game_not_over")
    table = api.table(3)
    table.play(2)
    for token in (None, table.token(0)):
        for query in ("at=0", "at=1", "at=9999", "at=0&as_seat=0", "at=0&as_seat=99", "at=0&wait=30"):
            if form == "view" or "wait" not in query:
                api.problem("GET", f"{table.path}/{form}?{query}", 409, "game_not_over", token=token, If_None_Match="*")


class Seen(NamedTuple):
    """What everybody saw when a turn had just ended: each seat, and a spectator."""

    turn: int
    pictures: tuple[str, ...]
    views: tuple[Any, ...]


def drawn(api: Api, table: Table, token: str | None, query: str = "") -> str:
    return api.call("GET", f"{table.path}/board.svg{query}", token=token, status=200).get_data(as_text=True)


@pytest.mark.parametrize("ruleset", registry.names())
def test_a_running_game_shows_the_boards_that_one_has_seen_and_nothing_more(api: Api, ruleset: str) -> None:
    """Played at random, with sealed choices and a resignation: what is drawn of the past is, byte for byte, what the
    same seat was shown then, whatever has been chosen since."""
    table = api.table(3, ruleset=ruleset)
    tokens = [*map(table.token, range(3)), None]
    kept: list[Seen] = []

    def views(tokens: list[str | None]) -> tuple[Any, ...]:
        return tuple(api.get(f"{table.path}/view", token) for token in tokens)

    def looks_back(now: int) -> None:
        for one in (*kept[:: max(1, len(kept) // 4)], kept[-1]):
            for token, picture, view in zip(tokens, one.pictures, one.views, strict=True):
                assert drawn(api, table, token, f"?after_turn={one.turn}") == picture
                assert api.get(f"{table.path}/view?after_turn={one.turn}&wait=30", token) == view  # and does not wait
        for token in tokens:
            problem = api.problem(
                "GET", f"{table.path}/board.svg?after_turn={now}", 404, "not_found", token=token, If_None_Match="*"
            )
            assert problem["what"] == "turn"
            api.problem("GET", f"{table.path}/view?after_turn={now}", 404, "not_found", token=token)

    for n in range(14):
        now = table.turn(0)["turn"]
        kept.append(Seen(now - 1, tuple(drawn(api, table, token) for token in tokens), views(tokens)))
        if n == 9:  # once it is noted how the last turn ended, of which this is no part
            api.call("POST", f"{table.path}/resignations", token=tokens[2], json={}, status=201)
        for seat in api.get(table.path, tokens[0])["awaited"]:
            table.submit(seat, status=201)
            if table.turn(0)["turn"] == now:
                looks_back(now)  # with a choice sealed, and others outstanding
    assert kept[0].turn == 0
    assert len({one.turn for one in kept}) > 8
    looks_back(table.turn(0)["turn"])


def test_the_past_by_turns_has_tags_of_its_own_and_knows_who_looks(api: Api) -> None:
    waiting = api.table(3, taken=2)
    api.problem("GET", f"{waiting.path}/board.svg?after_turn=0", 409, "game_not_active", If_None_Match="*")
    table = api.table(3, spectators=False, practice=True)
    table.play(2)
    path, own = f"{table.path}/board.svg", table.token(0)
    api.problem("GET", f"{path}?after_turn=0", 401, "unauthenticated")
    api.problem("GET", f"{path}?after_turn=0&as_seat=1", 403, "not_yours", token=table.token(2))
    assert drawn(api, table, own, "?after_turn=1&as_seat=1") == drawn(api, table, table.token(1), "?after_turn=1")
    assert drawn(api, table, own, "?after_turn=1") != drawn(api, table, table.token(1), "?after_turn=1")
    tags = {}
    for query in ("", "?after_turn=0", "?after_turn=1"):
        tags[query] = api.call("GET", f"{path}{query}", token=own, status=200).headers["ETag"]
        api.call("GET", f"{path}{query}", token=own, status=304, If_None_Match=tags[query])
    assert len(set(tags.values())) == 3
    for wrong in ("-1", "x", ""):
        api.call("GET", f"{path}?after_turn={wrong}", token=own, status=422)
    table.play()
    end = table.turn(0)["turn"]
    assert drawn(api, table, own, f"?after_turn={end}") == drawn(api, table, own)
    assert drawn(api, table, own, "?at=0&after_turn=2") == drawn(api, table, own, "?at=0")
    api.problem("GET", f"{path}?after_turn={end + 1}", 404, "not_found", token=own)


@pytest.mark.parametrize("form", ["view", "board.svg"])
def test_each_row_and_seat_has_its_own_tag(api: Api, over: Table, form: str) -> None:
    tags = set()
    for query in ("", "?at=0", "?at=1", "?at=1&as_seat=0", "?at=1&as_seat=1"):
        answer = api.call("GET", f"{over.path}/{form}{query}", status=200)
        assert answer.headers["Cache-Control"] == "private, no-cache"
        tags.add(answer.headers["ETag"])
        same = api.call("GET", f"{over.path}/{form}{query}", status=304, If_None_Match=answer.headers["ETag"])
        assert same.get_data() == b""
    assert len(tags) == 5


def test_who_may_not_see_the_game_sees_no_past(api: Api) -> None:
    table = api.table(2, ruleset="claim", visibility="private")
    table.play()
    stranger = api.register()
    api.problem("GET", f"{table.path}/view?at=0", 404, "not_found", token=stranger.token)
    assert api.get(f"{table.path}/view?at=0", table.token(1))["turn"] >= 0
    closed = api.table(2, ruleset="claim", spectators=False)
    closed.play()
    api.problem("GET", f"{closed.path}/view?at=0&as_seat=0", 403, "spectators_excluded", token=stranger.token)
    api.problem("GET", f"{closed.path}/board.svg?at=0", 401, "unauthenticated")
