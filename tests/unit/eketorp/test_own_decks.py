"""E1.5, E3.1: decks of one's own, whose cards may be written in any order and at any length."""

from __future__ import annotations

import random

import pytest

from holmgang.checking.walks import walk
from holmgang.engine.errors import InvalidOption
from holmgang.engine.turn import Await
from holmgang.games.eketorp.rules.board import MATERIAL_CARDS
from holmgang.games.eketorp.rules.rules import Eketorp
from tests.unit.marks import rule

from .table import dealt

WANTING = "G g9, E g9, D g9, C g9, B g9, F w1, F c1, A g7"
"""All the grass there is, as its owner wrote it down."""


@rule("E3.1-fields-are-served-in-order-however-a-card-is-written")
def test_order_of_serving() -> None:
    cards = ["G c9, F c2", "F c9, A c3", *MATERIAL_CARDS[2:]]
    table = dealt(3, options={"material_cards": cards})
    assert table.supply("clay") == 1
    table.march({})
    table.chance(0)
    assert (table.field("A"), table.field("F")) == ("c", "cc")
    (told,) = table.told("material_revealed")[1:]
    assert (told["stones"], told["short"]) == ({"A": {"clay": 1}}, {"clay": 11})


@rule("E1.5-a-card-has-one-spelling")
def test_spelling() -> None:
    rules = Eketorp()
    config = rules.configure(3, {"material_cards": [WANTING, *MATERIAL_CARDS[1:]]})
    spelled = rules.options(config)["material_cards"]
    assert spelled[0] == "A g7, B g9, C g9, D g9, E g9, F w1, F c1, G g9"
    assert rules.configure(3, {"material_cards": spelled}) == config


@rule("E1.5-a-card-is-read-whole-or-not-at-all")
def test_long_cards() -> None:
    card = "A g2" + " " * 500 + ", B w2"
    with pytest.raises(InvalidOption) as refusal:
        Eketorp().configure(3, {"material_cards": [*MATERIAL_CARDS[:11], card]})
    assert (refusal.value.rule, refusal.value.pointer) == ("E1.5", "/material_cards/11")


@rule("E1.5-a-game-that-was-taken-with-three-kinds-on-a-field-goes-on")
def test_cards_of_earlier_games() -> None:
    rules, rng = Eketorp(), random.Random(3)
    options = {"material_cards": ["A g2, A w2, A c2, B g2, B w2, B c2"] * 12}
    with pytest.raises(InvalidOption, match="field A gets more than 2 kinds of stone"):
        rules.configure(3, options)
    config = rules.configure(3, options, new=False)
    game = walk(rules, config, rng)
    assert rules.configure(3, rules.options(config), new=False) == config
    assert any(isinstance(moment.turn, Await) and moment.turn.kind == "spoils" for moment in game.decisions())
