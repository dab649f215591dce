"""Bytes of states and answers, and digests of states: equal games have equal hashes on every machine."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any

import msgspec
from msgspec.structs import astuple


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


encode_json = msgspec.json.Encoder().encode
"""JSON for clients: members in their order, Structs by their fields."""

_encoder = msgspec.msgpack.Encoder(enc_hook=_bytes_of, order="deterministic")


def encode_state(state: Any) -> bytes:
    """Canonical MessagePack. The layout belongs to the ruleset's version: another layout is another version, but for
    more fields at the end that have a default, which states that were kept before take."""
    return _encoder.encode(state)


def decode_state(raw: bytes, state_type: type) -> Any:
    return _decoder_of(state_type).decode(raw)


@cache
def _decoder_of(state_type: type) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(state_type, dec_hook=_value_of)


def state_hash(state: Any) -> bytes:
    """32 bytes: BLAKE2b-256 of the canonical encoding, without the fields that have a default.

    Such fields are the last ones. They came when games had been recorded, and say no more than the log does.
    """
    late = len(state.__struct_defaults__)
    raw = _encoder.encode(astuple(state)[:-late] if late else state)
    return hashlib.blake2b(raw, digest_size=32).digest()
