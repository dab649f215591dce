"""What a resignation does to a game."""

from __future__ import annotations

from service.app.fairness.dice import Dice
from service.app.play.changes import Change
from service.app.play.scenes import Desk
from service.engine.replay import perform
from service.engine.turn import Seat

from . import steps
from .position import Position


def resignation(place: Position[Desk], seat: Seat, awaited: tuple[Seat, ...], told: str | None = None) -> Change:
    """The seat and its partners give up (C6); `told` names an event of the service's own that says so first."""
    desk = place.row
    side = next(team for team in place.rules.teams(desk.seat_count) if seat in team)
    played_now = {s: a for s, a in place.sealed.items() if s in side}
    keeps = {s: w for s, w in place.wire.items() if s not in side}
    if awaited and all(s in side for s in awaited):
        # Nobody else is to choose: their going resolves the turn with what the others have sealed.
        played_now, keeps = dict(place.sealed), {}
    dice = Dice(desk.seed, desk.entropy, desk.draws)
    played = perform(place.rules, place.logged, sorted(played_now.items()), seat, dice.draw)
    return steps.settled(
        place.rules,
        desk,
        played,
        dice,
        actions=tuple((s, place.wire[s]) for s in sorted(played_now)),
        keeps=keeps,
        resigned=seat,
        gone=side,
        awaited=awaited,
        preface=() if told is None else (steps.house_event(desk.turn, told, seat=seat),),
    )
