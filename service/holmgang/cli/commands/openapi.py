"""`holmgang openapi`: the document that describes the API, made from the code."""

from __future__ import annotations

import difflib
import json
from importlib.util import find_spec
from pathlib import Path

import click

if find_spec("flask") is None:  # It is loaded when the document is made, which is late for `holmgang --help`.
    raise ModuleNotFoundError(name="flask")

SHOWN_LINES = 60


@click.command("openapi")
@click.option(
    "--check",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Compare with this file; exit 1 if it differs.",
)
@click.option(
    "--write", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file instead of standard output."
)
@click.option("--packages", is_flag=True, help="With the games of installed packages too, as a service has it.")
def command(check: Path | None, write: Path | None, packages: bool) -> None:
    """Print the OpenAPI document of the house's own games. It needs no database."""
    if check is not None and write is not None:
        raise click.UsageError("Say --check or --write, not both.")
    from holmgang.bootstrap import openapi_document

    text = json.dumps(openapi_document(packages), indent=2, ensure_ascii=False) + "\n"
    if check is not None:
        kept = check.read_text(encoding="utf-8")
        if kept != text:
            changes = difflib.unified_diff(kept.splitlines(), text.splitlines(), str(check), "the code", lineterm="")
            click.echo("\n".join(list(changes)[:SHOWN_LINES]))
            raise click.ClickException(f"{check} does not describe the code: run `make openapi` and commit it.")
        click.echo(f"{check} describes the code.")
    elif write is not None:
        try:
            write.parent.mkdir(parents=True, exist_ok=True)
            write.write_text(text, encoding="utf-8")
        except OSError as fault:
            raise click.ClickException(f"{write} cannot be written: {fault.strerror}.") from None
    else:
        click.echo(text.encode(), nl=False)  # JSON is UTF-8 (RFC 8259), whatever the terminal's encoding
