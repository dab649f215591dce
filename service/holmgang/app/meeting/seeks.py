"""Seeks: made, withdrawn, matched and expired.

A player's seeks are changed only while the player is locked, so one is never matched twice, nor matched and withdrawn.
A match that ends in a live game withdraws the player's other live seeks: nobody can play two at once. One in a
correspondence game, whose turns and banks last a day or longer, or for ever, leaves all others alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from math import inf
from random import Random
from typing import Any, NamedTuple, Protocol
from uuid import UUID

import msgspec
from uuid_utils.compat import uuid7

from holmgang import registry
from holmgang.app.accounts.tokens import hold, need, need_free, refusal_of
from holmgang.app.errors import LimitReached, NotFound, SeekMatched
from holmgang.app.fairness.dice import canonical_json
from holmgang.app.games import ratings
from holmgang.app.games.creation import CreationTables, checked, made
from holmgang.app.ports import BlocksTable, PlayersTable, RevisionsTable, SeeksTable
from holmgang.app.records.players import Principal, TokenFault
from holmgang.app.records.seeks import NewSeek, Seek, Seeking, Wanted
from holmgang.app.records.terms import Terms
from holmgang.engine.messages import counted, say, template

from .matching import Match, Seeker, matches, seated

DAY = 24 * 60 * 60
KEPT_HOURS = 24
"""How long seeks that have ended can be read."""


class SeekTables(SeeksTable, PlayersTable, RevisionsTable, Protocol): ...


class FindTables(SeeksTable, BlocksTable, Protocol): ...


class MatchTables(SeekTables, BlocksTable, CreationTables, Protocol): ...


class Range(NamedTuple):
    """By how many rating points others may be weaker and stronger, None for any, and how much more each minute."""

    below: int | None = None
    above: int | None = None
    widens: int = 0


ANY_RATING = Range()


def create(
    tables: SeekTables,
    principal: Principal,
    terms: Terms,
    seats: Iterable[int],
    *,
    wanted: Wanted = "both",
    reach: Range = ANY_RATING,
    seconds: int,
    most: int,
) -> Seek:
    """A seek of a table with one of these numbers of `seats`, all at least 2. It waits for `seconds`, or until its
    token expires. `most`: how many may wait for one player. In a transaction."""
    need(principal, "play")
    need_free(principal)
    games = {}
    for count in sorted(set(seats)):
        _, whole = checked(terms, count)
        games[count] = _digest(whole.options)
    hold(tables, principal)
    if tables.seeks_waiting(principal.player) >= most:
        detail = counted(
            most,
            template("You have {count} seek that waits: withdraw it, or let it end."),
            template("You have {count} seeks that wait: withdraw some, or let them end."),
        )
        raise LimitReached("seeks", most, detail)
    ident, asked = uuid7(), msgspec.structs.replace(whole, options=terms.options)
    new = NewSeek(
        id=ident,
        player=principal.player,
        token=principal.token,
        terms=asked,
        pool=_digest(msgspec.to_builtins(msgspec.structs.replace(asked, options={}))),
        games=games,
        wanted=wanted,
        rating_below=reach.below,
        rating_above=reach.above,
        rating_widens=reach.widens,
        live=_is_live(terms),
        seconds=seconds,
    )
    if not tables.add_seek(new):
        raise refusal_of(TokenFault.UNKNOWN)  # revoked since it was looked at
    tables.touch(principal.player)
    return mine(tables, principal, ident)


def _is_live(terms: Terms) -> bool:
    """Whether its players sit at the board until it is over, rather than look in once a day."""
    return any(each is not None and each < DAY for each in (terms.turn_seconds, terms.bank_seconds))


def _digest(value: Any) -> str:
    return hashlib.sha256(canonical_json(value)).hexdigest()


def mine(tables: SeeksTable, principal: Principal, ident: UUID) -> Seek:
    """One of the caller's own: whom others want is theirs alone."""
    found = tables.seek(principal.player, ident)
    if found is None:
        raise NotFound("seek", ident)
    return found


def withdraw(tables: SeekTables, principal: Principal, ident: UUID) -> None:
    """SeekMatched if there is a game by it. One that has ended otherwise stays as it is. In a transaction."""
    need(principal, "play")
    need_free(principal)
    hold(tables, principal)
    if tables.withdraw_seek(principal.player, ident):
        _touch(tables, {ident, principal.player})
    elif (game := mine(tables, principal, ident).game) is not None:
        raise SeekMatched(say("This seek has led to a game: play it, or resign."), game=str(game))


def find(tables: FindTables, pool: str, but: Sequence[UUID] = ()) -> list[Match]:
    """The tables of a pool that can be filled now, leaving out some seeks. Who fits nobody is noted as tried: the pool
    is worth a look again when somebody joins it, or when ranges have widened. In a transaction."""
    waiting = tables.seeking(pool, but)
    blocked = tables.blocked_among([one.player for one in waiting])
    found = matches([_seeker(one) for one in waiting], blocked, once=any(one.live for one in waiting))
    matched = {one.id for match in found for one in match.seekers}
    if vain := [one.id for one in waiting if not one.tried and one.id not in matched]:
        tables.mark_tried(vain)
    return found


def _seeker(one: Seeking) -> Seeker:
    rating = ratings.shown(one.belief or ratings.NEWCOMER)
    wider = int(one.rating_widens * one.waited / 60)
    return Seeker(
        id=one.id,
        player=one.player,
        tables=dict(zip(one.seats, one.games, strict=True)),
        rating=rating,
        bot=one.kind == "bot",
        people=one.wanted != "bots",
        bots=one.wanted != "people",
        lowest=-inf if one.rating_below is None else rating - one.rating_below - wider,
        highest=inf if one.rating_above is None else rating + one.rating_above + wider,
    )


def bring_together(tables: MatchTables, match: Match, rng: Random) -> UUID | None:
    """The game of those who match, unless one of them does not wait any more or is busy. In a transaction."""
    players = [one.player for one in match.seekers]
    if not tables.claim_players(players):
        return None
    claimed = tables.claim_seeks([one.id for one in match.seekers])
    if len(claimed) < match.seats or tables.blocked_among(players):
        return None
    terms = claimed[0].terms
    by_seat = seated(match.seekers, registry.latest(terms.ruleset).teams(match.seats), rng)
    game = made(tables, terms, [one.player for one in by_seat])
    tables.match_seeks(game, {one.id: seat for seat, one in enumerate(by_seat)})
    withdrawn = tables.withdraw_live_seeks(players) if _is_live(terms) else []
    _touch(tables, {*players, *(one.id for one in match.seekers), *(one.id for one in withdrawn)})
    return game


def expire(tables: SeekTables, limit: int) -> int:
    """End up to `limit` seeks whose time is up; how many did. In a transaction."""
    ended = tables.expire_seeks(limit)
    _touch(tables, {ident for one in ended for ident in (one.id, one.player)})
    return len(ended)


def _touch(tables: RevisionsTable, idents: Iterable[UUID]) -> None:
    for ident in sorted(idents):
        tables.touch(ident)
