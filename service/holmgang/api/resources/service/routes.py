"""What operators and newcomers ask first: an index, health and readiness."""

from typing import Any

from flask import current_app
from msgspec import Struct

from holmgang.api.http.process import process
from holmgang.api.operation.declaration import Resources, operation
from holmgang.api.operation.gate import Access
from holmgang.api.operation.service import service
from holmgang.api.operation.terms import Example, described
from holmgang.app.errors import Busy, DatabaseUnavailable
from holmgang.engine.messages import say
from holmgang.release import release


class Health(Struct, frozen=True):
    status: str


class ServiceIndex(Struct, frozen=True, kw_only=True):
    name: str
    version: str
    links: dict[str, str]


operations = Resources("operations", __name__, "Whether the service runs, and what it offers.", prefix=None)


LEAVING = "HOLMGANG_LEAVING"
"""Set in the application's configuration when the process has been told that it is going to be stopped."""


LINKS = {
    "docs": "/docs",
    "openapi": "/openapi.json",
    "problems": "/problems",
    "rulesets": "/v1/rulesets",
    "players": "/v1/players",
    "games": "/v1/games",
    "waiting_turns": "/v1/me/turns",
    "health": "/healthz",
    "readiness": "/readyz",
}


def _index(base: str) -> ServiceIndex:
    return ServiceIndex(name="Holmgang", version=release(), links={name: base + path for name, path in LINKS.items()})


@operation(operations, "GET /", Access.OPEN, ServiceIndex)
@described(lambda story: Example(answers={"index": _index(story.base)}))
def get_index() -> Any:
    """Find your way: links to everything

    Browsers, which ask for `text/html` rather than JSON, get the web table from this address.
    """
    return _index(service().base), {"Vary": "Accept"}


@operation(operations, "GET /healthz", Access.OPEN, Health, budget=None)
@described(Example(answers={"ok": Health("ok")}))
def get_health() -> Any:
    """Ask whether the process is running

    The database is not asked: restart a process that does not answer.
    """
    return Health("ok"), {"Cache-Control": "no-store"}


@operation(operations, "GET /readyz", Access.OPEN, Health, budget=None)
@described(Example(answers={"ready": Health("ready")}), problems="database_unavailable busy")
def get_readiness() -> Any:
    """Ask whether requests can be served

    They can when the database answers and has the right schema, and the process is not about to end.
    """
    if current_app.config.get(LEAVING):
        raise Busy(say("This process is about to end. Another one answers."))
    if not process().ready.get():
        raise DatabaseUnavailable(say("The database does not answer, or its schema is another release's."))
    return Health("ready"), {"Cache-Control": "no-store"}
