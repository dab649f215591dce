"""Games, their seats and who is awaited."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from uuid import UUID

import msgspec
from msgspec import Struct
from psycopg.sql import SQL
from psycopg.types.json import Json

from service.app.accounts.names import BUILT_IN
from service.app.records.changes import NewEvent
from service.app.records.games import Game, SeatHolder, Status
from service.app.records.play import Waiting
from service.app.records.players import Principal, TokenFault
from service.app.records.ratings import RatingChange
from service.engine.turn import Seat

from .accounts import EXPIRED, PRINCIPAL
from .ratings import SELECT_CHANGES
from .rows import Query, Rows, Statement, events_json


class _Seated(Struct):
    game: UUID
    awaited: bool
    holder: SeatHolder


class _Turn(Struct):
    digest: bytes
    fault: TokenFault | None
    principal: Principal
    waiting: Waiting | None


_GAME = SQL("""
    g.id, g.ruleset, g.ruleset_version, g.status, g.visibility, g.spectators, g.seat_count, g.options, g.creator,
    g.created_at, g.started_at, g.ended_at, g.version, g.turn, g.kind, g.result, g.commitment,
    CASE WHEN g.status = 'over' THEN g.seed END AS seed,
    CASE WHEN g.status = 'over' THEN g.head END AS head,
    g.turn_seconds, g.absence, g.deadline, g.practice, g.rated, g.rated_at
""")
_TURN = SQL("a.game_id AS game, g.ruleset, a.seat, a.turn, a.kind, a.since, g.deadline")
_HOLDER = SQL("s.seat, s.player_id AS player, p.name, s.taken_at, s.resigned_at, s.entropy, s.bot, s.absent_since")

_ADD_GAME = Statement("""
    INSERT INTO games (
        id, ruleset, ruleset_version, status, visibility, spectators, seat_count, options, creator, created_at,
        commitment, seed, version, turn_seconds, absence, practice, rated
    )
    VALUES (
        %(id)s, %(ruleset)s, %(ruleset_version)s, %(status)s, %(visibility)s, %(spectators)s, %(seat_count)s,
        %(options)s, %(creator)s, %(at)s, %(commitment)s, %(seed)s, 0, %(turn_seconds)s, %(absence)s, %(practice)s,
        %(rated)s
    )
""")
_GAMES_UNDER_WAY = Query(int, "SELECT count(*) FROM games WHERE creator = %(creator)s AND status IN ('open', 'active')")
EMPTY_GAMES = Query(
    int,
    """
    SELECT count(*)
    FROM games
    WHERE creator = %(creator)s
        AND empty_since > (SELECT clock_timestamp() - make_interval(days => %(days)s))
    """,
)
_APART = ("holders", "awaited", "rating_changes")
_GAME_BY_ID = Query(Game, SQL("SELECT {game} FROM games g WHERE g.id = %(game)s").format(game=_GAME), _APART)
_SEATED = Query(
    _Seated,
    SQL("""
        SELECT s.game_id AS game, a.seat IS NOT NULL AS awaited, {holder}
        FROM seats s
        JOIN players p ON p.id = s.player_id
        LEFT JOIN awaited a ON a.game_id = s.game_id AND a.seat = s.seat
        WHERE s.game_id = ANY(%(games)s)
        ORDER BY s.game_id, s.seat
    """).format(holder=_HOLDER),
)
_HOLDERS = Query(
    SeatHolder,
    SQL("""
        SELECT {holder}
        FROM seats s
        JOIN players p ON p.id = s.player_id
        WHERE s.game_id = %(game)s
        ORDER BY s.seat
    """).format(holder=_HOLDER),
)
_ADD_BOT = Query(
    UUID,
    """
    WITH made AS (
        INSERT INTO players (id, name, bot)
        VALUES (%(new)s, %(name)s, %(bot)s)
        ON CONFLICT (bot) DO NOTHING
        RETURNING id
    )
    SELECT id FROM made
    UNION ALL
    SELECT id FROM players WHERE bot = %(bot)s
    LIMIT 1
    """,
)
_BOT = Query(UUID, "SELECT id FROM players WHERE bot = %(bot)s")
_WAITING = Query(
    Waiting,
    SQL("""
        SELECT {turn}
        FROM awaited a
        JOIN games g ON g.id = a.game_id
        WHERE a.player_id = %(player)s AND (%(game)s::uuid IS NULL OR a.game_id = %(game)s)
        ORDER BY a.since, a.game_id, a.seat
    """).format(turn=_TURN),
)
_TURNS_BY_TOKENS = Query(
    _Turn,
    SQL("""
        SELECT t.digest, {expired}, {principal}, {turn}
        FROM tokens t
        LEFT JOIN (awaited a JOIN games g ON g.id = a.game_id)
            ON a.player_id = t.player_id AND (t.game_id IS NULL OR a.game_id = t.game_id)
        WHERE t.digest = ANY(%(digests)s)
        ORDER BY a.since, a.game_id, a.seat
    """).format(expired=EXPIRED, principal=PRINCIPAL, turn=_TURN),
)


@cache
def _games(
    *, status: bool, ruleset: bool, player: bool, open_seats: bool | None, before: bool, private: bool
) -> Query[Game]:
    """A game has open seats exactly while its status is `open`: it starts when the last one is taken."""
    conditions = {
        "g.visibility = 'public'": not private,
        "g.status = %(status)s": status,
        "g.ruleset = %(ruleset)s": ruleset,
        "g.status = 'open'": open_seats is True,
        "g.status <> 'open'": open_seats is False,
        "g.id < %(before)s": before,
        "s.player_id = %(player)s": player,
        "s.game_id < %(before)s": player and before,
    }
    where = [SQL(condition) for condition, wanted in conditions.items() if wanted]
    return Query(
        Game,
        SQL("""
            SELECT {game}
            FROM games g
            {seats}
            WHERE {where}
            ORDER BY {order} DESC
            LIMIT %(limit)s
        """).format(
            game=_GAME,
            seats=SQL("JOIN seats s ON s.game_id = g.id" if player else ""),
            where=SQL(" AND ").join(where or [SQL("true")]),
            order=SQL("s.game_id" if player else "g.id"),
        ),
        _APART,
    )


class Games(Rows):
    def add_game(self, game: Game, seed: bytes) -> None:
        self.execute(
            _ADD_GAME,
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
        return self.one(_GAMES_UNDER_WAY, creator=creator)

    def empty_games(self, creator: UUID, days: int) -> int:
        return self.one(EMPTY_GAMES, creator=creator, days=days)

    def game(self, game: UUID) -> Game | None:
        found = self.first(_GAME_BY_ID, game=game)
        return None if found is None else self._with_seats([found])[0]

    def games(
        self,
        *,
        status: Status | None,
        ruleset: str | None,
        player: UUID | None,
        open_seats: bool | None,
        before: UUID | None,
        limit: int,
        private: bool = False,
    ) -> list[Game]:
        query = _games(
            status=status is not None,
            ruleset=ruleset is not None,
            player=player is not None,
            open_seats=open_seats,
            before=before is not None,
            private=private,
        )
        found = self.all(query, status=status, ruleset=ruleset, player=player, before=before, limit=limit)
        return self._with_seats(found)

    def _with_seats(self, games: list[Game]) -> list[Game]:
        if not games:
            return []
        seated: dict[UUID, list[_Seated]] = {game.id: [] for game in games}
        for one in self.all(_SEATED, games=list(seated)):
            seated[one.game].append(one)
        changes: dict[UUID, list[RatingChange]] = {game.id: [] for game in games if game.rated_at is not None}
        if changes:
            for changed in self.all(SELECT_CHANGES, games=list(changes)):
                changes[changed.game].append(changed.change)
        return [
            msgspec.structs.replace(
                game,
                holders=tuple(one.holder for one in seated[game.id]),
                awaited=tuple(one.holder.seat for one in seated[game.id] if one.awaited),
                rating_changes=tuple(changes[game.id]) if game.id in changes else None,
            )
            for game in games
        ]

    def holders(self, game: UUID) -> list[SeatHolder]:
        return self.all(_HOLDERS, game=game)

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
        self.execute(
            """
            INSERT INTO seats (game_id, seat, player_id, taken_at, entropy, bot, invitation)
            VALUES (%(game)s, %(seat)s, %(player)s, %(at)s, %(entropy)s, %(bot)s, %(invitation)s)
            """,
            game=game,
            seat=seat,
            player=player,
            entropy=entropy,
            at=at,
            bot=bot,
            invitation=invitation,
        )

    def bot_player(self, bot: str, new: UUID) -> UUID:
        found = self.first(_ADD_BOT, new=new, name=BUILT_IN.format(bot=bot), bot=bot)
        # None: made by somebody else at this very moment
        return self.one(_BOT, bot=bot) if found is None else found

    def leave_seat(self, game: UUID, seat: Seat) -> None:
        self.execute("DELETE FROM seats WHERE game_id = %(game)s AND seat = %(seat)s", game=game, seat=seat)

    def append_events(self, game: UUID, version: int, events: Sequence[NewEvent], at: datetime) -> None:
        """All of the events are of one turn."""
        self.changed[game] = version
        self.execute(
            """
            WITH moved AS (
                UPDATE games
                SET version = %(version)s, writes = writes + 1
                WHERE id = %(game)s
                RETURNING id
            )
            INSERT INTO events (game_id, seq, at, turn, public, private)
            SELECT moved.id, %(version)s - %(count)s + e.n, %(at)s::timestamptz, %(turn)s, e.public, e.private
            FROM
                moved,
                ROWS FROM (json_to_recordset(%(events)s::json) AS (public json, private json)) WITH ORDINALITY
                    AS e (public, private, n)
            """,
            game=game,
            version=version,
            at=at,
            count=len(events),
            turn=events[0].turn,
            events=events_json(events),
        )

    def begin(self, game: UUID, entropy: bytes, head: bytes) -> None:
        self.execute(
            """
            UPDATE games
            SET status = 'active', entropy = %(entropy)s, head = %(head)s, writes = writes + 1
            WHERE id = %(game)s
            """,
            game=game,
            entropy=entropy,
            head=head,
        )

    def waiting(self, player: UUID, game: UUID | None) -> list[Waiting]:
        return self.all(_WAITING, player=player, game=game)

    def turns_by_tokens(self, digests: Sequence[bytes]) -> list[tuple[Principal, list[Waiting]] | TokenFault]:
        found: dict[bytes, tuple[Principal, list[Waiting]] | TokenFault] = {}
        for row in self.all(_TURNS_BY_TOKENS, digests=list(digests)):
            known = found.setdefault(row.digest, row.fault or (row.principal, []))
            if isinstance(known, tuple) and row.waiting is not None:
                known[1].append(row.waiting)
        return [found.get(digest, TokenFault.UNKNOWN) for digest in digests]
