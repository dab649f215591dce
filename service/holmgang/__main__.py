"""The command `holmgang`, which needs more than the client does: where that is not installed, it says how to get it."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec

from holmgang.release import release

NEEDED = ("click", "msgspec", "rich")
"""By all commands; the extra `play` has no more."""
EXTRAS = "pip install 'holmgang[play]' to play and simulate, or 'holmgang[server]' for all commands."


def main() -> None:
    if all(find_spec(name) for name in NEEDED):
        import_module("holmgang.cli.main").main()
        return
    asked = sys.argv[1:]
    if asked == ["--version"]:
        print(f"holmgang, version {release()}, without its commands: {EXTRAS}")
    elif asked in (["--help"], ["-h"]):
        print(f"holmgang {release()} is a Python package for bots, and a command that is not installed: {EXTRAS}")
    else:
        sys.exit(f"The command is not installed: {EXTRAS}")


if __name__ == "__main__":
    main()
