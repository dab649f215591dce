"""What the user interface asks of each game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from holmgang.engine.moves import MoveSpace

from .choosers import Chooser
from .table import People

if TYPE_CHECKING:
    from rich.console import RenderableType


class Face(Protocol):
    """A game's looks and words. Everything is made of the view, so that nothing hidden can be told."""

    rule_of: Mapping[str, str]
    """By kind of turn, the rule that says what is asked, where one does."""
    boards_at: frozenset[str]
    """Kinds of turn at which the board is shown unasked."""

    def board(self, view: Any, people: People) -> RenderableType:
        """The table, at most 80 columns wide, legible without colours. On a narrower screen it tells the same:
        `fitting` has what arranges itself."""
        ...

    def question(self, view: Any, people: People) -> str:
        """What is asked of one's seat."""
        ...

    def words(self, action: Any, view: Any, people: People) -> str:
        """An action as one would say it."""
        ...

    def chooser(self, view: Any, people: People, space: MoveSpace[Any]) -> Chooser: ...

    def typed(self, line: str, view: Any) -> Any:
        """The action that a line spells, legal or not; None if it spells none."""
        ...
