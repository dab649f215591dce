"""The command `holmgang`, which needs more than the client does: where that is not installed, it says how to get it."""

from __future__ import annotations

import importlib
import sys


def main() -> None:
    try:
        command = importlib.import_module("holmgang.cli.main")
    except ImportError as missing:
        sys.exit(str(missing))
    command.main()


if __name__ == "__main__":
    main()
