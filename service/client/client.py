"""One connection to a Holmgang server: calls in, JSON out, problems as exceptions."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Any

import httpx

RETRIES = 5
"""Tries of a call that the server calls retryable, or that got no answer. Only calls that are safe to repeat are."""


class Problem(Exception):
    """A refusal (RFC 9457): `code` is stable, `rule` names the rule that an illegal action breaks, if any."""

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        super().__init__(f"{status} {body.get('code', 'problem')}: {body.get('detail', '')}")
        self.status = status
        self.body = body
        self.code: str = body.get("code", "problem")
        self.rule: str | None = body.get("rule")
        self.retryable: bool = bool(body.get("retryable", False))


class Client:
    """Calls of one caller: with a `token` a player's, without one anybody's.

    Every call answers the JSON body, or raises Problem, or httpx.TransportError when the server stays out of reach.
    """

    def __init__(self, url: str, token: str | None = None, *, timeout: float = 30.0) -> None:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self._http = httpx.Client(base_url=url, headers=headers, timeout=timeout)
        self._seen: dict[str, tuple[str, Any]] = {}

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    @classmethod
    def register(cls, url: str, name: str) -> Client:
        """A new player's client, holding the token that is shown only now."""
        with cls(url) as anybody:
            return cls(url, anybody.call("POST", "/v1/players", json={"name": name}, again=False)["token"])

    def create_game(self, ruleset: str, seats: int, **more: Any) -> Any:
        """Open a game and sit in seat 0; `more` are further fields, such as `options`."""
        return self.call("POST", "/v1/games", json={"ruleset": ruleset, "seats": seats, **more}, again=False)

    def take_seat(self, game: str, **more: Any) -> Any:
        """Sit down on the lowest free seat, or on `seat`; safe to repeat."""
        return self.call("POST", f"/v1/games/{game}/seats", json=more)

    def game(self, game: str) -> Any:
        return self.read(f"/v1/games/{game}")

    def view(self, game: str) -> Any:
        return self.read(f"/v1/games/{game}/view")

    def turn(self, game: str) -> Any:
        return self.read(f"/v1/games/{game}/turn")

    def events(self, game: str, after: int = 0) -> Any:
        return self.call("GET", f"/v1/games/{game}/events?after={after}")

    def submit(self, game: str, turn: int, action: Any) -> Any:
        """Make a move; safe to repeat, since the same choice again answers the same receipt."""
        return self.call("POST", f"/v1/games/{game}/submissions", json={"turn": turn, "action": action})

    def read(self, path: str) -> Any:
        """GET, costing next to nothing while nothing has changed: the last answer is kept by its ETag."""
        tag, kept = self._seen.get(path, (None, None))
        answer = self._send("GET", path, headers={} if tag is None else {"If-None-Match": tag})
        if answer.status_code == httpx.codes.NOT_MODIFIED:
            return kept
        body = _checked(answer)
        if "ETag" in answer.headers:
            self._seen[path] = (answer.headers["ETag"], body)
        return body

    def call(self, method: str, path: str, *, json: Any = None, again: bool = True) -> Any:
        """Any other call. `again` says that repeating it is safe."""
        answer = self._send(method, path, json=json, tries=RETRIES if again else 1)
        return _checked(answer) if answer.content else None

    def _send(self, method: str, path: str, *, tries: int = RETRIES, **more: Any) -> httpx.Response:
        for left in range(tries - 1, -1, -1):
            try:
                answer = self._http.request(method, path, **more)
            except httpx.TransportError:
                if not left:
                    raise
                time.sleep(0.2)
                continue
            if answer.status_code != httpx.codes.SERVICE_UNAVAILABLE or not left:
                return answer
            time.sleep(float(answer.headers.get("Retry-After", "1")))
        raise AssertionError("unreachable: the last try returns or raises")


def _checked(answer: httpx.Response) -> Any:
    try:
        body = answer.json()
    except ValueError:
        body = {"detail": answer.text[:200]}
    if answer.is_error:
        raise Problem(answer.status_code, body)
    return body
