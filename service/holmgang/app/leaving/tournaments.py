"""Tournaments without a player whose account was deleted."""

from __future__ import annotations

from typing import Protocol
from uuid import UUID

from holmgang.app.tournaments.entering import EnteringTables, withdraw
from holmgang.app.tournaments.making import MakingTables, call_off


class FarewellTables(EnteringTables, MakingTables, Protocol): ...


def leave(tables: FarewellTables, player: UUID, ident: UUID) -> None:
    """Withdraw from a tournament, and cancel it if it is theirs and needs its maker: nobody else could start one that
    is open, or end a ladder. In a transaction."""
    locked = tables.lock_tournament(ident)
    if locked is None:
        return
    if (mine := tables.entry(ident, player)) is not None:
        withdraw(tables, locked, mine)
    one = locked.tournament
    if one.creator == player and (one.status == "open" or (one.status == "active" and one.kind == "ladder")):
        call_off(tables, ident)
