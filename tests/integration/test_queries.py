"""Every query's columns, as the database itself names them, are those that its records are made of."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from itertools import product

import psycopg
import pytest
from psycopg.pq import ExecStatus

from service import store as package
from service.store import changes, figures, games
from service.store.database import conninfo
from service.store.rows import Query, Statement


def statements() -> Iterator[Statement]:
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, Statement):
                yield value
    for status, ruleset, player, before, private in product((False, True), repeat=5):
        for open_seats in (None, False, True):
            yield games._games(
                status=status, ruleset=ruleset, player=player, open_seats=open_seats, before=before, private=private
            )
    for moved in (changes._SEALED, changes._BEGINS, changes._GOES_ON, changes._ENDS):
        yield changes._write(moved, changes._EVENTS, changes._RECEIPT)
    yield changes._write(
        changes._ENDS,
        changes._RELEASED,
        changes._COMBATS,
        changes.ASKED,
        changes._ENDED,
        changes._ABSENTED,
        changes._NOTICED,
        changes._RESIGNED,
    )
    yield changes._write(changes._SEALED, changes._HANDED)
    yield figures._count("games", "status")


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
        for statement in every:
            columns = described(connection, statement.text)
            if isinstance(statement, Query):
                assert callable(statement.reader(columns)), statement.text
            else:
                assert not columns, statement.text
