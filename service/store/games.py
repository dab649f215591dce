"""Games, their seats and who is awaited."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from psycopg.types.json import Json

from service.app.accounts.names import BUILT_IN
from service.app.records.changes import NewEvent
from service.app.records.games import Game, Result, SeatHolder
from service.app.records.play import Waiting
from service.app.records.players import Principal, TokenFault
from service.app.records.ratings import RatingChange
from service.engine.turn import Seat

from .accounts import principal_of
from .ratings import SELECT_CHANGES, change_of
from .rows import Row, Rows, events_json

_COLUMNS = [name for name in Game.__struct_fields__ if name not in ("awaited", "holders", "rating_changes")]
_ONCE_OVER = {name: f"CASE WHEN g.status = 'over' THEN g.{name} END" for name in ("seed", "head")}
_GAME = ", ".join(_ONCE_OVER.get(name, f"g.{name}") for name in _COLUMNS)
_RATED_AT = _COLUMNS.index("rated_at")
_TURN = "a.game_id, g.ruleset, a.seat, a.turn, a.kind, a.since, g.deadline"
_TURNS_ORDER = "a.since, a.game_id, a.seat"
_HOLDER = "s.seat, s.player_id, p.name, s.taken_at, s.resigned_at, s.entropy, s.bot, s.absent_since"


def _game_of(row: Row, holders: Sequence[SeatHolder], awaited: Sequence[Seat], changes: Sequence[RatingChange]) -> Game:
    facts = dict(zip(_COLUMNS, row, strict=True))
    if facts["result"] is not None:
        facts["result"] = msgspec.convert(facts["result"], Result)
    if facts["rated_at"] is not None:
        facts["rating_changes"] = tuple(changes)
    return Game(**facts, holders=tuple(holders), awaited=tuple(awaited))


def _waiting_of(row: Sequence[Any]) -> Waiting:
    game, ruleset, seat, turn, kind, since, deadline = row
    return Waiting(game=game, ruleset=ruleset, seat=seat, turn=turn, kind=kind, since=since, deadline=deadline)


class Games(Rows):
    def add_game(self, game: Game, seed: bytes) -> None:
        self.done(
            "INSERT INTO games (id, ruleset, ruleset_version, status, visibility, spectators, seat_count, options,"
            " creator, created_at, commitment, seed, version, turn_seconds, absence, practice, rated)"
            " VALUES (%(id)s, %(ruleset)s, %(ruleset_version)s, %(status)s, %(visibility)s, %(spectators)s,"
            " %(seat_count)s, %(options)s, %(creator)s, %(at)s, %(commitment)s, %(seed)s, 0,"
            " %(turn_seconds)s, %(absence)s, %(practice)s, %(rated)s)",
            id=game.id,
            ruleset=game.ruleset,
            ruleset_version=game.ruleset_version,
            status=game.status,
            visibility=game.visibility,
            spectators=game.spectators,
            seat_count=game.seat_count,
            options=Json(game.options),
            creator=game.creator,
            at=game.created_at,
            commitment=game.commitment,
            seed=seed,
            turn_seconds=game.turn_seconds,
            absence=game.absence,
            practice=game.practice,
            rated=game.rated,
        )

    def games_under_way(self, creator: UUID) -> int:
        row = self.one(
            "SELECT count(*) FROM games WHERE creator = %(creator)s AND status IN ('open', 'active')", creator=creator
        )
        assert row is not None
        return int(row[0])

    def empty_games(self, creator: UUID, days: int) -> int:
        row = self.one(
            "SELECT count(*) FROM games WHERE creator = %(creator)s"
            " AND empty_since > (SELECT clock_timestamp() - make_interval(days => %(days)s))",
            creator=creator,
            days=days,
        )
        assert row is not None
        return int(row[0])

    def game(self, game: UUID) -> Game | None:
        row = self.one(f"SELECT {_GAME} FROM games g WHERE g.id = %(game)s", game=game)  # nosec B608 # constants
        return None if row is None else self._with_seats([row])[0]

    def games(
        self,
        *,
        status: str | None,
        ruleset: str | None,
        player: UUID | None,
        open_seats: bool | None,
        before: UUID | None,
        limit: int,
        private: bool = False,
    ) -> list[Game]:
        """A game has open seats exactly while its status is `open`: it starts when the last one is taken."""
        where = ["true" if private else "g.visibility = 'public'"]
        if status is not None:
            where.append("g.status = %(status)s")
        if ruleset is not None:
            where.append("g.ruleset = %(ruleset)s")
        if open_seats is not None:
            where.append("g.status = 'open'" if open_seats else "g.status <> 'open'")
        if before is not None:
            where.append("g.id < %(before)s")
        source = "games g"
        if player is not None:
            source += " JOIN seats s ON s.game_id = g.id"
            where.append("s.player_id = %(player)s")
            if before is not None:
                where.append("s.game_id < %(before)s")
        rows = self.all(
            f"SELECT {_GAME} FROM {source} WHERE {' AND '.join(where)}"  # nosec B608 # constants
            f" ORDER BY {'s.game_id' if player is not None else 'g.id'} DESC LIMIT %(limit)s",
            status=status,
            ruleset=ruleset,
            player=player,
            before=before,
            limit=limit,
        )
        return self._with_seats(rows)

    def _with_seats(self, rows: list[Row]) -> list[Game]:
        holders: dict[UUID, list[SeatHolder]] = {row[0]: [] for row in rows}
        awaited: dict[UUID, list[Seat]] = {row[0]: [] for row in rows}
        if rows:
            for game, waits, *rest in self.all(
                "SELECT s.game_id, a.seat IS NOT NULL,"  # nosec B608 # constants
                f" {_HOLDER}"
                " FROM seats s JOIN players p ON p.id = s.player_id"
                " LEFT JOIN awaited a ON a.game_id = s.game_id AND a.seat = s.seat"
                " WHERE s.game_id = ANY(%(games)s) ORDER BY s.game_id, s.seat",
                games=list(holders),
            ):
                holders[game].append(SeatHolder(*rest))
                if waits:
                    awaited[game].append(rest[0])
        changes: dict[UUID, list[RatingChange]] = {row[0]: [] for row in rows if row[_RATED_AT] is not None}
        if changes:
            for game, *change in self.all(SELECT_CHANGES, games=list(changes)):
                changes[game].append(change_of(change))
        return [_game_of(row, holders[row[0]], awaited[row[0]], changes.get(row[0], ())) for row in rows]

    def holders(self, game: UUID) -> list[SeatHolder]:
        rows = self.all(
            f"SELECT {_HOLDER}"  # nosec B608 # constants
            " FROM seats s JOIN players p ON p.id = s.player_id WHERE s.game_id = %(game)s ORDER BY s.seat",
            game=game,
        )
        return [SeatHolder(*row) for row in rows]

    def take_seat(
        self,
        game: UUID,
        seat: Seat,
        player: UUID,
        entropy: bytes | None,
        at: datetime,
        bot: str | None = None,
        invitation: UUID | None = None,
    ) -> None:
        self.done(
            "INSERT INTO seats (game_id, seat, player_id, taken_at, entropy, bot, invitation)"
            " VALUES (%(game)s, %(seat)s, %(player)s, %(at)s, %(entropy)s, %(bot)s, %(invitation)s)",
            game=game,
            seat=seat,
            player=player,
            entropy=entropy,
            at=at,
            bot=bot,
            invitation=invitation,
        )

    def bot_player(self, bot: str, new: UUID) -> UUID:
        row = self.one(
            "WITH made AS (INSERT INTO players (id, name, bot) VALUES (%(new)s, %(name)s, %(bot)s)"
            " ON CONFLICT (bot) DO NOTHING RETURNING id)"
            " SELECT id FROM made UNION ALL SELECT id FROM players WHERE bot = %(bot)s LIMIT 1",
            new=new,
            name=BUILT_IN.format(bot=bot),
            bot=bot,
        )
        if row is None:  # made by somebody else at this very moment
            row = self.one("SELECT id FROM players WHERE bot = %(bot)s", bot=bot)
        assert row is not None
        ident: UUID = row[0]
        return ident

    def leave_seat(self, game: UUID, seat: Seat) -> None:
        self.done("DELETE FROM seats WHERE game_id = %(game)s AND seat = %(seat)s", game=game, seat=seat)

    def append_events(self, game: UUID, version: int, events: Sequence[NewEvent], at: datetime) -> None:
        """All of the events are of one turn."""
        self.changed[game] = version
        self.done(
            "WITH moved AS (UPDATE games SET version = %(version)s, writes = writes + 1 WHERE id = %(game)s"
            " RETURNING id)"
            " INSERT INTO events (game_id, seq, at, turn, public, private)"
            " SELECT moved.id, %(version)s - %(count)s + e.n, %(at)s::timestamptz, %(turn)s, e.public, e.private"
            " FROM moved, ROWS FROM (json_to_recordset(%(events)s::json) AS (public json, private json))"
            " WITH ORDINALITY AS e (public, private, n)",
            game=game,
            version=version,
            at=at,
            count=len(events),
            turn=events[0].turn,
            events=events_json(events),
        )

    def begin(self, game: UUID, entropy: bytes, head: bytes) -> None:
        self.done(
            "UPDATE games SET status = 'active', entropy = %(entropy)s, head = %(head)s, writes = writes + 1"
            " WHERE id = %(game)s",
            game=game,
            entropy=entropy,
            head=head,
        )

    def waiting(self, player: UUID, game: UUID | None) -> list[Waiting]:
        rows = self.all(
            f"SELECT {_TURN} FROM awaited a JOIN games g ON g.id = a.game_id"  # nosec B608 # constants
            " WHERE a.player_id = %(player)s AND (%(game)s::uuid IS NULL OR a.game_id = %(game)s)"
            f" ORDER BY {_TURNS_ORDER}",
            player=player,
            game=game,
        )
        return [_waiting_of(row) for row in rows]

    def turns_by_tokens(self, digests: Sequence[bytes]) -> list[tuple[Principal, list[Waiting]] | TokenFault]:
        found: dict[bytes, tuple[Principal, list[Waiting]] | TokenFault] = {}
        for digest, *row in self.all(
            "SELECT t.digest, t.id, t.player_id, t.scopes, t.game_id, t.seat,"  # nosec B608 # constants
            f" coalesce(t.expires_at <= clock_timestamp(), false), {_TURN}"
            " FROM tokens t LEFT JOIN (awaited a JOIN games g ON g.id = a.game_id)"
            " ON a.player_id = t.player_id AND (t.game_id IS NULL OR a.game_id = t.game_id)"
            f" WHERE t.digest = ANY(%(digests)s) ORDER BY {_TURNS_ORDER}",
            digests=list(digests),
        ):
            if digest not in found:
                me = principal_of(row[:6])
                found[digest] = (me, []) if isinstance(me, Principal) else me
            known, turn = found[digest], row[6:]
            if isinstance(known, tuple) and turn[0] is not None:
                known[1].append(_waiting_of(turn))
        return [found.get(digest, TokenFault.UNKNOWN) for digest in digests]
