"""Problems as the document describes them."""

from __future__ import annotations

from marshmallow import fields

from service.api.operation.schemas import Answer, about, need


class ProblemEntry(Answer):
    pointer = need(fields.String, "JSON pointer (RFC 6901) into the body, `?name` for a parameter, or a header.")
    code = need(fields.String)
    detail = need(fields.String)


class ProblemAnswer(Answer):
    """An error (RFC 9457). `code` is stable; `detail` is for people."""

    type = fields.String(required=True, metadata={"format": "uri-reference"})
    title = need(fields.String)
    status = need(fields.Integer)
    detail = need(fields.String)
    code = need(fields.String)
    request_id = need(fields.String)
    retryable = need(fields.Boolean, "Whether the same request may succeed later.")
    errors = fields.List(fields.Nested(ProblemEntry))
    rule = fields.String(metadata=about("The id of the rule that was broken."))
    scope = fields.String(metadata=about("The scope that the token lacks."))
    current_turn = fields.Integer(
        allow_none=True, metadata=about("The turn that the game is at; null once it is over.")
    )
    receipt = fields.String(metadata=about("The address of the submission that stands."))
    revision = fields.Integer(metadata=about("The revision that the submission is at."))
