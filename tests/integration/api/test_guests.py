"""A person's bot is given the same by `simulate` as over HTTP: the view and the legal actions, to the letter."""

from __future__ import annotations

from math import inf
from random import Random
from typing import Any

import msgspec
import pytest

from holmgang import Bot, TurnContext, any_action, registry
from holmgang.bots.guests import Guest

from .calling import Api


class Recorder(Bot):
    """Keeps what it is given."""

    def choose(self, view: Any, legal: Any, turn: TurnContext) -> Any:
        self.given = {"view": view, "legal": legal}
        self.turn = turn
        return any_action(legal)


@pytest.mark.parametrize("ruleset", registry.names())
def test_a_bot_is_given_what_the_api_gives(api: Api, ruleset: str) -> None:
    rules = registry.latest(ruleset)
    seats = min(rules.seat_counts)
    table = api.table(seats, ruleset=ruleset)
    bot = Recorder()
    guest = Guest("recorder", bot)
    listed = described = 0
    kinds = set()
    for _ in range(40):
        asked = api.get(table.path)["awaited"]
        for seat in asked:
            turn = api.get(f"{table.path}/turn?include=view", table.token(seat))
            view: Any = msgspec.convert(turn["view"], rules.view_type)
            action = guest.choose(rules, view, Random(seat))
            legal = turn["legal"]
            if "sample" in legal:  # drawn anew for each game
                assert rules.decode(turn["kind"], bot.given["legal"].pop("sample")) is not None
                del legal["sample"]
                described += 1
            else:
                listed += 1
            assert bot.given == {"view": turn["view"], "legal": legal}
            told = bot.turn
            assert (told.ruleset, told.seat, told.number, told.kind) == (ruleset, seat, turn["turn"], turn["kind"])
            assert (told.game, told.deadline, told.seconds_left()) == ("", None, inf)
            kinds.add(turn["kind"])
            table.submit(seat, {"turn": turn["turn"], "action": msgspec.to_builtins(action)}, status=201)
    assert listed
    assert described or ruleset == "drakkars", "its spaces are small with two"
    assert len(kinds) > 1
