"""Games created: their terms checked, their seed drawn and committed to, and where all players are known, started."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from msgspec.structs import replace
from uuid_utils.compat import uuid7

from holmgang import registry
from holmgang.app.access import game_by_id
from holmgang.app.accounts.players import player
from holmgang.app.accounts.tokens import need, need_free
from holmgang.app.errors import (
    InvalidField,
    InvalidOptionRefusal,
    LimitReached,
)
from holmgang.app.fairness.dice import SEED_BYTES, commitment, game_terms
from holmgang.app.play import steps
from holmgang.app.ports import GamesTable, PlayersTable
from holmgang.app.records.absence import bot_of
from holmgang.app.records.games import Game, SeatClock
from holmgang.app.records.play import HouseEvent
from holmgang.app.records.players import Principal
from holmgang.app.records.terms import Terms
from holmgang.engine import errors as faults
from holmgang.engine.messages import counted, say, template
from holmgang.engine.rules import AnyRules

from .seats import SeatingTables, fill, need_bot_that_plays, take_seat

DAY = 24 * 60 * 60
"""Seconds."""


class RoomTables(PlayersTable, GamesTable, Protocol): ...


class CreationTables(SeatingTables, PlayersTable, Protocol): ...


def create_game(
    tables: CreationTables,
    principal: Principal,
    terms: Terms,
    seats: int,
    *,
    join: bool = True,
    practice: bool = False,
    seed: bytes | None = None,
    most: int | None = None,
    most_empty: int | None = None,
    empty_days: int = 7,
) -> Game:
    """An open game with its seed drawn and committed to; the creator sits in seat 0 unless `join` is false.

    A practice game may be given its `seed`: it proves nothing, so it is never rated.

    `most` is how many unfinished games a player may have created, `most_empty` how many that ended in the last
    `empty_days` without any person's choice. Both need a transaction.
    """
    need(principal, "play")
    need_free(principal)
    rules, terms = checked(terms, seats)
    if seed is not None and not practice:
        raise InvalidField("/seed", say("Only practice games are given a seed; others draw theirs and commit to it."))
    if terms.rated and practice:
        raise InvalidField("/rated", say("Practice games are never rated."))
    need_room(tables, principal.player, most=most, most_empty=most_empty, empty_days=empty_days)
    ident = _add(tables, rules, terms, seats, principal.player, seed=seed, practice=practice)
    if join:
        take_seat(tables, principal, ident, 0, None)
    return game_by_id(tables, ident)


def need_room(tables: RoomTables, player: UUID, *, most: int | None, most_empty: int | None, empty_days: int) -> None:
    """Refuse who has created too many games, as `create_game` says. Locks the player, in a transaction."""
    if most is not None or most_empty is not None:
        tables.lock_player(player)
    if most is not None and tables.games_under_way(player) >= most:
        detail = counted(
            most,
            template("You have created {count} game that is not over: play it to the end."),
            template("You have created {count} games that are not over: play some to the end."),
        )
        raise LimitReached("games", most, detail)
    if most_empty is not None and tables.empty_games(player, empty_days) >= most_empty:
        detail = counted(
            most_empty,
            template("In {days}, {count} game that you created ended before any person had chosen: wait a while."),
            template("In {days}, {count} games that you created ended before any person had chosen: wait a while."),
            days=counted(empty_days, template("{count} day"), template("{count} days")),
        )
        raise LimitReached("empty_games", most_empty, detail)


def made(
    tables: CreationTables,
    terms: Terms,
    players: Sequence[UUID | str],
    tournament: UUID | None = None,
    creator: UUID | None = None,
) -> UUID:
    """A game that starts at once, with these on its seats: players by id, built-in bots by name. It counts as created
    by `creator`, or else by who sits on seat 0. It may be of a `tournament`. In a transaction.

    Refuses terms as `checked` does, and players who no longer exist: both may have held when the players agreed.
    """
    rules, terms = checked(terms, len(players))
    seated = [
        (tables.bot_player(each, uuid7()), each) if isinstance(each, str) else (player(tables, each).id, None)
        for each in players
    ]
    for _, bot in seated:
        if bot is not None:
            need_bot_that_plays(rules, bot, "/bot")
    ident = _add(tables, rules, terms, len(players), creator or seated[0][0], tournament=tournament)
    for seat, (who, bot) in enumerate(seated):
        row = tables.game_row(ident, lock=True)
        assert row is not None, "it was added"
        fill(tables, row, tables.holders(ident), seat, who, bot=bot)
    return ident


def checked(terms: Terms, seats: int) -> tuple[AnyRules, Terms]:
    """The rules and the terms as a game has them: all options, and how its clock runs. InvalidField and
    InvalidOptionRefusal point to what is wrong, as members of a body.

    A rated game has deadlines and a clock that runs, or a loser could keep it from ending; in others it waits unless
    they say so.
    """
    try:
        rules = registry.latest(terms.ruleset)
    except registry.UnknownRuleset:
        detail = say("There is no ruleset '{ruleset}'.", ruleset=terms.ruleset[:100])
        raise InvalidField("/ruleset", detail) from None
    if seats not in rules.seat_counts:
        raise InvalidField(
            "/seats",
            say(
                "{title} takes {fewest} to {most} players, not {seats}.",
                title=rules.title,
                fewest=rules.seat_counts[0],
                most=rules.seat_counts[-1],
                seats=seats,
            ),
        )
    try:
        options = rules.options(rules.configure(seats, terms.options))
    except faults.InvalidOption as fault:
        raise InvalidOptionRefusal(terms.ruleset, "/options" + fault.pointer, fault.rule, fault.detail) from None
    if (stand_in := bot_of(terms.absence)) is not None:
        need_bot_that_plays(rules, stand_in, "/absence")
    _check_time(terms)
    timed = terms.turn_seconds is not None or terms.bank_seconds is not None
    if terms.rated and not timed:
        raise InvalidField("/turn_seconds", say("A rated game needs a deadline: say how many seconds a turn may take."))
    if terms.rated and terms.clock == "waits":
        raise InvalidField("/clock", say("In a rated game the clock runs, whoever is there."))
    if terms.clock == "runs" and not timed:
        raise InvalidField("/clock", say("A clock that runs needs a deadline: say how many seconds a turn may take."))
    return rules, replace(
        terms,
        options=options,
        clock="runs" if terms.rated else terms.clock or "waits",
        increment_seconds=None if terms.bank_seconds is None else terms.increment_seconds or 0,
    )


def _check_time(terms: Terms) -> None:
    if terms.increment_seconds is not None and terms.bank_seconds is None:
        raise InvalidField("/increment_seconds", say("An increment needs a bank to be added to: say bank_seconds."))
    if terms.leave_days is not None:
        given = [each for each in (terms.turn_seconds, terms.bank_seconds) if each is not None]
        if not given or min(given) < DAY:
            detail = say("Leave is for slow games only: turns and banks of a day or more.")
            raise InvalidField("/leave_days", detail)


def _clocks(terms: Terms, seats: int) -> tuple[SeatClock, ...] | None:
    """The clocks of seats before the start; None where turns end for all at once."""
    if terms.bank_seconds is None and terms.leave_days is None:
        return None
    clock = SeatClock(
        bank_ms=None if terms.bank_seconds is None else terms.bank_seconds * 1000,
        turn_ms=None,
        since=None,
        deadline=None,
        leave_ms=(terms.leave_days or 0) * DAY * 1000,
        on_leave_since=None,
    )
    return (clock,) * seats


def _add(
    tables: CreationTables,
    rules: AnyRules,
    terms: Terms,
    seats: int,
    creator: UUID,
    *,
    seed: bytes | None = None,
    practice: bool = False,
    tournament: UUID | None = None,
) -> UUID:
    """An open game with nobody on its seats, by terms that were checked."""
    ident, seed = tables.new_game(), secrets.token_bytes(SEED_BYTES) if seed is None else seed
    now = tables.now()
    assert terms.clock is not None
    game = Game(
        id=ident,
        ruleset=terms.ruleset,
        ruleset_version=rules.version,
        status="open",
        visibility=terms.visibility,
        spectators=terms.spectators,
        seat_count=seats,
        options=terms.options,
        creator=creator,
        created_at=now,
        started_at=None,
        ended_at=None,
        version=1,
        turn=0,
        kind=None,
        result=None,
        commitment=commitment(ident, game_terms(terms.ruleset, rules.version, seats, terms.options), seed),
        seed=None,
        head=None,
        turn_seconds=terms.turn_seconds,
        bank_seconds=terms.bank_seconds,
        increment_seconds=terms.increment_seconds,
        leave_days=terms.leave_days,
        clocks=_clocks(terms, seats),
        absence=terms.absence,
        clock=terms.clock,
        deadline=None,
        practice=practice,
        rated=terms.rated,
        rated_at=None,
        tournament=tournament,
    )
    tables.add_game(game, seed)
    tables.append_events(ident, 1, (steps.house_event(0, HouseEvent(type="game_created", creator=creator)),), now)
    return ident
