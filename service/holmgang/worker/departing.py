"""What the worker does for accounts that were deleted: ends what they were in the middle of, one by one."""

from __future__ import annotations

from uuid import UUID

from holmgang import logs
from holmgang.app.leaving import games as leaving_games
from holmgang.app.leaving import tournaments as leaving_tournaments
from holmgang.app.ports import Store
from holmgang.interrupts import FAULTS

PLAYERS_AT_ONCE, GAMES_AT_ONCE = 10, 50

_log = logs.get_logger("holmgang.worker")


def depart(store: Store) -> bool:
    """Let some who are gone leave some of their games and tournaments; whether there was any to leave.

    A game or a tournament that cannot be left is tried again later. Others do not wait for it.
    """
    with store.reading() as tables:
        players = tables.departing(PLAYERS_AT_ONCE)
    left, done, fault = 0, list[UUID](), None
    for player in players:
        with store.reading() as tables:
            games = tables.unfinished_seats(player, GAMES_AT_ONCE)
            tournaments = tables.tournaments_to_leave(player)
        if not games and not tournaments:
            done.append(player)
        for tournament in tournaments:
            try:
                with store.transaction() as tables:
                    leaving_tournaments.leave(tables, player, tournament)
                left += 1
            except FAULTS as raised:
                fault = raised
        for game, _ in games:
            try:
                with store.transaction() as tables:
                    leaving_games.leave(tables, player, game)
                left += 1
            except FAULTS as raised:
                fault = raised
    if done:
        with store.reading() as tables:
            tables.departed(done)
    if fault is not None:
        raise fault
    return left > 0
