"""The Flask application: blueprints, errors, what is answered before it, and the edge around it all."""

from collections.abc import Callable
from typing import Any

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from holmgang import logs
from holmgang.api.http import process
from holmgang.api.http.admission import Admission, WaitingRoom
from holmgang.api.http.edge import Edge, request_ids
from holmgang.api.http.exports import EXPORTS_AT_ONCE
from holmgang.api.http.fast_moves import FastMoves
from holmgang.api.http.fast_polls import FastPolls, raise_fault
from holmgang.api.http.limits import Limiter
from holmgang.api.http.looks import Looks
from holmgang.api.http.metrics import add_metrics
from holmgang.api.http.presence import Presence
from holmgang.api.http.process import Cached, Process
from holmgang.api.http.routing import RoutedContext, Router
from holmgang.api.http.waiting import LongPolls
from holmgang.api.openapi.routes import add_reference
from holmgang.api.operation.answers import install_json
from holmgang.api.operation.declaration import NumberConverter
from holmgang.api.operation.service import EXTENSION, Service
from holmgang.api.problems.documents import add_error_handlers, add_pages
from holmgang.api.resources.blueprints import BLUEPRINTS
from holmgang.app.ports import Store
from holmgang.config import Settings
from holmgang.interrupts import ENDINGS, as_fault

READY_SECONDS = 1.0
"""How long the answer of /readyz is kept."""


class Application(Flask):
    """Its handlers are plain functions, which Flask would find out anew for each of them in every request."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        return func

    def dispatch_request(self) -> Any:
        """What a package's rules raise is a fault, whatever it is: SystemExit would leave the client without an answer,
        and KeyboardInterrupt with the server's own."""
        try:
            return super().dispatch_request()
        except ENDINGS as raised:
            raise as_fault(raised) from raised

    def request_context(self, environ: dict[str, Any]) -> RoutedContext:
        return RoutedContext(self, environ)


def build(settings: Settings, store: Store) -> Flask:
    """Put the application together around a store."""
    app = Application("holmgang", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = settings.max_body_bytes + 1
    app.url_map.merge_slashes = False  # an address with too many is another address, not a redirect
    app.url_map.converters["number"] = NumberConverter
    admission = Admission(settings.pool_size)
    service = Service(store, settings)
    waiting_room = WaitingRoom(settings.connections * 3 // 4, settings.waits_per_token)
    exporting = WaitingRoom(max(2, settings.connections // 16), EXPORTS_AT_ONCE)
    limiter = Limiter(settings)
    presence = Presence(store, limiter.callers.seen)
    ready, looks = Cached(store.ready, READY_SECONDS), Looks(store, admission)
    at_work = Process(admission, waiting_room, exporting, ready, looks, presence)
    app.note_presence = presence.write  # type: ignore[attr-defined]  # for the server, once a minute and in the end
    app.extensions |= {EXTENSION: service, process.EXTENSION: at_work}
    install_json(app)
    app.before_request(raise_fault)
    app.before_request(LongPolls(service, at_work).hold)
    add_metrics(app, service, at_work)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    add_error_handlers(app, service.base)
    add_pages(app, service.base)
    add_reference(app, service.base)
    logs.known_from(request_ids)
    app.wsgi_app = FastMoves(app.wsgi_app, service)  # type: ignore[method-assign]
    app.wsgi_app = FastPolls(app.wsgi_app, service)  # type: ignore[method-assign]
    app.wsgi_app = Edge(  # type: ignore[method-assign]
        app.wsgi_app,
        Router(app),
        admission,
        limiter,
        settings.max_body_bytes,
        service.base,
    )
    if settings.trusted_proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=settings.trusted_proxies)  # type: ignore[method-assign]
    return app
