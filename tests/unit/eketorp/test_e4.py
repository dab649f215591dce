"""E4.1, E4.2 and E4.8: where it comes to a fight, who starts which, and what follows from each."""

from __future__ import annotations

from typing import Any

from holmgang.engine.turn import Await
from tests.unit.marks import cases, rule

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
    starters: list[int] = []
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
    starters: list[int] = []
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


@rule("E4.8-a-tie-of-two-leaves-a-third-their-siege")
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
