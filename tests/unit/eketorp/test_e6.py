"""E6: how a round ends, and when the game does."""

from __future__ import annotations

from holmgang.engine.turn import Chance
from tests.unit.marks import cases, rule

from .table import Table

SEVENTEEN = {1: "ggg", 2: "ggg", 3: "ggg", 4: "ggg", 5: "ggg", 6: "gg"}


@rule("E6-the-next-round-begins-with-material")
def test_next_round() -> None:
    table = Table(3, round=4)
    table.march({})
    assert table.turn == Chance(turn=1, label="material_card", stop=8)
    table.settle()
    assert table.round == 5
    assert table.kind == "placement"


@cases(
    "round_, walls, gained, reason",
    {
        "E6.1-18-stones": (3, SEVENTEEN, "g", "walls_complete"),
        "E6.1-17-stones-are-not-enough": (3, {**SEVENTEEN, 6: "g"}, "g", None),
        "E6.1-nothing-gained": (3, SEVENTEEN, "", None),
        "E6.1-round-10": (10, {}, "", "tenth_round"),
        "E6.1-round-9": (9, {}, "", None),
        "E6.1-18-stones-in-round-10": (10, SEVENTEEN, "g", "walls_complete"),
    },
)
def test_end(round_: int, walls: dict[int, str], gained: str, reason: str | None) -> None:
    table = Table(3, round=round_, walls={1: walls}, fields={"A": gained})
    table.march({1: "A"})
    if reason is None:
        assert not table.turn_is_over
        assert table.turn.label == "material_card"
    else:
        assert table.over.reason in (reason, "tenth_round" if round_ == 10 else reason)


@rule("E6.1-stones-laid-aside-are-not-built")
def test_aside_is_not_built() -> None:
    table = Table(3, walls={1: {1: "ggg"}}, aside={1: "g" * 15})
    table.march({})
    assert not table.turn_is_over


@rule("E6.1-nothing-is-cleared-up-at-the-end")
def test_end_comes_first() -> None:
    table = Table(3, round=10, first=1, hospital={0: {"345": 1}}, fields={"A": "gw"})
    table.march({})
    assert table.over.reason == "tenth_round"
    assert table.hospital(0) == {"345": 1}
    assert table.field("A") == "gw"


@rule("E6.1-two-may-complete-their-walls")
def test_two_complete() -> None:
    table = Table(3, walls={0: SEVENTEEN, 2: SEVENTEEN}, fields={"A": "gg"})
    table.march({0: "A", 2: "A"})
    assert table.over.reason == "walls_complete"
    assert table.over.scores == (23, 0, 23)


@cases(
    "before, after, home",
    {
        "E6.2-345-to-12": ({"345": 2}, {"12": 2}, 6),
        "E6.2-12-to-0": ({"12": 1}, {"0": 1}, 7),
        "E6.2-0-goes-home": ({"0": 3}, {}, 8),
        "E6.2-all-stations-at-once": ({"345": 1, "12": 2, "0": 3}, {"12": 1, "0": 2}, 5),
    },
)
def test_hospital(before: dict[str, int], after: dict[str, int], home: int) -> None:
    table = Table(3, hospital={2: before})
    table.march({})
    assert table.hospital(2) == after
    assert table.home(2) == home
    assert table.home(0) == table.home(1) == 8


@rule("E6.2-the-freshly-wounded-move-too")
def test_fresh_wounds() -> None:
    table = Table(3, hands={0: [6, 1, 1, 1], 1: [1, 6, 6, 6]})
    table.march({0: "C", 1: "C"})
    table.cards({0: 6, 1: 1})
    assert table.round_is_done
    assert table.hospital(1) == {"12": 1}


@cases(
    "lying, after",
    {
        "E6.3-grass-goes": ("gg", ""),
        "E6.3-wood-goes": ("www", ""),
        "E6.3-clay-stays": ("cc", "cc"),
        "E6.3-stone-stays": ("s", "s"),
        "E6.3-of-a-mixture-clay-and-stone-stay": ("gwcs", "cs"),
    },
)
def test_clearing(lying: str, after: str) -> None:
    table = Table(3, fields={"B": lying, "G": lying})
    before = [table.stones(kind) for kind in ("grass", "wood", "clay", "stone")]
    grass = table.supply("grass")
    table.march({})
    assert table.field("B") == table.field("G") == after
    assert table.supply("grass") == grass + 2 * lying.count("g")
    assert [table.stones(kind) for kind in ("grass", "wood", "clay", "stone")] == before


@cases(
    "players, first, then",
    {
        "E6.4-next-seat": (3, 0, 1),
        "E6.4-wraps-round-with-3": (3, 2, 0),
        "E6.4-wraps-round-with-6": (6, 5, 0),
        "E6.4-seat-4-of-6": (6, 4, 5),
    },
)
def test_first_player(players: int, first: int, then: int) -> None:
    table = Table(players, first=first)
    table.march({})
    table.settle()
    assert table.first == then
