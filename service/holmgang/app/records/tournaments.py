"""Tournaments, who is in them, and what is played. Times are aware UTC datetimes from the database."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Literal
from uuid import UUID

from msgspec import Struct

from holmgang.tournaments.course import TIE_BREAKS, Form

from .games import Visibility
from .terms import Terms

Kind = Literal["round-robin", "swiss", "knock-out", "arena", "ladder"]
"""In the first three everybody plays round by round. In an arena and on a ladder who is free meets somebody."""
TournamentStatus = Literal["open", "active", "over", "cancelled"]
"""Players join while it is `open`."""
Out = Literal["withdrawn", "absent"]
"""Why somebody is not paired: they left, or did not turn up at a table. They may come back."""
Outcome = Literal["played", "void", "forfeited"]
"""What became of a game. `void`: it is gone, archived, or stands still, so that its table is level in it. `forfeited`:
somebody had left before it began, so that there was none."""
Happening = Literal["created", "entered", "left", "started", "paired", "counted", "round_over", "over", "cancelled"]
Reason = Literal["by_maker", "too_few"]
"""Why a tournament was cancelled."""


class Plan(Struct, frozen=True, kw_only=True):
    """How a tournament goes, beside the terms of its games."""

    seats: int
    """How many sit at a table, where numbers allow."""
    sizes: tuple[int, ...] = ()
    """Smaller tables that are taken where they do not."""
    rounds: int | None = None
    """How many rounds there are, of Swiss; at most, of a round robin and a knock-out. Null: as many as the number of
    players needs."""
    games: int = 1
    """How many games a table plays, in which its places go round."""
    tie_breaks: tuple[str, ...] = TIE_BREAKS
    least: int = 0
    """With fewer players it is cancelled at its start. 0 as it is asked for: as many as one table takes."""
    most: int = 128
    starts_at: datetime | None = None
    starts_with: int | None = None
    """How many have joined when it starts by itself."""
    bots: tuple[str, ...] = ()
    """The built-in bots that fill it up, in turn."""
    fill_to: int = 0
    """How many players they fill it up to."""
    seconds: int | None = None
    """How long an arena is open."""


class Tournament(Struct, frozen=True, kw_only=True):
    id: UUID
    name: str
    creator: UUID
    kind: Kind
    status: TournamentStatus
    visibility: Visibility
    """Of the tournament and its games. A private one is seen by who is in it, and by who shows its invitation."""
    terms: Terms
    plan: Plan
    commitment: bytes
    """Of the seed by which lots are drawn: see `tournaments.checking`."""
    seed: bytes | None
    """Null until it starts."""
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    reason: Reason | None
    """Why it was cancelled."""
    round: int
    """The last round that was paired; 0 before the first."""
    entered: int
    """How many are in it."""

    @property
    def form(self) -> Form:
        """What pairings go by. The seed is empty until it is known."""
        return form_of(self.kind, self.plan, self.seed)


def form_of(kind: Kind, plan: Plan, seed: bytes | None) -> Form:
    return Form(
        kind, plan.seats, plan.sizes, plan.rounds, plan.games, plan.tie_breaks, "" if seed is None else seed.hex()
    )


class Entry(Struct, frozen=True, kw_only=True):
    """Somebody in a tournament. Pairings name entries: a built-in bot may have several."""

    id: UUID
    """A person's is their player's id."""
    player: UUID
    name: str
    bot: str | None
    number: int | None
    """From the start on: 1 for the strongest."""
    rating: float | None
    """What the numbers go by: of the ruleset, at the start (`mu - 3 sigma`)."""
    joined_at: datetime
    out: Out | None
    out_at: datetime | None


class Round(Struct, frozen=True, kw_only=True):
    """A pairing. Of an arena or a ladder, one of many."""

    round: int
    paired_at: datetime
    ended_at: datetime | None
    present: tuple[UUID, ...]
    """Who was to be paired, in the order in which the pairing takes them."""
    byes: tuple[UUID, ...]
    """Who sits out."""
    known: int
    """How many tables had been counted by then: by these alone it was paired."""


class TableGame(Struct, frozen=True, kw_only=True):
    number: int
    """From 1, at its table."""
    game: UUID | None
    """Null where it was forfeited before it began."""
    players: tuple[UUID, ...]
    """Entries, by seat."""
    outcome: Outcome | None
    """Null while it is played."""
    ranks: tuple[int, ...]
    """By seat, from 1; empty until it is counted."""
    absent: tuple[UUID, ...]
    """Who did not turn up."""
    ended_at: datetime | None


class Table(Struct, frozen=True, kw_only=True):
    round: int
    at: int
    """From 1, in its round."""
    players: tuple[UUID, ...]
    """Entries, by place."""
    points: tuple[float, ...]
    """By place; empty until it is counted."""
    absent: tuple[UUID, ...]
    counted: int | None
    """Its number in the order of counting, over the whole tournament."""
    games: tuple[TableGame, ...] = ()


class TournamentEvent(Struct, frozen=True, kw_only=True):
    """Something that has happened in a tournament."""

    seq: int
    """From 1, without gaps."""
    at: datetime
    type: Happening
    """`left`: they left, or did not turn up. `counted`: all games of a table are over. `round_over`: so are all of a
    round."""
    entry: UUID | None
    """Of `entered` and `left`."""
    round: int | None
    """Of `paired`, `counted` and `round_over`."""
    table: int | None
    """Of `counted`: its number in the round."""


class Line(Struct, frozen=True, kw_only=True):
    """A line of the standings: who cannot be told apart shares a rank."""

    rank: int
    entry: Entry
    points: float
    tie_breaks: Mapping[str, float]


class Locked(Struct, frozen=True, kw_only=True):
    """A tournament whose row is held, with what only the service knows of it."""

    tournament: Tournament
    secret_seed: bytes
    changes: int
    """Grows with all that a pairing depends on."""
    counted: int
    """How many tables have been counted."""
    due: bool
    """Whether something is to be done now: before the start, whether its time to start has come."""


class ToCount(Struct, frozen=True, kw_only=True):
    """A game of a tournament that is to be counted, as far as is known."""

    tournament: UUID
    round: int
    at: int
    number: int
    game: UUID
