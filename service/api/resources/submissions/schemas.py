"""What is sent and answered about submissions."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate

from service.api.operation.fields import (
    MAX_INT,
    Count,
    Moment,
    QueryFlag,
)
from service.api.operation.schemas import Answer, Body, need
from service.api.resources.rulesets.components import refs


class Action(fields.Field[Any]):
    """An action as the turn's kind asks for it; the rules read it, so nothing is checked here, not even null."""

    def deserialize(self, value: Any, attr: str | None = None, data: Any = None, **kwargs: Any) -> Any:
        return value if value is None else super().deserialize(value, attr, data, **kwargs)


def _action() -> Action:
    return Action(
        required=True,
        metadata={"description": "By the schema of the turn's kind; see `kind` in the turn.", "anyOf": refs("Action")},
    )


def _turn() -> Count:
    return Count(
        required=True,
        validate=validate.Range(min=0, max=MAX_INT),
        metadata={"description": "The number of the turn that this answers."},
    )


class NewSubmission(Body):
    turn = _turn()
    action = _action()


class Replacement(Body):
    turn = _turn()
    revision = Count(
        required=True,
        validate=validate.Range(min=1, max=MAX_INT),
        metadata={"description": "The revision that this replaces."},
    )
    action = _action()


class SubmissionQuery(Body):
    dry_run = QueryFlag(
        load_default=False, metadata={"description": "Only check whether the action would be accepted now."}
    )


class Receipt(Answer):
    """A submission that was taken. `sealed` until its turn is resolved, then `applied`."""

    id = need(fields.UUID)
    game = need(fields.UUID)
    turn = need(fields.Integer)
    kind = need(fields.String)
    seat = need(fields.Integer)
    revision = need(fields.Integer, "Grows by one with each replacement.")
    action = fields.Raw(required=True, metadata={"anyOf": refs("Action")})
    received_at = need(Moment)
    state = fields.String(required=True, metadata={"enum": ["sealed", "applied"]})


class DryRun(Answer):
    """The action would be accepted now; nothing has happened."""

    dry_run = fields.Boolean(required=True, metadata={"enum": [True]})
    turn = need(fields.Integer)
    seat = need(fields.Integer)
    kind = need(fields.String)
    action = fields.Raw(required=True, metadata={"anyOf": refs("Action")})
