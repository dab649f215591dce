"""Idempotency-Key: a repeated POST gets the first answer again instead of happening twice.

A key belongs to the player, the method and the whole address. Answers are kept for 24 hours, only of calls that
succeeded, and in the same transaction as what the call did.
"""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from flask import Response, request

from holmgang.api.problems.faults import InvalidRequest, KeyNotTaken, fault
from holmgang.app.errors import IdempotencyInFlight, IdempotencyMismatch, SecretAlreadyShown
from holmgang.app.ports import Tables
from holmgang.engine.messages import say

from .answers import PRIVATE
from .input import read_query
from .terms import Keyed

_KEY = re.compile(r"[\x21-\x7e]{1,255}")


@dataclass(frozen=True, slots=True)
class Key:
    """A key as the store knows it, with digests of the call and of its body."""

    name: str
    call: bytes
    body: bytes


def key_of_request() -> Key:
    """The key of the request. InvalidRequest for a dry run, and if it is not visible ASCII."""
    header: str = request.environ["HTTP_IDEMPOTENCY_KEY"]
    if read_query(request.query_string).get("dry_run") == "true":
        raise KeyNotTaken(say("A dry run takes no key: it changes nothing."))
    if _KEY.fullmatch(header) is None:
        raise InvalidRequest(
            [fault("Idempotency-Key", "invalid_value", say("Must be 1 to 255 visible ASCII characters."))]
        )
    call = hashlib.sha256(f"{request.method} {request.full_path}".encode()).digest()
    # Named by call and key, so that one key may serve several addresses.
    return Key(f"{call.hex()[:32]} {header}", call, hashlib.sha256(request.get_data()).digest())


def once(tables: Tables, player: UUID, key: Key, keyed: Keyed, do: Callable[[], Response]) -> Response:
    """The kept answer, or the answer of `do`, which is kept if it succeeds. To be called in a transaction."""
    if not tables.claim_key(player, key.name):
        raise IdempotencyInFlight(say("A request with this Idempotency-Key is being served at this moment."))
    kept = tables.kept_answer(player, key.name)
    if kept is not None:
        _, body, answer = kept
        if body != key.body:
            raise IdempotencyMismatch(say("This Idempotency-Key came with another body before."))
        if keyed is Keyed.SECRET:
            raise SecretAlreadyShown(say("The first answer held a secret, which is shown only once."), **answer)
        return _again(answer)
    response = do()
    if response.status_code < 300:
        tables.keep_answer(player, key.name, key.call, key.body, _kept(response, keyed))
    return response


def _kept(response: Response, keyed: Keyed) -> dict[str, object]:
    if keyed is Keyed.SECRET:
        return {"location": response.headers["Location"]}
    return {
        "status": response.status_code,
        "location": response.headers.get("Location"),
        "body": response.get_data(as_text=True),
    }


def _again(answer: dict[str, object]) -> Response:
    response = Response(str(answer["body"]).encode(), int(str(answer["status"])), content_type="application/json")
    response.headers.extend(PRIVATE)
    if answer["location"] is not None:
        response.headers["Location"] = str(answer["location"])
    return response
