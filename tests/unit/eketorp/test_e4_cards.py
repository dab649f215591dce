"""E4.3 to E4.6: amulets, cards, hospital and the swap."""

from __future__ import annotations

from holmgang.engine.turn import Await
from tests.unit.marks import cases, rule

from .table import TWO_ON_C, Table


@cases(
    "amulets, hand, asked",
    {
        "E4.3-four-cards-four-amulets": (4, 4, True),
        "E4.3-four-cards-three-amulets": (3, 4, False),
        "E4.3-four-cards-five-amulets": (5, 4, True),
        "E4.3-two-cards-two-amulets": (2, 2, True),
        "E4.3-two-cards-one-amulet": (1, 2, False),
        "E4.3-one-card-one-amulet": (1, 1, True),
        "E4.3-no-amulet": (0, 1, False),
    },
)
def test_who_can_pay(amulets: int, hand: int, asked: bool) -> None:
    table = Table(3, amulets={0: amulets}, hands={0: [2] * hand}, piles={0: [3] * (4 - hand)})
    table.march(TWO_ON_C)
    assert (table.kind == "amulets") is asked
    if asked:
        assert table.turn.seats == (0,)
        assert len(table.moves(0)) >= 2


@rule("E4.3-first-the-attacker-then-the-defender")
def test_order_of_amulets() -> None:
    for first in (0, 1):
        table = Table(3, first=first, amulets={0: 5, 1: 5})
        table.march(TWO_ON_C)
        seats = [table.turn.seats]
        table.play(first, type="stand")
        seats.append(table.turn.seats)
        table.play(1 - first, type="stand")
        assert seats == [(first,), (1 - first,)]
        assert table.turn == Await(turn=4, kind="battle_card", seats=(0, 1), sealed=True)


@rule("E4.3-before-the-cards")
def test_amulets_before_cards() -> None:
    table = Table(3, amulets={0: 5, 1: 5})
    table.march(TWO_ON_C)
    assert table.is_refused(0, type="play", card=2)


@rule("E4.3-whole-hand-one-amulet-a-card")
def test_exchange() -> None:
    table = Table(3, amulets={0: 5}, hands={0: [1, 1, 2], 1: [2, 3, 4, 5]}, piles={0: [6]})
    before = sum(table.deck.values())
    table.march(TWO_ON_C)
    table.play(0, type="exchange")
    stops = []
    while table.kind == "chance":
        stops.append(table.turn.stop)
        table.chance(table.turn.stop - 1)
    assert stops == [before, before - 1, before - 2]
    assert table.hand(0) == [6, 6, 6]
    assert table.pile(0) == [6]
    assert table.amulets(0) == 2
    assert sum(table.deck.values()) == before - 3
    assert table.discards == {1: 2, 2: 1}
    assert table.kind == "battle_card", "two amulets do not pay for three cards"


@rule("E4.3-as-often-as-they-can-pay")
def test_repeated_exchange() -> None:
    table = Table(3, amulets={0: 5}, hands={0: [1, 2]}, piles={0: [3, 4]})
    table.march(TWO_ON_C)
    for left in (3, 1):
        assert table.turn == Await(turn=table.turn.turn, kind="amulets", seats=(0,), sealed=False)
        table.play(0, type="exchange")
        table.settle()
        assert table.amulets(0) == left
    assert table.kind == "battle_card"
    assert table.combat["amulets"] == {"attacker": 4, "defender": 0}


@rule("E4.3-the-defender-too")
def test_defender_exchanges() -> None:
    table = Table(3, amulets={1: 4})
    table.march(TWO_ON_C)
    assert table.turn.seats == (1,)
    table.play(1, type="exchange")
    table.settle()
    assert table.amulets(1) == 0
    assert table.combat["amulets"] == {"attacker": 0, "defender": 4}


@rule("E4.3-swapped-cards-leave-the-game-face-down")
def test_swapped_cards_are_hidden() -> None:
    table = Table(3, amulets={0: 4}, hands={0: [1, 1, 1, 1]})
    table.march(TWO_ON_C)
    table.play(0, type="exchange")
    table.settle()
    assert table.discards == {1: 4}
    for seat in (None, 1, 2):
        for told in table.told("hand_exchanged", seat):
            assert not told.get("cards")
    assert table.told("hand_exchanged", 0)[-1]["cards"]


@rule("E4.3-cannot-pay-cannot-exchange")
def test_cannot_pay() -> None:
    table = Table(3, amulets={0: 3})
    table.march(TWO_ON_C)
    assert table.is_refused(0, type="exchange")


@rule("E4.3-stand-until-the-round-ends")
def test_standing_order() -> None:
    table = Table(3, amulets={0: 5})
    table.march({0: "C D", 1: "C D"})
    table.fight(0, "C", 1)
    table.play(0, type="stand", until="round")
    table.cards({0: 5, 1: 2})
    assert table.kind == "battle_card", "the second fight of the round asks nobody for amulets"
    assert [told["seat"] for told in table.told("stood") if told.get("forced") and told["combat"] == 2] == [1, 0]


@rule("E4.3-a-standing-order-ends-with-its-round")
def test_standing_order_ends() -> None:
    table = Table(3, amulets={0: 4}, hands={0: [6, 5, 5]}, piles={0: [5]})
    table.march(TWO_ON_C)
    table.play(0, type="stand", until="round")
    table.cards({0: 6, 1: 2})
    table.settle()
    table.march(TWO_ON_C)
    assert (table.kind, table.turn.seats) == ("amulets", (0,))


@rule("E4.3-a-plain-stand-holds-for-this-fight-only")
def test_plain_stand() -> None:
    table = Table(3, amulets={0: 5})
    table.march({0: "C D", 1: "C D"})
    table.fight(0, "C", 1)
    table.play(0, type="stand")
    table.cards({0: 5, 1: 2})
    assert (table.kind, table.turn.seats) == ("amulets", (0,))


@rule("E4.3-until-what")
def test_unknown_standing_order() -> None:
    table = Table(3, amulets={0: 5})
    table.march(TWO_ON_C)
    table.malformed(0, type="stand", until="game")


@cases(
    "mine, theirs, winner, difference",
    {
        "E4.4-example-3-against-5": (3, 5, 1, 2),
        "E4.4-higher-attacker": (6, 4, 0, 2),
        "E4.4-higher-by-one": (3, 2, 0, 1),
        "E4.4-lower-by-five": (1, 6, 1, 5),
        "E4.4-equal": (4, 4, None, 0),
    },
)
def test_cards(mine: int, theirs: int, winner: int | None, difference: int) -> None:
    table = Table(3, hands={0: [mine, 1, 6, 6], 1: [theirs, 1, 1, 6]})
    table.march(TWO_ON_C)
    table.cards({0: mine, 1: theirs})
    combat = table.combats[1]
    assert combat["cards"] == {"attacker": mine, "defender": theirs}
    assert (combat["winner"], combat["difference"]) == (winner, difference)
    assert combat["status"] == "resolved"


@rule("E4.4-revealed-together")
def test_sealed_cards() -> None:
    table = Table(3)
    table.march(TWO_ON_C)
    table.play(1, type="play", card=3)
    assert table.combat["cards"] is None or set(table.combat["cards"].values()) == {None}
    assert table.told("cards_revealed") == []
    assert table.turn == Await(turn=2, kind="battle_card", seats=(0,), sealed=True)
    table.play(0, type="play", card=2)
    assert len(table.told("cards_revealed")) == 1


@cases("card", {"E4.4-a-card-not-in-hand": 6, "E4.4-another-card-not-in-hand": 1})
def test_card_not_in_hand(card: int) -> None:
    table = Table(3, hands={0: [2, 3, 4, 5]})
    table.march(TWO_ON_C)
    assert table.refusal(0, type="play", card=card) == "E4.4"


@cases("card", {"E4.4-no-7": 7, "E4.4-no-0": 0, "E4.4-no-text": "5"})
def test_no_card(card: object) -> None:
    table = Table(3)
    table.march(TWO_ON_C)
    table.malformed(0, type="play", card=card)


@rule("E4.4-only-hand-cards-not-the-pile")
def test_pile_is_not_the_hand() -> None:
    table = Table(3, hands={0: [2, 3]}, piles={0: [6, 6]})
    table.march(TWO_ON_C)
    assert table.refusal(0, type="play", card=6) == "E4.4"
    assert [move["card"] for move in table.moves(0)] == [2, 3]


@cases(
    "mine, theirs, wounded",
    {
        "E4.5-example-difference-2": (3, 5, {0: "12"}),
        "E4.5-difference-1": (4, 3, {1: "12"}),
        "E4.5-difference-2": (5, 3, {1: "12"}),
        "E4.5-difference-3": (5, 2, {1: "345"}),
        "E4.5-difference-4": (6, 2, {1: "345"}),
        "E4.5-difference-5": (6, 1, {1: "345"}),
        "E4.5-attacker-loses-by-1": (1, 2, {0: "12"}),
        "E4.5-attacker-loses-by-3": (3, 6, {0: "345"}),
        "E4.5-tie-of-1": (1, 1, {0: "0", 1: "0"}),
        "E4.5-tie-of-6": (6, 6, {0: "0", 1: "0"}),
    },
)
def test_hospital(mine: int, theirs: int, wounded: dict[int, str]) -> None:
    """The fight on C comes first; one on D keeps the round from ending."""
    table = Table(3, hands={0: [mine, 1, 6, 6], 1: [theirs, 1, 1, 6]})
    table.march({0: "C", 1: "C D", 2: "D"})
    table.fight(0, "C", 1)
    table.cards({0: mine, 1: theirs})
    assert table.combat["space"] == "D"
    for seat in (0, 1):
        assert table.hospital(seat) == ({wounded[seat]: 1} if seat in wounded else {})
    assert table.vikings("C") == {seat: 1 for seat in (0, 1) if seat not in wounded}
    told = {(one["seat"], one["station"]) for one in table.combats[1]["wounded"]}
    assert told == set(wounded.items())


@rule("E4.5-one-viking-only")
def test_one_viking_is_wounded() -> None:
    table = Table(3)
    table.march({0: "C3", 1: "C3 D", 2: "D"})
    table.fight(0, "C", 1)
    table.cards({0: 5, 1: 2})
    assert table.vikings("C") == {0: 3, 1: 2}


@rule("E4.6-each-gets-the-other-card-on-their-pile")
def test_swap() -> None:
    table = Table(3, hands={0: [2, 3, 4], 1: [3, 4, 5]}, piles={0: [1], 1: [6]})
    table.march({0: "C", 1: "C D", 2: "D"})
    table.fight(0, "C", 1)
    table.cards({0: 2, 1: 5})
    assert (table.hand(0), table.pile(0)) == ([3, 4], [1, 5])
    assert (table.hand(1), table.pile(1)) == ([3, 4], [6, 2])


@rule("E4.6-after-a-tie-too")
def test_swap_after_tie() -> None:
    table = Table(3, hands={0: [2, 3, 4, 4], 1: [3, 4, 5, 5]})
    table.march({0: "C", 1: "C D", 2: "D"})
    table.fight(0, "C", 1)
    table.cards({0: 3, 1: 3})
    assert (table.pile(0), table.pile(1)) == ([3], [3])


@rule("E4.6-the-pile-is-open-to-all")
def test_open_pile() -> None:
    table = Table(3)
    table.march(TWO_ON_C)
    table.cards({0: 2, 1: 5})
    table.settle()
    for seat in (None, 0, 1, 2):
        assert table.seen_piles(seat) == {0: [5], 1: [2], 2: []}


@rule("E4.6-an-empty-hand-takes-up-its-pile")
def test_refill() -> None:
    table = Table(3, hands={0: [6]}, piles={0: [2, 1, 4]})
    table.march({0: "C", 1: "C D", 2: "D"})
    table.fight(0, "C", 1)
    table.cards({1: 3})
    assert (table.hand(0), table.pile(0)) == ([1, 2, 3, 4], [])
    assert (len(table.hand(1)), table.pile(1)) == (3, [6])


@rule("E4.6-not-before-the-hand-is-empty")
def test_no_early_refill() -> None:
    table = Table(3, hands={0: [6, 5]}, piles={0: [2, 1]})
    table.march({0: "C", 1: "C D", 2: "D"})
    table.fight(0, "C", 1)
    table.cards({0: 6, 1: 3})
    assert (table.hand(0), table.pile(0)) == ([5], [2, 1, 3])


@rule("E4.6-hospital-then-cards-then-loot")
def test_order_after_a_fight() -> None:
    table = Table(3, walls={1: {3: "g"}}, hands={0: [6], 1: [5, 1, 1, 1]}, piles={0: [2, 1, 4]})
    table.march({0: "1:boat"})
    table.cards({1: 5})
    assert table.kind == "loot"
    assert table.hospital(1) == {"0": 1}
    assert table.hand(0) == [1, 2, 4, 5]
    assert table.pile(1) == [6]
    order = [told["type"] for told in table.effects]
    assert order.index("viking_wounded") < order.index("hand_refilled")
    table.play(0, type="decline")
    order = [told["type"] for told in table.effects]
    assert order.index("hand_refilled") < order.index("loot_declined")
