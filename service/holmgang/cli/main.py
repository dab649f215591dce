"""The entry point `holmgang`. Commands are loaded when they are called, so that none pays for another's imports."""

from __future__ import annotations

import importlib
import pkgutil
import signal
import sys
from types import FrameType

import click

from holmgang.cli import commands
from holmgang.cli.streams import take_any_text
from holmgang.config import SettingsError

USAGE_ERROR = 2


class Commands(click.Group):
    """The modules of `holmgang.cli.commands`, by name, with a hyphen for each underscore."""

    def list_commands(self, context: click.Context) -> list[str]:
        return sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(commands.__path__))

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in self.list_commands(context):
            return None
        try:
            found = importlib.import_module(f"{commands.__name__}.{name.replace('-', '_')}").command
        except ModuleNotFoundError as missing:
            if str(missing.name).partition(".")[0] == "holmgang":
                raise
            return _lacking(name, str(missing.name))
        assert isinstance(found, click.Command)
        return found


def _lacking(name: str, module: str) -> click.Command:
    """What stands for a command that belongs to an extra which is not installed."""

    def refuse() -> None:
        raise click.ClickException(f"{name} needs {module}, which is not installed: pip install 'holmgang[server]'")

    settings = {"ignore_unknown_options": True, "allow_extra_args": True}
    return click.Command(name, callback=refuse, help="Needs holmgang[server].", context_settings=settings)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="holmgang", prog_name="holmgang")
def holmgang() -> None:
    """Viking board games for people and bots, over HTTP."""


def main() -> None:
    """Run a command. Exit codes: 0 done, 1 failed, 2 wrong usage or settings, 143 stopped by SIGTERM."""
    take_any_text()
    signal.signal(signal.SIGTERM, _terminate)
    try:
        holmgang(prog_name="holmgang")
    except SettingsError as error:
        for sentence in error.sentences:
            click.echo(sentence, err=True)
        sys.exit(USAGE_ERROR)


def _terminate(number: int, _frame: FrameType | None) -> None:
    """Leave through the context managers and exit handlers, which SIGTERM's default would skip."""
    sys.exit(128 + number)


if __name__ == "__main__":
    main()
