"""E4.7: sieges and their loot."""

from __future__ import annotations

from typing import Any

from tests.unit.marks import cases, rule

from .table import Table


def besieged(mine: int, theirs: int, *, wall: str = "", errand: str = "1:boat", **setup: Any) -> Table:
    """Seat 0 has besieged village 1 by boat and the cards are out; a fight on D keeps the round from ending."""
    hands = {0: [mine, 1, 1, 6], 1: [theirs, 1, 1, 6]}
    table = Table(4, hands=hands, walls={1: {3: wall}} if wall else {}, **setup)
    table.march({0: errand, 2: "D", 3: "D"})
    table.cards({0: mine, 1: theirs})
    return table


@rule("E4.7-against-one-defender")
def test_one_defender() -> None:
    table = besieged(5, 2)
    assert table.combats[1]["kind"] == "siege"
    assert (table.combats[1]["attacker"], table.combats[1]["defender"]) == (0, 1)
    assert table.home(1) == 5
    assert sum(table.hospital(1).values()) == 1


@rule("E4.7-no-siege-without-a-viking-before-the-wall")
def test_no_siege() -> None:
    table = Table(3, walls={1: {1: "g"}})
    table.march({})
    assert table.combats == {}


@cases("mine, theirs", {"E4.7.1-a-winner-is-finished": (6, 5), "E4.7.1-a-loser-does-not-come-again": (2, 5)})
def test_one_attempt(mine: int, theirs: int) -> None:
    """Village 1 has six defenders left or five; there is no second siege from this space."""
    table = besieged(mine, theirs)
    assert table.combat["space"] == "D"
    table.cards({2: 5, 3: 2})
    table.settle()
    assert table.round == 2
    assert len(table.combats) == 2


@rule("E4.7.1-a-winner-stays")
def test_winner_stays() -> None:
    table = besieged(6, 5)
    assert table.besiegers("1:boat") == [0]
    assert table.hospital(0) == {}


@cases(
    "mine, theirs, station",
    {
        "E4.7.1-a-loser-by-1": (4, 5, "12"),
        "E4.7.1-a-loser-by-2": (3, 5, "12"),
        "E4.7.1-a-loser-by-3-without-a-step": (2, 5, "345"),
        "E4.7.1-a-loser-by-4": (2, 6, "345"),
    },
)
def test_losing_attacker(mine: int, theirs: int, station: str) -> None:
    table = besieged(mine, theirs)
    assert table.hospital(0) == {station: 1}
    assert table.hospital(1) == {}
    assert table.besiegers("1:boat") == []
    assert table.combats[1]["wounded"] == [{"seat": 0, "station": station}]


@cases(
    "mine, theirs, station",
    {
        "E4.7.2-example-of-the-wounded-defender": (5, 3, "0"),
        "E4.7.2-defender-moves-on": (5, 2, "12"),
        "E4.7.2-difference-1": (4, 3, "0"),
        "E4.7.2-difference-4": (6, 2, "12"),
        "E4.7.2-difference-5": (6, 1, "12"),
    },
)
def test_losing_defender(mine: int, theirs: int, station: str) -> None:
    table = besieged(mine, theirs)
    assert table.hospital(1) == {station: 1}
    assert table.hospital(0) == {}
    assert table.home(1) == 5


@rule("E4.7.2-not-on-a-field")
def test_no_step_on_a_field() -> None:
    table = Table(3, hands={0: [5, 1, 1, 6], 1: [2, 1, 1, 6]})
    table.march({0: "C", 1: "C D", 2: "D"})
    table.fight(0, "C", 1)
    table.cards({0: 5, 1: 2})
    assert table.hospital(1) == {"345": 1}


@rule("E4.7.2-not-in-a-fight-for-a-siege-space")
def test_no_step_on_a_siege_space() -> None:
    table = Table(4, hands={0: [5, 1, 1, 6], 1: [2, 1, 1, 6]})
    table.march({0: "2:boat", 1: "2:boat"})
    table.cards({0: 5, 1: 2})
    assert table.combat["kind"] == "siege"
    assert table.hospital(1) == {"345": 1}


def undefended(mine: int, theirs: int, **setup: Any) -> Table:
    """Seat 1 has sent everybody away; seat 0 besieges it by boat, and a fight on D comes after that."""
    hands = {0: [mine, 1, 1, 6], 1: [theirs, 1, 1, 6]}
    table = Table(4, hands=hands, **setup)
    table.march({0: "1:boat", 1: "A6", 2: "D", 3: "D"})
    return table


@cases(
    "mine, theirs",
    {
        "E4.7.3-a-6-counts-0": (2, 6),
        "E4.7.3-an-equal-card-counts-0": (4, 4),
        "E4.7.3-a-1-wins": (1, 5),
        "E4.7.3-difference-6": (6, 3),
    },
)
def test_undefended(mine: int, theirs: int) -> None:
    table = undefended(mine, theirs)
    assert table.combat["undefended"] is True
    table.cards({0: mine, 1: theirs})
    combat = table.combats[1]
    assert (combat["winner"], combat["difference"]) == (0, mine)
    assert combat["cards"] == {"attacker": mine, "defender": theirs}
    assert combat["wounded"] == []
    assert table.hospital(0) == table.hospital(1) == {}
    assert (table.pile(0), table.pile(1)) == ([theirs], [mine])
    assert len(table.hand(1)) == 3


@rule("E4.7.3-the-owner-may-use-amulets")
def test_undefended_amulets() -> None:
    table = undefended(2, 3, amulets={1: 5})
    assert (table.kind, table.turn.seats) == ("amulets", (1,))
    table.play(1, type="exchange")
    table.settle()
    assert table.amulets(1) == 1


@rule("E4.7.3-loot-up-to-the-whole-card")
def test_undefended_loot() -> None:
    table = undefended(5, 6, walls={1: {3: "sw", 4: "g"}})
    table.cards({0: 5, 1: 6})
    assert table.kind == "loot"
    assert table.refusal(0, type="loot", walls={"3": 1, "4": 1}, kept="wood") is None
    assert table.refusal(0, type="loot", walls={"3": 2}, kept="stone") == "E4.7.5"


@rule("E4.7.3-not-with-a-defender")
def test_defended() -> None:
    table = besieged(2, 5)
    assert table.combats[1]["undefended"] is False
    assert table.combats[1]["winner"] == 1


@rule("E4.7.3-the-last-defender-defends-once")
def test_last_defender() -> None:
    table = Table(3, hands={0: [6, 5, 5, 5], 1: [1, 2, 6, 6], 2: [3, 5, 5, 5]})
    table.march({0: "1:boat", 2: "1:ram", 1: "A7"})
    table.cards({0: 6, 1: 1})
    assert table.home(1) == 0
    assert table.combat["undefended"] is True


@rule("E4.7.4-tie-without-loot")
def test_siege_tie() -> None:
    table = besieged(4, 4, wall="g")
    assert table.combat["space"] == "D"
    assert table.hospital(0) == table.hospital(1) == {"0": 1}
    assert table.combats[1]["winner"] is None
    assert table.combats[1]["loot"] is None
    assert table.walls(1)[3] == "g"
    assert table.besiegers("1:boat") == []


@rule("E4.7.4-no-step-after-a-tie")
def test_no_step_after_tie() -> None:
    table = besieged(6, 6)
    assert table.hospital(1) == {"0": 1}
    assert {(w["seat"], w["station"]) for w in table.combats[1]["wounded"]} == {(0, "0"), (1, "0")}


def looting(walls: dict[int, str], mine: int, theirs: int) -> Table:
    """Seat 0 besieges village 1 by boat (walls 3 and 4) and has won."""
    hands = {0: [mine, 1, 1, 6], 1: [theirs, 1, 1, 6]}
    table = Table(4, hands=hands, walls={1: walls})
    table.march({0: "1:boat", 2: "D", 3: "D"})
    table.cards({0: mine, 1: theirs})
    return table


def loots(table: Table) -> set[tuple[str, str]]:
    """All legal loots: stones off walls 3 and 4 as text, and what is kept."""
    return {
        (",".join(f"{wall}x{count}" for wall, count in sorted(move["walls"].items())), move["kept"])
        for move in table.moves(0)
        if move["type"] == "loot"
    }


@cases(
    "walls, mine, theirs, legal",
    {
        "E4.7.5-example-two-grass-or-one-wood": (
            {3: "gg", 4: "gw"},
            5,
            3,
            {("3x1", "grass"), ("3x2", "grass"), ("4x1", "wood")},
        ),
        "E4.7.5-difference-1": ({3: "gg", 4: "gw"}, 4, 3, {("3x1", "grass")}),
        "E4.7.5-difference-3": (
            {3: "gg", 4: "gw"},
            5,
            2,
            {
                ("3x1", "grass"),
                ("3x2", "grass"),
                ("4x1", "wood"),
                ("4x2", "wood"),
                ("4x2", "grass"),
                ("3x1,4x1", "grass"),
                ("3x1,4x1", "wood"),
            },
        ),
        "E4.7.5-from-the-top-down": ({3: "gs"}, 6, 3, set()),
        "E4.7.5-three-from-one-wall": ({3: "ggg"}, 5, 2, {("3x1", "grass"), ("3x2", "grass"), ("3x3", "grass")}),
        "E4.7.5-only-the-two-walls-beside": ({1: "g", 2: "g", 5: "g", 6: "g", 4: "g"}, 5, 2, {("4x1", "grass")}),
        "E4.7.5-exactly-the-value": ({3: "s"}, 6, 2, {("3x1", "stone")}),
        "E4.7.5-one-below-the-value": ({3: "s"}, 5, 2, set()),
    },
)
def test_loot(walls: dict[int, str], mine: int, theirs: int, legal: set[tuple[str, str]]) -> None:
    table = looting(walls, mine, theirs)
    if not legal:
        assert table.combat["space"] == "D", "nothing can be taken: nobody is asked"
        assert table.combats[1]["status"] == "resolved"
        return
    assert loots(table) == legal
    assert {"type": "decline"} in table.moves(0)
    assert table.space(0).count() == len(legal) + 1


@cases(
    "action",
    {
        "E4.7.5-not-over-the-value": {"walls": {"3": 1, "4": 1}, "kept": "wood"},
        "E4.7.5-not-off-another-wall": {"walls": {"1": 1}, "kept": "grass"},
        "E4.7.5-not-more-than-there-are": {"walls": {"3": 3}, "kept": "grass"},
        "E4.7.5-keep-only-what-is-taken": {"walls": {"3": 1}, "kept": "wood"},
        "E4.7.5-not-nothing": {"walls": {}, "kept": "grass"},
        "E4.7.5-not-off-a-bare-wall": {"walls": {"5": 1}, "kept": "grass"},
    },
)
def test_wrong_loot(action: dict[str, Any]) -> None:
    table = looting({1: "g", 3: "gg", 4: "gw"}, 5, 3)
    assert table.is_refused(0, type="loot", **action)
    if action["walls"]:
        assert table.refusal(0, type="loot", **action) == "E4.7.5"


@cases(
    "action",
    {
        "E4.7.5-count-0": {"walls": {"3": 0}, "kept": "grass"},
        "E4.7.5-wall-7": {"walls": {"7": 1}, "kept": "grass"},
        "E4.7.5-kept-is-required": {"walls": {"3": 1}},
    },
)
def test_malformed_loot(action: dict[str, Any]) -> None:
    looting({3: "gg", 4: "gw"}, 5, 3).malformed(0, type="loot", **action)


@rule("E4.7.5-one-is-kept-the-rest-goes-to-the-supply")
def test_kept() -> None:
    table = looting({3: "gg", 4: "gw"}, 5, 2)
    wood, grass = table.supply("wood"), table.supply("grass")
    table.play(0, type="loot", walls={"3": 1, "4": 1}, kept="wood")
    assert table.carried(0) == "w"
    assert (table.walls(1)[3], table.walls(1)[4]) == ("g", "g")
    assert (table.supply("wood"), table.supply("grass")) == (wood, grass + 1)
    table.check()


@rule("E4.7.5-of-equal-stones-one-is-kept")
def test_kept_of_equals() -> None:
    table = looting({3: "ggg"}, 5, 2)
    grass = table.supply("grass")
    table.play(0, type="loot", walls={"3": 3}, kept="grass")
    assert table.carried(0) == "g"
    assert 3 not in table.walls(1)
    assert table.supply("grass") == grass + 2


@rule("E4.7.5-what-is-kept-is-built")
def test_loot_is_built() -> None:
    table = looting({4: "w"}, 5, 3)
    table.play(0, type="loot", walls={"4": 1}, kept="wood")
    assert table.combats[1]["status"] == "resolved"
    table.cards({2: 5, 3: 2})
    assert (table.kind, table.turn.seats) == ("building", (0,))
    table.play(0, type="build", stones=[{"stone": "wood", "wall": 6}])
    assert table.walls(0) == {6: "w"}


@rule("E4.7.5-they-may-decline")
def test_decline() -> None:
    table = looting({3: "gg"}, 5, 3)
    table.play(0, type="decline")
    assert table.walls(1) == {3: "gg"}
    assert table.carried(0) == ""
    assert table.combats[1]["status"] == "resolved"


@rule("E4.7.5-the-siege-is-open-while-loot-is-chosen")
def test_open_siege() -> None:
    table = looting({3: "gg"}, 5, 3)
    assert table.combats[1]["status"] == "open"
    assert table.context(0)["combat"]["difference"] == 2


@rule("E4.7.5-a-losing-attacker-takes-nothing")
def test_loser_takes_nothing() -> None:
    table = looting({3: "gg"}, 3, 5)
    assert table.combat["space"] == "D"
    assert table.walls(1) == {3: "gg"}


@rule("E4.7.5-a-fight-for-the-space-brings-no-loot")
def test_no_loot_from_fights() -> None:
    table = Table(4, hands={0: [5, 1, 1, 6], 1: [2, 1, 1, 6]}, walls={2: {3: "ggg"}})
    table.march({0: "2:boat", 1: "2:boat"})
    table.cards({0: 5, 1: 2})
    assert table.kind == "battle_card"
    assert table.combat["kind"] == "siege"
