"""What operations cost is declared for all of them, and cannot be hidden by how it is asked for."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from holmgang.api.http.waiting import polls
from holmgang.api.operation.declaration import OPERATIONS
from holmgang.api.operation.terms import MOST, PLAIN, Cost
from holmgang.api.resources.blueprints import BLUEPRINTS
from tests.api_document import api_document, parameters

DEAR = {
    "submit": "dry_run=true",
    "getView": "at=400",
    "getBoardPicture": "",
    "getRecord": "",
    "getAnalysis": "",
    "listGames": "limit=200",
    "listMyGames": "limit=200",
    "getLeaderboard": "limit=200",
    "listCombats": "limit=200",
    "listEvents": "limit=200",
    "listTokens": "limit=200",
    "listInvitations": "limit=200",
    "listDeliveries": "limit=200",
}
"""Operations, and how they are asked so that they cost much."""


def test_what_depends_on_a_parameter_is_asked_for_by_operations_that_take_it() -> None:
    """A new list, or a new way to the past, is dear without a word."""
    assert BLUEPRINTS
    for path in api_document()["paths"].values():
        for told in path.values():
            if not isinstance(told, dict) or "operationId" not in told:
                continue
            names = {each["name"] for each in parameters(told)}
            cost = OPERATIONS[told["operationId"]].cost
            assert ("limit" in names) == (cost.limit is not None), told["operationId"]
            assert bool(names & {"at", "after_turn"}) == (cost.at is not None), told["operationId"]


@pytest.mark.parametrize("name", sorted(DEAR))
def test_dear_calls_cost_more(name: str) -> None:
    assert OPERATIONS[name].cost.of(DEAR[name]) > PLAIN.of("")


@pytest.mark.parametrize("query", ["at=400", "%61t=400", "at=4%300", "as_seat=0&at=400", "at=400&wait=1", "a%74=400"])
def test_it_costs_the_same_however_it_is_written(query: str) -> None:
    environ = {"REQUEST_METHOD": "GET", "QUERY_STRING": query, "HTTP_IF_NONE_MATCH": '"x"', "HTTP_PREFER": "wait=10"}
    operation = OPERATIONS["getView"]
    assert operation.cost.of(query) == operation.cost.of("at=400") > 10
    assert not polls(environ, operation), "which are many more"
    assert polls({**environ, "QUERY_STRING": ""}, operation)


def test_the_past_costs_the_same_by_rows_and_by_turns() -> None:
    cost = OPERATIONS["getBoardPicture"].cost
    assert cost.of("after_turn=400") == cost.of("at=400") > cost.of("") + 9


def test_what_is_asked_without_end_has_a_bound_and_what_is_no_number_costs_as_little() -> None:
    cost = Cost(2, at=10, limit=10)
    assert cost.of("at=999999999") == MOST
    for wrong in ("x", "-1", "1" * 5000, quote("\u0663"), ""):
        assert cost.of(f"at={wrong}&limit={wrong}") == cost.of("at=0")
