"""Rules by their ids, read from the text that people read."""

from __future__ import annotations

import re

_RULE = re.compile(r"^(?:#+| *[-*]) \*\*([A-Z]+\d+(?:\.\d+)*)\*\* +(.+?)\s*$")


def read_rules(text: str) -> list[dict[str, str]]:
    """The rules of a RULES.md: lines `- **E4.7.2** text` or headings of that form, with the lines that go on below.

    A rule ends at an empty line, a table, or the next bullet or heading; but a paragraph right below a heading belongs
    to it.
    """
    rules: list[dict[str, str]] = []
    headed = goes_on = False
    for line in text.splitlines():
        found = _RULE.match(line)
        if found:
            rules.append({"id": found[1], "text": found[2]})
            headed = line[0] == "#"
            goes_on = not headed
        elif goes_on and line.startswith("  ") and line.strip():
            rules[-1]["text"] += " " + line.strip()
        elif headed and line[:1].isalnum():
            rules[-1]["text"] += (" " if goes_on else ". ") + line.strip()
            goes_on = True
        elif headed and not goes_on and not line:
            pass
        else:
            headed = goes_on = False
    return rules
