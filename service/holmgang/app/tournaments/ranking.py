"""Standings of tournaments by rounds, computed once for each change: a thousand players over ten rounds take a quarter
of a second, and many look at the same."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from uuid import UUID

from holmgang.app.ports import TournamentsTable
from holmgang.app.records.tournaments import Tournament
from holmgang.tournaments.course import standing
from holmgang.tournaments.meetings import Player
from holmgang.tournaments.standings import Standing

from .playing import meetings

_MOST = 16
"""Of how many tournaments this process keeps the standings: at most a megabyte each."""

_kept: OrderedDict[UUID, tuple[int, list[Standing]]] = OrderedDict()
_lock = Lock()


def ranked(tables: TournamentsTable, one: Tournament, players: Sequence[Player]) -> list[Standing]:
    """How these stand, who are all of the tournament by their numbers."""
    if one.status == "open":  # others join, and nothing has been played
        return standing(one.form, players, [], 0)
    now = tables.look_at_tournament(one.id)  # before all else: what changes later makes it be computed anew
    assert now is not None, "tournaments are never deleted"
    with _lock:
        before = _kept.get(one.id)
    if before is not None and before[0] == now.changes:
        return before[1]
    rounds = tables.rounds(one.id)
    met = meetings(one.form, players, rounds, tables.counted_tables(one.id))
    found = standing(one.form, players, met, sum(each.ended_at is not None for each in rounds))
    with _lock:
        _kept[one.id] = now.changes, found
        _kept.move_to_end(one.id)
        if len(_kept) > _MOST:
            _kept.popitem(last=False)
    return found
