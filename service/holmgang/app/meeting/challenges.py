"""Challenges: a player asks others for a game, which is made once all of them have accepted.

Whoever answers, withdraws or ends a challenge holds its row, so that there is never a second game, nor one of a
challenge that was withdrawn. A challenge is its player's, like a seat: it stays when the token is revoked that it was
made with.

It is kept from a player who blocks the challenger. To the challenger it looks like one that is not answered: nothing of
it is refused, counted or timed otherwise.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Sequence
from typing import Literal, Protocol
from uuid import UUID

from uuid_utils.compat import uuid7

from holmgang.app.accounts import names
from holmgang.app.accounts.tokens import need, need_free, refusal_of
from holmgang.app.errors import (
    AmbiguousName,
    ChallengeOver,
    InvalidField,
    InvalidOptionRefusal,
    LimitReached,
    NotFound,
    NotYours,
)
from holmgang.app.games.creation import CreationTables, checked, made
from holmgang.app.games.seats import need_bot_that_plays
from holmgang.app.ports import (
    BlocksTable,
    ChallengesTable,
    Clock,
    PlayersTable,
    ProfilesTable,
    RematchesTable,
    RevisionsTable,
)
from holmgang.app.records.challenges import Challenge, ChallengeStatus, Reason
from holmgang.app.records.players import Player, Principal, TokenFault
from holmgang.app.records.terms import Terms
from holmgang.engine.messages import counted, say, template
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Seat

from .rematches import ident_of

KEPT_DAYS = 30
"""How long challenges can be read that are not pending any more."""
_AT_ONCE = 50
_NAMESAKES = 100
_ID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


class NamingTables(PlayersTable, ProfilesTable, Protocol): ...


class ChallengeTables(ChallengesTable, RematchesTable, BlocksTable, RevisionsTable, Clock, PlayersTable, Protocol): ...


class AnswerTables(ChallengeTables, CreationTables, ProfilesTable, Protocol): ...


def create(
    tables: AnswerTables,
    principal: Principal,
    terms: Terms,
    players: Sequence[str],
    *,
    seat: Seat | None,
    seconds: int,
    most: int,
    need_room: Callable[[], None] = lambda: None,
) -> Challenge:
    """Challenge these players, by id or exact name, for so many seconds. Built-in bots accept at once: with nobody else
    the game is made.

    Who names a `seat` sits there and the others on the free ones, in their order; else all seats are drawn. `most` is
    how many challenges of one player may be pending; `need_room` refuses who may make no game, and may lock the
    challenger. In a transaction.
    """
    need(principal, "play")
    need_free(principal)
    rules, terms = _checked(terms, 1 + len(players))
    if seat is not None and seat > len(players):
        raise InvalidField("/seat", say("The game's seats are 0 to {last}.", last=len(players)))
    invited = _invited(tables, principal.player, players)
    for n, one in enumerate(invited):
        if one.bot is not None:
            need_bot_that_plays(rules, one.bot, f"/players/{n}")
    people = {principal.player, *(one.id for one in invited if one.bot is None)}
    # Nobody blocks another, leaves or is challenged by these meanwhile. Whoever locks several does so in this order.
    gone = {each for each in sorted(people) if not tables.lock_player(each)}
    if principal.player in gone:
        raise refusal_of(TokenFault.UNKNOWN)
    for n, one in enumerate(invited):
        if one.id in gone:
            raise _unknown(players[n], f"/players/{n}")
    need_room()
    blocking = tables.blocking(people)
    for n, one in enumerate(invited):
        if (principal.player, one.id) in blocking:
            raise InvalidField(f"/players/{n}", say("You block this player."))
    if tables.pending_challenges(principal.player) >= most:
        detail = counted(
            most,
            template("{count} challenge of yours is pending: withdraw it, or let it end."),
            template("{count} challenges of yours are pending: withdraw some, or let them end."),
        )
        raise LimitReached("challenges", most, detail)
    ident = uuid7()
    kept = [(one, (one.id, principal.player) in blocking) for one in invited]
    tables.add_challenge(ident, principal.player, seat, terms, seconds, kept)
    _make_if_all_accept(tables, one_of(tables, principal, ident))
    tables.touch_challenges([ident])
    return one_of(tables, principal, ident)


def _checked(terms: Terms, seats: int) -> tuple[AnyRules, Terms]:
    try:
        return checked(terms, seats)
    except InvalidField as fault:
        if fault.extra["pointer"] != "/seats":
            raise
        raise InvalidField("/players", fault.detail) from None


def _invited(tables: NamingTables, challenger: UUID, players: Sequence[str]) -> list[Player]:
    found: list[Player] = []
    for n, named in enumerate(players):
        one = _named(tables, named, f"/players/{n}")
        if one.id == challenger:
            raise InvalidField(f"/players/{n}", say("That is you: challenge others."))
        if one.bot is None and one in found:
            raise InvalidField(f"/players/{n}", say("This player is named already."))
        found.append(one)
    return found


def _named(tables: NamingTables, named: str, pointer: str) -> Player:
    """A player by id or name, in whatever case where that is enough."""
    if _ID.fullmatch(named) is not None:
        one = tables.player(UUID(named))
        if one is None or one.deleted:
            raise _unknown(named, pointer)
        return one
    called = tables.players_called(names.folded(named), exact=True, after=None, limit=_NAMESAKES)
    called = [one for one in called if one.name == names.composed(named)] or called
    if not called:
        raise _unknown(named, pointer)
    if len(called) > 1:
        detail = say("Several players are called '{name}': say which by their ids.", name=named)
        raise AmbiguousName(detail, name=named, players=[str(one.id) for one in called])
    return called[0]


def _unknown(named: str, pointer: str) -> InvalidField:
    return InvalidField(pointer, say("There is no player '{ident}'.", ident=named))


def one_of(tables: ChallengesTable, principal: Principal, ident: UUID, *, lock: bool = False) -> Challenge:
    """A challenge that concerns the caller; NotFound for others, and for those from whom it is kept."""
    found = tables.challenge(ident, principal.player, lock=lock)
    if found is None:
        raise NotFound("challenge", ident)
    return found


def withdraw(tables: ChallengeTables, principal: Principal, ident: UUID) -> None:
    """ChallengeOver if there is a game of it. One that has ended otherwise stays as it is. In a transaction."""
    found = _held(tables, principal, ident)
    if found.challenger != principal.player:
        raise NotYours(say("Only who made the challenge withdraws it."))
    if found.status == "pending":
        tables.end_challenge(ident, "withdrawn")
        tables.touch_challenges([ident])
    elif found.status == "accepted":
        raise _over(found)


def accept(tables: AnswerTables, principal: Principal, ident: UUID) -> Challenge:
    """The last one who accepts makes the game. Again is the same. In a transaction."""
    return _answer(tables, principal, ident, "accepted", None)


def decline(tables: AnswerTables, principal: Principal, ident: UUID, reason: Reason | None) -> Challenge:
    """Which ends it, also after one has accepted. Again is the same. In a transaction."""
    return _answer(tables, principal, ident, "declined", reason)


def _answer(
    tables: AnswerTables,
    principal: Principal,
    ident: UUID,
    answer: Literal["accepted", "declined"],
    reason: Reason | None,
) -> Challenge:
    found = _held(tables, principal, ident)
    if _mine(found, principal) == answer:
        return found
    _need_pending(tables, found)
    tables.answer_challenge(ident, principal.player, answer, reason)
    if answer == "declined":
        tables.end_challenge(ident, "declined")
    else:
        _make_if_all_accept(tables, one_of(tables, principal, ident))
    tables.touch_challenges([ident])
    return one_of(tables, principal, ident)


def take_back(tables: ChallengeTables, principal: Principal, ident: UUID) -> None:
    """Let an acceptance be none, while others have not accepted yet. In a transaction."""
    found = _held(tables, principal, ident)
    if _mine(found, principal) is not None:
        _need_pending(tables, found)
        tables.answer_challenge(ident, principal.player, None, None)
        tables.touch_challenges([ident])


def leave(tables: ChallengeTables, player: UUID) -> None:
    """Withdraw what a player who goes away has asked, decline what they were asked, and end their agreements to
    rematches. In a transaction."""
    asked, was_asked = tables.pending_of(player)
    for ident in asked:
        tables.end_challenge(ident, "withdrawn")
    for ident in was_asked:
        tables.answer_challenge(ident, player, "declined", None)
        tables.end_challenge(ident, "declined")
    again = tables.disagree_with(player)
    tables.touch_challenges([*asked, *was_asked], map(ident_of, again))


def part(tables: ChallengeTables, player: UUID, other: UUID) -> None:
    """The player blocks the other from now on: what they asked the other is withdrawn, and what the other asked them is
    kept from them. Their acceptances and their
    agreements to rematches are taken back, as anybody may. In a transaction that holds the player."""
    withdrawn, kept = tables.pending_between(player, other)
    for ident in withdrawn:
        tables.end_challenge(ident, "withdrawn")
    taken_back = tables.keep_from(player, kept)
    again = tables.disagree_with(player, other)
    tables.touch_challenges([*withdrawn, *taken_back], [player, *map(ident_of, again)])


def expire(tables: ChallengesTable) -> bool:
    """End challenges whose time is over; whether there may be more. In a transaction."""
    ended = tables.expire_challenges(_AT_ONCE)
    tables.touch_challenges(ended)
    return len(ended) == _AT_ONCE


def _held(tables: ChallengesTable, principal: Principal, ident: UUID) -> Challenge:
    need(principal, "play")
    need_free(principal)
    return one_of(tables, principal, ident, lock=True)


def _mine(challenge: Challenge, principal: Principal) -> Literal["accepted", "declined"] | None:
    mine = [one for one in challenge.players if one.player == principal.player]
    if not mine:
        raise NotYours(say("Those answer who are challenged; you may withdraw it."))
    return mine[0].answer


def _need_pending(tables: Clock, challenge: Challenge) -> None:
    if challenge.status != "pending":
        raise _over(challenge)
    if challenge.expires_at <= tables.now():
        raise _over(challenge, "expired")


_OVER = {
    "accepted": say("Everybody has accepted this challenge: there is a game of it."),
    "declined": say("This challenge was declined."),
    "withdrawn": say("This challenge was withdrawn."),
    "expired": say("The time of this challenge is over."),
}


def _over(challenge: Challenge, status: ChallengeStatus | None = None) -> ChallengeOver:
    status = status or challenge.status
    game = None if challenge.game is None else str(challenge.game)
    return ChallengeOver(_OVER[status], challenge_status=status, game=game)


def _make_if_all_accept(tables: AnswerTables, challenge: Challenge) -> None:
    if any(one.answer != "accepted" for one in challenge.players):
        return
    others: list[UUID | str] = [one.bot or one.player for one in challenge.players]
    if challenge.seat is None:
        seated = [challenge.challenger, *others]
        secrets.SystemRandom().shuffle(seated)
    else:
        seated = [*others[: challenge.seat], challenge.challenger, *others[challenge.seat :]]
    try:
        game = made(tables, challenge.terms, seated, creator=challenge.challenger)
    except (InvalidField, InvalidOptionRefusal) as fault:
        detail = say("Games are not played on these terms any more: decline the challenge, or let it end.")
        raise ChallengeOver(detail, challenge_status="pending", game=None) from fault
    tables.end_challenge(challenge.id, "accepted", game)
