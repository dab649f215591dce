"""What is printed and read, at a terminal and by programs alike."""

from __future__ import annotations

import contextlib
import sys
from typing import Any

from rich.console import Console, RenderableType
from rich.text import Text

WIDEST = 100
PROMPT = "> "
MORE = "-- Enter for more --"
SEAT_STYLES = ("bold bright_blue", "bold red", "bold yellow", "bold green", "bold magenta", "bold cyan")
"""By seat. Letters and numbers tell the same without colour."""


class EndOfInput(Exception):
    """Nothing more will be typed."""


class Screen:
    """Lines go out, and answers come in. Without a terminal there are no colours, and what was read is shown again.

    At a terminal, whatever its size, nothing runs off before it could be read: a screenful waits for Enter. Whoever
    types an answer there gets the rest at once.
    """

    def __init__(self, console: Console | None = None) -> None:
        self._given = console is not None
        self.console = console or Console(highlight=False)
        self._fit()
        self.interactive = sys.stdin.isatty()
        self._shown = 0  # lines since something was typed
        self._typed: str | None = None  # before it was asked for
        if self.interactive:
            with contextlib.suppress(ImportError):  # not everywhere; only arrow keys are lost
                import readline  # noqa: F401

    @property
    def plain(self) -> bool:
        """Whether only ASCII can be written."""
        return self.console.options.ascii_only

    def _fit(self) -> None:
        """To the width of now, which changes with the window."""
        wide = self.console.width if self._given else Console().width
        self.console.width = min(wide, WIDEST)

    def say(self, sentence: str, style: str = "") -> None:
        self.show(Text(sentence, style=style))

    def show(self, thing: RenderableType) -> None:
        """Raises EndOfInput where it waits for Enter."""
        if not (self.interactive and self.console.is_terminal):
            self.console.print(thing)
            return
        with self.console.capture() as captured:
            self.console.print(thing)
        for line in captured.get().splitlines(keepends=True):
            if self._typed is None and self._shown >= self.console.height - 1:
                self._typed = self._read(MORE) or None
            self.console.file.write(line)
            self._shown += 1
        self.console.file.flush()

    def complain(self, sentence: str, rule: str = "") -> None:
        self.show(Text.assemble((f"{rule}: " if rule else "", "bold red"), (sentence, "red")))

    def ask(self) -> str:
        """What is typed, without blanks around it. Raises EndOfInput."""
        line, self._typed = self._typed, None
        if line is None:
            line = self._read(PROMPT)
        self._fit()
        if not self.interactive:
            self.say(line)
        return line

    def _read(self, prompt: str) -> str:
        try:
            line = input(prompt)
        except EOFError:
            self.console.print()
            raise EndOfInput from None
        except UnicodeDecodeError:
            return "?"
        self._shown = 1  # the line that was typed
        return line.strip()


def seat_text(seat: int, words: str) -> Text:
    return Text(words, style=style_of(seat))


def style_of(seat: int) -> str:
    return SEAT_STYLES[seat % len(SEAT_STYLES)]


def letter(seat: int) -> str:
    """Boards and ships name a seat by a letter: a is seat 0."""
    return "abcdef"[seat]


def lines(*parts: Any) -> Text:
    return Text("\n").join(part if isinstance(part, Text) else Text(part) for part in parts)
