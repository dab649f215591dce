"""The distribution as pip installs it, in environments that have nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

REPOSITORY = Path(__file__).parents[2]
BUILD = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"


def built(folder: Path) -> Path:
    """The wheel of this tree."""
    subprocess.run([sys.executable, "-c", BUILD, str(folder)], cwd=REPOSITORY, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def installed(wheel: Path, folder: Path, *extras: str) -> tuple[Path, Path]:
    """A virtual environment in `folder` with the wheel and what it requires: its programs and its packages."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    pip: list[str | Path] = [sys.executable, "-m", "pip", "--python", folder / "bin/python", "--quiet"]
    command = [*pip, "--disable-pip-version-check", "install", "--no-deps", "--no-index", wheel]
    subprocess.run(command, check=True)
    (packages,) = (folder / "lib").glob("python*/site-packages")
    for needed in _required("holmgang", extras):
        for name in {file.parts[0] for file in needed.files or () if file.parts[0] not in ("..", "__pycache__")}:
            (packages / name).symlink_to(Path(str(needed.locate_file(name))))
    return folder / "bin", packages


def _required(name: str, extras: tuple[str, ...]) -> Iterator[Distribution]:
    """The distributions that this one requires, each once, as they are installed here."""
    seen, left = {name}, [(name, extras or ("",))]
    while left:
        at, wanted = left.pop()
        for line in distribution(at).requires or ():
            requirement = Requirement(line)
            markers = [{"extra": extra} for extra in (*wanted, "")]
            if requirement.marker is not None and not any(map(requirement.marker.evaluate, markers)):
                continue
            if (plain := canonicalize_name(requirement.name)) not in seen:
                seen.add(plain)
                left.append((requirement.name, tuple(requirement.extras)))
                yield distribution(requirement.name)


def beside(folder: Path) -> Path:
    """A folder of an author of bots, who has called theirs as parts of the repository are called."""
    for name in ("service", "migrations", "tests"):
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text("raise AssertionError('this is none of the package')\n")
    return folder


def alone(command: list[str | Path], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run it in this folder, with nothing of the repository at hand."""
    ours = ("PYTHONPATH", "PYTHONSAFEPATH", "HOLMGANG_TOKEN")
    environ = {name: value for name, value in os.environ.items() if name not in ours}
    return subprocess.run(command, env=environ, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
