"""Logs: one line an event on standard error, as JSON for machines or readable on a terminal.

structlog over the standard library: what libraries log comes in the same form. A line names the request and the game
that it was written for, from wherever those are known (`known_from`, or structlog's `bound_contextvars`); that costs
nothing while nothing is logged. Stack traces are without local variables, which may hold secrets.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Mapping, MutableMapping
from datetime import UTC, datetime
from typing import Any

import msgspec
import structlog

ACCESS = "holmgang.access"
JSON, CONSOLE = "json", "console"

Event = MutableMapping[str, Any]

_sources: list[Callable[[], Mapping[str, Any]]] = []
_encode = msgspec.json.Encoder(enc_hook=repr).encode


def known_from(source: Callable[[], Mapping[str, Any]]) -> None:
    """Have each line carry what `source` tells at that moment, such as the request being worked on."""
    if source not in _sources:
        _sources.append(source)


def get_logger(name: str) -> structlog.stdlib.BoundLogger:
    """A logger whose lines take values by keyword. Never give it a token, a secret or a seed."""
    logger: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(name)
    return logger


def configure(level: str, form: str | None = None) -> None:
    """Log from `level` on; `form` is `json` or `console`, by default the one that suits standard error.

    Migrations, HTTP clients and the like speak up only when something is wrong, unless the level is `debug`.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter(form or (CONSOLE if sys.stderr.isatty() else JSON)))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    logging.getLogger(ACCESS).setLevel(level.upper())
    logging.captureWarnings(True)
    for chatty in ("alembic", "httpcore", "httpx", "urllib3"):
        logging.getLogger(chatty).setLevel(logging.NOTSET if level == "debug" else logging.WARNING)


def formatter(form: str) -> logging.Formatter:
    """What turns a record into a line."""
    return (
        _Lines()
        if form == JSON
        else structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_CHAIN,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.dev.ConsoleRenderer(
                    colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback, pad_event_to=40
                ),
            ],
        )
    )


def _with_what_is_known(_logger: Any, _method: str, event: Event) -> Event:
    for source in _sources:
        for name, value in source().items():
            event.setdefault(name, value)
    return event


def _named(_logger: Any, _method: str, event: Event) -> Event:
    """The name of an access line, which comes as a bare dictionary from the standard library's logger."""
    record = event.get("_record")
    if record is not None and isinstance(record.msg, dict):
        event.update(record.msg, event=record.msg.get("event", "request"))
    return event


_CHAIN: list[Any] = [
    structlog.contextvars.merge_contextvars,
    _with_what_is_known,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    _named,
]


def _rendered(_logger: Any, _method: str, event: Event) -> str:
    first = {name: event.pop(name) for name in ("timestamp", "level", "logger", "event") if name in event}
    return _encode({**first, **event}).decode()


class _Lines(structlog.stdlib.ProcessorFormatter):
    """JSON lines. Those of requests, of which there are many, skip what they do not need."""

    def __init__(self) -> None:
        super().__init__(
            foreign_pre_chain=_CHAIN,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                _rendered,
            ],
        )

    def format(self, record: logging.LogRecord) -> str:
        if record.name == ACCESS and isinstance(record.msg, dict):
            return _encode(
                {
                    "timestamp": datetime.fromtimestamp(record.created, UTC),
                    "level": record.levelname.lower(),
                    "logger": ACCESS,
                    "event": "request",
                    **record.msg,
                }
            ).decode()
        return super().format(record)


structlog.configure(
    processors=[
        structlog.stdlib.filter_by_level,
        structlog.stdlib.PositionalArgumentsFormatter(),
        *_CHAIN[:-1],
        structlog.processors.format_exc_info,
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    wrapper_class=structlog.stdlib.BoundLogger,
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)
