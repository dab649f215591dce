"""What all tables are declared with."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, DateTime, MetaData, text

metadata = MetaData(
    naming_convention={
        "pk": "%(table_name)s_pkey",
        "uq": "%(table_name)s_%(column_0_N_name)s_key",
        "fk": "%(table_name)s_%(column_0_N_name)s_fkey",
        "ck": "%(table_name)s_%(constraint_name)s_check",
        "ix": "%(table_name)s_%(column_0_N_name)s_idx",
    }
)

NOW = text("clock_timestamp()")


def at(name: str, **more: Any) -> Column[Any]:
    return Column(name, DateTime(timezone=True), **more)
