"""Who chose: a player who returns at any moment, and the stand-in who may be choosing for them at that moment."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import msgspec
import pytest

from holmgang.app.errors import GameNotActive, NotAwaited, StaleTurn
from holmgang.app.play import deadlines, returns, stand_ins
from holmgang.app.play.position import entry_of
from holmgang.app.play.resignation import resign
from holmgang.app.records.absence import DEFAULT
from holmgang.app.records.play import Task
from holmgang.bots import registry
from holmgang.bots.base import NAMES
from holmgang.engine.turn import Await
from holmgang.store.database import PostgresStore
from tests.integration.tables import Table, let_news_be_delivered, seat_players
from tests.integration.test_absence import absent, pass_deadline, rows, sql, told
from tests.integration.test_submissions import feed_is_gapless, log_replays
from tests.soon import soon

AWAY = 1
"""The seat whose player goes and returns."""
SEED = bytes([2]) * 32
"""Of games in which AWAY is asked in turns of each kind, whoever plays for it."""
STAND_INS = (DEFAULT, *NAMES)
RULESETS = {"eketorp": 3, "drakkars": 3, "claim": 4}
ABSENCES = ("default", "bot:greedy", "forfeit")


@pytest.fixture
def store(database: str) -> Iterator[PostgresStore]:
    store = PostgresStore(database, pool_size=4)
    yield store
    store.close()


class StandIn:
    """The worker, one step at a time. Its bots choose at random: what they would rather do is nothing to the point."""

    def __init__(self, table: Table) -> None:
        self.table, self.rng = table, random.Random(5)
        self.held: list[tuple[Task, Any]] = []

    def look(self) -> None:
        """Claim what is to be chosen, and choose it, but write nothing."""
        with self.table.store.reading() as tables:
            for task in tables.claim_tasks(20, 15.0, STAND_INS):
                if (seen := stand_ins.seen_by(tables, task)) is not None:
                    self.held.append((task, stand_ins.choice(seen, task, self._choose)))

    def _choose(self, rules: Any, view: Any) -> Any:
        return registry.find("random").choose(rules, view, self.rng)

    def write(self, n: int = 0) -> bool:
        """Make one of the choices that are held; whether it still counted."""
        task, value = self.held.pop(n % len(self.held))
        with self.table.store.transaction() as tables:
            return stand_ins.carry_out(tables, task, value)

    def play(self) -> None:
        self.look()
        while self.held:
            self.write()


def return_to_seat(table: Table, seat: int = AWAY) -> bool:
    with table.store.transaction() as tables:
        return returns.return_to_seat(tables, table.callers[seat], table.game, seat)


def expire(table: Table) -> None:
    pass_deadline(table)
    with table.store.transaction() as tables:
        while deadlines.expire(tables, table.game):
            pass


def go_away(table: Table) -> None:
    """Let AWAY miss the first turn that asks it."""
    forfeits = table.row().absence == "forfeit"
    while AWAY not in table.position().awaited() or (forfeits and len(table.position().awaited()) < len(table.secrets)):
        assert table.row().status == "active"
        table.play(turns=1)
    if forfeits:  # which makes only those absent who all missed one turn
        expire(table)
        for seat in set(absent(table)) - {AWAY}:
            return_to_seat(table, seat)
    else:
        for seat in set(table.position().awaited()) - {AWAY}:
            table.submit(seat)
        expire(table)
    assert absent(table) == [AWAY]


def play_until_asked(table: Table, stand_in: StandIn, sealed: bool) -> int:
    """The others and the stand-in play on to a turn that asks AWAY in secret, or openly."""
    for _ in range(400):
        place = table.position()
        asked = place.asked
        assert type(asked) is Await
        if AWAY in place.awaited() and asked.sealed == sealed:
            return asked.turn
        for seat in place.awaited():
            if seat != AWAY:
                table.submit(seat)
        stand_in.play()
    raise AssertionError("no such turn came")


CASES = [
    *(("eketorp", form, sealed) for form in ABSENCES for sealed in (True, False)),
    *(("claim", form, False) for form in ("default", "bot:greedy")),  # in teams, and each turn asks one
]


def by_coming_back(table: Table) -> None:
    assert return_to_seat(table)
    assert not return_to_seat(table), "once is enough"


def by_choosing(table: Table) -> None:
    table.submit(AWAY)


def truth(table: Table) -> None:
    """Every choice in the log has a receipt of its player, or was told as made for an absent seat; never both. Nobody
    is played for who is there, and nobody chooses who counts as away."""
    with table.store.reading() as tables:
        feed = [(e.turn, msgspec.json.decode(e.payload)) for e in tables.events(table.game, None, 0, 100_000)]
        log = [entry_of(row) for row in tables.log(table.game)]
        bots = {h.seat for h in tables.holders(table.game) if h.bot is not None}
    away: set[int] = set()
    made: list[tuple[int, int]] = []
    for turn, event in feed:
        seat = event.get("seat")
        if event["type"] == "seat_absent":
            away.add(seat)
        elif event["type"] == "seat_returned":
            assert seat in away
            away.remove(seat)
        elif event["type"] == "choice_defaulted":
            assert seat in away or seat in bots, f"turn {turn} is played over seat {seat}, which is there"
            made.append((turn, seat))
        elif event["type"] == "choice_sealed":
            assert seat not in away, f"seat {seat} chooses in turn {turn}, and counts as away"
    assert sorted(away) == absent(table)
    own = {
        (turn, seat): action
        for turn, seat, action in rows(
            table, "SELECT turn, seat, action FROM submissions WHERE game_id = %s ORDER BY turn, seat, revision"
        )
    }
    assert len(made) == len(set(made)), "once a turn"
    assert not own.keys() & set(made), "what was made for a seat looks submitted"
    for entry in log:
        for seat, action in entry.actions:
            assert (entry.turn, seat) in own or (entry.turn, seat) in made, f"who chose for seat {seat}?"
            assert own.get((entry.turn, seat), action) == action


MOMENTS = [
    ("before the look", by_coming_back),
    ("before the look", by_choosing),
    ("before the write", by_coming_back),
    ("before the write", by_choosing),
    ("after the write", by_coming_back),
]


@pytest.mark.parametrize(("moment", "returns"), MOMENTS)
@pytest.mark.parametrize(("ruleset", "form", "sealed"), CASES)
def test_a_return_at_any_moment(
    store: PostgresStore, ruleset: str, form: str, sealed: bool, moment: str, returns: Callable[[Table], None]
) -> None:
    table = seat_players(
        store, RULESETS[ruleset], ruleset=ruleset, turn_seconds=60, absence=form, practice=True, seed=SEED
    )
    stand_in = StandIn(table)
    go_away(table)
    turn = play_until_asked(table, stand_in, sealed)
    if moment == "after the write":
        stand_in.look()
        assert stand_in.write()
        if table.row().turn == turn:
            now = table.turn(AWAY)
            assert (AWAY in now.submitted, AWAY in now.defaulted, now.submission) == (False, True, None)
        returns(table)
    else:
        if moment == "before the write":
            stand_in.look()
            assert [task.seat for task, _ in stand_in.held] == [AWAY]
        returns(table)
        assert told(table).index("seat_returned") > told(table).index("seat_absent")
        stand_in.look()
        while stand_in.held:
            assert not stand_in.write(), "nobody plays over who has returned"
        if returns is by_coming_back:
            assert (table.row().turn, AWAY in table.position().awaited()) == (turn, True)
            table.submit(AWAY)
    assert absent(table) == []
    while table.row().turn == turn and table.row().status == "active":
        table.submit(table.position().awaited()[0])
    last = table.turn(AWAY).last_turn
    if last is not None and last.turn == turn:
        assert last.defaulted == ((AWAY,) if moment == "after the write" else ())
    truth(table)
    log_replays(table)
    feed_is_gapless(table)


@pytest.mark.parametrize("form", [*ABSENCES, "rated"])
@pytest.mark.parametrize("ruleset", soon(RULESETS, "eketorp"))
def test_whatever_happens_the_feed_says_who_chose(store: PostgresStore, ruleset: str, form: str) -> None:
    """People who choose, go, return and resign, deadlines, and two workers that look and write at any moment."""
    rng = random.Random(f"{ruleset} {form}")
    terms: dict[str, Any] = {"rated": True} if form == "rated" else {"absence": form}
    happened = Counter[str]()
    for _ in range(3):
        table = seat_players(store, RULESETS[ruleset], ruleset=ruleset, turn_seconds=60, bots={2: "greedy"}, **terms)
        muddle(table, rng, happened)
        truth(table)
        log_replays(table)
        feed_is_gapless(table)
    assert happened["made"] > 0 or (ruleset, form) == ("claim", "forfeit"), "where games end before"


@pytest.mark.parametrize(
    ("moment", "returns", "hears"),
    [
        ("before the look", by_coming_back, True),
        ("before the write", by_coming_back, True),
        ("before the write", by_choosing, False),
        ("after the write", by_coming_back, False),
    ],
)
@pytest.mark.parametrize("form", ABSENCES)
def test_webhooks_hear_of_a_turn_that_is_its_players_own_again(
    store: PostgresStore, form: str, moment: str, returns: Callable[[Table], None], hears: bool
) -> None:
    """It was not told of before, since somebody else was to play it."""
    table = seat_players(store, turn_seconds=60, absence=form, practice=True, seed=SEED)
    stand_in = StandIn(table)
    go_away(table)
    turn = play_until_asked(table, stand_in, sealed=True)
    with store.transaction() as tables:
        player = table.callers[AWAY].player
        tables.add_webhook(UUID(int=1), player, "https://e.org/", ["turn.waiting"], "whsec_")
    if moment != "before the look":
        stand_in.look()
    if moment == "after the write":
        assert stand_in.write()
    returns(table)
    let_news_be_delivered(store)
    sent = rows(table, "SELECT body::json -> 'data' FROM deliveries WHERE body::json -> 'data' ->> 'game' = %s::text")
    here = {"game": str(table.game), "ruleset": "eketorp", "seat": AWAY, "turn": turn}
    assert [data for (data,) in sent if data["turn"] == turn] == ([here] if hears else [])


def test_what_an_older_release_left_is_not_played_over_who_is_there(store: PostgresStore) -> None:
    """It took a return for one from the next turn on, and left this one to the stand-in."""
    table = seat_players(store, turn_seconds=60)
    stand_in = StandIn(table)
    go_away(table)
    play_until_asked(table, stand_in, sealed=True)
    sql(store, "UPDATE seats SET absent_since = NULL WHERE game_id = %s", table.game)
    stand_in.look()
    assert not stand_in.write()
    assert table.submit(AWAY).seat == AWAY


def test_nobody_is_played_for_in_a_game_that_has_stopped_meanwhile(store: PostgresStore) -> None:
    """The last who was there went while the stand-in thought."""
    table = seat_players(store, turn_seconds=60, practice=True, seed=SEED)
    stand_in = StandIn(table)
    go_away(table)
    play_until_asked(table, stand_in, sealed=True)
    assert table.position().awaited() == (0, AWAY)
    sql(store, "UPDATE seats SET absent_since = clock_timestamp() WHERE game_id = %s AND seat = 2", table.game)
    stand_in.look()
    assert [task.seat for task, _ in stand_in.held] == [AWAY]
    expire(table)
    assert not stand_in.write()
    assert told(table)[-1] == "clock_stopped"


def muddle(table: Table, rng: random.Random, happened: Counter[str]) -> None:
    people = [seat for seat in range(len(table.secrets)) if seat != 2]
    workers = [StandIn(table), StandIn(table)]
    for _ in range(250):
        if table.row().status == "over":
            return
        doings = {"choose": 40, "look": 25, "write": 40, "late": 6, "expire": 6, "return": 12, "resign": 0.1}
        (what,) = rng.choices(list(doings), list(doings.values()))
        seat, worker = rng.choice(people), rng.choice(workers)
        try:
            if what == "choose" and seat in table.position().awaited():
                table.submit(seat)
            elif what == "look":
                worker.look()
                sql(table.store, "UPDATE awaited SET claimed_until = NULL WHERE game_id = %s", table.game)  # type: ignore[arg-type] # it is slow
            elif what == "write" and worker.held:
                happened["made" if worker.write(rng.randrange(9)) else "void"] += 1
            elif what == "late":
                pass_deadline(table)
            elif what == "expire":
                expire(table)
            elif what == "return":
                return_to_seat(table, seat)
            elif what == "resign":
                with table.store.reading() as tables:
                    resign(tables, table.secrets[seat], table.game)
        except (StaleTurn, NotAwaited, GameNotActive) as refusal:
            happened[refusal.code] += 1
