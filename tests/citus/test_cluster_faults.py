"""Faults of a cluster while games of all kinds are played on it: others go on, and nothing is lost or doubled."""

from __future__ import annotations

import pytest

from . import faults
from .cluster import Cluster, running_cluster

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def nothing_is_lost(report: faults.Report) -> None:
    told = "\n".join(report.lines())
    print(told)
    assert report.receipts, told
    assert (report.lost, report.doubled) == (0, 0), told
    for what, answered in report.answers.items():
        assert set(answered) <= {200, 201, 304, 409, 503}, f"{what}\n{told}"


def only_those_hit_notice(report: faults.Report) -> None:
    told = "\n".join(report.lines())
    assert report.answers["games hit"][503], told
    for what in ("other games", "registering", "inbox"):
        assert report.answers[what][503] == 0, told


def test_a_worker_that_is_killed_and_comes_back(cluster: Cluster) -> None:
    report = faults.kill(cluster, "killed")
    nothing_is_lost(report)
    only_those_hit_notice(report)


def test_the_coordinator_killed_and_started_again(cluster: Cluster) -> None:
    report = faults.kill_coordinator(cluster, "uncoordinated")
    nothing_is_lost(report)


def test_a_worker_that_says_nothing(cluster: Cluster) -> None:
    """Others wait until it is known to be silent, and no longer, however long it is."""
    report = faults.suspend(cluster, "suspended", choices=150)
    nothing_is_lost(report)
    assert report.answers["games hit"][503], "\n".join(report.lines())


def test_a_shard_that_somebody_has_locked(cluster: Cluster) -> None:
    nothing_is_lost(faults.lock(cluster, "locked"))


def test_a_third_worker_joins_while_two_hundred_play() -> None:
    """It has a cluster of its own: others are made for two."""
    with running_cluster() as nodes:
        report = faults.rebalance(nodes, "rebalanced")
    nothing_is_lost(report)
    assert report.answers["games hit"][201], "\n".join(report.lines())
