"""Arenas and ladders: whoever is free meets somebody, and there are no rounds to wait for.

A pairing, a beat, reads who is free and no more, however long it all goes on: what it has to know of them is kept with
how they stand. It is a round of the tournament like others, with the tables that were paired together.

All but what is pure is called with the tournament's row held.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple, Protocol
from uuid import UUID

from msgspec.structs import replace

from holmgang.app.games.ratings import NEWCOMER, assessed, shown
from holmgang.app.ports import Clock, ContendersTable, RevisionsTable, TournamentsTable
from holmgang.app.records.contenders import Contender
from holmgang.app.records.tournaments import Entry, Kind, Line, Locked, Table, Tournament
from holmgang.engine.teams import Side
from holmgang.tournaments.endless import REMEMBERED, Free, arena_points, paired
from holmgang.tournaments.meetings import Pairing

from .telling import tell

TIE_BREAKS: Mapping[Kind, tuple[str, ...]] = {"arena": ("wins",), "ladder": ()}
"""What parts those with the same points."""
AGAIN = timedelta(seconds=10)
"""How long two who have just met wait for others before they meet again."""
BEAT_SECONDS = 1.0
"""How soon those who are left over are looked at again, where nothing happens."""
CLASS = 100
"""Strengths on a ladder are as good as equal within so many points, as they are shown: whoever has been met least of
them is met."""


class Beat(NamedTuple):
    """Who could meet, and what was made of it; when to look again if nothing happens."""

    present: tuple[UUID, ...]
    pairing: Pairing
    due_in: float | None


def over(tournament: Tournament, now: datetime) -> bool:
    """Whether nobody is paired any more. It ends with its last table."""
    return tournament.kind == "arena" and now >= _ends(tournament)


def _ends(tournament: Tournament) -> datetime:
    assert tournament.started_at is not None
    assert tournament.plan.seconds is not None
    return tournament.started_at + timedelta(seconds=tournament.plan.seconds)


def beat(tournament: Tournament, free: Sequence[Contender], now: datetime) -> Beat:
    """Who of the free, the longest waiting first, meets whom now. Built-in bots are company for others and never meet
    among themselves alone, or they would play on for weeks with nobody there. Pure."""
    form = tournament.form
    others = [one for one in free if not one.bot]
    bots = [one for one in free if one.bot][: len(others) * (form.wanted - 1)]
    free = (*others, *bots)
    here = [
        Free(
            str(one.entry),
            one.points if tournament.kind == "arena" else shown(one.belief) // CLASS,
            tuple(map(tuple, one.tables)),
            one.free_since is not None and now - one.free_since >= AGAIN,
        )
        for one in free
    ]
    found = paired(here, wanted=form.wanted, allowed=form.allowed, seed=f"{form.seed}/{tournament.round + 1}")
    helpers = {str(one.entry) for one in bots}
    tables = tuple(table for table in found.tables if not helpers.issuperset(table))
    at_table = {player for table in tables for player in table}
    found = Pairing(tables, tuple(one.player for one in here if one.player not in at_table))
    waits = len(found.byes) >= form.least and not helpers.issuperset(found.byes)
    due = BEAT_SECONDS if waits else None
    if tournament.kind == "arena":
        left = (_ends(tournament) - now).total_seconds()
        due = left if due is None else min(due, left)
    return Beat(tuple(one.entry for one in free), found, due)


class EndlessTables(TournamentsTable, ContendersTable, RevisionsTable, Clock, Protocol): ...


def go_on(tables: EndlessTables, locked: Locked) -> bool:
    """Pair who is free, or end it; whether anything came of it. Nobody waits at a table that has no game yet."""
    one, now = locked.tournament, tables.now()
    if over(one, now):
        if tables.uncounted_tables(one.id):
            tables.changed_tournament(one.id)  # a game that ends makes it due again
            return False
        tables.changed_tournament(one.id, status="over")
        tell(tables, one.id, "over")
        return True
    found = beat(one, tables.free_contenders(one.id), now)
    if not found.pairing.tables:
        tables.changed_tournament(one.id, due_in=found.due_in)
        return False
    number = one.round + 1
    tables.add_round(
        one.id,
        number,
        found.present,
        [UUID(player) for player in found.pairing.byes],
        locked.counted,
        [[UUID(player) for player in table] for table in found.pairing.tables],
    )
    tables.set_playing(one.id, [UUID(player) for table in found.pairing.tables for player in table])
    tables.changed_tournament(one.id, paired=number, due_in=0)
    tell(tables, one.id, "paired", in_round=number)
    return True


def entered(tables: ContendersTable, tournament: UUID, entries: Sequence[UUID]) -> None:
    """They have come, or come back: they are free, unless they still play."""
    tables.set_free(tournament, entries, NEWCOMER.mu, NEWCOMER.sigma)


def left(tables: ContendersTable, tournament: UUID, entries: Sequence[UUID]) -> None:
    """They are not paired any more."""
    tables.set_aside(tournament, entries)


def counted(tables: ContendersTable, tournament: Tournament, table: Table, *, void: bool = False) -> None:
    """A table is over: who sat there is free again, but who is out. One that is `void` has no other consequence."""
    before = {one.entry: one for one in tables.contenders(tournament.id, table.players)}
    after = [before[player] for player in table.players]
    if not void:
        after = _after(tournament.kind, table, after)
    names = tuple(map(str, table.players))
    after = [replace(one, tables=(*one.tables, names)[-REMEMBERED:]) for one in after]
    tables.set_standing(tournament.id, after)
    tables.set_free(tournament.id, table.players, NEWCOMER.mu, NEWCOMER.sigma)


def _after(kind: Kind, table: Table, before: Sequence[Contender]) -> list[Contender]:
    """How those at a table stand once it is counted. Who did not turn up has lost it to all others."""
    better = sorted(set(table.points), reverse=True)
    ranks = [
        len(better) + 1 if player in table.absent else better.index(points) + 1
        for player, points in zip(table.players, table.points, strict=True)
    ]
    sides: list[Side] = [(place,) for place in range(len(before))]
    beliefs = assessed(sides, ranks, table.players, {one.entry: one.belief for one in before})
    found = []
    for one, share in zip(before, table.points, strict=True):
        points, streak = arena_points(share, one.streak)
        belief = beliefs[one.entry] if kind == "ladder" else one.belief
        found.append(
            replace(
                one,
                points=one.points + (points if kind == "arena" else 0),
                streak=streak,
                games=one.games + 1,
                wins=one.wins + (share == 1),
                mu=belief.mu,
                sigma=belief.sigma,
            )
        )
    return found


def standings(tournament: Tournament, entries: Sequence[Entry], contenders: Sequence[Contender]) -> list[Line]:
    """Of an arena by points, then wins; of a ladder by strength, which as on leaderboards is what somebody almost
    certainly has. Who is level shares a rank. Pure."""
    of = {one.entry: one for one in contenders}
    lines = []
    for entry in entries:
        one = of.get(entry.id)
        games, wins = (0, 0) if one is None else (one.games, one.wins)
        if tournament.kind == "arena":
            points = 0.0 if one is None else one.points
            more = {"wins": float(wins), "games": float(games)}
            key: tuple[float, ...] = (points, wins)
        else:
            points = float(shown(NEWCOMER if one is None else one.belief))
            more = {"games": float(games), "wins": float(wins)}
            key = (points,)
        lines.append((key, entry, points, more))
    lines.sort(key=lambda line: (line[0], -(line[1].number or 0)), reverse=True)
    ranks: dict[tuple[float, ...], int] = {}
    for rank, (key, *_) in enumerate(lines, start=1):
        ranks.setdefault(key, rank)
    return [Line(rank=ranks[key], entry=entry, points=points, tie_breaks=more) for key, entry, points, more in lines]
