"""Many callers and their games at once, where games are distributed.

Each node is asked once, for its own games: one that is away takes nobody else's answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import psycopg
from msgspec import Struct
from msgspec.structs import replace
from psycopg.sql import SQL

from holmgang.app.records.contexts import UNREAD, GameCaller, Unread
from holmgang.app.records.players import Principal, TokenFault

from .access import Access, caller_columns, seen_anyway
from .accounts import PRINCIPAL, token_fault
from .nodes import is_away
from .rows import Query


class _Known(Struct):
    """What the coordinator knows of a caller, and on which node their game lies."""

    fault: TokenFault | None
    principal: Principal | None
    node: int


class _Numbered(Struct):
    """`number` counts from 1 in what was asked of a node."""

    number: int
    fault: TokenFault | None
    caller: GameCaller


_KNOWN = Query(
    _Known,
    SQL("""
        SELECT {fault} AS fault, {principal}, p.groupid AS node
        FROM unnest(%(digests)s::bytea[], %(games)s::uuid[]) WITH ORDINALITY AS asked (digest, game, number)
        JOIN pg_dist_placement p ON p.shardid = get_shard_id_for_distribution_column('games', asked.game)
        LEFT JOIN tokens t ON t.digest = asked.digest
        ORDER BY asked.number
    """).format(fault=token_fault(SQL("asked.digest")), principal=PRINCIPAL),
)
_ON_A_NODE = Query(
    _Numbered,
    SQL("""
        SELECT asked.number, {caller}
        FROM
            unnest(%(games)s::uuid[], %(players)s::uuid[], %(whole)s::boolean[])
            WITH ORDINALITY AS asked (game, player, whole, number)
        JOIN games g ON g.id = asked.game
        LEFT JOIN seats s ON s.game_id = g.id AND s.player_id = asked.player
        WHERE g.id = ANY(%(games)s) AND {seen}
    """).format(
        caller=caller_columns(
            SQL("NULL::text"),
            SQL("""
                NULL::uuid AS player, NULL::uuid AS token, NULL::text[] AS scopes,
                NULL::uuid AS principal_game, NULL::smallint AS principal_seat
            """),
        ),
        seen=seen_anyway(SQL("asked.player"), whole=SQL("asked.whole")),
    ),
)

_Asked = tuple[bytes | None, UUID, bytes | None]
_Told = GameCaller | TokenFault | Unread | None


class DistributedCallers(Access):
    def callers(self, asked: Sequence[_Asked]) -> Sequence[_Told]:
        digests, games, _ = zip(*asked, strict=True)
        known = self.all(_KNOWN, digests=list(digests), games=list(games))
        told: list[_Told] = [one.fault for one in known]
        on: dict[int, list[int]] = {}
        for number, one in enumerate(known):
            if one.fault is None:
                on.setdefault(one.node, []).append(number)
        for numbers in on.values():
            try:
                self._ask(asked, known, numbers, told)
            except psycopg.Error as fault:
                if self._connection.closed or not is_away(fault):
                    raise
                for number in numbers:
                    told[number] = UNREAD
        return told

    def _ask(self, asked: Sequence[_Asked], known: Sequence[_Known], numbers: list[int], told: list[_Told]) -> None:
        """Fill in what the node of these knows of them."""
        games = [asked[number][1] for number in numbers]
        principals = [known[number].principal for number in numbers]
        whole = [who is None or who.game in (None, game) for who, game in zip(principals, games, strict=True)]
        players = [who and who.player for who in principals]
        for found in self.all(_ON_A_NODE, games=games, players=players, whole=whole):
            number = numbers[found.number - 1]
            told[number] = replace(found.caller, principal=known[number].principal)
        for number in numbers:
            if told[number] is None and asked[number][2] is not None:  # who sees a game by an invitation alone
                told[number] = self.caller(*asked[number])
