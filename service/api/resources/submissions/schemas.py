"""What is sent about submissions."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from service.api.operation.fields import MAX_INT
from service.engine.rules import of_rules

Turn = Annotated[int, Meta(ge=0, le=MAX_INT, description="The number of the turn that this answers.")]
Action = Annotated[
    Any, of_rules("Action"), Meta(description="By the schema of the turn's kind; see `kind` in the turn.")
]


class NewSubmission(Struct, frozen=True, kw_only=True):
    turn: Turn
    action: Action


class Replacement(Struct, frozen=True, kw_only=True):
    turn: Turn
    revision: Annotated[int, Meta(ge=1, le=MAX_INT)]
    """The revision that this replaces."""
    action: Action


class SubmissionQuery(Struct, frozen=True):
    dry_run: bool = False
    """Only check whether the action would be accepted now."""
