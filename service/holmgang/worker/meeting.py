"""What the worker does so that players meet.

It has a thread of its own, so that neither deadlines nor bots wait for it. It looks whenever any game has changed or
anything else that is waited for (`RevisionsTable.touch`), and otherwise several times a second: a chore that finds
nothing to do costs one cheap statement. Each batch takes its rows with SKIP LOCKED, or checks in the transaction that
changes something that it is still to be done, so that any number of workers may run and one may be killed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from holmgang.app.accounts import players
from holmgang.app.meeting import challenges, rematches
from holmgang.app.ports import Store

from .chores import Chores
from .departing import Departing
from .seeking import Seeking
from .tournaments import Tournaments

_FORGOTTEN_AT_ONCE = 200


def _fold_names(store: Store) -> bool:
    with store.transaction() as tables:
        return players.fold_names(tables)


def _expire_challenges(store: Store) -> bool:
    with store.transaction() as tables:
        return challenges.expire(tables)


def _expire_agreements(store: Store) -> bool:
    with store.transaction() as tables:
        return rematches.expire(tables)


def _forget_challenges(store: Store) -> bool:
    with store.reading() as tables:
        return tables.forget_challenges(challenges.KEPT_DAYS, _FORGOTTEN_AT_ONCE) == _FORGOTTEN_AT_ONCE


CHORES: tuple[Callable[[Store], bool], ...] = (
    _fold_names,
    _expire_challenges,
    _expire_agreements,
    _forget_challenges,
)
"""Each does one batch; whether there was anything to do."""


def meeting(store: Store) -> Chores:
    """All of it over a store."""
    return Chores([Seeking(store), Tournaments(store), Departing(store), *(partial(chore, store) for chore in CHORES)])
