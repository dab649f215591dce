"""What each may see of Eketorp, and what a turn is about."""

from __future__ import annotations

from typing import Any

import pytest

from .table import TWO_ON_C, Table, dealt, wire


def test_a_hand_is_its_owners_alone() -> None:
    table = Table(4, hands={0: [1, 1, 6, 6], 1: [2, 3, 4]}, piles={1: [5]})
    assert list(table.view(0).hand) == [1, 1, 6, 6]
    assert list(table.view(1).hand) == [2, 3, 4]
    assert table.view(None).hand is None
    for viewer in (None, 0, 3):
        assert [seat.hand_size for seat in table.view(viewer).seats] == [4, 3, 4, 4]


def test_the_board_is_everybodys() -> None:
    table = Table(
        3,
        walls={1: {2: "gw"}},
        fields={"C": "ccs"},
        amulets={0: 2},
        hospital={2: {"12": 1}},
        hands={0: [2, 3, 4]},
        piles={0: [6]},
    )
    for viewer in (None, 0, 1, 2):
        seen = wire(table.view(viewer))
        assert seen["fields"]["C"]["stones"] == {"clay": 2, "stone": 1}
        assert seen["seats"][0]["amulets"] == 2
        assert seen["seats"][0]["pile"] == [6]
        assert seen["seats"][1]["walls"][1] == ["grass", "wood"]
        assert seen["seats"][2]["hospital"] == {"12": 1}
        assert (seen["round"], seen["first"]) == (1, 0)


def test_no_view_tells_what_is_in_the_deck() -> None:
    """Two games in which other cards are left in the deck, and other cards were thrown away, look the same."""
    seen = []
    for thrown in (1, 6):
        table = Table(3, amulets={0: 4}, hands={0: [thrown] * 4})
        table.march(TWO_ON_C)
        table.play(0, type="exchange")
        seen.append([wire(table.view(viewer)) for viewer in (None, 1, 2)])
    assert seen[0] == seen[1]


def test_a_sealed_choice_is_its_owners_alone() -> None:
    table = Table(3)
    table.play(1, **table.errand("A2 0:boat"))
    assert wire(table.view(1))["choice"] == {"type": "place", "fields": {"A": 2}, "sieges": ["0:boat"]}
    for viewer in (None, 0, 2):
        seen = wire(table.view(viewer))
        assert seen["choice"] is None
        assert seen["sealed"] == [1]
        assert seen["asked"] == [0, 2]


def test_dealt_cards_are_told_to_their_owner() -> None:
    table = dealt(3)
    for viewer in (None, 0, 1, 2):
        told = table.told("hand_dealt", viewer)
        assert [dealing["count"] for dealing in told] == [4, 4, 4]
        assert [bool(dealing.get("cards")) for dealing in told] == [viewer == seat for seat in range(3)]


def siege_at(kind: str) -> Table:
    """A siege of village 1 by seat 0, at a turn of the kind."""
    amulets = {0: 5} if kind == "amulets" else {}
    table = Table(3, walls={1: {3: "g"}}, amulets=amulets)
    table.march({0: "1:boat"})
    if kind == "loot":
        table.cards({0: 5, 1: 3})
    assert table.kind == kind
    return table


@pytest.mark.parametrize("kind", ["amulets", "battle_card", "loot"])
def test_turns_name_their_combat(kind: str) -> None:
    named: dict[str, Any] = {"space": "1:boat", "attacker": 0, "defender": 1, "undefended": False}
    for viewer in (None, 0, 1, 2):
        combat = siege_at(kind).context(viewer)["combat"]
        assert {key: combat[key] for key in named} == named
        assert combat.get("difference") == (2 if kind == "loot" else None)


def test_the_result_is_shown() -> None:
    table = Table(3, round=10, walls={2: {1: "s"}})
    assert table.view(None).result is None
    table.march({})
    assert wire(table.view(0))["result"] == {"scores": [0, 0, 4], "ranking": [[2], [0, 1]], "reason": "tenth_round"}


def test_pictures_show_the_walls() -> None:
    table = Table(3, walls={1: {2: "gws"}}, fields={"C": "cc"})
    picture = table.rules.render(table.view(None))
    assert "wall 2: grass, wood, grey stone" in picture
    assert "2 clay" in picture
