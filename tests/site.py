"""The documentation site, built for tests."""

from __future__ import annotations

import fcntl
import importlib.util
import os
from functools import cache
from pathlib import Path
from types import ModuleType

from tests.places import FOLDER_VARIABLE

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


def site() -> Path:
    """The site, built once a run, for tests that only read it. A warning fails every test that asks for it."""
    base = Path(os.environ[FOLDER_VARIABLE])
    built, building = base / "site", base / "site.building"
    with (base / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not built.exists():
            builder().build(building)
            building.rename(built)
    return built
