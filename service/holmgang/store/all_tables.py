"""All tables on one connection."""

from __future__ import annotations

from .access import Access
from .accounts import Accounts
from .analyses import Analyses
from .archive import Archive
from .blocks import Blocks
from .challenges import Challenges
from .changes import Changes
from .clearing import Clearing
from .contenders import Contenders
from .deliveries import Deliveries
from .departures import Departures
from .figures import FiguresOf
from .games import Games
from .happenings import Happenings
from .history import History
from .invitations import Invitations
from .pairings import Pairings
from .presence import Presences
from .profiles import Profiles
from .ratings import Ratings
from .rematches import Rematches
from .revisions import Revisions
from .seats import Seats
from .seeks import Seeks
from .tasks import Tasks
from .tournaments import Tournaments
from .turns import Turns
from .webhooks import Webhooks


class PostgresTables(
    Access,
    Accounts,
    Analyses,
    Archive,
    Blocks,
    Challenges,
    Changes,
    Clearing,
    Contenders,
    Deliveries,
    Departures,
    FiguresOf,
    Games,
    Happenings,
    History,
    Invitations,
    Presences,
    Profiles,
    Pairings,
    Ratings,
    Rematches,
    Revisions,
    Seats,
    Seeks,
    Tasks,
    Tournaments,
    Turns,
    Webhooks,
):
    """All of `ports.Tables` on one connection."""
