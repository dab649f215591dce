"""What all refusals of the service have in common."""

from __future__ import annotations

from typing import Any, ClassVar

from holmgang.answers import ProblemEntry


class Problem(Exception):
    """A refusal (RFC 9457). The subclass tells the kind; a code that this version does not know is a plain Problem.

    `rule` names the rule that an illegal action breaks, `errors` the fields that are wrong, `current_turn` the turn
    that the game is at when another was named. `body` is the whole document; `retry_after` the seconds by which the
    service asked not to come back earlier.
    """

    __module__ = "holmgang"
    CODE: ClassVar[str] = ""

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        self.status = status
        self.body = body
        self.code: str = str(body.get("code", "unknown"))
        self.title: str = str(body.get("title", ""))
        self.detail: str = str(body.get("detail", ""))
        self.request_id: str | None = body.get("request_id")
        self.retryable: bool = body.get("retryable") is True
        self.rule: str | None = body.get("rule")
        self.errors: list[ProblemEntry] = [entry for entry in body.get("errors") or [] if _readable(entry)]
        self.current_turn: int | None = body.get("current_turn")
        self.receipt: str | None = body.get("receipt")
        self.revision: int | None = body.get("revision")
        self.scope: str | None = body.get("scope")
        self.retry_after = 0.0
        super().__init__(status, body)

    def __str__(self) -> str:
        fields = "".join(map(self._field, self.errors))
        rule = f" ({self.rule})" if self.rule else ""
        return f"{self.status} {self.code}{rule}: {self.detail}{fields}"

    def _field(self, entry: ProblemEntry) -> str:
        """What an entry says besides `detail`, which often is the first of them."""
        place, detail = entry["pointer"], entry["detail"]
        if detail not in self.detail:
            return f" [{place}: {detail}]"
        return "" if place in self.detail else f" [{place}]"


def _readable(entry: Any) -> bool:
    """A proxy's documents may have `errors` of another kind."""
    return isinstance(entry, dict) and all(isinstance(entry.get(name), str) for name in ("pointer", "detail"))
