"""Rounds of tournaments, their tables, and the games that are played at them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace
from psycopg.sql import SQL, Composable

from holmgang.app.records.tournaments import Outcome, Round, Table, TableGame

from .rows import Query, Rows, Statement


class _OfTable(Struct):
    round: int
    at: int
    game: TableGame


_ROUNDS = Query(
    Round,
    """
    SELECT round, paired_at, ended_at, present, byes, known
    FROM tournament_rounds
    WHERE tournament_id = %(tournament)s AND round > %(after)s
    ORDER BY round
    LIMIT %(limit)s
    """,
)
_ADD_ROUND = Statement("""
    INSERT INTO tournament_rounds (tournament_id, round, present, byes, known)
    VALUES (%(tournament)s, %(number)s, %(present)s, %(byes)s, %(known)s)
""")
_ADD_TABLES = Statement("""
    INSERT INTO tournament_tables (tournament_id, round, at, players)
    SELECT %(tournament)s, %(number)s, t.at, string_to_array(t.players, ' ')::uuid[]
    FROM unnest(%(tables)s::text[]) WITH ORDINALITY AS t (players, at)
""")
_END_ROUND = Statement("""
    UPDATE tournament_rounds
    SET ended_at = clock_timestamp()
    WHERE tournament_id = %(tournament)s
        AND round = %(number)s
        AND ended_at IS NULL
        AND NOT EXISTS (
            SELECT
            FROM tournament_tables
            WHERE tournament_id = %(tournament)s AND round = %(number)s AND counted IS NULL
        )
""")


def _tables(which: str, end: str = "") -> Query[Table]:
    return Query(
        Table,
        SQL("""
            SELECT t.round, t.at, t.players, t.points, t.absent, t.counted
            FROM tournament_tables t
            WHERE t.tournament_id = %(tournament)s AND {which}
            ORDER BY {end}
        """).format(which=SQL(which), end=SQL(end or "t.round, t.at LIMIT %(limit)s")),
        ("games",),
    )


_TABLES = _tables("(t.round, t.at) > (%(round)s, %(at)s) AND t.round <= coalesce(%(last)s, 2147483647)")
_OF_ROUND = _tables("t.round = %(only)s AND (t.round, t.at) > (%(round)s, %(at)s)")
_TABLE = _tables("t.round = %(round)s AND t.at = %(at)s")
_COUNTED = _tables("t.counted IS NOT NULL", "t.counted")
_NEWEST = _tables("t.counted IS NOT NULL", "t.counted DESC LIMIT %(limit)s")
_IDLE = _tables("""
    t.counted IS NULL
    AND NOT EXISTS (
        SELECT
        FROM tournament_games g
        WHERE g.tournament_id = t.tournament_id AND g.round = t.round AND g.at = t.at AND g.outcome IS NULL
    )
""")
_SIZE = Query(
    int,
    """
    SELECT cardinality(r.byes) + (
        SELECT count(*) FROM tournament_tables t WHERE t.tournament_id = r.tournament_id AND t.round = r.round
    )
    FROM tournament_rounds r
    WHERE r.tournament_id = %(tournament)s AND r.round = %(number)s
    """,
)
_UNCOUNTED = Query(
    int, "SELECT count(*) FROM tournament_tables WHERE tournament_id = %(tournament)s AND counted IS NULL"
)


def _games(which: Composable) -> Query[_OfTable]:
    return Query(
        _OfTable,
        SQL("""
            SELECT g.round, g.at, g.number, g.game_id AS game_game, g.players, g.outcome, g.ranks, g.absent, g.ended_at
            FROM tournament_games g
            WHERE g.tournament_id = %(tournament)s AND {which}
            ORDER BY g.round, g.at, g.number
        """).format(which=which),
    )


_GAMES = _games(SQL("g.round BETWEEN %(first)s AND %(last)s AND g.at BETWEEN %(lowest)s AND %(highest)s"))
_ADD_GAME = Statement("""
    INSERT INTO tournament_games (tournament_id, round, at, number, game_id, players, outcome, absent, ended_at)
    VALUES (
        %(tournament)s, %(round)s, %(at)s, %(number)s, %(game)s, %(players)s,
        CASE WHEN %(game)s::uuid IS NULL THEN 'forfeited' END,
        %(absent)s,
        CASE WHEN %(game)s::uuid IS NULL THEN clock_timestamp() END
    )
""")
_COUNT_GAME = Statement("""
    UPDATE tournament_games
    SET outcome = %(outcome)s, ranks = %(ranks)s, absent = %(absent)s, ended_at = clock_timestamp()
    WHERE tournament_id = %(tournament)s AND round = %(round)s AND at = %(at)s AND number = %(number)s
""")
_COUNT_TABLE = Statement("""
    UPDATE tournament_tables
    SET counted = %(number)s, points = %(points)s, absent = %(absent)s
    WHERE tournament_id = %(tournament)s AND round = %(round)s AND at = %(at)s
""")
_VOID = Statement("""
    UPDATE tournament_games
    SET outcome = 'void', ended_at = clock_timestamp()
    WHERE tournament_id = %(tournament)s AND outcome IS NULL
""")


class Pairings(Rows):
    def rounds(self, tournament: UUID, *, after: int = 0, limit: int | None = None) -> list[Round]:
        return self.all(_ROUNDS, tournament=tournament, after=after, limit=limit)

    def add_round(
        self,
        tournament: UUID,
        number: int,
        present: Sequence[UUID],
        byes: Sequence[UUID],
        known: int,
        tables: Sequence[Sequence[UUID]],
    ) -> None:
        self.execute(
            _ADD_ROUND, tournament=tournament, number=number, present=list(present), byes=list(byes), known=known
        )
        self.execute(
            _ADD_TABLES, tournament=tournament, number=number, tables=[" ".join(map(str, each)) for each in tables]
        )

    def end_round(self, tournament: UUID, number: int) -> bool:
        return self.execute(_END_ROUND, tournament=tournament, number=number) > 0

    def tables_of_tournament(
        self,
        tournament: UUID,
        *,
        only: int | None = None,
        after: tuple[int, int] = (0, 0),
        last: int | None = None,
        limit: int | None = None,
    ) -> list[Table]:
        if only is None:
            found = self.all(_TABLES, tournament=tournament, round=after[0], at=after[1], last=last, limit=limit)
        else:
            found = self.all(_OF_ROUND, tournament=tournament, only=only, round=after[0], at=after[1], limit=limit)
        return self._with_games(tournament, found)

    def counted_tables(self, tournament: UUID) -> list[Table]:
        return self.all(_COUNTED, tournament=tournament)

    def newest_tables(self, tournament: UUID, limit: int) -> list[Table]:
        return self.all(_NEWEST, tournament=tournament, limit=limit)

    def table_of_tournament(self, tournament: UUID, in_round: int, at: int) -> Table | None:
        found = self._with_games(tournament, self.all(_TABLE, tournament=tournament, round=in_round, at=at, limit=1))
        return found[0] if found else None

    def idle_tables(self, tournament: UUID, limit: int) -> list[Table]:
        return self._with_games(tournament, self.all(_IDLE, tournament=tournament, limit=limit))

    def _with_games(self, tournament: UUID, found: list[Table]) -> list[Table]:
        if not found:
            return []
        games: defaultdict[tuple[int, int], list[TableGame]] = defaultdict(list)
        numbers = [table.at for table in found]
        for one in self.all(
            _GAMES,
            tournament=tournament,
            first=found[0].round,
            last=found[-1].round,
            lowest=min(numbers),
            highest=max(numbers),
        ):
            games[one.round, one.at].append(one.game)
        return [replace(table, games=tuple(games[table.round, table.at])) for table in found]

    def size_of_round(self, tournament: UUID, number: int) -> int:
        return self.one(_SIZE, tournament=tournament, number=number)

    def uncounted_tables(self, tournament: UUID) -> int:
        return self.one(_UNCOUNTED, tournament=tournament)

    def add_table_game(
        self,
        tournament: UUID,
        in_round: int,
        at: int,
        number: int,
        game: UUID | None,
        players: Sequence[UUID],
        absent: Sequence[UUID] = (),
    ) -> None:
        self.execute(
            _ADD_GAME,
            tournament=tournament,
            round=in_round,
            at=at,
            number=number,
            game=game,
            players=list(players),
            absent=list(absent),
        )

    def count_table_game(
        self,
        tournament: UUID,
        in_round: int,
        at: int,
        number: int,
        outcome: Outcome,
        ranks: Sequence[int],
        absent: Sequence[UUID],
    ) -> None:
        self.execute(
            _COUNT_GAME,
            tournament=tournament,
            round=in_round,
            at=at,
            number=number,
            outcome=outcome,
            ranks=list(ranks),
            absent=list(absent),
        )

    def count_table(
        self, tournament: UUID, in_round: int, at: int, number: int, points: Sequence[float], absent: Sequence[UUID]
    ) -> None:
        self.execute(
            _COUNT_TABLE,
            tournament=tournament,
            round=in_round,
            at=at,
            number=number,
            points=list(points),
            absent=list(absent),
        )

    def void_table_games(self, tournament: UUID) -> None:
        self.execute(_VOID, tournament=tournament)
