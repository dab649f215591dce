"""Statements as spans of a trace, where traces are wanted."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg import Cursor

from holmgang import tracing

from .connections import without_values


class TracedCursor(Cursor[Any]):
    def execute(self, query: Any, *arguments: Any, **more: Any) -> TracedCursor:
        text = query.decode() if isinstance(query, bytes) else str(query)
        with tracing.statement(text):
            try:
                super().execute(query, *arguments, **more)
            except psycopg.Error as fault:
                without_values(fault)  # before the span records the message
                raise
        return self
