"""Rematches: a finished game is played again, on the same terms, once all its players agree to that.

Everybody moves on by as many seats as leave partners partners: with two they change places. Whoever agrees or does not
any more holds the rematch, so that there is one game of it. Agreements end after a while, as if they were taken back.

Who blocks another player of the game cannot agree to its rematch, and what they had agreed to is taken back: to others
it looks as if they did not answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar
from uuid import UUID, uuid5

from holmgang.app.access import game_by_id, need_visible
from holmgang.app.accounts.tokens import hold, need, need_free
from holmgang.app.errors import GameNotOver, InvalidField, InvalidOptionRefusal, NoRematch, NotFound, NotSeated
from holmgang.app.games.creation import CreationTables, made
from holmgang.app.play.position import teams_of
from holmgang.app.ports import AccessTable, BlocksTable, GamesTable, RematchesTable, RevisionsTable
from holmgang.app.records.games import Game
from holmgang.app.records.players import Principal
from holmgang.app.records.rematches import Agreement, Rematch
from holmgang.app.records.terms import Terms
from holmgang.engine.messages import say
from holmgang.engine.teams import Side

T = TypeVar("T")

AGREED_SECONDS = 24 * 60 * 60
"""How long who has agreed waits for the others."""
_AT_ONCE = 50


class LookingTables(RematchesTable, AccessTable, GamesTable, BlocksTable, Protocol): ...


class RematchTables(RematchesTable, BlocksTable, RevisionsTable, CreationTables, Protocol): ...


def ident_of(game: UUID) -> UUID:
    """What the revisions of a game's rematch are counted by: the game's own id tells of the game."""
    return uuid5(game, "rematch")


def own(tables: LookingTables | RematchTables, principal: Principal, ident: UUID) -> Game:
    """A finished game in which the caller has a seat; refused otherwise."""
    need_visible(tables, principal.player, ident)
    game = game_by_id(tables, ident)
    if all(holder.player != principal.player for holder in game.holders):
        raise NotSeated(say("Only players of the game play it again."))
    if game.status != "over":
        raise GameNotOver(say("The game is not over."))
    return game


def look(tables: LookingTables, principal: Principal, ident: UUID) -> Rematch:
    """Who has agreed, but for those whom the caller blocks."""
    game = own(tables, principal, ident)
    blocked = {other for who, other in tables.blocking(_people(game)) if who == principal.player}
    following, agreements = tables.rematch(ident)
    return _rematch(game, following, [one for one in agreements if one.player not in blocked])


def agree(
    tables: RematchTables,
    principal: Principal,
    ident: UUID,
    seconds: int = AGREED_SECONDS,
    need_room: Callable[[], None] = lambda: None,
) -> Rematch:
    """The last one who agrees makes the game. Again is the same. `need_room` refuses who may make no game. In a
    transaction."""
    need(principal, "play")
    need_free(principal)
    game = own(tables, principal, ident)
    people = _people(game)
    if game.practice:
        raise NoRematch(say("Practice games have no rematch: create another."))
    hold(tables, principal)  # so that they block nobody meanwhile
    if any(who == principal.player for who, _ in tables.blocking(people)):
        raise NoRematch(say("You block a player of this game."))
    following = tables.hold_rematch(ident, [holder.player for holder in game.holders])
    if following is None:
        need_room()
        tables.agree(ident, principal.player, seconds)
        now = tables.now()
        _, agreements = tables.rematch(ident)
        if people <= {one.player for one in agreements if one.expires_at > now}:
            tables.set_rematch(ident, _again(tables, game, principal.player))
        tables.touch(ident_of(ident))
    return _rematch(game, *tables.rematch(ident))


def take_back(tables: RematchTables, principal: Principal, ident: UUID) -> None:
    """Agree no more. NoRematch once there is a game. In a transaction."""
    need(principal, "play")
    need_free(principal)
    game = own(tables, principal, ident)
    following, agreements = tables.rematch(ident)
    if following is None and not agreements:
        return
    following = tables.hold_rematch(ident, [holder.player for holder in game.holders])
    if following is not None:
        raise NoRematch(say("All have agreed: there is a game already."), next=str(following))
    if tables.disagree(ident, principal.player):
        tables.touch(ident_of(ident))


def expire(tables: RematchTables) -> bool:
    """End agreements whose time is over; whether there may be more. In a transaction."""
    ended = tables.expire_agreements(_AT_ONCE)
    for each in sorted({ident_of(game) for game in ended}):
        tables.touch(each)
    return len(ended) == _AT_ONCE


def moved_on(players: Sequence[T], sides: Iterable[Side]) -> list[T]:
    """The players by their new seats: everybody moves on by the same number, the smallest after which all who were
    partners are partners again; by one where no number would do."""
    seats, partners = len(players), {frozenset(side) for side in sides}
    steps = next(
        (
            steps
            for steps in range(1, seats)
            if {frozenset((seat + steps) % seats for seat in side) for side in partners} == partners
        ),
        1,
    )
    return [players[(seat - steps) % seats] for seat in range(seats)]


def _people(game: Game) -> set[UUID]:
    return {holder.player for holder in game.holders if holder.bot is None}


def _again(tables: CreationTables, game: Game, creator: UUID) -> UUID:
    seated: list[UUID | str] = [holder.bot or holder.player for holder in game.holders]
    terms = Terms(**{name: getattr(game, name) for name in Terms.__struct_fields__})
    try:
        return made(tables, terms, moved_on(seated, teams_of(game)), creator=creator)
    except (InvalidField, InvalidOptionRefusal, NotFound) as fault:
        raise NoRematch(say("Games are not played on these terms any more, or a player has left.")) from fault


def _rematch(game: Game, following: UUID | None, agreements: Sequence[Agreement]) -> Rematch:
    agreeing = {one.player for one in agreements}
    agreed = [h.seat for h in game.holders if following is not None or h.bot is not None or h.player in agreeing]
    return Rematch(
        game=game.id,
        agreed=agreed,
        missing=[holder.seat for holder in game.holders if holder.seat not in agreed],
        expires_at=min((one.expires_at for one in agreements), default=None),
        next=following,
    )
