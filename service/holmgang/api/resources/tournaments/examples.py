"""Examples of tournaments, of which the only table plays the example game."""

from holmgang.api.operation.terms import Example
from holmgang.api.resources.examples import (
    AT,
    EXPIRY,
    HEAD,
    INVITATION_SECRET,
    LATER,
    OWN_TOURNAMENT,
    PLAYER,
    PRIVATE_TOURNAMENT,
    SEED,
    TOURNAMENT,
    Story,
    Values,
    page,
    people,
    plain,
)
from holmgang.app.records.terms import Terms
from holmgang.app.records.tournaments import Plan
from holmgang.tournaments.meetings import Meeting, meeting

NAMED = {"tournament": TOURNAMENT}
_OWN = {"tournament": OWN_TOURNAMENT}


def numbered(story: Story) -> list[tuple[str, str]]:
    """Who is in it, the strongest first, by ids and names: as they sit at the only table."""
    held = people(story)
    return [held[seat] for seat in sorted(held)]


def met(story: Story) -> Meeting:
    """What came of the only table."""
    ranks = {seat: 1 + n for n, group in enumerate(story.result["ranking"]) for seat in group}
    table = tuple(player for player, _ in numbered(story))
    return meeting(1, table, [ranks[seat] for seat in range(story.seats)])


def _tournament(story: Story, ident: str, status: str) -> Values:
    started = status != "open"
    terms = Terms(ruleset=story.rules.ruleset, turn_seconds=3600, clock="runs", rated=True)
    return {
        **plain(Plan(seats=story.seats, rounds=1, most=64)),
        "starts_at": EXPIRY,
        "id": ident,
        "name": "Thing of the North",
        "creator": PLAYER,
        "kind": "swiss",
        "status": status,
        "visibility": "public",
        "terms": plain(terms),
        "created_at": AT,
        "started_at": LATER if started else None,
        "ended_at": LATER if status == "over" else None,
        "reason": None,
        "entered": story.seats if started else 1,
        "round": int(started),
        "commitment": HEAD,
        "seed": SEED.hex() if started else None,
    }


def create_tournament(story: Story) -> Example:
    simple = {"name": "Thing of the North", "ruleset": story.rules.ruleset, "seats": story.seats, "turn_seconds": 3600}
    bodies = {
        "swiss": {**simple, "rounds": 1, "rated": True, "most": 64, "starts_at": EXPIRY},
        "knock_out": {**simple, "kind": "knock-out", "games": story.seats, "starts_with": 8},
        "private": {**simple, "visibility": "private"},
        "with_bots": {**simple, "bots": ["greedy", "random"], "fill_to": 8},
    }
    return Example(bodies=bodies, answers={"made": {**_tournament(story, OWN_TOURNAMENT, "open"), "entered": 0}})


def list_tournaments(story: Story) -> Example:
    return Example({"status": "over"}, answers=page(_tournament(story, TOURNAMENT, "over")))


def list_my_tournaments(story: Story) -> Example:
    return Example(answers=page(_tournament(story, OWN_TOURNAMENT, "open"), _tournament(story, TOURNAMENT, "over")))


def get_tournament(story: Story) -> Example:
    answers = {status: _tournament(story, TOURNAMENT, status) for status in ("over", "open")}
    return Example(NAMED, answers=answers)


def cancel_tournament(story: Story) -> Example:
    return Example(_OWN)


def start_tournament(story: Story) -> Example:
    return Example(_OWN, answers={"started": {**_tournament(story, OWN_TOURNAMENT, "active"), "round": 0}})


def invite_to_tournament(story: Story) -> Example:
    return Example({"tournament": PRIVATE_TOURNAMENT}, answers={"made": {"secret": INVITATION_SECRET}})
