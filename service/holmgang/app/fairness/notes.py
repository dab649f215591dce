"""What a player noted of a game while its record could not yet be made to fit."""

from __future__ import annotations

import base64
import re
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from holmgang.engine.numbers import whole
from holmgang.engine.turn import Seat

FEWEST_BYTES, MOST_BYTES = 16, 64
_HEX = re.compile(r"\A(?:[0-9A-Fa-f]{2})+\Z")
_BASE64URL = re.compile(r"\A[A-Za-z0-9_-]+\Z")
_Number = Annotated[int, Meta(ge=0, le=2**31)]


class NoEntropy(ValueError):
    """This is none; the text is a sentence for the user."""


class UnreadableNotes(Exception):
    """These are no notes; the text is a sentence for the user."""


class Choice(Struct, frozen=True, kw_only=True):
    """A choice of a seat's that the service acknowledged."""

    seat: Seat
    turn: int
    action: Any


class Own(Struct, frozen=True, kw_only=True):
    """The choice of the seat whose notes these are."""

    turn: _Number
    action: dict[str, Any]


class Notes(Struct, frozen=True, kw_only=True):
    """What clients keep of a game. `entropy` is as they gave it."""

    game: str | None = None
    commitment: str | None = None
    terms: str | None = None
    seat: _Number | None = None
    entropy: str | None = None
    choices: list[Own] = []
    head: str | None = None


def readings(text: str) -> tuple[bytes, ...]:
    """The bytes that a player's entropy may be: in hexadecimal, as records show it, or in base64url without padding, as
    the API takes it. Few texts can be read in both ways. Raises NoEntropy.
    """
    text = text.strip()
    found = [bytes.fromhex(text)] if _HEX.match(text) else []
    if _BASE64URL.match(text) and len(text) % 4 != 1:
        found.append(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    fitting = tuple(each for each in found if FEWEST_BYTES <= len(each) <= MOST_BYTES)
    if not fitting:
        raise NoEntropy(
            f"Entropy is {FEWEST_BYTES} to {MOST_BYTES} bytes, in hexadecimal as the record shows it, or in base64url "
            "without padding as the API takes it."
        )
    return fitting


def read_notes(raw: bytes) -> Notes:
    """The notes in a file's bytes. Raises UnreadableNotes."""
    try:
        notes = msgspec.convert(whole(msgspec.json.decode(raw)), Notes)
        if notes.entropy is not None:
            readings(notes.entropy)
    except (msgspec.DecodeError, UnicodeDecodeError, NoEntropy, RecursionError) as fault:
        raise UnreadableNotes(f"These are no notes of a game: {fault}") from None
    if notes.seat is None and (notes.entropy is not None or notes.choices):
        raise UnreadableNotes("The notes do not say whose seat's entropy and choices they hold: `seat` is missing.")
    return notes
