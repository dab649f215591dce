"""One person at one table: what happened, what is asked, what is typed, until the game is over."""

from __future__ import annotations

import functools
import json
import math
import re
from collections.abc import Mapping
from random import Random
from typing import Any

from rich import box

from holmgang import registry
from holmgang.bots import registry as bots
from holmgang.engine.errors import Fault, IllegalAction, MalformedAction
from holmgang.engine.messages import how_many, say
from holmgang.engine.moves import MoveSpace
from holmgang.engine.rulebook import read_rules

from .choosers import Chooser, Unclear
from .face import Face
from .fitting import Grid
from .plain import PlainFace
from .screen import Screen, seat_text
from .table import Moment, Refused, Table, TooLate

MOST_NEWS = 25
COMMANDS = (
    ("?", "this help"),
    ("board", "show the table"),
    ("news", "tell again what happened last"),
    ("hint", "what the bot `{bot}` would do; `take` does it"),
    ("rule ID", "the text of a rule; `rule` alone lists the ids"),
    ("undo", "take back the last step of a choice that is being made"),
    ("{...}", "a whole choice as JSON, as bots write it"),
    ("resign", "give the game up"),
    ("quit", "leave the terminal"),
)


class Left(Exception):
    """The person has left before the end."""


@functools.cache
def rule_texts(ruleset: str) -> Mapping[str, str]:
    text = registry.game(ruleset).rulebook
    return {rule["id"]: re.sub(r"[*`]", "", rule["text"]) for rule in read_rules(text)}


class Sitting:
    """Hints draw from `rng`. Goes on until the game is over, or Left, EndOfInput or Lost is raised."""

    def __init__(self, table: Table, screen: Screen, rng: Random) -> None:
        self.table = table
        self.screen = screen
        self.face = self._face()
        self.rng = rng
        self.last_news: list[str] = []
        self.last_board: Any = None
        self.waiting: tuple[Any, ...] | None = None
        self.resigned = False

    def _face(self) -> Face:
        """The game's own; the general one where it brings none, or one that cannot be had, which is said."""
        try:
            found: Face | None = registry.game(self.table.rules.ruleset).face
        except Exception as fault:
            self.screen.complain(f"The looks of this game cannot be loaded ({fault}); you see its plain ones.")
            found = None
        return PlainFace(self.table.rules) if found is None else found

    def play(self) -> None:
        while True:
            moment = self.table.now()
            self.tell()
            if moment.status == "over":
                self.score(moment)
                return
            if self.resigned:
                self.screen.say("You have given the game up; the others play on.")
                return
            if moment.yours:
                self.waiting = None
                self.answer(moment)
            else:
                self.wait(moment)

    # What happened

    def tell(self) -> None:
        news = self.table.news()
        if news:
            self.last_news = news
            self.show_news(MOST_NEWS)

    def show_news(self, most: int) -> None:
        if len(self.last_news) > most:
            self.screen.say(f"({how_many(len(self.last_news) - most, 'earlier event')} left out.)", "dim")
        for sentence in self.last_news[-most:]:
            self.screen.say(f"* {sentence}", "cyan")

    def wait(self, moment: Moment) -> None:
        told = (moment.status, moment.turn, moment.awaited)
        if told != self.waiting:
            self.waiting = told
            people = self.table.people
            if moment.status == "open":
                self.screen.say("The game begins when all seats are taken.", "dim")
            elif moment.status == "archived":
                raise Left
            elif moment.awaited and self.table.slow:
                kind = str(moment.kind).replace("_", " ")
                self.screen.say(f"Waiting for {people.listed(moment.awaited)} ({kind}).", "dim")
        self.table.wait(moment)

    def board(self, moment: Moment) -> None:
        self.screen.show(self.face.board(moment.view, self.table.people))
        self.last_board = moment.view

    def score(self, moment: Moment) -> None:
        people, result = self.table.people, moment.result
        assert result is not None
        self.board(moment)
        grid = Grid(title="Final score", box=box.ROUNDED)
        grid.add_column("rank", justify="right")
        grid.add_column("player")
        grid.add_column("points", justify="right")
        rank = 1
        for group in result.ranking:
            for seat in group:
                you = " (you)" if seat == people.me else ""
                grid.add_row(str(rank), seat_text(seat, people.name(seat) + you), str(result.scores[seat]))
            rank += len(group)
        self.screen.show(grid)
        if verdict := self.table.verdict():
            self.screen.say(verdict, "dim")
        winners = result.ranking[0]
        verb = "wins" if len(winners) == 1 and winners[0] != people.me else "win"
        told = people.listed(winners)
        self.screen.say(f"{told[0].upper()}{told[1:]} {verb}.", "bold")

    # What is asked

    def answer(self, moment: Moment) -> None:
        """Ask until the choice is made, or the game has gone on without it."""
        view, people, rules = moment.view, self.table.people, self.table.rules
        if moment.kind in self.face.boards_at and view != self.last_board:
            self.board(moment)
        space = rules.moves(rules.determinize(view, Random(0)), people.me)  # noqa: S311 # any state that fits will do
        asking = Asking(self, moment, space)
        if moment.deadline is not None:
            waits = " Nobody else waits: then the clock stops until you choose." if moment.clock_waits else ""
            left = "" if moment.left is None else f", {math.floor(moment.left)} seconds from now"
            self.screen.say(f"Your answer is due at {moment.deadline}{left}.{waits}", "dim")
        if moment.banks:
            banks = (f"{people.name(seat)} {math.floor(bank)}" for seat, bank in enumerate(moment.banks))
            self.screen.say(f"Seconds in the banks: {', '.join(banks)}.", "dim")
        asking.put()
        while True:
            action = asking.hear(self.screen.ask())
            if action is None:
                if self.resigned:
                    return
                continue
            try:
                self.table.choose(moment, action)
            except Refused as refusal:
                self.screen.complain(people.named(refusal.fault.detail), refusal.fault.rule)
                asking.begin()
                continue
            except TooLate as fault:
                self.screen.complain(f"Too late: {fault}")
                return
            self.screen.say(f"You choose: {self.face.words(action, view, people)}.", "bold")
            return


class Asking:
    """One question, and the choice that is being made."""

    def __init__(self, sitting: Sitting, moment: Moment, space: MoveSpace[Any]) -> None:
        self.sitting = sitting
        self.screen = sitting.screen
        self.face = sitting.face
        self.moment = moment
        self.view = moment.view
        self.people = sitting.table.people
        self.space = space
        self.hinted: Any = None
        self.chooser: Chooser
        self.begin()

    def begin(self) -> None:
        self.chooser = self.face.chooser(self.view, self.people, self.space)

    def put(self) -> None:
        rule = self.face.rule_of.get(str(self.moment.kind))
        cited = "" if rule is None else f" [{rule}]"
        self.screen.say(f"{self.face.question(self.view, self.people)}{cited}", "bold")
        self.show()

    def show(self) -> None:
        for line in self.chooser.lines():
            self.screen.say(line)

    def hear(self, line: str) -> Any:
        """A legal action to make, or None when something else was done with the line. Raises Left."""
        verb, _, rest = line.partition(" ")
        bare = not rest or verb.lower() == "rule"  # `take nothing` are words of a list
        command = getattr(self, f"_{verb.lower()}", None) if bare and verb.lower() in _VERBS else None
        if verb in ("?", "help"):
            self._help()
        elif command is not None:
            return command(rest.strip())
        elif line:
            return self._choice(line)
        else:
            self.put()
        return None

    def _choice(self, line: str) -> Any:
        try:
            action = self._json(line) if line.startswith("{") else None
            if action is None and not line.isdecimal():
                action = self.face.typed(line, self.view)
        except (MalformedAction, IllegalAction) as fault:
            self.screen.complain(fault.detail, getattr(fault, "rule", ""))
            return None
        if action is not None:
            return self._legal(action)
        try:
            action = self.chooser.hear(line)
        except Unclear as fault:
            self.screen.complain(self.people.named(str(fault)), fault.rule)
            return None
        if action is None:
            self.show()
            return None
        return self._legal(action)

    def _json(self, line: str) -> Any:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            raise MalformedAction("", say("This is no JSON.")) from None
        return self.sitting.table.rules.decode(str(self.moment.kind), value)

    def _legal(self, action: Any) -> Any:
        fault: Fault | None = self.space.why_not(action)
        if fault is None:
            return action
        self.screen.complain(self.people.named(fault.detail), fault.rule)
        return None

    # Commands

    def _help(self) -> None:
        self.screen.say(self.chooser.help())
        bot = bots.usual(self.sitting.table.rules.ruleset)
        for name, what in COMMANDS:
            self.screen.say(f"  {name:10} {what.format(bot=bot)}")

    def _board(self, rest: str) -> None:
        self.sitting.board(self.moment)
        self.put()

    def _news(self, rest: str) -> None:
        self.sitting.show_news(10 * MOST_NEWS)

    def _rule(self, rest: str) -> None:
        texts = rule_texts(self.sitting.table.rules.ruleset)
        name = rest.upper()
        if not texts:
            self.screen.complain("The rules of this game are not written down.")
        elif not rest:
            self.screen.say("Rules: " + " ".join(texts))
        elif name in texts:
            below = [each for each in texts if each.startswith(f"{name}.")]
            self.screen.say(f"{name}  {texts[name]}" + (f" (and {', '.join(below)})" if below else ""))
        else:
            self.screen.complain(f"There is no rule {rest[:20]}; `rule` lists them.")

    def _hint(self, rest: str) -> None:
        rules = self.sitting.table.rules
        bot = bots.usual(rules.ruleset)
        self.hinted = bots.find(bot).choose(rules, self.view, self.sitting.rng)
        words = self.face.words(self.hinted, self.view, self.people)
        self.screen.say(f"{bot} would: {words}. `take` does it.")

    def _take(self, rest: str) -> Any:
        if self.hinted is None:
            self.screen.complain("`hint` first.")
        return self.hinted

    def _undo(self, rest: str) -> None:
        self.chooser.undo()
        self.show()

    def _resign(self, rest: str) -> None:
        self.screen.say("Give the game up? Type `yes`.")
        if self.screen.ask().lower() not in ("yes", "y"):
            self.put()
            return
        try:
            self.sitting.table.resign()
        except TooLate as fault:
            self.screen.complain(str(fault))
            return
        self.sitting.resigned = True

    def _quit(self, rest: str) -> None:
        raise Left


_VERBS = ("board", "news", "rule", "hint", "take", "undo", "resign", "quit")
