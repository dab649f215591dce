"""A choice in the making: the words of it that are written, and those that may follow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .spelling import Spelling, Words


class Choice:
    """What a seat is about to do. Words that alone can follow write themselves."""

    def __init__(self, spelling: Spelling, written: Words = ()) -> None:
        """`written` is what another choice of the same spelling had come to."""
        self.spelling = spelling
        self.written: Words = written
        self._follows: tuple[Words, Sequence[int]] | None = None
        if not written:
            self._write_what_is_forced(whole=False)

    def following(self) -> Sequence[int]:
        """The words that may come next, ascending; none when the action is whole. Found once for what is written."""
        if self._follows is None or self._follows[0] is not self.written:
            self._follows = self.written, self.spelling.following(self.written)
        return self._follows[1]

    def write(self, word: int) -> None:
        """One of those that may follow."""
        self.written = (*self.written, word)
        self._write_what_is_forced(whole=True)

    def action(self) -> Any:
        """The action, if it is whole; None if it is not."""
        return self.spelling.action(self.written)

    def _write_what_is_forced(self, *, whole: bool) -> None:
        """The last word of an action only if it may be `whole` without a word of the agent's: even a seat that has one
        action only, which others do not know, takes its step."""
        while len(following := self.following()) == 1:
            longer = (*self.written, following[0])
            if not whole and self.spelling.action(longer) is not None:
                return
            self.written = longer
