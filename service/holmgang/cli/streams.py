"""Standard streams on which nothing fails for want of a character, whatever the terminal's encoding."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper


def take_any_text() -> None:
    """From now on what an encoding lacks is written as Python writes it (`\\u2013`), so that no command loses what it
    has found to how it is shown. A stream that was closed before the start is one that nobody reads.

    To be called in each process that prints, before it does.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 # for as long as the process
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
