"""What is answered about records."""

from __future__ import annotations

from marshmallow import fields

from service.api.operation.schemas import Answer, about, need
from service.api.resources.games.schemas import Result


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
