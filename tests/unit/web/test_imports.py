"""What a script takes from the words' module it imports: a name that is missing shows itself only where it is used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SERVICE = Path(__file__).parents[3] / "service" / "holmgang"
SCRIPTS = sorted((*SERVICE.glob("web/static/*.js"), *SERVICE.glob("games/*/web/*.js")))
WORDS = SERVICE / "web" / "static" / "i18n.js"
TAKEN = ("t", "together")
"""What screens take from it, as their document says."""


def missing(text: str) -> set[str]:
    """The functions of the words' module that a script calls and does not import."""
    imported = {name.strip() for names in re.findall(r"import \{([^}]*)\}", text) for name in names.split(",")}
    return {name for name in TAKEN if re.search(rf"(?<![\w.]){name}\(", text)} - imported


@pytest.mark.parametrize(
    "script", [path for path in SCRIPTS if path != WORDS], ids=lambda path: path.parent.parent.name + "/" + path.name
)
def test_every_word_that_is_used_is_imported(script: Path) -> None:
    assert missing(script.read_text("utf-8")) == set()


def test_a_name_that_is_missing_is_found() -> None:
    assert missing('import { t } from "../../i18n.js";\nconst names = together(winners);') == {"together"}
