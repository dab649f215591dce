"""`python -m tests.citus [arguments of pytest]`: tests on a database whose games are distributed over two nodes.

Without arguments the integration tests. Exit code 0 also where no Citus can be built, after saying so.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from .building import Missing, programs
from .cluster import Cluster

VARIABLE = "HOLMGANG_TEST_CITUS"
"""Where conftest finds the ports of the nodes, the coordinator's first."""


def main(arguments: list[str]) -> int:
    try:
        programs()
    except Missing as why:
        print(f"NOTHING WAS TESTED ON CITUS: {why}")
        return 0
    with tempfile.TemporaryDirectory(prefix="holmgang-citus-", dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        with Cluster(Path(folder) / "nodes") as cluster:
            ports = json.dumps([node.port for node in cluster.nodes])
            command = [sys.executable, "-m", "pytest", *(arguments or ["tests/integration"])]
            return subprocess.run(command, env={**os.environ, VARIABLE: ports}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
