"""Tournaments: made, found, started, called off."""

from http import HTTPStatus
from typing import Any
from uuid import UUID

from flask import Response
from msgspec import Struct

from holmgang.api.http.tags import revised
from holmgang.api.operation.answers import PRIVATE, address, nothing, page_of
from holmgang.api.operation.declaration import Poll, Resources, operation
from holmgang.api.operation.gate import MANAGES, PLAYS, READS, Access, Call
from holmgang.api.operation.service import service
from holmgang.api.operation.shapes import Nothing, Page, WaitQuery
from holmgang.api.operation.terms import PAGE_OF_GAMES, Cost, Keyed, Packs, described, links
from holmgang.api.resources.me.routes import me
from holmgang.app.tournaments import making, reading

from . import examples
from .schemas import MyTournamentsQuery, NewTournament, TournamentAnswer, TournamentsQuery

tournaments = Resources(
    "tournaments",
    __name__,
    "Tournaments: who is in them, who meets whom, and how they stand.",
    tournament="The tournament's id.",
    entry="The entry's id: of a person, their player's.",
    number="The round's number, from 1.",
)


class TournamentInvitation(Struct, frozen=True, kw_only=True):
    secret: str
    """Shown this once. It is sent as `invitation` of the body to enter, and as the header `Holmgang-Invitation` to
    look."""


def changes(_call: Call, tournament: UUID, **_: Any) -> UUID:
    """By which revisions one waits for anything of a tournament."""
    return tournament


def seen(call: Call, _body: Any, tournament: UUID, **_: Any) -> None:
    """Refuse whom the tournament is not for."""
    reading.tournament(call.tables, call.me.player, tournament)


@operation(tournaments, "POST /tournaments", PLAYS, TournamentAnswer, body=NewTournament, cost=Cost(2))
@described(examples.create_tournament, links(tournament="/id"), problems="invalid_field invalid_option limit_reached")
def create_tournament(call: Call, body: NewTournament) -> Any:
    """Make a tournament

    You are its maker, and enter like everybody else. It starts at `starts_at`, as soon as `starts_with` have entered,
    or when you start it. From then on the service pairs, makes the games, counts them and goes on. The seed of all lots
    is drawn now; its commitment is public from now on, and the seed itself from the start. A private tournament is for
    those whom you invite (`POST /v1/tournaments/{tournament}/invitation`); to all others its addresses answer as if it
    did not exist.
    """
    made, _ = making.create(
        call.tables,
        call.me,
        body.terms(),
        name=body.name,
        kind=body.kind,
        plan=body.plan(),
        most=service().settings.tournaments_per_player,
    )
    return TournamentAnswer.of(made), {"Location": address(f"/v1/tournaments/{made.id}")}


@operation(
    tournaments,
    "GET /tournaments",
    Access.PUBLIC,
    Page[TournamentAnswer],
    query=TournamentsQuery,
    packs=Packs.ALWAYS,
    cost=PAGE_OF_GAMES,
)
@described(examples.list_tournaments, links("getTournament enterTournament", tournament="/items/0/id"))
def list_tournaments(call: Call, query: TournamentsQuery) -> Any:
    """List public tournaments, newest first

    Private ones are only in `/v1/me/tournaments` of those who are in them.
    """
    found = reading.tournaments(
        call.tables,
        None,
        kind=query.kind,
        ruleset=query.ruleset,
        status=query.status,
        player=query.player,
        before=query.cursor,
        limit=query.limit + 1,
    )
    return page_of(found, query.limit, TournamentAnswer.of)


@operation(me, "GET /me/tournaments", READS, Page[TournamentAnswer], query=MyTournamentsQuery, cost=PAGE_OF_GAMES)
@described(examples.list_my_tournaments, links("getTournament", tournament="/items/0/id"))
def list_my_tournaments(call: Call, query: MyTournamentsQuery) -> Any:
    """List the tournaments that you are in or have made, newest first"""
    found = reading.mine(call.tables, call.me.player, query.status, query.cursor, query.limit + 1)
    return page_of(found, query.limit, TournamentAnswer.of, headers=PRIVATE)


@operation(
    tournaments,
    "GET /tournaments/<uuid:tournament>",
    Access.TOURNAMENT,
    TournamentAnswer,
    query=WaitQuery,
    packs=Packs.ALWAYS,
    polls=Poll(of=changes),
)
@described(examples.get_tournament)
def get_tournament(call: Call, query: WaitQuery, tournament: UUID) -> Response:
    """Read a tournament's facts

    A private tournament is shown to its maker, those who are in it, and who shows its invitation. They may watch all of
    its games, too. With `wait` the
    request is held until anything has changed in it: also what its rounds, entries and standings say.
    """
    return revised(call, lambda: TournamentAnswer.of(call.there))


@operation(tournaments, "DELETE /tournaments/<uuid:tournament>", PLAYS)
@described(examples.cancel_tournament, problems="not_yours tournament_not_open")
def cancel_tournament(call: Call, tournament: UUID) -> Response:
    """Call your tournament off

    It stays to be read, as `cancelled`. Games that are being played are played on, and count nowhere.
    """
    making.cancel(call.tables, call.me, tournament)
    return nothing()


@operation(
    tournaments,
    "POST /tournaments/<uuid:tournament>/start",
    PLAYS,
    TournamentAnswer,
    body=Nothing,
    status=HTTPStatus.OK,
    cost=Cost(2),
    sees=seen,
)
@described(examples.start_tournament, problems="not_yours too_few_players tournament_not_open")
def start_tournament(call: Call, body: Nothing, tournament: UUID) -> Any:
    """Start your tournament now

    Bots fill it up as was planned, and the first round is paired within moments. The body is an empty object.
    """
    return TournamentAnswer.of(making.begin_by_hand(call.tables, call.me, tournament)), PRIVATE


@operation(
    tournaments,
    "POST /tournaments/<uuid:tournament>/invitation",
    MANAGES,
    TournamentInvitation,
    body=Nothing,
    status=HTTPStatus.OK,
    keyed=Keyed.SECRET,
    sees=seen,
)
@described(examples.invite_to_tournament, problems="invalid_field not_yours")
def invite_to_tournament(call: Call, body: Nothing, tournament: UUID) -> Any:
    """Make a new invitation to your private tournament

    Its secret is shown only now. Whoever has it may look and enter. It is good until you make another, which takes its
    place; who has entered stays. The body is an empty object.
    """
    secret = making.renew_invitation(call.tables, call.me, tournament)
    where = {"Location": address(f"/v1/tournaments/{tournament}"), "Cache-Control": "no-store"}
    return TournamentInvitation(secret=secret), where
