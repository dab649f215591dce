"""Game-neutral machinery for rules that are pure values and functions: no I/O, clock or randomness."""

from importlib.util import find_spec

# Who has only what the client needs is told so, rather than what is missing.
if find_spec("msgspec") is None:
    raise ImportError("Games need msgspec: pip install 'holmgang[play]' to play and simulate, or 'holmgang[server]'.")

if not __debug__:
    raise RuntimeError("Holmgang does not run with `python -O`: that takes out the checks of what must hold.")
