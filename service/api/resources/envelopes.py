"""What the service answers: open schemas, to which fields may be added. They read the application's own records."""

from __future__ import annotations

from marshmallow import fields

from service.api.resources.leaderboards.schemas import RatingAnswer, RatingChangeAnswer
from service.api.resources.rulesets.components import refs

from .bodies import STATUSES, VISIBILITIES
from .fields import Entropy, Hex, Moment
from .open_schemas import Answer, Items, Page, about, need


class PlayerAnswer(Answer):
    id = need(fields.UUID)
    name = need(fields.String)
    created_at = need(Moment)
    ratings = fields.Dict(
        keys=fields.String(),
        values=fields.Nested(RatingAnswer),
        required=True,
        metadata=about("By ruleset; none where no rated game of the player's was counted yet."),
    )


class TokenAnswer(Answer):
    """A token without its secret."""

    id = need(fields.UUID)
    label = need(fields.String)
    scopes = fields.List(fields.String(), required=True)
    game = need(fields.UUID, "The one game that the token is good for; null for all.", allow_none=True)
    seat = need(fields.Integer, "The one seat that the token is good for.", allow_none=True)
    created_at = need(Moment)
    expires_at = need(Moment, "Null for never.", allow_none=True)


class IssuedToken(TokenAnswer):
    token = need(fields.String, "The secret, shown this once.")


class Registration(Answer):
    player = fields.Nested(PlayerAnswer, required=True)
    token = need(fields.String, "The secret of the player's first token, which has all scopes; shown this once.")
    token_id = need(fields.UUID)


class TokenInUse(Answer):
    id = need(fields.UUID)
    scopes = fields.List(fields.String(), required=True)
    game = need(fields.UUID, allow_none=True)
    seat = need(fields.Integer, allow_none=True)


class Me(Answer):
    player = fields.Nested(PlayerAnswer, required=True)
    token = fields.Nested(TokenInUse, required=True, metadata=about("The token that this request came with."))


class TokenPage(Page):
    items = Items(TokenAnswer)


class SeatAnswer(Answer):
    seat = need(fields.Integer)
    player = need(fields.UUID, "Null while the seat is free.", allow_none=True)
    name = need(fields.String, "The player's name.", allow_none=True)
    taken_at = need(Moment, allow_none=True)
    resigned_at = need(Moment, allow_none=True)
    entropy = need(Entropy, "What the player gave; shown once the game has started.", allow_none=True)
    bot = need(fields.String, "The built-in bot that plays here.", allow_none=True)
    absent_since = need(
        Moment, "Since when the seat is played for its player, who let a deadline pass.", allow_none=True
    )


class Result(Answer):
    winners = fields.List(fields.Integer(), required=True)
    ranking = fields.List(
        fields.List(fields.Integer()), required=True, metadata=about("Seats, best first; those of a group are equal.")
    )
    scores = fields.List(fields.Integer(), required=True, metadata=about("One a seat."))
    reason = need(fields.String, "Why the game ended: a code of the ruleset.")


class GameAnswer(Answer):
    """A game's public facts."""

    id = need(fields.UUID)
    ruleset = need(fields.String)
    ruleset_version = need(fields.String)
    status = fields.String(
        required=True,
        metadata={
            "enum": list(STATUSES),
            **about(
                "An `archived` game was not touched for long: it can be read, nobody is awaited, and it is `open` or "
                "`active` again when a player returns to it (`/seats/{seat}/return`)."
            ),
        },
    )
    visibility = fields.String(required=True, metadata={"enum": list(VISIBILITIES)})
    spectators = need(fields.Boolean)
    options = fields.Dict(required=True)
    creator = need(fields.UUID)
    created_at = need(Moment)
    started_at = need(Moment, allow_none=True)
    ended_at = need(Moment, allow_none=True)
    version = need(fields.Integer, "The number of the game's last event.")
    turn = need(fields.Integer, "The current turn; 0 before the start.")
    kind = need(fields.String, "What kind of choice the turn asks for.", allow_none=True)
    awaited = fields.List(fields.Integer(), required=True, metadata=about("Seats that owe a choice now."))
    turn_seconds = need(fields.Integer, "How long a turn may take; null for as long as it likes.", allow_none=True)
    absence = need(fields.String, "What happens to who lets a deadline pass.")
    deadline = need(Moment, "Of the current turn.", allow_none=True)
    practice = need(fields.Boolean, "Whether its creator may look as any seat.")
    rated = need(fields.Boolean, "Whether its result changes the ratings of its players.")
    seats = fields.List(fields.Nested(SeatAnswer), required=True)
    teams = fields.List(
        fields.List(fields.Integer()),
        required=True,
        metadata=about("The sides: partners win, lose and resign together. Without partners, each seat alone."),
    )
    result = fields.Nested(Result, required=True, allow_none=True)
    rating_changes = fields.List(
        fields.Nested(RatingChangeAnswer),
        required=True,
        allow_none=True,
        metadata=about("One a seat; null until the result of a rated game is counted, moments after its end."),
    )
    commitment = need(
        Hex,
        "SHA-256 that binds the seed: over the tag `holmgang-commitment-1`, the game's id (16 bytes), the length (4 "
        "bytes) and text of `terms` as in the record, and the seed. Null for a practice game.",
        allow_none=True,
    )
    seed = need(Hex, "The seed of all chance; null until the game is over.", allow_none=True)
    head = need(Hex, "The hash of the log's last row, which covers all of it; null until the end.", allow_none=True)


class GamePage(Page):
    items = Items(GameAnswer)


class OwnSeat(Answer):
    seat = need(fields.Integer, "The caller's seat.")
    game = fields.Nested(GameAnswer, required=True)


class Receipt(Answer):
    """A submission that was taken. `sealed` until its turn is resolved, then `applied`."""

    id = need(fields.UUID)
    game = need(fields.UUID)
    turn = need(fields.Integer)
    kind = need(fields.String)
    seat = need(fields.Integer)
    revision = need(fields.Integer, "Grows by one with each replacement.")
    action = fields.Raw(required=True, metadata={"anyOf": refs("Action")})
    received_at = need(Moment)
    state = fields.String(required=True, metadata={"enum": ["sealed", "applied"]})


class DryRun(Answer):
    """The action would be accepted now; nothing has happened."""

    dry_run = fields.Boolean(required=True, metadata={"enum": [True]})
    turn = need(fields.Integer)
    seat = need(fields.Integer)
    kind = need(fields.String)
    action = fields.Raw(required=True, metadata={"anyOf": refs("Action")})


class Legal(Answer):
    """What the caller may do: all actions where they are few, else a grammar and one sample."""

    count = need(fields.Integer, "How many legal actions there are; null where that costs too much.", allow_none=True)
    actions = fields.List(
        fields.Raw(metadata={"anyOf": refs("Action")}), metadata=about("All of them, if 200 or fewer.")
    )
    schema = fields.Dict(metadata=about("The JSON Schema of the turn's actions."))
    grammar = fields.Dict(metadata=about("The bounds of a legal action, for clients that build their own."))
    sample = fields.Raw(
        metadata={"anyOf": refs("Action"), "description": "One legal action, the same as long as the turn lasts."}
    )


class LastTurn(Answer):
    turn = need(fields.Integer)
    kind = need(fields.String, allow_none=True)
    ended = fields.String(required=True, metadata={"enum": ["played", "resigned"]})
    defaulted = fields.List(
        fields.Integer(),
        required=True,
        metadata=about("Seats that were played for: they did not choose in time, or their bot could not."),
    )
    ended_at = need(Moment)


class Turn(Answer):
    """What the game asks now, and of whom."""

    game = need(fields.UUID)
    version = need(fields.Integer, "The number of the game's last event.")
    status = fields.String(required=True, metadata={"enum": list(STATUSES)})
    turn = need(fields.Integer)
    kind = need(fields.String, allow_none=True)
    sealed = need(fields.Boolean, "Whether choices are kept secret until all are in.")
    awaited = fields.List(fields.Integer(), required=True, metadata=about("Seats that owe a choice."))
    submitted = fields.List(fields.Integer(), required=True, metadata=about("Seats whose sealed choice is in."))
    defaulted = fields.List(
        fields.Integer(),
        required=True,
        metadata=about("Seats for which a sealed choice was made: absent ones, or those of bots that could not."),
    )
    seat = need(fields.Integer, "The caller's seat; null for a spectator.", allow_none=True)
    yours = need(fields.Boolean, "Whether the caller owes a choice.")
    submission = need(fields.UUID, "The caller's sealed submission to this turn.", allow_none=True)
    context = fields.Dict(required=True, metadata=about("What the turn is about, such as the combat it belongs to."))
    legal = fields.Nested(Legal, required=True, allow_none=True)
    last_turn = fields.Nested(LastTurn, required=True, allow_none=True)
    deadline = need(Moment, "When the turn ends by itself.", allow_none=True)
    server_time = need(Moment)
    next_poll_ms = need(fields.Integer, "When to look again, if not with `wait`.")
    view = fields.Raw(metadata={"anyOf": refs("View"), "description": "With `?include=view` once the game has begun."})


class Waiting(Answer):
    game = need(fields.UUID)
    ruleset = need(fields.String)
    seat = need(fields.Integer)
    turn = need(fields.Integer)
    kind = need(fields.String)
    since = need(Moment)
    deadline = need(Moment, allow_none=True)


class WaitingTurns(Answer):
    """The whole current set of turns that wait for the caller, oldest first."""

    items = fields.List(fields.Nested(Waiting), required=True)
    next_poll_ms = need(fields.Integer, "When to look again, if not with `wait`.")


class HouseEvent(Answer):
    """What the service tells itself: seats taken and left, start and archive, a sealed choice (never what it is)."""

    type = fields.String(
        required=True,
        metadata={
            "enum": [
                "game_created",
                "seat_taken",
                "seat_left",
                "game_started",
                "choice_sealed",
                "choice_defaulted",
                "seat_absent",
                "seat_forfeited",
                "clock_stopped",
                "seat_returned",
                "deadline_put_off",
                "game_archived",
                "game_revived",
            ]
        },
    )
    seat = fields.Integer()
    player = fields.UUID()
    creator = fields.UUID()
    bot = fields.String()
    seats = fields.Integer()


class Event(Answer):
    seq = need(fields.Integer, "From 1, without gaps.")
    at = need(Moment)
    turn = need(fields.Integer, "The turn in which it happened.")
    payload = fields.Raw(
        required=True,
        metadata={
            "anyOf": [{"$ref": "#/components/schemas/HouseEvent"}, *refs("Effect")],
            "description": "As the caller may see it; `type` says what it is.",
        },
    )


class EventPage(Answer):
    items = Items(Event)
    next = need(
        fields.String,
        "The address to read on from, also where nothing more has happened yet; null once a game that is over or "
        "archived was read to its end.",
        allow_none=True,
    )


class Combat(Answer):
    """A combat resolution. `record` is the ruleset's own account of it."""

    number = need(fields.Integer, "From 1, in the order in which the game's combats began.")
    status = fields.String(
        required=True,
        metadata={
            "enum": ["open", "resolved", "abandoned"],
            **about("`abandoned` where the game ended before it did."),
        },
    )
    turn = need(fields.Integer)
    opened_at = need(Moment)
    resolved_at = need(Moment, "Null unless it was resolved.", allow_none=True)
    record = fields.Raw(required=True, metadata={"anyOf": refs("Combat")})


class CombatPage(Page):
    items = Items(Combat)


class LogEntry(Answer):
    turn = need(fields.Integer)
    kind = fields.String()
    actions = fields.List(fields.Raw(), metadata=about("Pairs of seat and action, in the order they are played."))
    resigned = fields.Integer()
    chance = fields.List(fields.Raw(), metadata=about("Pairs of label and value, in the order they are drawn."))


class LogLine(Answer):
    seq = need(fields.Integer)
    entry = fields.Nested(LogEntry, required=True)
    state_hash = need(fields.String, "BLAKE2b-256 of the canonical state after this entry.")
    row_hash = need(fields.String, "BLAKE2b-256 that chains this row to all before it.")


class Record(Answer):
    """All that is needed to play the game again, and to compare it with the commitment."""

    game = need(fields.UUID)
    ruleset = need(fields.String)
    version = need(fields.String)
    seats = need(fields.Integer)
    teams = fields.List(fields.List(fields.Integer()), required=True)
    options = fields.Dict(required=True)
    terms = need(fields.String, "Canonical JSON of ruleset, version, seats and options: part of the commitment.")
    commitment = need(fields.String)
    seed = need(fields.String)
    entropy = fields.List(fields.String(allow_none=True), required=True, metadata=about("Hexadecimal, one a seat."))
    log = fields.List(fields.Nested(LogLine), required=True)
    head = need(fields.String, "The last row's hash.")
    result = fields.Nested(Result, required=True)


class Health(Answer):
    status = need(fields.String)


class Index(Answer):
    name = need(fields.String)
    version = need(fields.String)
    links = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


class ProblemEntry(Answer):
    pointer = need(fields.String, "JSON pointer (RFC 6901) into the body, `?name` for a parameter, or a header.")
    code = need(fields.String)
    detail = need(fields.String)


class ProblemAnswer(Answer):
    """An error (RFC 9457). `code` is stable; `detail` is for people."""

    type = fields.String(required=True, metadata={"format": "uri-reference"})
    title = need(fields.String)
    status = need(fields.Integer)
    detail = need(fields.String)
    code = need(fields.String)
    request_id = need(fields.String)
    retryable = need(fields.Boolean, "Whether the same request may succeed later.")
    errors = fields.List(fields.Nested(ProblemEntry))
    rule = fields.String(metadata=about("The id of the rule that was broken."))
    scope = fields.String(metadata=about("The scope that the token lacks."))
    current_turn = fields.Integer(
        allow_none=True, metadata=about("The turn that the game is at; null once it is over.")
    )
    receipt = fields.String(metadata=about("The address of the submission that stands."))
    revision = fields.Integer(metadata=about("The revision that the submission is at."))
