"""A game's life around its moves: created, filled, started, left, resigned from."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from uuid_utils.compat import uuid7

from service import registry
from service.app.accounts import need, need_free
from service.app.errors import (
    AlreadySeated,
    GameFull,
    GameNotActive,
    GameNotOpen,
    InvalidField,
    InvalidOptionRefusal,
    LimitReached,
    NotFound,
    NotYours,
    SeatTaken,
)
from service.app.fairness.dice import SEED_BYTES, Dice, commitment, first_head, game_terms, pack_entropy
from service.app.games.records import ARCHIVED, Game, SeatHolder
from service.app.play import steps
from service.app.play.absence import bot_of
from service.app.play.changes import Change
from service.app.play.optimistic import write
from service.app.play.position import position, rules_of
from service.app.play.resignation import resignation
from service.app.play.scenes import Desk
from service.app.players import Principal
from service.app.ports import Tables
from service.bots import registry as bots
from service.engine import errors as faults
from service.engine.messages import say
from service.engine.replay import settle
from service.engine.rules import AnyRules, Step
from service.engine.turn import Seat

from .archive import need_unarchived, revive
from .invitations import admission, seat_by, see


def create(
    tables: Tables,
    principal: Principal,
    *,
    ruleset: str,
    seats: int,
    options: Mapping[str, Any],
    visibility: str = "public",
    spectators: bool = True,
    join: bool = True,
    turn_seconds: int | None = None,
    absence: str = "default",
    practice: bool = False,
    rated: bool = False,
    seed: bytes | None = None,
    most: int | None = None,
    most_empty: int | None = None,
    empty_days: int = 7,
) -> Game:
    """An open game with its seed drawn and committed to; the creator sits in seat 0 unless `join` is false.

    A practice game may be given its `seed`: it proves nothing to anybody, so it is never `rated`. A rated game has
    deadlines, or a loser might never let it end. With `most`, in a transaction, refused to who has created so many that
    are not over, and with `most_empty` to who has created so many that ended without a choice of a person in the last
    `empty_days`.
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
        _need_playing(rules, stand_in, "/absence")
    if seed is not None and not practice:
        raise InvalidField("/seed", say("Only practice games are given a seed; others draw theirs and commit to it."))
    if rated and practice:
        raise InvalidField("/rated", say("Practice games are never rated."))
    if rated and turn_seconds is None:
        raise InvalidField("/turn_seconds", say("A rated game needs a deadline: say how many seconds a turn may take."))
    if most is not None or most_empty is not None:
        tables.hold_player(principal.player)
    if most is not None and tables.games_under_way(principal.player) >= most:
        detail = say("You have created {most} games that are not over: play some to the end.", most=most)
        raise LimitReached("games", most, detail)
    if most_empty is not None and tables.empty_games(principal.player, empty_days) >= most_empty:
        detail = say(
            "In {days} days {most} games that you created ended before any person had chosen anything: wait a while.",
            most=most_empty,
            days=empty_days,
        )
        raise LimitReached("empty_games", most_empty, detail)
    ident, seed = uuid7(), secrets.token_bytes(SEED_BYTES) if seed is None else seed
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
        deadline=None,
        practice=practice,
        rated=rated,
        rated_at=None,
    )
    tables.add_game(game, seed)
    tables.tell(ident, 1, (steps.house_event(0, "game_created", creator=str(principal.player)),), now)
    if join:
        take_seat(tables, principal, ident, 0, None)
    return game_by_id(tables, ident)


def game_by_id(tables: Tables, ident: UUID) -> Game:
    found = tables.game(ident)
    if found is None:
        raise NotFound("game", ident)
    return found


def _open_desk(tables: Tables, game: UUID) -> Desk:
    """The locked row of a game that has not started; it may be archived."""
    desk = tables.desk(game, lock=True)
    if desk is None:
        raise NotFound("game", game)
    if desk.started:
        raise GameNotOpen(say("The game has started: seats are taken and left only before."))
    return desk


def take_seat(
    tables: Tables,
    principal: Principal,
    game: UUID,
    seat: Seat | None,
    entropy: bytes | None,
    invitation: str | None = None,
) -> tuple[Seat, bool]:
    """Sit down, on the lowest free seat unless one is named; the game starts with the last one. In a transaction.

    An archived game that has not started is open again.

    Gives the seat, and whether it is new: to take the seat that one has already changes nothing. `invitation` is the
    secret of one; it is used only where there is no other way in.
    """
    need(principal, "play")
    need_free(principal)
    see(tables, principal.player, game, invitation)
    desk = tables.desk(game, lock=True)
    if desk is None:
        raise NotFound("game", game)
    holders = tables.holders(game)
    mine = next((h for h in holders if h.player == principal.player), None)
    if mine is not None:
        if seat in (None, mine.seat) and entropy in (None, mine.entropy):
            return mine.seat, False
        raise AlreadySeated(say("You have seat {seat} in this game already.", seat=mine.seat), seat=mine.seat)
    invited = admission(tables, principal.player, game, invitation)
    if desk.started:
        full = len(holders) == desk.seat_count
        raise (GameFull if full else GameNotOpen)(say("The game has started: all its seats are taken."))
    seat = _free_seat(desk, holders, seat_by(invited, seat))
    at = tables.now()
    if desk.status == ARCHIVED:
        desk = revive(tables, desk, seat, at)
    tables.take_seat(game, seat, principal.player, entropy, at, invitation=None if invited is None else invited.id)
    version = desk.version + 1
    tables.tell(game, version, (steps.house_event(0, "seat_taken", seat=seat, player=str(principal.player)),), at)
    if len(holders) + 1 == desk.seat_count:
        _start(tables, game, at)
    return seat, True


def seat_bot(tables: Tables, principal: Principal, game: UUID, seat: Seat | None, bot: str) -> Seat:
    """Give a seat, the lowest free one unless one is named, to a built-in bot; the creator may. In a transaction."""
    need(principal, "play")
    need_free(principal)
    see(tables, principal.player, game)
    desk = _open_desk(tables, game)
    if game_by_id(tables, game).creator != principal.player:
        raise NotYours(say("Only who created the game gives seats to bots."))
    _need_playing(rules_of(desk), bot, "/bot")
    holders = tables.holders(game)
    seat = _free_seat(desk, holders, seat)
    at = tables.now()
    if desk.status == ARCHIVED:
        desk = revive(tables, desk, seat, at)
    player = tables.bot_player(bot, uuid7())
    tables.take_seat(game, seat, player, None, at, bot)
    tables.tell(
        game, desk.version + 1, (steps.house_event(0, "seat_taken", seat=seat, player=str(player), bot=bot),), at
    )
    if len(holders) + 1 == desk.seat_count:
        _start(tables, game, at)
    return seat


def _need_playing(rules: AnyRules, bot: str, pointer: str) -> None:
    """Refuse a bot that cannot play by these rules; `pointer` leads from the body to where it is named."""
    if not bots.plays(bot, rules.ruleset):
        able = ", ".join(bots.playing(rules.ruleset))
        raise InvalidField(
            pointer,
            say("The bot '{bot}' cannot play {title}. Those that can: {able}.", bot=bot, title=rules.title, able=able),
        )


def _free_seat(desk: Desk, holders: list[SeatHolder], seat: Seat | None) -> Seat:
    if seat is not None and seat >= desk.seat_count:
        raise InvalidField("/seat", say("The game's seats are 0 to {last}.", last=desk.seat_count - 1))
    free = [s for s in range(desk.seat_count) if all(h.seat != s for h in holders)]
    if seat is not None and seat not in free:
        raise SeatTaken(say("Seat {seat} is taken.", seat=seat), free=free)
    return free[0] if seat is None else seat


def _start(tables: Tables, game: UUID, at: datetime) -> None:
    """The first log row: setup, with all its chance, up to the first turn. All of it is of the time at which the last
    seat was taken."""
    holders = tables.holders(game)
    desk = tables.desk(game, lock=True)
    assert desk is not None, "its row is locked"
    rules = rules_of(desk)
    config = rules.configure(desk.seat_count, desk.options, new=False)
    entropy = pack_entropy([h.entropy for h in holders])
    terms = game_terms(desk.ruleset, desk.ruleset_version, desk.seat_count, desk.options)
    head = first_head(game, terms, entropy)
    tables.begin(game, entropy, head)
    tables.tell_start(game, at)
    desk = tables.desk(game, lock=True)
    assert desk is not None, "its row is locked"
    dice = Dice(desk.seed, entropy, 0)
    played = settle(rules, Step(rules.initial(config), ()), dice.draw)
    change = steps.settled(
        rules, desk, played, dice, preface=(steps.house_event(0, "game_started", seats=desk.seat_count),)
    )
    assert tables.write(msgspec.structs.replace(change, at=at)) is not None, "its row is locked"


def leave_seat(tables: Tables, principal: Principal, game: UUID, seat: Seat) -> None:
    """Get up before the start; an invitation that one sat down by may be used again. In a transaction."""
    need(principal, "play")
    need_free(principal)
    see(tables, principal.player, game)
    desk = _open_desk(tables, game)
    need_unarchived(desk)
    holder = next((h for h in tables.holders(game) if h.seat == seat), None)
    if holder is None:
        raise NotFound("seat", seat)
    by_creator = holder.bot is not None and game_by_id(tables, game).creator == principal.player
    if principal.player != holder.player and not by_creator:
        raise NotYours(say("This seat is another player's."))
    tables.leave_seat(game, seat)
    tables.tell(
        game, desk.version + 1, (steps.house_event(0, "seat_left", seat=seat, player=str(holder.player)),), tables.now()
    )


def resign(tables: Tables, secret: str, game: UUID) -> tuple[Seat, bool]:
    """Give up, with one's partners (C6): from now on the seats play default actions at once and cannot win.

    Gives the seat, and whether this is new.
    """

    def plan(desk: Desk, seat: Seat) -> Change | Seat:
        if not desk.started:  # and seats may be left at this very moment
            need_unarchived(desk)
            raise GameNotActive(say("The game has not started yet: leave the seat instead."))
        holder = next(h for h in tables.holders(game) if h.seat == seat)
        if holder.resigned_at is not None:
            return seat
        need_unarchived(desk)
        if desk.status != "active":
            raise GameNotActive(say("One resigns from a running game only."))
        place = position(tables, desk)
        return resignation(place, seat, place.awaited())

    done, _ = write(tables, secret, game, plan)
    if not isinstance(done, Change):
        return done, False
    assert done.resigned is not None
    return done.resigned, True
