"""Calls in the midst of faults: an answer, or a refusal that says, as every one must, that it may be tried again."""

from __future__ import annotations

import httpx

LONGEST_SECONDS = 30.0
"""What clients wait for an answer, the package for authors of bots among them."""


class Refused(Exception):
    """A 503 in its right form; its code, detail and how many seconds it took."""

    def __init__(self, code: str, detail: str, seconds: float) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail
        self.seconds = seconds


def call(url: str, token: str, method: str, path: str, json: object = None, **headers: str) -> httpx.Response:
    """An answer that is no fault. Header names come with `_` for `-`."""
    sent = {"Authorization": f"Bearer {token}", **{name.replace("_", "-"): value for name, value in headers.items()}}
    answer = httpx.request(method, f"{url}{path}", headers=sent, json=json, timeout=LONGEST_SECONDS)
    if answer.status_code >= 500:
        told = answer.json()
        assert answer.status_code == 503, answer.text
        assert told["retryable"] is True
        assert int(answer.headers["Retry-After"]) >= 0
        raise Refused(told["code"], told["detail"], answer.elapsed.total_seconds())
    assert answer.status_code < 300, answer.text
    return answer
