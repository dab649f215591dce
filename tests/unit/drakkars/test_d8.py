"""D8 and the common rules: the end, last turns, scores, resigning."""

from __future__ import annotations

from typing import Any

from tests.unit.marks import cases, rule

from .coasts import RULES
from .playing import Game


def last_turn(players: int = 2, **position: Any) -> Game:
    """The last turn of seat 0, after seat 1 has called the end."""
    given: dict[str, Any] = {"ender": 1, "counting": 2, "queue": (0,), "active": 0, **position}
    ships = {"b0": "home", "b1": "home", "b2": "home", **given.pop("ships")}
    return Game.at(players, ships=ships, **given)


def landed(**homes: int) -> dict[str, Any]:
    """So many ships at home of each seat, by its letter."""
    return {f"{letter}{n}": "home" for letter, count in homes.items() for n in range(count)}


@rule("D8-a-game-to-its-end")
def test_whole_end() -> None:
    game = Game.at(ships={**landed(a=2, b=1), "a2": 35}, hands={0: [1, 4], 1: [2, 2]}, cargo={0: ["g", "g", "g"]})
    game.sail("a2", 1).settle()
    while game.kind != "over":
        action = RULES.default(game.state, game.seat)
        game.play(str(action.__struct_config__.tag)).settle()
    assert game.over.reason == "ships"
    assert game.over.ranking == ((0,), (1,))


@cases(
    "players, homes, ender",
    {
        "D8.1-two-the-fourth": (2, {"a": 1, "b": 2}, True),
        "D8.1-two-not-the-third": (2, {"a": 1, "b": 1}, False),
        "D8.1-three-the-fifth": (3, {"a": 1, "b": 2, "c": 1}, True),
        "D8.1-three-not-the-fourth": (3, {"a": 1, "b": 1, "c": 1}, False),
        "D8.1-four-the-sixth": (4, {"a": 1, "b": 2, "c": 1, "d": 1}, True),
        "D8.1-four-not-the-fifth": (4, {"a": 1, "b": 1, "c": 1, "d": 1}, False),
        "D8.1-a-players-third": (4, {"a": 2}, True),
    },
)
def test_called(players: int, homes: dict[str, int], ender: bool) -> None:
    number = homes["a"]
    ships = {**landed(**homes), f"a{number}": 33}
    game = Game.at(players, ships=ships, hands={0: [9, 1], 1: [1]}).sail(f"a{number}", 9)
    assert bool(game.told("end_called")) == ender
    assert (game.state.ender == 0) == ender


@rule("D8.1-in-order-after-the-active-seat")
def test_last_turns() -> None:
    ships = {**landed(b=2, a=1, c=1), "a1": 33, "b2": 5, "c1": 20}
    game = Game.at(3, ships=ships, hands={0: [9, 1], 1: [1, 1], 2: [1, 2]}).sail("a1", 9)
    assert game.told("end_called") == [{"type": "end_called", "seat": 0, "last_turns": [1, 2]}]
    assert game.context() == {"last_turn": True, "turns_left": 0}
    game.play("draw").settle()
    assert game.seat == 2
    game.play("draw").settle()
    assert game.over.reason == "ships"


@rule("D8.1-whoever-moved-it")
def test_called_for_another() -> None:
    """The active player, not done, comes last; the owner has no turn any more."""
    ships: dict[str, Any] = {**landed(b=2), "b2": 15, "a0": 5, "c0": 30}
    game = Game.at(3, ships=ships, hands={0: [1, 6, 4], 1: [1, 1], 2: [2, 2]}, options={"fjords": [0, 18, 24]})
    game.pair(b2=3, a0=4).settle()
    assert game.told("end_called") == [{"type": "end_called", "seat": 1, "last_turns": [2, 0]}]
    assert game.seat == 2
    game.play("draw").settle()
    assert game.seat == 0
    assert game.told("turn_started")[-1]["last"]


@rule("D8.1-the-go-is-played-to-its-end")
def test_go_goes_on() -> None:
    """The first ship calls the end, the second moves and acts all the same."""
    ships: dict[str, Any] = {**landed(a=2), "a2": 33, "b0": 30}
    game = Game.at(ships=ships, hands={0: [1, 6, 4], 1: [1, 1]}).pair(a2=6, b0=1).settle()
    assert game.where("b0") == 31


@rule("D8.1-with-three-ships-home-no-last-turn")
def test_no_last_turn() -> None:
    """In its last turn seat 1 pushes the third ship of seat 2 home, who would have been next."""
    ships: dict[str, Any] = {**landed(a=3, c=2), "b0": 21, "c2": 23}
    game = Game.at(3, ships=ships, hands={1: [2, 2, 2], 2: [5]}, active=1, ender=0, counting=1, queue=(1, 2))
    game.sail("b0", 2).play("push").settle()
    assert game.where("c2") == "home"
    assert game.view(None).end.last_turns == ()
    assert game.over.reason == "ships"


@cases(
    "cards, cited",
    {
        "D8.2-exactly": ([3, 5], None),
        "D8.2-more-than-needed": ([2, 3, 5], None),
        "D8.2-too-few": ([2, 5], "D8.2"),
        "D8.2-not-in-hand": ([8], "D8.2"),
        "D8.2-one-card-twice": ([5, 5], "D8.2"),
    },
)
def test_rush(cards: list[int], cited: str | None) -> None:
    game = last_turn(ships={"a0": 28}, hands={0: [2, 3, 5], 1: [1]})
    assert game.refusal("rush", ship=0, cards=cards) == cited


@rule("D8.2-listed-without-waste")
def test_rushes_listed() -> None:
    game = last_turn(ships={"a0": 28, "a1": 34}, hands={0: [2, 3, 5], 1: [1]})
    assert [(m["ship"], m["cards"]) for m in game.moves("rush")] == [(0, [3, 5]), (1, [2]), (1, [3]), (1, [5])]


@rule("D8.2-in-a-last-turn-only")
def test_rush_too_early() -> None:
    game = Game.at(ships={"a0": 34}, hands={0: [2, 3]})
    assert game.refusal("rush", ship=0, cards=[2]) == "D8.2"
    assert game.moves("rush") == []


@rule("D8.2-past-everything")
def test_rush_past() -> None:
    game = last_turn(ships={"a0": 20}, hands={0: [8, 9], 1: [1]}, towns={28: "ggg"}, cargo={0: ["ss"]})
    game.play("rush", ship=0, cards=[9, 8])
    assert game.where("a0") == "home"
    assert game.told("barrel_moved") == []
    assert game.over.scores == (4, 1)


@cases(
    "cards, bonus",
    {"D8.2-exact-sum": ([3, 5], True), "D8.2-not-exact": ([5, 6], False), "D8.2-with-odin": ([10], True)},
)
def test_rush_bonus(cards: list[int], bonus: bool) -> None:
    game = last_turn(ships={"a0": 28}, hands={0: [3, 5, 6, 10], 1: [1]}).play("rush", ship=0, cards=cards)
    assert game.told("ship_came_home")[0].get("bonus", False) == bonus


@rule("D8.2-a-hidden-ships-cards-count")
def test_rush_hidden() -> None:
    game = last_turn(ships={"a0": "hidden"}, fog={0: (20, [7, 6])}, hands={0: [2, 3, 5], 1: [1]})
    assert [m["cards"] for m in game.moves("rush")] == [[3], [5]]
    assert game.refusal("rush", ship=0, cards=[2]) == "D8.2"
    game.play("rush", ship=0, cards=[3])
    assert game.told("ship_came_home")[0]["bonus"]
    assert game.told("fog_lifted")[0]["cards"] == [7, 6]


@rule("D8.2-hidden-cards-alone-are-not-enough")
def test_rush_hidden_enough() -> None:
    """At least one card comes from the hand."""
    game = last_turn(ships={"a0": "hidden"}, fog={0: (30, [7])}, hands={0: [2, 3], 1: [1]})
    assert [m["cards"] for m in game.moves("rush")] == [[2], [3]]


@rule("D8.2-out-of-the-fjord-but-not-out-of-the-reserve")
def test_rush_fjord() -> None:
    game = last_turn(ships={"a0": "fjord"}, hands={0: [8, 8, 9, 9, 3], 1: [1]})
    assert [m["cards"] for m in game.moves("rush")] == [[3, 8, 8, 9, 9]]
    assert game.refusal("rush", ship=1, cards=[9]) == "D8.2"


@rule("D8.2-or-a-usual-turn")
def test_usual_last_turn() -> None:
    assert {"sail", "draw", "ready_ship"} <= last_turn(ships={"a0": 3}, hands={0: [2, 3], 1: [1]}).kinds()


@rule("D8.2-cards-in-any-order")
def test_rush_orders() -> None:
    one, other = (RULES.decode("sail", {"type": "rush", "ship": 0, "cards": cards}) for cards in ([3, 5], [5, 3]))
    assert RULES.canonical(0, one) == RULES.canonical(0, other)


@rule("D8.3-cargo-at-sea-does-not-count")
def test_cargo_at_sea() -> None:
    game = last_turn(ships={"a0": "home", "a1": 5}, hands={0: [2], 1: [1]}, cargo={0: ["gs", "ggg"]})
    game.play("draw").settle()
    assert game.over.scores[0] == 5


@rule("D8.4-cards-of-the-one-who-ended")
def test_cards_of_ender() -> None:
    game = last_turn(ships={"a0": 5}, hands={0: [2], 1: [1, 9, 10]}).play("draw").settle()
    assert game.over.scores == (0, 20)
    assert game.told("game_ended")[0]["hands"] == [None, [1, 9, 10]]


@rule("D8.4-and-of-those-who-came-home-after")
def test_cards_after() -> None:
    game = last_turn(ships={"a0": 33}, hands={0: [5, 6], 1: [1]}).sail("a0", 5)
    assert game.over.scores == (6, 1)


@rule("D8.4-not-of-those-who-came-home-before")
def test_cards_before() -> None:
    game = last_turn(ships={"a0": "home", "a1": 3}, hands={0: [5, 6], 1: [1]}).play("draw").settle()
    assert game.over.scores == (0, 1)


@rule("D8.4-whoever-moved-it")
def test_cards_moved_by_another() -> None:
    ships: dict[str, Any] = {**landed(a=3), "b0": 21, "c0": 23}
    game = Game.at(3, ships=ships, hands={1: [2, 2, 2], 2: [7, 8]}, active=1, ender=0, counting=1, queue=(1,))
    game.sail("b0", 2).play("push").settle()
    assert game.over.scores[2] == 15


@rule("D8.4-hands-are-shown-at-the-end-if-they-count")
def test_hands_shown() -> None:
    game = last_turn(ships={"a0": 5}, hands={0: [2, 3], 1: [1, 9]})
    assert game.view(None).seats[1].hand is None
    game.play("draw").settle()
    assert [s.hand for s in game.view(None).seats] == [None, (1, 9)]


@cases(
    "scores, ender, winner",
    {
        "D8.5-most-wins": ((["g", "g"], ["s"]), 1, (0,)),
        "D8.5-a-tie-goes-to-the-ender": ((["g"], ["g"]), 1, (1,)),
    },
)
def test_winner(scores: tuple[list[str], list[str]], ender: int, winner: tuple[int, ...]) -> None:
    ships = landed(a=len(scores[0]), b=3)
    game = Game.at(
        ships={**ships, "a2": 3}, hands={0: [5, 4]}, cargo=dict(enumerate(scores)), ender=ender, counting=2, queue=(0,)
    )
    game.play("draw").settle()
    assert game.over.ranking[0] == winner


def tied(players: int = 3, *, coins: dict[int, list[str]], hands: dict[int, list[int]], counting: int) -> Game:
    """The last turn of the last seat, after seat 0, with three ships home, has ended the game."""
    letters = "abcd"[:players]
    ships: dict[str, Any] = {f"{letter}{n}": "home" for letter in letters[1:] for n in range(1)}
    ships |= {**landed(a=3), f"{letters[-1]}2": 3}
    return Game.at(
        players,
        ships=ships,
        hands=hands,
        cargo=coins,
        active=players - 1,
        ender=0,
        counting=counting,
        queue=(players - 1,),
    )


@rule("D8.5-else-to-the-most-coins-without-cards")
def test_tie_by_coins() -> None:
    """Both have eight: seat 1 in coins, seat 2 with a card of 3 in a full hand that draws nothing."""
    hand = [1, 1, 2, 2, 3, 3, 4]
    game = tied(coins={1: ["ggggg"], 2: ["s"]}, hands={0: [], 2: hand}, counting=0b101)
    game.play("draw")
    assert game.over.scores == (0, 15, 18)
    assert game.over.ranking[0] == (2,)
    game = tied(coins={1: ["gggggg"], 2: ["s"]}, hands={0: [], 2: hand}, counting=0b101).play("draw")
    assert game.over.scores == (0, 18, 18)
    assert game.over.ranking == ((1,), (2,), (0,))


@rule("D8.5-equal-coins-share")
def test_shared() -> None:
    game = tied(coins={1: ["gg"], 2: ["gg"]}, hands={0: [], 2: [4]}, counting=1).play("draw").settle()
    assert game.over.ranking == ((1, 2), (0,))


@rule("D8.5-partners-add-up")
def test_teams() -> None:
    game = tied(4, coins={1: ["gg"], 2: ["s"], 3: ["g"]}, hands={0: [], 3: [4]}, counting=1).play("draw").settle()
    assert game.over.ranking == ((1, 3), (0, 2))
    assert game.over.scores == (0, 6, 2, 3)


@rule("D8.5-the-enders-team-wins-a-tie")
def test_team_tie() -> None:
    game = tied(4, coins={0: ["g"], 1: ["gg"], 2: ["gg"], 3: ["g"]}, hands={0: [], 3: [4]}, counting=1)
    game.play("draw").settle()
    assert game.over.ranking == ((0, 2), (1, 3))


@rule("D8.6-after-a-hundred-turns-each")
def test_turn_limit() -> None:
    game = Game.at(ships={"a0": "home", "a1": 3}, hands={1: [9], 0: [9]}, cargo={0: ["g"]}, turns=(100, 99), active=1)
    game.play("draw").settle()
    assert game.over.reason == "turn_limit"
    assert game.over.scores == (3, 0)  # no cards count
    assert game.over.ranking == ((0,), (1,))


@rule("D8.6-the-hundredth-turn-is-played")
def test_hundredth() -> None:
    game = Game.at(ships={"a0": 3}, hands={0: [9], 1: [9]}, turns=(99, 99), active=0)
    game.play("draw").settle()
    assert game.seat == 1
    assert game.context()["turns_left"] == 0


@rule("D8.6-last-turns-are-still-played")
def test_last_turns_after_the_limit() -> None:
    ships = {**landed(b=2), "b2": 14, "a0": 5}
    game = Game.at(ships=ships, hands={0: [2, 2], 1: [5, 9]}, turns=(100, 99), active=1).sail("b2", 5).settle()
    assert game.seat == 0
    game.play("draw").settle()
    assert game.over.reason == "ships"
    assert game.over.scores[1] == 9


# Common rules


@rule("C6-the-partner-resigns-too")
def test_team_resigns() -> None:
    game = Game.at(4, ships={"a0": 3, "b0": 5}, hands={0: [2, 3], 1: [4]}).resign(2)
    assert game.told("seat_resigned") == [{"type": "seat_resigned", "seat": 2, "seats": [0, 2]}]
    assert game.over.reason == "last_seat"
    assert game.over.ranking == ((1, 3), (0, 2))


@rule("C7-a-fight-may-be-left-undecided")
def test_stopped_fight() -> None:
    """Both ships stay on the cell where the last enemy gave up."""
    game = Game.at(ships={"a0": 3, "b0": 5}, hands={0: [2, 4, 5], 1: [6, 1]}).sail("a0", 2).play("attack").resign(1)
    assert game.over.ranking == ((0,), (1,))
    assert game.where("a0") == game.where("b0") == 5
    assert game.combats[1]["status"] == "abandoned"


@rule("C6-defaults-go-on")
def test_defaults() -> None:
    """In the midst of its own go, then in a fight that another starts."""
    game = Game.at(3, ships={"a0": 3, "b0": 5, "c0": 20}, hands={0: [2, 4], 1: [6, 1], 2: [1]}, towns={5: "ggg"})
    game.sail("a0", 2).resign(0).settle()
    assert game.told("ship_pushed")[0]["defaulted"]
    assert game.told("coins_looted")[0]["defaulted"]
    assert game.seat == 1


@cases(
    "hand, kind",
    {"C6-barrel-the-lower-value": ([1, 3, 5], "barrel_moved"), "C6-loot-coins": ([1, 3, 5], "coins_looted")},
)
def test_raid_by_default(hand: list[int], kind: str) -> None:
    game = Game.at(3, ships={"a0": 1, "b0": 9, "c0": 20}, hands={0: hand, 1: [1]}, towns={5: "ggg"}, barrel=7)
    game.play("boost", ship=0, card=1).resign(0).settle()
    assert game.told(kind)[0]["defaulted"]
    assert game.told("barrel_moved")[0]["by"] == 1


@rule("C6-the-highest-cards-of-a-choice")
def test_choice_by_default() -> None:
    game = Game.at(3, ships={"a0": 4, "c0": 20}, hands={0: [1, 2], 1: [1]}, towns={5: ""}, barrel=2, discard=[8, 9])
    game.sail("a0", 1).resign(0)
    assert game.hand(0) == [2, 8, 9]


@rule("C6-the-lowest-card-in-a-fight")
def test_fight_by_default() -> None:
    game = Game.at(3, ships={"a0": 3, "b0": 5, "c0": 20}, hands={0: [2, 5, 6], 1: [4, 3]}).sail("a0", 2).play("attack")
    game.resign(1).play("play", card=6)
    assert game.told("cards_revealed")[0]["defender_card"] == 3
    assert game.told("cards_revealed")[0]["defaulted"] == [1]


@rule("C6-a-sealed-card-stands")
def test_sealed_stands() -> None:
    game = Game.at(3, ships={"a0": 3, "b0": 5, "c0": 20}, hands={0: [2, 5, 6], 1: [4, 3]}).sail("a0", 2).play("attack")
    game.play("play", seat=1, card=4).resign(1).play("play", card=6)
    assert game.told("cards_revealed")[0]["defender_card"] == 4


@rule("C6-the-ender-who-resigned-breaks-no-tie")
def test_ender_resigned() -> None:
    game = tied(coins={1: ["gg"], 2: ["gg"]}, hands={0: [], 2: [4]}, counting=1)
    game.resign(0).play("draw").settle()
    assert game.over.ranking == ((1, 2), (0,))
