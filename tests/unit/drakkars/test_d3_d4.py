"""D3 and D4: moving, and what a go may be."""

from __future__ import annotations

from typing import Any

from holmgang.games.drakkars.rules.coast import FJORD, distance
from tests.unit.marks import cases, rule

from .coasts import RULES
from .playing import Game, refs


@rule("D3-ships-go-round-once")
def test_round() -> None:
    game = Game.at(ships={"b0": 15}, active=1, hands={1: [2, 3]}).sail("b0", 3)
    assert game.where("b0") == "home"


@cases("steps, end", {"D3.1-one-step-leads-to-f": (1, 0), "D3.1-eight": (8, 7)})
def test_out_of_the_fjord(steps: int, end: int) -> None:
    assert Game.at(ships={"a0": "fjord"}, hands={0: [steps, 2]}).sail("a0", steps).where("a0") == end


@cases(
    "fjord, place, home",
    {
        "D3.2-just-before": (18, 17, 1),
        "D3.2-just-after": (18, 18, 36),
        "D3.2-over-zero": (5, 30, 11),
        "D3.2-from-the-fjord": (18, FJORD, 37),
    },
)
def test_way_home(fjord: int, place: int, home: int) -> None:
    assert distance(fjord, place) == home


@rule("D3.2-carried-back-past-its-start")
def test_no_laps() -> None:
    game = Game.at(ships={"a0": 2, "b0": 9}, hands={0: [2, 7]}).back("a0").settle()
    assert game.where("a0") == 33
    assert game.view(0).seats[0].ships[0].way_home == 3


@cases("card, place", {"D3.3-exactly": (5, "home"), "D3.3-spare-steps": (9, "home"), "D3.3-too-short": (4, 35)})
def test_coming_home(card: int, place: int | str) -> None:
    assert Game.at(ships={"a0": 31}, hands={0: [card, 1]}).sail("a0", card).where("a0") == place


@cases(
    "ships, launches",
    {
        "D3.4-empty-fjord": ({"a0": 3}, True),
        "D3.4-ship-in-the-fjord": ({"a0": "fjord"}, False),
        "D3.4-none-in-reserve": ({"a0": 3, "a1": 5, "a2": "hidden"}, False),
    },
)
def test_launching(ships: dict[str, Any], launches: bool) -> None:
    fog = {0: (9, [1])} if "a2" in ships else {}
    game = Game.at(ships=ships, hands={0: [8, 5]}, fog=fog)
    assert game.refusal("ready_ship") == (None if launches else "D4.3")
    assert game.refusal("launch", card=5) == (None if launches else "D3.4")
    assert bool(game.kinds() & {"ready_ship", "launch"}) == launches


@rule("D3.4-a-destroyed-ship-is-launched-again")
def test_launch_destroyed() -> None:
    game = Game.at(ships={"a0": 3, "b0": 5}, hands={0: [2, 9, 1], 1: [3, 4]})
    game.sail("a0", 2).play("attack").cards({0: 9, 1: 4})
    assert game.where("b0") == "reserve"
    assert game.refusal("ready_ship") is None


@rule("D4-one-action-a-go")
def test_one_action() -> None:
    game = Game.at(ships={"a0": 3}, hands={0: [2, 9], 1: [1]})
    game.sail("a0", 2).settle()
    assert game.state.active == 1
    game.play("draw").settle()
    assert game.state.active == 0
    assert [told["number"] for told in game.told("turn_started")] == [2, 2, 3]


@rule("D4.1-a-card-moves-a-ship-its-value")
def test_sail() -> None:
    game = Game.at(ships={"a0": 3, "a1": 9}, hands={0: [2, 6]}).sail("a1", 6)
    assert (game.where("a1"), game.where("a0")) == (15, 3)
    assert game.state.discard[6 - 1] == 1
    assert game.told("cards_played") == [{"type": "cards_played", "seat": 0, "action": "sail", "cards": [6]}]


@cases(
    "action, cited",
    {
        "D4.1-no-such-card": ({"ship": 0, "card": 5}, "D4.1"),
        "D4.1-ship-in-reserve": ({"ship": 1, "card": 2}, "D4.1"),
        "D4.1-hidden-ship": ({"ship": 2, "card": 2}, "D4.1"),
        "D4.1-steps-without-odin": ({"ship": 0, "card": 2, "steps": 2}, "D4.1"),
        "D4.1-odin-without-steps": ({"ship": 0, "card": 10}, "D4.1"),
        "D4.1-odin-too-far": ({"ship": 0, "card": 10, "steps": 11}, "D4.1"),
        "D4.1-odin-as-far-as-ten": ({"ship": 0, "card": 10, "steps": 10}, None),
    },
)
def test_refused_sails(action: dict[str, Any], cited: str | None) -> None:
    game = Game.at(ships={"a0": 3, "a2": "hidden"}, fog={0: (9, [1])}, hands={0: [2, 10]})
    assert game.refusal("sail", **action) == cited


@rule("D4.1-odin-goes-one-to-ten")
def test_odin() -> None:
    game = Game.at(ships={"a0": 3}, hands={0: [10]})
    assert [m["steps"] for m in game.moves("sail")] == list(range(1, 11))
    assert game.sail("a0", 10, steps=4).where("a0") == 7


@rule("D4.2-the-two-cards-of-a-pair-only")
def test_pairs_of_cards() -> None:
    ships: dict[str, Any] = {"a0": 3, "a1": 20, "b0": 9}
    combos = {"swap": [10, 5], "fog": [9, 4], "back": [7, 2], "pair": [1, 6]}
    for kind, cards in combos.items():
        for lacking in ([], cards[:1], cards[1:]):
            hand = [card for card in (1, 2, 4, 5, 6, 7, 9, 10) if card not in lacking]
            game = Game.at(ships=ships, hands={0: hand[-7:] if lacking else cards})
            assert (kind in game.kinds()) == (not lacking), (kind, lacking)


@rule("D4.2-both-cards-are-discarded")
def test_both_discarded() -> None:
    game = Game.at(ships={"a0": 3, "b0": 9}, hands={0: [2, 7, 8]}).back("b0")
    assert game.hand(0) == [8]
    assert game.state.discard == (0, 1, 0, 0, 0, 0, 1, 0, 0, 0)


@rule("D4.2.1-any-two-ships-exchange-places")
def test_swap() -> None:
    game = Game.at(3, ships={"a0": 3, "b0": 9, "c0": 30}, hands={0: [5, 10, 1], 1: [1]}).swap("b0", "c0")
    assert (game.where("b0"), game.where("c0"), game.where("a0")) == (30, 9, 3)
    assert game.state.active == 1  # nobody's ship acted
    assert game.told("card_drawn") == []


@rule("D4.2.1-own-ships-act-in-the-order-named")
def test_swap_own() -> None:
    """Ship 1 comes to the town, ship 0 to the open sea."""
    position: dict[str, Any] = {"ships": {"a0": 3, "a1": 9}, "hands": {0: [5, 10, 1]}, "towns": {3: "gg"}}
    one = Game.at(**position).swap("a0", "a1")
    assert one.kind == "chance card"  # a0 on cell 9 draws first
    other = Game.at(**position).swap("a1", "a0")
    assert other.kind == "barrel"
    assert other.context()["values"].keys() == {"5", "10"}


@rule("D4.2.1-orders-that-are-the-same")
def test_swap_orders() -> None:
    def plain(seat: int, *names: str) -> Any:
        return RULES.canonical(seat, RULES.decode("sail", {"type": "swap", "ships": refs(*names)}))

    assert plain(0, "b0", "a0") == plain(0, "a0", "b0")
    assert plain(0, "b1", "b0") == plain(0, "b0", "b1")
    assert plain(1, "b1", "b0") != plain(1, "b0", "b1")
    game = Game.at(ships={"a0": 3, "a1": 9, "b0": 20, "b1": 22}, hands={0: [5, 10]})
    assert len(game.moves("swap")) == 6 + 1
    assert game.refusal("swap", ships=refs("b1", "a0")) is None


@cases(
    "names, cited",
    {
        "D4.2.1-not-with-itself": (("a0", "a0"), "D4.2.1"),
        "D4.2.1-not-into-a-fjord": (("a0", "b1"), "D4.2.1"),
        "D4.2.1-not-out-of-home": (("b2", "a0"), "D4.2.1"),
        "D4.2.1-no-such-seat": (("a0", "d0"), "D4.2.1"),
        "D4.2.1-two-at-sea": (("a0", "b0"), None),
    },
)
def test_refused_swaps(names: tuple[str, str], cited: str | None) -> None:
    game = Game.at(ships={"a0": 3, "b0": 9, "b1": "fjord", "b2": "home"}, hands={0: [5, 10]})
    assert game.refusal("swap", ships=refs(*names)) == cited


@cases(
    "number, cited",
    {
        "D4.2.2-an-own-ship": (0, None),
        "D4.2.2-in-its-fjord": (1, None),
        "D4.2.2-not-in-reserve": (2, "D7.1"),
    },
)
def test_fog(number: int, cited: str | None) -> None:
    game = Game.at(ships={"a0": 3, "a1": "fjord"}, hands={0: [4, 9]})
    assert game.refusal("fog", ship=number) == cited


@rule("D4.2.2-not-without-both-cards")
def test_fog_cards() -> None:
    assert Game.at(ships={"a0": 3}, hands={0: [4, 8]}).refusal("fog", ship=0) == "D4.2.2"


@cases(
    "start, end",
    {"D4.2.3-five-back": (20, 15), "D4.2.3-past-fjords-and-zero": (2, 33), "D4.2.3-never-into-one": (18, 13)},
)
def test_back(start: int, end: int) -> None:
    game = Game.at(ships={"a0": 8, "b0": start}, hands={0: [2, 7], 1: [1]}).back("b0")
    assert game.where("b0") == end
    assert game.state.active == 1
    assert game.told("ship_moved")[0]["steps"] == -5


@rule("D4.2.3-an-own-ship-acts")
def test_back_own() -> None:
    game = Game.at(ships={"a0": 20}, hands={0: [2, 7]}, decks={0: [4]}).back("a0").draw(4)
    assert game.hand(0) == [4]


@rule("D4.2.3-not-from-a-fjord")
def test_back_fjord() -> None:
    game = Game.at(ships={"a0": "fjord", "b0": 9}, hands={0: [2, 7]})
    assert game.refusal("back", ship=refs("a0")[0]) == "D4.2.3"
    assert game.moves("back") == [{"type": "back", "ship": refs("b0")[0]}]


@rule("D4.2.4-one-after-the-other")
def test_pair() -> None:
    game = Game.at(ships={"a0": 3, "a1": "fjord"}, hands={0: [1, 6]}, decks={0: [4, 5]})
    game.pair(a1=2, a0=5)
    assert (game.where("a1"), game.where("a0")) == (1, 3)  # the first acts completely before the second moves
    game.draw(5)
    assert game.where("a0") == 8
    game.draw(4)
    assert game.hand(0) == [4, 5]
    assert game.state.active == 1


@rule("D4.2.4-anyones-ships")
def test_pair_others() -> None:
    game = Game.at(3, ships={"a0": 3, "b0": 20, "c0": "fjord"}, hands={0: [1, 6], 1: [1]}).pair(b0=4, c0=3)
    assert (game.where("b0"), game.where("c0")) == (24, 26)
    assert game.state.active == 1


@rule("D4.2.4-shares-and-orders")
def test_pair_moves() -> None:
    game = Game.at(ships={"a0": 3, "b0": 9, "b1": 12}, hands={0: [1, 6]})
    assert len(game.moves("pair")) == 3 * 2 * 6
    assert {tuple(stint["steps"] for stint in m["moves"]) for m in game.moves("pair")} == {
        (1, 6), (2, 5), (3, 4), (4, 3), (5, 2), (6, 1)
    }  # fmt: skip


@cases(
    "steps, cited",
    {
        "D4.2.4-six-in-all": ({"a0": 1, "b0": 5}, "D4.2.4"),
        "D4.2.4-not-from-the-reserve": ({"a0": 1, "a1": 6}, "D4.2.4"),
        "D4.2.4-no-such-seat": ({"a0": 1, "c0": 6}, "D4.2.4"),
        "D4.2.4-seven-in-all": ({"a0": 4, "b0": 3}, None),
    },
)
def test_refused_pairs(steps: dict[str, int], cited: str | None) -> None:
    game = Game.at(ships={"a0": 3, "b0": 9}, hands={0: [1, 6]})
    assert game.refusal("pair", moves=[{**refs(n)[0], "steps": s} for n, s in steps.items()]) == cited


@rule("D4.2.4-one-ship-is-not-two")
def test_pair_same() -> None:
    game = Game.at(ships={"a0": 3, "b0": 9}, hands={0: [1, 6]})
    moves = [{**refs("a0")[0], "steps": 1}, {**refs("a0")[0], "steps": 6}]
    assert game.refusal("pair", moves=moves) == "D4.2.4"


@rule("D4.2.4-a-second-ship-no-longer-at-sea-stays")
def test_pair_second_gone() -> None:
    """The first pushes the second home."""
    game = Game.at(ships={"a0": 16, "b0": 17}, hands={0: [1, 6], 1: [1]}).pair(a0=1, b0=6).settle()
    assert game.where("b0") == "home"
    assert game.told("ship_stayed") == [{"type": "ship_stayed", "owner": 1, "ship": 0}]
    assert game.state.active == 1


@rule("D4.2.4-a-ship-may-come-home-by-it")
def test_pair_home() -> None:
    game = Game.at(ships={"a0": 34, "b0": 14}, hands={0: [1, 6], 1: [1]}).pair(a0=3, b0=4).settle()
    assert (game.where("a0"), game.where("b0")) == ("home", "home")


@rule("D4.2.5-launch-and-move-at-once")
def test_launch() -> None:
    game = Game.at(ships={"a0": 3}, hands={0: [5, 8]}, decks={0: [1]}).play("launch", card=5)
    assert game.where("a1") == 4
    assert game.draw(1).hand(0) == [1]


@cases(
    "kind, more, card, cited",
    {
        "D4.2.5-not-with-tyr": ("launch", {}, 8, "D4.2.5"),
        "D4.2.5-not-with-njord": ("launch", {}, 3, "D4.2.5"),
        "D4.2.5-with-freyr": ("launch", {}, 1, None),
        "D4.2.5-not-in-hand": ("launch", {}, 4, "D4.2.5"),
        "D4.2.6-not-with-njord": ("boost", {"ship": 0}, 3, "D4.2.6"),
        "D4.2.6-not-with-tyr": ("boost", {"ship": 0}, 8, "D4.2.6"),
        "D4.2.6-with-freyr": ("boost", {"ship": 0}, 1, None),
        "D4.2.6-not-another-ship": ("boost", {"ship": 1}, 1, "D4.2.6"),
        "D4.2.7-launch-with-odin": ("launch", {"steps": 10}, 10, None),
        "D4.2.7-launch-not-eleven": ("launch", {"steps": 11}, 10, "D4.2.7"),
        "D4.2.7-launch-without-steps": ("launch", {}, 10, "D4.2.7"),
        "D4.2.7-boost-from-four": ("boost", {"ship": 0, "steps": 4}, 10, None),
        "D4.2.7-boost-not-three": ("boost", {"ship": 0, "steps": 3}, 10, "D4.2.7"),
        "D4.2.7-boost-to-thirteen": ("boost", {"ship": 0, "steps": 13}, 10, None),
        "D4.2.7-no-steps-without-odin": ("boost", {"ship": 0, "steps": 4}, 1, "D4.2.7"),
    },
)
def test_combined(kind: str, more: dict[str, Any], card: int, cited: str | None) -> None:
    game = Game.at(ships={"a0": 3}, hands={0: [1, 3, 3, 8, 8, 10]})
    assert game.refusal(kind, card=card, **more) == cited
    listed = {**more, "type": kind, "card": card} in game.moves()
    assert listed == (cited is None)


@rule("D4.2.6-three-more")
def test_boost() -> None:
    game = Game.at(ships={"a0": 3}, hands={0: [3, 5]}).play("boost", ship=0, card=5)
    assert game.where("a0") == 11
    assert sum(game.state.discard) == 2


@rule("D4.2.7-odin-moves-by-steps")
def test_odin_combined() -> None:
    game = Game.at(ships={"a0": 3}, hands={0: [3, 10]}).play("boost", ship=0, card=10, steps=12)
    assert game.where("a0") == 15
    game = Game.at(ships={"a0": 3}, hands={0: [8, 10]}).play("launch", card=10, steps=2)
    assert game.where("a1") == 1


@rule("D4.3-draw-two-of-the-middle")
def test_pass() -> None:
    game = Game.at(ships={"a0": 3}, hands={0: [1]}, decks={0: [2]}, central=[4, 6, 8])
    game.play("draw").draw(8, 4)
    assert game.hand(0) == [1, 4, 8]
    assert [told.get("card") for told in game.told("card_drawn", 1)] == [None, None]
    assert [told["pile"] for told in game.told("card_drawn")] == ["central", "central"]


@rule("D4.3-drawing-with-seven-cards-draws-nothing")
def test_pass_full() -> None:
    game = Game.at(ships={"a0": 3}, hands={0: [1, 1, 2, 2, 4, 5, 5], 1: [1]}).play("draw")
    assert (game.state.active, len(game.hand(0))) == (1, 7)


@rule("D4.3-launch-a-ship")
def test_ready_ship() -> None:
    game = Game.at(ships={"a0": 3}, hands={0: [1], 1: [1]}).play("ready_ship")
    assert (game.where("a1"), game.state.active) == ("fjord", 1)
    assert game.hand(0) == [1]


@rule("D4.4-without-cards-only-pass")
def test_no_cards() -> None:
    game = Game.at(ships={"a0": 3, "a1": "hidden"}, fog={0: (9, [10])}, hands={1: [1]})
    assert game.kinds() == {"draw", "ready_ship"}


@rule("D4.4-and-what-everybody-can-tell-is-forced")
def test_forced_draw() -> None:
    game = Game.at(ships={"a0": 3, "a1": "fjord"}, hands={1: [1]}).settle()
    assert game.told("passed") == [{"type": "passed", "seat": 0, "forced": True}]
    assert len(game.hand(0)) == 2
    assert game.seat == 1


@rule("D4.5-own-deck-then-the-middle")
def test_own_deck_first() -> None:
    game = Game.at(ships={"a0": 3}, hands={0: [1, 2]}, decks={0: [7]}, central=[4, 4]).sail("a0", 1).draw(7)
    assert game.told("card_drawn", 1) == [{"type": "card_drawn", "seat": 0, "pile": "deck"}]
    game = Game.at(ships={"a0": 3}, hands={0: [1, 2]}, central=[4, 4]).sail("a0", 1).draw(4)
    assert game.hand(0) == [2, 4]


@rule("D4.5-the-discard-becomes-the-middle")
def test_renewed() -> None:
    game = Game.at(ships={"a0": 3}, hands={0: [1]}, decks={1: [*range(1, 11)]}, central=[4])
    discards = sum(game.state.discard)
    game.play("draw").draw(4)
    assert game.told("pile_renewed") == [{"type": "pile_renewed", "cards": discards}]
    assert sum(game.state.discard) == 0
    game.settle()
    assert sum(game.state.central) == discards - 1


@rule("D4.5-nothing-left")
def test_nothing_left() -> None:
    """All forty cards are in hands, decks and under the fog but those that are given here."""
    game = Game.at(
        ships={"a0": 3, "b0": 9},
        hands={0: [1] * 4 + [2] * 3, 1: [2] + [3] * 4 + [4, 4]},
        decks={0: [*range(5, 11)], 1: [*range(5, 11)]},
        central=[],
    )
    everything = game.state.discard
    assert sum(everything) == 40 - 14 - 12
    game.play("draw")  # a full hand: nothing is drawn, nothing is renewed
    assert game.state.discard == everything
    assert game.state.active == 1
