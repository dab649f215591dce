"""The service's pages: Jinja2 templates, which hold their style sheet and no script."""

import base64
import functools
import hashlib
import json
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from holmgang.languages.catalogue import ENGLISH, translation
from holmgang.representation import Kept, keep

_FOLDER = Path(__file__).parent / "templates"
_STYLE = (_FOLDER / "style.css").read_text(encoding="utf-8")
_DIGEST = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()

HEADERS = {
    "Content-Security-Policy": f"default-src 'none'; style-src 'sha256-{_DIGEST}'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "Cache-Control": "public, max-age=300",
}
"""The headers of every page. Browsers apply no style but that of the style sheet (CSP Level 3, 2.3.1)."""

_templates = Environment(
    loader=FileSystemLoader(_FOLDER), autoescape=True, trim_blocks=True, lstrip_blocks=True, auto_reload=False
)
_templates.filters["json"] = functools.partial(json.dumps, ensure_ascii=False)
_templates.globals["style"] = Markup(_STYLE)  # noqa: S704 # a file of ours


def render(template: str, language: str = ENGLISH, **values: Any) -> Kept:
    """A page in a language, ready to be served. In the template `t` translates its literals and other messages."""

    def t(message: str, **filled: object) -> str:
        text = translation(message, language)
        return text.format_map(filled) if filled else text

    page = _templates.get_template(template).render(values, language=language, t=t)
    return keep(page.encode(), "text/html")
