"""Examples of submissions."""

from holmgang.api.operation.terms import Example
from holmgang.api.resources.examples import GAME, LATER, SUBMISSION, Story, Values

_NAMED = {"game": GAME, "submission": SUBMISSION}


def _chosen(story: Story) -> Values:
    return {"turn": story.asked.turn, "kind": story.asked.kind, "seat": story.seat, "action": story.action}


def _receipt(story: Story) -> Values:
    state = "sealed" if story.asked.sealed else "applied"
    return {"id": SUBMISSION, "game": GAME, **_chosen(story), "revision": 1, "received_at": LATER, "state": state}


def submit(story: Story) -> Example:
    return Example(
        {"game": GAME, "dry_run": False},
        {story.asked.kind: {"turn": story.asked.turn, "action": story.action}},
        {"sealed": _receipt(story)},
        {"again": _receipt(story), "dry_run": {"dry_run": True, **_chosen(story)}},
    )


def get_submission(story: Story) -> Example:
    return Example(_NAMED, answers={"own": _receipt(story)})


def replace_submission(story: Story) -> Example:
    body = {"turn": story.asked.turn, "action": story.action, "revision": 1}
    return Example(_NAMED, {"replaced": body}, {"replaced": {**_receipt(story), "revision": 2}})
