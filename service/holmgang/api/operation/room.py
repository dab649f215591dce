"""Whether the caller may make one more game, by the limits of the service."""

from collections.abc import Callable
from functools import partial

from holmgang.app.games import creation

from .gate import Call
from .service import service


def need_room(call: Call) -> Callable[[], None]:
    """Refuses a caller who has created too many games; to be asked in the transaction, where it locks them."""
    settings = service().settings
    return partial(
        creation.need_room,
        call.tables,
        call.me.player,
        most=settings.games_per_player,
        most_empty=settings.empty_games_per_player,
        empty_days=settings.empty_games_days,
    )
