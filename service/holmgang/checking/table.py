"""The table of all laws: what every game promises, where that is said, and what tries it.

`holmgang check-game`, the pytest plugin and the tests of the house take the laws from here, and nowhere else.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from holmgang.engine.game import Game
from holmgang.engine.rules import AnyRules

from . import alike, brought, hidden, interface, playing, reading, shown
from .walks import Walk

Scope = Literal["game", "seats", "walk"]


class Trial(NamedTuple):
    """What a law is tried on: a game with so many seats and, for most laws, a random game that was played with a seed.

    `every`: the law looks at every so-many-th moment.
    """

    game: Game
    seats: int
    seed: int = 0
    walk: Walk | None = None
    every: int = 1

    @property
    def rules(self) -> AnyRules:
        return self.game.rules

    @property
    def played(self) -> Walk:
        assert self.walk is not None, "this law is tried on random games"
        return self.walk

    def rng(self) -> random.Random:
        """The same chance each time."""
        return random.Random(self.seed)  # noqa: S311 # trials are to be repeatable

    def reveals(self, effect: Any) -> bool:
        return type(effect).__name__ in self.game.laws.reveals


class Law(NamedTuple):
    """`promise` says what holds, `cites` where that is laid down, `advice` what to do where it does not.

    `scope`: whether it is tried once, once for each number of seats, or on random games. `every`: in long games, it
    looks at every so-many-th moment. `examples`: on how many random games the tests of the house try it. `resigning`:
    the chance that a seat resigns before a choice, in games of even and odd seeds. `needs`: what must be installed.
    """

    name: str
    cites: str
    promise: str
    advice: str
    check: Callable[[Trial], object]
    scope: Scope = "walk"
    every: int = 1
    examples: int = 5
    resigning: tuple[float, float] = (0.0, 0.0)
    needs: tuple[str, ...] = ()


def _goes_on(trial: Trial) -> None:
    """The walk has been played when this is called: nothing else was promised but the game's own check."""
    check = trial.game.laws.check
    for moment in trial.played.steps():
        check(moment.before)
    check(trial.played.last)


SOME = (0.002, 0.002)
_RULES = "`Rules` in service/holmgang/engine/rules.py"

LAWS: tuple[Law, ...] = (
    Law(
        "rules-are-whole",
        _RULES,
        "The rules have every attribute and every method of `Rules`, which take what they are called with.",
        "Write what is missing; `BaseRules` of service/holmgang/engine/base.py has much of it.",
        lambda t: interface.rules_are_whole(t.rules),
        scope="game",
    ),
    Law(
        "names-are-plain",
        "C1",
        "A game has a ruleset's name, a version, a title, numbers of players, and teams in which each seat is once.",
        "Mend the attribute that is named.",
        lambda t: interface.names_are_plain(t.game, t.rules),
        scope="game",
    ),
    Law(
        "types-are-frozen",
        _RULES,
        "States, views, effects, combats and actions are frozen msgspec Structs; effects and actions are told apart by"
        " their tags, and actions forbid unknown fields. What `reveals` names are effects.",
        "Add what the class lacks to its first line: frozen=True, tag=..., forbid_unknown_fields=True.",
        lambda t: interface.types_are_frozen(t.game, t.rules),
        scope="game",
    ),
    Law(
        "rulebook-is-read",
        "docs/pages/tutorials/adding-a-game.md",
        "Each rule of RULES.md has an id of its own, and what is reconstructed is among them.",
        "Give the rule its own id in RULES.md, or cite one that is there.",
        lambda t: interface.rulebook_is_read(t.game, t.rules),
        scope="game",
    ),
    Law(
        "rules-are-pure",
        _RULES,
        "The rules know no clock, chance, files or network, and of the house only its engine.",
        "Move the line out of the rules. Chance is asked for by a Chance turn and comes in by `resolve` (C4).",
        lambda t: interface.rules_are_pure(t.game, t.rules),
        scope="game",
    ),
    Law(
        "options-are-checked",
        "C1",
        "`configure` takes no options, the defaults and the options that `laws.py` names; what is left out is what the"
        " schema says; unknown names and values that will not do are refused by a rule; `options` gives the whole ones,"
        " which make the same game. A game can be played with the least and the most that the schema allows.",
        "Compare `configure`, `options` and `options_schema`: they must name the same options, defaults and bounds.",
        lambda t: interface.options_are_checked(t.game, t.rules, t.seats),
        scope="seats",
    ),
    Law(
        "shapes-are-refused",
        "C2",
        "A value with no action's shape is malformed, and an action that other turns ask for is illegal here.",
        "Let `decode` be an `ActionDecoder` of service/holmgang/engine/decoding.py, which does both.",
        lambda t: reading.shapes_are_refused(t.rules),
        scope="game",
    ),
    Law(
        "play-goes-on",
        "docs/pages/tutorials/adding-a-game.md",
        "Random play raises nothing and comes to an end, and every state passes the game's own check.",
        "Play the decisions below again (`holmgang.checking.walks.again`) and look where it goes wrong.",
        _goes_on,
        examples=2,
        resigning=(0.0, 0.004),
    ),
    Law(
        "play-ends",
        "C5",
        "The end has a score for each seat, ranks each seat once and has a reason.",
        "Mend the `Over` that `turn` gives.",
        lambda t: playing.play_ends(t.played),
        examples=10,
        resigning=(0.0, 0.004),
    ),
    Law(
        "turns-count-up",
        "C2",
        "Asked turns count 1, 2, 3...; a chance shows the last asked one; within a turn the awaited only get fewer;"
        " nobody who resigned is awaited.",
        "Mend what `turn` gives.",
        lambda t: playing.turns_count_up(t.played),
        examples=10,
        resigning=(0.0, 0.004),
    ),
    Law(
        "combats-are-numbered",
        "`Combat` in service/holmgang/engine/rules.py",
        "Combats count 1, 2, 3...; one that is over stays as it is; none is open when the game is over.",
        "Mend the combats of the steps. One that the game's end overtakes is `abandoned`.",
        lambda t: playing.combats_are_numbered(t.played),
        examples=10,
        resigning=(0.0, 0.004),
    ),
    Law(
        "states-stay",
        _RULES,
        "Rules are pure functions: they change nothing that they are given, and the same step has the same outcome.",
        "Make new values instead of changing old ones: tuples and frozen Structs, no lists or dicts that are shared.",
        lambda t: playing.states_stay(t.played, t.every),
        every=13,
        examples=1,
        resigning=SOME,
    ),
    Law(
        "values-round-trip",
        "service/holmgang/engine/codec.py",
        "States, effects, combats, actions and views come back equal from their encoded forms.",
        "Look at the type of the field that changes: what is encoded must say all that is in it.",
        lambda t: playing.values_round_trip(t.played, t.every),
        every=3,
        resigning=SOME,
    ),
    Law(
        "log-replays",
        "C4",
        "The log of a game, read back from JSON, leads through the same states.",
        "Look for what a step takes from elsewhere than state, action and chance value.",
        lambda t: playing.log_replays(t.played),
        examples=10,
        resigning=(0.0, 0.01),
    ),
    Law(
        "processes-agree",
        "C4",
        "A game is the same in every process, whatever its PYTHONHASHSEED.",
        "Sort what comes out of a set, or of a dict that was made of one, before anything depends on its order.",
        lambda t: alike.processes_agree(t.game),
        scope="game",
    ),
    Law(
        "samples-are-legal",
        "`MoveSpace` in service/holmgang/engine/moves.py",
        "What is sampled, and the default action, is in the space, and no rule forbids it. The grammar is JSON.",
        "Compare `sample`, `default` and `why_not`.",
        lambda t: playing.samples_are_legal(t.played, t.rng(), t.every),
    ),
    Law(
        "listing-agrees",
        "`MoveSpace` in service/holmgang/engine/moves.py",
        "A space lists exactly as many actions as it counts, all different and legal, and always alike.",
        "Compare `__iter__`, `count`, `why_not` and `canonical`.",
        lambda t: playing.iteration_agrees(t.played, most=300, every=t.every),
        every=2,
        resigning=SOME,
    ),
    Law(
        "sampling-reaches-all",
        "`MoveSpace` in service/holmgang/engine/moves.py",
        "Each legal action comes out, sooner or later, when the space is sampled.",
        "Give every action of the list a chance in `sample`.",
        lambda t: playing.sampling_reaches_all(t.played, t.rng(), every=t.every),
        every=5,
        resigning=SOME,
    ),
    Law(
        "refusals-cite-rules",
        "docs/pages/tutorials/adding-a-game.md",
        "Whatever an action's type lets through is legal, or refused with a rule that RULES.md has and a sentence.",
        "Bound the action's fields by its type, or let `why_not` answer for what is outside.",
        lambda t: reading.refusals_cite_rules(t.game, t.played, t.rng(), t.every),
        every=3,
        examples=1,
    ),
    Law(
        "sealed-order-is-free",
        "C2",
        "The order in which sealed choices come in changes neither state nor effects nor combats.",
        "Keep sealed choices by seat, and go through the seats in a fixed order when the last one is in.",
        lambda t: playing.sealed_order_is_free(t.played, t.rng(), t.every),
        resigning=SOME,
    ),
    Law(
        "resignation-is-safe",
        "C6",
        "From any moment a seat may resign: the game goes on to its end without it, and it does not win.",
        "Mend `resign` and what is done for seats that have resigned.",
        lambda t: playing.resignation_is_safe(t.played, t.rng(), t.every),
        every=101,
    ),
    Law(
        "last-seat-wins",
        "C7",
        "When all seats but one resign, the game is over and that seat has won.",
        "Mend what `turn` gives when one seat, or one side, is left.",
        lambda t: playing.last_seat_wins(t.played, t.rng(), t.every),
        every=31,
    ),
    Law(
        "determinized-fit",
        "`Rules.determinize` in service/holmgang/engine/rules.py",
        "A state drawn from a view gives that very view, the same turn, and to a spectator what the true state gives."
        " It passes the game's own check.",
        "Compare `view` and `determinize`: the view must hold all that its seat knows, and nothing else.",
        lambda t: hidden.determinized_fit(t.played, random.Random, t.every, t.game.laws.check),
        every=11,
        resigning=SOME,
    ),
    Law(
        "spectators-know-least",
        "`Rules.view` in service/holmgang/engine/rules.py",
        "What a spectator sees says nothing about what only one seat sees.",
        "Build the view of None from what all may know, and nothing else.",
        lambda t: hidden.spectators_know_least(t.played, random.Random, t.every),
        every=23,
        resigning=SOME,
    ),
    Law(
        "hidden-things-do-not-show",
        "`Rules.view` in service/holmgang/engine/rules.py",
        "Two states that differ only in what a seat cannot see look alike to it: view, turn, moves, refusals, board,"
        " and the effects of the next step.",
        "Let views, moves and refusals depend on what the seat sees alone. An effect that turns something over for all"
        " to see is named in `reveals` of the game's `laws.py`; one that tells a seat alone is blanked by `redact`.",
        lambda t: hidden.hidden_things_do_not_show(t.played, random.Random, t.reveals, t.every),
        every=9,
        resigning=SOME,
    ),
    Law(
        "redaction-keeps-effects",
        "`Rules.redact` in service/holmgang/engine/rules.py",
        "Nobody is spared an effect: a shell of the same type remains. A spectator is told no more than any seat.",
        "Give back an effect of the same type with None in place of what is hidden.",
        lambda t: hidden.redaction_keeps_effects(t.played),
        resigning=(0.004, 0.004),
    ),
    Law(
        "effects-tell-what-shows",
        "`Rules.redact` in service/holmgang/engine/rules.py",
        "Outcomes of a step that differ only in what a seat cannot see are told to it alike.",
        "Blank in `redact` what the seat does not see, or show it in its view. An effect that turns something over for"
        " all to see is named in `reveals` of the game's `laws.py`.",
        lambda t: hidden.effects_tell_what_shows(t.played, t.rng(), t.reveals, t.every),
        every=7,
        examples=2,
        resigning=SOME,
    ),
    Law(
        "contexts-are-json",
        "`Rules.context` in service/holmgang/engine/rules.py",
        "What a turn is about is a JSON object.",
        "Put texts, numbers, lists and dicts into `context` only.",
        lambda t: shown.contexts_are_json(t.played, t.every),
        every=7,
        examples=1,
    ),
    Law(
        "sentences-are-told",
        "`Rules.tell` in service/holmgang/engine/rules.py",
        "Every effect has a sentence in every language, redacted or not.",
        "Let `tell` answer for effects whose hidden fields are None, too.",
        lambda t: shown.sentences_are_told(t.played, t.every),
        every=5,
        examples=1,
        resigning=SOME,
    ),
    Law(
        "boards-are-text",
        "`Rules.render` in service/holmgang/engine/rules.py",
        "Every view is readable text in every language, and equal views give equal text.",
        "Let `render` answer for every view: a spectator's, and those of a game that is over.",
        lambda t: shown.boards_are_text(t.played, t.every),
        every=61,
        examples=1,
    ),
    Law(
        "pictures-are-sound",
        "`Rules.picture` in service/holmgang/engine/rules.py",
        "Every view is an SVG document in every theme and language: without scripts, links or fonts, with the palette's"
        " style sheet, and with `render` as its description.",
        "Draw with `Canvas` of service/holmgang/engine/drawing.py, whose `document` does all of that.",
        lambda t: shown.pictures_are_sound(t.played, t.every),
        every=101,
        examples=1,
        resigning=SOME,
    ),
    Law(
        "judge-is-sound",
        "`Judge` in service/holmgang/bots/base.py",
        "What the judge chooses from one seat's view is legal, and it values states from 0 to 1.",
        "Let the judge choose among `rules.moves(state, seat)`.",
        lambda t: brought.judge_is_sound(t.game, t.played, t.rng(), t.every),
        every=5,
        examples=1,
    ),
    Law(
        "face-speaks",
        "`Face` in service/holmgang/terminal/face.py",
        "At a terminal, boards fit into 80 columns, every question has words, and every listed action its own.",
        "Mend the game's face, or leave it out: the house has one that is made of the rules.",
        lambda t: brought.face_speaks(t.game, t.played, t.every),
        every=19,
        examples=1,
        needs=("rich",),
    ),
    Law(
        "language-spells",
        "`Language` in service/holmgang/training/language.py",
        "For training, every legal action has a spelling of its own, and observations are of one length, from 0 to 1.",
        "Mend the game's language, or leave it out: the house has one that is made of the rules.",
        lambda t: brought.language_spells(t.game, t.played, t.rng(), t.every),
        every=19,
        examples=1,
        needs=("numpy",),
    ),
)
BY_NAME = {law.name: law for law in LAWS}
