"""The write path on real Postgres: receipts, sealed choices, retries, races, and the log as the truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import psycopg
import pytest

from holmgang.app.access import find_caller
from holmgang.app.errors import (
    AlreadySubmitted,
    GameNotActive,
    IllegalActionRefusal,
    NotAwaited,
    NotYours,
    Refusal,
    RevisionConflict,
    StaleTurn,
)
from holmgang.app.fairness.dice import first_head, game_terms, next_head, pack_entropy
from holmgang.app.play import submissions
from holmgang.app.play.position import entry_of, position
from holmgang.app.play.resignation import resign
from holmgang.app.reading import queries
from holmgang.engine.codec import state_hash
from holmgang.engine.replay import replay
from holmgang.store.database import PostgresStore, conninfo
from tests.integration.tables import Table, new_game, seat_players
from tests.soon import soon

HOME: dict[str, Any] = {"type": "place", "fields": {}, "sieges": []}
ONE_ON_A: dict[str, Any] = {"type": "place", "fields": {"A": 1}, "sieges": []}


@pytest.fixture
def store(database: str) -> Iterator[PostgresStore]:
    store = PostgresStore(database, pool_size=8)
    yield store
    store.close()


@pytest.fixture
def table(store: PostgresStore) -> Table:
    return seat_players(store)


def everything(database: str) -> dict[str, Any]:
    """All rows of all tables: what a refused call must leave as it was."""
    with psycopg.connect(conninfo(database)) as connection:
        names = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        return {
            name: sorted(map(repr, connection.execute(f"SELECT * FROM {name}".encode()).fetchall()))
            for (name,) in names
        }


def test_a_sealed_choice_is_kept_and_its_receipt_says_so(table: Table) -> None:
    receipt = table.submit(0, HOME)
    assert (receipt.turn, receipt.seat, receipt.revision, receipt.state) == (1, 0, 1, "sealed")
    now = table.turn(0)
    assert now.turn == 1
    assert now.submitted == (0,)
    assert now.awaited == (1, 2)
    assert now.submission == receipt.id
    assert not now.yours


def test_the_last_choice_resolves_the_turn(table: Table) -> None:
    first = [table.submit(seat, ONE_ON_A) for seat in range(3)]
    assert [r.state for r in first] == ["sealed", "sealed", "applied"]
    assert table.row().turn == 2
    with table.store.reading() as tables:
        assert submissions.submission(tables, table.caller(0), first[0].id).state == "applied"


def test_the_same_choice_again_answers_the_same_receipt(table: Table, database: str) -> None:
    first = table.submit(0, {"type": "place", "fields": {"A": 1}, "sieges": ["1:ram", "2:boat"]})
    before = everything(database)
    again = table.submit(0, {"sieges": ["2:boat", "1:ram"], "fields": {"A": 1}, "type": "place"})
    assert again == first
    assert everything(database) == before


def test_the_same_choice_again_after_the_turn_is_resolved(table: Table, database: str) -> None:
    for seat in range(3):
        table.submit(seat, ONE_ON_A)
    before = everything(database)
    late = table.submit(1, ONE_ON_A, turn=1)
    assert late.state == "applied"
    with pytest.raises(StaleTurn) as stale:
        table.submit(1, HOME, turn=1)
    assert stale.value.extra == {"current_turn": 2}
    assert everything(database) == before


def test_another_choice_while_sealed_is_refused_and_replaced_only_by_its_revision(table: Table) -> None:
    first = table.submit(0, HOME)
    with pytest.raises(AlreadySubmitted) as refused:
        table.submit(0, ONE_ON_A)
    assert refused.value.extra["submission"] == str(first.id)
    with table.store.reading() as tables:
        with pytest.raises(RevisionConflict):
            submissions.replace(tables, table.secrets[0], table.game, first.id, 7, 1, ONE_ON_A)
        second = submissions.replace(tables, table.secrets[0], table.game, first.id, 1, 1, ONE_ON_A)
        repeated = submissions.replace(tables, table.secrets[0], table.game, first.id, 1, 1, ONE_ON_A)
    assert (second.id, second.revision) == (first.id, 2)
    assert repeated == second
    table.submit(1, HOME)
    table.submit(2, HOME)
    with table.store.reading() as tables:
        log = [entry_of(row) for row in tables.log(table.game)]
        with pytest.raises(StaleTurn):
            submissions.replace(tables, table.secrets[0], table.game, first.id, 2, 1, HOME)
    assert log[1].actions[0] == (0, ONE_ON_A)


def test_replacing_ones_choice_is_invisible_to_others(table: Table) -> None:
    first = table.submit(0, HOME)
    seen = [(table.caller(seat).version, table.caller(seat).revision) for seat in range(3)]
    with table.store.reading() as tables:
        feed = queries.events(tables, table.caller(1), 0, 1000)
        submissions.replace(tables, table.secrets[0], table.game, first.id, 1, 1, ONE_ON_A)
        assert queries.events(tables, table.caller(1), 0, 1000) == feed
    now = [(table.caller(seat).version, table.caller(seat).revision) for seat in range(3)]
    assert now[1:] == seen[1:]
    assert now[0] == (seen[0][0], seen[0][1] + 1), "its own seat must not be told that nothing changed"


def test_a_dry_run_checks_and_changes_nothing(table: Table, database: str) -> None:
    before = everything(database)
    with table.store.reading() as tables:
        verdict = submissions.check(tables, table.secrets[0], table.game, 1, ONE_ON_A)
        assert (verdict.turn, verdict.seat, verdict.kind) == (1, 0, "placement")
        with pytest.raises(IllegalActionRefusal) as illegal:
            submissions.check(tables, table.secrets[0], table.game, 1, {**HOME, "fields": {"A": 8, "B": 8}})
        assert illegal.value.extra["rule"].startswith("E")
        with pytest.raises(StaleTurn):
            submissions.check(tables, table.secrets[0], table.game, 2, HOME)
    assert everything(database) == before


def test_a_dry_run_knows_what_is_sealed_already(table: Table) -> None:
    receipt = table.submit(0, HOME)
    with table.store.reading() as tables:
        assert submissions.check(tables, table.secrets[0], table.game, 1, HOME).action == HOME
        with pytest.raises(AlreadySubmitted) as refused:
            submissions.check(tables, table.secrets[0], table.game, 1, ONE_ON_A)
    assert str(receipt.id) in str(refused.value.extra)


def test_others_submissions_are_shown_only_at_the_end(table: Table) -> None:
    receipt = table.submit(0, HOME)
    with table.store.reading() as tables, pytest.raises(NotYours):
        submissions.submission(tables, table.caller(1), receipt.id)
    table.play()
    with table.store.reading() as tables:
        assert submissions.submission(tables, find_caller(tables, None, table.game), receipt.id).seat == 0


def test_only_those_who_are_asked_may_choose(table: Table) -> None:
    table.play(until="battle_card")
    asked = table.position().awaited()
    others = [seat for seat in range(3) if seat not in asked]
    for seat in others:
        with pytest.raises(NotAwaited):
            table.submit(seat, {"type": "play", "card": 1})


def test_a_game_that_has_not_started_takes_no_choice(store: PostgresStore) -> None:
    full = seat_players(store)
    with store.transaction() as tables:
        open_game = new_game(tables, full.callers[0], ruleset="eketorp", seats=3, options={}).id
    waiting = Table(store, open_game, full.secrets, full.callers)
    with pytest.raises(GameNotActive):
        waiting.submit(0, HOME, turn=0)


def log_replays(table: Table) -> None:
    """The log gives every stored state hash, the row hashes chain, and the snapshot is what the log says."""
    place = table.position()
    game_row, rules = place.row, place.rules
    with table.store.reading() as tables:
        rows = tables.log(table.game)
        entropy = pack_entropy([h.entropy for h in tables.holders(table.game)])
    head = first_head(
        table.game,
        game_terms(game_row.ruleset, game_row.ruleset_version, game_row.seat_count, game_row.options),
        entropy,
    )
    config = rules.configure(game_row.seat_count, game_row.options)
    state = None
    for row, (_, played) in zip(rows, replay(rules, config, map(entry_of, rows)), strict=True):
        state = played.step.state
        assert state_hash(state) == row.state_hash
        head = next_head(head, row.entry.encode(), row.state_hash)
        assert head == row.row_hash
    assert head == game_row.head
    assert state == place.logged
    assert [row.seq for row in rows] == list(range(game_row.entries))


def feed_is_gapless(table: Table) -> None:
    with table.store.reading() as tables:
        feed = tables.events(table.game, None, 0, 100_000)
    assert [e.seq for e in feed] == list(range(1, table.row().version + 1))


@pytest.mark.parametrize("seats", soon([3, 4, 5, 6], 3, 6))
def test_a_whole_game_is_in_its_log(store: PostgresStore, seats: int) -> None:
    table = seat_players(store, seats, entropies=[bytes([s]) * (16 + s) if s else None for s in range(seats)])
    table.play()
    assert table.row().status == "over"
    log_replays(table)
    feed_is_gapless(table)
    with store.reading() as tables:
        record = queries.record(tables, table.caller(0))
        assert tables.waiting(table.callers[0].player, None) == []
    assert record.log[-1].state_hash
    assert record.result.winners


def test_a_lost_snapshot_is_made_again_from_the_log(table: Table, database: str) -> None:
    table.play(turns=40)
    table.play(until="placement")
    table.submit(0, HOME)
    before = table.position()
    with psycopg.connect(conninfo(database)) as connection:
        connection.execute("UPDATE games SET state = NULL")
    after = table.position()
    assert after.logged == before.logged
    assert after.state == before.state
    table.play()
    log_replays(table)


@pytest.mark.parametrize("round_", range(3))
def test_forty_writers_on_one_sealed_turn(store: PostgresStore, round_: int) -> None:
    """Each of the three seats is taken by many writers at once with different choices: one of each seat's gets in."""
    table = seat_players(store)
    table.play(turns=7 * round_)
    table.play(until="placement")
    turn = table.row().turn
    asked = table.position().awaited()
    barrier = Barrier(40)

    def write(n: int) -> str:
        seat = asked[n % len(asked)]
        action = {"type": "place", "fields": {"ABCDEFG"[n % 7]: 1}, "sieges": []}
        barrier.wait()
        try:
            with store.reading() as tables:
                _, new = submissions.submit(tables, table.secrets[seat], table.game, turn, action)
        except Refusal as refusal:
            return refusal.code
        return "new" if new else "again"

    with ThreadPoolExecutor(40) as pool:
        outcomes = Counter(pool.map(write, range(40)))
    assert outcomes["new"] == len(asked)
    assert set(outcomes) <= {"new", "again", "already_submitted", "stale_turn"}
    assert table.row().turn > turn
    log_replays(table)
    feed_is_gapless(table)


def test_forty_writers_on_one_open_turn(store: PostgresStore) -> None:
    """One seat's choice, sent forty times in different words: one is taken, every same one gets its receipt."""
    table = seat_players(store)
    table.play(until="battle_card")
    for seat in table.position().awaited()[1:]:
        table.submit(seat)
    (seat,) = table.position().awaited()
    turn, cards = table.row().turn, table.position().state.hands[seat]
    barrier = Barrier(40)

    def write(n: int) -> tuple[int, str]:
        card = cards[n % len(cards)]
        barrier.wait()
        try:
            with store.reading() as tables:
                receipt, new = submissions.submit(
                    tables, table.secrets[seat], table.game, turn, {"type": "play", "card": card}
                )
        except Refusal as refusal:
            return card, refusal.code
        return card, f"{'new' if new else 'again'} {receipt.id}"

    with ThreadPoolExecutor(40) as pool:
        outcomes = list(pool.map(write, range(40)))
    taken = [(card, text) for card, text in outcomes if text.startswith("new")]
    assert len(taken) == 1
    card, text = taken[0]
    for other, outcome in outcomes:
        expected = {text, text.replace("new", "again")} if other == card else {"stale_turn"}
        assert outcome in expected
    log_replays(table)
    feed_is_gapless(table)


def test_the_last_turn_is_one_that_has_ended(store: PostgresStore) -> None:
    table = seat_players(store, 4)
    with store.reading() as tables:
        resign(tables, table.secrets[3], table.game)
    assert table.turn(0).last_turn is None, "turn 1 still runs"
    for seat in range(3):
        table.submit(seat, ONE_ON_A)
    last = table.turn(0).last_turn
    assert last is not None
    assert (last.turn, last.kind, last.ended) == (1, "placement", "played")


def test_a_snapshot_is_made_from_no_more_of_the_log_than_the_row_knows(table: Table, database: str) -> None:
    table.submit(0, HOME)
    with psycopg.connect(conninfo(database)) as connection:
        connection.execute("UPDATE games SET state = NULL")
    game_row = table.row()
    table.submit(1, HOME)
    table.submit(2, HOME)
    with table.store.reading() as tables:
        assert position(tables, game_row).awaited() == (1, 2)
