"""Refusals of HTTP: of bytes, fields and headers, before a use case is called."""

from typing import Any

from holmgang.app.errors import Refusal
from holmgang.engine.messages import Said, say


class MalformedRequest(Refusal):
    """The request cannot be read at all: broken JSON, duplicate keys, NUL characters, numbers out of range."""

    code = "malformed_request"


class InvalidRequest(Refusal):
    """Fields, query parameters or headers do not fit; `errors` holds a pointer, a code and a sentence for each."""

    code = "invalid_request"

    def __init__(self, errors: list[dict[str, Any]]) -> None:
        first = errors[0]
        where = first["pointer"] or say("The body")
        detail = say("{where}: {what}", where=where, what=first["detail"])
        if len(errors) > 1:
            detail = say("{first} (and {count} more)", first=detail, count=len(errors) - 1)
        super().__init__(detail, errors=errors)


class PayloadTooLarge(Refusal):
    code = "payload_too_large"


class TooManyRequests(Refusal):
    code = "too_many_requests"


class UnsupportedMediaType(Refusal):
    code = "unsupported_media_type"


class KeyNotTaken(InvalidRequest):
    """An Idempotency-Key with a call that takes none."""

    def __init__(self, detail: Said) -> None:
        super().__init__([fault("Idempotency-Key", "not_taken", detail)])


def fault(pointer: str, code: str, detail: Said) -> dict[str, Any]:
    """One entry of a problem's `errors`."""
    return {"pointer": pointer, "code": code, "detail": detail}
