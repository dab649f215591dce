"""What pytest loads of this distribution. Who has only the client has no games to test, and no plugin."""

from importlib.util import find_spec

pytest_plugins = ["holmgang.checking.plugin"] if __debug__ and find_spec("msgspec") else []
