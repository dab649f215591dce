"""Play on a Holmgang server: `Client` and `AsyncClient` make its calls, `Bot` plays games by a choice of yours.

All that clients need is here, and in `holmgang.answers` (what the service answers, as types) and `holmgang.problems`
(its refusals, as exceptions). Authors of games find theirs in `holmgang.engine`, those who train in
`holmgang.training`. The rest of the package is the service itself, for whose commands an extra is installed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import answers, problems
    from .client._accounts import Occasion, Scope
    from .client._bot import Bot
    from .client._choices import any_action
    from .client._client import AsyncClient, Client
    from .client._games import Status
    from .client._notes import Belied, Notes, Verified
    from .client._reach import Unreachable
    from .client._retry import Patience
    from .client._turn import TurnContext
    from .client._webhooks import Unverified, verify_webhook
    from .problems import Problem

    __version__: str

__all__ = [
    "AsyncClient",
    "Belied",
    "Bot",
    "Client",
    "Notes",
    "Occasion",
    "Patience",
    "Problem",
    "Scope",
    "Status",
    "TurnContext",
    "Unreachable",
    "Unverified",
    "Verified",
    "__version__",
    "answers",
    "any_action",
    "problems",
    "verify_webhook",
]

_WHERE = {
    **dict.fromkeys(("Occasion", "Scope"), "client._accounts"),
    "Bot": "client._bot",
    "any_action": "client._choices",
    **dict.fromkeys(("AsyncClient", "Client"), "client._client"),
    "Status": "client._games",
    **dict.fromkeys(("Belied", "Notes", "Verified"), "client._notes"),
    "Problem": "problems",
    "Unreachable": "client._reach",
    "Patience": "client._retry",
    "TurnContext": "client._turn",
    **dict.fromkeys(("Unverified", "verify_webhook"), "client._webhooks"),
}
"""Loaded when they are first asked for (PEP 562): rules and the service are below this package, too, and need no
httpx."""


def __getattr__(name: str) -> Any:
    if name in ("answers", "problems"):
        return import_module(f"{__name__}.{name}")
    if name == "__version__":
        return import_module(f"{__name__}.release").release()
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
    if callable(found) and not hasattr(found, "__origin__"):
        found.__module__ = __name__  # tracebacks and help name what is public by where it is imported from
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
