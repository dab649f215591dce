"""What scripts of the web table say."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

SAID = re.compile(r'(?<![\w.$])t\(("(?:[^"\\]|\\.)*")')
"""`t("...")` in a script, wherever it stands: also within another one, or within a template."""
COMMENT = re.compile(r"^\s*/\*.*?\*/", re.DOTALL | re.MULTILINE)


def literals(script: str) -> Iterator[str]:
    """What stands in `t("...")`, in its order."""
    for literal in SAID.findall(COMMENT.sub("", script)):
        yield json.loads(literal)
