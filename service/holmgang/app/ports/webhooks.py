"""What webhooks need of the store."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol
from uuid import UUID

from holmgang.app.records.webhooks import Delivery, DeliveryState, Outgoing, Webhook


class WebhooksTable(Protocol):
    """Webhooks of players."""

    def add_webhook(self, ident: UUID, player: UUID, url: str, events: Sequence[str], secret: str) -> None: ...

    def webhook(self, player: UUID, ident: UUID) -> Webhook | None: ...

    def webhooks(self, player: UUID, after: UUID | None, limit: int) -> list[Webhook]: ...

    def change_webhook(self, ident: UUID, url: str, events: Sequence[str], active: bool) -> None: ...

    def rotate_webhook(self, ident: UUID, secret: str, seconds: int) -> None: ...

    def remove_webhook(self, ident: UUID) -> None:
        """With all its deliveries."""
        ...


class DeliveriesTable(Protocol):
    """Messages as the owners of webhooks see them."""

    def add_delivery(self, message: UUID, webhook: UUID, kind: str, body: str) -> None: ...

    def delivery(self, webhook: UUID, message: UUID) -> Delivery | None: ...

    def deliveries(self, webhook: UUID, state: DeliveryState | None, before: UUID | None, limit: int) -> list[Delivery]:
        """Newest first, from the one before `before`."""
        ...

    def replay_delivery(self, webhook: UUID, message: UUID) -> None: ...


class OutboxTable(Protocol):
    """Messages as workers send them."""

    def take_deliveries(self, limit: int, seconds: float, busy: Collection[UUID]) -> list[Outgoing]:
        """Due messages, one of each player who is not busy, claimed for so many seconds. Each counts as an attempt.
        Not in a transaction."""
        ...

    def lock_webhook(self, message: UUID) -> None:
        """Lock a message's webhook for the rest of the transaction, before `note_delivery` locks the message: to end or
        hold a webhook is to write to its other messages, which others may be noting."""
        ...

    def note_delivery(
        self, message: UUID, attempts: int, state: DeliveryState, status: int | None, error: str | None, delay: float
    ) -> bool:
        """Note what came of an attempt. False, and nothing noted, if the message was replayed or ended meanwhile."""
        ...

    def end_worn_deliveries(self, most: int, error: str, limit: int) -> list[UUID]:
        """End due messages of which `most` attempts were begun and none was noted. Returns them."""
        ...

    def hold_webhook(self, message: UUID, url: str, seconds: float) -> None:
        """Let other messages to this message's webhook wait for so many seconds, unless it leads elsewhere than to
        `url` by now. Test messages of its owner do not wait."""
        ...

    def end_webhook(self, message: UUID, url: str, error: str) -> bool:
        """Switch a message's webhook off and end its messages, unless it leads elsewhere than to `url` by now."""
        ...
