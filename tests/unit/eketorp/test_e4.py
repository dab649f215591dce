"""E4.1 to E4.6 and E4.8: where and in which order it comes to fights, amulets, cards, hospital and the swap."""

from __future__ import annotations

from typing import Any

from service.engine.turn import Await

from .rule_ids import cases, rule
from .table import Table


@rule("E4-a-round-without-fights-goes-on-to-building")
def test_no_fights() -> None:
    table = Table(3, fields={"A": "g"})
    table.march({0: "A"})
    assert table.kind == "building"
    assert table.told("fight_started") == table.told("siege_started") == []


@rule("E4-all-fights-come-before-building")
def test_fights_first() -> None:
    table = Table(3, fields={"A": "g", "C": ""})
    table.march({0: "A C", 1: "C"})
    assert table.kind == "battle_card"
    table.cards({0: 2, 1: 3})
    assert table.kind == "building"


@cases(
    "stones, errands, contested",
    {
        "E4.1-example-C-stones-enough-for-all": ("ggg", {0: "C", 1: "C", 2: "C"}, False),
        "E4.1-example-D-one-clan-only": ("g", {0: "C3"}, False),
        "E4.1-example-two-clans-and-too-few-stones": ("gg", {0: "C2", 1: "C"}, True),
        "E4.1-as-many-stones-as-vikings": ("gw", {0: "C", 1: "C"}, False),
        "E4.1-one-stone-two-clans": ("g", {0: "C", 1: "C"}, True),
        "E4.1-no-stone-two-clans": ("", {0: "C", 1: "C"}, True),
        "E4.1-no-stone-one-clan": ("", {0: "C4"}, False),
        "E4.1-more-stones-than-vikings": ("gggg", {0: "C", 1: "C2"}, False),
    },
)
def test_contested_fields(stones: str, errands: dict[int, str], contested: bool) -> None:
    table = Table(3, fields={"C": stones})
    table.march(errands)
    assert bool(table.told("fight_started") or table.kind == "initiative") is contested


@cases(
    "errands, started",
    {
        "E4.1-two-on-a-siege-space-fight": ({0: "2:boat", 1: "2:boat"}, "fight"),
        "E4.1-one-on-a-siege-space-besieges": ({0: "2:boat"}, "siege"),
    },
)
def test_siege_spaces(errands: dict[int, str], started: str) -> None:
    table = Table(3)
    table.march(errands)
    assert (table.combat["kind"], table.combat["space"]) == (started, "2:boat")


@rule("E4.1-three-on-a-siege-space-fight")
def test_three_on_a_siege_space() -> None:
    table = Table(4)
    table.march({0: "3:boat", 1: "3:boat", 2: "3:boat"})
    assert table.turn == Await(turn=2, kind="initiative", seats=(0,), sealed=False)
    assert table.starts(0) == [("fight", "3:boat", 1), ("fight", "3:boat", 2)]


@rule("E4.1-a-siege-until-it-has-been-settled")
def test_settled_siege() -> None:
    table = Table(3)
    table.march({0: "1:boat", 2: "1:ram"})
    table.cards({0: 5, 1: 2})
    assert table.combat["space"] == "1:ram"
    table.cards({2: 5, 1: 3})
    assert table.round_is_done
    assert len(table.combats) == 2


CROWD = {0: "A B", 1: "A C", 2: "B C"}
"""Three fields without stones, each with two of three clans: everybody has two fights to choose from."""


@cases("first, order", {f"E4.2-seat-{f}-first": (f, [f, (f + 1) % 3, (f + 2) % 3]) for f in range(3)})
def test_clockwise_from_the_first_player(first: int, order: list[int]) -> None:
    table = Table(3, first=first, hands={seat: [5, 5, 2, 2] for seat in range(3)})
    table.march(CROWD)
    starters = []
    for _ in range(3):
        if table.kind == "initiative":
            (seat,) = table.turn.seats
            kind, space, against = table.starts(seat)[0]
            table.play(seat, type=kind, space=space, against=against)
        starters.append(table.combat["attacker"])
        table.cards({table.combat["attacker"]: 5, table.combat["defender"]: 2})
    assert starters[:2] == order[:2]
    assert table.round_is_done


@rule("E4.2-who-has-none-is-passed-over")
def test_passed_over() -> None:
    table = Table(4, first=1)
    table.march({3: "A B", 2: "A B"})
    assert table.turn.seats == (2,)
    table.fight(2, "A", 3)
    table.cards({2: 4, 3: 3})
    assert (table.combat["attacker"], table.combat["space"]) == (3, "B")


@rule("E4.2-round-and-round-until-nothing-is-left")
def test_round_and_round() -> None:
    table = Table(3)
    table.march({0: "A B C", 1: "A B C"})
    starters = []
    for space in "ABC":
        starters.append(0 if len(starters) % 2 == 0 else 1)
        table.fight(starters[-1], space, 1 - starters[-1])
        table.cards({0: table.hand(0)[-1], 1: table.hand(1)[0]})
        assert table.combats[len(starters)]["attacker"] == starters[-1]
    assert table.round_is_done
    assert len(table.combats) == 3


@rule("E4.2-all-starts-and-no-others")
def test_all_starts() -> None:
    """Seat 0 fights on A against both others and besieges village 1; it is not on B, and the ram is contested."""
    table = Table(3, fields={"A": "g"})
    table.march({0: "A 1:boat 1:ram", 1: "A B", 2: "A B 1:ram"})
    assert table.starts(0) == [
        ("besiege", "1:boat", None),
        ("fight", "1:ram", 2),
        ("fight", "A", 1),
        ("fight", "A", 2),
    ]


@cases(
    "action",
    {
        "E4.2-not-against-oneself": {"type": "fight", "space": "A", "against": 0},
        "E4.2-not-against-who-is-not-there": {"type": "fight", "space": "1:ram", "against": 1},
        "E4.2-not-where-one-is-not": {"type": "fight", "space": "B", "against": 1},
        "E4.2-not-against-an-empty-seat": {"type": "fight", "space": "A", "against": 4},
        "E4.2-not-on-a-field-at-peace": {"type": "fight", "space": "D", "against": 1},
        "E4.2-no-siege-from-a-contested-space": {"type": "besiege", "space": "1:ram"},
        "E4.2-no-siege-of-another": {"type": "besiege", "space": "1:catapult"},
        "E4.2-no-siege-from-an-empty-space": {"type": "besiege", "space": "2:boat"},
        "E4.2-no-fight-on-an-uncontested-siege-space": {"type": "fight", "space": "1:boat", "against": 1},
        "E4.2-no-siege-of-a-field": {"type": "besiege", "space": "A"},
    },
)
def test_wrong_starts(action: dict[str, Any]) -> None:
    table = Table(3, fields={"A": "g", "D": "ww"})
    table.march({0: "A D 1:boat 1:ram", 1: "A B D", 2: "A B 1:ram 1:catapult"})
    assert table.is_refused(0, **action)
    if action["type"] == "fight":
        assert table.refusal(0, **action) in ("E4.1", "E4.2")


@rule("E4.2-a-defender-starts-no-siege")
def test_defender_starts_no_siege() -> None:
    """Village 0 is besieged and begins: it has nothing to start, the besiegers do it one after the other."""
    table = Table(3, first=0)
    table.march({1: "0:boat 0:ram", 2: "0:catapult"})
    assert table.turn.seats == (1,)
    assert table.starts(1) == [("besiege", "0:boat", None), ("besiege", "0:ram", None)]


@rule("E4.2-a-siege-of-bare-walls-is-compulsory")
def test_compulsory_siege() -> None:
    table = Table(3)
    table.march({0: "1:boat"})
    assert table.combat["kind"] == "siege"
    assert table.kind == "battle_card"
    for name in ("pass", "decline", "stand"):
        assert table.is_refused(0, type=name)


@rule("E4.2-settled-before-the-next-chooses")
def test_settled_at_once() -> None:
    table = Table(3)
    table.march(CROWD)
    table.fight(0, "B", 2)
    assert table.turn == Await(turn=3, kind="battle_card", seats=(0, 2), sealed=True)


ON_C = {0: "C", 1: "C"}


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
    table.march(ON_C)
    assert (table.kind == "amulets") is asked
    if asked:
        assert table.turn.seats == (0,)
        assert len(table.moves(0)) >= 2


@rule("E4.3-first-the-attacker-then-the-defender")
def test_order_of_amulets() -> None:
    for first in (0, 1):
        table = Table(3, first=first, amulets={0: 5, 1: 5})
        table.march(ON_C)
        seats = [table.turn.seats]
        table.play(first, type="stand")
        seats.append(table.turn.seats)
        table.play(1 - first, type="stand")
        assert seats == [(first,), (1 - first,)]
        assert table.turn == Await(turn=4, kind="battle_card", seats=(0, 1), sealed=True)


@rule("E4.3-before-the-cards")
def test_amulets_before_cards() -> None:
    table = Table(3, amulets={0: 5, 1: 5})
    table.march(ON_C)
    assert table.is_refused(0, type="play", card=2)


@rule("E4.3-whole-hand-one-amulet-a-card")
def test_exchange() -> None:
    table = Table(3, amulets={0: 5}, hands={0: [1, 1, 2], 1: [2, 3, 4, 5]}, piles={0: [6]})
    before = sum(table.deck.values())
    table.march(ON_C)
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


@rule("E4.3-as-often-as-he-can-pay")
def test_repeated_exchange() -> None:
    table = Table(3, amulets={0: 5}, hands={0: [1, 2]}, piles={0: [3, 4]})
    table.march(ON_C)
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
    table.march(ON_C)
    assert table.turn.seats == (1,)
    table.play(1, type="exchange")
    table.settle()
    assert table.amulets(1) == 0
    assert table.combat["amulets"] == {"attacker": 0, "defender": 4}


@rule("E4.3-swapped-cards-leave-the-game-face-down")
def test_swapped_cards_are_hidden() -> None:
    table = Table(3, amulets={0: 4}, hands={0: [1, 1, 1, 1]})
    table.march(ON_C)
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
    table.march(ON_C)
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
    table.march(ON_C)
    table.play(0, type="stand", until="round")
    table.cards({0: 6, 1: 2})
    table.settle()
    table.march(ON_C)
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
    table.march(ON_C)
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
    table.march(ON_C)
    table.cards({0: mine, 1: theirs})
    combat = table.combats[1]
    assert combat["cards"] == {"attacker": mine, "defender": theirs}
    assert (combat["winner"], combat["difference"]) == (winner, difference)
    assert combat["status"] == "resolved"


@rule("E4.4-revealed-together")
def test_sealed_cards() -> None:
    table = Table(3)
    table.march(ON_C)
    table.play(1, type="play", card=3)
    assert table.combat["cards"] is None or set(table.combat["cards"].values()) == {None}
    assert table.told("cards_revealed") == []
    assert table.turn == Await(turn=2, kind="battle_card", seats=(0,), sealed=True)
    table.play(0, type="play", card=2)
    assert len(table.told("cards_revealed")) == 1


@cases("card", {"E4.4-a-card-not-in-hand": 6, "E4.4-another-card-not-in-hand": 1})
def test_card_not_in_hand(card: int) -> None:
    table = Table(3, hands={0: [2, 3, 4, 5]})
    table.march(ON_C)
    assert table.refusal(0, type="play", card=card) == "E4.4"


@cases("card", {"E4.4-no-7": 7, "E4.4-no-0": 0, "E4.4-no-text": "5"})
def test_no_card(card: object) -> None:
    table = Table(3)
    table.march(ON_C)
    table.malformed(0, type="play", card=card)


@rule("E4.4-only-hand-cards-not-the-pile")
def test_pile_is_not_the_hand() -> None:
    table = Table(3, hands={0: [2, 3]}, piles={0: [6, 6]})
    table.march(ON_C)
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


@rule("E4.6-each-gets-the-other-card-on-his-pile")
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
    table.march(ON_C)
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


@rule("E4.8-a-field-becomes-peaceful")
def test_field_becomes_peaceful() -> None:
    table = Table(3, fields={"C": "ggg"})
    table.march({0: "C2", 1: "C2"})
    assert table.combat["space"] == "C"
    table.cards({0: 5, 1: 2})
    assert len(table.combats) == 1
    assert table.kind == "building"
    assert (table.carried(0), table.carried(1)) == ("gg", "g")


@rule("E4.8-a-field-stays-contested")
def test_field_stays_contested() -> None:
    table = Table(3, fields={"C": "gg"})
    table.march({0: "C2", 1: "C2"})
    table.cards({0: 5, 1: 2})
    assert (table.combat["number"], table.combat["space"], table.combat["attacker"]) == (2, "C", 1)


@rule("E4.8-winning-a-siege-space-makes-a-siege")
def test_siege_after_fight() -> None:
    table = Table(3)
    table.march({0: "2:boat", 1: "2:boat"})
    table.cards({0: 5, 1: 2})
    assert (table.combat["kind"], table.combat["attacker"], table.combat["defender"]) == ("siege", 0, 2)


@rule("E4.8-a-tie-empties-a-siege-space")
def test_lapsed_siege() -> None:
    table = Table(3)
    table.march({0: "2:boat", 1: "2:boat"})
    table.cards({0: 3, 1: 3})
    assert len(table.combats) == 1
    assert table.round_is_done


@rule("E4.8-a-tie-of-two-leaves-a-third-his-siege")
def test_third_besieges() -> None:
    table = Table(4)
    table.march({0: "3:boat", 1: "3:boat", 2: "3:boat"})
    table.fight(0, "3:boat", 1)
    table.cards({0: 3, 1: 3})
    assert (table.combat["kind"], table.combat["attacker"], table.combat["defender"]) == ("siege", 2, 3)


@rule("E4.8-a-tie-may-leave-a-field-to-the-third")
def test_third_keeps_the_field() -> None:
    table = Table(4, fields={"C": "w"})
    table.march({0: "C", 1: "C", 2: "C"})
    table.fight(0, "C", 2)
    table.cards({0: 4, 2: 4})
    assert len(table.combats) == 1
    assert table.carried(1) == "w"
