"""What concerns the caller alone: /v1/me."""

from datetime import datetime
from typing import Any
from uuid import UUID

from flask import Response
from msgspec import Struct

from holmgang.api.http.exports import NDJSON, export
from holmgang.api.http.tags import tag_of_turns, unchanged
from holmgang.api.operation.answers import PRIVATE, nothing, page_of, private
from holmgang.api.operation.declaration import Poll, Resources, operation
from holmgang.api.operation.gate import MANAGES, READS, Call
from holmgang.api.operation.service import service
from holmgang.api.operation.shapes import Page, WaitQuery, shown_as
from holmgang.api.operation.terms import MOST, PAGE_OF_GAMES, Cost, described, links
from holmgang.api.resources.games.schemas import GameAnswer, PlayedQuery
from holmgang.api.resources.players.schemas import Farewell, PlayerAnswer, PlayerChange, profile
from holmgang.app.accounts import players
from holmgang.app.leaving import account
from holmgang.app.reading import queries
from holmgang.app.records.play import Waiting
from holmgang.engine.turn import Seat

from . import examples


class ExportQuery(Struct, frozen=True, kw_only=True):
    since: datetime | None = None
    """Games that ended then or later."""
    until: datetime | None = None
    """Games that ended before."""
    cursor: UUID | None = None
    """Go on after the game with this id."""


class TokenInUse(Struct, frozen=True, kw_only=True):
    id: UUID
    scopes: tuple[str, ...]
    game: UUID | None
    seat: Seat | None


class Me(Struct, frozen=True, kw_only=True):
    player: PlayerAnswer
    token: TokenInUse
    """The token that this request came with."""
    hides_presence: bool
    """Whether nobody is told if you are there: see `getPresence`."""


class WaitingTurns(Struct, frozen=True, kw_only=True):
    """The whole current set of turns that wait for the caller, oldest first."""

    items: list[Waiting]
    next_poll_ms: int
    """When to poll again without `wait`."""


me = Resources(
    "me",
    __name__,
    "Your games, tokens, waiting turns, and the players whom you block.",
    player="The player's id.",
    token="The token's id, not its secret.",  # noqa: S106 # a sentence, no secret
)


@operation(me, "GET /me", READS, Me, one_seat=True)
@described(examples.GET_ME, links(player="/player/id"))
def get_me(call: Call) -> Any:
    """Read who you are, and with which token"""
    shown = profile(call.tables, players.player(call.tables, call.me.player))
    token = shown_as(TokenInUse, call.me, id=call.me.token)
    return Me(player=shown, token=token, hides_presence=call.tables.hides_presence(call.me.player)), PRIVATE


@operation(me, "PATCH /me", MANAGES, PlayerAnswer, body=PlayerChange)
@described(examples.CHANGE_ME, links(player="/id"), problems="invalid_field limit_reached")
def change_me(call: Call, body: PlayerChange) -> Any:
    """Change your name, say whether you are a bot, or hide whether you are there

    The name is changed once in so many days, 30 unless the service says otherwise, and at once wherever you are shown.
    What you were called before is shown with you for a year, so that people who met you can tell who you are. Whether
    you are a person or a bot is said before your first game. With `hides_presence` nobody at your tables is told any
    more whether you are there, and it is noted no more; `getMe` tells how that is set.
    """
    days = service().settings.rename_days
    changed = players.change(
        call.tables, call.me, name=body.name, kind=body.kind, hides_presence=body.hides_presence, rename_days=days
    )
    return profile(call.tables, changed), PRIVATE


@operation(me, "DELETE /me", MANAGES, body=Farewell)
@described(examples.DELETE_ME, problems="invalid_field")
def delete_me(call: Call, body: Farewell) -> Response:
    """Delete your account

    At once your name and former names, tokens, webhooks, blocks, seeks and challenges are gone, and you are on no
    leaderboard and in no search; there is no way back. Wherever you played stands "Deleted player". Finished games
    stay, and their records hold. Within moments you leave the seats of games that have not started, resign from those
    that have, and withdraw from tournaments; those that you have made and not started are cancelled, and your ladders.
    If you have played rated games, nobody can take your name for a year, unless another player has it already.
    """
    account.delete(call.tables, call.me, body.name)
    return nothing()


@operation(me, "GET /me/games", READS, Page[GameAnswer], query=PlayedQuery, cost=PAGE_OF_GAMES)
@described(examples.list_my_games, links("getGame getTurn", game="/items/0/id"))
def list_my_games(call: Call, query: PlayedQuery) -> Any:
    """List the games in which you have a seat, newest first"""
    found = call.tables.games(
        status=query.status,
        ruleset=query.ruleset,
        player=call.me.player,
        open_seats=None,
        before=query.cursor,
        limit=query.limit + 1,
        private=True,
        rated=query.rated,
        since=query.since,
        until=query.until,
    )
    return page_of(found, query.limit, GameAnswer.of, headers=PRIVATE)


@operation(
    me,
    "GET /me/games/export",
    READS,
    {"type": "string", "description": "A record a line, or with `Accept: application/zip` an archive."},
    query=ExportQuery,
    content_type=NDJSON,
    cost=Cost(MOST),
)
@described(examples.export_my_games)
def export_my_games(call: Call, query: ExportQuery) -> Response:
    """Export all your finished games

    Private ones too, in the order of their creation, however many there are. Each line is a record as `getRecord`
    answers it (NDJSON); with `Accept: application/zip` the lines come in an archive, in a file for each month. Games
    that are not over are left out: their records hold what is hidden. If the connection breaks, ask again with the id
    of the last whole line as `cursor`: the export goes on after it. An archive cannot be gone on with.
    """
    return export(call, query.cursor, query.since, query.until)


@operation(me, "GET /me/turns", READS, WaitingTurns, one_seat=True, query=WaitQuery, polls=Poll(fast=("",)))
@described(examples.list_waiting_turns, links("getTurn getView", game="/items/0/game"))
def list_waiting_turns(call: Call, query: WaitQuery) -> Response:
    """List every turn that waits for you, in every game

    This is always the whole current set. Poll it with If-None-Match: as long as the set is the same, the answer is 304.
    With `wait` the request is held until the set changes, or, without If-None-Match, until there is a turn. A token
    that is limited to one seat sees only that seat's turn.
    """
    turns = queries.turns_of(call.tables, call.me)
    tag = tag_of_turns(call.me, turns)
    return unchanged(tag) or private(WaitingTurns(items=turns, next_poll_ms=queries.POLL_MS), ETag=tag)
