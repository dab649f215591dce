"""What must hold of a game after whatever was done to it: log, feed, receipts, and who is awaited."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from uuid import UUID

from holmgang.app.fairness.dice import first_head, game_terms, next_head, pack_entropy
from holmgang.app.play.position import entry_of, position
from holmgang.app.ports import Store
from holmgang.engine.codec import state_hash
from holmgang.engine.replay import Entry, replay

if TYPE_CHECKING:
    import psycopg


class Ledger:
    """Reads along with one game. Each check replays what the log has gained since the one before."""

    def __init__(self, store: Store, rows: psycopg.Connection[Any], game: str) -> None:
        self.store, self.rows, self.game = store, rows, UUID(game)
        self.entries: list[Entry] = []
        self.version = self.writes = 0
        self.played_for: set[tuple[int, int]] = set()
        """Turns and seats of choices that were sealed by somebody in their place, who may be back since."""
        self._queue: deque[Entry] = deque()
        self._player: Any = None
        self._head = b""
        self._state: Any = None

    def check(self) -> None:
        with self.store.reading() as tables:
            game_row = tables.game_row(self.game, lock=False)
            assert game_row is not None
            place = position(tables, game_row) if game_row.started else None
            if self._player is None and game_row.started:
                entropy = pack_entropy([holder.entropy for holder in tables.holders(self.game)])
                terms = game_terms(game_row.ruleset, game_row.ruleset_version, game_row.seat_count, game_row.options)
                self._head = first_head(self.game, terms, entropy)
                assert place is not None
                config = place.rules.configure(game_row.seat_count, game_row.options)
                self._player = replay(place.rules, config, self._fed())
            new = tables.log(self.game, after=len(self.entries) - 1)
        self._grown(game_row)
        for row in new:
            assert row.seq == len(self.entries), "rows are numbered without gaps"
            entry = entry_of(row)
            self._queue.append(entry)
            self.entries.append(entry)
            _, played = next(self._player)
            self._state = played.step.state
            assert state_hash(self._state) == row.state_hash, "the log replays to the states that it names"
            self._head = next_head(self._head, row.entry.encode(), row.state_hash)
            assert self._head == row.row_hash, "the rows are chained"
        self._feed_is_gapless(game_row.version)
        if place is None:
            return
        assert game_row.entries == len(self.entries)
        assert game_row.head == self._head
        assert place.logged == self._state, "the snapshot is where the log stands"
        self._receipts_fit(game_row, place.wire)
        asked = self._one("SELECT array_agg(seat ORDER BY seat) FROM awaited WHERE game_id = %s") or []
        assert asked == (sorted(place.awaited()) if game_row.status == "active" else []), "awaited are who owe a choice"

    def digest(self) -> Any:
        """What a refused call must leave as it was."""
        return self.rows.execute(
            "SELECT md5(g::text),"
            " (SELECT string_agg(s::text, ' ' ORDER BY s.seat) FROM seats s WHERE s.game_id = g.id),"
            " (SELECT string_agg(a::text, ' ' ORDER BY a.seat) FROM awaited a WHERE a.game_id = g.id),"
            " (SELECT md5(string_agg(u::text, ' ' ORDER BY u.turn, u.seat, u.revision)) FROM submissions u"
            " WHERE u.game_id = g.id),"
            " (SELECT md5(string_agg(c::text, ' ' ORDER BY c.number)) FROM combats c WHERE c.game_id = g.id),"
            " (SELECT count(*) FROM events e WHERE e.game_id = g.id),"
            " (SELECT count(*) FROM log l WHERE l.game_id = g.id),"
            " (SELECT count(*) FROM invitations i WHERE i.game_id = g.id) FROM games g WHERE g.id = %s",
            [self.game],
        ).fetchone()

    def _fed(self) -> Iterator[Entry]:
        while True:
            yield self._queue.popleft()

    def _one(self, statement: str) -> Any:
        found = self.rows.execute(statement.encode(), [self.game]).fetchone()
        return None if found is None else found[0]

    def _grown(self, game_row: Any) -> None:
        writes = self._one("SELECT writes FROM games WHERE id = %s")
        assert game_row.version >= self.version
        assert writes >= self.writes
        assert game_row.version == self.version or writes > self.writes
        self.version, self.writes = game_row.version, writes

    def _feed_is_gapless(self, version: int) -> None:
        count, low, high, back = self.rows.execute(
            "SELECT count(*), min(seq), max(seq), count(*) FILTER (WHERE turn < before) FROM"
            " (SELECT seq, turn, lag(turn) OVER (ORDER BY seq) AS before FROM events WHERE game_id = %s) AS e",
            [self.game],
        ).fetchone() or (0, 0, 0, 0)
        assert (count, low, high) == (version, 1, version), "the feed has no gaps and ends at the game's version"
        assert back == 0, "its turns never go back"

    def _receipts_fit(self, game_row: Any, pending: dict[int, Any]) -> None:
        """Each is of one id with revisions from 1 on, and its last choice is the one that counts."""
        kept = self.rows.execute(
            "SELECT turn, seat, revision, id, action FROM submissions WHERE game_id = %s ORDER BY 1, 2, 3", [self.game]
        ).fetchall()
        logged = {(e.turn, seat): action for e in self.entries for seat, action in e.actions}
        idents = set()
        for (turn, seat), revisions in itertools.groupby(kept, lambda row: (row[0], row[1])):
            rows = list(revisions)
            assert [row[2] for row in rows] == list(range(1, len(rows) + 1))
            assert len({row[3] for row in rows}) == 1
            assert rows[0][3] not in idents
            idents.add(rows[0][3])
            counts = logged.get((turn, seat)) if turn != game_row.turn else logged.get((turn, seat), pending.get(seat))
            assert counts == rows[-1][4], f"the choice of seat {seat} in turn {turn} is the last that it was told of"
        for seat in pending:
            if (
                not any(row[:2] == (game_row.turn, seat) for row in kept)
                and (game_row.turn, seat) not in self.played_for
            ):
                assert self._stands_in(seat), f"seat {seat} has a choice that nobody made"
                self.played_for.add((game_row.turn, seat))

    def _stands_in(self, seat: int) -> bool:
        """Whether somebody else chooses for the seat, or did until its player came back: then there is no receipt."""
        found = self.rows.execute(
            "SELECT bot IS NOT NULL OR resigned_at IS NOT NULL"
            " OR EXISTS (SELECT FROM events e WHERE e.game_id = s.game_id AND e.public ->> 'type' = 'seat_absent'"
            " AND e.public ->> 'seat' = s.seat::text)"
            " FROM seats s WHERE s.game_id = %s AND s.seat = %s",
            [self.game, seat],
        ).fetchone()
        return bool(found and found[0])
