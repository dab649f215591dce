"""Games of all rulesets on real Postgres where every rule of the protocol is broken, as Hypothesis has it."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from tests.fuzz.mischief import KINDS, WAYS, Mischief
from tests.integration.api.calling import UNHURRIED, Api
from tests.soon import soon

pytestmark = pytest.mark.long

SEATS, NUMBERS = st.integers(0, 5), st.integers(0, 10_000)


@pytest.fixture(scope="module")
def machine(module_database: str) -> Any:
    """A state machine on an application, by ruleset."""
    api = Api(module_database, **UNHURRIED, log_level="error")
    with psycopg.connect(module_database, autocommit=True) as rows:
        yield lambda ruleset, seen: _machine(api, rows, ruleset, seen)
    api.close()


def _way(name: str) -> Callable[[Any, int, int], None]:
    def misbehave(self: Any, seat: int, n: int) -> None:
        if self.table.status() != "over" or n % 4 == 0:
            getattr(self.table, name)(seat, n)

    misbehave.__name__ = name
    return misbehave


def _machine(api: Api, rows: psycopg.Connection[Any], ruleset: str, seen: dict[str, int]) -> Any:
    class Table(RuleBasedStateMachine):
        @initialize(n=NUMBERS)
        def sit_down(self, n: int) -> None:
            self.table = Mischief(api, rows, ruleset, n)

        @invariant()
        def all_holds(self) -> None:
            if hasattr(self, "table"):
                self.table.check()

        def teardown(self) -> None:
            if hasattr(self, "table"):
                for code, count in self.table.told.items():
                    seen[code] = seen.get(code, 0) + count

    for name in dict.fromkeys(WAYS):
        setattr(Table, name, rule(seat=SEATS, n=NUMBERS)(_way(name)))
    # Each rule is as likely as another: what moves the game on is there more than once.
    for number in range(3):
        setattr(Table, f"everybody_{number}", rule(seat=SEATS, n=NUMBERS)(_way("everybody")))
    return Table


bounded = settings(
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate],
    print_blob=False,
)


@pytest.mark.parametrize("ruleset", soon(sorted(KINDS), "eketorp"))
def test_a_table_where_every_rule_is_broken(machine: Any, ruleset: str) -> None:
    seen: dict[str, int] = {}
    run_state_machine_as_test(
        machine(ruleset, seen), settings=settings(bounded, max_examples=6, stateful_step_count=40)
    )
    assert {"201", "200"} <= set(seen), "games went on"


@pytest.mark.parametrize("ruleset", sorted(KINDS))
def test_each_way_to_break_a_rule(machine: Any, ruleset: str) -> None:
    """Hypothesis draws from what constants the code has, so what it comes to changes with the code; this does not."""
    told = {"201", "200", "stale_turn", "malformed_action", "not_awaited"}
    seen: dict[str, int] = {}
    numbers = random.Random(ruleset)
    for terms in (0, 1, 3):
        table = machine(ruleset, seen)()
        table.sit_down(n=terms)
        for name in dict.fromkeys(WAYS):
            getattr(table, name)(seat=numbers.randrange(6), n=numbers.randrange(10_000))
            table.all_holds()
        while not told <= {*seen, *table.table.told} and table.table.status() != "over":
            getattr(table, numbers.choice(WAYS))(seat=numbers.randrange(6), n=numbers.randrange(10_000))
            table.all_holds()
        table.teardown()
    assert told <= set(seen), "it got where it was to go"


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", sorted(KINDS))
def test_many_tables_where_every_rule_is_broken(machine: Any, ruleset: str) -> None:
    run_state_machine_as_test(
        machine(ruleset, {}),
        settings=settings(
            bounded, derandomize=False, phases=[Phase.generate, Phase.shrink], max_examples=150, stateful_step_count=100
        ),
    )
