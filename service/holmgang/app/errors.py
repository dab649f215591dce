"""Every refusal of the application: a stable code and what a person needs to act on it.

Each class is one row of the table that maps them to HTTP (`service/holmgang/api/problems/documents.py`).
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from holmgang.engine.messages import Said, say, template


class Refusal(Exception):
    """The request is understood and refused; nothing has changed by it. `code` is stable, `extra` goes to the client.

    With `stands`, what its transaction wrote before is committed all the same: it ended a turn whose time was up. The
    refusal may mention it. `ruleset` names the game whose rules worded the detail, if rules did.
    """

    code = "refused"
    stands = False
    ruleset: str | None = None

    def __init__(self, detail: Said, **extra: Any) -> None:
        super().__init__(detail)
        self.detail = detail
        self.extra = extra


class Unauthenticated(Refusal):
    """No token came with a request that needs one."""

    code = "unauthenticated"


class InvalidToken(Refusal):
    """The token is unknown or revoked."""

    code = "invalid_token"


class TokenExpired(Refusal):
    code = "token_expired"


class MissingScope(Refusal):
    """The token lacks a scope; `scope` names it."""

    code = "missing_scope"

    def __init__(self, scope: str) -> None:
        super().__init__(say("This token lacks the scope '{scope}'.", scope=scope), scope=scope)


class TokenLimited(Refusal):
    """The token is good for one game's seat only, and this is something else."""

    code = "token_limited"


class NotSeated(Refusal):
    """The caller holds no seat in this game."""

    code = "not_seated"


class NotYours(Refusal):
    code = "not_yours"


class SpectatorsExcluded(Refusal):
    code = "spectators_excluded"


_NOTHING = template("There is nothing '{ident}' here.")
_MISSING = {
    "analysis": template("Nobody has asked for an analysis of the game '{ident}'."),
    "block": template("You do not block a player '{ident}'."),
    "challenge": template("There is no challenge '{ident}'."),
    "combat": template("There is no combat '{ident}'."),
    "delivery": template("There is no delivery '{ident}'."),
    "file": template("There is no file '{ident}'."),
    "game": template("There is no game '{ident}'."),
    "invitation": template("There is no invitation '{ident}'."),
    "player": template("There is no player '{ident}'."),
    "problem": template("There is no problem '{ident}'."),
    "round": template("There is no round '{ident}'."),
    "ruleset": template("There is no ruleset '{ident}'."),
    "seat": template("There is no seat '{ident}'."),
    "seek": template("There is no seek '{ident}'."),
    "submission": template("There is no submission '{ident}'."),
    "entry": template("There is no player '{ident}' in this tournament."),
    "tournament": template("There is no tournament '{ident}'."),
    "token": template("There is no token '{ident}'."),
    "turn": template("There is no turn '{ident}' that has ended."),
    "webhook": template("There is no webhook '{ident}'."),
}


class NotFound(Refusal):
    """There is no such thing, or none that the caller may see; `what` names its kind."""

    code = "not_found"

    def __init__(self, what: str, ident: object) -> None:
        super().__init__(Said(_MISSING.get(what, _NOTHING), {"ident": str(ident)[:100]}), what=what)


class GameNotPrivate(Refusal):
    """Nobody need be invited to a public game."""

    code = "game_not_private"


class LimitReached(Refusal):
    """The caller has as many of these as are kept for one; `what` names them, `limit` says how many."""

    code = "limit_reached"

    def __init__(self, what: str, limit: int, detail: Said) -> None:
        super().__init__(detail, what=what, limit=limit)


class GameFull(Refusal):
    code = "game_full"


class SeatTaken(Refusal):
    code = "seat_taken"


class Yourself(Refusal):
    """What is done to others is asked of the caller themself."""

    code = "yourself"


class NoRematch(Refusal):
    """The caller cannot have, or not call off, a rematch of this game; `next` names one that was made."""

    code = "no_rematch"


class AmbiguousName(Refusal):
    """Several players have this name; `players` lists their ids."""

    code = "ambiguous_name"


class ChallengeOver(Refusal):
    """The challenge has been answered by all, declined, withdrawn, or its time is over."""

    code = "challenge_over"


class AlreadySeated(Refusal):
    code = "already_seated"


class GameNotOpen(Refusal):
    """Seats are taken and left only before the game starts."""

    code = "game_not_open"


class TournamentNotOpen(Refusal):
    """The tournament has started, or is over."""

    code = "tournament_not_open"


class TournamentFull(Refusal):
    code = "tournament_full"


class TooFewPlayers(Refusal):
    """Not enough have joined for the tournament to begin."""

    code = "too_few_players"


class GameNotActive(Refusal):
    """The game has not started or is over."""

    code = "game_not_active"


class GameArchived(Refusal):
    """Nobody has touched the game for long. Somebody has to come back before it goes on."""

    code = "game_archived"


class GameNotOver(Refusal):
    """The record is public only once the game is over."""

    code = "game_not_over"


class StaleTurn(Refusal):
    """The submission names another turn than the current one."""

    code = "stale_turn"

    def __init__(self, named: int, current: int | None) -> None:
        if current is None:
            detail = say("The submission names turn {named}; the game is over.", named=named)
        else:
            detail = say(
                "The submission names turn {named}; the game is at turn {current}.", named=named, current=current
            )
        super().__init__(detail, current_turn=current)


class NotAwaited(Refusal):
    """The turn is the current one, but asks others."""

    code = "not_awaited"


class AlreadySubmitted(Refusal):
    """A different choice of this seat is already sealed; `submission` and `revision` say which."""

    code = "already_submitted"

    def __init__(self, game: UUID, submission: UUID, revision: int) -> None:
        super().__init__(
            say("Another choice of yours is already sealed for this turn. Replace it with PUT and its revision."),
            game=str(game),
            submission=str(submission),
            revision=revision,
        )


class RevisionConflict(Refusal):
    """A PUT names another revision than the current one."""

    code = "revision_conflict"

    def __init__(self, named: int, current: int) -> None:
        super().__init__(
            say("The submission is at revision {current}, not {named}.", current=current, named=named), revision=current
        )


class MalformedActionRefusal(Refusal):
    """The action has not the shape that the turn asks for; `pointer` leads from the body to the fault."""

    code = "malformed_action"

    def __init__(self, ruleset: str, pointer: str, detail: Said) -> None:
        super().__init__(detail, pointer=pointer)
        self.ruleset = ruleset


class IllegalActionRefusal(Refusal):
    code = "illegal_action"

    def __init__(self, ruleset: str, rule: str, detail: Said) -> None:
        super().__init__(detail, rule=rule)
        self.ruleset = ruleset


class InvalidOptionRefusal(Refusal):
    """A game option is wrong; `pointer` leads from the body to it."""

    code = "invalid_option"

    def __init__(self, ruleset: str, pointer: str, rule: str, detail: Said) -> None:
        super().__init__(detail, pointer=pointer, rule=rule)
        self.ruleset = ruleset


class SeekMatched(Refusal):
    """The seek has led to a game, which `game` names."""

    code = "seek_matched"


class InvalidField(Refusal):
    """A field has the right type but a value that makes no sense; `pointer` leads from the body to it."""

    code = "invalid_field"

    def __init__(self, pointer: str, detail: Said) -> None:
        super().__init__(detail, pointer=pointer)


class IdempotencyMismatch(Refusal):
    """The key was used for another request."""

    code = "idempotency_mismatch"


class IdempotencyInFlight(Refusal):
    """A request with this key is being served right now."""

    code = "idempotency_in_flight"


class SecretAlreadyShown(Refusal):
    """The first answer held a secret, which is not stored and so cannot be repeated."""

    code = "secret_already_shown"


class Busy(Refusal):
    """Others were writing to this game for too long. Trying again is safe."""

    code = "busy"


class DatabaseUnavailable(Refusal):
    code = "database_unavailable"


class RulesetUnavailable(Refusal):
    """This process does not know the version of the rules that the game is played by."""

    code = "ruleset_unavailable"
