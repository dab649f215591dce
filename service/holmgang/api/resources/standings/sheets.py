"""Lines as CSV (RFC 4180), for spreadsheets."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from flask import Response, request

from holmgang.negotiation import media_type

CSV = "text/csv"
_FORMULAS = ("=", "+", "-", "@", "\t")
"""What spreadsheets begin to calculate at."""


def wants_sheet() -> bool:
    """Whether the answer is asked for as CSV, rather than as JSON."""
    accept = request.environ.get("HTTP_ACCEPT")
    return accept is not None and media_type(accept, "application/json", CSV) == CSV


def sheet(columns: Sequence[str], lines: Iterable[Sequence[Any]]) -> Response:
    """A table with the names of its columns. No text is a formula: an apostrophe stands before what would be one."""
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(columns)
    rows.writerows([_plain(value) for value in line] for line in lines)
    return Response(out.getvalue(), content_type=f"{CSV}; charset=utf-8; header=present")


def number(value: float | None) -> str:
    """As short as it can be written; nothing for None."""
    return "" if value is None else f"{value:.9f}".rstrip("0").rstrip(".")


def _plain(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULAS) else value
