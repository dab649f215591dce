"""`holmgang messages`: what a game says, and the catalogues that it is translated in."""

from __future__ import annotations

from pathlib import Path

import click

from holmgang import registry
from holmgang.languages.catalogue import DOMAINS, LANGUAGES, place_of
from holmgang.languages.gathering import bring, collected, faults, kept, said_by


@click.command("messages")
@click.argument("name")
@click.option("--write", is_flag=True, help="Bring the catalogues to what the game says now.")
@click.option(
    "--language",
    "languages",
    multiple=True,
    type=click.Choice(LANGUAGES[1:]),
    help="Of these languages alone; with --write, also where there is no catalogue yet.",
)
def command(name: str, write: bool, languages: tuple[str, ...]) -> None:
    """Check the catalogues of a game: `locale/LANGUAGE/LC_MESSAGES/{api,rules,web}.po` in its folder.

    Without --language, those of all languages that it has. Exit code: 1 if a message is not translated, or not well.
    With --write, what is new stands there with an empty translation, what is gone is taken out, and what is translated
    stays.
    """
    try:
        game = registry.game(name)
    except registry.UnknownRuleset as fault:
        raise click.UsageError(str(fault)) from None
    base = game.file()
    if not isinstance(base, Path):
        raise click.ClickException(f"The package of '{name}' is no folder.")
    chosen = languages or tuple(each for each in game.languages() if each in LANGUAGES)
    if not chosen:
        click.echo(f"'{name}' speaks English alone: --write --language {LANGUAGES[1]} begins a translation.")
    wrong = 0
    try:
        for domain in DOMAINS:
            now = collected(domain, said_by(game, domain))
            for language in chosen:
                path = base.joinpath("locale", *place_of(language, domain))
                if write:
                    bring(base / "locale", language, now)
                    missing = sum(not each.string for each in kept(base / "locale", language, domain) if each.id)
                    click.echo(f"{path}: {missing} of {len(now)} to translate")
                    continue
                for sentence in faults(base / "locale", language, now):
                    wrong += 1
                    click.echo(f"{path}: {sentence}")
    except Exception as raised:  # a source or a catalogue that cannot be read, of whatever kind
        raise click.ClickException(f"{type(raised).__name__}: {raised}") from None
    if wrong:
        raise click.ClickException(f"There is {wrong} thing to mend." if wrong == 1 else f"There are {wrong} to mend.")
    if chosen and not write:
        click.echo(f"All that '{name}' says is translated: {', '.join(chosen)}.")
