"""Who holds which seat, and who owes a choice there."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from psycopg.sql import SQL, Composable

from holmgang.app.accounts.names import BUILT_IN, folded
from holmgang.app.records.games import SeatHolder
from holmgang.engine.turn import Seat

from .functions import BESIDE
from .rows import Query, Rows, Statement


class Names(NamedTuple):
    """Where a statement has the name of who holds seat `s` from."""

    name: SQL
    tables: SQL

    def holder(self) -> Composable:
        return SQL("""
            s.seat, s.player_id AS player, {name} AS name, s.taken_at, s.resigned_at, s.entropy, s.bot, s.absent_since
        """).format(name=self.name)


BESIDE_SEATS = Names(SQL("p.name"), SQL("JOIN players p ON p.id = s.player_id"))
NOT_YET = Names(SQL("''"), SQL(""))
"""Players are not beside the seats: their names are read afterwards."""


def _holders(names: Names) -> Query[SeatHolder]:
    return Query(
        SeatHolder,
        SQL("SELECT {holder} FROM seats s {names} WHERE s.game_id = %(game)s ORDER BY s.seat").format(
            holder=names.holder(), names=names.tables
        ),
    )


_HOLDERS = _holders(BESIDE_SEATS)
HOLDERS_APART = _holders(NOT_YET)


_ADD_BOT = Query(
    UUID,
    """
    WITH made AS (
        INSERT INTO players (id, name, bot, kind, folded)
        VALUES (%(new)s, %(name)s, %(bot)s, 'bot', %(folded)s)
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


_AWAITS = "SELECT 1 FROM awaited WHERE game_id = %(game)s AND seat = %(seat)s"


_PLAYED_BY = Query(str, "SELECT played_by FROM awaited WHERE game_id = %(game)s AND seat = %(seat)s")


_END_ABSENCE = Statement(SQL("SELECT FROM {end_absence}").format(end_absence=BESIDE.end_absence.call()))


_LEAVE = Query(int, SQL("SELECT {leave} AS version").format(leave=BESIDE.leave.call()))


class Seats(Rows):
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

    def leave_seat(self, game: UUID, seat: Seat) -> None:
        self.execute("DELETE FROM seats WHERE game_id = %(game)s AND seat = %(seat)s", game=game, seat=seat)

    def holders(self, game: UUID) -> list[SeatHolder]:
        return self.all(_HOLDERS, game=game)

    def bot_player(self, bot: str, new: UUID) -> UUID:
        name = BUILT_IN.format(bot=bot)
        found = self.first(_ADD_BOT, new=new, name=name, folded=folded(name), bot=bot)
        return self.one(_BOT, bot=bot) if found is None else found  # None: another call has just added it

    def awaits(self, game: UUID, seat: Seat | None) -> bool:
        return seat is not None and self.execute(_AWAITS, game=game, seat=seat) > 0

    def played_by(self, game: UUID, seat: Seat) -> str | None:
        return self.first(_PLAYED_BY, game=game, seat=seat)

    def end_absence(self, game: UUID, seat: Seat, at: datetime, *, anew: bool, stood: bool, chooses: bool) -> None:
        self._end_absence(game=game, seat=seat, at=at, anew=anew, stood=stood, chooses=chooses)

    def _end_absence(self, **arguments: Any) -> None:
        self.execute(_END_ABSENCE, **arguments)

    def set_leave(self, game: UUID, seat: Seat, at: datetime, *, begins: bool) -> None:
        self.changed[game] = self.one(_LEAVE, game=game, seat=seat, at=at, begins=begins)
