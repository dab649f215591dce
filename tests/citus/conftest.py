"""A cluster that the tests of this folder share in each process of the run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .building import Missing, programs
from .cluster import Cluster, running_cluster


@pytest.fixture(scope="package")
def cluster() -> Iterator[Cluster]:
    try:
        programs()
    except Missing as why:
        pytest.skip(f"NOTHING IS TESTED ON CITUS: {why}")
    with running_cluster() as cluster:
        yield cluster
