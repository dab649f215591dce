"""Packages with games as they lie in an environment: folders of modules and of what their installer noted."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

GAME = """
from holmgang.engine.game import Game

GAME = Game("{name}", __name__, rules=".rules:Pebbles")
"""
RULES = """
from holmgang.games.claim.rules.rules import ClaimRules


class Pebbles(ClaimRules):
    ruleset, title = "{name}", "Pebbles"
"""
"""A whole game, whose rules are another's."""


def package(
    folder: Path,
    name: str,
    *,
    distribution: str | None = None,
    version: str = "1.0",
    game: str = GAME,
    rules: str = RULES,
    point: str = "{module}:GAME",
    files: dict[str, str] | None = None,
) -> str:
    """Put the package of a game into the folder, and give its name and version. `{name}` in sources is the game's."""
    distribution = distribution or name
    module = distribution.replace("-", "_").lower()
    noted = folder / f"{module}-{version}.dist-info"
    noted.mkdir(parents=True)
    (noted / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n")
    (noted / "entry_points.txt").write_text(f"[holmgang.games]\n{name} = {point.format(module=module)}\n")
    for file, text in {"__init__.py": game, "rules.py": rules, **(files or {})}.items():
        (folder / module / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / module / file).write_text(dedent(text).replace("{name}", name))
    return f"{distribution} {version}"


def but(*lines: str) -> str:
    """The rules with these lines more in their class."""
    return RULES + "".join(f"\n    {line}" for line in lines) + "\n"
