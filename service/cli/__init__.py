"""The command `holmgang`: each command is a module of `service.cli.commands`."""

from importlib.util import find_spec

if find_spec("flask") is None:
    raise ImportError("The command belongs to the server, which is not installed: pip install 'holmgang[server]'")
