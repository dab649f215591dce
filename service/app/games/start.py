"""The start of a game: its setup with all its chance, up to the first turn."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

import msgspec

from service.app.fairness.dice import Dice, first_head, game_terms, pack_entropy
from service.app.play import steps
from service.app.play.position import rules_of
from service.app.ports import Tables
from service.engine.replay import settle
from service.engine.rules import Step


def start(tables: Tables, game: UUID, at: datetime) -> None:
    """The first log row: setup, with all its chance, up to the first turn. All of it is of the time at which the last
    seat was taken."""
    holders = tables.holders(game)
    desk = tables.desk(game, lock=True)
    assert desk is not None, "its row is locked"
    rules = rules_of(desk)
    config = rules.configure(desk.seat_count, desk.options, new=False)
    entropy = pack_entropy([h.entropy for h in holders])
    terms = game_terms(desk.ruleset, desk.ruleset_version, desk.seat_count, desk.options)
    head = first_head(game, terms, entropy)
    tables.begin(game, entropy, head)
    tables.tell_start(game, at)
    desk = tables.desk(game, lock=True)
    assert desk is not None, "its row is locked"
    dice = Dice(desk.seed, entropy, 0)
    played = settle(rules, Step(rules.initial(config), ()), dice.draw)
    change = steps.settled(
        rules, desk, played, dice, preface=(steps.house_event(0, "game_started", seats=desk.seat_count),)
    )
    assert tables.write(msgspec.structs.replace(change, at=at)) is not None, "its row is locked"
