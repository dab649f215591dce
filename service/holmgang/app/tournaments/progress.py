"""How a tournament goes on: it starts, is paired, its games begin and are counted, until it is over.

Each step is one transaction that holds the tournament's row and finds out by itself whether it is still to be done. So
any number of workers may call them, in any order and as often as they like, and one that is killed leaves nothing half
done. Only a pairing is computed without holding anything, since it may take long: it is written down if nothing has
changed meanwhile, and computed again if something has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace
from uuid_utils.compat import uuid7

from holmgang.app.games.creation import CreationTables, made
from holmgang.app.games.ratings import NEWCOMER
from holmgang.app.ports import ContendersTable, RatingsTable, RevisionsTable, SeatsTable, TournamentsTable
from holmgang.app.records.tournaments import Entry, Locked, Outcome, Table, TableGame, ToCount, form_of
from holmgang.tournaments.checking import numbered
from holmgang.tournaments.course import Form, games_left, next_round, seats_of, total
from holmgang.tournaments.meetings import Meeting, Pairing, Player

from . import endless
from .playing import by_rounds, games_of, meetings, named, players_of
from .telling import tell

CLAIM_SECONDS = 60.0
"""How long a pairing is left to the worker that computes it, before another does so too."""
GAMES_AT_ONCE = 10
"""How many games begin in one transaction, which holds the tournament."""


class BeginningTables(TournamentsTable, ContendersTable, RevisionsTable, SeatsTable, RatingsTable, Protocol): ...


class ProgressTables(BeginningTables, CreationTables, Protocol): ...


class Wanted(Struct, frozen=True):
    """All that a pairing is computed from. `changes` tells whether it still holds."""

    tournament: UUID
    changes: int
    form: Form
    players: tuple[Player, ...]
    present: tuple[Player, ...]
    meetings: tuple[Meeting, ...]
    number: int
    known: int

    def paired(self) -> Pairing | None:
        """The round; None when there is none any more. It may take a minute, and holds nothing."""
        return next_round(self.form, self.players, self.present, self.meetings, self.number)


def due(tables: TournamentsTable, limit: int, but: Sequence[UUID] = ()) -> list[UUID]:
    """Tournaments in which something is to be done, leaving out some."""
    return tables.due_tournaments(limit, but)


def to_count(tables: TournamentsTable, limit: int, but: Sequence[UUID] = ()) -> list[ToCount]:
    """Games that may have to be counted, leaving out some."""
    return tables.games_to_count(limit, but)


def advance(tables: ProgressTables, ident: UUID) -> Wanted | bool:
    """Do what is to be done next; whether anything was. Or say what pairing is wanted, which `settle` takes: it is left
    to the caller for CLAIM_SECONDS. Nothing where others hold the tournament. In a transaction."""
    locked = tables.lock_tournament(ident, skip=True)
    if locked is None or not locked.due:
        return False
    one = locked.tournament
    if one.status == "open":
        begin(tables, locked)
        return True
    if one.status != "active":
        tables.changed_tournament(ident)
        return False
    if _begin_games(tables, locked):
        return True
    if not by_rounds(one.kind):
        return endless.go_on(tables, locked)
    if tables.uncounted_tables(ident):
        tables.changed_tournament(ident)  # a game that ends makes it due again
        return True
    wanted = _wanted(tables, locked)
    tables.changed_tournament(ident, due_in=CLAIM_SECONDS)
    return wanted


def begin(tables: BeginningTables, locked: Locked) -> None:
    """Start an open tournament: bots fill it up, and all get their numbers. With too few it is cancelled, unless
    others may still join."""
    one = locked.tournament
    seed = form_of(one.kind, one.plan, locked.secret_seed).seed
    here = tables.entries(one.id)
    for n in range(max(0, one.plan.fill_to - len(here))):
        bot = one.plan.bots[n % len(one.plan.bots)]
        entry = uuid7()
        tables.add_entry(one.id, entry, tables.bot_player(bot, uuid7()), bot, None)
        tell(tables, one.id, "entered", entry=entry)
    here = tables.entries(one.id)
    if len(here) < one.plan.least and by_rounds(one.kind):  # others are joined later
        tables.changed_tournament(one.id, status="cancelled", reason="too_few")
        tell(tables, one.id, "cancelled")
    else:
        known = tables.ratings_in(one.terms.ruleset, [entry.player for entry in here])
        ratings = {str(entry.id): known.get(entry.player, NEWCOMER).belief.ordinal for entry in here}
        order = numbered(ratings, seed)
        tables.number_entries(one.id, [UUID(player) for player in order], [ratings[player] for player in order])
        if not by_rounds(one.kind):
            endless.entered(tables, one.id, [entry.id for entry in here])
        tables.changed_tournament(one.id, status="active", due_in=0)
        tell(tables, one.id, "started")


def _wanted(tables: ProgressTables, locked: Locked) -> Wanted:
    one = locked.tournament
    entries = tables.entries(one.id)
    players = players_of(entries)
    here = {str(entry.id) for entry in entries if entry.out is None}
    met = meetings(one.form, players, tables.rounds(one.id), tables.counted_tables(one.id))
    return Wanted(
        one.id,
        locked.changes + 1,
        one.form,
        tuple(players),
        tuple(player for player in players if player in here),
        tuple(met),
        one.round + 1,
        locked.counted,
    )


def settle(tables: ProgressTables, wanted: Wanted, pairing: Pairing | None) -> bool:
    """Write down a round, or that there is none any more; whether it was still wanted. In a transaction."""
    locked = tables.lock_tournament(wanted.tournament)
    if locked is None or locked.tournament.status != "active" or locked.changes != wanted.changes:
        return False
    ident = wanted.tournament
    if pairing is None:
        tables.changed_tournament(ident, status="over")
        tell(tables, ident, "over")
    else:
        still_in = {player for table in (*pairing.tables, pairing.byes) for player in table}  # not all in a knock-out
        present = [UUID(player) for player in wanted.present if player in still_in]
        tables.add_round(ident, wanted.number, present, _ids(pairing.byes), wanted.known, _tables(pairing))
        tables.changed_tournament(ident, paired=wanted.number, due_in=0)
        tell(tables, ident, "paired", in_round=wanted.number)
        if not pairing.tables:
            _end_round(tables, ident, wanted.number)
    return True


def _ids(players: Sequence[Player]) -> list[UUID]:
    return [UUID(player) for player in players]


def _tables(pairing: Pairing) -> list[list[UUID]]:
    return [_ids(table) for table in pairing.tables]


def _begin_games(tables: ProgressTables, locked: Locked) -> bool:
    """Let some tables that wait for it play their next game; whether any did."""
    one = locked.tournament
    idle = tables.idle_tables(one.id, GAMES_AT_ONCE)
    if not idle:
        return False
    entries = {entry.id: entry for entry in tables.entries(one.id)}
    number = locked.counted
    for table in idle:
        number += _next_game(tables, locked, table, entries, number + 1)
    tables.changed_tournament(one.id, counted=number, due_in=0)
    tables.touch(one.id)
    return True


def _next_game(tables: ProgressTables, locked: Locked, table: Table, entries: dict[UUID, Entry], counted: int) -> bool:
    """Begin the next game of a table. Where somebody has left it is forfeited, and the table counted as number
    `counted`: whether it was."""
    one, number = locked.tournament, len(table.games) + 1
    seats = _ids(seats_of(one.form, named(table.players), number))
    left = [entry for entry in seats if entries[entry].out is not None]
    if left:
        tables.add_table_game(one.id, table.round, table.at, number, None, seats, left)
        forfeited = TableGame(
            number=number,
            game=None,
            players=tuple(seats),
            outcome="forfeited",
            ranks=(),
            absent=tuple(left),
            ended_at=None,
        )
        return _count_table(tables, locked, table, (*table.games, forfeited), counted)
    game = made(tables, one.terms, [entries[entry].bot or entries[entry].player for entry in seats], one.id)
    tables.add_table_game(one.id, table.round, table.at, number, game, seats)
    return False


def count(tables: ProgressTables, one: ToCount) -> bool:
    """Count a game that is over, or that nobody can play to its end, and its table once that has played all; whether it
    was still to be counted. Nothing where others hold the tournament. In a transaction."""
    locked = tables.lock_tournament(one.tournament, skip=True)
    if locked is None or locked.tournament.status != "active":
        return False
    table = tables.table_of_tournament(one.tournament, one.round, one.at)
    assert table is not None, "its game is listed"
    played = next(game for game in table.games if game.number == one.number)
    if played.outcome is not None:
        return False
    found = _outcome(tables, played)
    if found is None:
        return False
    outcome, ranks, absent = found
    tables.count_table_game(one.tournament, one.round, one.at, one.number, outcome, ranks, absent)
    now = tuple(
        TableGame(
            number=game.number,
            game=game.game,
            players=game.players,
            outcome=outcome,
            ranks=tuple(ranks),
            absent=tuple(absent),
            ended_at=None,
        )
        if game.number == one.number
        else game
        for game in table.games
    )
    counted = _count_table(tables, locked, table, now, locked.counted + 1)
    tables.changed_tournament(one.tournament, counted=locked.counted + counted, due_in=0)
    tables.touch(one.tournament)
    return True


def _outcome(tables: ProgressTables, played: TableGame) -> tuple[Outcome, list[int], list[UUID]] | None:
    """What became of a game: its ranks by seat, and the entries of those who did not turn up. None while it goes on."""
    assert played.game is not None, "what was forfeited is counted"
    game = tables.game(played.game)
    if game is not None and game.status == "over" and game.result is not None:
        ranks = [
            1 + next(n for n, group in enumerate(game.result.ranking) if seat in group)
            for seat in range(game.seat_count)
        ]
        return "played", ranks, [played.players[seat] for seat in tables.no_shows(game.id)]
    if game is None or game.status == "archived" or tables.stands_still(game.id):
        return "void", [], []
    return None


def _count_table(tables: ProgressTables, locked: Locked, table: Table, games: Sequence[TableGame], number: int) -> bool:
    """Count a table as that number if it has played all; whether it has. Who was absent is not paired any more."""
    one, players = locked.tournament, named(table.players)
    played = games_of(
        Table(
            round=table.round,
            at=table.at,
            players=table.players,
            points=(),
            absent=(),
            counted=None,
            games=tuple(games),
        )
    )
    size = tables.size_of_round(one.id, table.round) if one.kind == "knock-out" else 0
    if games_left(one.form, players, played, size):
        return False
    result = total(table.round, players, played)
    absent = {entry for game in games for entry in game.absent}
    tables.count_table(one.id, table.round, table.at, number, result.points, _ids(result.absent))
    gone = tables.set_absent(one.id, sorted(absent))
    tell(tables, one.id, "counted", in_round=table.round, at=table.at)
    for entry in gone:
        tell(tables, one.id, "left", entry=entry)
    _end_round(tables, one.id, table.round)
    if not by_rounds(one.kind):
        now = replace(table, points=result.points, absent=tuple(_ids(result.absent)))
        endless.counted(tables, one, now, void=any(game.outcome == "void" for game in games))
    return True


def _end_round(tables: ProgressTables, ident: UUID, number: int) -> None:
    if tables.end_round(ident, number):
        tell(tables, ident, "round_over", in_round=number)
