"""What a record says, read and checked for its shape, and not yet believed."""

from __future__ import annotations

import json
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from holmgang.app.records.games import Result
from holmgang.engine import strict_json
from holmgang.engine.turn import Seat

MOST_BYTES = 100_000_000
MOST_PARTS = 4_000_000
"""Commas and brackets: far beyond any game, and few enough to be held in memory."""
MOST_DEPTH = 64
_RESULT = frozenset(Result.__struct_fields__)

Seed = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
Entropy = Annotated[str, Meta(pattern=r"\A(?:[0-9a-f]{2}){16,64}\Z")]
GameId = Annotated[str, Meta(pattern=r"\A[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\Z")]


class Unreadable(Exception):
    """This is no record, or one of a game whose rules are not known here. The text is a sentence for the user."""


class Line(Struct, frozen=True, kw_only=True):
    """A row of the log. `entry` stays as it was found until it is known to have its one spelling."""

    seq: int
    entry: dict[str, Any]
    state_hash: str
    row_hash: str


class Claims(Struct, frozen=True, kw_only=True):
    """What a record says, in the shape of a record but not yet believed. `unchecked` names what will not be compared:
    fields of later releases."""

    game: GameId
    ruleset: str
    version: str
    seats: int
    teams: list[list[Seat]]
    options: dict[str, Any]
    terms: str
    commitment: str
    seed: Seed
    entropy: list[Entropy | None]
    log: list[Line]
    head: str
    result: dict[str, Any]
    unchecked: tuple[str, ...] = ()


def read_record(raw: bytes) -> Claims:
    """The record in a file's bytes, checked for its shape; Unreadable otherwise."""
    value = _json(raw)
    if not isinstance(value, dict):
        raise Unreadable("This is no game's record: it is not a JSON object.")
    unchecked = [f"/{_step(name)}" for name in value if name not in Claims.__struct_fields__ or name == "unchecked"]
    value.pop("unchecked", None)
    try:
        claims = msgspec.convert(value, Claims, strict=True)
    except msgspec.ValidationError as fault:
        raise Unreadable(f"This is no game's record: {fault}.") from None
    more = {name for line in value["log"] for name in line} - set(Line.__struct_fields__)
    unchecked += [f"/log/*/{_step(name)}" for name in sorted(more)]
    unchecked += [f"/result/{_step(name)}" for name in sorted(set(claims.result) - _RESULT)]
    return msgspec.structs.replace(claims, unchecked=tuple(unchecked))


def brief(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:40]}...")


def _step(name: str) -> str:
    """A member's name as a step of a JSON pointer, of bearable length."""
    return name[:40].replace("~", "~0").replace("/", "~1")


def _json(raw: bytes) -> Any:
    """JSON that has one meaning: no key twice, no number beyond 64 bits, no half characters; and of bearable size."""
    if len(raw) > MOST_BYTES:
        raise Unreadable(f"The file is larger than {MOST_BYTES // 1_000_000} MB, which no game's record is.")
    if sum(raw.count(mark) for mark in (b",", b"[", b"{")) > MOST_PARTS:
        raise Unreadable("The file holds more values than any game's record.")
    try:
        return strict_json.loads(raw.decode("utf-8-sig"), MOST_DEPTH)
    except UnicodeDecodeError as fault:
        mark = " It begins with the byte order mark of UTF-16." if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else ""
        raise Unreadable(f"The file is not UTF-8 text (byte {fault.start}).{mark}") from None
    except json.JSONDecodeError as fault:
        raise Unreadable(f"The file is not JSON: {fault}.") from None
    except strict_json.NotStrict as fault:
        raise Unreadable(str(fault)) from None
