"""The store's tables where games are distributed over the nodes of a Citus cluster.

The tables of games lie on the nodes, all others on the coordinator. A statement about one game names it, so that it
goes to that game's node alone, and no other has to be there. What is due, in any game, the coordinator knows: see
`agenda`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import EllipsisType
from typing import Any
from uuid import UUID

import msgspec
import psycopg
from msgspec import Struct
from msgspec.structs import replace
from psycopg.sql import SQL

from holmgang import logs
from holmgang.app.play.steps import house_event
from holmgang.app.records.changes import NewEvent
from holmgang.app.records.contexts import GameRow
from holmgang.app.records.games import Game, SeatHolder
from holmgang.app.records.play import Beat, HouseEvent, HouseEventType
from holmgang.app.records.players import Principal, TokenFault
from holmgang.app.records.ratings import Rating
from holmgang.engine.turn import Seat

from .access import GAME_ROW_APART, LOCKED_GAME_ROW_APART, MAY_SEE_APART, SEEN_BY_TOURNAMENT, F, Reading
from .accounts import PRINCIPAL, token_fault
from .agenda import Agenda
from .all_tables import PostgresTables
from .away import Away, PassingOver
from .callers import DistributedCallers, Lately
from .connections import Connection
from .figures import FiguresApart
from .functions import APART
from .games import EMPTY_GAMES_APART, SEATED_APART, UNDER_WAY_APART, Seated
from .news import News
from .ratings import NEXT_UNRATED_APART
from .rows import Query, Statement
from .seats import HOLDERS_APART
from .tasks import CLAIM_TASKS_APART, OVERDUE_APART, UNKEPT
from .tournaments import TO_COUNT_APART
from .turns import PLAYERS_APART, TURNS_BY_TOKENS_APART, WAITING_APART


class _Known(Struct):
    """What the coordinator knows of a caller, and the last pulse if deadlines do not hold."""

    unkept: datetime | None
    fault: TokenFault | None
    principal: Principal | None


class _Name(Struct):
    id: UUID
    name: str


class _Written(Struct):
    id: UUID
    written_at: datetime


class _Pulse(Struct):
    at: datetime
    now: datetime
    putting_off_since: datetime | None
    put_off_at: datetime | None


class _Owed(Struct):
    id: UUID
    deadline: datetime


_UNKEPT = Query(datetime, SQL("SELECT {unkept}").format(unkept=UNKEPT))
_KNOWN = Query(
    _Known,
    SQL("""
        SELECT {unkept} AS unkept, {fault} AS fault, {principal}
        FROM (SELECT) AS one
        LEFT JOIN tokens t ON t.digest = %(digest)s
    """).format(unkept=UNKEPT, fault=token_fault(SQL("%(digest)s::bytea")), principal=PRINCIPAL),
)
_MOVE = Query(str, SQL("SELECT {move} AS noted").format(move=APART.move.call()))
_REVIVE = Statement(SQL("SELECT FROM {revive}").format(revive=APART.revive.call()))
_START = Statement(SQL("SELECT FROM {start}").format(start=APART.start.call()))
_END_ABSENCE = Statement(SQL("SELECT FROM {end_absence}").format(end_absence=APART.end_absence.call()))
_PULSE = Query(
    _Pulse,
    "SELECT at, clock_timestamp() AS now, putting_off_since, put_off_at FROM pulse WHERE id = 1 FOR UPDATE",
)
_BEAT = Statement("""
    INSERT INTO pulse (id, at, putting_off_since, put_off_at)
    VALUES (1, %(at)s, %(since)s, %(put_off)s)
    ON CONFLICT (id) DO UPDATE
    SET at = excluded.at, putting_off_since = excluded.putting_off_since, put_off_at = excluded.put_off_at
""")
_OWED = Query(
    _Owed,
    """
    SELECT id, deadline
    FROM agenda
    WHERE deadline > %(after)s::timestamptz
        AND (put_off_at BETWEEN %(since)s::timestamptz AND %(now)s::timestamptz) IS NOT TRUE
        AND (
            %(forward)s
            OR turn_seconds IS NULL
            OR deadline > %(now)s::timestamptz + make_interval(secs => turn_seconds)
        )
        AND deadline <= coalesce(%(below)s::timestamptz, 'infinity')
    ORDER BY deadline DESC
    LIMIT %(limit)s
    """,
)
_FORGET = Query(bool, SQL("SELECT {forget} AS forgotten").format(forget=APART.forget.call()))
_PUT_OFF = Query(int, SQL("SELECT {put_off} AS version").format(put_off=APART.put_off.call()))
_SEEN_TO = Statement("UPDATE agenda SET put_off_at = %(now)s WHERE id = ANY(%(games)s)")


_NAMES = Query(_Name, "SELECT id, name FROM players WHERE id = ANY(%(players)s)")
_log = logs.get_logger("holmgang.store")
_PUT_OFF_AT_ONCE = 100
"""Of games whose deadlines are put off: each takes some ten statements, while it and the pulse are locked. If a batch
took longer than an outage, the next one would begin anew."""
_TRIES = 64
"""For a new game: so many in a row come to nodes that are away only where all are, or nearly."""
_NOBODY = UUID(int=0)
"""Sits at no table. Citus takes a join by NULL for one of tables that do not belong together."""


class DistributedTables(PassingOver, Agenda, DistributedCallers, FiguresApart, News, PostgresTables):
    """All of `ports.Tables` on one connection to the coordinator."""

    _overdue = OVERDUE_APART
    _claim_tasks = CLAIM_TASKS_APART
    _waiting = WAITING_APART
    _turns_by_tokens = TURNS_BY_TOKENS_APART
    _players = PLAYERS_APART
    _next_unrated = NEXT_UNRATED_APART
    _under_way = UNDER_WAY_APART
    _empty_games = EMPTY_GAMES_APART
    _games_to_count = TO_COUNT_APART
    _may_see = MAY_SEE_APART

    _unkept: datetime | EllipsisType | None = ...
    """The last pulse if deadlines did not hold when this caller's game was read. An ellipsis if none was."""

    def __init__(self, connection: Connection, away: Away, lately: Lately) -> None:
        super().__init__(connection, away)
        self._lately = lately

    def _last_pulse(self) -> datetime | None:
        if isinstance(self._unkept, EllipsisType):
            self._unkept = self.first(_UNKEPT)
        return self._unkept

    def read_caller(
        self, reading: Reading[F], digest: bytes | None, game: UUID, invitation: bytes | None = None, **more: Any
    ) -> F:
        known = self.one(_KNOWN, digest=digest)
        self._unkept = known.unkept
        nothing = reading.record(known.fault, *[None] * (len(reading.record.__struct_fields__) - 1))
        if known.fault is not None:
            return nothing
        who = known.principal
        asked = {
            "game": game,
            "invitation": invitation,
            "player": who and who.player,
            "sits": _NOBODY if who is None else who.player,
            "token": who and who.token,
            "scopes": who and list(who.scopes),
            "limited": who and who.game,
            "own_seat": who and who.seat,
            "kept": known.unkept is None,
            **more,
        }
        found = self.first(reading.apart, admitted=False, **asked)
        if found is None and self._seen_by_tournament(who, game, invitation):
            found = self.first(reading.apart, admitted=True, **asked)
        return nothing if found is None else found

    def _seen_by_tournament(self, who: Principal | None, game: UUID, invitation: bytes | None) -> bool:
        viewer = who.player if who is not None and who.game in (None, game) else None
        return self.first(SEEN_BY_TOURNAMENT, game=game, viewer=viewer, invitation=invitation) is not None

    def may_see(self, player: UUID, game: UUID, invitation: bytes | None = None) -> bool:
        by_tournament = {"game": game, "viewer": player, "invitation": invitation}
        return super().may_see(player, game, invitation) or self.first(SEEN_BY_TOURNAMENT, **by_tournament) is not None

    def game_row(self, game: UUID, *, lock: bool) -> GameRow | None:
        return self.first(LOCKED_GAME_ROW_APART if lock else GAME_ROW_APART, game=game, kept=self._last_pulse() is None)

    def _move(self, **arguments: Any) -> datetime | None:
        noted = self.first(_MOVE, unkept=self._last_pulse(), **arguments)
        if noted is None:
            return None
        written = msgspec.json.decode(noted, type=_Written)
        self._noted[written.id] = noted
        self._to_note.discard(written.id)
        return written.written_at

    def new_game(self) -> UUID:
        found = super().new_game()
        for _ in range(_TRIES):
            if not self.is_away(found):
                break
            found = super().new_game()
        return found

    def add_game(self, game: Game, seed: bytes) -> None:
        super().add_game(game, seed)
        self.enter(game)

    def append_events(self, game: UUID, version: int, events: Sequence[NewEvent], at: datetime) -> None:
        super().append_events(game, version, events, at)
        self._to_note.add(game)

    def set_leave(self, game: UUID, seat: Seat, at: datetime, *, begins: bool) -> None:
        super().set_leave(game, seat, at, begins=begins)
        self._to_note.add(game)

    def mark_rated(self, game: UUID) -> bool:
        self._to_note.add(game)
        return super().mark_rated(game)

    def set_ratings(self, ruleset: str, number: int, ratings: Mapping[UUID, Rating]) -> None:
        self.together()
        super().set_ratings(ruleset, number, ratings)

    def touch(self, ident: UUID) -> None:
        self.together()
        super().touch(ident)

    def keep_answer(self, principal: UUID, key: str, call: bytes, body: bytes, answer: Any) -> None:
        self.together()
        super().keep_answer(principal, key, call, body, answer)

    def bot_player(self, bot: str, new: UUID) -> UUID:
        found = super().bot_player(bot, new)
        if found == new:
            self.together()
        return found

    def _archive(self, game: UUID, days: int, event: str) -> int | None:
        try:
            with self.atomic(True):
                version = super()._archive(game, days, event)
                if version:
                    self._to_note.add(game)
        except psycopg.Error as fault:
            if self._connection.broken:
                raise
            _log.warning("an idle game cannot be archived", game=str(game), fault=str(fault))
            return None  # its node is lost: others do not wait for it
        return version

    def _forget(self, game: UUID) -> bool:
        forgotten = self.one(_FORGET, game=game)
        if forgotten:
            self.deleted(game)
        return forgotten

    def _revive(self, **arguments: Any) -> None:
        self.execute(_REVIVE, **arguments)

    def _start(self, **arguments: Any) -> None:
        self.execute(_START, **arguments)

    def _end_absence(self, **arguments: Any) -> None:
        self.execute(_END_ABSENCE, **arguments)

    def beat(self, most_seconds: float, told: HouseEventType, limit: int, below: datetime | None = None) -> Beat:
        limit = min(limit, _PUT_OFF_AT_ONCE)
        with self.atomic(True):
            pulse = self.first(_PULSE)
            if pulse is None or abs((pulse.now - pulse.at).total_seconds()) <= most_seconds:
                self.execute(
                    _BEAT, at=self.now() if pulse is None else max(pulse.at, pulse.now), since=None, put_off=None
                )
                return Beat()
            return self._put_off(pulse, most_seconds, told, limit, below)

    def _put_off(
        self, pulse: _Pulse, most_seconds: float, told: HouseEventType, limit: int, below: datetime | None
    ) -> Beat:
        """One batch, as `_BEAT` of plain tables does it in one statement."""
        self.together()
        now, forward = pulse.now, pulse.at < pulse.now
        begun = pulse.putting_off_since is not None
        recent = pulse.put_off_at is not None and abs((now - pulse.put_off_at).total_seconds()) <= most_seconds
        since = pulse.putting_off_since if recent and pulse.putting_off_since is not None else now
        owed = {"now": now, "since": since, "forward": forward, "after": pulse.at if forward else now}
        due = self.all(_OWED, **owed, below=below, limit=limit)
        event = house_event(0, HouseEvent(type=told)).public
        seen_to = []
        for game in due:
            try:
                with self._connection.transaction():
                    version = self.first(_PUT_OFF, game=game.id, before=pulse.at, now=now, begun=begun, event=event)
            except psycopg.Error as fault:
                if self._connection.broken:
                    raise
                _log.warning("a deadline cannot be put off", game=str(game.id), fault=str(fault))
                seen_to.append(game.id)  # its node is lost: others do not wait for it
                continue
            if version is not None:
                self.changed[game.id] = version
                self._to_note.add(game.id)
                seen_to.append(game.id)
        self.execute(_SEEN_TO, games=seen_to, now=now)
        finished = len(due) < limit and not self.all(_OWED, **owed, below=None, limit=1)
        if finished:
            self.execute(_BEAT, at=self.now(), since=None, put_off=None)
        else:
            self.execute(_BEAT, at=pulse.at, since=since, put_off=now)
        lowest = due[-1].deadline if len(due) == limit else None
        return Beat(outage=(now - pulse.at).total_seconds(), finished=finished, below=lowest)

    def holders(self, game: UUID) -> list[SeatHolder]:
        return self._named(self.all(HOLDERS_APART, game=game))

    def _seated(self, games: list[UUID]) -> list[Seated]:
        found = self.all(SEATED_APART, games=games)
        for one, holder in zip(found, self._named([one.holder for one in found]), strict=True):
            one.holder = holder
        return found

    def _named(self, holders: list[SeatHolder]) -> list[SeatHolder]:
        """In a join Citus would send all players to the node."""
        players = {holder.player for holder in holders}
        names = {one.id: one.name for one in self.all(_NAMES, players=list(players))}
        return [replace(holder, name=names[holder.player]) for holder in holders]
