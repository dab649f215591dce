"""What callers ask: views, turns, feeds, combats and records, each as its viewer may see it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Protocol

import msgspec
from msgspec import UNSET, Raw

from holmgang.app.access import viewing_seat
from holmgang.app.accounts.tokens import need, refusal_of, token_digest
from holmgang.app.errors import GameNotActive, GameNotOver, NotFound
from holmgang.app.fairness.dice import game_terms
from holmgang.app.pauses import with_pauses
from holmgang.app.play.position import position, teams_of
from holmgang.app.ports import GamesTable, HistoryTable, TurnsTable
from holmgang.app.records.contexts import GameCaller, TurnContext, ViewContext
from holmgang.app.records.games import Game, SeatClock
from holmgang.app.records.play import Combat, Event, GameRecord, GameTime, LastTurn, LogLine, LogRow, Turn, Waiting
from holmgang.app.records.players import Principal, TokenFault
from holmgang.engine.legal import legal
from holmgang.engine.messages import say
from holmgang.engine.turn import Await

POLL_MS, IDLE_POLL_MS = 1_000, 10_000
"""When a client that does not wait should look again: at a game under way, and at any other."""


class RecordTables(GamesTable, HistoryTable, Protocol): ...


def view(tables: HistoryTable, context: ViewContext) -> Any:
    """The ruleset's view for the caller's seat, or for a spectator."""
    if not context.snapshot.started:
        raise GameNotActive(say("The game has not started yet: it waits for players."))
    place = position(tables, context.snapshot)
    return place.rules.view(place.state, context.caller.seat)


def turn(tables: HistoryTable, context: TurnContext, *, with_view: bool = False) -> Turn:
    """What the game asks now. Also answered for games that have not started, are over or archived: nobody is awaited
    then."""
    seat, snapshot, now = context.caller.seat, context.snapshot, context.now
    if not snapshot.started:
        return Turn(
            game=snapshot.game,
            version=context.caller.version,
            status=snapshot.status,
            turn=0,
            kind=None,
            sealed=False,
            awaited=(),
            submitted=(),
            defaulted=(),
            seat=seat,
            yours=False,
            submission=None,
            context={},
            legal=None,
            last_turn=None,
            deadline=None,
            clocks=snapshot.clocks,
            server_time=now,
            next_poll_ms=IDLE_POLL_MS,
        )
    place = position(tables, snapshot)
    rules, state = place.rules, place.state
    asked = place.asked
    awaited = () if snapshot.status == "archived" else place.awaited()
    sees = rules.view(state, seat)
    mine = seat in awaited
    return Turn(
        game=snapshot.game,
        version=context.caller.version,
        status=snapshot.status,
        turn=snapshot.turn,
        kind=snapshot.kind,
        sealed=type(asked) is Await and asked.sealed,
        awaited=awaited,
        submitted=tuple(s for s in sorted(place.sealed) if s in context.chosen),
        defaulted=tuple(s for s in sorted(place.sealed) if s not in context.chosen),
        seat=seat,
        yours=mine,
        submission=context.own if seat in place.sealed else None,
        context=rules.context(sees),
        legal=legal(
            rules, str(snapshot.kind), rules.moves(state, seat), _sampler(f"{snapshot.game}/{snapshot.turn}/{seat}")
        )
        if mine and seat is not None
        else None,
        last_turn=_last_turn(context),
        deadline=snapshot.deadline,
        clocks=snapshot.clocks,
        server_time=now,
        next_poll_ms=POLL_MS if snapshot.status == "active" else IDLE_POLL_MS,
        view=sees if with_view else UNSET,
    )


def _sampler(key: str) -> random.Random:
    """What draws the sample: the same for a seat as long as its turn lasts."""
    return random.Random(key)  # noqa: S311 # which legal action is the sample is no secret


def _last_turn(context: TurnContext) -> LastTurn | None:
    last = context.last
    if last is None or last.seq == 0:
        return None
    entry = msgspec.json.decode(last.entry)
    return LastTurn(
        turn=entry["turn"],
        kind=entry.get("kind"),
        ended="resigned" if "resigned" in entry else "played",
        defaulted=tuple(seat for seat, _ in entry.get("actions", ()) if seat not in last.submitted),
        ended_at=last.at,
    )


def events(tables: HistoryTable, caller: GameCaller, after: int, limit: int) -> list[Event]:
    return tables.events(caller.game, viewing_seat(caller), after, limit)


def combats(tables: HistoryTable, caller: GameCaller, after: int, limit: int) -> list[Combat]:
    viewing_seat(caller)
    return tables.combats(caller.game, after, limit)


def combat(tables: HistoryTable, caller: GameCaller, number: int) -> Combat:
    viewing_seat(caller)
    found = tables.combat(caller.game, number)
    if found is None:
        raise NotFound("combat", number)
    return found


def turns_of(tables: TurnsTable, principal: Principal) -> list[Waiting]:
    """Every turn that waits for the player, oldest first; for a token limited to one seat, that game's alone."""
    need(principal, "read")
    return tables.waiting(principal.player, principal.game)


def turns_by_token(tables: TurnsTable, secret: str) -> tuple[Principal, list[Waiting]]:
    """Whose token it is, and what `turns_of` gives them, in one statement."""
    found = tables.turns_by_tokens([token_digest(secret)])[0]
    if isinstance(found, TokenFault):
        raise refusal_of(found)
    need(found[0], "read")
    return found


def record(tables: RecordTables, caller: GameCaller) -> GameRecord:
    """The whole game, once it is over."""
    viewing_seat(caller)
    game = tables.game(caller.game)
    if game is None:
        raise NotFound("game", caller.game)
    return record_of(tables, game)


def record_of(tables: HistoryTable, game: Game) -> GameRecord:
    """The record of a game that the caller has a right to see."""
    if game.result is None or game.seed is None or game.head is None:
        raise GameNotOver(say("The record is shown once the game is over."))
    terms = game_terms(game.ruleset, game.ruleset_version, game.seat_count, game.options)
    return GameRecord(
        game=game.id,
        ruleset=game.ruleset,
        version=game.ruleset_version,
        seats=game.seat_count,
        teams=teams_of(game),
        options=game.options,
        terms=terms.decode(),
        commitment=game.commitment.hex(),
        seed=game.seed.hex(),
        entropy=[None if h.entropy is None else h.entropy.hex() for h in game.holders],
        log=[_log_line(row) for row in with_pauses(tables.log(game.id))],
        head=game.head.hex(),
        result=game.result,
        time=UNSET if game.clocks is None else _time(game, game.clocks),
    )


def _time(game: Game, clocks: Sequence[SeatClock]) -> GameTime:
    banks = tuple(clock.bank_ms for clock in clocks if clock.bank_ms is not None)
    return GameTime(
        turn_seconds=game.turn_seconds,
        bank_seconds=game.bank_seconds,
        increment_seconds=game.increment_seconds,
        leave_days=game.leave_days,
        banks_ms=banks or None,
    )


def _log_line(row: LogRow) -> LogLine:
    return LogLine(seq=row.seq, entry=Raw(row.entry), state_hash=row.state_hash.hex(), row_hash=row.row_hash.hex())
