"""All of a player's finished games as one answer: records as lines of JSON, plain or in a ZIP archive.

A few games are read at a time, with a slot and a connection to the database, which are given back before they are sent.
So an export takes as much memory as a few games, however many there are and however slowly it is read.
"""

import errno
import time
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import NamedTuple
from uuid import UUID

from flask import Response, request

from holmgang import logs
from holmgang.api.operation.answers import PRIVATE
from holmgang.api.operation.gate import Call
from holmgang.api.operation.service import service
from holmgang.app.errors import Busy, DatabaseUnavailable, Refusal
from holmgang.app.pauses import with_pauses
from holmgang.app.ports import Tables
from holmgang.app.reading import exports
from holmgang.engine.codec import encode_json
from holmgang.engine.messages import say
from holmgang.negotiation import media_type
from holmgang.representation import QUICK

from .callers import client_of
from .process import process

NDJSON, ZIP = "application/x-ndjson", "application/zip"
EXPORTS_AT_ONCE = 2
"""With one token, of one process."""
PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds between tries while the database is away, or others have all of it."""
_log = logs.get_logger("holmgang.api")


class Line(NamedTuple):
    game: UUID
    text: bytes

    @property
    def month(self) -> datetime:
        """Of the game's creation, as its id tells it (RFC 9562, 5.7): so months do not return."""
        at = datetime.fromtimestamp((self.game.int >> 80) / 1000, UTC)
        return datetime(at.year, at.month, 1, tzinfo=UTC)


def export(call: Call, after: UUID | None, since: datetime | None, until: datetime | None) -> Response:
    """Records of the games after `after` that ended in this time, as the request's Accept wants them.

    Where it cannot go on it breaks off, so that nobody takes a part for the whole: a client goes on after the last game
    that it has got. Refused as Busy where too many answers are being sent already.
    """
    store, at_work, client = service().store, process(), client_of(request.environ)
    secret = call.bearer
    zipped = media_type(request.headers.get("Accept", ""), NDJSON, ZIP) == ZIP

    def some(tables: Tables, after: UUID | None) -> list[Line]:
        found = exports.some(tables, secret, after, since, until)
        return [Line(record.game, encode_json(record) + b"\n") for record in with_pauses(found)]

    def next_lines(after: UUID) -> list[Line]:
        for pause in (*PAUSES, None):
            try:
                with at_work.admission.slot(client.queue_key), store.reading() as tables:
                    return some(tables, after)
            except (Busy, DatabaseUnavailable) as refusal:
                if pause is None:
                    raise ConnectionResetError(errno.ECONNRESET, "the export breaks off") from refusal
            except Refusal as refusal:
                _log.info("an export is broken off", reason=refusal.code)
                raise ConnectionResetError(errno.ECONNRESET, "the export breaks off") from refusal
            time.sleep(pause)
        raise AssertionError("the last try returns or raises")

    def lines(found: list[Line]) -> Iterator[Line]:
        while found:
            yield from found
            found = next_lines(found[-1].game)

    def whole(found: list[Line]) -> Iterator[bytes]:
        with room:
            yield from archived(lines(found)) if zipped else (line.text for line in lines(found))

    headers = {**PRIVATE, "X-Accel-Buffering": "no"}
    headers["Content-Disposition"] = f'attachment; filename="games.{"zip" if zipped else "ndjson"}"'
    answer = Response(mimetype=ZIP if zipped else NDJSON, headers=headers)
    if request.method == "HEAD":
        return answer
    room = ExitStack()
    answer.call_on_close(room.close)  # also where nothing of it is ever sent
    with ExitStack() as undo:
        undo.push(room)
        if not room.enter_context(at_work.exporting.seat(client)):
            raise Busy(say("Too many exports are being sent, to you or to all, at this moment. Try again."))
        answer.response = whole(some(call.tables, after))
        undo.pop_all()
    return answer


class _Sent:
    """A file that can only be written on: what was written is taken out to be sent."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, piece: bytes) -> int:
        self._pieces.append(bytes(piece))
        return len(piece)

    def flush(self) -> None: ...

    def taken(self) -> bytes:
        whole, self._pieces = b"".join(self._pieces), []
        return whole


def archived(lines: Iterator[Line]) -> Iterator[bytes]:
    """The lines in a ZIP archive, a file for each month: its directory has a place for every file, and is kept in
    memory to the end."""
    sent = _Sent()
    with zipfile.ZipFile(sent, "w", zipfile.ZIP_DEFLATED, compresslevel=QUICK) as archive:  # type: ignore[call-overload]
        line = next(lines, None)
        while line is not None:
            month = line.month
            entry = zipfile.ZipInfo(f"{month:%Y-%m}.ndjson", (month.year, month.month, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w", force_zip64=True) as file:
                while line is not None and line.month == month:
                    file.write(line.text)
                    yield sent.taken()
                    line = next(lines, None)
    yield sent.taken()
