"""Whether a folder outlives the container that it is seen in."""

from __future__ import annotations

import re
from pathlib import Path

PASSING = frozenset({"overlay", "tmpfs", "ramfs", "aufs", "rootfs"})
MOUNTS = Path("/proc/self/mountinfo")


def outlives_container(folder: Path, mounts: str | None = None) -> bool:
    """Whether `folder` lies on a mounted volume, by the table of mounts (this process's own by default).

    The file system of the container itself and those in memory go away with it. See proc_pid_mountinfo(5).
    """
    table = MOUNTS.read_text(encoding="utf-8", errors="surrogateescape") if mounts is None else mounts
    kinds: dict[Path, str] = {}
    for line in table.rstrip("\n").split("\n"):
        place, _, filesystem = line.partition(" - ")
        kinds[Path(_unescaped(place.split(" ")[4]))] = filesystem.split(" ")[0]
    resolved = folder.resolve()
    for parent in (resolved, *resolved.parents):
        if parent in kinds:
            return parent != Path("/") and kinds[parent] not in PASSING
    return False


def _unescaped(path: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), path)
