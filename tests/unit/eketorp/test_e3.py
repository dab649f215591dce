"""E3: the rounds, the arrival of material, secret placement and its reveal."""

from __future__ import annotations

from holmgang.engine.turn import Await
from tests.unit.marks import cases, rule

from .table import Table


@rule("E3-ten-rounds-at-most")
def test_ten_rounds() -> None:
    table = Table(3)
    for number in range(1, 11):
        assert table.round == number
        assert table.turn == Await(turn=number, kind="placement", seats=(0, 1, 2), sealed=True)
        table.march({})
        table.settle()
    assert table.over.reason == "tenth_round"


@rule("E3-phases-in-their-order")
def test_phases() -> None:
    table = Table(3, walls={1: {1: "g"}}, fields={"A": "w", "C": ""}, hands={0: [6, 6, 6, 6], 1: [5, 5, 5, 5]})
    kinds = [table.kind]
    table.march({0: "A C 1:catapult", 1: "C"})
    kinds.append(table.kind)
    table.fight(0, "C", 1)
    table.cards({0: 6, 1: 5})
    table.cards({0: 6, 1: 5})
    kinds.append(table.kind)
    table.play(0, type="decline")
    kinds.append(table.kind)
    table.play(0, type="build", stones=[{"stone": "wood", "wall": 1}])
    kinds.append(table.turn.label)
    assert kinds == ["placement", "initiative", "loot", "building", "material_card"]


@cases(
    "lying, card, after",
    {
        "E3.1-on-empty-fields": ({}, 0, {"A": "gg", "B": "ww", "C": "g", "D": "w", "E": "w", "F": "c"}),
        "E3.1-on-top-of-what-is-there": ({"F": "cc", "G": "s"}, 1, {"F": "ccc", "G": "ss"}),
        "E3.1-beside-another-kind": ({"A": "s", "B": "c"}, 0, {"A": "ggs", "B": "wwc"}),
    },
)
def test_material(lying: dict[str, str], card: int, after: dict[str, str]) -> None:
    table = Table(3, fields=lying, drawn=(11,))
    before = {kind: table.stones(kind) for kind in ("grass", "wood", "clay", "stone")}
    table.march({})
    table.chance(card)
    assert {field: table.field(field) for field in after} == after
    assert before == {kind: table.stones(kind) for kind in ("grass", "wood", "clay", "stone")}


@cases(
    "supply, after",
    {
        "E3.1-supply-lacks-some": (2, ("gg", "")),
        "E3.1-fields-are-served-in-order": (3, ("gg", "g")),
        "E3.1-supply-just-suffices": (4, ("gg", "gg")),
        "E3.1-supply-lacks-all": (0, ("", "")),
        "E3.1-first-field-gets-what-there-is": (1, ("g", "")),
    },
)
def test_short_supply(supply: int, after: tuple[str, str]) -> None:
    """Card 12 with six players brings two grass to B and two to C, and E gets what is left after them."""
    spread = 52 - supply
    walls = {seat: dict.fromkeys(range(1, 6), "ggg") for seat in range(3)}
    rest = spread - 45
    walls |= {3: {1 + n // 3: "ggg"[: min(3, rest - n)] for n in range(0, rest, 3)}}
    table = Table(6, walls=walls, drawn=(0,))
    assert table.supply("grass") == supply
    table.march({})
    table.chance(table.turn.stop - 1)
    assert (table.field("B"), table.field("C")) == after
    assert table.field("A") == "www"


@cases(
    "errand",
    {
        "E3.2-all-at-home": "",
        "E3.2-all-on-one-field": "A8",
        "E3.2-spread": "A B2 C D E F G",
        "E3.2-three-engines-of-one-village": "1:catapult 1:boat 1:ram",
        "E3.2-sieges-of-two-villages-and-a-field": "1:boat 2:boat F6",
        "E3.2-a-field-without-stones": "G",
        "E3.2-a-village-without-walls": "2:ram",
    },
)
def test_legal_placement(errand: str) -> None:
    table = Table(3, fields={"A": "g"})
    assert table.refusal(0, **table.errand(errand)) is None
    table.march({0: errand})


@cases(
    "errand",
    {
        "E3.2-more-than-are-at-home": "A7",
        "E3.2-more-in-all-than-are-at-home": "A3 B3 1:boat",
        "E3.2-own-village": "0:boat",
        "E3.2-village-without-owner": "4:boat",
        "E3.2-last-village-without-owner": "5:ram",
    },
)
def test_illegal_placement(errand: str) -> None:
    table = Table(4)
    assert table.refusal(0, **table.errand(errand)) == "E3.2"


@rule("E3.2-one-of-a-clan-on-a-siege-space")
def test_duplicate_sieges() -> None:
    table = Table(3)
    assert table.is_refused(0, type="place", fields={}, sieges=["1:boat", "1:boat"])
    assert table.refusal(0, type="place", fields={}, sieges=["1:boat"]) is None


@rule("E3.2-two-clans-may-besiege-at-one-space")
def test_shared_siege_space() -> None:
    table = Table(3)
    table.march({0: "2:boat", 1: "2:boat"})
    assert table.besiegers("2:boat") == [0, 1]


@cases(
    "fields",
    {"E3.2-count-0": {"A": 0}, "E3.2-negative-count": {"A": -1}, "E3.2-fraction": {"A": 1.5}, "E3.2-text": {"A": "1"}},
)
def test_malformed_counts(fields: dict[str, object]) -> None:
    Table(3).malformed(0, type="place", fields=fields, sieges=[])


@cases("keys", {"E3.2-fields-are-required": {"sieges": []}, "E3.2-sieges-are-required": {"fields": {}}})
def test_required_keys(keys: dict[str, object]) -> None:
    Table(3).malformed(0, type="place", **keys)


@cases("at_home", {f"E3.2-{n}-at-home-{n}-to-place": n for n in (1, 5, 7)})
def test_wounded_are_not_placed(at_home: int) -> None:
    table = Table(3, hospital={0: {"345": 8 - at_home}})
    assert table.refusal(0, **table.errand(f"A{at_home + 1}")) == "E3.2"
    assert table.refusal(0, **table.errand(f"A{at_home}")) is None


@rule("E3.2-nobody-at-home-is-not-asked")
def test_nobody_at_home() -> None:
    table = Table(3, hospital={1: {"345": 4, "12": 2, "0": 2}})
    assert table.turn == Await(turn=1, kind="placement", seats=(0, 2), sealed=True)


@rule("E3.2-nobody-at-home-is-not-asked-in-a-later-round-either")
def test_nobody_at_home_later() -> None:
    table = Table(3, hospital={1: {"345": 8}})
    table.march({})
    table.settle()
    assert table.hospital(1) == {"12": 8}
    assert table.turn == Await(turn=2, kind="placement", seats=(0, 2), sealed=True)


@rule("E3.2-the-rest-defends")
def test_defenders() -> None:
    table = Table(3, fields={"C": ""})
    table.march({0: "C 1:boat", 1: "C2"})
    assert [table.home(seat) for seat in range(3)] == [6, 6, 8]


@rule("E3.2-number-of-placements")
def test_number_of_placements() -> None:
    """One Viking, three players: home, seven fields, or six siege spaces of two opponents."""
    table = Table(3, hospital={0: {"0": 7}})
    assert table.space(0).count() == 14
    assert len(table.moves(0)) == 14
    two = Table(3, hospital={0: {"0": 6}})
    assert two.space(0).count() == 8 * 7 // 2 + 8 + 6 * 8 + 15


@cases(
    "players, count",
    {
        "E3.2-placements-of-8-among-3-players": (3, 74313),
        "E3.2-placements-of-6-among-4-players": (4, 36432),
        "E3.2-placements-of-6-among-5-players": (5, 84480),
        "E3.2-placements-of-5-among-6-players": (6, 48645),
    },
)
def test_count_of_placements(players: int, count: int) -> None:
    assert Table(players).space(0).count() == count


@rule("E3.2-order-of-sieges-has-no-meaning")
def test_sieges_are_a_set() -> None:
    table = Table(3)
    orders = [
        table.decode(0, type="place", fields={}, sieges=list(s)) for s in (("1:ram", "2:boat"), ("2:boat", "1:ram"))
    ]
    assert table.rules.canonical(0, orders[0]) == table.rules.canonical(0, orders[1])


@rule("E3.3-hidden-until-the-last-is-in")
def test_reveal() -> None:
    table = Table(3, fields={"A": "ggg", "C": ""})
    table.play(0, **table.errand("A2 C"))
    table.play(2, **table.errand("C"))
    assert table.told("vikings_placed") == []
    assert table.vikings("A") == table.vikings("C") == {}
    assert table.turn.seats == (1,)
    table.play(1, **table.errand("C 2:boat"))
    assert table.vikings("A") == {0: 2}
    assert table.vikings("C") == {0: 1, 1: 1, 2: 1}
    assert table.besiegers("2:boat") == [1]
    assert {told["seat"] for told in table.told("vikings_placed")} == {0, 1, 2}
