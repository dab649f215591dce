"""What is needed of the store to delete an account, and to end what it was in the middle of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID


class DeparturesTable(Protocol):
    def all_names(self, player: UUID) -> list[str]:
        """The one that they have, and all that they had."""
        ...

    def release_look(self, digest: bytes, name: str, folded: str, player: UUID, days: int) -> None:
        """Unless another player has just this name, nobody may have one that looks so for so many days; or anybody may
        at once, if no rated game was ever played under it."""
        ...

    def delete_account(self, player: UUID, name: str) -> None:
        """From now on the player is called `name`, has neither tokens nor webhooks, kept answers, blocks nor former
        names, is on no list, and is departing."""
        ...

    def departing(self, limit: int, but: Sequence[UUID]) -> list[UUID]:
        """Some players whose account was deleted, and who may still be in games or tournaments, except for these."""
        ...

    def unfinished_games(self, player: UUID, limit: int) -> list[UUID]:
        """Games that are not over in which they sit and have not resigned."""
        ...

    def tournaments_to_leave(self, player: UUID) -> list[UUID]:
        """Tournaments that are not over, which they are in, or which they have made and not started."""
        ...

    def departed(self, player: UUID) -> None:
        """They are in nothing any more. Who has been gone for less than a minute stays departing: what was on its way
        when the account was deleted may have come since."""
        ...
