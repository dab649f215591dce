"""The package that `holmgang new-game` writes. Its files lie here as texts, with words in braces for what differs."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path

from holmgang.engine.game import INTERFACE
from holmgang.registry.discovery import HOUSE, MOST_LETTERS, NAME, candidates

SUFFIX = ".txt"


class Unusable(Exception):
    """The name or the folder cannot be used, as the sentence says."""


def write(name: str, folder: Path) -> None:
    """Write the package of a game by that name into a new folder: all of it, or nothing. Raises Unusable or OSError."""
    fault = _fault_of_name(name) or _fault_of_folder(folder)
    if fault is not None:
        raise Unusable(fault)
    words = {
        "name": name,
        "package": package_of(name),
        "distribution": package_of(name).replace("_", "-"),
        "class": "".join(part.capitalize() for part in name.split("_")),
        "title": " ".join(part.capitalize() for part in name.split("_")),
        "interface": str(INTERFACE),
    }
    half = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=folder.parent))
    try:
        for path, text in _texts(files(__name__)):
            for word, value in words.items():
                text = text.replace("{{" + word + "}}", value)
            file = half.joinpath(*(words["package"] if part == "package" else part for part in path))
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        half.chmod(0o755)
        half.rename(folder)
    except BaseException:
        shutil.rmtree(half, ignore_errors=True)
        raise


def package_of(name: str) -> str:
    """The Python package of a game: its name alone may be that of anything else."""
    return f"holmgang_{name}"


def _fault_of_name(name: str) -> str | None:
    if not NAME.fullmatch(name) or len(name) > MOST_LETTERS:
        return (
            f"'{name}' is no name for a game, which has at most {MOST_LETTERS} small letters, digits and single "
            "underscores, a letter first."
        )
    for each, _ in candidates():
        if each.name == name:
            whose = "of the house" if each.origin == HOUSE else f"of the package {each.origin}"
            return f"There is a game '{name}' already, {whose}."
    if find_spec(package_of(name)) is not None:
        return f"There is a Python package {package_of(name)} already."
    return None


def _fault_of_folder(folder: Path) -> str | None:
    if folder.exists() or folder.is_symlink():
        return f"{folder} is there already."
    return None if folder.parent.is_dir() else f"There is no folder {folder.parent}."


def _texts(folder: Traversable, *path: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """The files by their paths."""
    for each in folder.iterdir():
        if each.is_dir():
            yield from _texts(each, *path, each.name)
        elif each.name.endswith(SUFFIX):
            yield (*path, each.name.removesuffix(SUFFIX)), each.read_text(encoding="utf-8")
