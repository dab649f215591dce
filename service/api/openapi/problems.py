"""Problems as the document describes them."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType


class ProblemEntry(Struct, frozen=True, kw_only=True):
    pointer: str
    """JSON pointer (RFC 6901) into the body, `?name` for a parameter, or a header."""
    code: str
    detail: str


class Problem(Struct, frozen=True, kw_only=True):
    """An error (RFC 9457). `code` is stable; `detail` is for people."""

    type: Annotated[str, Meta(extra_json_schema={"format": "uri-reference"})]
    title: str
    status: int
    detail: str
    code: str
    request_id: str
    retryable: bool
    """Whether the same request may succeed later."""
    errors: list[ProblemEntry] | UnsetType = UNSET
    rule: str | UnsetType = UNSET
    """The id of the rule that was broken."""
    scope: str | UnsetType = UNSET
    """The scope that the token lacks."""
    current_turn: int | UnsetType | None = UNSET
    """The turn that the game is at; null once it is over."""
    receipt: str | UnsetType = UNSET
    """The address of the current submission."""
    revision: int | UnsetType = UNSET
    """The revision that the submission is at."""
