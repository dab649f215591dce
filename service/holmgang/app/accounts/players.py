"""Players: registered under names that cannot be taken for others'."""

from __future__ import annotations

import hashlib
from typing import Protocol
from uuid import UUID

from uuid_utils.compat import uuid7

from holmgang.app.errors import InvalidField, NotFound
from holmgang.app.ports import PlayersTable, TokensTable
from holmgang.app.records.players import SCOPES, Player, Token
from holmgang.engine.messages import say

from .names import skeleton
from .tokens import issue


class RegistrationTables(PlayersTable, TokensTable, Protocol): ...


def register(tables: RegistrationTables, name: str) -> tuple[Player, Token, str]:
    """A new player with a first token of all scopes, and that token's secret. In a transaction.

    Many may share a name, but no name may be taken for another that somebody has: who would, gets InvalidField.
    """
    first = tables.first_lookalike(hashlib.sha256(skeleton(name).encode()).digest(), name)
    if first != name:
        detail = say(
            "Another player's name, '{name}', can be taken for this one: write yours just like it, or choose another.",
            name=first,
        )
        raise InvalidField("/name", detail)
    player = uuid7()
    created_at = tables.add_player(player, name)
    token, secret = issue(tables, player, "first token", SCOPES, None, None, None)
    return Player(player, name, created_at), token, secret


def player(tables: PlayersTable, ident: UUID) -> Player:
    found = tables.player(ident)
    if found is None:
        raise NotFound("player", ident)
    return found
