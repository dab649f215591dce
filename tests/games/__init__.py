"""Games that the house does not have, laid out as anybody could bring them: as a folder, a package, a wheel."""

from __future__ import annotations

import base64
import hashlib
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import invalidate_caches
from pathlib import Path
from typing import NamedTuple

import pytest

from holmgang import registry

ROOT = Path(__file__).parents[2]
TAFL = ROOT / "examples" / "tafl"
TOY = Path(__file__).parent / "toy"
MODULE = "holmgang_toy"
DIST = "holmgang_toy-1.0.dist-info"
RULES_ALONE = '''"""Toy, with nothing but its rules."""

from holmgang.engine.game import Game

GAME = Game("toy", __name__, rules=".rules.toy:Toy")
'''
_ABOUT = {
    "METADATA": "Metadata-Version: 2.1\nName: holmgang-toy\nVersion: 1.0\n",
    "WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    "entry_points.txt": f"[holmgang.games]\ntoy = {MODULE}:GAME\n",
}


def lay(folder: Path, *, whole: bool = True, name: str = "toy") -> Path:
    """Write the package of the toy game into the folder, or one that holds its rules alone."""
    package = folder / name
    if whole:
        return Path(shutil.copytree(TOY, package, ignore=shutil.ignore_patterns("__pycache__")))
    shutil.copytree(TOY / "rules", package / "rules", ignore=shutil.ignore_patterns("__pycache__"))
    (package / "__init__.py").write_text(RULES_ALONE, encoding="utf-8")
    return package


def drop_in(tree: Path, *, whole: bool = True) -> Path:
    """Put the toy game as a folder into a copy of the source tree."""
    return lay(tree / "service" / "holmgang" / "games", whole=whole)


def install(folder: Path, *, whole: bool = True) -> Path:
    """The toy game as pip would install it into the folder: with that on the path, it is found by its entry point."""
    lay(folder, whole=whole, name=MODULE)
    (folder / DIST).mkdir()
    for name, text in _ABOUT.items():
        (folder / DIST / name).write_text(text, encoding="utf-8")
    return folder


def wheel(folder: Path, *, whole: bool = True) -> Path:
    """The toy game as a wheel that pip takes."""
    installed = install(folder / "wheel", whole=whole)
    record = []
    path = folder / "holmgang_toy-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(each for each in installed.rglob("*") if each.is_file()):
            name, data = file.relative_to(installed).as_posix(), file.read_bytes()
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
            record.append(f"{name},sha256={digest},{len(data)}\n")
            archive.writestr(name, data)
        archive.writestr(f"{DIST}/RECORD", "".join([*record, f"{DIST}/RECORD,,\n"]))
    return path


class Brought(NamedTuple):
    """Where programs are to be started so that they have the game, and what their environment needs for it; the package
    that it then is of."""

    folder: Path
    environ: dict[str, str]
    origin: str


WAYS = [
    pytest.param(("folder", True), id="folder, whole", marks=pytest.mark.slow),
    pytest.param(("folder", False), id="folder, rules alone", marks=pytest.mark.slow),
    pytest.param(("wheel", True), id="wheel, whole"),
    pytest.param(("wheel", False), id="wheel, rules alone", marks=pytest.mark.slow),
]
"""How the toy game comes, and whether it is whole. The one that most users meet is tried each time."""


def bring(folder: Path, how: str, *, whole: bool) -> Brought:
    """The toy game as a `folder` of a copy of the sources, or installed from a `wheel` by pip; nothing else changed."""
    if how == "wheel":
        target = folder / "target"
        pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target"]
        subprocess.run([*pip, target, wheel(folder, whole=whole)], check=True)
        return Brought(ROOT, {"PYTHONPATH": str(target)}, "holmgang-toy")
    for part in ("service", "migrations"):
        # With what is compiled, or else each process of a service would compile all of it. Another process may just be
        # writing some, under names with a number at their end.
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("*.pyc.*"))
    drop_in(folder, whole=whole)
    return Brought(folder, {"PYTHONPATH": str(folder / "service")}, "holmgang")


def built(source: Path, target: Path) -> Path:
    """A package's folder as pip installs it into another one, from what is here already."""
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index", "--target"]
    subprocess.run([*pip, target, source], check=True)
    return target


@contextmanager
def known(folder: Path) -> Iterator[None]:
    """Have the games that are installed in the folder, in this process; programs that it starts take PYTHONPATH."""
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    invalidate_caches()
    registry.forget()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            file = getattr(sys.modules[name], "__file__", None)
            if file and Path(file).is_relative_to(folder):
                del sys.modules[name]
        registry.forget()
