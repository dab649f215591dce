"""One call of the API as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote
from uuid import uuid4


@dataclass(frozen=True)
class Call:
    """What is asked of the service.

    `repeatable` says that it happens once however often it is sent. `kept` says that its answer has an ETag that is
    worth keeping. `wait` is for how many seconds the server may hold it.
    """

    method: str
    path: str
    params: Mapping[str, str] = field(default_factory=dict)
    json: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    repeatable: bool = True
    kept: bool = False
    wait: int = 0

    @property
    def key(self) -> tuple[Any, ...]:
        """What makes two calls ask for the same: not for how long they wait."""
        params = {name: value for name, value in self.params.items() if name != "wait"}
        return self.path, tuple(sorted(params.items())), tuple(sorted(self.headers.items()))


def path(*parts: str | int) -> str:
    return "/v1/" + "/".join(quote(str(part), safe="") for part in parts)


def get(
    address: str, *, kept: bool = False, wait: int | None = None, invitation: str | None = None, **params: Any
) -> Call:
    """A GET. What is None is left out."""
    written = {name: _text(value) for name, value in given({**params, "wait": wait}).items()}
    return Call("GET", address, written, headers=_shown(invitation), kept=kept, wait=wait or 0)


def put(address: str, *, invitation: str | None = None) -> Call:
    """A PUT of an empty object."""
    return Call("PUT", address, json={}, headers=_shown(invitation))


def _shown(invitation: str | None) -> dict[str, str]:
    return {} if invitation is None else {"Holmgang-Invitation": invitation}


def post(address: str, body: Mapping[str, Any] | None = None) -> Call:
    """A POST under a key of its own, so that it happens once."""
    return Call("POST", address, json=given(body or {}), headers={"Idempotency-Key": str(uuid4())})


def given(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that are not None: the service's own defaults hold for the others."""
    return {name: value for name, value in fields.items() if value is not None}


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
