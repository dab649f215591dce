"""Flows by hand, without a connection, and what the clients do with a connection that is left early."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest

from holmgang import AsyncClient, Client, Patience
from holmgang.client._accounts import Accounts
from holmgang.client._flow import Pause, Send

TOLD = b'data: {"seq": 1}\n\ndata: {"seq": 2}\n\n'


def test_a_flow_says_what_to_do_and_is_sent_what_came() -> None:
    patience = Patience(first=1.0, clock=lambda: 0.0, draw=lambda _low, high: high)
    flow = Accounts.me(Accounts("http://x", "t", 30.0, patience, None))
    asked = next(flow)
    assert isinstance(asked, Send)
    assert asked[:2] == ("GET", "http://x/v1/me")
    assert flow.send(httpx.ReadError("lost")) == Pause(1.0)
    assert flow.send(None) == asked
    with pytest.raises(StopIteration) as end:
        flow.send(httpx.Response(200, json={"token": {}}))
    assert end.value.value == {"token": {}}


class Endless(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body whose end nobody waits for."""

    closed = False

    def __iter__(self) -> Iterator[bytes]:
        yield TOLD
        raise AssertionError("nobody asked for more")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for part in self:
            yield part

    def close(self) -> None:
        self.closed = True

    async def aclose(self) -> None:
        self.close()


class InPieces(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that comes byte by byte."""

    def __init__(self, text: str) -> None:
        self.parts = [bytes([byte]) for byte in text.encode()]

    def __iter__(self) -> Iterator[bytes]:
        yield from self.parts

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for part in self.parts:
            yield part


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_text_with_ends_of_lines_of_its_own_is_one_line(end: str) -> None:
    """JSON needs no escape for these, and Python splits lines at each."""
    text = "\u2028\u2029\x85ß"
    told = f'data: {{"seq": 1, "said": "{text}"}}\n\nevent: end\ndata: {{}}\n\n'.replace("\n", end)
    transport = httpx.MockTransport(lambda _: httpx.Response(200, stream=InPieces(told)))
    with Client("http://x", transport=transport) as client:
        assert list(client.events("g", follow=True)) == [{"seq": 1, "said": text}]

    async def hear() -> list[Any]:
        async with AsyncClient("http://x", transport=transport) as other:
            return [event async for event in other.events("g", follow=True)]

    assert asyncio.run(hear()) == [{"seq": 1, "said": text}]


def test_a_stream_that_is_left_closes_its_connection() -> None:
    body = Endless()
    transport = httpx.MockTransport(lambda _: httpx.Response(200, stream=body))
    with Client("http://x", transport=transport) as client:
        events = client.stream("g")
        assert [next(events)["seq"], next(events)["seq"]] == [1, 2]
        assert not body.closed
        events.close()  # type: ignore[attr-defined] # what the end of a loop's generator does
        assert body.closed


def test_so_does_one_that_is_awaited() -> None:
    body = Endless()
    transport = httpx.MockTransport(lambda _: httpx.Response(200, stream=body))

    async def leave() -> None:
        async with AsyncClient("http://x", transport=transport) as client:
            events = client.stream("g")
            assert (await anext(events))["seq"] == 1
            assert not body.closed
            await events.aclose()  # type: ignore[attr-defined]
            assert body.closed

    asyncio.run(leave())


def _records(*games: str) -> str:
    return "".join(f'{{"game": "{game}", "ruleset": "\u2028"}}\n' for game in games)


class Broken(InPieces):
    """A body that breaks off."""

    def __iter__(self) -> Iterator[bytes]:
        yield from self.parts
        raise httpx.RemoteProtocolError("peer closed connection")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for part in self:
            yield part


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
def test_an_export_goes_on_after_what_it_has_got(asynchronous: bool) -> None:
    asked: list[dict[str, str]] = []
    bodies = [
        Broken(_records("a", "b") + '{"game": "c'),
        InPieces('{"game": "c'),  # an end in the middle of a line is none
        InPieces(_records("c", "d")),
    ]

    def answer(request: httpx.Request) -> httpx.Response:
        assert request.headers["Accept"] == "application/x-ndjson"
        asked.append(dict(request.url.params))
        return httpx.Response(200, stream=bodies[len(asked) - 1])

    transport, patience = httpx.MockTransport(answer), Patience(draw=lambda _low, _high: 0.0)
    if asynchronous:

        async def read() -> list[str]:
            async with AsyncClient("http://x", "t", transport=transport, patience=patience) as client:
                return [record["game"] async for record in client.export_games(since="2026-01-01T00:00:00Z")]

        found = asyncio.run(read())
    else:
        with Client("http://x", "t", transport=transport, patience=patience) as client:
            found = [record["game"] for record in client.export_games(since="2026-01-01T00:00:00Z")]
    assert found == ["a", "b", "c", "d"]
    assert [one.get("cursor") for one in asked] == [None, "b", "b"]
    assert {one["since"] for one in asked} == {"2026-01-01T00:00:00Z"}
