"""What is asked and answered about events."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from service.api.operation.shapes import AsSeat, PageQuery, Wait
from service.app.records.play import Event


class EventsQuery(PageQuery, frozen=True, kw_only=True):
    after: Annotated[int, Meta(ge=0, le=10**18 - 1)] = 0
    """The number of the last event that you know; 0 for all."""
    wait: Wait | None = None
    as_seat: AsSeat | None = None


class EventPage(Struct, frozen=True):
    items: list[Event]
    next: str | None
    """The address to read on from, also where nothing more has happened yet; null once a game that is over or archived
    was read to its end."""
