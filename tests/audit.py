"""Known vulnerabilities of the locked packages: `make audit`.

Exit codes: 0 nothing is known of any of them; 1 something is; 2 some could not be asked about, which says nothing.
pip-audit itself would pass where the index has no advisories at all.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

LOCK = "locks/development.lock"


def judged(dependencies: list[dict[str, Any]]) -> tuple[int, list[str]]:
    """The exit code, and what to tell of pip-audit's findings."""
    known = [
        f"{each['name']} {each['version']}: {fault['id']}, mended in {', '.join(fault['fix_versions']) or 'no release'}"
        for each in dependencies
        for fault in each.get("vulns", ())
    ]
    skipped = [each["name"] for each in dependencies if "skip_reason" in each]
    if known:
        return 1, known
    if skipped or not dependencies:
        return 2, [
            f"Of {len(skipped)} of {len(dependencies)} packages the package index knows no advisories, so that nothing"
            " was checked: run this where PyPI itself can be reached.",
        ]
    return 0, [f"No vulnerability is known of the {len(dependencies)} packages of {LOCK}."]


def main() -> int:
    command = [sys.executable, "-m", "pip_audit", "--requirement", LOCK, "--no-deps", "--disable-pip"]
    asked = subprocess.run(
        [*command, "--format", "json", "--progress-spinner", "off"],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[1],
    )
    try:
        dependencies = json.loads(asked.stdout)["dependencies"]
    except (ValueError, KeyError):
        print(asked.stderr.strip(), file=sys.stderr)
        print("The advisories could not be asked for, so that nothing was checked.", file=sys.stderr)
        return 2
    code, told = judged(dependencies)
    print("\n".join(told), file=sys.stdout if code == 0 else sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
