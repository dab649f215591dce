"""A tournament as the pure functions take it."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import msgspec

from holmgang.app.records.terms import Terms
from holmgang.app.records.tournaments import Entry, Kind, Plan, Round, Table, form_of
from holmgang.tournaments.checking import Game, agreed, meeting_of
from holmgang.tournaments.course import KINDS, Form, byes
from holmgang.tournaments.meetings import Meeting, Pairing, Player
from holmgang.tournaments.meetings import Table as Seated


def by_rounds(kind: Kind) -> bool:
    return kind in KINDS


def named(entries: Sequence[UUID]) -> Seated:
    return tuple(map(str, entries))


def agreement(kind: Kind, plan: Plan, terms: Terms) -> bytes:
    """What the commitment to the seed is about."""
    return agreed(form_of(kind, plan, None), msgspec.to_builtins(terms))


def players_of(entries: Sequence[Entry]) -> list[Player]:
    """All who have a number, by it."""
    return [str(e.id) for e in sorted(entries, key=lambda e: e.number or 0) if e.number is not None]


def games_of(table: Table) -> list[Meeting]:
    """What came of the games of a table that are over."""
    return [
        meeting_of(table.round, Game(named(game.players), game.ranks, named(game.absent)))
        for game in table.games
        if game.outcome is not None
    ]


def meetings(form: Form, players: Sequence[Player], rounds: Sequence[Round], counted: Sequence[Table]) -> list[Meeting]:
    """What came of all tables that are counted; in a tournament by rounds, also of sitting out."""
    found = [Meeting(one.round, named(one.players), one.points, named(one.absent)) for one in counted]
    if form.kind in KINDS:
        for each in rounds:
            found += byes(form, players, each.round, Pairing((), named(each.byes)))
    return found
