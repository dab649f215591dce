"""Examples of invitations to private games."""

from __future__ import annotations

from service.api.resources.examples import EXPIRY, INVITATION, INVITATION_SECRET, PRIVATE_GAME, Example
from service.api.resources.story import AT


def invitation_examples(base: str) -> dict[str, Example]:
    invited = {
        "id": INVITATION,
        "game": PRIVATE_GAME,
        "seat": None,
        "uses": 2,
        "used": 1,
        "created_at": AT,
        "expires_at": EXPIRY,
    }
    link = f"{base}/games/{PRIVATE_GAME}#invitation={INVITATION_SECRET}"
    issued = {**invited, "used": 0, "secret": INVITATION_SECRET, "url": link}
    game = {"game": PRIVATE_GAME}
    named = {**game, "invitation": INVITATION}
    return {
        "createInvitation": Example(
            game, {"for_two": {"uses": 2, "expires_at": EXPIRY}, "to_a_seat": {"seat": 1}}, {"201": {"made": issued}}
        ),
        "listInvitations": Example(
            {**game, "limit": 50}, answers={"200": {"page": {"items": [invited], "next": None}}}
        ),
        "getInvitation": Example(named, answers={"200": {"invitation": invited}}),
        "revokeInvitation": Example(named),
    }
