"""Who is calling, as far as that is known before anything is looked up: for budgets and for the queue.

A caller is a player, once one of their tokens has been found good: more tokens make no more callers of one player, and
tokens that are made up make none. In each network all requests without a token are one caller, and all with a token
that is not known yet are another.
"""

import time
from collections import OrderedDict
from threading import Lock
from typing import NamedTuple
from uuid import UUID
from wsgiref.types import WSGIEnvironment

from holmgang.api.operation.gate import bearer, network_of
from holmgang.app.accounts.tokens import current_principal, token_digest
from holmgang.app.errors import InvalidToken

CLIENT = "holmgang.client"
"""The key of a request's environment that holds its Client."""
KNOWN_TOKENS = 20_000
"""Tokens of which a process remembers whose they are."""
ANONYMOUS, UNKNOWN = "", "new"


class Client(NamedTuple):
    """Who makes a request: `who` is a player, ANONYMOUS without a token, or UNKNOWN with one that is not known yet.
    `token` is its hash. `expensive` tells what the request costs."""

    network: str
    who: str
    token: bytes | None
    expensive: bool = False

    @property
    def queue_key(self) -> tuple[str, str]:
        """Whose turn it takes in the queue. Callers who may be many do not wait behind each other's expensive ones."""
        several = self.expensive and self.who in (ANONYMOUS, UNKNOWN)
        return self.network, f"{self.who} expensive" if several else self.who

    @property
    def pace_key(self) -> str:
        """Whose expensive requests are spread over time together: unknown tokens may all be one player's."""
        return f"{self.network} {UNKNOWN}" if self.who == UNKNOWN else self.budget_key

    @property
    def budget_key(self) -> str:
        """What is counted together: the requests of a player, of an unknown token, or of a network without a token."""
        if self.token is None:
            return self.network
        return self.token.hex() if self.who == UNKNOWN else self.who


def client_of(environ: WSGIEnvironment) -> Client:
    """Who makes a request that is being worked on, as far as it is known by now."""
    client: Client = environ[CLIENT]
    principal = current_principal.get()
    return client if client.who != UNKNOWN or principal is None else client._replace(who=principal.player.hex)


class Callers:
    """Remembers whose the tokens are that were found good last."""

    def __init__(self) -> None:
        self.seen: dict[tuple[UUID, UUID], float] = {}
        """When players last called by their tokens (`time.monotonic`): `Presence` takes them out."""
        self._players: OrderedDict[bytes, str] = OrderedDict()
        self._lock = Lock()

    def identify(self, environ: WSGIEnvironment) -> Client:
        """Who makes this request. A header that holds no token counts for the network."""
        try:
            secret = bearer(environ)
        except InvalidToken:
            secret = None
        token = None if secret is None else token_digest(secret)
        who = ANONYMOUS if token is None else self._players.get(token, UNKNOWN)
        current_principal.set(None)
        client = environ[CLIENT] = Client(network_of(environ.get("REMOTE_ADDR")), who, token)
        return client

    def learn(self, environ: WSGIEnvironment) -> str | None:
        """Remember whose the request's token is. Returns the player if that became known only now."""
        principal, client = current_principal.get(), environ[CLIENT]
        if principal is None:
            return None
        self.seen[principal.player, principal.token] = time.monotonic()
        if client.who != UNKNOWN:
            return None
        player: str = principal.player.hex
        with self._lock:
            self._players[client.token] = player
            if len(self._players) > KNOWN_TOKENS:
                self._players.popitem(last=False)
        return player
