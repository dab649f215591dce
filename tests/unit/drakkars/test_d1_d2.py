"""D1 and D2: material, options and setup."""

from __future__ import annotations

from typing import Any

import pytest

from holmgang.engine.errors import InvalidOption
from holmgang.engine.turn import Chance
from holmgang.games.drakkars.rules.coast import FJORD
from tests.unit.marks import cases, rule

from .coasts import RULES
from .playing import Game


def begun(players: int = 2, town: int = 0, turned: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7), first: int = 0) -> Game:
    """A game whose setup turned these cards for the towns, all else by the lowest value."""
    game = Game.new(players, first_player=first)
    while game.kind == "chance coin":
        game.chance(0)
    game.chance(town)
    left = list(range(1, 11))
    for card in turned:
        game.chance(left.index(card))
        left.remove(card)
    return game


@rule("D1-cards-and-coins-in-play")
def test_material() -> None:
    game = begun(3).settle()
    assert sum(game.state.central) == 20
    assert [sum(deck) for deck in game.state.decks] == [5, 5, 5]
    assert sum(game.state.bag) == 12


@rule("D1.1-a-ring-of-36-cells")
def test_ring() -> None:
    game = Game.at(ships={"a0": 35}, hands={0: [4, 4]}, options={"fjords": [20, 18]})
    game.sail("a0", 4)
    assert game.where("a0") == 3


@cases("players, fjords", {"D1.2-two": (2, (0, 18)), "D1.2-three": (3, (0, 12, 24)), "D1.2-four": (4, (0, 9, 18, 27))})
def test_fjords(players: int, fjords: tuple[int, ...]) -> None:
    assert RULES.configure(players, {}).fjords == fjords


@cases(
    "options, pointer, cited",
    {
        "D1.2-one-too-few": ({"fjords": [3]}, "/fjords", "D1.2"),
        "D1.2-off-the-ring": ({"fjords": [3, 36]}, "/fjords/1", "D1.2"),
        "D1.2-one-cell-twice": ({"fjords": [3, 3]}, "/fjords", "D1.2"),
        "D1.2-not-a-list": ({"fjords": "3"}, "/fjords", "D1.2"),
        "D1.3-two-worths": ({"coin_worth": [3, 2]}, "/coin_worth", "D1.3"),
        "D1.3-true-is-no-number": ({"coin_worth": [3, 2, True]}, "/coin_worth/2", "D1.3"),
        "D1.5-above-99": ({"card_worth": [*range(9), 100]}, "/card_worth/9", "D1.5"),
        "D1.5-below-0": ({"card_worth": [-1, *range(9)]}, "/card_worth/0", "D1.5"),
        "D1.7-seven-cells": ({"shield": ["2 of discard"] * 7}, "/shield", "D1.7"),
        "D1.7-singular-coin": ({"shield": ["1 coins or 1 card"] * 8}, "/shield/0", "D1.7"),
        "D1.7-plural-cards": ({"shield": ["2 coins or 2 card"] * 8}, "/shield/0", "D1.7"),
        "D1.7-other-pile": ({"shield": ["2 of deck"] * 8}, "/shield/0", "D1.7"),
        "D1.7-three-digits": ({"shield": ["100 of discard"] * 8}, "/shield/0", "D1.7"),
        "D1.7-no-text": ({"shield": [3] * 8}, "/shield/0", "D1.7"),
        "D2.1-no-such-seat": ({"first_player": 2}, "/first_player", "C1"),
        "D2.1-no-such-option": ({"first": 1}, "/first", "C1"),
    },
)
def test_refused_options(options: dict[str, Any], pointer: str, cited: str) -> None:
    with pytest.raises(InvalidOption) as refused:
        RULES.configure(2, options)
    assert (refused.value.pointer, refused.value.rule) == (pointer, cited)


@rule("D1.2-other-fjords")
def test_other_fjords() -> None:
    game = Game.at(ships={"a0": "fjord"}, hands={0: [4, 4]}, options={"fjords": [7, 3]}).sail("a0", 4)
    assert game.where("a0") == 10


@rule("D1.3-three-ships-and-sixty-coins")
def test_ships_and_coins() -> None:
    state = Game.new(2, first_player=0).state
    assert state.bag == (15, 25, 20)
    assert [len(ships) for ships in state.ships] == [3, 3]
    assert RULES.configure(2, {}).coin_worth == (3, 2, 1)


@rule("D1.3-other-worths")
def test_other_worths() -> None:
    game = Game.at(ships={"a0": "home"}, hands={0: [1]}, cargo={0: ["ggsc"]}, options={"coin_worth": [10, 4, 0]})
    assert game.view(1).seats[0].coins == 24


@rule("D1.4-a-deck-each-and-two-in-the-middle")
def test_decks() -> None:
    state = Game.new(4, first_player=0).state
    assert state.decks == ((1,) * 10,) * 4
    assert state.central == (2,) * 10


@rule("D1.5-cards-are-worth-their-value")
def test_card_worth() -> None:
    assert RULES.configure(2, {}).card_worth == (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
    other = RULES.configure(2, {"card_worth": [0] * 9 + [99]})
    assert other.card_worth == (0, 0, 0, 0, 0, 0, 0, 0, 0, 99)


@rule("D1.6-eight-towns-and-a-token-each")
def test_towns_and_tokens() -> None:
    game = begun().settle()
    assert len(set(game.state.towns)) == 8
    assert min(game.state.towns) >= 0
    game = Game.at(ships={"a0": 5, "b0": 6}, hands={0: [4, 9, 1], 1: [4, 9, 1]}, central=[1, 2, 3])
    game.play("fog", ship=0).draw(1).play("fog", ship=0)
    assert [game.where("a0"), game.where("b0")] == ["hidden", "hidden"]


@cases(
    "cell, coins, cards, count",
    {
        "D1.7-cell-0": (0, 3, 1, 0),
        "D1.7-cell-1": (1, 2, 2, 0),
        "D1.7-cell-2": (2, 1, 3, 0),
        "D1.7-cell-3": (3, 0, 0, 2),
        "D1.7-cell-4": (4, 3, 1, 0),
        "D1.7-cell-5": (5, 2, 2, 0),
        "D1.7-cell-6": (6, 1, 3, 0),
        "D1.7-cell-7": (7, 0, 0, 2),
    },
)
def test_shield(cell: int, coins: int, cards: int, count: int) -> None:
    """A raid by 1, from the cell before."""
    game = Game.at(
        ships={"a0": 4},
        hands={0: [1, 2]},
        towns={5: "ggssc"},
        barrel=(cell - 1) % 8,
        discard=[8, 9, 9],
        central=[3, 4, 5],
    )
    game.sail("a0", 1)
    assert game.kind == "loot"
    context = game.context()
    if count:
        assert context["choice"]["count"] == count
        assert context["choice"]["pile"] == ("discard" if cell == 3 else "central")
        assert game.kinds() == {"loot_choice"}
    else:
        assert (context["coins"], context["cards"]) == (coins, cards)
        assert game.kinds() == {"loot_coins", "loot_cards"}


@rule("D1.7-the-barrel-starts-on-0")
def test_barrel() -> None:
    assert Game.new(2).state.barrel == 0


@rule("D1.7-the-card-just-played-can-be-chosen")
def test_card_just_played() -> None:
    game = Game.at(ships={"a0": 4}, hands={0: [1, 2]}, towns={5: ""}, barrel=2, discard=[8, 9])
    game.sail("a0", 1)
    assert game.moves() == [{"type": "loot_choice", "cards": cards} for cards in ([8, 9], [1, 9], [1, 8])]
    game.play("loot_choice", cards=[8, 1])
    assert game.hand(0) == [1, 2, 8]
    assert game.told("cards_chosen", 1)[0]["cards"] == [1, 8]


@cases(
    "action, cited",
    {
        "D1.7-three-are-too-many": ({"type": "loot_choice", "cards": [1, 8, 9]}, "D1.7"),
        "D1.7-one-is-too-few": ({"type": "loot_choice", "cards": [8]}, "D1.7"),
        "D1.7-not-there": ({"type": "loot_choice", "cards": [8, 8]}, "D1.7"),
        "D1.7-no-coins-here": ({"type": "loot_coins"}, "D1.7"),
        "D1.7-no-cards-here": ({"type": "loot_cards"}, "D1.7"),
    },
)
def test_refused_choices(action: dict[str, Any], cited: str) -> None:
    game = Game.at(ships={"a0": 4}, hands={0: [1, 2]}, towns={5: "gg"}, barrel=2, discard=[8, 9])
    game.sail("a0", 1)
    assert game.refusal(action.pop("type"), **action) == cited


@rule("D1.7-no-choice-where-coins-or-cards-are-taken")
def test_no_choice() -> None:
    game = Game.at(ships={"a0": 4}, hands={0: [1, 2]}, towns={5: "gg"}).sail("a0", 1)
    assert game.refusal("loot_choice", cards=[1]) == "D1.7"


@rule("D1.7-as-many-as-there-is-room")
def test_room() -> None:
    game = Game.at(ships={"a0": 4}, hands={0: [1, 2, 2, 3, 3, 4, 4]}, towns={5: ""}, barrel=2, discard=[8, 9])
    game.sail("a0", 1)
    assert [m["cards"] for m in game.moves()] == [[9], [8], [1]]
    game.play("loot_choice", cards=[9])
    assert len(game.hand(0)) == 7


@rule("D1.7-as-many-as-there-are-cards")
def test_few_cards() -> None:
    """The last card of the central pile is all there is: nothing to choose."""
    game = Game.at(ships={"a0": 4}, hands={0: [1, 2]}, towns={5: "gg"}, barrel=6, central=[6]).sail("a0", 1)
    assert game.hand(0) == [2, 6]
    assert game.told("cards_chosen")[0]["forced"]
    assert "cards" not in game.told("cards_chosen", 1)[0]


@rule("D1.7-equal-cards-of-the-discard-are-no-choice")
def test_equal_cards() -> None:
    """Everybody can see that there is only one way; of the central pile nobody could."""
    open_pile = Game.at(ships={"a0": 4}, hands={0: [1, 2]}, towns={5: "gg"}, barrel=2, discard=[1, 1]).sail("a0", 1)
    assert open_pile.told("cards_chosen")[0]["forced"]
    hidden = Game.at(ships={"a0": 4}, hands={0: [1, 2]}, towns={5: "gg"}, barrel=6, central=[6, 6, 6]).sail("a0", 1)
    assert hidden.moves() == [{"type": "loot_choice", "cards": [6, 6]}]


@rule("D1.7-nothing-to-take")
def test_nothing() -> None:
    """Cell 1 with an empty town and a full hand that a card more would pass."""
    game = Game.at(ships={"a0": 4}, hands={0: [1]}, towns={5: ""}, options={"shield": ["9 coins or 0 cards"] * 8})
    game.sail("a0", 1)
    assert game.told("nothing_looted")
    assert game.state.active == 1


@cases(
    "cargo, pile, coins",
    {
        "D1.7-coins-that-would-all-go-back": ("gggggg", "ccc", None),
        "D1.7-the-same-coins-again": ("cccccc", "ccc", None),
        "D1.7-one-better-coin": ("gggggc", "ccs", 3),
        "D1.7-room-for-one": ("ggggg", "ccc", 3),
    },
)
def test_coins_that_yield_nothing(cargo: str, pile: str, coins: int | None) -> None:
    game = Game.at(ships={"a0": 1}, hands={0: [4, 5]}, towns={5: pile}, cargo={0: [cargo]}).sail("a0", 4)
    if coins is None:
        assert game.told("cards_looted")[0]["forced"]
        assert game.pile(1) == pile
    else:
        assert game.context()["coins"] == coins


@rule("D1.7-the-central-pile-is-seen-by-its-taker-alone")
def test_central_seen() -> None:
    game = Game.at(ships={"a0": 4}, hands={0: [1, 2]}, towns={5: "gg"}, barrel=6, central=[9, 6, 3]).sail("a0", 1)
    assert game.view(0).offer.values == (3, 6, 9)
    assert game.context(0)["choice"]["from"] == [3, 6, 9]
    for other in (1, None):
        assert game.view(other).offer.values is None
        assert "from" not in game.context(other)["choice"]
        assert "cards" not in game.told("pile_shown", other)[0]
    assert game.told("pile_shown", 0)[0]["cards"] == [3, 6, 9]
    game.play("loot_choice", cards=[9, 3])
    assert game.told("cards_chosen", 0)[0]["cards"] == [3, 9]
    assert all("cards" not in game.told("cards_chosen", other)[0] for other in (1, None))


# D2


@rule("D2-chance-in-this-order")
def test_order_of_chance() -> None:
    game = Game.new(2)
    labels: list[str] = []
    while type(game.turn) is Chance:
        labels.append(game.turn.label)
        game.chance(0)
    assert labels[:49] == ["first_player", *["coin"] * 48]
    assert labels[49:] == ["town", *["town_card"] * 7, *["card"] * 10]


@rule("D2.1-any-seat-may-start")
def test_first_by_chance() -> None:
    game = Game.new(3)
    assert game.turn == Chance(0, "first_player", 3)
    game.chance(2).settle()
    assert game.seat == 2
    assert game.told("first_player_chosen") == [{"type": "first_player_chosen", "seat": 2, "by": "chance"}]


@rule("D2.1-by-option-and-the-last-turns-the-cards")
def test_first_by_option() -> None:
    game = begun(3, first=0)
    assert {told["seat"] for told in game.told("card_turned")} == {2}
    assert game.settle().seat == 0


@rule("D2.1-partners-face-each-other")
def test_partners() -> None:
    assert RULES.teams(4) == ((0, 2), (1, 3))
    assert RULES.teams(3) == ((0,), (1,), (2,))
    assert Game.new(4).view(None).teams == ((0, 2), (1, 3))


@rule("D2.2-eight-open-piles-of-six")
def test_piles() -> None:
    game = Game.new(2, first_player=0)
    game.coin("gold", "copper", "silver", "gold", "copper", "copper")
    assert game.told("pile_laid")[0] == {
        "type": "pile_laid",
        "pile": 1,
        "coins": ["gold", "copper", "silver", "gold", "copper", "copper"],
    }
    assert game.pile(1) == "gcsgcc"
    assert game.view(None).towns[0].coins[0] == "gold"
    while game.kind == "chance coin":
        game.chance(0)
    assert [len(game.pile(n)) for n in range(1, 9)] == [6] * 8
    assert sum(game.state.bag) == 12


@rule("D2.3-each-card-so-many-cells-on")
def test_towns() -> None:
    game = begun(town=30, turned=(3, 10, 4, 8, 9, 1, 2, 7, 6))
    cells = {3: 33, 4: 1, 8: 9, 1: 10, 2: 12, 7: 19, 6: 25}
    assert {n: game.state.towns[n - 1] for n in cells} == cells
    assert game.state.towns[5 - 1] == 30  # the pile that is left


@rule("D2.3-nines-and-tens-are-passed-over")
def test_passed_over() -> None:
    game = begun(turned=(9, 1, 2, 10, 3, 4, 5, 6, 7))
    passed = [told["card"] for told in game.told("card_turned") if told.get("passed_over")]
    assert passed == [9, 10]
    assert len(game.told("town_placed")) == 9


@rule("D2.3-the-turned-cards-go-back")
def test_turned_cards_go_back() -> None:
    assert begun().state.decks == ((1,) * 10, (1,) * 10)


@rule("D2.4-a-ship-and-five-own-cards-each")
def test_deal() -> None:
    game = begun()
    game.draw(2, 4, 6, 8, 10)
    assert game.hand(0) == [2, 4, 6, 8, 10]
    assert game.where("a0") == "fjord"
    game.settle()
    assert len(game.hand(1)) == 5
    assert game.state.ships[1].count(FJORD) == 1
    assert all("card" not in told for told in game.told("card_drawn", 1)[:5])
    assert [told["seat"] for told in game.told("card_drawn")] == [0] * 5 + [1] * 5
    assert {told["pile"] for told in game.told("card_drawn")} == {"deck"}


@rule("D2.4-a-hand-of-seven-is-full")
def test_full_hand() -> None:
    game = Game.at(ships={"a0": 4}, hands={0: [1, 2, 3, 4, 5, 6]}).play("draw").settle()
    assert len(game.hand(0)) == 7
    assert len(game.told("card_drawn")) == 1
