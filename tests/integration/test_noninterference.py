"""What a seat cannot see cannot be told from any answer: two games that differ only there answer byte for byte alike.

Each example clones the database of a game in progress twice, puts into each clone a state that `determinize` made from
one seat's view, and sends both the same requests. Clock, request ids and submission ids are fixed.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any
from unittest import mock
from urllib.parse import urlsplit
from uuid import UUID

import msgspec
import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holmgang import registry
from holmgang.api.openapi.document import document
from holmgang.api.operation import showing
from holmgang.app.fairness.dice import Dice
from holmgang.bootstrap import create_app
from holmgang.config import Settings
from holmgang.engine.codec import encode_state
from holmgang.engine.replay import perform
from holmgang.engine.rules import AnyRules
from holmgang.games.eketorp.rules.rules import Eketorp
from holmgang.store.database import PostgresStore
from tests.conftest import fresh_database
from tests.integration.tables import Table, seat_players

if TYPE_CHECKING:
    from flask.testing import FlaskClient

pytestmark = [pytest.mark.long, pytest.mark.plain_postgres("a schema of its own fixes the clock of its server")]

FIXED_CLOCK = """
CREATE SCHEMA fixed;
CREATE FUNCTION fixed.clock_timestamp() RETURNS timestamptz LANGUAGE sql IMMUTABLE
AS $$ SELECT '2026-01-02 03:04:05Z'::timestamptz $$;
"""
TRIED: list[dict[str, Any]] = [
    {"type": "place", "fields": {"A": 8, "B": 8}, "sieges": []},
    {"type": "place", "fields": {}, "sieges": ["0:ram", "0:ram"]},
    {"type": "place", "fields": {"A": "one"}, "sieges": []},
    {"type": "fight", "space": "A", "against": 1},
    {"type": "besiege", "space": "2:boat"},
    {"type": "exchange"},
    {"type": "stand"},
    *({"type": "play", "card": card} for card in range(1, 7)),
    *({"type": "loot", "walls": {wall: 1}, "kept": "wood"} for wall in "123456"),
    {"type": "take", "space": "C", "stone": "clay"},
    {"type": "build", "stones": [{"stone": "stone", "wall": 1}] * 2},
    {"type": "place", "points": ["a1", "a1"]},
    {"type": "remove", "points": ["a1", "b1", "c1", "z9"]},
    {"type": "claim", "castles": [{"territory": 0, "point": "a1"}]},
    {"type": "move", "path": ["a1", "b2"]},
    {"type": "stop"},
    {"type": "castle", "point": "a1"},
    *({"type": "sail", "ship": 0, "card": card} for card in range(1, 10)),
    {"type": "sail", "ship": 1, "card": 10, "steps": 3},
    {"type": "swap", "ships": [{"seat": 0, "ship": 0}, {"seat": 1, "ship": 0}]},
    {"type": "back", "ship": {"seat": 1, "ship": 0}},
    {"type": "fog", "ship": 0},
    {"type": "pair", "moves": [{"seat": 0, "ship": 0, "steps": 1}, {"seat": 1, "ship": 0, "steps": 6}]},
    {"type": "launch", "card": 4},
    {"type": "boost", "ship": 0, "card": 5},
    {"type": "draw"},
    {"type": "ready_ship"},
    {"type": "fog_card", "card": 4},
    {"type": "emerge", "card": 5},
    {"type": "rush", "ship": 0, "cards": [7, 8, 9]},
    {"type": "push"},
    {"type": "attack"},
    {"type": "advance", "by": 6},
    {"type": "loot_coins"},
    {"type": "loot_cards"},
    *({"type": "loot_choice", "cards": [card, card + 1]} for card in range(1, 10)),
]
"""One action at least of every kind of turn, mostly illegal: refusals must not tell either."""


@contextmanager
def answering(template: str, server: str, game: UUID, state: bytes) -> Iterator[FlaskClient]:
    """A service on a clone of a database in which the game stands at `state` and the clock at one moment."""
    with fresh_database(server, template) as url:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(FIXED_CLOCK.encode())
            name = urlsplit(url).path[1:]
            connection.execute(f'ALTER DATABASE "{name}" SET search_path = fixed, pg_catalog, public'.encode())
            connection.execute("UPDATE games SET state = %s, pending = '[]' WHERE id = %s", (state, game))
        store = PostgresStore(url, pool_size=1)
        try:
            with (
                mock.patch("time.time", return_value=1767323045.0),  # what is left of a rate limit's window, too
                mock.patch.object(showing, "monotonic", return_value=1.0),
            ):
                yield create_app(Settings(), store).test_client()
        finally:
            store.close()


def told(client: FlaskClient, method: str, path: str, secret: str | None, **more: Any) -> tuple[int, bytes, list[Any]]:
    """All of an answer: status, body and headers."""
    headers = {"X-Request-ID": "fixed"} | ({} if secret is None else {"Authorization": f"Bearer {secret}"})
    answer = client.open(path, method=method, headers=headers, **more)
    return answer.status_code, answer.data, sorted(answer.headers.items())


SHOWN = sorted(
    path for path, verbs in document()["paths"].items() if "get" in verbs and re.findall(r"{(\w+)}", path) == ["game"]
)
"""All that shows a game."""


def everything(client: FlaskClient, game: UUID, turn: int, secret: str | None) -> list[Any]:
    base = f"/v1/games/{game}"
    paths = (*(shown.format(game=game) for shown in SHOWN), f"{base}/turn?include=view", "/v1/me/turns")
    answers = [told(client, "GET", path, secret) for _ in range(2) for path in paths]  # made, and as they were kept
    answers += [
        told(client, "POST", f"{base}/submissions?dry_run=true", secret, json={"turn": turn, "action": action})
        for action in TRIED
    ]
    answers += [
        told(client, "POST", f"{base}/submissions", secret, json={"turn": wrong, "action": TRIED[0]})
        for wrong in (turn - 1, turn + 1)
    ]
    return answers


def tells_alike(rules: AnyRules, states: list[Any], seat: int, action: Any, table: Table) -> bool:
    """Whether the step reveals nothing that differs, such as another's card or one's own new ones."""
    row = table.row()
    seen = []
    for state in states:
        played = perform(rules, state, [(seat, action)], None, Dice(row.seed, row.entropy, row.draws).draw)
        effects = [rules.redact(effect, seat) for effect in played.step.effects]
        seen.append((effects, rules.view(played.step.state, seat)))
    return bool(seen[0] == seen[1])


compared: list[int] = []
each_game = pytest.mark.parametrize("ruleset", registry.names())


def check(postgres_url: str, template: str, seed: int, ruleset: str) -> None:
    rng = random.Random(seed)
    played = registry.latest(ruleset)
    with fresh_database(postgres_url, template) as url:
        store = PostgresStore(url, pool_size=1)
        with mock.patch("holmgang.app.games.creation.secrets.token_bytes", rng.randbytes):
            table = seat_players(store, rng.choice(played.seat_counts), ruleset=ruleset)
        table.rng.seed(seed)
        table.play(turns=rng.randrange(60))
        kind = rng.choice(sorted(played.turn_kinds))
        table.play(turns=80, until=kind)
        for asked in table.position().awaited()[: rng.randrange(3)]:
            if len(table.position().awaited()) > 1:
                table.submit(asked)
        row, place = table.row(), table.position()
        rules = place.rules
        awaited = place.awaited()
        seat: int | None = rng.choice(awaited) if awaited and rng.random() < 0.7 else rng.randrange(row.seat_count)
        if rng.random() < 0.15:
            seat = None  # a spectator
        view = rules.view(place.state, seat)
        states = [rules.determinize(view, random.Random(f"{seed} {n}")) for n in range(2)]
        table.store = store
        secret = None if seat is None else table.secrets[seat]
        step, action = False, None
        if seat in awaited:
            action = rules.moves(place.state, seat).sample(rng)
            step = tells_alike(rules, states, seat, action, table)
        store.close()
        name = urlsplit(url).path[1:]
        answers = []
        for state in states:
            numbers = count(1)
            with (
                answering(name, postgres_url, table.game, encode_state(state)) as client,
                mock.patch("holmgang.app.play.submissions.uuid7", lambda numbers=numbers: UUID(int=next(numbers))),
            ):
                found = everything(client, table.game, row.turn, secret)
                if step:
                    body = {"turn": row.turn, "action": msgspec.to_builtins(action)}
                    made = told(client, "POST", f"/v1/games/{table.game}/submissions", secret, json=body)
                    assert made[0] == 201, made
                    found += [made, *everything(client, table.game, row.turn, secret)]
                answers.append(found)
        for one, other in zip(*answers, strict=True):
            assert one == other
        compared.append(int(step))


@each_game
@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32))
def test_games_that_differ_in_hidden_things_answer_alike(
    postgres_url: str, migrated_template: str, ruleset: str, seed: int
) -> None:
    check(postgres_url, migrated_template, seed, ruleset)


@pytest.mark.slow
@each_game
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32))
def test_many_games_that_differ_in_hidden_things_answer_alike(
    postgres_url: str, migrated_template: str, ruleset: str, seed: int
) -> None:
    check(postgres_url, migrated_template, seed, ruleset)


def _check_ten(postgres_url: str, template: str) -> None:
    for seed in range(10):
        check(postgres_url, template, seed, "eketorp")


def test_the_check_sees_a_leak(postgres_url: str, migrated_template: str) -> None:
    """A view that tells something of the deck is found out."""
    real = Eketorp.view

    def leaking(state: Any, seat: int | None) -> Any:
        return msgspec.structs.replace(real(state, seat), deck_size=state.deck[0])

    with mock.patch.object(Eketorp, "view", staticmethod(leaking)), pytest.raises(AssertionError):
        _check_ten(postgres_url, migrated_template)


@pytest.mark.slow
def test_steps_are_compared_too(postgres_url: str, migrated_template: str) -> None:
    before = len(compared)
    for seed in range(100, 108):
        check(postgres_url, migrated_template, seed, "eketorp")
    assert sum(compared[before:]) >= 2, "too few of these games could be compared past a step"
