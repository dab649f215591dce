"""Schemathesis against the whole application, with all of its checks: each operation, then chains of them by links."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase
from schemathesis.config import SchemathesisConfig
from schemathesis.generation.feedback import FeedbackSources
from schemathesis.pytest._test_builder import build_operation_test
from schemathesis.python._constants.orchestrator import make_constants_value_source
from schemathesis.specs.openapi.checks import positive_data_acceptance

from holmgang.api.resources import examples
from holmgang.bootstrap import create_app
from holmgang.config import Settings
from holmgang.store.database import PostgresStore
from tests.api_document import api_document
from tests.conftest import fresh_database
from tests.e2e.seeding import seed
from tests.soon import soon

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

UNDERSTOOD_AND_REFUSED = {
    "POST /v1/webhooks": "which hosts may be called no pattern can say",
    "PATCH /v1/webhooks/{webhook}": "which hosts may be called no pattern can say",
    "POST /v1/games": "options and numbers of seats are the ruleset's own (invalid_field, invalid_option)",
    "POST /v1/games/{game}/seats": "the game may have fewer seats (invalid_field)",
    "POST /v1/games/{game}/invitations": "the game may have fewer seats, an expiry may lie in the past (invalid_field)",
    "POST /v1/games/{game}/submissions": "the rules forbid most actions (illegal_action); a dry run takes no key",
    "PUT /v1/games/{game}/submissions/{submission}": "the rules forbid most actions (illegal_action)",
    "GET /v1/players": "which places there can be in a list by names (invalid_request)",
    "POST /v1/players": "which characters can be seen, and which names told apart, no pattern can say",
    "POST /v1/seeks": "options and numbers of seats are the ruleset's own (invalid_field, invalid_option)",
    "POST /v1/tournaments": "options and numbers of seats are the ruleset's own (invalid_field, invalid_option)",
    "POST /v1/challenges": "likewise, and not everybody can be asked (invalid_field, invalid_option)",
    "PUT /v1/challenges/{challenge}/answer": "a reason is for those who decline (invalid_field)",
    "POST /v1/tournaments/{tournament}/invitation": "a public tournament needs none (invalid_field)",
    "POST /v1/tournaments/{tournament}/entries": "bots need no invitation, and not every bot can play (invalid_field)",
    "PATCH /v1/me": "which names can be told apart; whether one is a bot is said before the first game",
    "DELETE /v1/me": "the name must be the caller's own",
    "POST /v1/me/tokens": "what can be seen; an expiry may lie in the past, a seat's token may not manage",
}
"""Operations that may answer 422 to what their schema allows, and why."""

CONFIG = SchemathesisConfig.from_dict(
    {
        "generation": {"allow-x00": False},  # refused in every text, which no schema can say of all
        "operations": [
            {
                "include-name": name,
                "checks": {
                    "positive_data_acceptance": {
                        "expected-statuses": ["2xx", "3xx", "401", "403", "404", "409", "422", "429", "5xx"]
                    }
                },
            }
            for name in UNDERSTOOD_AND_REFUSED
        ],
    }
)


class Current:
    """The application of the test that runs now: each has a database of its own."""

    app: WSGIApplication | None = None

    def __init__(self) -> None:
        self.statuses: set[int] = set()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        assert self.app is not None
        environ.pop("HTTP_ACCEPT_ENCODING", None)  # inside a process Schemathesis asks for gzip and does not unpack it
        return self.app(environ, start_response)


CURRENT = Current()
SCHEMA = schemathesis.openapi.from_dict(
    copy.deepcopy(api_document()), config=CONFIG
)  # it adds links to what it is given
OPERATIONS = [f"{verb.upper()} {path}" for path, verbs in api_document()["paths"].items() for verb in verbs]
SCHEMA.app = CURRENT


@SCHEMA.auth()
class ExampleToken:
    """Calls are made by the player of the examples."""

    def get(self, case: schemathesis.Case[Any], context: schemathesis.AuthContext) -> str:
        return examples.SECRET

    def set(self, case: schemathesis.Case[Any], data: str, context: schemathesis.AuthContext) -> None:
        case.headers["Authorization"] = f"Bearer {data}"


@pytest.fixture(scope="module")
def seeded(module_database: str) -> str:
    """The name of a database with the things of the examples, to make copies of."""
    store = PostgresStore(module_database, pool_size=1)
    seed(store)
    store.close()
    return module_database.rsplit("/", 1)[1].partition("?")[0]


@contextmanager
def serving(postgres_url: str, seeded: str) -> Iterator[None]:
    """The application on a fresh copy of the database. Requests that wait are answered as if their time were up."""
    with fresh_database(postgres_url, seeded) as url:
        app = create_app(Settings(database_url=url, pool_size=2, log_level="error", rate_limit=10**6))
        store = app.extensions["holmgang"].store
        store.wakeups.drain()
        CURRENT.app = app
        yield
        CURRENT.app = None
        store.close()


bounded = hypothesis.settings(
    max_examples=15,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture
def reached(postgres_url: str, seeded: str) -> Iterator[None]:
    with serving(postgres_url, seeded):
        CURRENT.statuses = set()
        yield
    assert any(200 <= status < 300 for status in CURRENT.statuses), "no call of this operation has succeeded"


def is_mismatch(response: schemathesis.Response) -> bool:
    """Whether a key was sent before, with another body: calls are made one by one, and do not know of each other."""
    return response.status_code == 422 and response.json()["code"] == "idempotency_mismatch"


def ask(case: schemathesis.Case[Any]) -> None:
    response = case.call()
    CURRENT.statuses.add(response.status_code)
    case.validate_response(response, excluded_checks=[positive_data_acceptance] if is_mismatch(response) else [])


@pytest.mark.parametrize("label", OPERATIONS)
@pytest.mark.parametrize("most", soon([6, 40], 6))
@pytest.mark.usefixtures("reached")
def test_operations_do_what_the_document_says(label: str, most: int) -> None:
    """By Schemathesis's own `parametrize` the cases of all would be made where tests are merely collected."""
    feedback = FeedbackSources(constants_value_source=make_constants_value_source(SCHEMA))
    operation = SCHEMA.find_operation_by_label(label)
    assert operation is not None

    @hypothesis.settings(bounded, max_examples=most)
    def asked(case: schemathesis.Case[Any]) -> None:
        ask(case)

    build_operation_test(
        config=SCHEMA.config, operation=operation, test_func=asked, given_kwargs={}, feedback=feedback
    )()


def chains(postgres_url: str, seeded: str, settings: hypothesis.settings) -> set[str]:
    """Walk from operation to operation by the document's links; which of them have succeeded."""
    succeeded: set[str] = set()

    class Chains(SCHEMA.as_state_machine()):  # type: ignore[misc]
        """Every chain begins with the same things, so that it goes the same way when it is tried again."""

        def setup(self) -> None:
            self.holding = ExitStack()
            self.holding.enter_context(serving(postgres_url, seeded))

        def teardown(self) -> None:
            self.holding.close()

        def validate_response(self, response: Any, case: schemathesis.Case[Any], **more: Any) -> None:
            if not is_mismatch(response):
                super().validate_response(response, case, **more)

        def after_call(self, response: Any, case: schemathesis.Case[Any]) -> None:
            if 200 <= response.status_code < 300:
                succeeded.add(case.operation.label)

    Chains.run(settings=settings)
    return succeeded


@pytest.mark.slow
def test_chains_of_calls_do_what_the_document_says(postgres_url: str, seeded: str) -> None:
    settings = hypothesis.settings(bounded, max_examples=25, stateful_step_count=10)
    assert len(chains(postgres_url, seeded, settings)) > 15, "the links lead from operation to operation"


@pytest.mark.slow
def test_many_long_chains_do_what_the_document_says(postgres_url: str, seeded: str) -> None:
    settings = hypothesis.settings(bounded, derandomize=False, max_examples=300, stateful_step_count=40)
    assert len(chains(postgres_url, seeded, settings)) > 30, "nearly all that links lead to"
