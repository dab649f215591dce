"""Players whom the caller blocks: /v1/me/blocks."""

from operator import attrgetter
from typing import Any
from uuid import UUID

from flask import Response

from holmgang.api.operation.answers import PRIVATE, nothing, page_of
from holmgang.api.operation.declaration import operation
from holmgang.api.operation.gate import MANAGES, Call
from holmgang.api.operation.shapes import CursorQuery, Nothing, Page
from holmgang.api.operation.terms import described, links
from holmgang.api.resources.me.routes import me
from holmgang.app.meeting import blocks
from holmgang.app.records.players import Block

from . import examples


@operation(me, "PUT /me/blocks/<uuid:player>", MANAGES, Block, body=Nothing)
@described(examples.BLOCK_PLAYER, links("getBlock unblockPlayer", player="/player"), problems="yourself limit_reached")
def block_player(call: Call, body: Nothing, player: UUID) -> Any:
    """Block a player

    No game is made for the two of you by a seek or a challenge, whoever of you began. The other player is not told, and
    cannot find out: what they send you looks to them as if you did not answer. Games that both of you play go on, and
    both may take seats of the same open game. The body is an empty object.
    """
    return blocks.block(call.tables, call.me, player), PRIVATE


@operation(me, "GET /me/blocks", MANAGES, Page[Block], query=CursorQuery)
@described(examples.LIST_BLOCKS)
def list_blocks(call: Call, query: CursorQuery) -> Any:
    """List the players whom you block, by their ids"""
    found = blocks.all_of(call.tables, call.me, query.cursor, query.limit + 1)
    return page_of(found, query.limit, cursor=attrgetter("player"), headers=PRIVATE)


@operation(me, "GET /me/blocks/<uuid:player>", MANAGES, Block)
@described(examples.GET_BLOCK)
def get_block(call: Call, player: UUID) -> Any:
    """Read whether you block a player"""
    return blocks.one(call.tables, call.me, player), PRIVATE


@operation(me, "DELETE /me/blocks/<uuid:player>", MANAGES)
@described(examples.UNBLOCK_PLAYER)
def unblock_player(call: Call, player: UUID) -> Response:
    """Unblock a player"""
    blocks.unblock(call.tables, call.me, player)
    return nothing()
