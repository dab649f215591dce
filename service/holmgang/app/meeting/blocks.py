"""Blocks: a player wants nothing to do with another. Neither finds the other for a game, and only who blocks knows."""

from __future__ import annotations

from uuid import UUID

from holmgang.app.accounts.players import there
from holmgang.app.accounts.tokens import hold, need, need_free
from holmgang.app.errors import LimitReached, NotFound, Yourself
from holmgang.app.ports import BlocksTable
from holmgang.app.records.players import Block, Principal
from holmgang.engine.messages import say

from .challenges import ChallengeTables, part

MOST = 1000
"""Players whom one blocks."""


def block(tables: ChallengeTables, principal: Principal, other: UUID) -> Block:
    """Block a player, from now on and until it is taken back. In a transaction."""
    need(principal, "manage")
    need_free(principal)
    if other == principal.player:
        raise Yourself(say("You cannot block yourself."))
    there(tables, other)
    hold(tables, principal)
    if (found := tables.block(principal.player, other)) is None:
        if tables.count_blocks(principal.player) >= MOST:
            detail = say("You block {most} players, and no more are kept: unblock some.", most=MOST)
            raise LimitReached("blocks", MOST, detail)
        tables.add_block(principal.player, other)
        part(tables, principal.player, other)
        found = one(tables, principal, other)
    return found


def one(tables: BlocksTable, principal: Principal, other: UUID) -> Block:
    need(principal, "manage")
    need_free(principal)
    found = tables.block(principal.player, other)
    if found is None:
        raise NotFound("block", other)
    return found


def all_of(tables: BlocksTable, principal: Principal, after: UUID | None, limit: int) -> list[Block]:
    """By the ids of those who are blocked."""
    need(principal, "manage")
    need_free(principal)
    return tables.blocks(principal.player, after, limit)


def unblock(tables: BlocksTable, principal: Principal, other: UUID) -> None:
    need(principal, "manage")
    need_free(principal)
    if not tables.remove_block(principal.player, other):
        raise NotFound("block", other)
