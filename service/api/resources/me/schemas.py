"""What is asked and answered about the caller."""

from __future__ import annotations

from uuid import UUID

from msgspec import Struct

from service.api.operation.shapes import CursorQuery, shown_as
from service.api.resources.players.schemas import PlayerAnswer
from service.app.records.games import Status
from service.app.records.play import Waiting
from service.app.records.players import Principal
from service.engine.turn import Seat


class MyGamesQuery(CursorQuery, frozen=True, kw_only=True):
    status: Status | None = None


class TokenInUse(Struct, frozen=True, kw_only=True):
    id: UUID
    scopes: tuple[str, ...]
    game: UUID | None
    seat: Seat | None


class Me(Struct, frozen=True, kw_only=True):
    player: PlayerAnswer
    token: TokenInUse
    """The token that this request came with."""

    @classmethod
    def of(cls, player: PlayerAnswer, who: Principal) -> Me:
        return cls(player=player, token=shown_as(TokenInUse, who, id=who.token))


class WaitingTurns(Struct, frozen=True, kw_only=True):
    """The whole current set of turns that wait for the caller, oldest first."""

    items: list[Waiting]
    next_poll_ms: int
    """When to poll again without `wait`."""
