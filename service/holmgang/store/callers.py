"""Many callers and their games at once, where games are distributed.

Each node is asked once, for its own games: one that is away takes nobody else's answer. Who looks every two seconds
whether anything has changed has nodes asked only about games that have been written since, by the agenda: it is told of
what is committed before anybody is answered, or a second later by a worker.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from uuid import UUID

import psycopg
from msgspec import Struct
from msgspec.structs import replace
from psycopg.sql import SQL

from holmgang.app.records.contexts import UNREAD, GameCaller, Unread
from holmgang.app.records.players import Principal, TokenFault

from .access import Access, caller_columns
from .accounts import PRINCIPAL, token_fault
from .nodes import is_away
from .rows import Query
from .sight import seen_anyway


class _Known(Struct):
    """What the coordinator knows of a caller and their game: how often it has been written, where it is not over, and
    on which node it lies; None where that is as often as before."""

    fault: TokenFault | None
    principal: Principal | None
    writes: int | None
    node: int | None


class _Numbered(Struct):
    """`number` counts from 1 in what was asked of a node."""

    number: int
    fault: TokenFault | None
    caller: GameCaller


_KNOWN = Query(
    _Known,
    SQL("""
        SELECT
            {fault} AS fault, {principal}, a.writes,
            CASE
                WHEN a.writes IS DISTINCT FROM asked.writes THEN (
                    SELECT groupid
                    FROM pg_dist_placement
                    WHERE shardid = get_shard_id_for_distribution_column('games', asked.game)
                )
            END AS node
        FROM
            unnest(%(digests)s::bytea[], %(games)s::uuid[], %(writes)s::bigint[])
            WITH ORDINALITY AS asked (digest, game, writes, number)
        LEFT JOIN tokens t ON t.digest = asked.digest
        LEFT JOIN agenda a ON a.id = asked.game AND a.status <> 'over'
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


REMEMBERED_SECONDS = 10.0
"""How long at least is remembered what somebody found who does not look again."""
_NEVER = -1


class _Lately(Struct, frozen=True):
    writes: int
    caller: GameCaller


class Lately:
    """What one process has found of its callers' games, and how often those had been written before it looked."""

    def __init__(self) -> None:
        self._found: dict[_Asked, _Lately] = {}
        self._older: dict[_Asked, _Lately] = {}
        self._since = time.monotonic()

    def get(self, asked: _Asked) -> _Lately | None:
        found = self._found.get(asked) or self._older.get(asked)
        if found is not None:
            self._found[asked] = found
        return found

    def put(self, asked: _Asked, writes: int, caller: GameCaller) -> None:
        if time.monotonic() - self._since > REMEMBERED_SECONDS:
            self._older, self._found, self._since = self._found, {}, time.monotonic()
        self._found[asked] = _Lately(writes, caller)


class DistributedCallers(Access):
    _lately: Lately

    def callers(self, asked: Sequence[_Asked], *, again: bool = False) -> Sequence[_Told]:
        digests, games, _ = zip(*asked, strict=True)
        lately = [self._lately.get(one) if again else None for one in asked]
        writes = [_NEVER if one is None else one.writes for one in lately]
        known = self.all(_KNOWN, digests=list(digests), games=list(games), writes=writes)
        told: list[_Told] = [one.fault for one in known]
        on: dict[int, list[int]] = {}
        for number, (one, before) in enumerate(zip(known, lately, strict=True)):
            if one.fault is not None:
                continue
            if one.node is not None:
                on.setdefault(one.node, []).append(number)
            elif before is not None:
                told[number] = replace(before.caller, principal=one.principal)
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
            told[number] = caller = replace(found.caller, principal=known[number].principal)
            if (writes := known[number].writes) is not None:
                self._lately.put(asked[number], writes, caller)
        for number in numbers:
            if told[number] is None:  # who sees a game by an invitation or its tournament alone
                told[number] = self.caller(*asked[number])
