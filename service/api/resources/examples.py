"""What the document's examples share: ids, people, times. What belongs to a game is taken from one that is really
played (`story`), so that it stays true; each resource's examples are functions of it."""

from __future__ import annotations

from typing import Any

from .story import Story, Values

PLAYER = "019a0c4e-7b10-7c3e-8f21-5d2a9be40c11"
OTHER = "019a0c4e-9d02-7a55-9c3f-1be0a7d2f622"
THIRD = "019a0c4f-0a44-7be1-b2d7-6f0c8d91e733"
OPEN_GAME = "019a0c51-1f00-7d11-8a60-0f4be9c3d101"
OWN_OPEN_GAME = "019a0c51-2f00-7d12-8a61-0f4be9c3d102"
GAME = "019a0c52-3f00-7d13-8a62-0f4be9c3d103"
OVER_GAME = "019a0c53-4f00-7d14-8a63-0f4be9c3d104"
SUBMISSION = "019a0c54-5f00-7d15-8a64-0f4be9c3d105"
TOKEN = "019a0c4e-7b11-7d01-8a01-3c5e7f901201"  # noqa: S105 # an example in the document, of no service
SECOND_TOKEN = "019a0c55-6f00-7d16-8a65-0f4be9c3d106"  # noqa: S105 # an example in the document, of no service
SECRET = "hg_5Jv0cN2mXq8rT1wZk7Yb4Lh9Sd3Gf6PaRuEoVi-Cxt0"  # noqa: S105 # an example in the document, of no service
ENTROPY = "q83vASNFZ4mrze8BI0VniQ"
LATER = "2026-11-28T12:00:07.250000Z"
WEBHOOK = "019a0c56-aa00-7000-8000-00000000000a"
DELIVERY = "019a0c56-aa00-7000-8000-00000000000b"
WEBHOOK_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"  # noqa: S105 # an example in the document, of no service
PRIVATE_GAME = "019a0c57-bb00-7d17-8a66-0f4be9c3d107"
INVITATION = "019a0c57-cc00-7d18-8a67-0f4be9c3d108"
INVITATION_SECRET = "hgi_9QmT4xWc2Lr7Vb0NkZs5Yd8Hf3Jg6PuEaRoi-KtXe1w"  # noqa: S105 # an example in the document
HEAD = "5f" * 32
DEADLINE = "2026-11-28T13:00:07.250000Z"
EXPIRY = "2099-01-01T00:00:00Z"
PEOPLE = ((PLAYER, "Ragna"), (OTHER, "Sigrid"), (THIRD, "Torsten"))


def people(story: Story) -> dict[int, tuple[str, str]]:
    """Who sits at the example game, by seat: the player whom these examples are of first, where the game asks first."""
    seats = [story.seat, *(seat for seat in range(story.seats) if seat != story.seat)]
    more = ((f"019a0c4f-1b55-7c02-8d31-{n:012x}", f"Guest {n}") for n in range(4, story.seats + 1))
    return dict(zip(seats, (*PEOPLE, *more), strict=False))


def last_seat(story: Story) -> int:
    """The seat that is taken last."""
    return list(people(story))[-1]


def page(*items: Any) -> dict[str, Values]:
    """An answer that holds these, and nothing follows."""
    return {"page": {"items": list(items), "next": None}}
