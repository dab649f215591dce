"""The words of a declaration: what a call costs, what is kept and compressed, and what the document alone is told."""

from collections.abc import Callable, Mapping
from enum import Enum
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

PAGE = 50
"""Things on a page where the query does not say how many."""
PAGE_BYTES = 20_000
"""What of a page is as dear as one more: a page that is not full was not as dear as it might have been."""
MOST = 50
"""As what a single request is counted at most, whatever it asks for."""


class Cost(NamedTuple):
    """As how many requests a call is counted: `each`, and one more for every so many of a parameter of the query.

    One is a millisecond of a process's work that has begun, as measured by `python -m bench --only costs` with games of
    common length; most calls take less than one. What grows with a parameter of the query is counted by that: how many
    rows of the log are played again, how many things a page may hold.
    """

    each: int = 1
    at: int | None = None
    """Rows of the log that are played again for one more, where `at` or `after_turn` asks for the past."""
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
        if self.at is not None:
            cost += sum(1 + _number(given[name], 0) // self.at for name in ("at", "after_turn") if name in given)
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


class Keyed(Enum):
    """What an operation does with an Idempotency-Key."""

    NO = "no"
    """The header is ignored: the operation changes nothing, or is idempotent anyway."""
    REFUSED = "refused"
    """A key is refused: without a player no answer can be kept."""
    KEPT = "kept"
    """The answer is kept."""
    SECRET = "secret"  # noqa: S105 # the word, no secret
    """The answer holds a secret and is not kept, only that there was one."""


class Packs(Enum):
    """Whether an operation's answers are compressed."""

    NEVER = "never"
    ALWAYS = "always"
    UNHIDDEN = "unhidden"
    """If nothing in the answer is hidden from others at the table: for spectators, and once the game is over."""


Handler = Callable[..., Any]
_NONE: Mapping[str, Any] = MappingProxyType({})


class Example(NamedTuple):
    """Example values of an operation: its parameters, and by name its bodies, its answers, and those that are 200 where
    a thing that was made is 201."""

    parameters: Mapping[str, Any] = _NONE
    bodies: Mapping[str, Any] = _NONE
    answers: Mapping[str, Any] = _NONE
    again: Mapping[str, Any] = _NONE


Examples = Example | Callable[[Any], Example]
"""The same always, or by the story of an example game (`resources.examples`)."""


class Links(NamedTuple):
    """OpenAPI links from an answer to operations, which are named with blanks between; without a name to all whose path
    takes these parameters and whose body may be empty.

    Parameters and members of the body are JSON pointers into the answer's body, or begin with `$request`.
    """

    operations: str
    parameters: Mapping[str, str]
    body: Mapping[str, str] | None
    called: str | None


def links(
    operations: str = "", *, body: Mapping[str, str] | None = None, called: str | None = None, **parameters: str
) -> Links:
    return Links(operations, parameters, body, called)


class Description(NamedTuple):
    examples: Examples = Example()
    links: tuple[Links, ...] = ()
    """From the answer by its status."""
    problems: str = ""
    """Codes besides those that follow from the declaration, with blanks between."""
    translated: bool = False
    """The answer holds sentences, which come in the reader's language."""


def described(
    examples: Examples, *links: Links, problems: str = "", translated: bool = False
) -> Callable[[Handler], Handler]:
    """Keep a Description of the operation with its handler, beneath `operation`."""

    def keep(handler: Handler) -> Handler:
        vars(handler)["described"] = Description(examples, links, problems, translated)
        return handler

    return keep
