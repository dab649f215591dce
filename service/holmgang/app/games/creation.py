"""Games created: their terms checked, their seed drawn and committed to."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, Protocol

from holmgang import registry
from holmgang.app.access import game_by_id
from holmgang.app.accounts.tokens import need, need_free
from holmgang.app.errors import (
    InvalidField,
    InvalidOptionRefusal,
    LimitReached,
)
from holmgang.app.fairness.dice import SEED_BYTES, commitment, game_terms
from holmgang.app.play import steps
from holmgang.app.ports import PlayersTable
from holmgang.app.records.absence import DEFAULT, bot_of
from holmgang.app.records.games import ClockForm, Game, Visibility
from holmgang.app.records.play import HouseEvent
from holmgang.app.records.players import Principal
from holmgang.engine import errors as faults
from holmgang.engine.messages import counted, say, template

from .seats import SeatingTables, need_bot_that_plays, take_seat


class CreationTables(SeatingTables, PlayersTable, Protocol): ...


def create_game(
    tables: CreationTables,
    principal: Principal,
    *,
    ruleset: str,
    seats: int,
    options: Mapping[str, Any],
    visibility: Visibility = "public",
    spectators: bool = True,
    join: bool = True,
    turn_seconds: int | None = None,
    absence: str = DEFAULT,
    clock: ClockForm | None = None,
    practice: bool = False,
    rated: bool = False,
    seed: bytes | None = None,
    most: int | None = None,
    most_empty: int | None = None,
    empty_days: int = 7,
) -> Game:
    """An open game with its seed drawn and committed to; the creator sits in seat 0 unless `join` is false.

    A practice game may be given its `seed`: it proves nothing, so it is never `rated`. A rated game has deadlines and a
    `clock` that runs, or a loser could keep it from ending; in others it waits unless they say so.

    `most` is how many unfinished games a player may have created, `most_empty` how many that ended in the last
    `empty_days` without any person's choice. Both need a transaction.
    """
    need(principal, "play")
    need_free(principal)
    try:
        rules = registry.latest(ruleset)
    except registry.UnknownRuleset:
        raise InvalidField("/ruleset", say("There is no ruleset '{ruleset}'.", ruleset=ruleset[:100])) from None
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
        full = rules.options(rules.configure(seats, options))
    except faults.InvalidOption as fault:
        raise InvalidOptionRefusal(ruleset, "/options" + fault.pointer, fault.rule, fault.detail) from None
    if (stand_in := bot_of(absence)) is not None:
        need_bot_that_plays(rules, stand_in, "/absence")
    if seed is not None and not practice:
        raise InvalidField("/seed", say("Only practice games are given a seed; others draw theirs and commit to it."))
    if rated and practice:
        raise InvalidField("/rated", say("Practice games are never rated."))
    if rated and turn_seconds is None:
        raise InvalidField("/turn_seconds", say("A rated game needs a deadline: say how many seconds a turn may take."))
    if rated and clock == "waits":
        raise InvalidField("/clock", say("In a rated game the clock runs, whoever is there."))
    if clock == "runs" and turn_seconds is None:
        raise InvalidField("/clock", say("A clock that runs needs a deadline: say how many seconds a turn may take."))
    if most is not None or most_empty is not None:
        tables.lock_player(principal.player)
    if most is not None and tables.games_under_way(principal.player) >= most:
        detail = counted(
            most,
            template("You have created {count} game that is not over: play it to the end."),
            template("You have created {count} games that are not over: play some to the end."),
        )
        raise LimitReached("games", most, detail)
    if most_empty is not None and tables.empty_games(principal.player, empty_days) >= most_empty:
        detail = counted(
            most_empty,
            template("In {days}, {count} game that you created ended before any person had chosen: wait a while."),
            template("In {days}, {count} games that you created ended before any person had chosen: wait a while."),
            days=counted(empty_days, template("{count} day"), template("{count} days")),
        )
        raise LimitReached("empty_games", most_empty, detail)
    ident, seed = tables.new_game(), secrets.token_bytes(SEED_BYTES) if seed is None else seed
    terms = game_terms(ruleset, rules.version, seats, full)
    now = tables.now()
    game = Game(
        id=ident,
        ruleset=ruleset,
        ruleset_version=rules.version,
        status="open",
        visibility=visibility,
        spectators=spectators,
        seat_count=seats,
        options=full,
        creator=principal.player,
        created_at=now,
        started_at=None,
        ended_at=None,
        version=1,
        turn=0,
        kind=None,
        result=None,
        commitment=commitment(ident, terms, seed),
        seed=None,
        head=None,
        turn_seconds=turn_seconds,
        absence=absence,
        clock="runs" if rated else clock or "waits",
        deadline=None,
        practice=practice,
        rated=rated,
        rated_at=None,
    )
    tables.add_game(game, seed)
    created = steps.house_event(0, HouseEvent(type="game_created", creator=principal.player))
    tables.append_events(ident, 1, (created,), now)
    if join:
        take_seat(tables, principal, ident, 0, None)
    return game_by_id(tables, ident)
