"""Pictures that are kept as text, one element a line, and what a picture holds, for tests to count."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from holmgang import registry
from holmgang.checking.goldens import picture
from holmgang.engine.messages import ENGLISH, Tongue

FOLDER = Path(__file__).parent
NAMESPACE = "{http://www.w3.org/2000/svg}"


def path_of(ruleset: str) -> Path:
    return FOLDER / f"{ruleset}.svg"


def kept(ruleset: str, tongue: Tongue = ENGLISH) -> str:
    """The picture that is kept of a game, in English."""
    return picture(registry.game(ruleset), tongue)


class Drawn:
    """A picture that was read again."""

    def __init__(self, picture: str) -> None:
        self.root = ElementTree.fromstring(picture)

    def groups(self, kind: str) -> list[ElementTree.Element]:
        """The groups of a class."""
        return [g for g in self.root.iter(f"{NAMESPACE}g") if kind in g.attrib["class"].split()]

    def counted(self, kind: str, *by: str) -> Counter[Any]:
        """How many things of a kind there are, by some of what is told of them."""
        found: Counter[Any] = Counter()
        for group in self.groups(kind):
            found[tuple(group.attrib[f"data-{name}"] for name in by)] += int(group.attrib.get("data-count", "1"))
        return found

    def texts(self) -> list[ElementTree.Element]:
        return list(self.root.iter(f"{NAMESPACE}text"))
