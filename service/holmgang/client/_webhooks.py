"""Whether a message that came in is the service's (Standard Webhooks 1.0, symmetric)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import time
from collections.abc import Mapping


class Unverified(Exception):
    """A message that must not be believed; the text says why."""

    __module__ = "holmgang"


def verify_webhook(
    secret: str, headers: Mapping[str, str], body: bytes, *, tolerance: float = 300.0, now: float | None = None
) -> str:
    """The message's id, the same however often it is sent; Unverified if it is not of the owner of the secret.

    `body` is what was received, byte for byte: check it before it is parsed.
    """
    named = {name.lower(): value for name, value in headers.items()}
    try:
        message, sent, signatures = (named[f"webhook-{part}"] for part in ("id", "timestamp", "signature"))
    except KeyError as missing:
        raise Unverified(f"The header {missing.args[0]} is missing.") from None
    # A full stop would let one signed text be read as two different messages.
    if "." in message or not (sent.isascii() and sent.isdigit() and len(sent) <= 15):
        raise Unverified("The identifier or the timestamp is malformed.")
    if abs((time.time() if now is None else now) - int(sent)) > tolerance:
        raise Unverified("The timestamp is too far from now.")
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        raise ValueError("A secret is base64 after whsec_.") from None
    digest = hmac.digest(key, f"{message}.{sent}.".encode() + body, hashlib.sha256)
    expected = b"v1," + base64.b64encode(digest)
    # Every signature is compared, so that the time tells nothing about which one fits.
    fits = [hmac.compare_digest(expected, each.encode()) for each in signatures.split(" ")]
    if not any(fits):
        raise Unverified("No signature fits.")
    return message
