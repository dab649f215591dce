"""A function of the database: its text, its call, and how it is made.

A function is named after its text, so that code of two releases can be at work at once, each with its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

from psycopg.sql import SQL, Composable

if TYPE_CHECKING:
    import psycopg

LOCK = 0x686F6C6D67616E67
"""An advisory lock ("holmgang"), held by whoever changes the schema or these functions: two that start at once do so
one after the other."""


class Function:
    """A function of the database. `parameters` are names and types; the first is the game, `body` is PL/pgSQL."""

    def __init__(self, name: str, parameters: dict[str, str], returns: str, body: Composable) -> None:
        self.parameters = parameters
        self._returns = returns
        self.body = body.as_string()
        told = f"{parameters} {returns} {self.body}"
        self.name = f"{name}_{hashlib.sha256(told.encode()).hexdigest()[:8]}"

    @property
    def signature(self) -> str:
        return f"{self.name}({', '.join(self.parameters.values())})"

    @property
    def definition(self) -> str:
        given = ", ".join(f"_{name} {kind}" for name, kind in self.parameters.items())
        head = f"CREATE FUNCTION {self.name}({given}) RETURNS {self._returns} LANGUAGE plpgsql"
        return f"{head} AS $function${self.body}$function$"

    def call(self, **given: str) -> Composable:
        """The call with parameters of a statement, but for those that are `given` as SQL."""
        values = (given.get(name, f"%({name})s::{kind}") for name, kind in self.parameters.items())
        return SQL(f"{self.name}({', '.join(values)})")


def are_made(connection: psycopg.Connection, functions: Iterable[Function]) -> bool:
    """Whether all of them are there."""
    made = "SELECT bool_and(to_regprocedure(f) IS NOT NULL) FROM unnest(%s::text[]) AS f"
    return connection.execute(made, [[function.signature for function in functions]]).fetchone() == (True,)


def make(connection: psycopg.Connection, functions: Iterable[Function]) -> None:
    """Make the functions that are not there yet. Whoever calls holds LOCK."""
    for function in functions:
        if connection.execute("SELECT to_regprocedure(%s)", [function.signature]).fetchone() == (None,):
            connection.execute(function.definition.encode())
