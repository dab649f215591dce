"""Calls in several steps, by which a client notes what it sees and gives, and compares a game's record with it.

Each is a generator of requests, which is sent their answers; what it returns is the answer of the whole. In place of a
request it may give a function, which takes a while.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from functools import partial
from typing import Any, Literal, TypeVar

import httpx

from . import answers, plans
from .call import Call
from .notes import Note, Notes, Verified, agreed, judged, new_entropy
from .problems import AlreadySeated, SeatTaken

T = TypeVar("T")
Steps = Generator[Call[Any] | Callable[[], Any], Any, T]


def create_game(
    notes: Notes,
    ruleset: str,
    seats: int,
    *,
    options: Mapping[str, Any] | None = None,
    visibility: Literal["public", "private"] | None = None,
    spectators: bool | None = None,
    turn_seconds: int | None = None,
    absence: str | None = None,
    rated: bool | None = None,
    practice: bool | None = None,
    seed: str | None = None,
    join: bool | None = None,
) -> Steps[answers.Game]:
    """A new game, in which you sit on seat 0 unless `join` is false.

    You sit down after its commitment was noted, with entropy, as by `take_seat`; on another seat if somebody was
    quicker. In a practice game, whose seed may be given, nobody's chance is at stake, and none is given.
    """
    terms = {"visibility": visibility, "spectators": spectators, "turn_seconds": turn_seconds, "absence": absence}
    chance = {"rated": rated, "practice": practice, "seed": seed}
    plan: Any = partial(plans.create_game, ruleset, seats, options=options, join=join if practice else False)
    made: answers.Game = yield plan(**terms, **chance)
    if made.get("commitment") is None:
        return made
    _saw(notes, made)
    if join is False:
        return made
    try:
        taken = yield from _sit_down(notes, made, 0, None, None)
    except SeatTaken:
        taken = yield from _sit_down(notes, made, None, None, None)
    return taken["game"]


def take_seat(
    notes: Notes, game: str, *, seat: int | None = None, entropy: str | None = None, invitation: str | None = None
) -> Steps[answers.OwnSeat]:
    """Sit down, on the lowest free seat if you name none. Again is the same.

    The game's commitment is noted first. Then entropy is drawn, unless you give your own (16 to 64 bytes, base64url),
    and noted, so that `verify` can compare the record with both. Raises Belied where the commitment has changed.
    """
    found = yield plans.game(game, invitation=invitation)
    return (yield from _sit_down(notes, found, seat, entropy, invitation))


def _sit_down(
    notes: Notes, found: answers.Game, seat: int | None, entropy: str | None, invitation: str | None
) -> Steps[answers.OwnSeat]:
    game = found["id"]
    before = _saw(notes, found)
    given = entropy
    if given is None and found["commitment"] is not None and found["started_at"] is None:
        given = before.entropy or new_entropy()
    if given is not None:
        notes.keep(game, entropy=given)  # before it is sent: the answer may be lost
    try:
        taken = yield plans.take_seat(game, seat=seat, entropy=given, invitation=invitation)
    except AlreadySeated:
        # If it was not noted, the seat was taken elsewhere, with another's entropy or none.
        notes.keep(game, entropy=None if before.seat is None else before.entropy)
        if entropy is not None:
            raise
        taken = yield plans.take_seat(game, seat=seat, invitation=invitation)
    answer: answers.OwnSeat = taken
    notes.keep(game, seat=answer["seat"])
    return answer


def leave_seat(notes: Notes, game: str, seat: int) -> Steps[None]:
    """Get up before the start, and forget what was noted of the game. After it: `resign`."""
    yield plans.leave_seat(game, seat)
    notes.forget(game)


def _saw(notes: Notes, game: answers.Game) -> Note:
    """Note on what one sits down, practice games aside, where nothing is committed to."""
    terms = agreed(game["options"], game["ruleset"], len(game["seats"]), game["ruleset_version"])
    return notes.saw(game["id"], game["commitment"], terms)


def submit(notes: Notes, game: str, turn: int, action: Mapping[str, Any]) -> Steps[answers.Receipt]:
    """Make a choice. Again is the same: it counts once, however often it is sent."""
    receipt: answers.Receipt = yield plans.submit(game, turn, action)
    notes.took(game, receipt)
    return receipt


def replace(
    notes: Notes, game: str, submission: str, turn: int, action: Mapping[str, Any], *, revision: int
) -> Steps[answers.Receipt]:
    """Another choice for a sealed turn, in place of the one that has this revision.

    Again is the same while the turn is sealed; once it is resolved it is a StaleTurn.
    """
    try:
        receipt: answers.Receipt = yield plans.replace(game, submission, turn, action, revision=revision)
    except httpx.TransportError:
        notes.forget_choice(game, turn)  # one or the other stands
        raise
    notes.took(game, receipt)
    return receipt


def verify(notes: Notes, game: str, *, invitation: str | None = None) -> Steps[Verified]:
    """Compare the record of a game that is over with what this client noted of it, and play it again where the games
    are installed. Raises Belied where it does not hold.
    """
    found = yield plans.game(game, invitation=invitation)
    record = yield plans.record(game, invitation=invitation)
    bots = [seat["seat"] for seat in found["seats"] if seat["bot"] is not None]
    verified: Verified = yield partial(judged, notes.of(game), record, bots)
    return verified
