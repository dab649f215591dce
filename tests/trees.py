"""Other trees of the code: where Python finds the service in them, and by which name."""

from __future__ import annotations

import os
from pathlib import Path


def package_of(tree: Path) -> str:
    """The package that the service is: once it was `service`, which stood beside the client."""
    return "holmgang" if (tree / "service/holmgang/cli").is_dir() else "service"


def python_path(tree: Path) -> str:
    """PYTHONPATH for programs that are to use this tree."""
    folders = ("service",) if package_of(tree) == "holmgang" else (".", "service/client")
    return os.pathsep.join(str(tree / folder) for folder in folders)
