"""What is sent and answered about players."""

from __future__ import annotations

from marshmallow import fields

from service.api.operation.fields import (
    Moment,
    OneLine,
)
from service.api.operation.schemas import Answer, Body, about, need
from service.api.resources.leaderboards.schemas import RatingAnswer
from service.app.accounts.names import mistakable, unseen


class NewPlayer(Body):
    name = OneLine(
        unseen,
        mistakable,
        required=True,
        metadata={
            "description": "For people to read: others may have the same, but none that looks the same and is another "
            "(UTS 39). At most 64 code points, all to be seen, kept "
            "in Normalization Form C; single plain blanks; at most four marks on a letter; joiners and selectors only "
            "where they change what is seen (UAX 31, UTS 51). Each word is in one script, or in Latin with Chinese, "
            "Japanese or Korean letters (UTS 39, Highly Restrictive). What looks like the name of the service or of a "
            "built-in bot is refused."
        },
    )


class PlayerAnswer(Answer):
    id = need(fields.UUID)
    name = need(fields.String)
    created_at = need(Moment)
    ratings = fields.Dict(
        keys=fields.String(),
        values=fields.Nested(RatingAnswer),
        required=True,
        metadata=about("By ruleset; none where no rated game of the player's was counted yet."),
    )


class Registration(Answer):
    player = fields.Nested(PlayerAnswer, required=True)
    token = need(fields.String, "The secret of the player's first token, which has all scopes; shown this once.")
    token_id = need(fields.UUID)
