"""A run of requests of every kind, of which none may end in a fault, in a changed game, or in a secret told."""

from __future__ import annotations

import pytest

from tests.fuzz.campaign import Campaign

pytestmark = pytest.mark.long


def run(url: str, seed: int, requests: int, seconds: float) -> Campaign:
    campaign = Campaign(url, seed)
    try:
        campaign.run(requests, seconds)
    finally:
        campaign.close()
    return campaign


def test_a_thousand_requests(database: str) -> None:
    campaign = run(database, 1, 1_000, 120)
    assert campaign.requests >= 1_000
    assert {"200", "201", "not_found", "stale_turn", "invalid_request", "malformed_request"} <= set(campaign.told)


@pytest.mark.slow
def test_a_hundred_thousand_requests(database: str) -> None:
    campaign = run(database, 2, 100_000, 3_000)
    assert campaign.requests >= 100_000, "the time was too short for this machine"
    assert campaign.over > 20
