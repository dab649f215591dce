"""How a bot's `choose` is called: with the turn if it takes it, and once at a time for each game."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial, wraps
from math import inf
from typing import Any

import pytest

from holmgang import Bot, TurnContext
from holmgang.client._several import several
from holmgang.client._thinking import MOST_THREADS, Thinking
from holmgang.client._turn import way_to_ask

NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)
LEGAL: Any = {"count": 1, "actions": [{"type": "any"}]}


def turn(game: str = "", deadline: datetime | None = None, clock: Callable[[], float] = lambda: 0.0) -> TurnContext:
    return TurnContext("claim", game, 0, 7, "main", deadline, NOON, 100.0, clock)


def unwrapped(choose: Any) -> Any:
    def around(*args: Any, **kwargs: Any) -> Any:
        return choose(*args, **kwargs)

    return around


def wrapped(choose: Any) -> Any:
    return wraps(choose)(unwrapped(choose))


class Old:
    def choose(self, view: Any, legal: Any) -> Any:
        return view, legal

    def __call__(self, view: Any, legal: Any) -> Any:
        return view, legal


class New:
    def choose(self, view: Any, legal: Any, turn: Any) -> Any:
        return view, legal, turn

    @staticmethod
    def by_name(view: Any, legal: Any, *, turn: Any) -> Any:
        return view, legal, turn

    def __call__(self, view: Any, legal: Any, when: Any) -> Any:
        return view, legal, when


def own_default(view: Any, legal: Any, depth: int = 3) -> Any:
    return view, legal, depth


def own_default_and_turn(view: Any, legal: Any, depth: int = 3, turn: Any = None) -> Any:
    return view, legal, depth, turn


def optional(view: Any, legal: Any, turn: Any = None) -> Any:
    return view, legal, turn


def many(*all_of_it: Any, **_: Any) -> Any:
    return all_of_it


def many_after(view: Any, legal: Any, *turn: Any) -> Any:
    return view, legal, *turn


@pytest.mark.parametrize(
    ("choose", "given"),
    [
        (Old().choose, (1, 2)),
        (Old(), (1, 2)),
        (wrapped(Old().choose), (1, 2)),
        (unwrapped(Old().choose), (1, 2)),
        (max, 2),
        (own_default, (1, 2, 3)),
        (many, (1, 2)),
        (many_after, (1, 2)),
        (partial(own_default, depth=5), (1, 2, 5)),
        (New().choose, (1, 2, "turn")),
        (New(), (1, 2, "turn")),
        (New().by_name, (1, 2, "turn")),
        (wrapped(New().choose), (1, 2, "turn")),
        (optional, (1, 2, "turn")),
        (own_default_and_turn, (1, 2, 3, "turn")),
        (partial(New.choose, New()), (1, 2, "turn")),
    ],
)
def test_the_turn_is_given_to_what_takes_it(choose: Any, given: Any) -> None:
    told: Any = "turn"
    assert way_to_ask(choose)(1, 2, told) == given


def one(view: Any) -> Any: ...
def four(view: Any, legal: Any, turn: Any, more: Any) -> Any: ...
def keyword(view: Any, legal: Any, *, more: Any) -> Any: ...


@pytest.mark.parametrize("choose", [one, four, keyword])
def test_what_takes_neither_is_refused_before_it_plays(choose: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong(Bot):
        pass

    monkeypatch.setattr(Wrong, "choose", staticmethod(choose))
    with pytest.raises(TypeError, match=r"takes \(view, legal\) or \(view, legal, turn\), not \(view"):
        Wrong().run("http://127.0.0.1:1")


def test_a_bot_without_choose_is_refused() -> None:
    with pytest.raises(NotImplementedError, match="needs a method choose"):
        Bot().run("http://127.0.0.1:1")


def test_the_time_left_is_by_the_servers_clock() -> None:
    assert turn().seconds_left() == inf
    at = turn(deadline=NOON + timedelta(seconds=30), clock=lambda: 112.0)
    assert at.now() == NOON + timedelta(seconds=12)
    assert at.seconds_left() == 18.0
    assert turn(deadline=NOON, clock=lambda: 112.0).seconds_left() == 0.0


@pytest.mark.parametrize("wrong", ["claim", b"claim", {"claim": 1}, [1], [{"id": "x"}], ("claim", None)])
def test_one_string_is_no_list_of_strings(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"^`games` takes"):
        several("games", wrong)

    class Careless(Bot):
        rulesets = wrong

        def choose(self, view: Any, legal: Any) -> Any: ...

    with pytest.raises(TypeError, match=r"^`rulesets` takes"):
        Careless().run("http://127.0.0.1:1")
    with pytest.raises(TypeError, match=r"^`games` takes"):
        Careless().run("http://127.0.0.1:1", games=wrong)


@pytest.mark.parametrize("right", [["a", "b"], ("b", "a"), {"a", "b"}, frozenset("ab"), {"a": 1, "b": 2}.keys()])
def test_lists_and_sets_of_strings_are_taken(right: Any) -> None:
    assert sorted(several("games", right)) == ["a", "b"]


async def soon(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.001)


def test_a_thread_that_is_given_up_runs_alone_for_its_game() -> None:
    go_on, asked = threading.Event(), []

    def choose(_view: Any, _legal: Any, turn: TurnContext) -> Any:
        asked.append(turn.game)
        if asked == ["slow"]:
            go_on.wait(60)
            raise ValueError("nobody hears of this")
        return {"type": turn.game}

    async def play() -> None:
        thinking = Thinking(choose)
        first = asyncio.create_task(thinking.choice({}, LEGAL, turn("slow")))
        await soon(lambda: asked)
        first.cancel()
        second = asyncio.create_task(thinking.choice({}, LEGAL, turn("slow")))
        assert await thinking.choice({}, LEGAL, turn("other")) == {"type": "other"}
        thinking.miss("slow")
        assert (thinking.running(), thinking.missed("slow"), second.done()) == ({"slow"}, 1, False)
        go_on.set()
        assert await second == {"type": "slow"}
        assert asked == ["slow", "other", "slow"]
        assert first.cancelled()
        assert (thinking.running(), thinking.missed("slow")) == (set(), 0)

    asyncio.run(play(), debug=True)


def test_threads_that_never_end_keep_no_others_from_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holmgang.client._thinking.ROOM_SECONDS", 0.01)
    go_on = threading.Event()

    def choose(_view: Any, _legal: Any, turn: TurnContext) -> Any:
        if turn.game != "quick":
            go_on.wait(60)
        return {"type": turn.game}

    async def play() -> None:
        thinking = Thinking(choose)
        slow = [asyncio.create_task(thinking.choice({}, LEGAL, turn(str(n)))) for n in range(MOST_THREADS + 1)]
        async with asyncio.timeout(30):
            assert await thinking.choice({}, LEGAL, turn("quick")) == {"type": "quick"}
        assert not any(each.done() for each in slow)
        go_on.set()
        await asyncio.gather(*slow)

    asyncio.run(play())


def test_nothing_waits_for_a_thread_that_is_left() -> None:
    go_on, asked = threading.Event(), threading.Event()

    def choose(_view: Any, _legal: Any) -> Any:
        asked.set()
        go_on.wait(60)

    async def play() -> None:
        thinking = Thinking(choose)
        choosing = asyncio.create_task(thinking.choice({}, LEGAL, turn("game")))
        await soon(asked.is_set)
        choosing.cancel()
        await thinking.leave()
        assert not thinking.running()
        assert asyncio.all_tasks() == {asyncio.current_task()}
        go_on.set()

    asyncio.run(play())


def test_a_coroutine_that_is_given_up_ends(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one that makes another fault of it; its own cancellations are faults like others."""
    monkeypatch.setattr("holmgang.client._thinking.retry_pause", lambda *_: 0.0)
    faults: list[Any] = []

    async def choose(_view: Any, _legal: Any) -> Any:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError as fault:
            faults.append(fault)
            raise ValueError from None

    async def cancelled(_view: Any, _legal: Any) -> Any:
        raise asyncio.CancelledError

    async def play() -> None:
        thinking = Thinking(choose)
        given_up = asyncio.create_task(thinking.choice({}, LEGAL, turn("game")))
        await soon(thinking.running)
        given_up.cancel()
        with pytest.raises(asyncio.CancelledError):
            await given_up
        assert faults
        assert not thinking.running()
        assert not caplog.records
        assert await Thinking(cancelled).choice({}, LEGAL, turn("game")) == {"type": "any"}
        assert [each.getMessage() for each in caplog.records] == ["game game: choose failed"] * 3

    asyncio.run(play())
