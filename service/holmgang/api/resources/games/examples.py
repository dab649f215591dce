"""Examples of games."""

from holmgang.api.operation.terms import Example
from holmgang.api.resources.examples import (
    AT,
    DEADLINE,
    ENTROPY,
    GAME,
    HEAD,
    LATER,
    OPEN_GAME,
    OTHER,
    OVER_GAME,
    PLAYER,
    SEED,
    Story,
    Values,
    last_seat,
    page,
    people,
    plain,
)
from holmgang.api.resources.leaderboards.examples import changes

SHORT = 100
"""Examples of games show no option that takes more characters."""


def _seat(seat: int, player: str | None, name: str | None, started: bool) -> Values:
    taken = None if player is None else AT
    held: Values = {"seat": seat, "player": player, "name": name, "taken_at": taken, "resigned_at": None}
    held["entropy"] = ENTROPY if started and player == OTHER else None
    return {**held, "bot": None, "absent_since": None}


def _game(story: Story, ident: str, status: str) -> Values:
    started = status != "open"
    over = status == "over"
    held: dict[int, tuple[str | None, str | None]] = {**people(story)}
    if not started:
        held[last_seat(story)] = (None, None)
    return {
        "id": ident,
        "ruleset": story.rules.ruleset,
        "ruleset_version": story.rules.version,
        "status": status,
        "visibility": "public",
        "spectators": True,
        "options": {name: value for name, value in story.options.items() if len(str(value)) <= SHORT},
        "creator": PLAYER,
        "created_at": AT,
        "started_at": LATER if started else None,
        "ended_at": LATER if over else None,
        "version": 9 if started else 3,
        "turn_seconds": 3600,
        "bank_seconds": None,
        "increment_seconds": None,
        "leave_days": None,
        "clocks": None,
        "absence": "default",
        "clock": "runs" if over else "waits",
        "practice": False,
        "rated": over,
        "tournament": None,
        "deadline": DEADLINE if status == "active" else None,
        "turn": story.asked.turn if started else 0,
        "kind": story.asked.kind if status == "active" else None,
        "awaited": list(story.asked.seats) if status == "active" else [],
        "seats": [_seat(seat, *held[seat], started) for seat in range(story.seats)],
        "teams": plain(story.rules.teams(story.seats)),
        "result": story.result if over else None,
        "rating_changes": None,
        "commitment": story.commitment.hex(),
        "seed": SEED.hex() if over else None,
        "head": HEAD if over else None,
    }


def active(story: Story) -> Values:
    """The game that is being played."""
    return _game(story, GAME, "active")


def opened(story: Story) -> Values:
    """A game with one free seat."""
    return _game(story, OPEN_GAME, "open")


def create_game(story: Story) -> Example:
    simple = {"ruleset": story.rules.ruleset, "seats": story.seats}
    bodies = {
        "simple": simple,
        "with_options": {**simple, "options": story.option, "join": False},
        "with_deadlines": {**simple, "turn_seconds": 3600, "absence": "bot:random"},
        "with_banks": {**simple, "bank_seconds": 300, "increment_seconds": 5},
        "with_leave": {**simple, "turn_seconds": 259200, "leave_days": 14},
        "against_the_clock": {**simple, "turn_seconds": 5, "clock": "runs", "practice": True},
        "rated": {**simple, "turn_seconds": 3600, "rated": True},
        "private": {**simple, "visibility": "private"},
    }
    return Example(bodies=bodies, answers={"created": opened(story)})


def list_games(story: Story) -> Example:
    return Example({"status": "open"}, answers=page(opened(story)))


def get_game(story: Story) -> Example:
    ended = {**_game(story, OVER_GAME, "over"), "rating_changes": changes(story)}
    return Example({"game": GAME}, answers={"active": active(story), "open": opened(story), "rated": ended})
