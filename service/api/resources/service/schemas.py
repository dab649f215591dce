"""What is answered about the service."""

from __future__ import annotations

from msgspec import Struct


class Health(Struct, frozen=True):
    status: str


class Index(Struct, frozen=True, kw_only=True):
    name: str
    version: str
    links: dict[str, str]
