"""Pieces of functions of the database: how seats are asked for a choice, and who is told of it."""

from __future__ import annotations

from collections.abc import Callable

from psycopg.sql import SQL, Composable

from holmgang.app.records.absence import BOT, DEFAULT

from .deliveries import deliver

STAND_IN = SQL("CASE WHEN starts_with(g.absence, {bot}) THEN substr(g.absence, {after}) ELSE {default} END").format(
    bot=BOT, after=len(BOT) + 1, default=DEFAULT
)
"""Who plays for the absent: a bot, or the rules' default."""


def tell_beside(kind: str, seat: SQL, of: SQL, player: SQL, where: SQL) -> Composable:
    """Have webhooks of the players in a game told."""
    insert = deliver(kind, at=SQL("now"), game=SQL("_game"), ruleset=SQL("g.ruleset"), seat=seat, turn=SQL("_turn"))
    return SQL("""
        {insert} FROM {of} JOIN webhooks w ON w.player_id = {player} AND w.active AND {kind} = ANY(w.events)
        WHERE {where};
    """).format(insert=insert, of=of, player=player, kind=kind, where=where)


def tell_apart(kind: str, seat: SQL, of: SQL, player: SQL, where: SQL) -> Composable:
    """Leave a note beside the game, by which the worker has them told: webhooks are on another node."""
    return SQL("""
        INSERT INTO news (game_id, id, kind, at, ruleset, seat, player_id, turn)
        SELECT _game, gen_random_uuid(), {kind}, now, g.ruleset, {seat}, {player}, _turn FROM {of} WHERE {where};
    """).format(kind=kind, seat=seat, player=player, of=of, where=where)


Tell = Callable[[str, SQL, SQL, SQL, SQL], Composable]


def ask(tell: Tell) -> Composable:
    return SQL("""
        INSERT INTO awaited (game_id, seat, player_id, turn, kind, since, played_by)
        SELECT
            s.game_id, s.seat, s.player_id, _turn, _kind, now,
            coalesce(s.bot, CASE WHEN s.absent_since IS NOT NULL OR s.seat = ANY(_absent) THEN stand_in END)
        FROM seats s
        WHERE s.game_id = _game AND s.seat = ANY(_asked)
        ON CONFLICT (game_id, seat) DO UPDATE
        SET
            turn = excluded.turn,
            kind = excluded.kind,
            since = excluded.since,
            played_by = excluded.played_by,
            claimed_until = NULL
        WHERE awaited.turn <> excluded.turn;
        {told}
    """).format(
        told=tell(
            "turn.waiting",
            SQL("a.seat"),
            SQL("awaited a"),
            SQL("a.player_id"),
            SQL("a.game_id = _game AND a.seat = ANY(_asked) AND a.since = now AND a.played_by IS NULL"),
        )
    )


def starting(asked: SQL) -> Composable:
    """Seats whose clocks start once they are asked: those of persons who are there."""
    return SQL("""
        starting := coalesce(
            (
                SELECT array_agg(s.seat)
                FROM seats s
                WHERE s.game_id = _game AND s.seat = ANY({asked}) AND s.bot IS NULL
                    AND s.absent_since IS NULL AND s.seat <> ALL(_absent)
            ),
            '{{}}'
        );
    """).format(asked=asked)
