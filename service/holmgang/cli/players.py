"""Who plays on a server: the player of a token that is given, that was kept, or that is newly registered."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from holmgang.terminal.tokens import Tokens

TOKEN = "HOLMGANG_TOKEN"  # noqa: S105 # the variable that holds one
GAMES = "games"
"""What was noted of games, in the folder for settings: a folder for each player."""


def folder() -> Path:
    return Path(click.get_app_dir("holmgang"))


def tidy() -> None:
    """Leave no empty folders: what was noted of a game goes when its record has been compared with it."""
    for place in (*(folder() / GAMES).glob("*"), folder() / GAMES, folder()):
        with suppress(OSError):
            place.rmdir()


def notes_of(token: str) -> Path:
    """Of this player alone: a token tells who it is, and its digest does not give it away."""
    return folder() / GAMES / hashlib.sha256(token.encode()).hexdigest()[:16]


def known_token(url: str, tokens: Tokens) -> str | None:
    """The token of HOLMGANG_TOKEN, or the one that was kept for the service; None for neither. Raises ValueError for
    what can be no address, TokensUnreadable."""
    from holmgang import Client

    with Client(url) as anybody:
        return os.environ.get(TOKEN) or tokens.find(anybody.url)


def token_for(
    url: str, tokens: Tokens, name: Callable[[str], str], tell: Callable[[str], None], given: str | None = None
) -> str:
    """The player's token: the one that is `given`, by an option or HOLMGANG_TOKEN; the one that was kept for the
    service; or that of a new player, with the name that `name` finds for the service's address. Raises UsageError for
    what can be no address or token, Lost, TokensUnreadable.
    """
    from holmgang import Client
    from holmgang.terminal.remote import reaching

    given = given or os.environ.get(TOKEN)
    try:
        if given:
            Client(url, given).close()
            return given
        anybody = Client(url)
    except ValueError as wrong:
        raise click.UsageError(str(wrong)) from None
    with anybody:
        kept = tokens.find(anybody.url)
        if kept is not None:
            return kept
        chosen = name(anybody.url)
        with reaching(anybody):
            token = Client.register(url, chosen).token
        assert token is not None
        tokens.keep(anybody.url, token)
    tell(f"Your token is kept in {tokens.path}, readable for you alone.")
    return token
