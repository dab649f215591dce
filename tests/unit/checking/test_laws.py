"""The laws notice a game that breaks them, one small break of a sound game for each, and report a small game."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from random import Random
from typing import Any

import pytest

from holmgang.checking.interface import IMPURE
from holmgang.checking.patience import TooLong, within
from holmgang.checking.reading import made_up
from holmgang.checking.report import told
from holmgang.checking.running import UNPLAYABLE, Finding, deal, try_law
from holmgang.checking.table import BY_NAME, LAWS
from holmgang.checking.walks import again, lines_of
from holmgang.engine.game import Game
from tests.games.toy import GAME as TOY
from tests.unit.checking import impure, variants
from tests.unit.checking.variants import Hanging
from tests.unit.shapes import Build

SEEDS = range(8)
HERE = "tests.unit.checking"


def of(broken: type, **parts: str) -> Game:
    """The toy game with other rules, or with another part of the package."""
    brought = {"rules": ".rules.toy:Toy", "judge": ".bot:ToyJudge", "laws": ".laws:ToyLaws"}
    brought |= parts or {"rules": f"{broken.__module__}:{broken.__name__}"}
    return Game("toy", TOY.package, **brought)  # type: ignore[arg-type]


BREAKS: list[tuple[type, str]] = [
    (variants.WithoutTeams, "rules-are-whole"),
    (variants.OtherView, "rules-are-whole"),
    (variants.OneAlone, "names-are-plain"),
    (variants.LooseActions, "types-are-frozen"),
    (variants.UnknownRule, "rulebook-is-read"),
    (impure.OwnDice, "rules-are-pure"),
    (impure.OwnDice, "log-replays"),
    (variants.AnyOption, "options-are-checked"),
    (variants.OtherDefault, "options-are-checked"),
    (variants.AnyShape, "shapes-are-refused"),
    (variants.Endless, "play-goes-on"),
    (variants.Stumbling, "play-goes-on"),
    (variants.ShortScores, "play-ends"),
    (variants.StandingTurns, "turns-count-up"),
    (variants.Moody, "states-stay"),
    (variants.RestlessForms, "values-round-trip"),
    (variants.Forgetful, "log-replays"),
    (variants.ByHashes, "processes-agree"),
    (variants.WrongDefault, "samples-are-legal"),
    (variants.Miscounted, "listing-agrees"),
    (variants.Narrow, "sampling-reaches-all"),
    (variants.Uncited, "refusals-cite-rules"),
    (variants.FirstComeFirst, "sealed-order-is-free"),
    (variants.ResignedWinner, "resignation-is-safe"),
    (variants.LastSeatLoses, "last-seat-wins"),
    (variants.GappyNumbers, "combats-are-numbered"),
    (variants.NeverResolved, "combats-are-numbered"),
    (variants.LeakyView, "determinized-fit"),
    (variants.LeakyView, "hidden-things-do-not-show"),
    (variants.LeakyMoves, "hidden-things-do-not-show"),
    (variants.LeakyStep, "hidden-things-do-not-show"),
    (variants.LeakyResignation, "hidden-things-do-not-show"),
    (variants.OpenDealing, "effects-tell-what-shows"),
    (variants.OpenChoosing, "effects-tell-what-shows"),
    (variants.CardsFromNowhere, "determinized-fit"),
    (variants.UnknownRuleOfOption, "options-are-checked"),
    (variants.NoMostCards, "options-are-checked"),
    (variants.SetsOfNames, "processes-agree"),
    (variants.RevealsUnknown, "types-are-frozen"),
    (variants.DroppedEffect, "redaction-keeps-effects"),
    (variants.TellingSpectators, "redaction-keeps-effects"),
    (variants.LostInDrawing, "spectators-know-least"),
    (variants.ListedContext, "contexts-are-json"),
    (variants.Speechless, "sentences-are-told"),
    (variants.OwnHandsOnly, "boards-are-text"),
    (variants.Scripted, "pictures-are-sound"),
    (variants.GreedyForMore, "judge-is-sound"),
    (variants.Faceless, "face-speaks"),
    (variants.FirstWordOnly, "language-spells"),
]
PARTS: dict[type, str] = {
    variants.RevealsUnknown: "laws",
    variants.GreedyForMore: "judge",
    variants.Faceless: "face",
    variants.FirstWordOnly: "language",
}
"""What is no variant of the rules, but of another part."""


def game_of(broken: type) -> Game:
    part = PARTS.get(broken)
    return of(broken) if part is None else of(broken, **{part: f"{broken.__module__}:{broken.__name__}"})


def finding_of(game: Game, law: str, **more: Any) -> Finding:
    finding = try_law(BY_NAME[law], game, game.rules.seat_counts, SEEDS, **more).finding
    assert finding is not None, f"{law} holds"
    return finding


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_a_sound_game_keeps_the_law(law: Any) -> None:
    tried = try_law(law, TOY, (2, 3), SEEDS)
    assert tried.finding is None
    assert tried.games == {"game": 1, "seats": 2, "walk": 2 * len(SEEDS)}[law.scope]


@pytest.mark.parametrize(("broken", "law"), BREAKS, ids=[f"{law}-{broken.__name__}" for broken, law in BREAKS])
def test_a_broken_game_is_noticed_and_told(broken: type, law: str) -> None:
    game = game_of(broken)
    finding = finding_of(game, law)
    report = told(finding)
    assert report.startswith(f"toy breaks the law {law} (")
    for said in (finding.law.promise, finding.law.advice, f"holmgang check-game {TOY.package}:GAME --law {law}"):
        assert said in report
    if finding.trial.walk is not None:
        fewest = 3 if broken is variants.ResignedWinner else 2  # of two, the other has won at once
        assert finding.trial.seats == fewest
        assert all(f"    {line}" in report for line in lines_of(finding.trial.walk)[-5:])


def test_every_law_is_broken_once() -> None:
    assert {law for _, law in BREAKS} == set(BY_NAME)


@pytest.mark.parametrize(
    ("broken", "law", "most"),
    [
        (variants.WrongDefault, "samples-are-legal", 7),
        (variants.LeakyView, "hidden-things-do-not-show", 7),
        (variants.NeverResolved, "combats-are-numbered", 9),
        (variants.FirstComeFirst, "sealed-order-is-free", 9),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_the_game_that_is_shown_is_short_and_breaks_the_law_again(broken: type, law: str, most: int) -> None:
    finding = finding_of(game_of(broken), law)
    trial = finding.trial
    lines = lines_of(trial.played)
    assert len(lines) <= most
    pasted = again(trial.rules, trial.seats, finding.options, lines)
    assert pasted.last == trial.played.last
    with pytest.raises(Exception, match=r".") as raised:
        finding.law.check(trial._replace(walk=pasted))
    assert str(raised.value) == str(finding.error)


def test_what_the_game_raises_is_told_with_its_own_lines() -> None:
    report = told(finding_of(game_of(variants.Stumbling), UNPLAYABLE))
    assert "IndexError: tuple index out of range" in report or "AttributeError" in report
    assert "variants.py, line" in report
    assert "while seat" in report
    assert "chooses Claim(points=" in report


def test_a_game_that_cannot_begin_is_told_and_not_tried() -> None:
    game = game_of(variants.NoBeginning)
    report = told(finding_of(game, UNPLAYABLE))
    assert "KeyError: 'no beginning'" in report
    assert "variants.py, line" in report
    assert try_law(BY_NAME["play-ends"], game, (2,), range(1)).skipped == "no game could be played"


def test_laws_are_not_tried_on_games_that_cannot_be_played() -> None:
    tried = try_law(BY_NAME["play-ends"], game_of(variants.Endless), (2,), range(1))
    assert (tried.games, tried.finding, tried.skipped) == (0, None, "no game could be played")


def test_what_our_own_rules_may_not_import_no_rules_may() -> None:
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    (ours,) = [each["forbidden_modules"] for each in contracts if each["name"].startswith("Rules are pure")]
    assert set(ours) & set(sys.stdlib_module_names) <= IMPURE


def test_a_game_without_end_is_told_with_its_last_steps() -> None:
    report = told(finding_of(game_of(variants.Endless), UNPLAYABLE, search=0.0))
    assert "random play did not end within 50000 steps" in report
    assert "... 49960 steps before" in report


def test_what_hangs_is_told() -> None:
    finding = finding_of(game_of(Hanging), "pictures-are-sound", limit=0.5)
    assert isinstance(finding.error, TooLong)
    report = told(finding)
    assert "it took longer than 0.5 seconds" in report
    assert "in picture: while sum(view.scores)" in report
    assert sum(finding.trial.played.last.scores) > 0


def test_what_is_not_installed_is_passed_over() -> None:
    law = BY_NAME["play-ends"]._replace(needs=("no_such_module",))
    assert try_law(law, TOY, (2,), SEEDS).skipped == "no_such_module is not installed"


def _wait_within(seconds: float) -> None:
    with within(seconds):
        pass
    while True:
        pass


def test_another_timer_goes_on_after_the_limit() -> None:
    with pytest.raises(TooLong, match=r"longer than 0\.3"), within(0.3):
        _wait_within(60)


def test_the_same_seed_deals_the_same_game() -> None:
    law = BY_NAME["log-replays"]
    one, two = (deal(TOY, law, 3, 5) for _ in range(2))
    assert lines_of(one.played) == lines_of(two.played)


def test_actions_of_any_type_are_made_up() -> None:
    rng = Random(1)
    made = [made_up(Build, rng) for _ in range(200)]
    assert None not in made
    assert len({each.at for each in made}) == 9
    assert len({each.colour for each in made}) == 2
