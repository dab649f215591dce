"""What is sent and answered about invitations."""

from __future__ import annotations

from marshmallow import fields, validate

from service.api.operation.fields import (
    Count,
    Moment,
)
from service.api.operation.schemas import Answer, Body, Items, Page, need


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


LONGEST_INVITATION, MAX_USES = 366 * 24 * 60 * 60, 1000


class NewInvitation(Body):
    seat = Count(
        load_default=None,
        allow_none=True,
        validate=validate.Range(min=0, max=99),
        metadata={"description": "The one seat that it is good for; null for any. It does not keep the seat free."},
    )
    uses = Count(
        load_default=1,
        validate=validate.Range(min=1, max=MAX_USES),
        metadata={
            "description": "How many may sit down by it; 1 where it is for one seat. With more than there are seats "
            "it stays good for looking on."
        },
    )
    expires_in = Count(
        load_default=None,
        allow_none=True,
        validate=validate.Range(min=1, max=LONGEST_INVITATION),
        metadata={"description": "After how many seconds it ends; null, and no `expires_at`, for never."},
    )
    expires_at = Moment(load_default=None, allow_none=True, metadata={"description": "When it ends, in its place."})
