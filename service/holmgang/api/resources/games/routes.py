"""Games: created, listed, read."""

from typing import Any
from uuid import UUID

from holmgang.api.operation.answers import PRIVATE, address, page_of
from holmgang.api.operation.declaration import Resources, operation
from holmgang.api.operation.gate import PLAYS, Access, Call
from holmgang.api.operation.service import service
from holmgang.api.operation.shapes import Page
from holmgang.api.operation.terms import PAGE_OF_GAMES, Cost, Packs, described, links
from holmgang.api.resources.games.schemas import GameAnswer, GamesQuery, NewGame
from holmgang.app.access import game_by_id
from holmgang.app.games import creation
from holmgang.app.records.games import Game

from . import examples

games = Resources(
    "games",
    __name__,
    "Games: how to find and create them, their seats and moves.",
    game="The game's id.",
    seat="The seat's number, from 0.",
    submission="The submission's id.",
    invitation="The invitation's id, not its secret.",
    number="The combat's number in its game, from 1.",
)


@operation(games, "POST /games", PLAYS, GameAnswer, body=NewGame, cost=Cost(2))
@described(
    examples.create_game,
    links(game="/id"),
    links("getSeat leaveSeat", game="/id", seat="/seats/0/seat"),
    problems="invalid_field invalid_option limit_reached",
)
def create_game(call: Call, body: NewGame) -> Any:
    """Create a game

    The seed of all chance is drawn now, and its commitment is public from now on. You sit on seat 0 unless `join` is
    false. The game starts when its last seat is taken. The result of a `rated` game changes the ratings of all its
    players: bots have ratings too, and a resignation is a loss, from the first turn on. A private game is for those
    whom you invite (`POST /v1/games/{game}/invitations`); to all others its address answers as if it did not exist. A
    game that is not rated, and that ends or is archived before any person has made a choice, is deleted some days
    later.
    """
    settings = service().settings
    game = creation.create_game(
        call.tables,
        call.me,
        body.terms(),
        body.seats,
        join=body.join,
        practice=body.practice,
        seed=None if body.seed is None else bytes.fromhex(body.seed),
        most=settings.games_per_player,
        most_empty=settings.empty_games_per_player,
        empty_days=settings.empty_games_days,
    )
    return GameAnswer.of(game), {"Location": address(f"/v1/games/{game.id}")}


@operation(
    games, "GET /games", Access.PUBLIC, Page[GameAnswer], query=GamesQuery, packs=Packs.ALWAYS, cost=PAGE_OF_GAMES
)
@described(examples.list_games, links("getGame takeSeat", game="/items/0/id"))
def list_games(call: Call, query: GamesQuery) -> Any:
    """List public games, newest first

    Private games are only in `/v1/me/games` of their players.
    """
    found = call.tables.games(
        status=query.status,
        ruleset=query.ruleset,
        player=query.player,
        open_seats=query.open_seats,
        before=query.cursor,
        limit=query.limit + 1,
        rated=query.rated,
        since=query.since,
        until=query.until,
        tournament=query.tournament,
        other=query.other,
        won_by=query.won_by,
        lost_by=query.lost_by,
    )
    return page_of(found, query.limit, GameAnswer.of)


@operation(games, "GET /games/<uuid:game>", Access.GAME, GameAnswer, packs=Packs.ALWAYS)
@described(examples.get_game, links("getHeadToHead", player="/seats/0/player", other="/seats/1/player"))
def get_game(call: Call, game: UUID) -> Any:
    """Read a game's public facts

    A private game is shown to its players, its creator, and those who show an invitation to it. One of a tournament is
    shown, as spectators see it, to all who may see that tournament.
    """
    found = game_by_id(call.tables, game)
    return GameAnswer.of(found), headers_of(found)


def headers_of(game: Game) -> dict[str, str]:
    return PRIVATE if game.visibility == "private" else {}
