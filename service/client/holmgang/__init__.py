"""Play on a Holmgang server: `Client` and `AsyncClient` make its calls, `Bot` plays games by a choice of yours.

All that is public is here, and in `holmgang.answers` (what the service answers, as types) and `holmgang.problems` (its
refusals, as exceptions).
"""

from . import answers, problems
from ._accounts import Occasion, Scope
from ._bot import Bot, any_action
from ._client import AsyncClient, Client
from ._games import Status
from ._notes import Belied, Notes, Verified
from ._problem import Problem
from ._retry import Patience
from ._webhooks import Unverified, verify_webhook

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
    "Unverified",
    "Verified",
    "answers",
    "any_action",
    "problems",
    "verify_webhook",
]

# Tracebacks and help name what is public by where it is imported from.
for _public in (AsyncClient, Belied, Bot, Client, Notes, Patience, Problem, Unverified, Verified):
    _public.__module__ = __name__
any_action.__module__ = verify_webhook.__module__ = __name__
del _public
