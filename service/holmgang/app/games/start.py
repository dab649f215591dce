"""The start of a game: its setup with all its chance, up to the first turn."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol
from uuid import UUID

import msgspec

from holmgang.app.fairness.dice import Dice, first_head, game_terms, pack_entropy
from holmgang.app.play import steps
from holmgang.app.play.position import rules_of
from holmgang.app.ports import ChangesTable, SeatsTable
from holmgang.app.records.play import HouseEvent
from holmgang.engine.replay import settle
from holmgang.engine.rules import Step


class StartTables(ChangesTable, SeatsTable, Protocol): ...


def start(tables: StartTables, game: UUID, at: datetime) -> None:
    """The first log row: setup, with all its chance, up to the first turn. All of it is of the time at which the last
    seat was taken."""
    holders = tables.holders(game)
    row = tables.game_row(game, lock=True)
    assert row is not None, "its row is locked"
    rules = rules_of(row)
    config = rules.configure(row.seat_count, row.options, new=False)
    entropy = pack_entropy([h.entropy for h in holders])
    terms = game_terms(row.ruleset, row.ruleset_version, row.seat_count, row.options)
    head = first_head(game, terms, entropy)
    tables.begin(game, entropy, head)
    tables.notify_start(game, at)
    row = tables.game_row(game, lock=True)
    assert row is not None, "its row is locked"
    dice = Dice(row.seed, entropy, 0)
    played = settle(rules, Step(rules.initial(config), ()), dice.draw)
    change = steps.settled(
        rules, row, played, dice, preface=(steps.house_event(0, HouseEvent(type="game_started", seats=row.seat_count)),)
    )
    assert tables.write(msgspec.structs.replace(change, at=at)) is not None, "its row is locked"
