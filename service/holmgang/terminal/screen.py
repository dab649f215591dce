"""What is printed and read, at a terminal and by programs alike."""

from __future__ import annotations

import contextlib
import sys
from typing import Any

from rich.console import Console, RenderableType
from rich.text import Text

WIDEST = 100
PROMPT = "> "
SEAT_STYLES = ("bold bright_blue", "bold red", "bold yellow", "bold green", "bold magenta", "bold cyan")
"""By seat. Letters and numbers tell the same without colour."""


class EndOfInput(Exception):
    """Nothing more will be typed."""


class Screen:
    """Lines go out, and answers come in. Without a terminal there are no colours, and what was read is shown again."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(highlight=False)
        self.console.width = min(self.console.width, WIDEST)
        self.interactive = sys.stdin.isatty()
        if self.interactive:
            with contextlib.suppress(ImportError):  # not everywhere; only arrow keys are lost
                import readline  # noqa: F401

    @property
    def plain(self) -> bool:
        """Whether only ASCII can be written."""
        return self.console.options.ascii_only

    def say(self, sentence: str, style: str = "") -> None:
        self.console.print(Text(sentence, style=style))

    def show(self, thing: RenderableType) -> None:
        self.console.print(thing)

    def complain(self, sentence: str, rule: str = "") -> None:
        self.console.print(Text.assemble((f"{rule}: " if rule else "", "bold red"), (sentence, "red")))

    def ask(self) -> str:
        """What is typed, without blanks around it. Raises EndOfInput."""
        try:
            line = input(PROMPT)
        except EOFError:
            self.console.print()
            raise EndOfInput from None
        except UnicodeDecodeError:
            return "?"
        if not self.interactive:
            self.say(line.strip())
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
