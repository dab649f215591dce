"""The option `--game`, whose help lists the games that are there."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem


class GameOption(click.Option):
    """`{games}` in its help are the games by name, which are looked for only when the help is asked for."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        record = super().get_help_record(ctx)
        return None if record is None else (record[0], record[1].replace("{games}", _names()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(name) for name in _games() if name.startswith(incomplete)]


def _names() -> str:
    return ", ".join(_games()) or "the games"


def _games() -> list[str]:
    try:
        from holmgang import registry
    except ModuleNotFoundError:  # without the extra `play`
        return []
    return list(registry.names())
