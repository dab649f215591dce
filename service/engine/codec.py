"""Canonical bytes and digests of states, so that equal games have equal hashes on every machine."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

_encoder = msgspec.msgpack.Encoder(order="deterministic")


def encode_state(state: Any) -> bytes:
    """Canonical MessagePack. The layout belongs to the ruleset's version: another layout is another version."""
    return _encoder.encode(state)


def decode_state(raw: bytes, state_type: type) -> Any:
    return msgspec.msgpack.decode(raw, type=state_type)


def state_hash(state: Any) -> bytes:
    """32 bytes: BLAKE2b-256 of the canonical encoding."""
    return hashlib.blake2b(_encoder.encode(state), digest_size=32).digest()
