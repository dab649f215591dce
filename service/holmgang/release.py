"""Which release of Holmgang this is. `pyproject.toml` says it, and nothing else does."""

from __future__ import annotations

import functools
from importlib import metadata


@functools.cache
def release() -> str:
    """The version of the distribution that is installed; 0 where the code runs from a bare checkout."""
    try:
        return metadata.version("holmgang")
    except metadata.PackageNotFoundError:
        return "0"
