"""Statements as spans of a trace; only where traces are wanted."""

from __future__ import annotations

from typing import Any

from psycopg import Cursor

from service import tracing

from .rows import Row


class TracedCursor(Cursor[Row]):
    def execute(self, query: Any, *arguments: Any, **more: Any) -> TracedCursor:
        text = query.decode() if isinstance(query, bytes) else str(query)
        with tracing.statement(text):
            super().execute(query, *arguments, **more)
        return self
