"""Challenges: a player asks others for a game."""

from typing import Annotated, Any, Literal
from uuid import UUID

from flask import Response
from msgspec import Meta, Struct

from holmgang.api.http.tags import revised
from holmgang.api.operation.answers import PRIVATE, address, nothing, page_of
from holmgang.api.operation.declaration import Poll, Resources, operation
from holmgang.api.operation.gate import PLAYS, READS, Call
from holmgang.api.operation.room import need_room
from holmgang.api.operation.service import service
from holmgang.api.operation.shapes import CursorQuery, Page, Wait, WaitQuery
from holmgang.api.operation.terms import Cost, described, links
from holmgang.api.resources.games.schemas import GameTerms
from holmgang.api.resources.me.routes import me
from holmgang.app.errors import InvalidField
from holmgang.app.meeting import challenges as use_cases
from holmgang.app.records.challenges import Challenge, ChallengeStatus, Reason
from holmgang.engine.messages import say

from . import examples

Named = Annotated[str, Meta(min_length=1, max_length=64)]
DAY = 24 * 60 * 60


class NewChallenge(GameTerms, frozen=True, kw_only=True):
    players: Annotated[list[Named], Meta(min_length=1, max_length=99)]
    """Who is to play with you, by id or by name. A name that several have is refused with their ids. A built-in bot's
    account may be named, also several times."""
    seat: Annotated[int, Meta(ge=0, le=99)] | None = None
    """Your seat; the others get the free ones in their order. Null: all seats are drawn when the game is made."""
    expires_in: Annotated[int, Meta(ge=1, le=14 * DAY)] = DAY
    """After how many seconds it ends if not everybody has accepted it."""


class NewAnswer(Struct, frozen=True, kw_only=True):
    accepts: bool
    """Whether you play."""
    reason: Reason | None = None
    """Why you do not, if you want to say so."""


class MyChallengesQuery(CursorQuery, frozen=True, kw_only=True):
    direction: Literal["incoming", "outgoing"] | None = None
    """Those to you or those by you; both unless you say so."""
    status: ChallengeStatus | None = None
    wait: Wait | None = None


challenges = Resources(
    "challenges",
    __name__,
    "Challenges: a player asks others for a game.",
    challenge="The challenge's id.",
)


def _sees(call: Call, challenge: UUID) -> UUID:
    return use_cases.one_of(call.tables, call.me, challenge).id


@operation(challenges, "POST /challenges", PLAYS, Challenge, body=NewChallenge, cost=Cost(2))
@described(
    examples.create_challenge,
    links(challenge="/id"),
    problems="invalid_field invalid_option ambiguous_name limit_reached",
)
def create_challenge(call: Call, body: NewChallenge) -> Any:
    """Challenge players to a game

    Those whom you name find it in `GET /v1/me/challenges`, which they may wait for, and hear of it by webhooks
    (`challenge.received`). Once all of them have accepted, the game is made and starts. One who declines ends the
    challenge. It stays when the token is revoked that it was made with.
    """
    made = use_cases.create(
        call.tables,
        call.me,
        body.terms(),
        body.players,
        seat=body.seat,
        seconds=body.expires_in,
        most=service().settings.challenges_per_player,
        need_room=need_room(call),
    )
    return made, {"Location": address(f"/v1/challenges/{made.id}"), **PRIVATE}


@operation(
    me,
    "GET /me/challenges",
    READS,
    Page[Challenge],
    query=MyChallengesQuery,
    polls=Poll(of=lambda call: call.me.player),
)
@described(examples.list_my_challenges, links("getChallenge answerChallenge", challenge="/items/0/id"))
def list_my_challenges(call: Call, query: MyChallengesQuery) -> Any:
    """List challenges by you and to you, newest first

    Those that are not pending any more are kept for 30 days. Poll it with If-None-Match. With `wait` the request is
    held until something of yours changes that you share with other players, such as a challenge or a seek.
    """

    def page() -> tuple[Any, dict[str, str]]:
        found = call.tables.challenges(call.me.player, query.direction, query.status, query.cursor, query.limit + 1)
        return page_of(found, query.limit)

    return revised(call, page)


@operation(challenges, "GET /challenges/<uuid:challenge>", READS, Challenge, query=WaitQuery, polls=Poll(of=_sees))
@described(examples.get_challenge)
def get_challenge(call: Call, query: WaitQuery, challenge: UUID) -> Response:
    """Read a challenge by you or to you

    Poll it with If-None-Match. With `wait` the request is held until it changes.
    """
    return revised(call, lambda: use_cases.one_of(call.tables, call.me, challenge))


@operation(challenges, "PUT /challenges/<uuid:challenge>/answer", PLAYS, Challenge, body=NewAnswer, cost=Cost(2))
@described(examples.answer_challenge, problems="invalid_field challenge_over not_yours")
def answer_challenge(call: Call, body: NewAnswer, challenge: UUID) -> Any:
    """Accept or decline a challenge

    The last one who accepts makes the game: `game` of the answer. To decline ends the challenge for all. As long as
    others have not answered you may decline what you accepted.
    """
    if body.accepts and body.reason is not None:
        raise InvalidField("/reason", say("A reason is for those who decline."))
    if body.accepts:
        return use_cases.accept(call.tables, call.me, challenge), PRIVATE
    return use_cases.decline(call.tables, call.me, challenge, body.reason), PRIVATE


@operation(challenges, "DELETE /challenges/<uuid:challenge>/answer", PLAYS)
@described(examples.TAKE_BACK_ANSWER, problems="challenge_over not_yours")
def take_back_answer(call: Call, challenge: UUID) -> Response:
    """Take your acceptance back, while others have not accepted yet"""
    use_cases.take_back(call.tables, call.me, challenge)
    return nothing()


@operation(challenges, "DELETE /challenges/<uuid:challenge>", PLAYS)
@described(examples.WITHDRAW_CHALLENGE, problems="challenge_over not_yours")
def withdraw_challenge(call: Call, challenge: UUID) -> Response:
    """Withdraw a challenge of yours

    One that has ended without a game stays as it is.
    """
    use_cases.withdraw(call.tables, call.me, challenge)
    return nothing()
