"""A game as it is found: one object, `GAME` in the game's package, that names what the package holds."""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from .laws import Laws
from .rules import AnyRules

INTERFACE = 1
"""The version of what games and the house ask of each other; docs/pages/reference/game-interface.md tells more."""
LATER = 100
"""The place in lists of games that ask for none."""


class Game:
    """What a game's package holds. Nothing is imported before it is asked for.

    `name` is the ruleset's, `package` the package's own `__name__`. `rules`, `judge`, `face`, `language` and `laws`
    are references like `.bot:Judge`: a module, relative to the package, and a class in it, which is called without
    arguments (a language: with the rules and the options of its game). `rules` may name several versions, the latest
    last. All but the rules may be left out: the house has something general instead. The package's files are found by
    their names: `RULES.md`, the folder `web` with `screen.js`, `style.css` and `sign.svg`, and `locale` with the
    catalogues.

    `interface` is the version of the interface that the package was made for, or the first and the last of those that
    it goes with. Who says none has made it for the first.

    Lists of games are in the order of `place`, then of names. `blurb` is a sentence about the game (`say` makes one
    that is translated), and `usual` how many sit down where nobody says how many; else it is the least that may.
    """

    def __init__(
        self,
        name: str,
        package: str,
        *,
        rules: str | tuple[str, ...],
        judge: str | None = None,
        face: str | None = None,
        language: str | None = None,
        laws: str | None = None,
        place: int = LATER,
        blurb: str = "",
        usual: int | None = None,
        interface: int | tuple[int, int] = 1,
    ) -> None:
        self.name, self.package, self.place, self.blurb, self._usual = name, package, place, blurb, usual
        self.interface = (interface, interface) if isinstance(interface, int) else interface
        self.references = (rules,) if isinstance(rules, str) else rules
        self._judge, self._face, self._language, self._laws = judge, face, language, laws

    def __repr__(self) -> str:
        return f"<the game {self.name} of {self.package}>"

    def goes_with(self, version: int) -> bool:
        """Whether it was made for this version of the interface too."""
        first, last = self.interface
        return first <= version <= last

    @property
    def wanted(self) -> str:
        """The versions of the interface that it was made for, in words."""
        first, last = self.interface
        return f"version {first}" if first == last else f"versions {first} to {last}"

    @cached_property
    def versions(self) -> tuple[AnyRules, ...]:
        """Every version of the rules that can still be played, the latest last."""
        return tuple(self._load(each)() for each in self.references)

    @property
    def rules(self) -> AnyRules:
        """What new games are started under."""
        return self.versions[-1]

    @property
    def usual(self) -> int:
        return self.rules.seat_counts[0] if self._usual is None else self._usual

    @property
    def has_judge(self) -> bool:
        return self._judge is not None

    @cached_property
    def judge(self) -> Any:
        """What bots ask (`holmgang.bots.base.Judge`); None where the game has none."""
        return None if self._judge is None else self._load(self._judge)()

    @cached_property
    def face(self) -> Any:
        """The game's looks at a terminal (`holmgang.terminal.face.Face`); None where the game has none."""
        return None if self._face is None else self._load(self._face)()

    @cached_property
    def language(self) -> Any:
        """The class of the game's words and numbers (`holmgang.training.language.Language`); None where it has none."""
        return None if self._language is None else self._load(self._language)

    @cached_property
    def laws(self) -> Laws:
        found: Laws = Laws() if self._laws is None else self._load(self._laws)()
        return found

    def file(self, *path: str) -> Traversable | None:
        """A file or folder of the package; None where there is none."""
        found = files(self.package).joinpath(*path)
        return found if found.is_file() or found.is_dir() else None

    def brings(self) -> tuple[str, ...]:
        """What the package holds besides its rules: for the rest the house has something general."""
        own = {
            "rulebook": self.file("RULES.md") is not None,
            "judge": self._judge is not None,
            "face": self._face is not None,
            "language": self._language is not None,
            "screen": self.file("web", "screen.js") is not None,
            "laws": self._laws is not None,
        }
        return tuple(name for name, there in own.items() if there)

    def languages(self) -> tuple[str, ...]:
        """The languages besides English that its sentences are translated into, by their codes."""
        folder = self.file("locale")
        if folder is None or not folder.is_dir():
            return ()
        return tuple(sorted(each.name for each in folder.iterdir() if each.is_dir()))

    @cached_property
    def rulebook(self) -> str:
        """The text of the rules (`holmgang.engine.rulebook` reads their ids); empty where the game has none."""
        found = self.file("RULES.md")
        return "" if found is None else found.read_text(encoding="utf-8")

    def _load(self, reference: str) -> Any:
        module, _, name = reference.partition(":")
        return getattr(import_module(module, self.package), name)
