"""What is sent and answered about games."""

from __future__ import annotations

from marshmallow import fields, validate

from service.api.operation.fields import (
    Count,
    Entropy,
    Flag,
    Hex,
    Ident,
    Moment,
    QueryFlag,
    Whole,
)
from service.api.operation.schemas import SLUG, Answer, Body, CursorQuery, Items, Page, about, need
from service.api.resources.leaderboards.schemas import RatingChangeAnswer
from service.api.resources.rulesets.components import refs
from service.app.play.absence import FORMS
from service.engine.messages import say

SHORTEST_TURN, LONGEST_TURN = 1, 60 * 24 * 60 * 60


VISIBILITIES = ("public", "private")


STATUSES = ("open", "active", "over", "archived")


class NewGame(Body):
    ruleset = fields.String(required=True, validate=SLUG, metadata={"description": "See /v1/rulesets."})
    seats = Count(
        required=True,
        validate=validate.Range(min=1, max=100),
        metadata={"description": "How many play; `seat_counts` of the ruleset lists what it takes."},
    )
    options = fields.Dict(
        keys=fields.String(),
        load_default=dict,
        metadata={
            "description": "By `options_schema` of the ruleset; what is left out takes its default.",
            "anyOf": refs("Options"),
        },
    )
    visibility = fields.String(
        load_default="public",
        validate=validate.OneOf(VISIBILITIES),
        metadata={
            "description": "A `private` game is in no list but its players', and is seen only by them, by who created "
            "it, and by whoever shows an invitation that is good and not used up."
        },
    )
    spectators = Flag(
        load_default=True,
        metadata={"description": "Whether others than the players may watch; of a private game, those who may see it."},
    )
    join = Flag(
        load_default=True,
        metadata={
            "description": "Whether you sit down on seat 0 at once. Say false to take a seat with entropy, "
            "after you have noted the commitment."
        },
    )
    practice = Flag(
        load_default=False,
        metadata={
            "description": "A game to learn and to test by: you may give its seed and look as any seat (`as_seat`). It "
            "publishes no commitment."
        },
    )
    rated = Flag(
        load_default=False,
        metadata={
            "description": "Whether the result changes the players' ratings, however the game ends. Such a game needs "
            "`turn_seconds`, and is played to its end even when all persons have gone. Never a practice game."
        },
    )
    seed = fields.String(
        load_default=None,
        allow_none=True,
        validate=Whole(r"^[0-9a-f]{64}$", error=say("Must be 64 lowercase hexadecimal digits.")),
        metadata={"description": "The seed of all chance, of a practice game only."},
    )
    turn_seconds = Count(
        load_default=None,
        allow_none=True,
        validate=validate.Range(min=SHORTEST_TURN, max=LONGEST_TURN),
        metadata={"description": "How long a turn may take, from when it is asked; null for as long as it likes."},
    )
    absence = fields.String(
        load_default=FORMS[0],
        validate=validate.OneOf(FORMS),
        metadata={
            "description": "What happens when a turn's time runs out. The turn itself is played by the rules' default, "
            "and from then on the seat by that too (`default`) or by a built-in bot, as soon as it is asked, until its "
            "player returns. With `forfeit` it resigns. `bots` of the ruleset lists the bots that can play it."
        },
    )


class GamesQuery(CursorQuery):
    status = fields.String(load_default=None, validate=validate.OneOf(STATUSES))
    ruleset = fields.String(load_default=None, validate=SLUG)
    player = Ident(load_default=None, metadata={"description": "Games in which this player has a seat."})
    open_seats = QueryFlag(
        load_default=None, metadata={"description": "Open games, which have a free seat, or others."}
    )


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
