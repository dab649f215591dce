"""The feed as a stream: who gets it by their Accept, and where it ends for an EventSource."""

from __future__ import annotations

from typing import Any

import pytest

from .calling import Api
from .test_archive import put_away
from .test_waiting import told


@pytest.mark.parametrize("ended", ["over", "archived"])
def test_a_stream_that_is_at_its_end_stays_there(api: Api, ended: str) -> None:
    """An EventSource connects anew whenever a stream ends, unless it is told 204."""
    table = api.table(ruleset="claim", seats=2)
    if ended == "over":
        api.call("POST", f"{table.path}/resignations", token=table.token(0), json={}, status=201)
    else:
        put_away(table)
    assert api.get(table.path)["status"] == ended
    stream: dict[str, Any] = {"Accept": "text/event-stream"}
    last = api.get(f"{table.path}/events?limit=200")["items"][-1]["seq"]
    for known in (last, last + 1, 10**18 - 1):
        for method in ("GET", "HEAD"):
            answer = api.call(method, f"{table.path}/events", status=204, Last_Event_ID=str(known), **stream)
            assert answer.get_data() == b""
    (*_, event), end = told(
        api.call("GET", f"{table.path}/events", status=200, Last_Event_ID=str(last - 1), **stream).get_data(
            as_text=True
        )
    )
    assert event is not None
    assert end[1] == "end"
    # Who began at the end, without an id, gets one to come back with.
    (end,) = told(api.call("GET", f"{table.path}/events?after={last}", status=200, **stream).get_data(as_text=True))
    assert end == (str(last), "end", {})
    assert api.call("GET", f"{table.path}/events", status=200, Last_Event_ID=str(last)).is_json


def test_a_stream_of_a_game_under_way_waits_after_its_last_event(api: Api) -> None:
    table = api.table()
    last = api.get(f"{table.path}/events?limit=200")["items"][-1]["seq"]
    headers = {"Accept": "text/event-stream", "Last-Event-ID": str(last)}
    with api.app.test_client().get(f"{table.path}/events", headers=headers) as answer:
        assert answer.status_code == 200
        assert next(iter(answer.response)) == b"retry: 2000\n\n"


@pytest.mark.parametrize(
    ("accept", "streamed"),
    [
        ("text/event-stream", True),
        ("Text/Event-Stream", True),
        ("text/event-stream; charset=utf-8", True),
        ("application/json;q=0.5, text/event-stream", True),
        ("application/json, text/event-stream;q=0", False),
        ("application/json, text/event-stream;q=0.9", False),
        ("*/*", False),
        ("text/html, */*;q=0.1", False),
        ("text/event-streams", False),
    ],
)
def test_the_feed_comes_as_it_is_asked_for(api: Api, accept: str, streamed: bool) -> None:
    table = api.table()
    path = f"{table.path}/events"
    with api.app.test_client().get(path, headers={"Accept": accept}) as answer:
        assert answer.mimetype == ("text/event-stream" if streamed else "application/json")
        assert "Accept" in answer.vary
    if not streamed:
        same = api.call("GET", path, status=304, Accept=accept, If_None_Match=answer.headers["ETag"])
        assert "Accept" in same.vary
        waited = api.call("GET", f"{path}?wait=1", status=304, Accept=accept, If_None_Match=answer.headers["ETag"])
        assert "Accept" in waited.vary
