"""The Flask application: blueprints, errors, what is answered before it, and the edge around it all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from service import logs
from service.app.ports import Store
from service.config import Settings

from . import invitations as invitations  # adds its operations to the blueprint of games
from . import pictures as pictures  # likewise
from . import play as play  # likewise
from .accounts import me, players
from .answering import install_json
from .calls import EXTENSION, Service
from .early import Early, attend
from .edge import Edge, request_ids
from .figures import show_figures
from .games import games
from .leaderboards import leaderboards
from .limiting import Limiter
from .line import Line
from .operation import NumberConverter, Resources
from .operations import add_pages, operations
from .problems import Problems
from .readiness import Readiness
from .routing import Routed, Routes
from .rulesets import rulesets
from .streaming import ROOM
from .waiting import Room, hold_requests
from .webhooks import webhooks

BLUEPRINTS: tuple[Resources, ...] = (players, me, rulesets, games, leaderboards, webhooks, operations)


class Application(Flask):
    """All its handlers are plain functions, which Flask would find out anew for each of them in every request."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        return func

    def dispatch_request(self) -> Any:
        """SystemExit, as a package's rules may raise it, is a fault like others: it would end the request's greenlet,
        and whoever asked would wait for an answer for ever."""
        try:
            return super().dispatch_request()
        except SystemExit as ended:
            raise RuntimeError("a request tried to end the process") from ended

    def request_context(self, environ: dict[str, Any]) -> Routed:
        return Routed(self, environ)


def build(settings: Settings, store: Store) -> Flask:
    """Put the application together around a store."""
    app = Application("holmgang", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = settings.max_body_bytes + 1
    app.url_map.merge_slashes = False  # an address with too many is another address, not a redirect
    app.url_map.converters["number"] = NumberConverter
    line = Line(settings.pool_size)
    service = Service(store, settings, line, Readiness(store.ready))
    app.extensions[EXTENSION] = service
    install_json(app)
    attend(app)
    room = Room(settings.connections * 3 // 4, settings.waits_per_token)
    app.extensions[ROOM] = room
    hold_requests(app, service, room)
    show_figures(app, service, room)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    Problems(service.base).attach(app)
    add_pages(app)
    logs.known_from(request_ids)
    app.wsgi_app = Early(app.wsgi_app, store)  # type: ignore[method-assign]
    app.wsgi_app = Edge(  # type: ignore[method-assign]
        app.wsgi_app, Routes(app), line, Limiter(settings), max_body_bytes=settings.max_body_bytes, base=service.base
    )
    if settings.trusted_proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=settings.trusted_proxies)  # type: ignore[method-assign]
    return app
