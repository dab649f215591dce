"""E1: stones, cards, fields, hospital, villages, and the decks of material cards."""

from __future__ import annotations

import pytest

from holmgang.engine.errors import InvalidOption
from holmgang.games.eketorp.rules.rules import Eketorp
from tests.unit.marks import cases, rule

from .table import ENGINES, FIELDS, KINDS, Table, dealt

PRINTED = [
    "A g2, B w2, C g2*, D w2*, E w1, F c1",
    "A w2, B g3*, C w2*, D g1, E w1, F c1, G s1",
    "A g3*, B w2*, C g2, D w1, E w1, F c1",
    "A w3*, B g2, C g1, D w1, E g2*, F c1, G s1",
    "A g1, B g2*, C w2, D g2, E w2*, F c1",
    "A w1, B w3*, C g3*, D g2, F c1, G s1",
    "A g2, C w4*, D g3*, G s1",
    "A w2*, B g2*, D w2, E g3, G s1",
    "B g4*, C w2, D w2*, E g1, F c1",
    "A g3, B w1, C g2*, D w3*, F c2",
    "A g3*, B g1, C w1, D g2, E w2*, F c1, G s1",
    "A w3*, B g2, C g2*, E g2, F c2",
]


def arrivals(players: int, card: int) -> dict[str, str]:
    """What lies on the fields when `card` (from 1) is the first of a game."""
    table = dealt(players, material_card=card - 1)
    return {field: table.field(field) for field in FIELDS if table.field(field)}


def written(card: str, players: int) -> dict[str, str]:
    """The same from the text of the card: a star is one stone fewer with three or four players."""
    lying: dict[str, str] = {}
    for part in card.split(", "):
        field, stones = part.split(" ")
        count = int(stones[1]) - (stones.endswith("*") and players < 5)
        lying[field] = lying.get(field, "") + stones[0] * count
    return {field: "".join(sorted(s, key="gwcs".index)) for field, s in lying.items() if s}


@rule("E1-the-box-is-whole-when-play-begins")
def test_box() -> None:
    for players in (3, 4, 5, 6):
        table = dealt(players)
        table.check()
        assert sum(table.deck.values()) == 54 - 4 * players
        assert sum(table.stones(kind) for kind in KINDS) == 112


@cases(
    "kind, count",
    {
        "E1.1-52-grass": ("grass", 52),
        "E1.1-42-wood": ("wood", 42),
        "E1.1-12-clay": ("clay", 12),
        "E1.1-6-stone": ("stone", 6),
    },
)
def test_stones(kind: str, count: int) -> None:
    table = dealt(4)
    assert table.stones(kind) == count
    assert table.supply(kind) < count or kind == "stone"


@cases("letter, worth", {f"E1.1-{name}-is-worth-{n}": (name[0], n) for n, name in enumerate(KINDS, start=1)})
def test_worth(letter: str, worth: int) -> None:
    table = Table(3, round=10, walls={1: {2: letter}})
    table.march({})
    assert table.over.scores == (0, worth, 0)


@cases("value", {f"E1.2-nine-cards-of-{value}": value for value in range(1, 7)})
def test_battle_cards(value: int) -> None:
    table = Table.unopened(3)
    assert table.deck == {1: 9, 2: 9, 3: 9, 4: 9, 5: 9, 6: 9}
    table = dealt(6)
    assert table.deck[value] + sum(table.hand(seat).count(value) for seat in range(6)) == 9


@cases("field", {f"E1.3-field-{field}": field for field in FIELDS})
def test_fields(field: str) -> None:
    table = Table(3, fields={field: "g"})
    table.march({1: field})
    assert table.carried(1) == "g"


@rule("E1.3-no-field-H")
def test_no_further_field() -> None:
    Table(3).malformed(0, type="place", fields={"H": 1}, sieges=[])


@rule("E1.3-three-stations-then-the-exit")
def test_hospital() -> None:
    table = Table(3, hospital={0: {"345": 1}})
    stays = []
    for _ in range(3):
        stays.append(table.hospital(0))
        table.march({})
        table.settle()
    assert stays == [{"345": 1}, {"12": 1}, {"0": 1}]
    assert table.hospital(0) == {}
    assert table.home(0) == 8


@cases("engine, walls", {f"E1.4-{e}-faces-its-two-walls": (e, w) for e, w in ENGINES.items()})
def test_siege_spaces(engine: str, walls: tuple[int, int]) -> None:
    table = Table(3, walls={1: dict.fromkeys(range(1, 7), "g")}, hands={0: [2, 2, 2, 2], 1: [1, 1, 1, 1]})
    table.march({0: f"1:{engine}"})
    table.cards({0: 2, 1: 1})
    assert table.kind == "loot"
    assert {wall for move in table.moves(0) for wall in move.get("walls", {})} == {str(wall) for wall in walls}


@cases("engine", {"E1.4-no-tower": "1:tower", "E1.4-village-7": "6:boat", "E1.4-no-engine": "1"})
def test_no_other_siege_space(engine: str) -> None:
    Table(3).malformed(0, type="place", fields={}, sieges=[engine])


@rule("E1.4-six-walls-of-three-stones")
def test_walls() -> None:
    table = Table(3, walls={0: dict.fromkeys((1, 2, 3, 4, 5), "ggg") | {6: "gg"}}, fields={"A": "www"})
    table.march({0: "A3"})
    assert table.turn_is_over, "17 and one place left: all orders give the same walls"
    assert table.walls(0)[6] == "ggw"
    assert table.aside(0) == "ww"


@rule("E1.4-no-seventh-wall")
def test_no_seventh_wall() -> None:
    table = Table(3, fields={"A": "w"})
    table.march({0: "A"})
    table.malformed(0, type="build", stones=[{"stone": "wood", "wall": 7}])
    table.malformed(0, type="build", stones=[{"stone": "wood", "wall": 0}])


@cases("players, card", {f"E1.5-card-{c}-with-{p}-players": (p, c) for c in range(1, 13) for p in (3, 4, 5, 6)})
def test_material_cards(players: int, card: int) -> None:
    assert arrivals(players, card) == written(PRINTED[card - 1], players)


@cases(
    "players, totals",
    {"E1.5-printed-card-with-4-players": (4, (3, 4, 1)), "E1.5-printed-card-with-5-players": (5, (4, 5, 1))},
)
def test_printed_card(players: int, totals: tuple[int, int, int]) -> None:
    lying = "".join(arrivals(players, 1).values())
    assert (lying.count("g"), lying.count("w"), lying.count("c")) == totals


@rule("E1.5-ten-most-demanding-cards-need-the-whole-supply")
def test_supply_suffices() -> None:
    stones = ["".join(written(card, 6).values()) for card in PRINTED]
    most = [sum(sorted((lying.count(letter) for lying in stones), reverse=True)[:10]) for letter in "gwcs"]
    assert most == [52, 42, 12, 6]


@rule("E1.5-the-default-deck-is-told-as-an-option")
def test_default_deck() -> None:
    rules = Eketorp()
    assert [card.replace("  ", " ") for card in rules.options(rules.configure(3, {}))["material_cards"]] == PRINTED
    assert any(entry.rule == "E1.5" and entry.option == "material_cards" for entry in rules.reconstructed)


OTHER = [*PRINTED[:11], "A g2, A w1*, C c1"]


@rule("E1.5-another-deck-is-used-and-a-field-may-hold-two-kinds")
def test_other_deck() -> None:
    for players, lying in ((3, {"A": "gg", "C": "c"}), (5, {"A": "ggw", "C": "c"})):
        table = dealt(players, material_card=11, options={"material_cards": OTHER})
        assert {field: table.field(field) for field in FIELDS if table.field(field)} == lying


@cases(
    "deck, pointer",
    {
        "E1.5-eleven-cards": (PRINTED[:11], ""),
        "E1.5-thirteen-cards": ([*PRINTED, PRINTED[0]], ""),
        "E1.5-not-a-list": ("A g2", ""),
        "E1.5-not-a-text": ([*PRINTED[:11], 7], "/11"),
        "E1.5-with-its-number": (["1: A g2", *PRINTED[1:]], "/0"),
        "E1.5-field-H": ([*PRINTED[:3], "H g2", *PRINTED[4:]], "/3"),
        "E1.5-count-0": ([*PRINTED[:3], "A g0", *PRINTED[4:]], "/3"),
        "E1.5-count-10": ([*PRINTED[:3], "A g10", *PRINTED[4:]], "/3"),
        "E1.5-no-count": ([*PRINTED[:3], "A g", *PRINTED[4:]], "/3"),
        "E1.5-unknown-kind": ([*PRINTED[:3], "A x2", *PRINTED[4:]], "/3"),
        "E1.5-13-clay": ([*PRINTED[:3], "A c9, B c4", *PRINTED[4:]], "/3"),
        "E1.5-7-stone": ([*PRINTED[:3], "A s7", *PRINTED[4:]], "/3"),
        "E1.5-53-grass": ([*PRINTED[:3], "A g9, B g9, C g9, D g9, E g9, F g8", *PRINTED[4:]], "/3"),
        "E1.5-three-kinds-on-a-field": ([*PRINTED[:3], "A g1, A w1, A c1", *PRINTED[4:]], "/3"),
        "E1.5-three-kinds-apart": ([*PRINTED[:3], "A g1, B w1, A w1, C c1, A s1*", *PRINTED[4:]], "/3"),
        "E1.5-four-kinds-on-a-field": ([*PRINTED[:3], "G g1, G w1, G c1, G s1", *PRINTED[4:]], "/3"),
        "E1.5-one-kind-twice": ([*PRINTED[:3], "A g1, A g1", *PRINTED[4:]], "/3"),
        "E1.5-43-wood": ([*PRINTED[:3], "A w9, B w9, C w9, D w9, E w7", *PRINTED[4:]], "/3"),
    },
)
def test_wrong_decks(deck: object, pointer: str) -> None:
    with pytest.raises(InvalidOption) as refusal:
        Eketorp().configure(6, {"material_cards": deck})
    assert refusal.value.rule == "E1.5"
    assert refusal.value.pointer == "/material_cards" + pointer


@cases(
    "card",
    {
        "E1.5-count-9": "A g9",
        "E1.5-two-kinds-on-every-field": ", ".join(f"{field} g1, {field} w1" for field in FIELDS),
        "E1.5-12-clay": "A c9, B c3",
        "E1.5-6-stone": "A s6",
        "E1.5-52-grass": "A g9, B g9, C g9, D g9, E g9, F g7",
        "E1.5-42-wood": "A w9, B w9, C w9, D w9, E w6",
    },
)
def test_bounds_of_decks(card: str) -> None:
    table = dealt(6, material_card=3, options={"material_cards": [*PRINTED[:3], card, *PRINTED[4:]]})
    assert {field: table.field(field) for field in FIELDS if table.field(field)} == written(card, 6)
