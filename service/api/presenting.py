"""From the application's records to what the envelopes show."""

from __future__ import annotations

from typing import Any

from service.app.position import teams_of
from service.app.values import Game, Player, Principal, SeatHolder


def game_answer(game: Game) -> dict[str, Any]:
    """A game with a line for every seat, free ones too; entropy only once it can no longer be answered to."""
    holders = {holder.seat: holder for holder in game.holders}
    answer = {name: getattr(game, name) for name in Game.__struct_fields__ if name not in _WITHHELD}
    if game.practice:
        answer["commitment"] = None
    answer["teams"] = teams_of(game)
    answer["seats"] = [seat_answer(seat, holders.get(seat), game.status) for seat in range(game.seat_count)]
    return answer


_WITHHELD = frozenset({"holders", "seat_count"})


def seat_answer(seat: int, holder: SeatHolder | None, status: str) -> dict[str, Any]:
    if holder is None:
        nothing = dict.fromkeys(("player", "name", "taken_at", "resigned_at", "entropy", "bot", "absent_since"))
        return {"seat": seat, **nothing}
    return {
        "seat": seat,
        "player": holder.player,
        "name": holder.name,
        "taken_at": holder.taken_at,
        "resigned_at": holder.resigned_at,
        "entropy": None if status == "open" else holder.entropy,
        "bot": holder.bot,
        "absent_since": holder.absent_since,
    }


def me_answer(player: Player, principal: Principal) -> dict[str, Any]:
    return {
        "player": player,
        "token": {
            "id": principal.token,
            "scopes": principal.scopes,
            "game": principal.game,
            "seat": principal.seat,
        },
    }
