"""Which answers are compressed (gzip), as their operations declare.

If text of one person and secrets of another are compressed together, the size of the result reveals something about the
secrets (BREACH). So an answer is compressed only if everyone who can put text into it may see all of it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from enum import Enum
from typing import Any

from flask import Response, request

from service.app.records.contexts import GameCaller
from service.representation import pack

CALLER = "holmgang.caller"
"""The key of a request's environment that holds who was answered about a game."""


class Packs(Enum):
    """Whether an operation's answers are compressed."""

    NEVER = "never"
    ALWAYS = "always"
    UNHIDDEN = "unhidden"
    """If nothing in the answer is hidden from others at the table: for spectators, and once the game is over."""


def packing(handler: Callable[..., Response], packs: Packs) -> Callable[..., Response]:
    """The handler, with its answers compressed as declared. It runs outside the gate, without a connection."""
    if packs is Packs.NEVER:
        return handler

    @functools.wraps(handler)
    def packed(**path: Any) -> Response:
        response = handler(**path)
        if packs is Packs.ALWAYS:
            response.vary.add("Accept-Encoding")  # answers that differ by viewer vary anyway
            return pack(response)
        return pack(response) if _unhidden(request.environ[CALLER]) else response

    return packed


def _unhidden(caller: GameCaller) -> bool:
    return caller.seat is None or caller.status == "over"
