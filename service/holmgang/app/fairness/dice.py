"""Fair chance: every draw follows from a committed seed, the players' entropy and a counter.

A draw is BLAKE2b keyed with the 32-byte seed, personalised `holmgang-dice`, 8 bytes big-endian, over the
length-prefixed entropy of every seat in seat order (4 bytes big-endian length, then the bytes; length 0 for none),
the draw counter from 0 (8 bytes) and the attempt from 0 (4 bytes). Values at or above the largest multiple of `stop`
are rejected and the attempt grows by one, so that every value is equally likely.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import UUID

SEED_BYTES = 32
_SPAN = 1 << 64


def pack_entropy(entropies: Sequence[bytes | None]) -> bytes:
    """Length-prefixed entropy in seat order."""
    return b"".join(len(e or b"").to_bytes(4, "big") + (e or b"") for e in entropies)


class Dice:
    """The stream of draws of one game. `drawn` counts the draws made so far."""

    def __init__(self, seed: bytes, entropy: bytes, drawn: int) -> None:
        self._base = hashlib.blake2b(entropy, key=seed, digest_size=8, person=b"holmgang-dice")
        self.drawn = drawn

    def draw(self, label: str, stop: int) -> int:
        """A value in range(stop). The label is for the log only and does not enter the draw."""
        limit = _SPAN - _SPAN % stop
        attempt = 0
        while True:
            digest = self._base.copy()
            digest.update(self.drawn.to_bytes(8, "big") + attempt.to_bytes(4, "big"))
            value = int.from_bytes(digest.digest(), "big")
            if value < limit:
                self.drawn += 1
                return value % stop
            attempt += 1


Draw = Callable[[str, int], int]


def canonical_json(value: Any) -> bytes:
    """JSON with sorted keys, no white space, UTF-8 unescaped: one spelling for one value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def game_terms(ruleset: str, version: str, seats: int, options: Mapping[str, Any]) -> bytes:
    """What is agreed before the first draw, in canonical form."""
    return canonical_json({"options": options, "ruleset": ruleset, "seats": seats, "version": version})


def commitment(game: UUID, terms: bytes, seed: bytes) -> bytes:
    """SHA-256 over the tag `holmgang-commitment-1`, the game id (16 bytes), the length-prefixed terms, the seed."""
    return hashlib.sha256(b"holmgang-commitment-1" + game.bytes + len(terms).to_bytes(4, "big") + terms + seed).digest()


def first_head(game: UUID, terms: bytes, entropy: bytes) -> bytes:
    """The chain of row hashes starts from the game id, its terms and the players' entropy."""
    return hashlib.blake2b(
        b"holmgang-log-1" + game.bytes + len(terms).to_bytes(4, "big") + terms + entropy, digest_size=32
    ).digest()


def next_head(head: bytes, row: bytes, state_hash: bytes) -> bytes:
    """The row hash: BLAKE2b-256 over the previous one, the canonical row and the hash of the state it led to."""
    return hashlib.blake2b(head + len(row).to_bytes(4, "big") + row + state_hash, digest_size=32).digest()
