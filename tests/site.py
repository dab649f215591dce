"""The documentation site, built for tests."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from types import ModuleType

REPOSITORY = Path(__file__).parents[1]


@cache
def builder() -> ModuleType:
    """`docs/build.py`, which is no module of any package."""
    spec = importlib.util.spec_from_file_location("build_docs", REPOSITORY / "docs/build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
