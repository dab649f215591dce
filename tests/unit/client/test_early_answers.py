"""Answers that should have been waited for and come at once: clients pause instead of asking in a circle."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from .test_retries import Server, both, ok

TURN = {"turn": 3, "yours": False, "server_time": "2026-11-28T12:00:00Z", "next_poll_ms": 2000}


def later(seconds: int, **more: Any) -> httpx.Response:
    """The same turn, asked for some seconds later: with another tag, as a proxy makes them that nobody knows."""
    return ok({**TURN, "server_time": f"2026-11-28T12:00:0{seconds}Z", **more}, ETag=f'"{seconds}"')


def same(server: Server, asynchronous: bool, times: int, **more: Any) -> list[Any]:
    """So many calls of one client, one after another."""
    return server.do_all(asynchronous, times, "turn", "g", **more)


@both
@pytest.mark.parametrize("tag", [{"ETag": '"changed"'}, {}], ids=["another tag", "no tag"])
def test_what_is_known_already_is_paused_for_as_long_as_the_service_says(
    asynchronous: bool, tag: dict[str, str]
) -> None:
    server = Server([ok(TURN, ETag='"1"'), ok({**TURN, "server_time": "2026-11-28T12:00:09Z"}, **tag)])
    told = same(server, asynchronous, 4, wait=25)
    assert [body["turn"] for body in told] == [3] * 4
    assert server.pauses == [2.0, 2.0, 2.0]


@both
def test_no_room_to_wait_is_paused_for_too(asynchronous: bool) -> None:
    server = Server([ok(TURN, ETag='"1"'), httpx.Response(304)])
    same(server, asynchronous, 3, wait=25)
    assert server.pauses == [2.0, 2.0]


@both
def test_nobody_pauses_beyond_the_time_that_they_would_have_waited(asynchronous: bool) -> None:
    server = Server([ok(TURN, ETag='"1"'), later(1)], takes=4.5)
    same(server, asynchronous, 2, wait=5)
    assert server.pauses == [0.5]
    waited = Server([ok(TURN, ETag='"1"'), later(1)], takes=5.0)
    same(waited, asynchronous, 2, wait=5)
    assert waited.pauses == []


@both
def test_news_are_told_at_once(asynchronous: bool) -> None:
    server = Server([later(n, turn=n) for n in range(5)])
    assert [body["turn"] for body in same(server, asynchronous, 5, wait=25)] == list(range(5))
    assert server.pauses == []


@both
def test_a_new_version_is_news_though_all_else_is_as_before(asynchronous: bool) -> None:
    server = Server([later(n, version=n) for n in range(5)])
    same(server, asynchronous, 5, wait=25)
    assert server.pauses == []


@both
def test_who_does_not_wait_is_not_made_to(asynchronous: bool) -> None:
    server = Server([ok(TURN, ETag='"1"'), httpx.Response(304)])
    same(server, asynchronous, 3)
    assert server.pauses == []


@both
def test_an_empty_list_that_was_waited_for_and_came_at_once_is_paused_for(asynchronous: bool) -> None:
    server = Server([ok({"items": []})])
    server.do_all(asynchronous, 2, "waiting_turns", wait=25)
    assert server.pauses == [1.0, 1.0]
    full = Server([ok({"items": [{"game": str(n)}]}) for n in range(2)])
    full.do_all(asynchronous, 2, "waiting_turns", wait=25)
    assert full.pauses == []
