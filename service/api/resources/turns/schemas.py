"""What is asked about views and turns."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from service.api.operation.shapes import AsSeat, At, Wait, WaitQuery


class ViewQuery(WaitQuery, frozen=True, kw_only=True):
    as_seat: AsSeat | None = None
    at: At | None = None


class TurnQuery(Struct, frozen=True, kw_only=True):
    include: Literal["view"] | None = None
    """`view` adds the view, and saves a request."""
    wait: Wait | None = None
    as_seat: AsSeat | None = None
