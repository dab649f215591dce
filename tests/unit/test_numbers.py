"""A number without a fraction is an integer, however JSON writes it (JSON Schema 2020-12, core, 4.2.3)."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import suppress
from decimal import Decimal
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holmgang import registry
from holmgang.api.operation.input import read_json
from holmgang.api.problems.faults import MalformedRequest
from holmgang.app.fairness.claims import Unreadable, read_record
from holmgang.app.fairness.notes import UnreadableNotes, read_notes
from holmgang.app.fairness.verify import verify
from holmgang.engine.errors import InvalidOption, MalformedAction
from tests.fuzz.targets import positions
from tests.unit.records import Scribe

WRITTEN = {
    "2.0": 2,
    "2e0": 2,
    "2E+0": 2,
    "20e-1": 2,
    "0.2e1": 2,
    "2.00": 2,
    "2." + "0" * 5000: 2,
    "0." + "0" * 500 + "2e501": 2,
    "-0.0": 0,
    "0e0": 0,
    "0e999999999999999999999999": 0,
    "0.0e-999999999999999999999999": 0,
    "1E+2": 100,
    "-1.0": -1,
    "9007199254740993.0": 9007199254740993,
    "9223372036854775807.0": 2**63 - 1,
    "-9223372036854775808.0": -(2**63),
}


@pytest.mark.parametrize(("text", "value"), WRITTEN.items(), ids=[text[:24] for text in WRITTEN])
def test_a_zero_fraction_is_the_integer(text: str, value: int) -> None:
    read = read_json(text.encode())
    assert type(read) is int
    assert read == value


@pytest.mark.parametrize(
    "text", ["2.5", "2.0000000000000000000001", "1e-400", "1e-999999999999999999999", "-1e-5", "4.9e-324"]
)
def test_any_other_fraction_is_none(text: str) -> None:
    read = read_json(text.encode())
    assert type(read) is float
    assert not read.is_integer()


@pytest.mark.parametrize(
    "text",
    ["1e19", "9223372036854775808.0", "-9223372036854775809.0", "1e400", "-1e400", "1e999999999999999999999", "1e308"],
)
def test_beyond_64_bits_is_refused(text: str) -> None:
    with pytest.raises(MalformedRequest):
        read_json(text.encode())
    with pytest.raises(Unreadable):
        read_record(b'{"seats": %s}' % text.encode())


@given(st.integers(-(2**63), 2**63 - 1), st.integers(0, 30), st.integers(-20, 20))
def test_all_ways_to_write_an_integer(value: int, zeros: int, shift: int) -> None:
    whole = f"{value}.{'0' * zeros}0"
    moved = f"{Decimal(value).scaleb(-shift):f}e{shift}"
    for text in (whole, moved, f"{value}e0"):
        assert read_json(f"[{text}]".encode()) == [value], text


def _floats(value: Any) -> Any:
    """The same JSON value with a fraction at each integer."""
    if isinstance(value, dict):
        return {name: _floats(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_floats(entry) for entry in value]
    return float(value) if type(value) is int else value


def _one_by_one(value: Any, change: float) -> Iterator[Any]:
    """Copies with each integer in turn made a float that is so much more."""
    if type(value) is int:
        yield value + change
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for at, member in members:
        for changed in _one_by_one(member, change):
            copied = value.copy()
            copied[at] = changed
            yield copied


@pytest.mark.parametrize("name", sorted(positions()))
def test_every_integer_of_every_action(name: str) -> None:
    rules, state, seat = positions()[name]
    kind, rng = name.partition("/")[2], random.Random(name)
    for _ in range(10):
        action = rules.moves(state, seat).sample(rng)
        wire = msgspec.to_builtins(action)
        wire = json.loads(json.dumps(wire))
        assert rules.decode(kind, _floats(wire)) == action
        for half in _one_by_one(wire, 0.5):
            with pytest.raises(MalformedAction) as refused:
                rules.decode(kind, half)
            assert ".5" in refused.value.detail
            where = refused.value.pointer[1:]
            assert where
            assert f"'{where}' must be a whole number from " in refused.value.detail


@pytest.mark.parametrize("ruleset", registry.names())
def test_every_integer_of_all_options(ruleset: str) -> None:
    rules = registry.latest(ruleset)
    for seats in rules.seat_counts:
        options = rules.options(rules.configure(seats, {}))
        if "first_player" in options:
            options["first_player"] = 1
        config = rules.configure(seats, options)
        assert rules.configure(seats, _floats(options)) == config
        assert rules.options(rules.configure(seats, _floats(options))) == options
        for half in _one_by_one(json.loads(json.dumps(options)), 0.5):
            with pytest.raises(InvalidOption) as refused:
                rules.configure(seats, half)
            assert ".5" in refused.value.detail


@pytest.mark.parametrize("ruleset", registry.names())
def test_a_record_written_by_a_tool_that_knows_no_integers_holds(ruleset: str) -> None:
    rules = registry.latest(ruleset)
    scribe = Scribe(rules, min(rules.seat_counts), 0).play(5)
    while not scribe.over:
        scribe.resign()
        scribe.play(1)
    record = json.loads(msgspec.json.encode(scribe.record()))
    verdict = verify(read_record(json.dumps(_floats(record)).encode()))
    assert verdict.holds, verdict.difference
    for number, half in enumerate(_one_by_one(record, 0.5)):
        if number % 7 == 0:
            with suppress(Unreadable):
                assert not verify(read_record(json.dumps(half).encode())).holds


def test_notes_of_a_client_that_knows_no_integers() -> None:
    raw = b'{"seat": 1.0, "choices": [{"turn": 2e0, "action": {"type": "play", "card": 3.0}}]}'
    notes = read_notes(raw)
    assert msgspec.json.encode([notes.seat, notes.choices]) == b'[1,[{"turn":2,"action":{"type":"play","card":3}}]]'
    with pytest.raises(UnreadableNotes):
        read_notes(b'{"seat": 1.5}')
