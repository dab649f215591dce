"""D5.1 to D5.5: where a ship arrives; raids, pushes and cargo."""

from __future__ import annotations

import random
from typing import Any

import pytest

from holmgang.checking.walks import walk
from holmgang.games.drakkars.rules.effects import BarrelMoved, CardsPlayed
from holmgang.games.drakkars.rules.model import Advance
from tests.unit.marks import cases, rule

from .coasts import RULES
from .playing import Game, refs

COMBINED: dict[str, Any] = {"towns": {5: "gsc"}, "barrel": 0, "central": [6, 6, 6], "decks": {0: [9]}}
"""A town on 5, which every combination of these tests raids."""


@rule("D5-the-moved-ship-acts-where-it-ends")
def test_acts() -> None:
    game = Game.at(ships={"a0": 3, "a1": 9}, hands={0: [2, 4]}, decks={0: [9]}).sail("a0", 2).settle()
    assert len(game.told("card_drawn")) == 1


@rule("D5-others-never-act")
def test_others_do_not_act() -> None:
    """Moved onto a town, another's ship raids nothing; moved onto a ship it pushes."""
    game = Game.at(3, ships={"a0": 3, "b0": 20, "b1": 22, "c0": 30}, hands={0: [1, 6, 4], 1: [1]}, towns={35: "ggg"})
    game.pair(b0=2, c0=5)
    assert (game.where("b0"), game.where("b1"), game.where("c0")) == (22, 23, 35)
    assert (game.pile(1), game.state.active) == ("ggg", 1)


@rule("D5-others-come-home-without-a-bonus")
def test_others_without_bonus() -> None:
    game = Game.at(ships={"a0": 3, "b0": 14}, hands={0: [1, 6], 1: [1]}).pair(b0=4, a0=3)
    assert game.told("ship_came_home") == [{"type": "ship_came_home", "seat": 1, "ship": 0, "pier": 1}]


@rule("D5.1-open-sea-draws-a-card")
def test_open_sea() -> None:
    game = Game.at(ships={"a0": 3}, hands={0: [2, 4], 1: [1]}, decks={0: [9]}).sail("a0", 2).draw(9)
    assert (game.hand(0), game.kind, game.seat) == ([4, 9], "sail", 1)
    assert "card" not in game.told("card_drawn", 1)[0]


@rule("D5.1-not-beyond-seven")
def test_open_sea_full() -> None:
    """An exchange would not fill the hand; eight cards cannot be held, so the eighth is not drawn."""
    game = Game.at(ships={"a0": 3, "a1": 9, "b0": 20}, hands={0: [1, 1, 2, 2, 6, 7, 7]}, decks={0: [8, 9]})
    game.pair(a0=1, a1=6).settle()
    assert len(game.hand(0)) == 7


@cases(
    "barrel, card, steps, to",
    {
        "D5.2-by-the-card": (0, 2, {}, 2),
        "D5.2-round-the-shield": (7, 2, {}, 1),
        "D5.2-odin-by-the-players-steps": (0, 10, {"steps": 2}, 2),
    },
)
def test_barrel(barrel: int, card: int, steps: dict[str, int], to: int) -> None:
    game = Game.at(ships={"a0": 3}, hands={0: [card, 4]}, towns={5: "ggg"}, barrel=barrel).sail("a0", card, **steps)
    assert game.state.barrel == to
    assert game.told("barrel_moved") == [{"type": "barrel_moved", "seat": 0, "by": 2, "cell": to}]


@cases(
    "ships, hand, action, asked",
    {
        "D5.2-boost-by-either": ({"a0": 1}, [3, 1], ("boost", {"ship": 0, "card": 1}), ["1", "3"]),
        "D5.2-boost-with-odin-ten": ({"a0": 0}, [3, 10], ("boost", {"ship": 0, "card": 10, "steps": 5}), ["3", "10"]),
        "D5.2-launch-by-either": ({"a0": 20}, [8, 6], ("launch", {"card": 6}), ["6", "8"]),
        "D5.2-back-by-either": ({"a0": 10}, [2, 7], ("back", {"ship": {"seat": 0, "ship": 0}}), ["2", "7"]),
        "D5.2-swap-by-either": ({"a0": 9, "b0": 5}, [5, 10], ("swap", {"ships": refs("a0", "b0")}), ["5", "10"]),
    },
)
def test_combinations(ships: Any, hand: list[int], action: Any, asked: list[str]) -> None:
    game = Game.at(ships=ships, hands={0: hand}, **COMBINED).play(action[0], **action[1])
    assert game.kind == "barrel"
    assert list(game.context()["values"]) == asked
    assert game.moves() == [{"type": "advance", "by": int(value)} for value in asked]
    assert game.refusal("advance", by=9) == "D5.2"
    game.play("advance", by=int(asked[1]))
    assert game.state.barrel == int(asked[1]) % 8


@rule("D5.2-pair-with-two-raids-one-value-each")
def test_two_raids() -> None:
    game = Game.at(ships={"a0": 3, "a1": 9}, hands={0: [1, 6]}, towns={5: "gg", 14: "ss"}, central=[1] * 3)
    game.pair(a0=2, a1=5)
    assert game.moves() == [{"type": "advance", "by": 1}, {"type": "advance", "by": 6}]
    game.play("advance", by=6).play("loot_coins")
    assert [told["by"] for told in game.told("barrel_moved")] == [6, 1]
    assert game.kind == "loot" or game.told("cards_chosen")


@rule("C3-the-value-left-for-a-second-raid-is-forced")
def test_second_barrel_is_forced() -> None:
    game = Game.at(ships={"a0": 3, "a1": 9}, hands={0: [1, 6]}, towns={5: "gg", 14: "ss"}, central=[1] * 3)
    game.pair(a0=2, a1=5).play("advance", by=6).play("loot_coins")
    assert [told.get("forced", False) for told in game.told("barrel_moved")] == [False, True]


@rule("C3-it-is-forced-after-a-ship-was-pushed-aside")
def test_second_barrel_after_a_push() -> None:
    position: dict[str, Any] = {"ships": {"a0": 3, "a1": 9, "b0": 14}, "towns": {5: "gg", 14: "ss"}, "central": [1] * 3}
    game = Game.at(hands={0: [1, 6, 4], 1: [2, 3]}, **position).pair(a0=2, a1=5)
    game.play("advance", by=1).play("loot_coins").play("push")
    assert [told.get("forced", False) for told in game.told("barrel_moved")] == [False, True]


@rule("C3-whatever-leaves-no-choice-of-value-is-forced")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_barrel_without_a_choice_is_marked(players: int) -> None:
    """In random games: a value is chosen, a default, a lone card's, or forced. They begin where two ships may raid."""
    position: dict[str, Any] = {"ships": {"a0": 3, "a1": 9, "b0": 14}, "towns": {5: "gg", 14: "ss"}}
    start = Game.at(players, hands={0: [1, 6], 1: [2, 3]}, **position).state
    config, forced = RULES.configure(players, {}), 0
    for seed in range(80):
        resigning = 0.01 if seed % 3 == 2 else 0.0
        game = walk(RULES, config, random.Random(seed), state=start if seed % 2 else None, resigning=resigning)
        combined = False
        for moment in game.moments:
            chosen = type(moment.action) is Advance
            for effect in moment.step.effects:
                if type(effect) is CardsPlayed:
                    combined = effect.action != "sail"
                if type(effect) is BarrelMoved:
                    assert effect.forced == (combined and not chosen and not effect.defaulted), (seed, effect)
                    forced += effect.forced
                    chosen = False
    assert forced


@rule("D5.2-fog-by-any-card-used")
def test_fog_raid() -> None:
    game = Game.at(ships={"a0": "hidden"}, fog={0: (10, [4, 2])}, hands={0: [5]}, towns={21: "gg"})
    game.play("emerge", card=5)
    assert game.where("a0") == 21
    assert list(game.context()["values"]) == ["2", "4", "5"]


@rule("D5.2-fog-with-equal-cards-leaves-no-choice")
def test_fog_raid_forced() -> None:
    game = Game.at(ships={"a0": "hidden"}, fog={0: (12, [4])}, hands={0: [4, 1]}, towns={20: "gg"})
    game.play("emerge", card=4)
    assert game.told("barrel_moved")[0]["forced"]


@cases(
    "pile, taken, left",
    {"D5.2-off-the-top": ("gscg", "gsc", "g"), "D5.2-what-the-pile-has": ("gs", "gs", "")},
)
def test_coins(pile: str, taken: str, left: str) -> None:
    game = Game.at(ships={"a0": 1}, hands={0: [4, 5]}, towns={5: pile}).sail("a0", 4).play("loot_coins")
    assert game.cargo(0)[0] == taken
    assert game.pile(1) == left
    assert game.told("coins_looted")[0]["rank"] == 1


@rule("D5.2-an-empty-pile-leaves-the-cards")
def test_empty_pile() -> None:
    game = Game.at(ships={"a0": 1}, hands={0: [4, 5]}, towns={5: ""}).sail("a0", 4).settle()
    assert game.told("cards_looted") == [{"type": "cards_looted", "seat": 0, "cards": 1, "forced": True}]


@rule("D5.2-no-cards-are-offered-to-a-full-hand")
def test_full_hand() -> None:
    """The first ship fills the hand, so only coins are left for the second."""
    hand = [1, 6, 2, 3, 4, 5, 7]
    game = Game.at(ships={"a0": 3, "a1": 9}, hands={0: hand}, towns={4: "gg", 15: "sss"}, barrel=1)
    game.pair(a0=1, a1=6).play("advance", by=1).play("loot_cards").settle()
    assert len(game.hand(0)) == 7
    assert game.told("cards_looted")[0]["cards"] == 2
    assert game.told("coins_looted")[0]["forced"]


@rule("D5.2-cards-of-the-middle")
def test_cards() -> None:
    game = Game.at(ships={"a0": 3}, hands={0: [2, 5]}, towns={5: "gg"}, decks={0: [9]}, central=[3, 4, 6, 6])
    game.sail("a0", 2).play("loot_cards").draw(6, 3, 6)
    assert game.hand(0) == [3, 5, 6, 6]
    assert game.pile(1) == "gg"
    assert all("card" not in told for told in game.told("card_drawn", 1))


@rule("D5.2-towns-stay")
def test_towns_stay() -> None:
    game = Game.at(ships={"a0": 1}, hands={0: [4, 5]}, towns={5: "g"}).sail("a0", 4).play("loot_coins")
    assert game.state.towns[0] == 5
    assert game.view(None).towns[0].coins == ()


@rule("D5.2-raids-are-told-as-raids")
def test_raid_context() -> None:
    game = Game.at(ships={"a0": 1, "a1": "home"}, hands={0: [4, 5]}, towns={5: "gscg"}).sail("a0", 4)
    assert game.context() == {
        "ship": 0,
        "cell": 5,
        "rank": 2,
        "town": 1,
        "barrel": 4,
        "kind": "raid",
        "gives": "3 coins or 1 card",
        "coins": 3,
        "cards": 1,
    }


@cases(
    "players, occupant, hand, kinds",
    {
        "D5.3-another-player": (4, "b0", [2, 4], {"push", "attack"}),
        "D5.3-not-ones-own": (4, "a1", [2, 4], set()),
        "D5.3-not-the-partner": (4, "c0", [2, 4], set()),
        "D5.3-not-without-a-card": (4, "b0", [2], set()),
        "D5.3-without-partners": (3, "c0", [2, 4], {"push", "attack"}),
    },
)
def test_arrival(players: int, occupant: str, hand: list[int], kinds: set[str]) -> None:
    game = Game.at(players, ships={"a0": 3, occupant: 5}, hands={0: hand}).sail("a0", 2)
    if kinds:
        assert game.kinds() == kinds
        seat, number = "abcd".index(occupant[0]), int(occupant[1])
        assert game.context() == {
            "ship": 0,
            "cell": 5,
            "rank": 1,
            "town": None,
            "occupant": {"seat": seat, "ship": number},
        }
    else:
        assert game.told("ship_pushed")[0]["forced"]
        assert game.where(occupant) == 6


@rule("D5.3-pushing-acts-as-on-an-empty-cell")
def test_push_and_act() -> None:
    game = Game.at(ships={"a0": 3, "b0": 5}, hands={0: [2, 4]}, towns={5: "ggg"}).sail("a0", 2).play("push")
    assert game.kind == "loot"
    sea = Game.at(ships={"a0": 3, "b0": 5}, hands={0: [2, 4]}, decks={0: [9]}).sail("a0", 2).play("push").draw(9)
    assert sea.hand(0) == [4, 9]


@rule("D5.3-attacking-does-nothing-else")
def test_attack_only() -> None:
    game = Game.at(ships={"a0": 3, "b0": 5}, hands={0: [2, 4, 5], 1: [4, 4]}, towns={5: "ggg"}, decks={0: [9]})
    game.sail("a0", 2).play("attack").cards({0: 5, 1: 4}).settle()
    assert game.told("barrel_moved") == game.told("card_drawn") == []
    assert game.pile(1) == "ggg"


@cases(
    "ships, owner, end",
    {
        "D5.4-the-next-cell": ({"b0": 5}, "b0", 6),
        "D5.4-without-a-ship": ({"b0": 5, "a1": 6, "b1": 7}, "b0", 8),
        "D5.4-the-own-fjord-comes-first": ({"b0": 5, "b1": 4, "a2": 6}, "b0", 7),
    },
)
def test_pushed(ships: dict[str, int], owner: str, end: int) -> None:
    game = Game.at(ships={"a0": 3, **ships}, hands={0: [2, 4]}).sail("a0", 2).play("push")
    assert game.where(owner) == end
    assert game.told("ship_pushed")[0] == {
        "type": "ship_pushed", "owner": 1, "ship": 0, "start": 5, "end": end, "by": 0
    }  # fmt: skip


@cases(
    "ships, home",
    {
        "D5.4-home-at-once": ({"b0": 17}, True),
        "D5.4-home-past-other-ships": ({"b0": 16, "b1": 17}, True),
        "D5.4-not-home-into-a-free-cell": ({"b0": 16}, False),
    },
)
def test_pushed_home(ships: dict[str, int], home: bool) -> None:
    game = Game.at(ships={"a0": ships["b0"] - 2, **ships}, hands={0: [2, 4]}, cargo={1: ["gg"]})
    game.sail("a0", 2).play("push")
    assert (game.where("b0") == "home") == home
    if home:
        assert game.told("ship_pushed")[0]["end"] is None
        assert "bonus" not in game.told("ship_came_home")[0]


@rule("D5.4-pushed-ships-do-not-act")
def test_pushed_do_not_act() -> None:
    game = Game.at(ships={"a0": 3, "a1": 5}, hands={0: [2, 4]}, towns={6: "ggg"}, decks={0: [9]}).sail("a0", 2).settle()
    assert game.where("a1") == 6
    assert game.pile(1) == "ggg"
    assert len(game.told("card_drawn")) == 1


@cases(
    "ships, card, number, rank",
    {
        "D5.5-nearest-home-first": ({"a0": 20, "a1": 1}, 4, 1, 2),
        "D5.5-after-those-at-home": ({"a0": 1, "a1": "home"}, 4, 0, 2),
        "D5.5-before-those-behind": ({"a0": 1, "a1": "fjord"}, 4, 0, 1),
        "D5.5-counted-after-the-move": ({"a0": 1, "a1": 4}, 4, 0, 1),
    },
)
def test_ranks(ships: dict[str, Any], card: int, number: int, rank: int) -> None:
    game = Game.at(ships=ships, hands={0: [card, 5]}, towns={5: "gsc"}).sail(f"a{number}", card).play("loot_coins")
    assert [held != "" for held in game.cargo(0)] == [at == rank - 1 for at in range(3)]


@rule("D5.5-overtaking-leaves-the-cargo")
def test_overtaking() -> None:
    game = Game.at(ships={"a0": 3, "a1": 5}, hands={0: [4, 5]}, cargo={0: ["gg", "s"]}).sail("a0", 4).settle()
    assert game.cargo(0) == ["gg", "s", ""]
    assert [ship.rank for ship in game.view(0).seats[0].ships] == [1, 2, None]


@cases(
    "before, pile, after, returned",
    {
        "D5.5-six-at-most": ("sssss", "ggg", "gggsss", {"silver": 2}),
        "D5.5-the-least-go-back": ("ggggss", "gcc", "gggggs", {"silver": 1, "copper": 2}),
        "D5.5-copper-before-silver": ("ggsccc", "ggg", "gggggs", {"copper": 3}),
    },
)
def test_most_cargo(before: str, pile: str, after: str, returned: dict[str, int]) -> None:
    game = Game.at(ships={"a0": 1}, hands={0: [4, 5]}, towns={5: pile}, cargo={0: [before]}).sail("a0", 4)
    bag = game.state.bag
    game.play("loot_coins")
    assert game.cargo(0)[0] == after
    assert game.told("coins_looted")[0]["returned"] == returned
    assert sum(game.state.bag) == sum(bag) + sum(returned.values())


@rule("D5.5-least-worth-by-the-option")
def test_least_by_option() -> None:
    game = Game.at(
        ships={"a0": 1}, hands={0: [4, 5]}, towns={5: "ccc"}, cargo={0: ["ggggss"]}, options={"coin_worth": [1, 2, 3]}
    )
    assert game.sail("a0", 4).play("loot_coins").cargo(0)[0] == "gssccc"


@rule("D5.5-a-hidden-ship-ranks-first-on-its-cell")
def test_hidden_rank() -> None:
    game = Game.at(ships={"a0": "hidden", "a1": 1}, fog={0: (5, [3])}, hands={0: [4, 5]}, towns={5: "gsc"})
    game.sail("a1", 4).play("loot_coins")
    assert game.cargo(0) == ["", "gsc", ""]
