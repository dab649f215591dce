"""What a game does with the seats of players who let a deadline pass."""

from __future__ import annotations

from typing import Final

from holmgang.bots.base import NAMES

DEFAULT: Final = "default"
"""The rules' default action is played for the seat. Beside the names of bots it stands for who makes such a choice."""
FORFEIT: Final = "forfeit"
"""The seat has resigned."""
BOT: Final = "bot:"
"""Before the name of the built-in bot that plays for the seat."""
FORMS = (DEFAULT, FORFEIT, *(BOT + name for name in NAMES))


def bot_of(form: str) -> str | None:
    """The bot that one of the `FORMS` leaves absent seats to, if it does."""
    return form.removeprefix(BOT) if form.startswith(BOT) else None
