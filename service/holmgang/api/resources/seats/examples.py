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
