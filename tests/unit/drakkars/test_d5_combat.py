"""D5.6: fights between ships."""

from __future__ import annotations

from typing import Any

from holmgang.games.drakkars.rules.effects import CardsRevealed
from tests.unit.marks import cases, rule

from .coasts import RULES
from .playing import Game


def fight(mine: int = 5, theirs: int = 4, players: int = 2, **position: Any) -> Game:
    """Ship a0 attacks b0 on cell 5 and both play these cards."""
    given = {
        "ships": {"a0": 3, "b0": 5},
        "hands": {0: [2, mine, 1], 1: [theirs, 1]},
        "cargo": {0: ["g"], 1: ["ss"]},
        **position,
    }
    game = Game.at(players, **given).sail("a0", 2).play("attack")
    return game.cards({0: mine, 1: theirs})


@rule("D5.6-both-choose-sealed")
def test_sealed() -> None:
    game = Game.at(ships={"a0": 3, "b0": 5}, hands={0: [2, 5, 1], 1: [4, 1]}).sail("a0", 2).play("attack")
    assert game.turn.sealed
    assert game.turn.seats == (0, 1)
    assert game.context(None) == {
        "combat": {"number": 1, "cell": 5, "attacker": 0, "attacker_ship": 0, "defender": 1, "defender_ship": 0}
    }
    assert game.refusal_of(0, 4) == "D5.6"
    game.play("play", seat=0, card=5)
    assert game.view(1).sealed == (0,)
    assert game.view(1).choice is None
    assert game.view(0).choice == RULES.decode("battle_card", {"type": "play", "card": 5})
    assert game.told("cards_revealed") == []


@cases(
    "mine, theirs, winner",
    {"D5.6-the-higher-wins": (5, 4, 0), "D5.6-the-lower-loses": (4, 5, 1), "D5.6-a-tie-is-the-attackers": (4, 4, 0)},
)
def test_winner(mine: int, theirs: int, winner: int) -> None:
    game = fight(mine, theirs)
    assert game.told("cards_revealed") == [
        {
            "type": "cards_revealed",
            "combat": 1,
            "attacker": 0,
            "defender": 1,
            "attacker_card": mine,
            "defender_card": theirs,
            "difference": abs(mine - theirs),
            "winner": winner,
        }
    ]


@rule("D5.6-a-single-card-is-forced-and-shown-with-the-other")
def test_single_card() -> None:
    game = Game.at(ships={"a0": 3, "b0": 5}, hands={0: [2, 5], 1: [4, 1]}).sail("a0", 2).play("attack")
    assert game.turn.seats == (1,)
    game.play("play", card=4)
    assert game.told("cards_revealed")[0]["forced"] == [0]


@rule("D5.6-two-equal-cards-are-asked")
def test_equal_cards() -> None:
    game = Game.at(ships={"a0": 3, "b0": 5}, hands={0: [2, 5, 5], 1: [4]}).sail("a0", 2).play("attack")
    assert game.turn.seats == (0,)
    assert game.moves() == [{"type": "play", "card": 5}]


@rule("D5.6-two-single-cards-need-no-turn")
def test_no_turn() -> None:
    game = Game.at(ships={"a0": 3, "b0": 5}, hands={0: [2, 5], 1: [4]}).sail("a0", 2)
    turn = game.turn.turn
    game.play("attack")
    assert game.told("cards_revealed")[0]["forced"] == [0, 1]
    (revealed,) = (one for one in game.raw if isinstance(one, CardsRevealed))
    assert RULES.tell(revealed).endswith("(no other card: seat 0, seat 1).")
    assert game.turn.turn == turn + 1


@cases(
    "mine, theirs, loser, places",
    {
        "D5.6.1-the-defender-flees": (5, 2, "b0", (5, 6)),
        "D5.6.1-the-attacker-flees": (2, 5, "a0", (6, 5)),
    },
)
def test_fleeing(mine: int, theirs: int, loser: str, places: tuple[int, int]) -> None:
    game = fight(mine, theirs)
    assert (game.where("a0"), game.where("b0")) == places
    assert game.told("ship_fled")[0]["end"] == 6


@cases(
    "mine, theirs, cargoes",
    {
        "D5.6.1-the-winner-takes-the-cargo": (5, 4, ("gss", "")),
        "D5.6.1-the-defender-too": (4, 5, ("", "gss")),
    },
)
def test_cargo_taken(mine: int, theirs: int, cargoes: tuple[str, str]) -> None:
    game = fight(mine, theirs)
    assert (game.cargo(0)[0], game.cargo(1)[0]) == cargoes


@rule("D5.6.1-six-coins-at-most")
def test_cargo_full() -> None:
    game = fight(cargo={0: ["ggggg"], 1: ["ggcc"]})
    assert (game.cargo(0)[0], game.cargo(1)[0]) == ("gggggg", "")
    assert game.told("cargo_taken")[0]["returned"] == {"gold": 1, "copper": 2}
    assert game.combats[1]["returned"] == {"gold": 1, "copper": 2}


@rule("D5.6.1-home-if-the-fjord-comes-first")
def test_flees_home() -> None:
    game = fight(ships={"a0": 15, "b0": 17, "b1": 3}, cargo={0: [""], 1: ["ss", "g"]})
    assert game.where("b0") == "home"
    assert game.combats[1]["fate"] == "home"
    assert game.told("loot") == []


@cases(
    "mine, theirs, towns, cargoes, bag",
    {
        "D5.6.2-at-sea-to-the-bag": (9, 4, {}, ("g", ""), 2),
        "D5.6.2-on-a-town-to-the-winner": (9, 4, {5: "c"}, ("gss", ""), 0),
        "D5.6.2-an-attacker-may-lose-their-ship": (3, 7, {}, ("", "ss"), 1),
        "D5.6.2-and-their-cargo-on-a-town": (3, 7, {5: "c"}, ("", "gss"), 0),
    },
)
def test_destroyed(mine: int, theirs: int, towns: dict[int, str], cargoes: tuple[str, str], bag: int) -> None:
    game = fight(mine, theirs, towns=towns)
    loser = "b0" if mine > theirs else "a0"
    assert game.where(loser) == "reserve"
    assert (game.cargo(0)[0], game.cargo(1)[0]) == cargoes
    assert len(game.told("ship_destroyed")) == 1
    assert sum(sum(told["coins"].values()) for told in game.told("cargo_lost")) == bag
    assert sum(game.state.bag) == 60 - len("gss") - len("".join(towns.values())) + bag


@cases(
    "mine, theirs, fate",
    {"D5.6.2-three-flees": (7, 4, "fled"), "D5.6.2-four-is-destroyed": (8, 4, "destroyed")},
)
def test_difference(mine: int, theirs: int, fate: str) -> None:
    game = fight(mine, theirs)
    assert game.combats[1] == {
        "number": 1,
        "status": "resolved",
        "cell": 5,
        "town": None,
        "attacker": {"seat": 0, "ship": 0, "rank": 1, "card": mine},
        "defender": {"seat": 1, "ship": 0, "rank": 1, "card": theirs},
        "difference": mine - theirs,
        "winner": 0,
        "fate": fate,
        "taken": {"silver": 2} if fate == "fled" else {},
        "lost": {} if fate == "fled" else {"silver": 2},
        "returned": {},
    }


@rule("D5.6.3-the-cards-are-exchanged")
def test_exchange() -> None:
    game = fight(5, 4)
    assert (game.hand(0), game.hand(1)) == ([1, 4], [1, 5])
    assert game.state.discard[4 - 1] + game.state.discard[5 - 1] == 0


@rule("D5.6.4-ranks-before-anyone-flees")
def test_ranks_before() -> None:
    """The defender's ship would be overtaken while it flees; the cargo is that of its rank before."""
    game = fight(ships={"a0": 3, "a1": 30, "b0": 5, "b1": 17}, cargo={0: ["c", "g"], 1: ["s", "gg"]})
    assert game.cargo(0) == ["c", "ggg", ""]
    assert game.cargo(1) == ["s", "", ""]


@rule("D5.6.4-later-cargoes-move-up")
def test_move_up() -> None:
    game = fight(9, 4, ships={"a0": 3, "b0": 5, "b1": 20, "b2": "home"}, cargo={1: ["g", "ss", "c"]})
    assert game.cargo(1) == ["g", "c", ""]


@cases(
    "mine, fate",
    {"D5.6.4-a-defender-without-cards-counts-0": (3, "fled"), "D5.6.4-and-is-destroyed": (4, "destroyed")},
)
def test_no_cards(mine: int, fate: str) -> None:
    game = Game.at(ships={"a0": 3, "b0": 5}, hands={0: [2, mine]}).sail("a0", 2).play("attack")
    assert (game.hand(0), game.hand(1)[:1]) == ([], [mine])
    assert game.combats[1]["fate"] == fate
    assert game.combats[1]["difference"] == mine
    assert "card" not in game.combats[1]["defender"]
    assert game.told("cards_revealed")[0]["defender_card"] is None


@rule("D5.6.4-who-is-done-still-defends")
def test_done_defends() -> None:
    game = fight(
        5,
        4,
        3,
        ships={"a0": 3, "b0": 5, "b1": "home", "b2": "home", "c0": "home", "c1": "home"},
        ender=1,
        counting=2,
        queue=(0, 2),
    )
    assert game.hand(1) == [1, 5]
    assert game.view(None).seats[1].cards_count
