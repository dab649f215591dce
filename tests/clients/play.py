"""A whole game through the client that openapi-python-client makes of the API's document."""

import sys
from typing import Any

from generated_holmgang import AuthenticatedClient, Client
from generated_holmgang.api.games import create_game, get_game, get_turn, submit, take_seat
from generated_holmgang.api.players import register_player
from generated_holmgang.models import NewGame, NewPlayer, NewSeat, NewSeatBotType0, NewSubmission, Problem

url, ruleset = sys.argv[1:]


def answered(answer: Any) -> Any:
    if answer is None or isinstance(answer, Problem):
        raise SystemExit(f"refused: {answer}")
    return answer


token = answered(register_player.sync(client=Client(url), body=NewPlayer(name="Generated"))).token
with AuthenticatedClient(url, token) as client:
    game = answered(create_game.sync(client=client, body=NewGame(ruleset=ruleset, seats=2)))
    answered(take_seat.sync(game.id, client=client, body=NewSeat(bot=NewSeatBotType0.GREEDY)))
    choices = 0
    while answered(get_game.sync(game.id, client=client)).status == "active":
        turn = answered(get_turn.sync(game.id, client=client, wait=20))
        if turn.yours:
            action = turn.legal.actions[-1] if turn.legal.actions else turn.legal.sample
            answered(submit.sync(game.id, client=client, body=NewSubmission(turn=turn.turn, action=action)))
            choices += 1
    print(answered(get_game.sync(game.id, client=client)).result.reason, choices)
