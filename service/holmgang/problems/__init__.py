"""Refusals of the service as exceptions: a class for every code. Made of openapi/openapi.json by `make openapi`."""

from holmgang.answers import ProblemEntry

from ._problem import Problem


class MalformedRequest(Problem):
    """The request cannot be read."""

    CODE = "malformed_request"


class InvalidToken(Problem):
    """The token is not valid."""

    CODE = "invalid_token"


class TokenExpired(Problem):
    """The token has expired."""

    CODE = "token_expired"


class Unauthenticated(Problem):
    """A token is needed."""

    CODE = "unauthenticated"


class MissingScope(Problem):
    """The token lacks a scope."""

    CODE = "missing_scope"


class NotSeated(Problem):
    """You hold no seat in this game."""

    CODE = "not_seated"


class NotYours(Problem):
    """This belongs to another player."""

    CODE = "not_yours"


class SpectatorsExcluded(Problem):
    """Only players may watch."""

    CODE = "spectators_excluded"


class TokenLimited(Problem):
    """The token is limited to one seat."""

    CODE = "token_limited"


class NotFound(Problem):
    """Not found."""

    CODE = "not_found"


class MethodNotAllowed(Problem):
    """The method is not allowed."""

    CODE = "method_not_allowed"


class AlreadySeated(Problem):
    """You have a seat in this game."""

    CODE = "already_seated"


class AlreadySubmitted(Problem):
    """You have already made a choice."""

    CODE = "already_submitted"


class AmbiguousName(Problem):
    """Several players have this name."""

    CODE = "ambiguous_name"


class ChallengeOver(Problem):
    """The challenge is over."""

    CODE = "challenge_over"


class GameArchived(Problem):
    """The game is archived."""

    CODE = "game_archived"


class GameFull(Problem):
    """All seats are taken."""

    CODE = "game_full"


class GameNotActive(Problem):
    """The game is not running."""

    CODE = "game_not_active"


class GameNotOpen(Problem):
    """The game has started."""

    CODE = "game_not_open"


class GameNotOver(Problem):
    """The game is not over."""

    CODE = "game_not_over"


class GameNotPrivate(Problem):
    """The game is not private."""

    CODE = "game_not_private"


class IdempotencyInFlight(Problem):
    """The same request is being processed."""

    CODE = "idempotency_in_flight"


class LimitReached(Problem):
    """A limit is reached."""

    CODE = "limit_reached"


class NoRematch(Problem):
    """There is no rematch."""

    CODE = "no_rematch"


class NotAwaited(Problem):
    """The turn does not ask you."""

    CODE = "not_awaited"


class RevisionConflict(Problem):
    """The submission has another revision."""

    CODE = "revision_conflict"


class SeatTaken(Problem):
    """The seat is taken."""

    CODE = "seat_taken"


class SecretAlreadyShown(Problem):
    """The secret was shown before."""

    CODE = "secret_already_shown"


class SeekMatched(Problem):
    """The seek has led to a game."""

    CODE = "seek_matched"


class StaleTurn(Problem):
    """The turn has passed."""

    CODE = "stale_turn"


class TooFewPlayers(Problem):
    """Too few have joined."""

    CODE = "too_few_players"


class TournamentFull(Problem):
    """The tournament is full."""

    CODE = "tournament_full"


class TournamentNotOpen(Problem):
    """The tournament has started."""

    CODE = "tournament_not_open"


class Yourself(Problem):
    """That is you."""

    CODE = "yourself"


class PayloadTooLarge(Problem):
    """The body is too large."""

    CODE = "payload_too_large"


class AddressTooLong(Problem):
    """The address is too long."""

    CODE = "address_too_long"


class UnsupportedMediaType(Problem):
    """The body must be JSON."""

    CODE = "unsupported_media_type"


class IdempotencyMismatch(Problem):
    """The key belongs to another body."""

    CODE = "idempotency_mismatch"


class IllegalAction(Problem):
    """The rules forbid the action."""

    CODE = "illegal_action"


class InvalidField(Problem):
    """A value is not possible."""

    CODE = "invalid_field"


class InvalidOption(Problem):
    """A game option is wrong."""

    CODE = "invalid_option"


class InvalidRequest(Problem):
    """The request is not valid."""

    CODE = "invalid_request"


class MalformedAction(Problem):
    """The action has the wrong shape."""

    CODE = "malformed_action"


class TooManyRequests(Problem):
    """Too many requests."""

    CODE = "too_many_requests"


class HeadersTooLarge(Problem):
    """The headers are too large."""

    CODE = "headers_too_large"


class InternalError(Problem):
    """The service failed."""

    CODE = "internal_error"


class Busy(Problem):
    """The service is busy."""

    CODE = "busy"


class DatabaseUnavailable(Problem):
    """The database does not answer."""

    CODE = "database_unavailable"


class RulesetUnavailable(Problem):
    """This version of the rules is not available."""

    CODE = "ruleset_unavailable"


KINDS = {kind.CODE: kind for kind in Problem.__subclasses__()}
"""The class of every code."""

__all__ = [
    "KINDS",
    "AddressTooLong",
    "AlreadySeated",
    "AlreadySubmitted",
    "AmbiguousName",
    "Busy",
    "ChallengeOver",
    "DatabaseUnavailable",
    "GameArchived",
    "GameFull",
    "GameNotActive",
    "GameNotOpen",
    "GameNotOver",
    "GameNotPrivate",
    "HeadersTooLarge",
    "IdempotencyInFlight",
    "IdempotencyMismatch",
    "IllegalAction",
    "InternalError",
    "InvalidField",
    "InvalidOption",
    "InvalidRequest",
    "InvalidToken",
    "LimitReached",
    "MalformedAction",
    "MalformedRequest",
    "MethodNotAllowed",
    "MissingScope",
    "NoRematch",
    "NotAwaited",
    "NotFound",
    "NotSeated",
    "NotYours",
    "PayloadTooLarge",
    "Problem",
    "ProblemEntry",
    "RevisionConflict",
    "RulesetUnavailable",
    "SeatTaken",
    "SecretAlreadyShown",
    "SeekMatched",
    "SpectatorsExcluded",
    "StaleTurn",
    "TokenExpired",
    "TokenLimited",
    "TooFewPlayers",
    "TooManyRequests",
    "TournamentFull",
    "TournamentNotOpen",
    "Unauthenticated",
    "UnsupportedMediaType",
    "Yourself",
]
