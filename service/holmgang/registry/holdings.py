"""What the package of a game holds: its files, and a digest that tells its releases apart."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath

from holmgang.engine.game import Game

CODE = (".py", ".po")


def within(folder: Traversable, above: str = "") -> Iterator[tuple[str, Traversable]]:
    """The files below a folder by their paths. Links to folders are not followed: they may lead round."""
    for each in sorted(folder.iterdir(), key=lambda one: one.name):
        if not each.is_dir():
            yield above + each.name, each
        elif not (isinstance(each, Path) and each.is_symlink()):
            yield from within(each, f"{above}{each.name}/")


@cache
def digest(game: Game) -> str:
    """A digest of the code and the catalogues of a game's package: 12 hexadecimal digits, the same in every process."""
    found = hashlib.blake2b(digest_size=6)
    folder = game.file()
    for name, each in () if folder is None else within(folder):
        if PurePosixPath(name).suffix in CODE:
            found.update(name.encode(errors="surrogateescape"))
            with suppress(OSError):  # what cannot be read is no part of what runs
                found.update(each.read_bytes())
    return found.hexdigest()
