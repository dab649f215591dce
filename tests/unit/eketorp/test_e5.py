"""E5: spoils, the way home, and building."""

from __future__ import annotations

from typing import Any

from holmgang.engine.turn import Await
from tests.unit.marks import cases, rule

from .table import Table

FULL = dict.fromkeys(range(1, 6), "ggg")
"""Five whole walls: with the sixth as given there are few places left."""


def builder(stones: str, walls: dict[int, str] | None = None) -> Table:
    """Seat 0 brings home `stones`, each kind from a field of its own, to `walls`."""
    kinds = sorted(set(stones), key="gwcs".index)
    fields = dict(zip("ABCD", (letter * stones.count(letter) for letter in kinds), strict=False))
    table = Table(3, fields=fields, walls={0: walls or {}})
    table.march({0: " ".join(f"{field}{len(lying)}" for field, lying in fields.items())})
    return table


def laid(text: str) -> list[dict[str, Any]]:
    """`g1 w3` as stones on the wire: grass on wall 1, then wood on wall 3."""
    names = {"g": "grass", "w": "wood", "c": "clay", "s": "stone"}
    return [{"stone": names[part[0]], "wall": int(part[1])} for part in text.split()]


@rule("E5-spoils-then-home-then-walls")
def test_order() -> None:
    table = Table(3, fields={"A": "gw"})
    table.march({0: "A", 1: "A"})
    kinds = [table.kind]
    table.play(0, type="take", space="A", stone="wood")
    kinds.append(table.kind)
    assert kinds == ["spoils", "building"]
    assert [table.home(seat) for seat in range(3)] == [8, 8, 8]


@cases(
    "stones, errands, brought",
    {
        "E5.1-one-stone-a-viking": ("ggg", {0: "C", 1: "C2"}, {0: "g", 1: "gg"}),
        "E5.1-vikings-beyond-the-stones-go-empty-handed": ("ww", {0: "C5"}, {0: "ww"}),
        "E5.1-stones-beyond-the-vikings-stay": ("ccc", {2: "C"}, {2: "c"}),
        "E5.1-no-stones": ("", {1: "C2"}, {}),
        "E5.1-example-D": ("w", {0: "C3"}, {0: "w"}),
        "E5.1-all-kinds-are-taken": ("gwcs", {0: "C4"}, {0: "gwcs"}),
    },
)
def test_spoils(stones: str, errands: dict[int, str], brought: dict[int, str]) -> None:
    table = Table(3, fields={"C": stones})
    table.march(errands)
    while table.kind == "spoils":
        (seat,) = table.turn.seats
        table.play(seat, **table.moves(seat)[0])
    for seat in range(3):
        assert table.carried(seat) == brought.get(seat, "")


@rule("E5.1-one-viking-at-a-time-from-the-first-player")
def test_turns_of_spoils() -> None:
    """Seat 1 begins; its two Vikings and the one of seat 0 choose 1, 0, 1."""
    table = Table(3, first=1, fields={"C": "ggwwcc"})
    table.march({0: "C", 1: "C2"})
    seats = []
    for stone in ("clay", "wood", "clay"):
        (seat,) = table.turn.seats
        seats.append(seat)
        table.play(seat, type="take", space="C", stone=stone)
    assert seats == [1, 0, 1]
    assert (table.carried(0), table.carried(1)) == ("w", "cc")
    assert table.kind == "building"


@rule("E5.1-field-by-field-from-A")
def test_fields_of_spoils() -> None:
    table = Table(3, first=0, fields={"E": "gw", "B": "wc"})
    table.march({0: "E", 1: "B"})
    turns = []
    while table.kind == "spoils":
        (seat,) = table.turn.seats
        turns.append((seat, table.moves(seat)[0]["space"]))
        table.play(seat, **table.moves(seat)[0])
    assert turns == [(1, "B"), (0, "E")]


@rule("E5.1-not-asked-when-one-kind-is-left")
def test_one_kind_left() -> None:
    table = Table(3, first=0, fields={"C": "gww"})
    table.march({0: "C", 1: "C", 2: "C"})
    table.play(0, type="take", space="C", stone="grass")
    assert table.kind == "building"
    assert [table.carried(seat) for seat in range(3)] == ["g", "w", "w"]


@rule("E5.1-the-last-stones-of-a-mixed-field")
def test_vikings_used_up() -> None:
    table = Table(3, fields={"C": "gwcs"})
    table.march({2: "C"})
    assert table.turn == Await(turn=2, kind="spoils", seats=(2,), sealed=False)
    assert {move["stone"] for move in table.moves(2)} == {"grass", "wood", "clay", "stone"}
    table.play(2, type="take", space="C", stone="stone")
    assert table.kind == "building"
    assert table.field("C") == "gwc"


@cases(
    "action",
    {
        "E5.1-a-kind-that-is-not-there": {"space": "C", "stone": "clay"},
        "E5.1-another-field": {"space": "D", "stone": "grass"},
    },
)
def test_wrong_spoils(action: dict[str, Any]) -> None:
    table = Table(3, fields={"C": "gw", "D": "gw"})
    table.march({0: "C D"})
    assert table.refusal(0, type="take", **action) == "E5.1"


@rule("E5.2-all-go-home-but-the-wounded")
def test_way_home() -> None:
    """Three on A, one wounded on C, a victorious besieger; the building turn keeps the round from ending."""
    table = Table(3, fields={"A": "gg"}, hands={0: [5, 6, 4, 4], 1: [1, 1, 6, 6], 2: [3, 6, 6, 6]})
    table.march({0: "A3 C 1:boat", 2: "C"})
    table.fight(0, "C", 2)
    table.cards({0: 4, 2: 6})
    table.cards({0: 6, 1: 1})
    assert table.kind == "building"
    assert (table.home(0), table.hospital(0)) == (7, {"12": 1})
    assert (table.home(1), table.hospital(1)) == (7, {"12": 1})
    assert table.home(2) == 8
    assert table.vikings("A") == table.vikings("C") == {}
    assert table.besiegers("1:boat") == []


@cases(
    "stones, walls, order",
    {
        "E5.3-a-stone-on-a-bare-wall": ("g", {}, "g4"),
        "E5.3-three-on-one-wall": ("gwc", {}, "w1 g1 c1"),
        "E5.3-on-three-walls": ("gwc", {}, "w1 g2 c6"),
        "E5.3-on-top": ("w", {2: "gg"}, "w2"),
        "E5.3-one-place-left": ("gw", {**FULL, 6: "gg"}, "w6"),
        "E5.3-two-places-left": ("gwc", {**FULL, 6: "g"}, "c6 g6"),
    },
)
def test_building(stones: str, walls: dict[int, str], order: str) -> None:
    table = builder(stones, walls)
    table.play(0, type="build", stones=laid(order))
    after = dict(walls)
    for part in order.split():
        after[int(part[1])] = after.get(int(part[1]), "") + part[0]
    assert table.walls(0) == after
    kept = list(stones)
    for part in order.split():
        kept.remove(part[0])
    assert table.aside(0) == "".join(kept)
    table.check()


@cases(
    "stones, walls, order",
    {
        "E5.3-at-most-three-high": ("ww", {1: "gg"}, "w1 w1"),
        "E5.3-not-on-a-full-wall": ("w", {1: "ggg"}, "w1"),
        "E5.3-not-fewer": ("ww", {}, "w1"),
        "E5.3-not-none": ("w", {}, ""),
        "E5.3-not-more": ("w", {}, "w1 w2"),
        "E5.3-only-new-stones": ("w", {1: "g"}, "g2"),
        "E5.3-each-stone-once": ("gw", {}, "w1 w2"),
        "E5.3-all-that-fit": ("gwc", {**FULL, 6: "g"}, "c6"),
        "E5.3-no-more-than-fit": ("gwc", {**FULL, 6: "g"}, "c6 g6 w6"),
    },
)
def test_wrong_building(stones: str, walls: dict[int, str], order: str) -> None:
    table = builder(stones, walls)
    assert table.refusal(0, type="build", stones=laid(order)) == "E5.3"


@rule("E5.3-what-is-built-never-moves")
def test_built_stones_stay() -> None:
    walls = {1: "gwc", 2: "sg", 5: "c"}
    table = builder("gw", walls)
    for move in table.moves(0):
        after = Table.copy(table)
        after.play(0, **move)
        assert all(after.walls(0)[wall].startswith(stones) for wall, stones in walls.items())


@rule("E5.3-sealed-all-at-once")
def test_sealed_building() -> None:
    table = Table(3, fields={"A": "g", "B": "w"})
    table.march({0: "A", 1: "B"})
    assert table.turn == Await(turn=2, kind="building", seats=(0, 1), sealed=True)
    table.play(1, type="build", stones=laid("w3"))
    assert table.walls(1) == {}
    assert table.told("walls_built") == []
    table.play(0, type="build", stones=laid("g2"))
    assert (table.walls(0), table.walls(1)) == ({2: "g"}, {3: "w"})


@cases(
    "stones, walls, count",
    {
        "E5.3-one-stone-six-walls": ("g", {}, 6),
        "E5.3-two-equal-stones": ("gg", {}, 21),
        "E5.3-two-unequal-stones": ("gw", {}, 6 * 5 + 6 * 2),
        "E5.3-one-of-two-kinds-fits": ("gw", {**FULL, 6: "gg"}, 2),
        "E5.3-two-of-three-kinds-fit": ("gwc", {**FULL, 6: "g"}, 6),
        "E5.3-two-places-on-two-walls": ("gw", {**FULL, 1: "gg", 6: "gg"}, 2),
    },
)
def test_number_of_buildings(stones: str, walls: dict[int, str], count: int) -> None:
    """Different walls that can result; orders that leave the same walls count once."""
    table = builder(stones, walls)
    assert table.space(0).count() == count
    assert len({str(move) for move in table.moves(0)}) == count


@rule("E5.3-equal-walls-are-one-action")
def test_equal_buildings() -> None:
    table = builder("gw")
    one, two = (table.decode(0, type="build", stones=laid(order)) for order in ("g1 w2", "w2 g1"))
    other = table.decode(0, type="build", stones=laid("w1 g2"))
    assert table.rules.canonical(0, one) == table.rules.canonical(0, two)
    assert table.rules.canonical(0, one) != table.rules.canonical(0, other)


@rule("E5.4-no-new-stones-no-question")
def test_no_stones_not_asked() -> None:
    table = Table(3, fields={"A": "g"})
    table.march({1: "A", 0: "B"})
    assert table.turn.seats == (1,)


@cases(
    "stones, walls, after, aside",
    {
        "E5.4-one-place-one-kind": ("gg", {**FULL, 6: "gg"}, "ggg", "g"),
        "E5.4-one-wall-one-kind": ("www", {**FULL, 6: ""}, "www", ""),
        "E5.4-two-walls-filled-by-one-kind": ("gg", {**FULL, 5: "gg", 6: "gg"}, "ggg", ""),
        "E5.4-no-place": ("wc", {**FULL, 6: "ggg"}, "ggg", "wc"),
    },
)
def test_forced_building(stones: str, walls: dict[int, str], after: str, aside: str) -> None:
    table = builder(stones, {wall: lying for wall, lying in walls.items() if lying})
    assert table.kind != "building"
    assert table.walls(0)[6] == after
    assert table.aside(0) == aside


@cases(
    "stones, walls",
    {
        "E5.4-one-place-two-kinds-is-a-choice": ("gw", {**FULL, 6: "gg"}),
        "E5.4-one-stone-two-walls-is-a-choice": ("g", {**FULL, 5: "gg", 6: "gg"}),
        "E5.4-one-wall-two-kinds-is-a-choice": ("gw", {**FULL, 6: "g"}),
    },
)
def test_choice_of_building(stones: str, walls: dict[int, str]) -> None:
    table = builder(stones, walls)
    assert (table.kind, table.turn.seats) == ("building", (0,))


@rule("E5.4-a-forced-building-is-revealed-with-the-others")
def test_forced_with_others() -> None:
    table = Table(3, fields={"A": "g", "B": "w"}, walls={0: {**FULL, 6: "gg"}})
    table.march({0: "A", 1: "B"})
    assert table.turn.seats == (1,)
    assert table.walls(0)[6] == "gg"
    table.play(1, type="build", stones=laid("w3"))
    assert table.walls(0)[6] == "ggg"
