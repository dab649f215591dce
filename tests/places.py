"""Where tests keep databases, and what else takes long to make."""

from __future__ import annotations

import os
from functools import cache

FOLDER_VARIABLE = "HOLMGANG_TEST_POSTGRES"
"""What all processes of a run share lies in the folder that it names."""
ROOM = 4 << 30
"""Bytes that must be free there."""


@cache
def place_for_databases() -> str:
    """A folder in memory where there is room for them, else `/tmp`; open to all, as Postgres needs when run by root.

    A database is some 300 files. On a disk it takes several times as long to make and to remove them.
    """
    memory = "/dev/shm"
    try:
        found = os.statvfs(memory)
    except OSError:
        return "/tmp"
    roomy = found.f_bavail * found.f_frsize >= ROOM and not found.f_flag & os.ST_NOEXEC
    return memory if roomy and os.access(memory, os.W_OK | os.X_OK) else "/tmp"
