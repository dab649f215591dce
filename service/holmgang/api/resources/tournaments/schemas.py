"""What is sent and answered about tournaments."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Annotated, Self
from uuid import UUID

from marshmallow import validate
from msgspec import Meta

from holmgang.api.operation.fields import OneLine
from holmgang.api.operation.shapes import CursorQuery, Slug, shown_as
from holmgang.api.resources.games.schemas import GameTerms
from holmgang.app.accounts.names import unseen
from holmgang.app.records.games import Visibility
from holmgang.app.records.terms import Terms
from holmgang.app.records.tournaments import Kind, Plan, Reason, Tournament, TournamentStatus
from holmgang.bots.base import NAMES
from holmgang.tournaments import standings
from holmgang.tournaments.course import TIE_BREAKS

MOST_ENTRIES, MOST_ROUNDS, MOST_GAMES, MOST_SEATS = 1024, 100, 10, 100
SHORTEST_ARENA, LONGEST_ARENA = 60, 7 * 24 * 60 * 60

Size = Annotated[int, Meta(ge=2, le=MOST_SEATS)]
TieBreak = Annotated[str, Meta(extra={"validate": [validate.OneOf(tuple(standings.TIE_BREAKS))]})]
BotName = Annotated[str, Meta(extra={"validate": [validate.OneOf(NAMES)]})]


class NewTournament(GameTerms, frozen=True, kw_only=True):
    """The terms of its games, and how they come about. They need `turn_seconds` or `bank_seconds`, and the clock
    runs."""

    name: Annotated[str, Meta(extra={"field": partial(OneLine, unseen)})]
    """For people to read. Several tournaments may have the same."""
    kind: Kind = "swiss"
    """`swiss`: those with the same points meet, and nobody twice while that can be. `round-robin`: everybody meets
    everybody. `knock-out`: the better half of a table goes on. `arena`: whoever is free meets whoever is free, and one
    may come and go. `ladder`: an arena without end, for bots."""
    visibility: Visibility = "public"
    """A `private` tournament is seen only by who is in it, its maker, and who shows its invitation; each of its games
    by those who play it."""
    seats: Size
    """How many sit at a table, where the number of players fits. Else some tables are smaller, as the game and its
    options allow, and some sit out."""
    rounds: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] | None = None
    """How many rounds of Swiss; at most, of a round robin and a knock-out. Null: as many as the players need."""
    games: Annotated[int, Meta(ge=1, le=MOST_GAMES)] = 1
    """How many games a table plays in a round. Everybody moves on by a seat each time."""
    tie_breaks: Annotated[Sequence[TieBreak], Meta(max_length=len(standings.TIE_BREAKS))] = TIE_BREAKS
    """What parts those with the same points, in this order."""
    least: Annotated[int, Meta(ge=0, le=MOST_ENTRIES)] = 0
    """With fewer entries it is cancelled when it is to start. 0 is as many as a table takes."""
    most: Annotated[int, Meta(ge=2, le=MOST_ENTRIES)] = 128
    """How many may enter."""
    starts_at: datetime | None = None
    """When it starts by itself."""
    starts_with: Annotated[int, Meta(ge=2, le=MOST_ENTRIES)] | None = None
    """With how many entries it starts by itself."""
    bots: Annotated[Sequence[BotName], Meta(max_length=len(NAMES))] = ()
    """Built-in bots that fill it up at its start, in turn."""
    fill_to: Annotated[int, Meta(ge=0, le=MOST_ENTRIES)] = 0
    """Up to how many entries they fill it."""
    seconds: Annotated[int, Meta(ge=SHORTEST_ARENA, le=LONGEST_ARENA)] | None = None
    """How long an arena goes on."""

    def plan(self) -> Plan:
        return shown_as(Plan, self, tie_breaks=tuple(self.tie_breaks), sizes=(), bots=tuple(self.bots))


class TournamentsQuery(CursorQuery, frozen=True, kw_only=True):
    status: TournamentStatus | None = None
    kind: Kind | None = None
    ruleset: Slug | None = None
    player: UUID | None = None
    """Tournaments that this player has made or entered."""


class MyTournamentsQuery(CursorQuery, frozen=True, kw_only=True):
    status: TournamentStatus | None = None


class TournamentAnswer(Plan, frozen=True, kw_only=True):
    """A tournament: its facts, the terms of its games, and how it goes."""

    id: UUID
    name: str
    creator: UUID
    kind: Kind
    status: TournamentStatus
    """Players enter while it is `open`; an arena or a ladder also while it is `active`."""
    visibility: Visibility
    terms: Terms
    """Of its games."""
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    reason: Reason | None
    """Why it was cancelled."""
    entered: int
    """How many are in it."""
    round: int
    """The last round that was paired; 0 before the first."""
    commitment: str
    """SHA-256 that binds the seed of all lots."""
    seed: str | None
    """The seed of all lots: with it all pairings can be made again. Null until the start."""

    @classmethod
    def of(cls, found: Tournament) -> Self:
        plan = {name: getattr(found.plan, name) for name in Plan.__struct_fields__}
        seed = None if found.seed is None else found.seed.hex()
        return shown_as(cls, found, **plan, commitment=found.commitment.hex(), seed=seed)
