"""A cluster that the tests of this folder share in each process of the run."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from .building import Missing, programs
from .cluster import Cluster


@pytest.fixture(scope="package")
def cluster() -> Iterator[Cluster]:
    try:
        programs()
    except Missing as why:
        pytest.skip(f"NOTHING IS TESTED ON CITUS: {why}")
    with tempfile.TemporaryDirectory(prefix="holmgang-citus-", dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        with Cluster(Path(folder) / "nodes") as cluster:
            yield cluster
