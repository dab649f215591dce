"""What an operation costs: a dear call is counted as several requests.

One is a millisecond of a process's work that has begun, as measured by `python -m bench --only costs` with games of
common length; most calls take less than one. What grows with a parameter of the query is counted by that: how many rows
of the log are played again, how many things a page may hold.
"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import parse_qsl

PAGE = 50
"""Things on a page where the query does not say how many."""
PAGE_BYTES = 20_000
"""What of a page is as dear as one more: a page that is not full was not as dear as it might have been."""
MOST = 50
"""As what a single request is counted at most, whatever it asks for."""


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


PLAIN, PAGE_OF_ROWS, PAGE_OF_GAMES = Cost(), Cost(limit=100), Cost(limit=10)
