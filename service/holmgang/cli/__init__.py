"""The command `holmgang`: each command is a module of `holmgang.cli.commands`."""

from importlib.util import find_spec

if find_spec("click") is None:
    raise ImportError(
        "The command is not installed: pip install 'holmgang[server]', or 'holmgang[play]' to play and simulate."
    )
