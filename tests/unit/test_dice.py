"""Fair chance: draws that anybody can compute again, equally likely, and bound by the commitment."""

from __future__ import annotations

import hashlib
from collections import Counter
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from holmgang.app.fairness.dice import Dice, canonical_json, commitment, first_head, game_terms, next_head, pack_entropy

SEED = bytes(range(32))
GAME = UUID("01890000-0000-7000-8000-000000000001")


def by_hand(seed: bytes, entropy: bytes, counter: int, stop: int) -> int:
    """The draw as the documentation describes it, written apart from the code."""
    for attempt in range(1000):
        message = entropy + counter.to_bytes(8, "big") + attempt.to_bytes(4, "big")
        digest = hashlib.blake2b(message, key=seed, digest_size=8, person=b"holmgang-dice").digest()
        value = int.from_bytes(digest, "big")
        if value < 2**64 // stop * stop:
            return value % stop
    raise AssertionError("no attempt was accepted")


@given(st.binary(max_size=64), st.integers(0, 10_000), st.integers(1, 2**63))
def test_a_draw_is_what_the_documentation_says(entropy: bytes, counter: int, stop: int) -> None:
    assert Dice(SEED, entropy, counter).draw("any", stop) == by_hand(SEED, entropy, counter, stop)


def test_rejected_values_are_drawn_anew_without_moving_the_counter() -> None:
    stop = 2**63 + 1  # nearly half of all values are rejected
    dice = Dice(SEED, b"", 0)
    drawn = [dice.draw("any", stop) for _ in range(64)]
    assert dice.drawn == 64
    assert all(value < stop for value in drawn)
    assert drawn == [by_hand(SEED, b"", n, stop) for n in range(64)]


def test_c4_the_stream_depends_on_seed_entropy_and_counter_alone() -> None:
    first = Dice(SEED, b"x", 0)
    values = [first.draw("battle_card", 54) for _ in range(20)]
    resumed = Dice(SEED, b"x", 10)
    assert [resumed.draw("another label", 54) for _ in range(10)] == values[10:]
    other_entropy = Dice(SEED, b"y", 0)
    other_seed = Dice(bytes(32), b"x", 0)
    assert [other_entropy.draw("battle_card", 54) for _ in range(20)] != values
    assert [other_seed.draw("battle_card", 54) for _ in range(20)] != values


def test_every_value_is_about_equally_likely() -> None:
    dice = Dice(SEED, b"", 0)
    counts = Counter(dice.draw("any", 6) for _ in range(60_000))
    assert set(counts) == set(range(6))
    chi_squared = sum((n - 10_000) ** 2 / 10_000 for n in counts.values())
    assert chi_squared < 20.5, "five degrees of freedom, one chance in a thousand; the seed is fixed"


def test_entropies_cannot_be_split_in_two_ways() -> None:
    assert pack_entropy([b"ab", b"c"]) != pack_entropy([b"a", b"bc"])
    assert pack_entropy([None, b"ab"]) != pack_entropy([b"ab", None])


def test_the_commitment_binds_game_terms_and_seed() -> None:
    terms = game_terms("eketorp", "1", 4, {"first_player": "random"})
    bound = commitment(GAME, terms, SEED)
    others = [
        commitment(UUID(int=GAME.int + 1), terms, SEED),
        commitment(GAME, game_terms("eketorp", "2", 4, {"first_player": "random"}), SEED),
        commitment(GAME, game_terms("eketorp", "1", 4, {"first_player": 0}), SEED),
        commitment(GAME, game_terms("eketorp", "1", 5, {"first_player": "random"}), SEED),
        commitment(GAME, terms, bytes(32)),
    ]
    assert len({bound, *others}) == 6
    tagged = b"holmgang-commitment-1" + GAME.bytes + len(terms).to_bytes(4, "big") + terms + SEED
    assert bound == hashlib.sha256(tagged).digest()


def test_one_value_has_one_spelling() -> None:
    assert canonical_json({"b": [1, "é"], "a": None}) == '{"a":null,"b":[1,"é"]}'.encode()


def test_row_hashes_chain_every_part() -> None:
    start = first_head(GAME, b"terms", b"entropy")
    heads = {
        start,
        first_head(GAME, b"terms", b""),
        next_head(start, b"row", bytes(32)),
        next_head(start, b"row", bytes(31) + b"x"),
        next_head(start, b"rox", bytes(32)),
        next_head(bytes(32), b"row", bytes(32)),
    }
    assert len(heads) == 6
