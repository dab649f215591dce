"""Choices that are typed: put together, spelled out, taken back, refused with a rule."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from rich.console import Console

from holmgang import registry
from holmgang.bots import registry as bots
from holmgang.terminal.local import LocalTable
from holmgang.terminal.screen import EndOfInput, Screen
from holmgang.terminal.sitting import Asking, Left, Sitting, rule_texts
from holmgang.terminal.table import People


class Script(Screen):
    """Types lines, and keeps what is shown."""

    def __init__(self, lines: list[str]) -> None:
        self.out = io.StringIO()
        super().__init__(Console(file=self.out, width=80, highlight=False))
        self.lines: Iterator[str] = iter(lines)

    def ask(self) -> str:
        try:
            return next(self.lines)
        except StopIteration:
            raise EndOfInput from None

    @property
    def told(self) -> str:
        return self.out.getvalue()


def asked(
    game: str, phase: str, wanted: Callable[[Any], bool] = lambda _view: True, seed: int = 1
) -> tuple[Asking, Script]:
    """A question of that kind, out of a game that is played at random."""
    rules = registry.latest(game)
    rng = Random(seed)
    for number in range(20):
        table = LocalTable(rules, ["random"] * (rules.seat_counts[0] - 1), 0, "Ann", Random(f"{seed}/{number}"))
        while (moment := table.now()).status != "over":
            if not moment.yours:
                table.wait(moment)
                continue
            if moment.view.phase == phase and wanted(moment.view):
                script = Script([])
                space = rules.moves(rules.determinize(moment.view, Random(0)), 0)
                return Asking(Sitting(table, script, Random(1)), moment, space), script
            table.choose(moment, bots.find("random").choose(rules, moment.view, rng))
    raise AssertionError(f"{phase} is never asked")


def test_vikings_are_sent_one_after_another() -> None:
    asking, script = asked("eketorp", "placement", lambda view: view.seats[0].home == 8)
    assert asking.hear("A2 f") is None
    assert asking.hear("2:boat") is None
    assert asking.hear("undo") is None
    assert asking.hear("1c b 1") is None
    assert "Sent out: 1 to B, 2 to A" not in script.told
    action = asking.hear("ok")
    assert action.fields == {"A": 2, "F": 1, "B": 1}
    assert action.sieges == ("1:catapult",)
    assert asking.hear("1:catapult") is None
    assert "E3.2: At most one of your Vikings goes to each siege space." in script.told
    assert asking.hear("X3") is None
    assert "'x3' is neither a field" in script.told


def test_walls_are_built_stone_by_stone() -> None:
    asking, script = asked("eketorp", "building", lambda view: sum(view.seats[0].carried.values()) >= 2)
    me = asking.view.seats[0]
    stones = [kind for kind, n in me.carried.items() for _ in range(n)]
    assert asking.hear(f"{stones[0]} 7") is None
    assert "is no stone and wall" in script.told
    other = next(kind for kind in ("stone", "clay", "wood", "grass") if kind not in me.carried)
    assert asking.hear(f"{other}1") is None
    assert f"E5.3: You have no {other} left to build." in script.told
    free = [n + 1 for n, wall in enumerate(me.walls) for _ in range(3 - len(wall))]
    must = int(asking.space.grammar()["build_exactly"])
    action = None
    for stone, wall in list(zip(stones, free, strict=False))[:must]:
        assert action is None
        action = asking.hear(f"{stone[0]}{wall}")
    assert action in asking.space


def test_points_are_chosen_at_once_or_one_by_one() -> None:
    asking, script = asked("claim", "placement")
    free = asking.space.grammar()["free"]
    assert asking.hear(free[0]) is None
    assert asking.hear(free[0]) is None
    assert f"K2.1: {free[0]} is chosen already." in script.told
    assert asking.hear(free[1]).points == (free[0], free[1])
    taken = next(iter(asking.view.seats[1].pieces), "z9")
    assert asking.hear(f"{taken} {free[3]}") is None
    assert f"K2.1: {taken} is not free." in script.told


def test_pieces_are_moved_by_their_ends_and_refused_by_rule() -> None:
    asking, script = asked("claim", "move")
    some = next(iter(asking.space))
    assert asking.hear(f"{some.path[0]} {some.path[-1]}") in asking.space
    assert asking.hear(f"{some.path[0]} to {some.path[0]}") is None
    assert "K3.1: " in script.told
    assert asking.hear("z9 a1") is None
    assert "K1.1: The island has no point z9." in script.told
    assert asking.hear("nonsense") is None
    assert "No legal action has the words 'nonsense'." in script.told


def test_claims_name_points_or_nothing() -> None:
    asking, script = asked("claim", "claim")
    territory, free = next(iter(asking.space.grammar()["free"].items()))
    action = asking.hear(f"{free[0]} ok")
    assert [(stake.territory, stake.point) for stake in action.castles] == [(int(territory), free[0])]
    asking.begin()
    assert asking.hear("ok").castles == ()
    assert asking.hear("z9") is None
    assert "K1.1" in script.told


def test_enemies_are_taken_off() -> None:
    asking, script = asked("claim", "removal")
    theirs = asking.view.seats[1].pieces
    assert asking.hear(" ".join(theirs[:4])) in asking.space
    assert asking.hear(" ".join(asking.view.seats[0].pieces[:1])) is None
    assert "K2.2: " in script.told


def test_ships_sail_as_it_is_spelled_or_by_the_rule_that_forbids_it() -> None:
    asking, script = asked("drakkars", "sail", lambda view: view.seats[0].ships[0].at in ("sea", "fjord"))
    hand = asking.view.hand
    lacking = next(card for card in range(1, 10) if card not in hand)
    own = next(card for card in hand if card != 10)
    action = asking.hear(f"sail a0 {own}")
    assert (action.ship, action.card) == (0, own)
    assert asking.hear("draw") in asking.space
    for line, rule in (
        (f"sail a0 {lacking}", "D4.1"),
        (f"sail a0 {own} 3", "D4.1"),
        ("rush a0 1", "D8.2"),
        ("emerge 1", "D7.2"),
        ("add 1", "D7.1"),
    ):
        before = script.told
        assert asking.hear(line) is None
        assert f"{rule}: " in script.told.removeprefix(before), line
    for line in ("sail", "sail z9 1", "pair a0 9 b0", "launch 99", "boost 1", "swap a0", "back", "fog 3"):
        assert asking.hear(line) is None


def test_every_spelling_of_a_go_is_that_action() -> None:
    asking, _ = asked("drakkars", "sail")
    typed = {
        line: type(asking.face.typed(line, asking.view)).__name__
        for line in (
            "boost a1 5", "boost a1 10 13", "launch 5", "launch 10 3", "fog a0", "back b1", "swap a0 b1",
            "pair a0 3 b1", "draw", "ready", "add 4", "emerge 5", "rush a0 5 7",
        )
    }  # fmt: skip
    names = ["Boost", "Boost", "Launch", "Launch", "Fog", "Back", "Swap", "Pair", "Draw", "ReadyShip", "FogCard"]
    assert list(typed.values()) == [*names, "Emerge", "Rush"]


def test_the_commands_answer_at_any_question() -> None:
    asking, script = asked("eketorp", "battle_card")
    for line in ("?", "board", "news", "rule", "rule E4.4", "rule X1", "take", "hint", ""):
        assert asking.hear(line) is None
    for shown in (
        "`greedy` would do",
        "Round ",
        "E4.4  ",
        "There is no rule X1",
        "`hint` first.",
        "greedy would: play ",
    ):
        assert shown in script.told
    assert asking.hear("take") in asking.space
    assert asking.hear(str(asking.view.hand[0])).card == asking.view.hand[0]
    lacking = next(card for card in range(1, 7) if card not in asking.view.hand)
    assert asking.hear(str(lacking)) is None
    with pytest.raises(Left):
        asking.hear("quit")


def test_words_of_a_list_are_no_commands() -> None:
    asking, script = asked("eketorp", "loot", lambda view: view.phase == "loot")
    assert asking.hear("take nothing") is None
    assert "take nothing" in script.told
    assert "`hint` first." not in script.told
    assert type(asking.hear("1")).__name__ == "Decline"


def test_resigning_is_asked_about() -> None:
    rules = registry.latest("claim")
    table = LocalTable(rules, ["greedy"], 0, "Ann", Random(1))
    script = Script(["resign", "no", "resign", "yes"])
    Sitting(table, script, Random(1)).play()
    assert "Astrid wins." in script.told


def test_every_rule_that_is_asked_by_has_its_text() -> None:
    for game in registry.games():
        name, face = game.name, game.face
        assert set(face.rule_of) == set(registry.latest(name).turn_kinds)
        for rule in face.rule_of.values():
            assert len(rule_texts(name)[rule]) > 20


def test_names_do_not_move_the_cursor() -> None:
    people = People(("Ann", "\x1b[2JEvil\nseat 0"), 0)
    assert people.named("Seat 1 beats seat 0; seat 7 looks on.") == "?[2JEvil?seat 0 beats Ann; seat 7 looks on."
    assert people.listed([1, 0]) == "?[2JEvil?seat 0 and you"


TYPED = """
0 1 2 7 12 99 999999999999 A2 f1 h3 0:boat 2:ram 5b ok done undo w3 g1 wood 4 c4 a1 z99 to sail a0 b2 c9 boost launch
fog back swap pair draw ready add emerge rush 10 13 catch town hint take rule E4 ? board { [] {} é ² ١
{"type":"place"} {"type":"play","card":"x"} {"type":7}
"""
WORDS = ("", *TYPED.split())


@pytest.mark.parametrize("game", registry.names())
def test_whatever_is_typed_is_answered(game: str) -> None:
    """Random lines at every question: some are choices, none is a fault of the program, and the game ends."""
    rng = Random(game)
    rules = registry.latest(game)
    table = LocalTable(rules, ["random"] * (rules.seat_counts[-1] - 1), 0, "Ann", Random(3))
    lines = [" ".join(rng.choices(WORDS, k=rng.randrange(1, 4))) for _ in range(4000)]
    script = Script([line for typed in lines for line in (typed, *(("hint", "take") if rng.random() < 0.3 else ()))])
    with contextlib.suppress(EndOfInput):
        Sitting(table, script, Random(1)).play()
    assert table.now().turn > 50
    assert script.told.count("You choose: ") > 10
