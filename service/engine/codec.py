"""Canonical bytes and digests of states, so that equal games have equal hashes on every machine."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any

import msgspec


class Bits(int):
    """A set of small numbers as the bits of an integer of any size, which MessagePack's integers have not."""


def _bytes_of(value: Any) -> bytes:
    if type(value) is not Bits:
        raise TypeError(f"a state cannot hold a {type(value).__name__}")
    return value.to_bytes((value.bit_length() + 7) // 8, "little")


def _value_of(wanted: type, raw: Any) -> Any:
    if wanted is not Bits:
        raise TypeError(f"a state cannot hold a {wanted.__name__}")
    return Bits(int.from_bytes(raw, "little"))


_encoder = msgspec.msgpack.Encoder(enc_hook=_bytes_of, order="deterministic")


def encode_state(state: Any) -> bytes:
    """Canonical MessagePack. The layout belongs to the ruleset's version: another layout is another version."""
    return _encoder.encode(state)


def decode_state(raw: bytes, state_type: type) -> Any:
    return _decoder_of(state_type).decode(raw)


@cache
def _decoder_of(state_type: type) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(state_type, dec_hook=_value_of)


def state_hash(state: Any) -> bytes:
    """32 bytes: BLAKE2b-256 of the canonical encoding."""
    return hashlib.blake2b(_encoder.encode(state), digest_size=32).digest()
