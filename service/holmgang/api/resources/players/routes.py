"""Players: /v1/players."""

import hashlib
from functools import partial
from typing import Any
from uuid import UUID

from flask import Response, request

from holmgang import registry
from holmgang.api.http.tags import unchanged
from holmgang.api.operation.answers import PRIVATE, address, page_of
from holmgang.api.operation.declaration import Resources, operation
from holmgang.api.operation.fields import NamePlace
from holmgang.api.operation.gate import Access, Call
from holmgang.api.operation.pictures import DOCUMENT, SVG, policy
from holmgang.api.operation.shapes import Page, shown_as
from holmgang.api.operation.terms import Cost, Keyed, Packs, described, links
from holmgang.api.resources.leaderboards.schemas import BeliefAnswer
from holmgang.api.resources.players.schemas import (
    FoundPlayer,
    HeadToHead,
    HistoryPictureQuery,
    HistoryQuery,
    NewPlayer,
    PlayerAnswer,
    PlayersQuery,
    RatingPointAnswer,
    Registration,
    profile,
)
from holmgang.api.resources.rulesets.components import RULESET
from holmgang.app.accounts import names
from holmgang.app.accounts.players import player as player_by_id
from holmgang.app.accounts.players import register, there
from holmgang.app.games import ratings
from holmgang.app.reading import profiles, rating_picture
from holmgang.app.records.players import Player
from holmgang.languages.catalogue import tongue
from holmgang.languages.negotiation import language_of

from . import examples

players = Resources(
    "players",
    __name__,
    "Accounts: a name, and tokens to act with.",
    player="The player's id.",
    other="The id of the player they have met.",
    ruleset=RULESET,
)
PICTURE = "r1"
"""The form of pictures of ratings in tags; the number changes when what they show does."""


@operation(
    players, "POST /players", Access.PUBLIC, Registration, body=NewPlayer, keyed=Keyed.REFUSED, budget="registrations"
)
@described(examples.REGISTER_PLAYER, links(player="/player/id"), problems="invalid_field missing_scope token_limited")
def register_player(call: Call, body: NewPlayer) -> Any:
    """Register a player

    Returns the player and a first token with all scopes. Store the token: it is shown only now. This takes no
    Idempotency-Key. A bot that you register with your own token, which has the scope `manage`, is shown as yours.
    """
    player, token, secret = register(call.tables, body.name, body.kind, call.principal)
    made = Registration(player=PlayerAnswer.of(player, {}), token=secret, token_id=token.id)
    return made, {"Location": address(f"/v1/players/{player.id}"), "Cache-Control": "no-store"}


@operation(players, "GET /players", Access.PUBLIC, Page[FoundPlayer], query=PlayersQuery, packs=Packs.ALWAYS)
@described(examples.LIST_PLAYERS, links(player="/items/0/id"))
def list_players(call: Call, query: PlayersQuery) -> Any:
    """Find players by name

    By how the name begins, in whatever case, or with `exact` by all of it; sorted by name. Several players may have the
    same name.
    """
    folded = names.folded(query.name)
    found = call.tables.players_called(folded, exact=query.exact, after=query.cursor, limit=query.limit + 1)
    return page_of(found, query.limit, partial(shown_as, FoundPlayer), cursor=_cursor)


def _cursor(player: Player) -> str:
    return NamePlace.written(names.folded(player.name), player.id)


@operation(players, "GET /players/<uuid:player>", Access.PUBLIC, PlayerAnswer)
@described(examples.get_player)
def get_player(call: Call, player: UUID) -> Any:
    """Read a player and their ratings

    A player has a rating in each game of which they have finished a rated one. An account that was deleted has no name
    any more, and no ratings; the games that it played stay.
    """
    return profile(call.tables, player_by_id(call.tables, player))


@operation(players, "GET /players/<uuid:player>/against/<uuid:other>", Access.PUBLIC, HeadToHead, cost=Cost(10))
@described(examples.get_head_to_head)
def get_head_to_head(call: Call, player: UUID, other: UUID) -> Any:
    """Read a player's record against another

    By ruleset, of the latest 10,000 finished games of both that you may see. Who came in on a better rank has won, also
    where neither won the game. Games as partners do not count. A built-in bot with several seats counts once, by the
    best of them.
    """
    return HeadToHead(items=profiles.against(call.tables, call.principal, player, other)), PRIVATE


@operation(
    players, "GET /players/<uuid:player>/ratings/<ruleset>/history", Access.PUBLIC, Page[RatingPointAnswer],
    query=HistoryQuery,
)  # fmt: skip
@described(examples.get_rating_history)
def get_rating_history(call: Call, query: HistoryQuery, player: UUID, ruleset: str) -> Any:
    """Read how a player's rating went, the latest first

    One point for each rated game that you may see, as it stood after that game.
    """
    ratings.known(ruleset)
    found = profiles.rating_history(
        call.tables, call.principal, player, ruleset, before=query.cursor, limit=query.limit + 1
    )
    return page_of(found, query.limit, RatingPointAnswer.at_point, cursor=lambda point: point.number, headers=PRIVATE)


@operation(
    players,
    "GET /players/<uuid:player>/ratings/<ruleset>/history.svg",
    Access.PUBLIC,
    DOCUMENT,
    query=HistoryPictureQuery,
    content_type=SVG,
    tagged=True,
    packs=Packs.ALWAYS,
    cost=Cost(5),
)
@described(examples.get_rating_history_picture, translated=True)
def get_rating_history_picture(call: Call, query: HistoryPictureQuery, player: UUID, ruleset: str) -> Response:
    """See how a player's rating went, as a picture

    It shows the latest 500 public rated games, the same to everybody. The words in it, `lang` and the tag follow
    `Accept-Language`. It has no scripts and fetches nothing. Poll it with If-None-Match.
    """
    ratings.known(ruleset)
    who = there(call.tables, player)
    found = profiles.rating_history(call.tables, None, player, ruleset, before=None, limit=rating_picture.MOST)
    language = language_of(request.environ)
    named = hashlib.blake2b(who.name.encode(), digest_size=6).hexdigest()
    tag = f'W/"{found[0].number if found else 0}.{named}.{PICTURE}.{query.theme}.{language}"'
    if (same := unchanged(tag)) is not None:
        return same
    drawn = rating_picture.picture(
        who.name,
        registry.latest(ruleset).title,
        [BeliefAnswer.of(point.after).rating for point in reversed(found)],
        query.theme,
        tongue(language, ruleset),
    )
    headers = {**PRIVATE, "ETag": tag, "Content-Language": language, "Content-Security-Policy": policy(query.theme)}
    return Response(drawn, mimetype=SVG, headers=headers)
