"""Examples of seats."""

from holmgang.api.operation.terms import Example
from holmgang.api.resources.examples import (
    ENTROPY,
    GAME,
    INVITATION_SECRET,
    LATER,
    OPEN_GAME,
    OWN_OPEN_GAME,
    Story,
    last_seat,
    people,
)
from holmgang.api.resources.games.examples import active, opened

DAY_MS = 24 * 60 * 60 * 1000
IN_A_WEEK = "2026-12-05T12:00:07.250000Z"
A_DAY_LATER = "2026-11-29T12:00:07.250000Z", "2026-12-06T12:00:07.250000Z"
"""Than now, and than in a week."""


def take_seat(story: Story) -> Example:
    seat, begun = last_seat(story), active(story)
    joined = {**opened(story), "status": "active", "started_at": LATER, "version": 9}
    joined |= {name: begun[name] for name in ("seats", "awaited", "turn", "kind")}
    bodies = {
        "any": {},
        "with_entropy": {"seat": seat, "entropy": ENTROPY},
        "for_a_bot": {"seat": seat, "bot": "random"},
        "invited": {"invitation": INVITATION_SECRET},
    }
    taken = {"seat": seat, "game": joined}
    return Example({"game": OPEN_GAME}, bodies, {"last_seat": taken}, {"again": taken})


def get_seat(story: Story) -> Example:
    second = list(people(story))[1 % story.seats]
    return Example({"game": GAME, "seat": second}, answers={"seat": active(story)["seats"][second]})


def leave_seat(story: Story) -> Example:
    return Example({"game": OWN_OPEN_GAME, "seat": story.seat})


def resign(story: Story) -> Example:
    game = active(story)
    seats = [{**seat, "resigned_at": LATER} if seat["seat"] == story.seat else seat for seat in game["seats"]]
    game |= {"version": 11, "awaited": [seat for seat in story.asked.seats if seat != story.seat], "seats": seats}
    resigned = {"seat": story.seat, "game": game}
    return Example({"game": GAME}, answers={"resigned": resigned}, again={"again": resigned})


def return_to_seat(story: Story) -> Example:
    named = {"game": GAME, "seat": story.seat}
    return Example(named, answers={"returned": {"seat": story.seat, "game": active(story)}})


def go_on_leave(story: Story) -> Example:
    clocks = [
        {
            "bank_ms": None,
            "turn_ms": DAY_MS if seat in story.asked.seats else None,
            "since": None if seat not in story.asked.seats else IN_A_WEEK if seat == story.seat else LATER,
            "deadline": None if seat not in story.asked.seats else A_DAY_LATER[seat == story.seat],
            "leave_ms": 7 * DAY_MS,
            "on_leave_since": LATER if seat == story.seat else None,
        }
        for seat in range(story.seats)
    ]
    game = active(story) | {"version": 10, "turn_seconds": DAY_MS // 1000, "leave_days": 7, "clocks": clocks}
    game["deadline"] = min(clock["deadline"] for clock in clocks if clock["deadline"] is not None)
    return Example({"game": GAME, "seat": story.seat}, answers={"on_leave": {"seat": story.seat, "game": game}})


def end_leave(story: Story) -> Example:
    return Example({"game": GAME, "seat": story.seat})
