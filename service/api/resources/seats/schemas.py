"""What is sent and answered about seats."""

from __future__ import annotations

from typing import Annotated

from marshmallow import validate
from msgspec import Meta, Struct

from service.api.operation.fields import Entropy
from service.api.resources.games.schemas import GameAnswer
from service.bots.base import NAMES
from service.engine.turn import Seat


class NewSeat(Struct, frozen=True, kw_only=True):
    seat: Annotated[int, Meta(ge=0, le=99)] | None = None
    """The seat to take; by default the lowest free one."""
    entropy: Annotated[bytes | None, Meta(extra={"field": Entropy})] = None
    """Your share of the chance: 16 to 64 random bytes, base64url without padding. Shown to others once the game has
    started."""
    bot: Annotated[str | None, Meta(extra={"validate": [validate.OneOf(NAMES)]})] = None
    """A built-in bot to give the seat to, in a game that you created; else it is yours. `bots` of the ruleset lists
    those that can play it."""
    invitation: Annotated[str, Meta(min_length=1, max_length=200)] | None = None
    """The secret of your invitation, for a private game. It is ignored if you need none."""


class NewResignation(Struct, frozen=True):
    """An empty object: the seat is the caller's own."""


class OwnSeat(Struct, frozen=True, kw_only=True):
    seat: Seat
    """The caller's seat."""
    game: GameAnswer
