"""Signatures of webhooks after the Standard Webhooks specification 1.0, symmetric scheme `v1`.

What is signed is `id.timestamp.body` with HMAC-SHA256. A secret is written as `whsec_` and the base64 of its 24 to 64
bytes. While a secret is being replaced a message carries a signature of each, so that receivers may change over at
their own time.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence

PREFIX = "whsec_"
KEY_BYTES = 32
SHORTEST_KEY, LONGEST_KEY = 24, 64
ID_HEADER, TIMESTAMP_HEADER, SIGNATURE_HEADER = "webhook-id", "webhook-timestamp", "webhook-signature"

# A full stop in an identifier would let one signed text be read as two different messages.
_ID = re.compile(r"[A-Za-z0-9_-]{1,128}")


class BadSecret(ValueError):
    """A secret that is not written as the specification wants it. The text does not repeat it."""


def new_secret() -> str:
    """A random secret, as it is shown to its owner."""
    return PREFIX + base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()


def key_of(secret: str) -> bytes:
    """The bytes of a secret, or BadSecret."""
    if not secret.startswith(PREFIX):
        raise BadSecret(f"A secret starts with {PREFIX}.")
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except (binascii.Error, ValueError):
        raise BadSecret(f"A secret is base64 after {PREFIX}.") from None
    if not SHORTEST_KEY <= len(key) <= LONGEST_KEY:
        raise BadSecret(f"A secret holds {SHORTEST_KEY} to {LONGEST_KEY} bytes.")
    return key


def signature(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """One signature, with its version."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(key_of(secret), signed, hashlib.sha256)).decode()


def signed_headers(whsecs: Sequence[str], message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """The headers of one attempt, signed with every given secret, the newest first.

    The identifier stays the same however often a message is tried; the timestamp (Unix seconds) is the attempt's.
    """
    if not whsecs:
        raise ValueError("a message is signed with at least one secret")
    if not _ID.fullmatch(message_id) or timestamp < 0:
        raise ValueError("an identifier is of letters, digits, _ and -, a timestamp is not negative")
    return {
        ID_HEADER: message_id,
        TIMESTAMP_HEADER: str(timestamp),
        SIGNATURE_HEADER: " ".join(signature(each, message_id, timestamp, body) for each in whsecs),
    }
