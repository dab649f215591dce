"""How models' programs reach our server: over the standard streams as one player, or over HTTP as any."""

from __future__ import annotations

import socket
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import uvicorn
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import AnyHttpUrl

from holmgang import AsyncClient, Problem, problems
from holmgang.release import release

from .player import Player
from .tools import server_for

if TYPE_CHECKING:
    from starlette.applications import Starlette

ANSWER_SECONDS = 15.0
PATIENCE = 20.0
"""Seconds for which a call is tried again: the model is told before its program gives up."""
PLAYERS = 10_000
"""Whose ids are kept."""
KEPT = 100
"""Connections to the service that are kept open while nobody waits on them."""
LAST_WAIT_SECONDS = 5
REFUSED = (problems.Unauthenticated, problems.InvalidToken, problems.TokenExpired)


def _client(url: str, token: str, http: httpx.AsyncClient | None = None, notes: Path | None = None) -> AsyncClient:
    agent = f"holmgang-mcp/{release()}"
    return AsyncClient(url, token, timeout=ANSWER_SECONDS, patience=PATIENCE, notes=notes, user_agent=agent, http=http)


def player_for(url: str, token: str, notes: Path | None = None) -> Player:
    """Raises ValueError for an address or a token that cannot be one."""
    return Player(_client(url, token, notes=notes))


class Players:
    """Those whose tokens come with requests. Each request has a client of its own, so that nothing of one player's is
    there when another asks; they share connections. Verifies tokens for the protocol's SDK."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._http = httpx.AsyncClient(limits=httpx.Limits(max_connections=None, max_keepalive_connections=KEPT))
        self._ids: OrderedDict[str, str] = OrderedDict()
        """Of the players by their tokens; what is asked with a token that is good no more, the service refuses."""

    def of_request(self) -> Player:
        """The player whose request is being answered."""
        access = get_access_token()
        assert access is not None, "the route asks for a token"
        return Player(_client(self.url, access.token, self._http), self._ids.get(access.token))

    async def verify_token(self, token: str) -> AccessToken | None:
        """A token that the service does not refuse. If it cannot be asked now, the calls will tell."""
        if (ident := self._ids.get(token)) is None:
            try:
                ident = await Player(_client(self.url, token, self._http)).id()
            except (ValueError, *REFUSED):
                return None
            except (Problem, httpx.TransportError):
                ident = ""
            else:
                self._ids[token] = ident
                if len(self._ids) > PLAYERS:
                    self._ids.popitem(last=False)
        return AccessToken(token=token, client_id=ident, scopes=[])


def application(url: str) -> Starlette:
    """The server over HTTP, at `/mcp`. It keeps nothing between requests: each says by its token whose it is."""
    players = Players(url)
    auth = AuthSettings(issuer_url=AnyHttpUrl(url), resource_server_url=None)
    # No page of a browser can let itself in by rebinding a name: it has no token.
    anywhere = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    server = server_for(players.of_request, auth, players)
    return server.streamable_http_app(stateless_http=True, transport_security=anywhere)


def listening(host: str, port: int) -> socket.socket:
    """Port 0 is a free one. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family)


def serve(url: str, listener: socket.socket) -> None:
    """Until it is told to stop by SIGINT or SIGTERM."""
    config = uvicorn.Config(
        application(url), log_level="warning", access_log=False, timeout_graceful_shutdown=LAST_WAIT_SECONDS
    )
    uvicorn.Server(config).run(sockets=[listener])


def converse(player: Player) -> None:
    """Until the standard input ends."""
    server_for(lambda: player).run("stdio")
