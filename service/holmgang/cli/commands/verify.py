"""`holmgang verify`: a finished game's record, played again and compared."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from holmgang.engine.messages import how_many

if TYPE_CHECKING:
    from holmgang.app.fairness.verify import Verdict

DIFFERS, UNREADABLE = 1, 2
NONE = "none"
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


class SeatEntropy(click.ParamType[tuple[int, tuple[bytes, ...]]]):
    """A seat's number and the bytes that it gave; no reading of them for a seat that gave none."""

    name = "seat=hex"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, tuple[bytes, ...]]:
        from holmgang.app.fairness.notes import NoEntropy, readings

        seat, found, text = str(value).partition("=")
        seat = seat.strip()
        if not found or not (seat.isascii() and seat.isdecimal() and len(seat) < 4):
            self.fail(
                "this is not SEAT=HEX, such as 1=00ff...: the seat's number and the bytes that it gave.", param, ctx
            )
        if text.strip().lower() == NONE:
            return int(seat), ()
        try:
            return int(seat), readings(text)
        except NoEntropy as fault:
            self.fail(str(fault), param, ctx)


@click.command("verify")
@click.argument("record", metavar="RECORD.JSON")
@click.option("--commitment", type=Hex(), help="The game's commitment, as you noted it before you gave entropy.")
@click.option(
    "--entropy",
    type=SeatEntropy(),
    multiple=True,
    metavar="SEAT=HEX",
    help="What a seat gave: in hexadecimal, or in base64url as the API takes it; 'none' if it gave none. Repeatable.",
)
@click.option("--head", type=Hex(), help="The hash of the log's last row, as you noted it when the game ended.")
@click.option("--notes", metavar="NOTES.JSON", help="What the Python client or `holmgang play` kept of the game.")
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON.")
def command(
    record: str,
    commitment: str | None,
    entropy: tuple[tuple[int, tuple[bytes, ...]], ...],
    head: str | None,
    notes: str | None,
    as_json: bool,
) -> None:
    """Play a finished game's record again and compare all that it says.

    RECORD.JSON is what GET /v1/games/{id}/record answers; - reads it from standard input. It needs no service and no
    database. Exit codes: 0 the record holds, 1 it differs, 2 it cannot be read.
    """
    from holmgang.app.fairness.claims import Unreadable, read_record
    from holmgang.app.fairness.notes import Choice, Notes, UnreadableNotes, read_notes, readings
    from holmgang.app.fairness.verify import verify

    try:
        kept = Notes() if notes is None else read_notes(_bytes_of(notes))
    except (Unreadable, UnreadableNotes) as fault:
        raise click.UsageError(f"{_printable(str(notes))}: {_printable(str(fault))}") from None
    given = list(entropy)
    if kept.entropy is not None:
        given.append((kept.seat or 0, readings(kept.entropy)))
    try:
        verdict = verify(
            read_record(_bytes_of(record)),
            noted_game=kept.game,
            noted_terms=kept.terms,
            noted_commitment=_one("--commitment", commitment, kept.commitment),
            noted_entropy={seat: _one(f"--entropy {seat}", *(g for s, g in given if s == seat)) for seat, _ in given},
            noted_choices=[Choice(seat=kept.seat or 0, turn=own.turn, action=own.action) for own in kept.choices],
            noted_head=_one("--head", head, kept.head),
        )
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


def _one(name: str, *notes: Any) -> Any:
    """The note that is there. Raises UsageError where there are two that differ."""
    there = [note for note in notes if note is not None]
    if any(note != there[0] for note in there):
        raise click.UsageError(f"{name} is noted twice, and not alike.")
    return there[0] if there else None


def _bytes_of(name: str) -> bytes:
    """The file's bytes, or a few more than a record may have. Raises Unreadable."""
    from holmgang.app.fairness.claims import MOST_BYTES, Unreadable

    try:
        if name == "-":
            return sys.stdin.buffer.read(MOST_BYTES + 1)
        with Path(name).open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as fault:
        raise Unreadable(f"It cannot be opened: {getattr(fault, 'strerror', None) or fault}.") from None


def _told(verdict: Verdict) -> list[str]:
    game = f"{verdict.ruleset} {verdict.version}, {how_many(verdict.seats, 'seat')}, game {verdict.game}"
    difference = verdict.difference
    if difference is None:
        held = f"{game}; {how_many(verdict.rows, 'row')}, {how_many(verdict.draws, 'chance value')}."
        lines = [f"The record holds{_condition(verdict)}: {held}"]
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
    lines += [f"Not compared with {what} ({option}): {risk}" for _, what, option, risk in _lacking(verdict)]
    if verdict.holds and not verdict.entropy:
        lines.append("No seat gave entropy: the server alone drew what chance brought.")
    if verdict.unchecked:
        lines.append(f"Not covered: {', '.join(map(_printable, verdict.unchecked))}.")
    return lines


def _condition(verdict: Verdict) -> str:
    """What the record holds on, since nothing that was noted says it."""
    lacking = [subject for subject, *_ in _lacking(verdict)]
    if not lacking:
        return ""
    listed = lacking[0] if len(lacking) == 1 else f"{', '.join(lacking[:-1])} and {lacking[-1]}"
    return f", if {listed} {'is' if len(lacking) == 1 else 'are'} what players saw and gave"


def _lacking(verdict: Verdict) -> list[tuple[str, str, str, str]]:
    """What no note was given for: its name, whose it is, the option that takes it, and what may be wrong with it."""
    found = []
    if "commitment" not in verdict.noted:
        risk = "the seed may have been chosen later."
        found.append(("the commitment", "a commitment that you noted", "--commitment", risk))
    if not any(note.startswith("entropy/") for note in verdict.noted):
        risk = "the server may have put another in its place, and so have chosen what chance brought."
        found.append(("the entropy", "the entropy that you gave", "--entropy SEAT=HEX", risk))
    if "head" not in verdict.noted:
        found.append(("the head", "a head that you noted", "--head", "choices may be others than were made."))
    return found


def _shown(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return _printable(text if len(text) <= SHOWN else f"{text[:SHOWN]}... ({len(text):,} characters)")


def _printable(text: str) -> str:
    """Without what would move the cursor or colour the terminal of whoever checks a stranger's file."""
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)
