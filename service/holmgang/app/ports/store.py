"""The store as a whole."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Protocol
from uuid import UUID

from holmgang.app.records.figures import Figures, PoolFigures

from .accounts import AnswersTable, BlocksTable, Clock, PlayersTable, ProfilesTable, TokensTable
from .analyses import AnalysesTable
from .challenges import ChallengesTable
from .contenders import ContendersTable
from .departures import DeparturesTable
from .games import ArchiveTable, GamesTable, InvitationsTable, SeatsTable
from .play import AccessTable, ChangesTable, HistoryTable, TurnsTable
from .presence import PresenceTable
from .ratings import LeaderboardsTable, RatingsTable
from .rematches import RematchesTable
from .revisions import RevisionsTable
from .seeks import SeeksTable
from .tournaments import TournamentsTable
from .webhooks import DeliveriesTable, OutboxTable, WebhooksTable
from .work import ClearingTable, TasksTable


class Tables(
    Clock,
    PlayersTable,
    ProfilesTable,
    PresenceTable,
    DeparturesTable,
    TokensTable,
    AnswersTable,
    BlocksTable,
    AnalysesTable,
    ChallengesTable,
    GamesTable,
    SeatsTable,
    InvitationsTable,
    ArchiveTable,
    AccessTable,
    ChangesTable,
    HistoryTable,
    TurnsTable,
    RatingsTable,
    LeaderboardsTable,
    RematchesTable,
    RevisionsTable,
    WebhooksTable,
    DeliveriesTable,
    OutboxTable,
    SeeksTable,
    TournamentsTable,
    ContendersTable,
    TasksTable,
    ClearingTable,
    Protocol,
):
    """The store on one connection. Every call is one statement; in `Store.transaction` they stand or fall together.

    It is all the ports: what implements them is of this type, and what uses them takes the few that it needs.
    """


class Watch(Protocol):
    """Hears of changes. `seen` is what its holder found when it looked, so that a lost wake-up can be made up for: what
    `caller` gave of a game, or `turns_by_token` of a player. It is compared whole with what the same question gives
    now, so whatever a tag is made of is made up for."""

    seen: Any

    @property
    def over(self) -> bool:
        """Whether nothing is worth waiting for any more, since the process is about to end."""
        ...

    def newer(self, version: int) -> bool:
        """Whether the game is known to be beyond `version`."""
        ...

    def listen(self) -> None:
        """Forget earlier wake-ups. What is read after this is not missed."""
        ...

    def wait(self, seconds: float) -> bool:
        """Wait until something may have changed since `listen`; False when the time is up."""
        ...


class Connections(Protocol):
    """Connections to the database."""

    def reading(self) -> AbstractContextManager[Tables]:
        """A connection on which each statement stands alone."""
        ...

    def transaction(self) -> AbstractContextManager[Tables]:
        """READ COMMITTED. Committed at the end of the block, and rolled back by an exception, except a refusal that
        `stands`."""
        ...


class Watches(Protocol):
    """Wake-ups of those who wait."""

    def watch_game(
        self, game: UUID, digest: bytes | None = None, invitation: bytes | None = None
    ) -> AbstractContextManager[Watch]:
        """Hears of changes of the game, by whoever has this token and shows this invitation."""
        ...

    def watch_all(self) -> AbstractContextManager[Watch]:
        """Hears of changes of any game."""
        ...

    def watch_player(self, player: UUID, digest: bytes) -> AbstractContextManager[Watch]:
        """Hears of changes of any game in which the player sits, who has this token."""
        ...

    def watch_revision(self, ident: UUID) -> AbstractContextManager[Watch]:
        """Hears of changes of what has this id and is no game: see `RevisionsTable`. What is `seen` is its revision."""
        ...

    def drain(self) -> None:
        """Let nobody wait any more: the process is about to end."""
        ...


class Health(Protocol):
    """How the database does, for operators."""

    def figures(self) -> Figures:
        """What operators want to know, without waiting long for a connection."""
        ...

    def pool_figures(self) -> PoolFigures:
        """Of this process's connections; without any of them."""
        ...

    def ready(self) -> bool:
        """Whether the database answers and its schema is one that this code may run on."""
        ...


class Store(Connections, Watches, Health, Protocol):
    """All that the service needs of its database."""
