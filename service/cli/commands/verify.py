"""`holmgang verify`: a finished game's record, played again and compared."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

if TYPE_CHECKING:
    from service.app.verify import Verdict

DIFFERS, UNREADABLE = 1, 2
SHOWN = 300
"""Characters of a value that the sentence shows; `--json` shows all."""


class Hex(click.ParamType[str]):
    """A digest of 32 bytes as the service shows it."""

    name = "hex"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value).strip().lower()
        if len(text) != 64 or set(text) - set("0123456789abcdef"):
            self.fail("this is not 64 hexadecimal digits.", param, ctx)
        return text


@click.command("verify")
@click.argument("record", metavar="RECORD.JSON")
@click.option("--commitment", type=Hex(), help="The game's commitment, as you noted it before you gave entropy.")
@click.option("--head", type=Hex(), help="The hash of the log's last row, as you noted it when the game ended.")
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON.")
def command(record: str, commitment: str | None, head: str | None, as_json: bool) -> None:
    """Play a finished game's record again and compare all that it says.

    RECORD.JSON is what GET /v1/games/{id}/record answers; - reads it from standard input. It needs no service and no
    database. Exit codes: 0 the record holds, 1 it differs, 2 it cannot be read.
    """
    from service.app.verify import Unreadable, read_record, verify

    try:
        verdict = verify(read_record(_bytes_of(record)), noted_commitment=commitment, noted_head=head)
    except Unreadable as fault:
        if as_json:
            click.echo(msgspec.json.encode({"holds": None, "unreadable": str(fault)}))
        else:
            click.echo(f"{_printable(record)} cannot be checked. {_printable(str(fault))}", err=True)
        sys.exit(UNREADABLE)
    if as_json:
        click.echo(msgspec.json.encode(verdict))
    else:
        click.echo("\n".join(_told(verdict)))
    if not verdict.holds:
        sys.exit(DIFFERS)


def _bytes_of(name: str) -> bytes:
    """The file's bytes, or a few more than a record may have. Raises Unreadable."""
    from service.app.verify import MOST_BYTES, Unreadable

    try:
        if name == "-":
            return sys.stdin.buffer.read(MOST_BYTES + 1)
        with Path(name).open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as fault:
        raise Unreadable(f"It cannot be opened: {getattr(fault, 'strerror', None) or fault}.") from None


def _told(verdict: Verdict) -> list[str]:
    game = f"{verdict.ruleset} {verdict.version}, {verdict.seats} seats, game {verdict.game}"
    difference = verdict.difference
    if difference is None:
        lines = [f"The record holds: {game}; {verdict.rows} rows, {verdict.draws} chance values."]
    else:
        place = "outside the log" if difference.row is None else f"in row {difference.row}"
        rule = f" [{difference.rule}]" if difference.rule else ""
        lines = [
            f"The record differs {place}: {game}.",
            f"  {_printable(difference.what)}{rule}",
            f"  at        {difference.where}",
        ]
        if difference.expected is not None:
            lines.append(f"  expected  {_shown(difference.expected)}")
        if difference.found is not None:
            lines.append(f"  found     {_shown(difference.found)}")
    if "commitment" not in verdict.noted:
        lines.append(
            "Not compared with a commitment that you noted (--commitment): the seed may have been chosen later."
        )
    if "head" not in verdict.noted:
        lines.append("Not compared with a head that you noted (--head): choices may be others than were made.")
    if verdict.unchecked:
        lines.append(f"Not covered: {', '.join(map(_printable, verdict.unchecked))}.")
    return lines


def _shown(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return _printable(text if len(text) <= SHOWN else f"{text[:SHOWN]}... ({len(text):,} characters)")


def _printable(text: str) -> str:
    """Without what would move the cursor or colour the terminal of whoever checks a stranger's file."""
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)
