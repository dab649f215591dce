"""Examples of invitations to private games."""

from holmgang.api.operation.terms import Example
from holmgang.api.resources.examples import AT, EXPIRY, INVITATION, INVITATION_SECRET, PRIVATE_GAME, Story, page

_GAME = {"game": PRIVATE_GAME}
_NAMED = {**_GAME, "invitation": INVITATION}
_INVITED = {
    "id": INVITATION,
    "game": PRIVATE_GAME,
    "seat": None,
    "uses": 2,
    "used": 1,
    "created_at": AT,
    "expires_at": EXPIRY,
}


def create_invitation(story: Story) -> Example:
    base = story.base or "https://games.example.org"
    link = f"{base}/games/{PRIVATE_GAME}#invitation={INVITATION_SECRET}"
    issued = {**_INVITED, "used": 0, "secret": INVITATION_SECRET, "url": link}
    return Example(_GAME, {"for_two": {"uses": 2, "expires_at": EXPIRY}, "to_a_seat": {"seat": 1}}, {"made": issued})


LIST_INVITATIONS = Example(_GAME, answers=page(_INVITED))
GET_INVITATION = Example(_NAMED, answers={"invitation": _INVITED})
REVOKE_INVITATION = Example(_NAMED)
