"""Saying which games a service was started without."""

from __future__ import annotations

from service import logs, registry

_log = logs.get_logger("holmgang.games")


def tell_refused() -> None:
    """Log a line for each game that was refused."""
    for each in registry.refused():
        _log.error(each.why, package=each.package, game=each.name)
