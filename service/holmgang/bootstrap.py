"""The one place that wires the store and the web table into the application."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from holmgang import registry, tracing
from holmgang.api.application import build
from holmgang.api.resources.service.routes import LEAVING
from holmgang.app.ports import Store
from holmgang.config import Settings
from holmgang.store.database import open_store
from holmgang.web.docs import docs
from holmgang.web.files import page
from holmgang.web.pages import ROOT, web

if TYPE_CHECKING:
    from flask import Flask


def create_app(settings: Settings | None = None, store: Store | None = None) -> Flask:
    """The service as a WSGI application.

    Settings come from the environment and the store from the settings, unless given. Raises SettingsError, or
    psycopg's errors never: a database that is away shows in /readyz.
    """
    settings = Settings.from_environment() if settings is None else settings
    tracing.start(settings.otel_exporter_otlp_endpoint)
    chosen = open_store(settings) if store is None else store
    app = build(settings, chosen)
    app.config[ROOT] = urlsplit(settings.public_url or "").path
    app.register_blueprint(web)
    app.register_blueprint(docs)
    page(app.config[ROOT])  # and with it all files: read and packed before anybody asks
    app.leave = partial(app.config.__setitem__, LEAVING, True)  # type: ignore[attr-defined]  # likewise, before that
    app.drain = chosen.drain  # type: ignore[attr-defined]  # for the server, when it is told to stop
    if tracing.on():
        from holmgang.api.http.tracing import TracingMiddleware

        app.wsgi_app = TracingMiddleware(app.wsgi_app)  # type: ignore[method-assign]
    return app


def openapi_document(packages: bool = True) -> dict[str, Any]:
    """The OpenAPI document of the API, without any store: as it is served, or with the house's own games alone."""
    from holmgang.api.openapi.document import document

    with nullcontext() if packages else registry.house_alone():
        return document()
