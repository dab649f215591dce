"""Tournaments made, begun by hand, and cancelled."""

from __future__ import annotations

import secrets
from typing import Protocol
from uuid import UUID

from msgspec.structs import replace
from uuid_utils.compat import uuid7

from holmgang.app.accounts.tokens import digest_of, hold, need, need_free
from holmgang.app.errors import (
    InvalidField,
    InvalidOptionRefusal,
    LimitReached,
    NotFound,
    NotYours,
    TooFewPlayers,
    TournamentNotOpen,
)
from holmgang.app.games.creation import checked
from holmgang.app.games.seats import need_bot_that_plays
from holmgang.app.ports import Clock, PlayersTable, RevisionsTable, TournamentsTable
from holmgang.app.records.players import Principal, Scope
from holmgang.app.records.terms import Terms
from holmgang.app.records.tournaments import Kind, Locked, Plan, Tournament
from holmgang.engine.messages import counted, say, template
from holmgang.engine.rules import AnyRules
from holmgang.tournaments.checking import SEED_BYTES, commitment
from holmgang.tournaments.standings import TIE_BREAKS

from . import endless
from .playing import agreement, by_rounds
from .progress import BeginningTables, begin
from .telling import tell

INVITATION_PREFIX = "hgt_"
"""What secrets of invitations to tournaments begin with."""
MOST_PLAYERS: dict[Kind, int] = {"round-robin": 128, "swiss": 128, "knock-out": 1024, "arena": 1024, "ladder": 1024}
"""A Swiss round of 128 takes seconds to pair, and one of 200 a minute."""
MOST_ROUNDS = 1000


class MakingTables(TournamentsTable, RevisionsTable, PlayersTable, Clock, Protocol): ...


def create(
    tables: MakingTables,
    principal: Principal,
    terms: Terms,
    *,
    name: str,
    kind: Kind,
    plan: Plan,
    most: int | None = None,
) -> tuple[Tournament, str | None]:
    """An open tournament with nobody in it, its seed drawn and committed to; and the secret of its invitation if it is
    private. In a transaction.

    Its games have deadlines and a clock that runs, whoever is there: or one player could keep all others waiting. A
    private tournament has private games. `most` is how many unfinished tournaments a player may have made.
    """
    need(principal, "play")
    need_free(principal)
    if terms.turn_seconds is None and terms.bank_seconds is None:
        detail = say("The games of a tournament need a deadline: say how many seconds a turn may take.")
        raise InvalidField("/turn_seconds", detail)
    if terms.clock == "waits":
        raise InvalidField("/clock", say("In the games of a tournament the clock runs, whoever is there."))
    terms = replace(terms, clock="runs")  # options stay as they were given: smaller tables may have others
    rules, _ = checked(terms, plan.seats)
    sizes = [size for size in _smaller(rules, terms, plan.seats) if kind != "knock-out" or _each_alone(rules, size)]
    if not by_rounds(kind):
        plan = replace(plan, tie_breaks=endless.TIE_BREAKS[kind])
    plan = replace(plan, sizes=tuple(sizes), least=plan.least or min((plan.seats, *sizes)))
    now = tables.now()
    _check(rules, kind, plan)
    if plan.starts_at is not None and plan.starts_at <= now:
        raise InvalidField("/starts_at", say("The start lies in the past."))
    if most is not None:
        hold(tables, principal)
        if tables.tournaments_under_way(principal.player) >= most:
            detail = counted(
                most,
                template("You have made {count} tournament that is not over: wait for its end, or cancel it."),
                template("You have made {count} tournaments that are not over: wait for the end of some, or cancel."),
            )
            raise LimitReached("tournaments", most, detail)
    ident, seed = uuid7(), secrets.token_bytes(SEED_BYTES)
    secret = None if terms.visibility == "public" else _secret()
    made = Tournament(
        id=ident,
        name=name,
        creator=principal.player,
        kind=kind,
        status="open",
        visibility=terms.visibility,
        terms=terms,
        plan=plan,
        commitment=commitment(ident.bytes, agreement(kind, plan, terms), seed),
        seed=None,
        created_at=now,
        started_at=None,
        ended_at=None,
        reason=None,
        round=0,
        entered=0,
    )
    tables.add_tournament(made, seed, digest_of(secret))
    tell(tables, ident, "created")
    return made, secret


def renew_invitation(tables: MakingTables, principal: Principal, ident: UUID) -> str:
    """Another secret for a private tournament; the one before is no good any more. In a transaction."""
    locked = _own(tables, principal, ident, "manage")
    if locked.tournament.visibility == "public":
        raise InvalidField("", say("The tournament is public: nobody need be invited."))
    secret = _secret()
    tables.set_tournament_invitation(ident, digest_of(secret) or b"")
    return secret


class HandTables(MakingTables, BeginningTables, Protocol): ...


def begin_by_hand(tables: HandTables, principal: Principal, ident: UUID) -> Tournament:
    """Start it now, with those who have joined and the bots that fill up. In a transaction."""
    locked = _own(tables, principal, ident)
    one = locked.tournament
    if one.status != "open":
        raise TournamentNotOpen(say("The tournament has started already."))
    if by_rounds(one.kind) and max(one.entered, one.plan.fill_to) < one.plan.least:
        raise TooFewPlayers(
            say("{entered} have joined, and {least} are needed.", entered=one.entered, least=one.plan.least)
        )
    begin(tables, locked)
    return _read(tables, ident)


def cancel(tables: MakingTables, principal: Principal, ident: UUID) -> Tournament:
    """End it before its time: nothing more is paired or counted. Games that are being played go on. In a
    transaction."""
    locked = _own(tables, principal, ident)
    if locked.tournament.status not in ("open", "active"):
        raise TournamentNotOpen(say("The tournament is over."))
    call_off(tables, ident)
    return _read(tables, ident)


def call_off(tables: MakingTables, ident: UUID) -> None:
    """End a locked tournament before its time."""
    tables.void_table_games(ident)
    tables.changed_tournament(ident, status="cancelled", reason="by_maker")
    tell(tables, ident, "cancelled")


def _own(tables: MakingTables, principal: Principal, ident: UUID, scope: Scope = "play") -> Locked:
    need(principal, scope)
    need_free(principal)
    if not tables.may_see_tournament(principal.player, ident, None):
        raise NotFound("tournament", ident)
    locked = tables.lock_tournament(ident)
    assert locked is not None, "tournaments are never deleted"
    if locked.tournament.creator != principal.player:
        raise NotYours(say("Only who made the tournament may do this."))
    return locked


def _read(tables: TournamentsTable, ident: UUID) -> Tournament:
    found = tables.tournament(ident)
    assert found is not None, "tournaments are never deleted"
    return found


def _secret() -> str:
    return INVITATION_PREFIX + secrets.token_urlsafe(32)


def _each_alone(rules: AnyRules, seats: int) -> bool:
    return all(len(side) == 1 for side in rules.teams(seats))


def _smaller(rules: AnyRules, terms: Terms, seats: int) -> tuple[int, ...]:
    """Smaller tables that the game and the terms allow."""
    found = []
    for count in rules.seat_counts:
        if 2 <= count < seats:
            try:
                checked(terms, count)
            except (InvalidField, InvalidOptionRefusal):
                continue
            found.append(count)
    return tuple(found)


def _check(rules: AnyRules, kind: Kind, plan: Plan) -> None:
    """Refuse a plan that cannot be carried out; pointers lead from the body to its members."""
    if len(rules.teams(plan.seats)) < 2:
        raise InvalidField("/seats", say("With {seats} at a table nobody plays against anybody.", seats=plan.seats))
    if kind == "knock-out" and not _each_alone(rules, plan.seats):
        detail = say(
            "With {seats} at a table players have partners, of whom a knock-out cannot choose one.", seats=plan.seats
        )
        raise InvalidField("/seats", detail)
    smallest = min((plan.seats, *plan.sizes))
    if plan.most > MOST_PLAYERS[kind]:
        raise InvalidField("/most", say("Such a tournament takes {most} players at most.", most=MOST_PLAYERS[kind]))
    if not smallest <= plan.least <= plan.most:
        detail = say("It takes {fewest} to {most} players to begin.", fewest=smallest, most=plan.most)
        raise InvalidField("/least", detail)
    if plan.starts_with is not None and not plan.least <= plan.starts_with <= plan.most:
        detail = say("It starts with {least} to {most} players.", least=plan.least, most=plan.most)
        raise InvalidField("/starts_with", detail)
    if plan.fill_to > plan.most:
        raise InvalidField("/fill_to", say("It takes {most} players at most.", most=plan.most))
    if plan.fill_to and not plan.bots:
        raise InvalidField("/bots", say("Name the bots that fill it up."))
    for n, bot in enumerate(plan.bots):
        need_bot_that_plays(rules, bot, f"/bots/{n}")
    for n, tie_break in enumerate(plan.tie_breaks):
        if tie_break not in TIE_BREAKS or tie_break in plan.tie_breaks[:n]:
            known = ", ".join(TIE_BREAKS)
            raise InvalidField(f"/tie_breaks/{n}", say("Name each of these at most once: {known}.", known=known))
    if (kind == "arena") != (plan.seconds is not None):
        raise InvalidField("/seconds", say("An arena is open for so many seconds, and no other tournament is."))
    if not by_rounds(kind) and plan.rounds is not None:
        raise InvalidField("/rounds", say("Arenas and ladders have no rounds."))
    if not by_rounds(kind) and plan.games != 1:
        raise InvalidField("/games", say("In arenas and on ladders a table plays one game."))
