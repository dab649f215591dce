"""`holmgang mcp`: a language model plays, by tools of the Model Context Protocol."""

from __future__ import annotations

import os
import signal
from types import FrameType

import click

from holmgang.cli import players

DEFAULT_URL = "http://127.0.0.1:8000"


@click.command("mcp")
@click.option("--url", default=DEFAULT_URL, show_default=True, help="The service to play on.")
@click.option("--token", help="The player's token. Better in HOLMGANG_TOKEN, since others can read what is typed here.")
@click.option("--name", default="Model", show_default=True, help="The name of the player who is registered without.")
@click.option("--http", is_flag=True, help="Serve any number of players over HTTP, each with their own token.")
@click.option("--host", default="127.0.0.1", show_default=True, help="With --http: the address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="With --http; 0: any.")
@click.pass_context
def command(ctx: click.Context, url: str, token: str | None, name: str, http: bool, host: str, port: int) -> None:
    """Let a language model play, by tools of the Model Context Protocol.

    Over the standard streams, as its program starts it, unless --http is given: then at /mcp, where each request brings
    a player's token (`Authorization: Bearer ...`). Exit codes: 0 the program has ended, 1 failed, 2 wrong usage, 130
    or 143 stopped by SIGINT or SIGTERM.
    """
    given = {each for each in ("token", "name", "host", "port") if ctx.get_parameter_source(each) is _TYPED}
    if http and (wrong := given & {"token", "name"}):
        raise click.UsageError(f"--{min(wrong)} is for a single player: with --http each request brings a token.")
    if not http and (wrong := given & {"host", "port"}):
        raise click.UsageError(f"--{min(wrong)} goes with --http.")
    try:
        from holmgang.mcp import serving
        from holmgang.terminal.table import Lost
        from holmgang.terminal.tokens import Tokens, TokensUnreadable
    except ModuleNotFoundError as missing:
        raise click.ClickException(f"{missing.name} is not installed: pip install 'holmgang[mcp]'") from None
    if http:
        _serve(url, host, port)
        return
    try:
        mine = players.token_for(
            url, Tokens(players.folder()), lambda _: name, lambda told: click.echo(told, err=True), token
        )
    except (Lost, TokensUnreadable) as lost:
        raise click.ClickException(str(lost)) from None
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _end)
    try:
        serving.converse(serving.player_for(url, mine, notes=players.notes_of(mine)))
    finally:
        players.tidy()


def _end(number: int, _frame: FrameType | None) -> None:
    """At once: a thread reads the standard input, and nothing but its end would wake it."""
    players.tidy()
    os._exit(128 + number)


def _serve(url: str, host: str, port: int) -> None:
    from holmgang import Client
    from holmgang.mcp import serving

    try:
        Client(url).close()
    except ValueError as wrong:
        raise click.UsageError(str(wrong)) from None
    try:
        listener = serving.listening(host, port)
    except OSError as fault:
        raise click.ClickException(f"Port {port} of {host} cannot be listened on: {fault.strerror or fault}.") from None
    shown = f"[{host}]" if ":" in host else host
    click.echo(f"Models connect to http://{shown}:{listener.getsockname()[1]}/mcp with a player's token.")
    serving.serve(url, listener)


_TYPED = click.core.ParameterSource.COMMANDLINE
