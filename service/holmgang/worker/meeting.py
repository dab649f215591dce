"""What the worker does so that players meet.

It has a thread of its own, so that neither deadlines nor bots wait for it. It looks whenever something has changed that
players wait for besides games (`RevisionsTable.touch`), or a game has ended, and otherwise once a second: to look at
each move would cost more than the move. Each batch takes its rows with SKIP LOCKED, or checks in the transaction that
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

MEET_SECONDS = 1.0
"""How often it looks without being woken."""
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


CHORES: tuple[tuple[Callable[[Store], bool], float], ...] = (
    (_expire_challenges, 1.0),
    (_expire_agreements, 1.0),
    (_fold_names, 60.0),
    (_forget_challenges, 60.0),
)
"""Each does one batch, and says whether there was anything to do; if not, it rests for so many seconds."""


def meeting(store: Store) -> Chores:
    """All of it over a store."""
    chores = Chores([Seeking(store), Tournaments(store)])
    chores.add(Departing(store), 1.0)
    for chore, seconds in CHORES:
        chores.add(partial(chore, store), seconds)
    return chores
