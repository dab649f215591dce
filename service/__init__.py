"""Holmgang: a REST service that hosts Viking board games."""

from importlib.util import find_spec

# A wheel cannot leave out files by extra. Who has only what the client needs is told so, rather than what is missing.
# Those who train agents or play at a terminal have the games, which need msgspec, but no server.
if find_spec("flask") is None and find_spec("msgspec") is None:
    raise ImportError(
        "The service is not installed, only the client `holmgang` is: pip install 'holmgang[server]', or"
        " 'holmgang[play]' to play and simulate."
    )

if not __debug__:
    raise RuntimeError("Holmgang does not run with `python -O`: that takes out the checks of what must hold.")
