"""Play on a Holmgang server: `Client` and `AsyncClient` make its calls, `Bot` plays games by a choice of yours."""

from . import answers, problems
from .aio import AsyncClient
from .bot import Bot, any_action
from .client import Client
from .notes import Belied, Notes, Verified
from .problems import Problem
from .retry import Patience
from .webhooks import Unverified, verify_webhook

__all__ = [
    "AsyncClient",
    "Belied",
    "Bot",
    "Client",
    "Notes",
    "Patience",
    "Problem",
    "Unverified",
    "Verified",
    "answers",
    "any_action",
    "problems",
    "verify_webhook",
]
