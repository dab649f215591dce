"""D6 and D7: coming home, and the fog."""

from __future__ import annotations

from typing import Any

from tests.unit.marks import cases, rule

from .playing import Game


@rule("D6-a-ship-comes-home-and-draws-no-card")
def test_home() -> None:
    game = Game.at(ships={"a0": 33}, hands={0: [6, 1], 1: [1]}, cargo={0: ["gg"]}, decks={0: [2]}).sail("a0", 6)
    assert game.told("card_drawn") == []
    assert (game.kind, game.seat) == ("sail", 1)
    assert game.view(0).seats[0].coins == 6


@rule("D6.1-the-next-pier")
def test_pier() -> None:
    game = Game.at(ships={"a0": 33, "a1": "home", "a2": 9}, hands={0: [6], 1: [1]}, cargo={0: ["g", "ss", "c"]})
    game.sail("a0", 6)
    assert game.told("ship_came_home")[0]["pier"] == 2
    assert game.view(0).seats[0].piers == (1, 0)
    assert game.cargo(0) == ["g", "ss", "c"]
    assert game.view(0).seats[0].coins == 3 + 4


@rule("D6.1-safe-for-good")
def test_safe() -> None:
    """A ship that came home is no target and cannot be moved."""
    game = Game.at(ships={"a0": 3, "b0": "home"}, hands={0: [1, 2, 5, 6, 7, 10]}, cargo={1: ["gg"]})
    assert not game.kinds() & {"swap", "pair"}
    assert [m["ship"]["seat"] for m in game.moves("back")] == [0]


@cases(
    "start, action, bonus",
    {
        "D6.2-exact": (32, {"type": "sail", "ship": 0, "card": 4}, True),
        "D6.2-not-with-spare-steps": (33, {"type": "sail", "ship": 0, "card": 4}, False),
        "D6.2-odin-with-spare-steps": (33, {"type": "sail", "ship": 0, "card": 10, "steps": 9}, True),
        "D6.2-boost-exact": (29, {"type": "boost", "ship": 0, "card": 4}, True),
        "D6.2-boost-not-exact": (30, {"type": "boost", "ship": 0, "card": 4}, False),
        "D6.2-boost-with-odin": (33, {"type": "boost", "ship": 0, "card": 10, "steps": 4}, True),
    },
)
def test_bonus(start: int, action: dict[str, Any], bonus: bool) -> None:
    game = Game.at(ships={"a0": start}, hands={0: [3, 4, 10], 1: [1]})
    game.play(action.pop("type"), **action)
    assert game.told("ship_came_home")[0].get("bonus", False) == bonus
    assert (game.kind == "loot") == bonus


@rule("D6.2-the-barrel-stays-and-coins-may-pass-six")
def test_bonus_coins() -> None:
    game = Game.at(ships={"a0": 32}, hands={0: [4, 1], 1: [1]}, cargo={0: ["ssssss"]}, barrel=1)
    game.sail("a0", 4)
    assert game.context() == {
        "ship": 0,
        "cell": None,
        "rank": 1,
        "town": None,
        "barrel": 1,
        "kind": "bonus",
        "gives": "2 coins or 2 cards",
        "coins": 2,
        "cards": 2,
    }
    game.play("loot_coins").coin("gold", "copper")
    assert game.cargo(0)[0] == "gssssssc"
    assert game.state.barrel == 1
    assert [told["coin"] for told in game.told("coin_drawn")] == ["gold", "copper"]


@rule("D6.2-cards-as-a-bonus")
def test_bonus_cards() -> None:
    game = Game.at(ships={"a0": 32}, hands={0: [4, 1], 1: [1]}, central=[5, 6, 7], barrel=2).sail("a0", 4)
    game.play("loot_cards").draw(5, 7, 6)
    assert game.hand(0) == [1, 5, 6, 7]


@rule("D6.2-cards-of-choice-as-a-bonus")
def test_bonus_choice() -> None:
    game = Game.at(ships={"a0": 32}, hands={0: [4, 1], 1: [1]}, discard=[9], barrel=3).sail("a0", 4)
    assert game.told("cards_chosen")[0] == {
        "type": "cards_chosen", "seat": 0, "pile": "discard", "count": 2, "cards": [4, 9], "forced": True
    }  # fmt: skip


@rule("D6.2-an-empty-bag-leaves-the-cards")
def test_empty_bag() -> None:
    """All sixty coins lie in piles and cargoes."""
    game = Game.at(
        ships={"a0": 32, "a1": "home", "b0": "home", "b1": "home"},
        hands={0: [4, 1], 1: [1]},
        towns={5: "g" * 15, 6: "s" * 15, 7: "c" * 20},
        cargo={0: [""], 1: ["sssss", "sssss"]},
    ).sail("a0", 4)
    assert game.told("cards_looted")[0]["forced"]


@rule("D7-a-hidden-journey")
def test_journey() -> None:
    game = Game.at(ships={"a0": 3}, hands={0: [4, 9, 6, 2], 1: [1, 1]}, central=[7, 5, 5, 5, 5], decks={0: [8]})
    game.play("fog", ship=0).draw(7)
    assert (game.where("a0"), game.state.fog[0], game.state.fog_cards[0]) == ("hidden", 3, (7,))
    game.play("draw").draw(5, 5).play("fog_card", card=6)
    assert game.state.fog_cards[0] == (7, 6)
    game.play("draw").draw(5, 5).play("emerge", card=2)
    assert game.where("a0") == 3 + 7 + 6 + 2
    assert game.told("fog_lifted")[0] == {"type": "fog_lifted", "seat": 0, "ship": 0, "cell": 3, "cards": [7, 6]}
    assert game.draw(8).hand(0) == [8]


@rule("D7.1-the-card-is-its-owners-alone")
def test_hidden_card() -> None:
    game = Game.at(ships={"a0": 3}, hands={0: [4, 9, 6], 1: [1]}, central=[7, 5, 5]).play("fog", ship=0).draw(7)
    game.play("draw").draw(5, 5).play("fog_card", card=6)
    assert game.view(0).fog_cards == (7, 6)
    assert game.view(1).fog_cards == ()
    assert game.view(None).fog_cards is None
    for viewer in (None, 1):
        assert game.view(viewer).seats[0].fog.cards == 2
        assert "card" not in game.told("fog_card_drawn", viewer)[0]
        assert "card" not in game.told("fog_card_added", viewer)[0]
    assert game.told("fog_card_added", 0)[0]["card"] == 6


@rule("D7.1-out-of-the-fjord-too")
def test_fjord() -> None:
    """The fjord is empty then, and n steps from the token lead to cell f+n-1."""
    game = (
        Game.at(ships={"a0": "fjord"}, hands={0: [4, 9, 6, 2], 1: [1]}, central=[7, 5, 5]).play("fog", ship=0).draw(7)
    )
    assert game.view(None).seats[0].fog.cell is None
    game.play("draw").draw(5, 5)
    assert game.refusal("ready_ship") is None
    assert game.play("emerge", card=2).where("a0") == 8


@cases(
    "fog, action, cited",
    {
        "D7.1-add-one-card": ({0: (9, [1])}, ("fog_card", {"card": 4}), None),
        "D7.1-one-card-only": ({0: (9, [1, 2])}, ("fog_card", {"card": 4}), "D7.1"),
        "D7.1-of-the-hand": ({0: (9, [1])}, ("fog_card", {"card": 5}), "D7.1"),
        "D7.1-to-a-hidden-ship": ({}, ("fog_card", {"card": 4}), "D7.1"),
        "D7.2-with-a-card": ({0: (9, [1, 2])}, ("emerge", {"card": 4}), None),
        "D7.2-of-the-hand": ({0: (9, [1])}, ("emerge", {"card": 5}), "D7.2"),
        "D7.2-a-hidden-ship": ({}, ("emerge", {"card": 4}), "D7.2"),
        "D7.3-one-at-a-time": ({0: (9, [1])}, ("fog", {"ship": 0}), "D7.3"),
    },
)
def test_actions(fog: Any, action: Any, cited: str | None) -> None:
    ships: dict[str, Any] = {"a0": 3, "a1": "hidden"} if fog else {"a0": 3}
    game = Game.at(ships=ships, fog=fog, hands={0: [4, 9]})
    assert game.refusal(action[0], **action[1]) == cited
    assert ({"type": action[0], **action[1]} in game.moves()) == (cited is None)


@rule("D7.2-the-cards-are-discarded")
def test_discarded() -> None:
    game = Game.at(ships={"a0": "hidden"}, fog={0: (3, [7, 6])}, hands={0: [2, 1]}).play("emerge", card=2)
    assert game.state.discard == (0, 1, 0, 0, 0, 1, 1, 0, 0, 0)
    assert game.state.fog_cards[0] == ()
    assert game.view(None).seats[0].fog is None


@rule("D7.2-only-where-it-comes-out-it-acts")
def test_acts_at_the_end() -> None:
    game = Game.at(
        ships={"a0": "hidden", "b0": 10}, fog={0: (3, [7])}, hands={0: [2, 1], 1: [1]}, towns={12: "ggg", 3: "sss"}
    ).play("emerge", card=2)
    assert game.where("a0") == 12
    assert game.where("b0") == 10
    assert game.kind == "barrel"


@cases(
    "fog, card, bonus",
    {
        "D7.2-exactly-home": ([7], 2, True),
        "D7.2-further": ([7], 4, False),
        "D7.2-odin-hidden": ([10], 4, True),
        "D7.2-odin-played-counts-ten": ([1], 10, True),
    },
)
def test_home_from_the_fog(fog: list[int], card: int, bonus: bool) -> None:
    game = Game.at(ships={"a0": "hidden"}, fog={0: (27, fog)}, hands={0: [card, 1], 1: [1]}).play("emerge", card=card)
    assert game.where("a0") == "home"
    assert game.told("ship_came_home")[0].get("bonus", False) == bonus


@rule("D7.3-nobody-touches-a-hidden-ship")
def test_untouched() -> None:
    game = Game.at(
        ships={"a0": 3, "b0": "hidden"}, fog={1: (5, [7])}, hands={0: [1, 2, 4, 5, 6, 7, 10]}, decks={0: [9]}
    )
    assert not game.kinds() & {"swap", "pair"}
    assert game.refusal("back", ship={"seat": 1, "ship": 0}) == "D4.2.3"
    game.sail("a0", 2)
    assert game.kind == "chance card"  # the token blocks nothing
