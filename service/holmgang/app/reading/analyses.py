"""Analyses of games that are over: asked for once, made by a worker step by step, kept with the game.

Who may read a game's record may read its analysis. Nobody is told who asked for it.
"""

from __future__ import annotations

from typing import Any, Protocol
from uuid import UUID, uuid5

import msgspec
from msgspec import Struct

from holmgang.app.access import need_sight
from holmgang.app.accounts.tokens import hold, need, need_free
from holmgang.app.errors import GameNotOver, LimitReached, NotFound
from holmgang.app.pauses import with_pauses
from holmgang.app.play.position import rules_of
from holmgang.app.ports import AnalysesTable, GamesTable, HistoryTable, PlayersTable, RevisionsTable
from holmgang.app.records.analyses import Analysis, ClaimedAnalysis, JudgedStep, KeptAnalysis
from holmgang.app.records.contexts import GameCaller
from holmgang.app.records.players import Principal
from holmgang.engine.messages import counted, say, template

BOT = "search"
"""Who judges."""

_steps = msgspec.json.Decoder(tuple[JudgedStep, ...])


class AskingTables(AnalysesTable, GamesTable, PlayersTable, RevisionsTable, Protocol): ...


class NotingTables(AnalysesTable, RevisionsTable, Protocol): ...


class PlanningTables(GamesTable, HistoryTable, Protocol): ...


class Plan(Struct, frozen=True, kw_only=True):
    """All that it takes to judge a game, but for what `after` says has been judged. `log` has the sequence number and
    the JSON of each row."""

    ruleset: str
    version: str
    seats: int
    options: dict[str, Any]
    seed: str
    log: list[tuple[int, str]]
    after: int | None


def ident_of(game: UUID) -> UUID:
    """What the revisions of a game's analysis are counted by: the game's own id tells of the game."""
    return uuid5(game, "analysis")


def kept(tables: AnalysesTable, game: UUID) -> KeptAnalysis:
    """Refused where nobody has asked for it."""
    found = tables.analysis(game)
    if found is None:
        raise NotFound("analysis", game)
    return found


def look(tables: AnalysesTable, game: UUID) -> Analysis:
    """For a caller who may see the game."""
    found = kept(tables, game)
    steps = _steps.decode(found.steps)
    choices = tuple(choice for step in with_pauses(steps) for choice in step.choices)
    return Analysis(
        game=game,
        bot=BOT,
        status=found.status,
        judged=len(choices),
        total=found.total,
        asked_at=found.asked_at,
        finished_at=found.finished_at,
        positions=tuple(step.position for step in steps),
        choices=choices,
    )


def ask(tables: AskingTables, principal: Principal, caller: GameCaller, *, most: int) -> Analysis:
    """Have a game analysed that is over and that the caller may see. Again is the same, unless it failed. `most`: how
    many may wait for one player. In a transaction."""
    need(principal, "play")
    need_free(principal)
    need_sight(caller)
    game = tables.game(caller.game)
    if game is None:
        raise NotFound("game", caller.game)
    if game.status != "over":
        raise GameNotOver(say("The game is analysed once it is over."))
    hold(tables, principal)
    found = tables.analysis(game.id)
    if found is None or found.status == "failed":
        rules_of(game)
        if tables.analyses_waiting(principal.player) >= most:
            detail = counted(
                most,
                template("You have asked for {count} analysis that is not done: wait for it."),
                template("You have asked for {count} analyses that are not done: wait for one of them."),
            )
            raise LimitReached("analyses", most, detail)
        if tables.ask_for_analysis(game.id, principal.player):
            tables.touch(ident_of(game.id))
    return look(tables, game.id)


def plan(tables: PlanningTables, claimed: ClaimedAnalysis) -> Plan | None:
    """None where the game is gone. RulesetUnavailable where this process cannot play it."""
    game = tables.game(claimed.game)
    if game is None or game.seed is None:
        return None
    rules_of(game)
    return Plan(
        ruleset=game.ruleset,
        version=game.ruleset_version,
        seats=game.seat_count,
        options=game.options,
        seed=game.seed.hex(),
        log=[(row.seq, row.entry) for row in tables.log(game.id)],
        after=claimed.seq,
    )


def note(
    tables: NotingTables,
    claimed: ClaimedAnalysis,
    seq: int,
    total: int,
    steps: list[str],
    seconds: float,
    *,
    done: bool,
) -> ClaimedAnalysis | None:
    """Note further steps, as `AnalysesTable.note_analysis` does. In a transaction."""
    noted = tables.note_analysis(claimed, seq, total, steps, seconds, done=done)
    if noted is not None:
        tables.touch(ident_of(claimed.game))
    return noted


def release(tables: NotingTables, claimed: ClaimedAnalysis, *, tried: bool) -> None:
    """Let others go on with it, as `AnalysesTable.release_analysis` does. In a transaction."""
    if tables.release_analysis(claimed, tried=tried):
        tables.touch(ident_of(claimed.game))


def fail(tables: NotingTables, claimed: ClaimedAnalysis) -> None:
    """End it without a result. In a transaction."""
    if tables.fail_analysis(claimed):
        tables.touch(ident_of(claimed.game))
