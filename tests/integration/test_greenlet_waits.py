"""Greenlets that wait for Postgres: in a process of its own, since it is patched."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

HEAD = """
    from gevent import monkey

    monkey.patch_all()

    import sys

    import gevent
    import psycopg

    from holmgang.cli.greenlet_waits import wait
    from holmgang.store import connections
    from holmgang.store.connections import Connection

    Connection.waits = staticmethod(wait)
    one, other = (Connection.connect(sys.argv[1], autocommit=True) for _ in range(2))
"""
OTHERS_GO_ON = """
    one.execute("SELECT pg_advisory_lock(1)")
    waits = gevent.spawn(other.execute, "SELECT pg_advisory_lock(1)")
    blocked = "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'advisory'"
    while one.execute(blocked).fetchone() == (0,):
        pass
    one.execute("SELECT pg_advisory_unlock(1)")
    waits.get()
"""
SILENCE = """
    connections.SILENCE_SECONDS = 0.1
    try:
        one.execute("SELECT pg_sleep(60)")
    except psycopg.OperationalError as fault:
        assert "said nothing" in str(fault), fault
    assert one.closed
    other.execute("SELECT 1")
"""
MUCH = """
    sent = "x" * 20_000_000
    assert one.execute("SELECT %s", [sent]).fetchone() == (sent,)
"""
END = """
    waits = gevent.spawn(other.execute, "SELECT pg_sleep(60)")
    pid = other.info.backend_pid
    active = "SELECT state FROM pg_stat_activity WHERE pid = %s"
    gevent.sleep(0)
    while one.execute(active, [pid]).fetchone() != ("active",):
        pass
    one.execute("SELECT pg_terminate_backend(%s::int)", [pid])
    try:
        waits.get()
    except psycopg.OperationalError:
        pass
    else:
        raise AssertionError("nobody noticed")
"""


@pytest.mark.parametrize("body", [OTHERS_GO_ON, SILENCE, MUCH, END], ids=["others", "silence", "much", "end"])
def test_a_greenlet_waits_alone(module_database: str, body: str) -> None:
    script = textwrap.dedent(HEAD) + textwrap.dedent(body)
    done = subprocess.run(
        [sys.executable, "-c", script, module_database], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
