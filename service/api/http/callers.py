"""Who is calling, as far as that is known before anything is looked up: for budgets and for turns in the line.

A caller is a player, once one of his tokens has been found good: more tokens make no more callers of him, and tokens
that are made up make none. Of each network, all who show no token are one caller, and all whose token is not known yet
are another.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from service.api.operation.gate import bearer, network_of
from service.app.accounts.tokens import current_principal, token_digest
from service.app.errors import InvalidToken

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

CLIENT = "holmgang.client"
"""Where a request keeps who makes it."""
PLACE = "holmgang.place"
"""Where it keeps its place at work."""
KNOWN = 20_000
"""Tokens of which a process remembers whose they are."""
NOBODY, NEW = "", "new"


class Client(NamedTuple):
    """`who` of a network: a player, NOBODY without a token, NEW with one that is not known yet. `token` is its hash.
    `dear`: what is asked is."""

    network: str
    who: str
    token: bytes | None
    dear: bool = False

    @property
    def turn(self) -> tuple[str, str]:
        """Whose turn it is when the request's is. Those who may be many do not stand behind each other's dear ones."""
        return self.network, f"{self.who} dear" if self.dear and self.who in (NOBODY, NEW) else self.who

    @property
    def share(self) -> str:
        """Whose dear requests are spread over time together: tokens that are not known yet may all be one player's."""
        return f"{self.network} {NEW}" if self.who == NEW else self.key

    @property
    def key(self) -> str:
        """What is counted together: a player's requests, or a token's that is not known yet, or a network's without."""
        if self.token is None:
            return self.network
        return self.token.hex() if self.who == NEW else self.who


def client_of(environ: WSGIEnvironment) -> Client:
    """Who makes a request that is being worked on, as far as that has been found out by now."""
    client: Client = environ[CLIENT]
    principal = current_principal.get()
    return client if client.who != NEW or principal is None else client._replace(who=principal.player.hex)


class Callers:
    """Whose tokens are, of those that were found good last."""

    def __init__(self, known: int = KNOWN) -> None:
        self._most = known
        self._players: OrderedDict[bytes, str] = OrderedDict()
        self._lock = Lock()

    def of(self, environ: WSGIEnvironment) -> Client:
        """Who makes this request. What is no token counts for the network."""
        network = network_of(environ.get("REMOTE_ADDR"))
        try:
            secret = bearer(environ)
        except InvalidToken:
            secret = None
        if secret is None:
            client = Client(network, NOBODY, None)
        else:
            token = token_digest(secret)
            client = Client(network, self._players.get(token, NEW), token)
        current_principal.set(None)
        environ[CLIENT] = client
        return client

    def learn(self, environ: WSGIEnvironment) -> str | None:
        """Remember whose the request's token is, if that was found out only now; then also told."""
        principal, client = current_principal.get(), environ[CLIENT]
        if principal is None or client.who != NEW:
            return None
        player = principal.player.hex
        with self._lock:
            self._players[client.token] = player
            if len(self._players) > self._most:
                self._players.popitem(last=False)
        return player
