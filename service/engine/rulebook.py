"""Rules by their ids, read from the text that people read."""

from __future__ import annotations

import re

_RULE = re.compile(r"^(?:#+|[-*]) \*\*([A-Z]+\d+(?:\.\d+)*)\*\* +(.+?)\s*$")


def introductions(text: str) -> dict[str, str]:
    """What stands between a heading with a rule's id and the next heading, list or table, by that id."""
    found: dict[str, str] = {}
    heading: str | None = None
    for line in text.splitlines():
        rule = _RULE.match(line)
        if line.startswith("#"):
            heading = rule[1] if rule else None
        elif line.startswith(("- ", "|")):
            heading = None
        elif heading is not None and line.strip():
            found[heading] = f"{found[heading]} {line.strip()}" if heading in found else line.strip()
    return found


def read_rules(text: str) -> list[dict[str, str]]:
    """The rules of a RULES.md: lines `- **E4.7.2** text` or headings of that form, with the lines that go on below.

    A rule ends at an empty line, a table, or the next bullet or heading.
    """
    rules: list[dict[str, str]] = []
    goes_on = False
    for line in text.splitlines():
        found = _RULE.match(line)
        if found:
            rules.append({"id": found[1], "text": found[2]})
            goes_on = line[0] != "#"
        elif goes_on and line.startswith("  ") and line.strip():
            rules[-1]["text"] += " " + line.strip()
        else:
            goes_on = False
    return rules
