"""Refusals that only HTTP knows: of bytes, fields and headers, before any use case is asked."""

from __future__ import annotations

from typing import Any

from service.app.errors import Refusal


class MalformedRequest(Refusal):
    """The request cannot be read at all: broken JSON, duplicate keys, NUL characters, numbers out of range."""

    code = "malformed_request"


class InvalidRequest(Refusal):
    """Fields, query parameters or headers do not fit; `errors` holds a pointer, a code and a sentence for each."""

    code = "invalid_request"

    def __init__(self, errors: list[dict[str, str]]) -> None:
        first = errors[0]
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        super().__init__(f"{first['pointer'] or 'The body'}: {first['detail']}{more}", errors=errors)


class PayloadTooLarge(Refusal):
    code = "payload_too_large"


class TooManyRequests(Refusal):
    code = "too_many_requests"


class UnsupportedMediaType(Refusal):
    code = "unsupported_media_type"


class KeyNotTaken(InvalidRequest):
    """An Idempotency-Key came with a call that takes none."""

    def __init__(self, detail: str) -> None:
        super().__init__([fault("Idempotency-Key", "not_taken", detail)])


def fault(pointer: str, code: str, detail: str) -> dict[str, Any]:
    """One entry of a problem's `errors`."""
    return {"pointer": pointer, "code": code, "detail": detail}
