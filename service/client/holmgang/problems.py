"""Refusals of the service as exceptions: one class for every code of its table, which a test compares."""

from __future__ import annotations

from typing import Any, ClassVar, TypedDict


class ProblemEntry(TypedDict):
    """What is wrong with one field: `pointer` (RFC 6901) says which."""

    pointer: str
    code: str
    detail: str


class Problem(Exception):
    """A refusal (RFC 9457). The subclass tells the kind; a code that this version does not know is a plain Problem.

    `rule` names the rule that an illegal action breaks, `errors` the fields that are wrong, `current_turn` the turn
    that the game is at when another was named. `body` is the whole document; `retry_after` the seconds by which the
    service asked not to come back earlier.
    """

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
        self.errors: list[ProblemEntry] = body.get("errors", [])
        self.current_turn: int | None = body.get("current_turn")
        self.receipt: str | None = body.get("receipt")
        self.revision: int | None = body.get("revision")
        self.scope: str | None = body.get("scope")
        self.retry_after = 0.0
        super().__init__(status, body)

    def __str__(self) -> str:
        fields = "".join(f" [{entry['pointer']}: {entry['detail']}]" for entry in self.errors)
        rule = f" ({self.rule})" if self.rule else ""
        return f"{self.status} {self.code}{rule}: {self.detail}{fields}"


class MalformedRequest(Problem):
    """The request cannot be read."""

    CODE = "malformed_request"


class Unauthenticated(Problem):
    """A token is needed."""

    CODE = "unauthenticated"


class InvalidToken(Problem):
    """The token is not valid."""

    CODE = "invalid_token"


class TokenExpired(Problem):
    """The token has expired."""

    CODE = "token_expired"


class MissingScope(Problem):
    """The token lacks a scope."""

    CODE = "missing_scope"


class TokenLimited(Problem):
    """The token is good for one seat only."""

    CODE = "token_limited"


class NotSeated(Problem):
    """You hold no seat in this game."""

    CODE = "not_seated"


class NotYours(Problem):
    """This belongs to another player."""

    CODE = "not_yours"


class SpectatorsExcluded(Problem):
    """Only players may watch."""

    CODE = "spectators_excluded"


class NotFound(Problem):
    """There is no such thing."""

    CODE = "not_found"


class MethodNotAllowed(Problem):
    """The method does not fit."""

    CODE = "method_not_allowed"


class GameNotPrivate(Problem):
    """Nobody need be invited."""

    CODE = "game_not_private"


class LimitReached(Problem):
    """You have as many as you may."""

    CODE = "limit_reached"


class GameFull(Problem):
    """All seats are taken."""

    CODE = "game_full"


class SeatTaken(Problem):
    """The seat is taken."""

    CODE = "seat_taken"


class AlreadySeated(Problem):
    """You have a seat in this game."""

    CODE = "already_seated"


class GameNotOpen(Problem):
    """The game has started."""

    CODE = "game_not_open"


class GameNotActive(Problem):
    """The game is not running."""

    CODE = "game_not_active"


class GameArchived(Problem):
    """The game is archived."""

    CODE = "game_archived"


class GameNotOver(Problem):
    """The game is not over."""

    CODE = "game_not_over"


class StaleTurn(Problem):
    """The turn has passed."""

    CODE = "stale_turn"


class NotAwaited(Problem):
    """The turn asks others."""

    CODE = "not_awaited"


class AlreadySubmitted(Problem):
    """Another choice is sealed already."""

    CODE = "already_submitted"


class RevisionConflict(Problem):
    """The submission has another revision."""

    CODE = "revision_conflict"


class IdempotencyInFlight(Problem):
    """The same call is being served."""

    CODE = "idempotency_in_flight"


class SecretAlreadyShown(Problem):
    """The secret was shown before."""

    CODE = "secret_already_shown"


class PayloadTooLarge(Problem):
    """The body is too large."""

    CODE = "payload_too_large"


class AddressTooLong(Problem):
    """The address is too long."""

    CODE = "address_too_long"


class HeadersTooLarge(Problem):
    """The headers are too large."""

    CODE = "headers_too_large"


class UnsupportedMediaType(Problem):
    """The body must be JSON."""

    CODE = "unsupported_media_type"


class InvalidRequest(Problem):
    """Some fields do not fit."""

    CODE = "invalid_request"


class InvalidField(Problem):
    """A field makes no sense."""

    CODE = "invalid_field"


class InvalidOption(Problem):
    """A game option is wrong."""

    CODE = "invalid_option"


class MalformedAction(Problem):
    """The action has the wrong shape."""

    CODE = "malformed_action"


class IllegalAction(Problem):
    """The rules forbid the action."""

    CODE = "illegal_action"


class IdempotencyMismatch(Problem):
    """The key belongs to another body."""

    CODE = "idempotency_mismatch"


class InternalError(Problem):
    """The service has a fault."""

    CODE = "internal_error"


class TooManyRequests(Problem):
    """Too many requests."""

    CODE = "too_many_requests"


class Busy(Problem):
    """Others are writing."""

    CODE = "busy"


class DatabaseUnavailable(Problem):
    """The database does not answer."""

    CODE = "database_unavailable"


class RulesetUnavailable(Problem):
    """This version of the rules is not here."""

    CODE = "ruleset_unavailable"


def _kinds(base: type[Problem]) -> dict[str, type[Problem]]:
    return {kind.CODE: kind for kind in base.__subclasses__()}


KINDS = _kinds(Problem)
"""The class of every code."""


def problem(status: int, body: object, text: str = "") -> Problem:
    """The exception of an answer, whatever its body is: a proxy's page of errors is none of the service's."""
    document = body if isinstance(body, dict) else {"detail": text[:200]}
    return KINDS.get(str(document.get("code")), Problem)(status, document)
