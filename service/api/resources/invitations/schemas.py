"""What invitations look like in answers."""

from __future__ import annotations

from marshmallow import fields

from service.api.resources.fields import Moment
from service.api.resources.open_schemas import Answer, Items, Page, need


class InvitationAnswer(Answer):
    """An invitation to a private game, without its secret."""

    id = need(fields.UUID)
    game = need(fields.UUID)
    seat = need(fields.Integer, "The one seat that it is good for; null for any.", allow_none=True)
    uses = need(fields.Integer, "How many seats may be held by it.")
    used = need(fields.Integer, "How many are.")
    created_at = need(Moment)
    expires_at = need(Moment, "Null for never.", allow_none=True)


class IssuedInvitation(InvitationAnswer):
    secret = need(fields.String, "Shown this once.")
    url = need(
        fields.String,
        "A link to send: the game's page, with the secret in the fragment (`#invitation=...`), which is sent to no "
        "server and so written to no log. Whoever follows it sends the secret as the header `Holmgang-Invitation` to "
        "look, and in the body to sit down.",
    )


class InvitationPage(Page):
    items = Items(InvitationAnswer)
