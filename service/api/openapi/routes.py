"""The API document, and the reference page that is made of it."""

import functools

from flask import Flask, Response

from service.api.operation.declaration import operation
from service.api.operation.gate import Access
from service.api.operation.service import service
from service.api.operation.terms import Example, described
from service.api.pages import HEADERS, render
from service.api.resources.service.routes import operations
from service.engine.codec import encode_json
from service.representation import Kept, keep

from .document import document
from .reference import bounds, tags_of


@operation(operations, "GET /openapi.json", Access.OPEN, {"type": "object"}, name="getOpenAPI", tagged=True)
@described(Example(answers={"document": {"openapi": "3.1.0", "info": {"title": "Holmgang"}}}))
def get_openapi() -> Response:
    """Read this document"""
    return _document(service().base).answer({"Cache-Control": "public, max-age=300"})


@functools.cache
def _document(base: str) -> Kept:
    return keep(encode_json(document(base)), "application/json")


@functools.cache
def _reference(base: str) -> Kept:
    shown = document(base)
    return render("reference.html", document=shown, tags=tags_of(shown, base), base=base, bounds=bounds)


def add_reference(app: Flask, base: str) -> None:
    """The page for people. Addresses in it begin with `base`."""

    @app.get("/docs")
    def docs() -> Response:
        return _reference(base).answer(HEADERS)
