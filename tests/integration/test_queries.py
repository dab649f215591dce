"""Every query's columns, as the database itself names them, are those that its records are made of."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from itertools import product

import psycopg
import pytest
from psycopg._queries import MAX_CACHED_STATEMENT_LENGTH
from psycopg.pq import ExecStatus

from holmgang import store as package
from holmgang.store import distribution, figures, function, functions, games, tournaments
from holmgang.store.access import Reading
from holmgang.store.database import conninfo
from holmgang.store.rows import Query, Statement
from tests.citus.databases import ports


def statements() -> Iterator[Statement]:
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, Statement):
                yield value
            elif isinstance(value, Reading):
                yield from (value.beside, value.apart)
    for made in MADE.values():
        yield from made()


def lists_of_games() -> Iterator[Statement]:
    for status, ruleset, player, before, private, tournament in product((False, True), repeat=6):
        for open_seats in (None, False, True):
            yield games._games(
                status=status,
                ruleset=ruleset,
                player=player,
                open_seats=open_seats,
                before=before,
                private=private,
                tournament=tournament,
            )
    for player, other, won_by, lost_by in product((False, True), repeat=4):
        yield games._games(
            status=False,
            ruleset=False,
            player=player or other or won_by or lost_by,
            open_seats=None,
            before=False,
            private=False,
            other=other,
            won_by=won_by,
            lost_by=lost_by,
        )
    for player, since, until, rated in product((False, True), (False, True), (False, True), (None, False, True)):
        yield games._games(
            status=False,
            ruleset=False,
            player=player,
            open_seats=None,
            before=False,
            private=True,
            rated=rated,
            since=since,
            until=until,
        )


def lists_of_tournaments() -> Iterator[Statement]:
    for kind, ruleset, status, player, before in product((False, True), repeat=5):
        yield tournaments._listed(kind=kind, ruleset=ruleset, status=status, player=player, before=before)


def lists_of_finished() -> Iterator[Statement]:
    for after, since, until in product((False, True), repeat=3):
        yield games._finished(after=after, since=since, until=until)


def counts() -> Iterator[Statement]:
    yield figures._count("games", "status")
    yield figures._count("awaited", "played_by")


MADE = {
    games._games: lists_of_games,
    games._finished: lists_of_finished,
    tournaments._listed: lists_of_tournaments,
    figures._count: counts,
}
"""Functions that make statements when they are called, and what they may make."""


def described(connection: psycopg.Connection, text: str) -> list[str]:
    """The names of a statement's columns; a fault if the database does not take it."""
    numbers: dict[str, int] = {}
    numbered = re.sub(r"%\((\w+)\)s", lambda found: f"${numbers.setdefault(found[1], len(numbers) + 1)}", text)
    prepared = connection.pgconn.prepare(b"", numbered.replace("%%", "%").encode())
    assert prepared.status == ExecStatus.COMMAND_OK, f"{prepared.error_message.decode()}\n{text}"
    found = connection.pgconn.describe_prepared(b"")
    return [str(name, "utf-8") for number in range(found.nfields) if (name := found.fname(number)) is not None]


@pytest.fixture(scope="module")
def every() -> list[Statement]:
    found = list(dict.fromkeys(statements()))
    assert len(found) > 100
    return found


def test_the_columns_of_every_query_fit_its_records(database: str, every: list[Statement]) -> None:
    with psycopg.connect(conninfo(database), autocommit=True) as connection:
        function.make(connection, (*functions.BESIDE, *distribution.FUNCTIONS))
        for made in distribution.MADE:
            connection.execute(made.encode())
        for statement in every:
            if "pg_dist_" in statement.text and not ports():
                continue  # about the cluster itself
            columns = described(connection, statement.text)
            if isinstance(statement, Query):
                assert callable(statement.reader(columns)), statement.text
            else:
                assert not columns, statement.text


def test_the_driver_keeps_what_it_finds_in_a_text_instead_of_reading_it_each_time(every: list[Statement]) -> None:
    for statement in every:
        assert len(statement.encoded) <= MAX_CACHED_STATEMENT_LENGTH, statement.text
