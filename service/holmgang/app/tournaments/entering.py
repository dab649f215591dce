"""Who is in a tournament: joining, coming back, leaving."""

from __future__ import annotations

from typing import Protocol
from uuid import UUID

from uuid_utils.compat import uuid7

from holmgang import registry
from holmgang.app.accounts.tokens import digest_of, hold, need, need_free
from holmgang.app.errors import LimitReached, NotFound, NotYours, TournamentFull, TournamentNotOpen
from holmgang.app.games.seats import need_bot_that_plays
from holmgang.app.ports import ContendersTable, PlayersTable, RevisionsTable, SeatsTable, TournamentsTable
from holmgang.app.records.players import Principal
from holmgang.app.records.tournaments import Entry, Happening, Locked, Tournament
from holmgang.engine.messages import say

from . import endless
from .playing import by_rounds
from .telling import tell

MOST_ENTRIES = 100
"""In how many tournaments that are not over a player may be."""


class EnteringTables(TournamentsTable, ContendersTable, RevisionsTable, PlayersTable, Protocol): ...


def join(
    tables: EnteringTables, principal: Principal, ident: UUID, invitation: str | None = None
) -> tuple[Entry, bool]:
    """Take part: before the start, in an arena and a ladder also later. Whoever left or was absent is back. Returns
    the entry, and whether it is new; joining twice changes nothing. In a transaction."""
    locked = _held(tables, principal, ident, invitation)
    one, player = locked.tournament, principal.player
    mine = tables.entry(ident, player)
    if one.status not in ("open", "active"):
        raise TournamentNotOpen(say("The tournament is over."))
    if mine is None:
        _need_room(one)
        hold(tables, principal)
        if tables.entries_under_way(player) >= MOST_ENTRIES:
            detail = say("You are in {most} tournaments that are not over: leave some.", most=MOST_ENTRIES)
            raise LimitReached("entries", MOST_ENTRIES, detail)
        tables.add_entry(ident, player, player, None, one.entered + 1 if one.status == "active" else None)
    elif mine.out is not None:
        tables.set_out(ident, [player], None)
    else:
        return mine, False
    if one.status == "active" and not by_rounds(one.kind):
        endless.entered(tables, ident, [player])
    _changed(tables, locked, "entered", player)
    found = tables.entry(ident, player)
    assert found is not None, "its tournament is locked"
    return found, mine is None


class BotTables(EnteringTables, SeatsTable, Protocol): ...


def add_bot(tables: BotTables, principal: Principal, ident: UUID, bot: str) -> Entry:
    """A built-in bot takes part in a tournament of the caller's, where players may still join. In a transaction."""
    locked = _held(tables, principal, ident, None)
    one = locked.tournament
    if one.creator != principal.player:
        raise NotYours(say("Only who made the tournament lets bots take part."))
    _need_room(one)
    need_bot_that_plays(registry.latest(one.terms.ruleset), bot, "/bot")
    entry = uuid7()
    player = tables.bot_player(bot, uuid7())
    tables.add_entry(ident, entry, player, bot, one.entered + 1 if one.status == "active" else None)
    if one.status == "active":
        endless.entered(tables, ident, [entry])
    _changed(tables, locked, "entered", entry)
    found = tables.entry(ident, entry)
    assert found is not None, "its tournament is locked"
    return found


def leave(tables: EnteringTables, principal: Principal, ident: UUID, entry: UUID | None = None) -> None:
    """Take part no more. Before the start nothing is left of it; later one is not paired any more. A game that is
    being played is not given up by it. By the `entry` whoever made the tournament takes out others: before the start
    everybody, later bots. In a transaction."""
    locked = _held(tables, principal, ident, None)
    mine = tables.entry(ident, entry or principal.player)
    if mine is None:
        raise NotFound("entry", entry or principal.player)
    if mine.id != principal.player:
        is_maker = locked.tournament.creator == principal.player
        if not is_maker or (mine.bot is None and locked.tournament.status != "open"):
            raise NotYours(say("This is somebody else's entry."))
    withdraw(tables, locked, mine)


def withdraw(tables: EnteringTables, locked: Locked, mine: Entry) -> None:
    """Take an entry out of a tournament."""
    ident = locked.tournament.id
    if locked.tournament.status == "open":
        tables.remove_entry(ident, mine.id)
    elif locked.tournament.status == "active" and mine.out != "withdrawn":
        tables.set_out(ident, [mine.id], "withdrawn")
        endless.left(tables, ident, [mine.id])
    else:
        return
    _changed(tables, locked, "left", mine.id)


def _need_room(one: Tournament) -> None:
    if one.status not in ("open", "active"):
        raise TournamentNotOpen(say("The tournament is over."))
    if one.status == "active" and by_rounds(one.kind):
        raise TournamentNotOpen(say("The tournament has started: players join before."))
    if one.entered >= one.plan.most:
        raise TournamentFull(say("The tournament is full: it takes {most} players.", most=one.plan.most))


def _held(tables: EnteringTables, principal: Principal, ident: UUID, invitation: str | None) -> Locked:
    need(principal, "play")
    need_free(principal)
    if not tables.may_see_tournament(principal.player, ident, digest_of(invitation)):
        raise NotFound("tournament", ident)
    locked = tables.lock_tournament(ident)
    assert locked is not None, "tournaments are never deleted"
    return locked


def _changed(tables: EnteringTables, locked: Locked, what: Happening, entry: UUID) -> None:
    one = locked.tournament
    tables.changed_tournament(one.id, due_in=None if one.status == "open" else 0)
    if one.status == "open":
        tables.wait_for_start(one)
    tell(tables, one.id, what, entry=entry)
