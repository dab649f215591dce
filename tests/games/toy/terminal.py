"""Toy at a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from holmgang.engine.moves import MoveSpace
from holmgang.terminal.choosers import Chooser, Narrowing, Option
from holmgang.terminal.table import People

from .rules.toy import Claim, Play, View


class ToyFace:
    rule_of: Mapping[str, str] = {"play": "T1", "claim": "T2"}
    boards_at = frozenset({"play"})

    def board(self, view: View, people: People) -> Text:
        rows = [f"{people.name(seat):<20} {score} points" for seat, score in enumerate(view.scores)]
        return Text("\n".join(["Toy", *rows]))

    def question(self, view: View, people: People) -> str:
        return "Which card do you play?" if view.winner is None else "How many points do you claim?"

    def words(self, action: Any, view: View, people: People) -> str:
        return f"the card {action.card}" if isinstance(action, Play) else f"{action.points} points"

    def chooser(self, view: View, people: People, space: MoveSpace[Any]) -> Chooser:
        return Narrowing([Option(action, self.words(action, view, people)) for action in space])

    def typed(self, line: str, view: View) -> Any:
        """`card 3`, `claim 2`."""
        verb, _, number = line.partition(" ")
        if not number.isdecimal():
            return None
        return {"card": Play, "claim": Claim}[verb](int(number)) if verb in ("card", "claim") else None
