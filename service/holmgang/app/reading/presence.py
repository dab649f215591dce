"""Who of those at a table is there: told to those who sit there, by the minute.

Nothing finer is noted. At a table where choices are sealed it would tell who has just chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol
from uuid import UUID

from holmgang.app.access import player_seat
from holmgang.app.ports import PresenceTable, SeatsTable
from holmgang.app.records.contexts import GameCaller
from holmgang.app.records.games import SeatHolder
from holmgang.app.records.presence import Presence, SeatPresence, Sight


class LookingTables(PresenceTable, SeatsTable, Protocol): ...


def look(tables: LookingTables, caller: GameCaller) -> Presence:
    """Refused as by `player_seat` for who does not sit there."""
    player_seat(caller, "read")
    holders = tables.holders(caller.game)
    people = {holder.player for holder in holders if holder.bot is None}
    seen = {sight.player: sight for sight in tables.presence(people)}
    assert caller.principal is not None, "who sits there has a token"
    me = caller.principal.player
    return Presence(game=caller.game, seats=[_seat(holder, seen, me) for holder in holders])


def _seat(holder: SeatHolder, seen: Mapping[UUID, Sight], me: UUID) -> SeatPresence:
    """Callers themselves are there, whatever has been written down by now."""
    sight = seen.get(holder.player)
    if sight is not None and sight.hides:
        return SeatPresence(seat=holder.seat, status="hidden", away_since=None)
    if holder.bot is not None or holder.player == me or (sight is not None and sight.here):
        return SeatPresence(seat=holder.seat, status="here", away_since=None)
    return SeatPresence(seat=holder.seat, status="away", away_since=None if sight is None else sight.minute)
