"""The documentation site below `/docs/`: the files that `make docs` has built, as they are.

`/docs` itself is the API reference, which `holmgang.api` makes of the document.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from flask import Blueprint, Response, redirect

from holmgang.app.errors import NotFound
from holmgang.representation import Kept, keep

from .files import TYPES

if TYPE_CHECKING:
    from werkzeug.wrappers import Response as AnyResponse

BUILT = (Path(__file__).parent / "site", Path(__file__).parents[3] / "build/docs")
"""Where the site may lie: in the package, as the image has it, or where a checkout builds it."""
INLINE = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
SEARCH_STYLE = "'sha256-NwSx/R2V/U4jnW0Tq5pQ53Y/rzPVJ4dqE7D6UTA/J1k='"
"""What the theme's search puts into its own part of the page; browsers name it where it has become another."""
MISSING = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Holmgang documentation</title></head>
<body><main><h1>The documentation is not built here</h1>
<p>In a checkout, run <code>make docs</code> and start the service again. The same pages are text files in
<code>docs/pages</code>.</p>
<p>The <a href="../docs">API reference</a> needs no build.</p></main></body>
</html>
"""

docs = Blueprint("docs", __name__, url_prefix="/docs")


class File(NamedTuple):
    kept: Kept
    headers: dict[str, str]


@docs.get("/")
def start() -> Response:
    found = _file("index.html") if "index.html" in names() else _served(MISSING.encode(), ".html")
    return found.kept.answer(found.headers)


@docs.get("/<path:name>")
def page(name: str) -> AnyResponse:
    """A file; or a page, whose address is that of a folder."""
    if name + "/index.html" in names():
        return redirect(f"{name.rpartition('/')[2]}/", HTTPStatus.PERMANENT_REDIRECT)
    path = f"{name}index.html" if name.endswith("/") else name
    if path not in names():
        raise NotFound("file", name)
    found = _file(path)
    return found.kept.answer(found.headers)


@cache
def names() -> frozenset[str]:
    """The paths of all files of the site; empty where it was not built."""
    return frozenset(
        file.relative_to(_folder()).as_posix()
        for file in _folder().rglob("*")
        if file.suffix in TYPES.keys() | {".png"}
    )


@cache
def _folder() -> Path:
    return next((folder for folder in BUILT if (folder / "index.html").is_file()), BUILT[0])


@cache
def _file(name: str) -> File:
    path = _folder() / name
    return _served(path.read_bytes(), path.suffix)


def _served(content: bytes, ending: str) -> File:
    """With a policy that lets nothing run but the site's own files, and what stands in this page."""
    digests = [base64.b64encode(hashlib.sha256(script).digest()).decode() for script in INLINE.findall(content)]
    scripts = " ".join(["'self'", *(f"'sha256-{digest}'" for digest in dict.fromkeys(digests))])
    policy = (
        f"default-src 'none'; script-src {scripts}; style-src 'self' {SEARCH_STYLE}; connect-src 'self'; "
        "img-src 'self' data:; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return File(
        keep(content, "image/png" if ending == ".png" else TYPES[ending]),
        {
            "Cache-Control": "public, no-cache",
            "Content-Security-Policy": policy,
            "Cross-Origin-Opener-Policy": "same-origin",
        },
    )
