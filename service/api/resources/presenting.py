"""From the application's records to what the envelopes show."""

from __future__ import annotations

from typing import Any

from service.app.errors import RulesetUnavailable
from service.app.games.ratings import shown
from service.app.play.position import teams_of
from service.app.records.games import Game, SeatHolder
from service.app.records.players import Player, Principal
from service.app.records.ratings import Belief, Rating, Standing


def game_answer(game: Game) -> dict[str, Any]:
    """A game with a line for every seat, free ones too; entropy only once it can no longer be answered to."""
    holders = {holder.seat: holder for holder in game.holders}
    answer = {name: getattr(game, name) for name in Game.__struct_fields__ if name not in _WITHHELD}
    if game.practice:
        answer["commitment"] = None
    answer["teams"] = _teams(game)
    if game.rating_changes is not None:
        answer["rating_changes"] = [
            {
                "seat": change.seat,
                "player": change.player,
                "rank": change.rank,
                "before": belief_answer(change.before),
                "after": belief_answer(change.after),
            }
            for change in game.rating_changes
        ]
    answer["seats"] = [
        seat_answer(seat, holders.get(seat), game.started_at is not None) for seat in range(game.seat_count)
    ]
    return answer


def _teams(game: Game) -> tuple[tuple[int, ...], ...]:
    """A game is listed though nobody here knows its rules, and so nobody's partners: each seat stands alone."""
    try:
        return teams_of(game)
    except RulesetUnavailable:
        return tuple((seat,) for seat in range(game.seat_count))


_WITHHELD = frozenset({"holders", "rated_at", "seat_count"})


def seat_answer(seat: int, holder: SeatHolder | None, started: bool) -> dict[str, Any]:
    if holder is None:
        nothing = dict.fromkeys(("player", "name", "taken_at", "resigned_at", "entropy", "bot", "absent_since"))
        return {"seat": seat, **nothing}
    return {
        "seat": seat,
        "player": holder.player,
        "name": holder.name,
        "taken_at": holder.taken_at,
        "resigned_at": holder.resigned_at,
        "entropy": holder.entropy if started else None,
        "bot": holder.bot,
        "absent_since": holder.absent_since,
    }


def me_answer(player: dict[str, Any], principal: Principal) -> dict[str, Any]:
    return {
        "player": player,
        "token": {
            "id": principal.token,
            "scopes": principal.scopes,
            "game": principal.game,
            "seat": principal.seat,
        },
    }


def belief_answer(belief: Belief) -> dict[str, Any]:
    return {"rating": shown(belief), "mu": belief.mu, "sigma": belief.sigma}


def rating_answer(rating: Rating) -> dict[str, Any]:
    return {**belief_answer(rating.belief), "games": rating.games, "wins": rating.wins}


def standing_answer(rank: int, standing: Standing) -> dict[str, Any]:
    player = {"id": standing.player, "name": standing.name, "bot": standing.bot}
    return {"rank": rank, "player": player, **rating_answer(standing.rating)}


def player_answer(player: Player, ratings: dict[str, Rating]) -> dict[str, Any]:
    return {
        "id": player.id,
        "name": player.name,
        "created_at": player.created_at,
        "ratings": {ruleset: rating_answer(rating) for ruleset, rating in ratings.items()},
    }
