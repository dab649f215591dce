"""What each operation costs, declared here for all of them: a dear call is counted as several requests.

One is a millisecond of a process's work that has begun, as measured by `python -m bench --only costs` with games of
common length; most calls take less than one. What grows with a parameter of the query is counted by that: how many rows
of the log are played again, how many things a page may hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qsl

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

PAGE = 50
"""Things on a page where the query does not say how many."""
PAGE_BYTES = 20_000
"""What of a page is as dear as one more: a page that is not full was not as dear as it might have been."""
MOST = 50
"""As what a single request is counted at most, whatever it asks for."""


UNLIMITED = ("/healthz", "/readyz", "/metrics")
"""What watches over the service may ask as often as it likes."""


class Cost(NamedTuple):
    """As how many requests a call is counted: `each`, and one more for every so many of a parameter of the query."""

    each: int = 1
    at: int | None = None
    """Rows of the log that are played again for one more, where `at` asks for the past."""
    limit: int | None = None
    """Things of a page for one more."""
    trial: int = 0
    """So many more where a move is only tried: it is paid for by nothing that is played."""

    def of(self, query: str) -> int:
        """What a request with this query string counts as."""
        if not query and self.limit is None:
            return self.each
        given = asked(query)
        cost = self.each + (self.trial if given.get("dry_run") == "true" else 0)
        if self.at is not None and "at" in given:
            cost += 1 + _number(given["at"], 0) // self.at
        if self.limit is not None:
            cost += _number(given.get("limit", ""), PAGE) // self.limit
        return min(cost, MOST)


def asked(query: str) -> dict[str, str]:
    """The parameters of a query string, however they are written; which of them there may be is for others to say."""
    return dict(parse_qsl(query, keep_blank_values=True)) if query else {}


def _number(text: str, otherwise: int) -> int:
    """A number of the query; what is none will be refused."""
    return int(text) if len(text) < 10 and text.isascii() and text.isdigit() else otherwise


PLAIN = Cost()
_PAGE_OF_GAMES, _PAGE_OF_ROWS = Cost(limit=10), Cost(limit=100)

COSTS: Mapping[str, Cost] = {
    "registerPlayer": PLAIN,
    "getPlayer": PLAIN,
    "getMe": PLAIN,
    "listMyGames": _PAGE_OF_GAMES,
    "listWaitingTurns": PLAIN,
    "createToken": PLAIN,
    "listTokens": _PAGE_OF_ROWS,
    "getToken": PLAIN,
    "revokeToken": PLAIN,
    "listRulesets": PLAIN,
    "getRuleset": PLAIN,
    "createGame": Cost(2),
    "listGames": _PAGE_OF_GAMES,
    "getGame": PLAIN,
    "takeSeat": Cost(2),
    "getSeat": PLAIN,
    "leaveSeat": Cost(2),
    "resign": Cost(2),
    "returnToSeat": Cost(2),
    "createInvitation": PLAIN,
    "listInvitations": _PAGE_OF_ROWS,
    "getInvitation": PLAIN,
    "revokeInvitation": PLAIN,
    "getBoardPicture": Cost(3, at=40),
    "getView": Cost(at=40),
    "getTurn": PLAIN,
    "submit": Cost(trial=1),
    "getSubmission": PLAIN,
    "replaceSubmission": PLAIN,
    "listCombats": _PAGE_OF_ROWS,
    "getCombat": PLAIN,
    "listEvents": _PAGE_OF_ROWS,
    "getRecord": Cost(3),
    "getLeaderboard": _PAGE_OF_ROWS,
    "createWebhook": PLAIN,
    "listWebhooks": _PAGE_OF_ROWS,
    "getWebhook": PLAIN,
    "changeWebhook": PLAIN,
    "deleteWebhook": PLAIN,
    "rotateWebhookSecret": PLAIN,
    "testWebhook": PLAIN,
    "listDeliveries": _PAGE_OF_ROWS,
    "replayDelivery": PLAIN,
    "getIndex": PLAIN,
    "getHealth": PLAIN,
    "getReadiness": PLAIN,
    "getOpenAPI": PLAIN,
}
"""By operationId. There is no operation without an entry."""


def cost_of(environ: WSGIEnvironment, endpoint: str | None) -> int:
    """As how many requests one to an operation, or to none, is counted."""
    name = (endpoint or "").rpartition(".")[2]
    return COSTS.get(name, PLAIN).of(environ.get("QUERY_STRING", ""))


def pages(endpoint: str | None) -> bool:
    """Whether an operation gives a page of things, and costs what is on it."""
    return COSTS.get((endpoint or "").rpartition(".")[2], PLAIN).limit is not None
