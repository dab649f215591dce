"""Players: registered under names that cannot be taken for others', found by them, and renamed now and then."""

from __future__ import annotations

import hashlib
from typing import Protocol
from uuid import UUID

from uuid_utils.compat import uuid7

from holmgang.app.errors import InvalidField, LimitReached, NotFound
from holmgang.app.ports import NAMES, PlayersTable, PresenceTable, ProfilesTable, RevisionsTable, TokensTable
from holmgang.app.records.players import SCOPES, Kind, Player, Principal, Token
from holmgang.engine.messages import say

from .names import folded, skeleton
from .tokens import hold, issue, need, need_free

SHOWN_DAYS = 365
"""For so long a former name is shown, and that of a deleted account is nobody's."""
_AT_ONCE = 1000


class RegistrationTables(PlayersTable, TokensTable, Protocol): ...


class ChangeTables(PlayersTable, PresenceTable, ProfilesTable, RevisionsTable, Protocol): ...


def look_of(name: str) -> bytes:
    """What equals that of each name which looks the same."""
    return hashlib.sha256(skeleton(name).encode()).digest()


def register(
    tables: RegistrationTables, name: str, kind: Kind = "person", owner: Principal | None = None
) -> tuple[Player, Token, str]:
    """A new player with a first token of all scopes, and that token's secret. In a transaction.

    Many may share a name, but no name may be taken for another that somebody has: who would, gets InvalidField. A bot
    that is registered with its `owner`'s token, which has the scope `manage`, is theirs.
    """
    if owner is not None and kind == "bot":
        need(owner, "manage")
        need_free(owner)
    _need_own_look(tables, name)
    player, whose = uuid7(), owner.player if owner is not None and kind == "bot" else None
    created_at = tables.add_player(player, name, folded(name), kind, whose)
    token, secret = issue(tables, player, "first token", SCOPES, None, None, None)
    return Player(player, name, created_at, kind, None, whose), token, secret


def _need_own_look(tables: PlayersTable, name: str) -> None:
    first = tables.first_lookalike(look_of(name), name)
    if first is None:
        raise InvalidField(
            "/name", say("This was the name of a player who has left, and nobody has it for a while: choose another.")
        )
    if first != name:
        detail = say(
            "Another player's name, '{name}', can be taken for this one: write yours just like it, or choose another.",
            name=first,
        )
        raise InvalidField("/name", detail)


def player(tables: PlayersTable, ident: UUID) -> Player:
    found = tables.player(ident)
    if found is None:
        raise NotFound("player", ident)
    return found


def there(tables: PlayersTable, ident: UUID) -> Player:
    """A player whose account has not been deleted."""
    found = player(tables, ident)
    if found.deleted:
        raise NotFound("player", ident)
    return found


def change(
    tables: ChangeTables,
    principal: Principal,
    *,
    name: str | None,
    kind: Kind | None,
    hides_presence: bool | None = None,
    rename_days: int,
) -> Player:
    """Rename the caller, as long as nobody is taken for another by it, and at most once in so many days; let them be a
    person or a bot, before their first game; or hide whether they are there. In a transaction."""
    need(principal, "manage")
    need_free(principal)
    hold(tables, principal)
    now = player(tables, principal.player)
    if name is not None and name != now.name:
        until = tables.renamed(principal.player, rename_days)
        if until is not None:
            detail = say("You have changed your name lately: you may again from {until} on.", until=until.isoformat())
            raise LimitReached("renames", 1, detail)
        _need_own_look(tables, name)
        tables.rename(principal.player, name, folded(name))
        tables.touch(NAMES)
    if kind is not None and kind != now.kind:
        if tables.has_sat(principal.player):
            raise InvalidField("/kind", say("Others have met you as what you are: this is said before the first game."))
        tables.set_kind(principal.player, kind)
    if hides_presence is not None:
        tables.hide_presence(principal.player, hides_presence)
    return player(tables, principal.player)


def fold_names(tables: ProfilesTable) -> bool:
    """Let players be found by name whom a release registered that did not know of that; whether there may be more. In a
    transaction."""
    found = tables.unfolded(_AT_ONCE)
    tables.fold({ident: folded(name) for ident, name in found})
    return len(found) == _AT_ONCE
