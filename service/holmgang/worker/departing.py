"""What the worker does for accounts that were deleted: ends what they were in the middle of, one by one."""

from __future__ import annotations

from uuid import UUID

from holmgang.app.leaving import games as leaving_games
from holmgang.app.leaving import tournaments as leaving_tournaments
from holmgang.app.ports import Store
from holmgang.interrupts import FAULTS, as_fault

from .chores import AWAY_SECONDS
from .pauses import Pauses

PLAYERS_AT_ONCE, GAMES_AT_ONCE = 10, 50
AGAIN_SECONDS = 10.0
"""When who is in nothing any more is looked at again: something may have been on its way."""


class Departing:
    """A chore over a store. It belongs to one thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._pauses = Pauses()

    def __call__(self) -> bool:
        """Let some who are gone leave some of their tournaments and games; whether there may be more to leave.

        What cannot be left is tried again later. Others do not wait for it.
        """
        with self._store.reading() as tables:
            players = tables.departing(PLAYERS_AT_ONCE, self._pauses.games())
        faults = [fault for player in players if (fault := self._depart(player)) is not None]
        if faults:
            raise faults[0]
        return bool(players)

    def _depart(self, player: UUID) -> Exception | None:
        """Gives what some of it could not be left for."""
        try:
            fault = self._leave(player)
        except FAULTS as raised:
            fault = as_fault(raised)
        if fault is not None:
            self._pauses.begin(player, AWAY_SECONDS, doubling=True)
        return fault

    def _leave(self, player: UUID) -> Exception | None:
        fault: Exception | None = None
        with self._store.reading() as tables:  # which goes on while a node is away
            tournaments = tables.tournaments_to_leave(player)
        for tournament in tournaments:
            try:
                with self._store.transaction() as tables:
                    leaving_tournaments.leave(tables, player, tournament)
            except FAULTS as raised:
                fault = as_fault(raised)
        with self._store.reading() as tables:
            games = tables.unfinished_games(player, GAMES_AT_ONCE)
        for game in games:
            try:
                with self._store.transaction() as tables:
                    leaving_games.leave(tables, player, game)
            except FAULTS as raised:
                fault = as_fault(raised)
        if not tournaments and not games:
            with self._store.reading() as tables:
                tables.departed(player)
            self._pauses.begin(player, AGAIN_SECONDS)
        return fault
