"""`python -m tests.citus [arguments of pytest]`: tests on a database whose games are distributed over two nodes.

Without arguments the integration tests, in four processes, and then those of a cluster whose nodes are lost: the
demonstration, the race and the scaled-out deployment. Exit code 0 also where no Citus can be built, after saying so.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence

from .building import Missing, programs
from .cluster import running_cluster

VARIABLE = "HOLMGANG_TEST_CITUS"
"""Where conftest finds the ports of the nodes, the coordinator's first."""


def main(arguments: list[str]) -> int:
    try:
        programs()
    except Missing as why:
        print(f"NOTHING WAS TESTED ON CITUS: {why}")
        return 0
    if arguments:
        return on_a_cluster(arguments)
    whole = on_a_cluster(["tests/integration", "-n", "4", "--dist", "loadfile"])
    # Those start clusters of their own.
    return whole or pytest("tests/citus", "-m", "", "--timeout", "3600")


def on_a_cluster(arguments: Sequence[str]) -> int:
    with running_cluster() as cluster:
        return pytest(*arguments, **{VARIABLE: json.dumps([node.port for node in cluster.nodes])})


def pytest(*arguments: str, **environ: str) -> int:
    command = [sys.executable, "-m", "pytest", *arguments]
    return subprocess.run(command, env={**os.environ, **environ}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
