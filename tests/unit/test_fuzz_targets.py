"""What the fuzzer begins with, a little of what it does, and all that it ever found, as ordinary tests."""

from __future__ import annotations

import json
import random
from pathlib import Path

import msgspec
import pytest

from holmgang import registry
from tests.fuzz import targets
from tests.fuzz.mutating import mutated

KEPT = sorted(path for path in (Path(__file__).parents[1] / "fuzz/kept").glob("*/*") if path.is_file())


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}-{path.name}")
@pytest.mark.timeout(10)
def test_what_was_found_once(path: Path) -> None:
    targets.TARGETS[path.parent.name](path.read_bytes())


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "place", sorted(f"{rules.ruleset}/{kind}" for rules in registry.all_latest() for kind in rules.turn_kinds)
)
def test_actions_with_something_changed(place: str) -> None:
    rules, state, seat = targets.positions()[place]
    rng = random.Random(place)
    head = f"{place}\n".encode()
    for _ in range(150):
        action = msgspec.to_builtins(rules.moves(state, seat).sample(rng))
        targets.actions(head + msgspec.json.encode(action))
        targets.actions(head + json.dumps(mutated(action, rng)).encode())


@pytest.mark.timeout(60)
@pytest.mark.parametrize("number", range(3))
def test_records_with_something_changed(number: int) -> None:
    seed = targets.seeds("records")[number]
    rng = random.Random(number)
    targets.records(seed)
    for _ in range(60):
        changed = mutated(json.loads(seed), rng)
        targets.records(json.dumps(changed).encode())
        text = json.dumps(changed).encode()
        at = rng.randrange(len(text))
        targets.records(text[:at] + rng.choice((b"", b"\x00", b"\xff", b"[" * 100, b"9" * 30)) + text[at + 1 :])
