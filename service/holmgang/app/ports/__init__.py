"""What the application needs of a store: small ports, of which each use case takes those that it uses.

`Tables` is all that one connection offers, `Store` all that the service needs of its database.
"""

from __future__ import annotations

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
from .revisions import MEETING, NAMES, RevisionsTable
from .seeks import SeeksTable
from .store import Connections, Health, Store, Tables, Watch, Watches
from .tournaments import TournamentsTable
from .webhooks import DeliveriesTable, OutboxTable, WebhooksTable
from .work import ClearingTable, TasksTable

__all__ = [
    "MEETING",
    "NAMES",
    "AccessTable",
    "AnalysesTable",
    "AnswersTable",
    "ArchiveTable",
    "BlocksTable",
    "ChallengesTable",
    "ChangesTable",
    "ClearingTable",
    "Clock",
    "Connections",
    "ContendersTable",
    "DeliveriesTable",
    "DeparturesTable",
    "GamesTable",
    "Health",
    "HistoryTable",
    "InvitationsTable",
    "LeaderboardsTable",
    "OutboxTable",
    "PlayersTable",
    "PresenceTable",
    "ProfilesTable",
    "RatingsTable",
    "RematchesTable",
    "RevisionsTable",
    "SeatsTable",
    "SeeksTable",
    "Store",
    "Tables",
    "TasksTable",
    "TokensTable",
    "TournamentsTable",
    "TurnsTable",
    "Watch",
    "Watches",
    "WebhooksTable",
]
