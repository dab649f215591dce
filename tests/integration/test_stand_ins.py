"""Bots that cannot choose, for whatever reason: their seats are played by default, which is counted and logged."""

from __future__ import annotations

import logging
import random
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from holmgang import metrics
from holmgang import registry as games
from holmgang.app.errors import DatabaseUnavailable
from holmgang.app.play import deadlines, stand_ins
from holmgang.bots import registry
from holmgang.bots.base import NAMES
from holmgang.engine.messages import say
from holmgang.store.database import PostgresStore
from holmgang.worker import thinking
from holmgang.worker.loop import Worker
from tests.games import install, known
from tests.integration.tables import Table, seat_players
from tests.integration.test_absence import pass_deadline, rows, sql, told, work

BOT = 1
"""The seat that is a bot's, or whose player is away."""
Patch = pytest.MonkeyPatch
Use = Callable[[Callable[..., Any]], None]


@pytest.fixture
def store(database: str) -> Iterator[PostgresStore]:
    store = PostgresStore(database, pool_size=4)
    yield store
    store.close()


@pytest.fixture(autouse=True)
def quick(toy: Any, monkeypatch: Patch) -> None:
    """The toy game is here, and who does not come back has a second."""
    monkeypatch.setattr(thinking, "THINK_SECONDS", 1)


class Playing:
    """A bot that chooses as the function does."""

    def __init__(self, choose: Callable[..., Any]) -> None:
        self.choose = choose


def raises(*arguments: Any) -> Any:
    raise ZeroDivisionError("the bot's own fault")


def loops(*arguments: Any) -> Any:
    while True:
        try:
            sum(range(1000))
        except Exception:  # noqa: S112 # it cannot be interrupted
            continue


def ends(*arguments: Any) -> Any:
    sys.exit(1)


BOTS: dict[str, tuple[str, Callable[..., Any]]] = {
    "raises": ("raised", raises),
    "ends the program": ("raised", ends),
    "loops": ("too_long", loops),
    "a card that nobody has": ("illegal", lambda *_: {"type": "play", "card": 6 * 6}),
    "a choice of another turn": ("illegal", lambda *_: {"type": "resign"}),
    "no choice": ("illegal", lambda *_: None),
    "something that is not JSON": ("raised", lambda *_: object()),
}


def of_bot(table_of: PostgresStore, bot: str) -> Table:
    return seat_players(table_of, 2, ruleset="toy", bots={BOT: bot})


def of_absent(table_of: PostgresStore, bot: str) -> Table:
    """A game whose second player is away, for whom the bot plays."""
    table = seat_players(table_of, 2, ruleset="toy", turn_seconds=60, absence=f"bot:{bot}")
    by_default(table)
    pass_deadline(table)
    with table_of.transaction() as tables:
        assert deadlines.expire(tables, table.game)
    return table


HELD = pytest.mark.parametrize("seated", [of_bot, of_absent])


def by_default(table: Table) -> None:
    """The person chooses, as the rules would."""
    place = table.position()
    if 0 in place.awaited():
        table.submit(0, msgspec.to_builtins(place.rules.default(place.without(0), 0)))


def play_out(table: Table, store: PostgresStore) -> None:
    for _ in range(40):
        if table.row().status == "over":
            return
        by_default(table)
        work(store)
    raise AssertionError("the game did not come to its end")


def counted(bot: str, reason: str) -> float:
    return float(metrics.BOT_DEFAULTS.labels(bot, "toy", reason)._value.get())


def faults() -> float:
    return float(metrics.WORKER_FAULTS._value.get())


def defaulted(table: Table) -> int:
    return told(table).count("choice_defaulted")


@HELD
@pytest.mark.parametrize("bot", NAMES)
@pytest.mark.parametrize("kind", BOTS)
def test_a_game_goes_on_without_its_bot(
    store: PostgresStore,
    monkeypatch: Patch,
    caplog: pytest.LogCaptureFixture,
    kind: str,
    bot: str,
    seated: Callable[..., Table],
) -> None:
    reason, choose = BOTS[kind]
    table = seated(store, bot)
    made = defaulted(table)
    monkeypatch.setattr(registry, "find", lambda _name: Playing(choose))
    before, failed = counted(bot, reason), faults()
    with caplog.at_level(logging.WARNING, logger="holmgang.worker"):
        worker = Worker(store, random.Random(3))
        for _ in range(40):
            by_default(table)
            while worker.work():
                pass
            if table.row().status == "over":
                break
    assert table.row().status == "over"
    played = defaulted(table) - made
    assert counted(bot, reason) - before == played > 0
    assert faults() == failed
    assert rows(table, f"SELECT FROM submissions WHERE game_id = %s AND seat = {BOT}") == []
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == played
    for word in (f"'game': '{table.game}'", f"'seat': {BOT}", f"'bot': '{bot}'", f"'reason': '{reason}'"):
        assert word in lines[0], lines[0]


@HELD
@pytest.mark.parametrize("fails", ["determinize", "view", "apply"])
def test_a_game_goes_on_by_rules_that_raise_while_a_bot_chooses(
    store: PostgresStore, monkeypatch: Patch, fails: str, seated: Callable[..., Table]
) -> None:
    rules: Any = type(games.latest("toy"))
    right = rules.apply

    def apply(self: Any, state: Any, seat: int, action: Any) -> Any:
        if action != self.default(state, seat):
            raise ZeroDivisionError("only what the rules would choose")
        return right(self, state, seat, action)

    monkeypatch.setattr(rules, fails, apply if fails == "apply" else raises)
    before, failed = counted("greedy", "raised"), faults()
    for _ in range(20):  # in some games the bot would do nothing but what the rules would choose
        play_out(seated(store, "greedy"), store)
        if counted("greedy", "raised") > before:
            break
    else:
        raise AssertionError("the bot has chosen nothing of its own")
    assert faults() == failed


def test_a_turn_says_that_it_was_played_for_the_bot(store: PostgresStore, monkeypatch: Patch) -> None:
    monkeypatch.setattr(registry, "find", lambda _name: Playing(raises))
    table = of_bot(store, "greedy")
    work(store)
    turn = table.turn(0)
    assert (turn.submitted, turn.defaulted) == ((), (BOT,))
    by_default(table)
    last = table.turn(0).last_turn
    assert last is not None
    assert last.defaulted == (BOT,)


@HELD
@pytest.mark.parametrize("lacks", ["the bot", "the judge"])
def test_a_bot_that_is_not_here_is_left_to_others_for_a_while(
    store: PostgresStore, monkeypatch: Patch, lacks: str, seated: Callable[..., Table]
) -> None:
    """A worker of another release may have it; but a game does not wait for such a worker for ever."""
    table = seated(store, "greedy")
    bot = "oracle" if lacks == "the bot" else "greedy"
    if lacks == "the bot":
        sql(store, "UPDATE seats SET bot = 'oracle' WHERE game_id = %s AND bot = 'greedy'", table.game)
        sql(store, "UPDATE games SET absence = 'bot:oracle' WHERE id = %s AND absence = 'bot:greedy'", table.game)
        sql(store, "UPDATE awaited SET played_by = 'oracle' WHERE game_id = %s AND played_by = 'greedy'", table.game)
    else:
        monkeypatch.setattr(games.game("toy"), "_judge", None)
        monkeypatch.setitem(vars(games.game("toy")), "judge", None)
    before = counted(bot, "cannot_play")
    for _ in range(40):
        if table.row().status == "over":
            break
        awaited = table.position().awaited()
        work(store)
        assert table.position().awaited() == awaited, "not at once"
        if 0 in awaited:
            by_default(table)
        else:
            sql(store, "UPDATE awaited SET since = since - interval '1 minute' WHERE game_id = %s", table.game)
            work(store)
    assert table.row().status == "over"
    assert counted(bot, "cannot_play") - before > 1


def test_a_game_whose_rules_are_not_here_waits_for_them(store: PostgresStore, tmp_path: Any) -> None:
    """An older worker knows nothing of it, and is not kept from playing others."""
    with known(install(tmp_path / "other")):
        table = of_bot(store, "random")
    other = seat_players(store, 3, bots={1: "random", 2: "greedy"})
    sql(store, "UPDATE awaited SET since = since - interval '1 hour'")
    games.forget()
    failed = faults()
    with_toy, sys.path[:] = list(sys.path), [path for path in sys.path if "installed" not in path]
    try:
        games.forget()
        assert "toy" not in games.names()
        work(store)
    finally:
        sys.path[:] = with_toy
        games.forget()
    assert other.position().awaited() == (0,)
    assert table.position().awaited() == (0, BOT)
    assert faults() == failed
    play_out(table, store)
    assert rows(table, f"SELECT FROM submissions WHERE game_id = %s AND seat = {BOT}") != []


def test_a_database_that_is_away_is_no_fault_of_the_bot(store: PostgresStore, monkeypatch: Patch) -> None:
    table = of_bot(store, "greedy")
    before = [counted("greedy", reason) for reason in ("raised", "too_long", "illegal", "cannot_play")]
    with monkeypatch.context() as away:
        away.setattr(stand_ins, "carry_out", lambda *_a, **_b: (_ for _ in ()).throw(DatabaseUnavailable(say("Away."))))
        Worker(store).work()
    assert table.position().awaited() == (0, BOT)
    sql(store, "UPDATE awaited SET claimed_until = NULL")
    work(store)
    assert table.turn(0).submitted == (BOT,)
    assert before == [counted("greedy", reason) for reason in ("raised", "too_long", "illegal", "cannot_play")]


@pytest.mark.parametrize("bot", ["greedy", "search"])
def test_a_bot_that_never_comes_back_keeps_nobody_waiting(store: PostgresStore, monkeypatch: Patch, bot: str) -> None:
    """It is asked once, in however many games; not even threads that cannot be ended become many."""
    asked: list[Any] = []
    free = threading.Event()

    def sleeps(*arguments: Any) -> Any:
        asked.append(arguments)
        free.wait()

    monkeypatch.setattr(thinking, "REST_SECONDS", 0.0)
    find = registry.find
    monkeypatch.setattr(registry, "find", lambda name: Playing(sleeps) if name == bot else find(name))
    tables = [of_bot(store, bot) for _ in range(4)]
    other = seat_players(store, 3, bots={1: "random", 2: "random"})
    worker = Worker(store, random.Random(3))
    while worker.work():
        pass
    assert [table.turn(0).defaulted for table in tables] == [(BOT,)] * 4
    assert other.position().awaited() == (0,)
    assert len(asked) == 1
    free.set()


def test_rules_without_a_default_are_left_alone_for_a_while(store: PostgresStore, monkeypatch: Patch) -> None:
    table, other = of_bot(store, "greedy"), seat_players(store, 3, bots={1: "random", 2: "greedy"})
    monkeypatch.setattr(type(games.latest("toy")), "view", raises)
    monkeypatch.setattr(type(games.latest("toy")), "default", raises)
    failed = faults()
    work(store)
    assert faults() - failed == 1
    assert other.position().awaited() == (0,)
    assert table.position().awaited() == (0, BOT)
