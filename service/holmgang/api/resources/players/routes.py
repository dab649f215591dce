"""Players: /v1/players."""

from typing import Any
from uuid import UUID

from holmgang.api.operation.answers import address
from holmgang.api.operation.declaration import Resources, operation
from holmgang.api.operation.gate import Access, Call
from holmgang.api.operation.terms import Keyed, described, links
from holmgang.api.resources.players.schemas import NewPlayer, PlayerAnswer, Registration
from holmgang.app.accounts.players import player as player_by_id
from holmgang.app.accounts.players import register

from . import examples

players = Resources("players", __name__, "Accounts: a name, and tokens to act with.", player="The player's id.")


@operation(
    players, "POST /players", Access.PUBLIC, Registration, body=NewPlayer, keyed=Keyed.REFUSED, budget="registrations"
)
@described(examples.REGISTER_PLAYER, links(player="/player/id"), problems="invalid_field")
def register_player(call: Call, body: NewPlayer) -> Any:
    """Register a player

    Returns the player and a first token with all scopes. Store the token: it is shown only now. This takes no
    Idempotency-Key.
    """
    player, token, secret = register(call.tables, body.name)
    made = Registration(player=PlayerAnswer.of(player, {}), token=secret, token_id=token.id)
    return made, {"Location": address(f"/v1/players/{player.id}"), "Cache-Control": "no-store"}


@operation(players, "GET /players/<uuid:player>", Access.PUBLIC, PlayerAnswer)
@described(examples.get_player)
def get_player(call: Call, player: UUID) -> Any:
    """Read a player and their ratings

    A player has a rating in each game of which they have finished a rated one.
    """
    return PlayerAnswer.of(player_by_id(call.tables, player), call.tables.ratings_of(player))
