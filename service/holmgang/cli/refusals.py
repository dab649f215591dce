"""Saying which games a service was started without, and what of their translations."""

from __future__ import annotations

from holmgang import logs, registry
from holmgang.languages.catalogue import left_out

_log = logs.get_logger("holmgang.games")


def tell_refused() -> None:
    """Log a line for each game that was refused, and for each catalogue of which something was left out."""
    for each in registry.refused():
        _log.error(each.why, package=each.package, game=each.name)
    for sentence in left_out():
        _log.warning(sentence)
