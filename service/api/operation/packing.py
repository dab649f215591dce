"""Which answers are packed (gzip) on their way, by their operation's declaration.

Where text of one person and secrets of another are packed together, the size of what comes out tells the one of the
other (BREACH). So an answer is packed only if all who can put text of theirs into it may see the whole of it.
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
"""Where the gate leaves who has been answered about a game."""


class Packs(Enum):
    """Whether an operation's answers are packed."""

    NEVER = "never"
    ALWAYS = "always"
    UNHIDDEN = "unhidden"
    """Where nothing in the answer is hidden from others at the table: to spectators, and once the game is over."""


def packing(handler: Callable[..., Response], packs: Packs) -> Callable[..., Response]:
    """The handler, with its answers packed as declared. It is outside the gate: no connection is held meanwhile."""
    if packs is Packs.NEVER:
        return handler

    @functools.wraps(handler)
    def packed(**path: Any) -> Response:
        response = handler(**path)
        if packs is Packs.ALWAYS:
            response.vary.add("Accept-Encoding")  # what differs by viewer says so anyway
            return pack(response)
        return pack(response) if _unhidden(request.environ[CALLER]) else response

    return packed


def _unhidden(caller: GameCaller) -> bool:
    return caller.seat is None or caller.status == "over"
