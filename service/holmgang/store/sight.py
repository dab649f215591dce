"""Who may see what is private: the one rule of games, and the one of tournaments.

A private game is shown to who sits in it, who created it, who shows an invitation to it, and whoever may see the
tournament that it belongs to. Spectators' sight of it is for `app.access` to limit.
"""

from __future__ import annotations

from psycopg.sql import SQL, Composable

from .invitations import live


def in_tournament(who: SQL | Composable, *, of: SQL) -> Composable:
    """Whether a player has entered tournament `of`."""
    return SQL(
        "EXISTS (SELECT FROM tournament_entries e WHERE e.tournament_id = {of}.id AND e.player_id = {who})"
    ).format(of=of, who=who)


def tournament_seen(viewer: SQL | Composable, *, invitation: SQL, of: SQL) -> Composable:
    """Whether `viewer` may see tournament `of`, or anybody by the `invitation`."""
    return SQL("""
        ({of}.visibility = 'public' OR {of}.creator = {viewer} OR {of}.invitation = {invitation} OR {viewer_in})
    """).format(of=of, viewer=viewer, invitation=invitation, viewer_in=in_tournament(viewer, of=of))


def seen_anyway(player: SQL, *, whole: SQL) -> Composable:
    """Whether `player`, who holds seat `s` in game `g`, may see it without an invitation or a tournament.
    `whole`: whether what they call with speaks for all that they are in this game."""
    return SQL("""
        (g.visibility = 'public' OR ({whole} AND (g.creator = {player} OR s.seat IS NOT NULL)))
    """).format(whole=whole, player=player)


def seen_by_invitation(player: SQL, *, game: SQL, invitation: SQL, whole: SQL) -> Composable:
    """The same, or whether anybody may by the `invitation` to `game`."""
    return SQL("""
        (
            {anyway}
            OR EXISTS (
                SELECT FROM invitations i
                WHERE i.game_id = {game} AND i.digest = {invitation} AND {live}
            )
        )
    """).format(anyway=seen_anyway(player, whole=whole), game=game, invitation=invitation, live=live(game))


def seen(player: SQL, *, game: SQL, invitation: SQL, whole: SQL) -> Composable:
    """All of the rule: the same, or whether its tournament is seen. Where games are distributed, tournaments are not
    beside them, and the coordinator is asked about those (`SEEN_BY_TOURNAMENT`)."""
    viewer = SQL("CASE WHEN {whole} THEN {player} END").format(whole=whole, player=player)
    return SQL("""
        (
            {by_invitation}
            OR EXISTS (
                SELECT FROM tournaments its
                WHERE its.id = g.tournament AND {tournament_seen}
            )
        )
    """).format(
        by_invitation=seen_by_invitation(player, game=game, invitation=invitation, whole=whole),
        tournament_seen=tournament_seen(viewer, invitation=invitation, of=SQL("its")),
    )
