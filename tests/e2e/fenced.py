"""The fenced code blocks of the documents, and what to do with each."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema

REPOSITORY = Path(__file__).parents[2]
WHERE = ("*.md", "docs/**/*.md", "examples/**/*.md", "bench/**/*.md", "service/holmgang/**/*.md", "tests/**/*.md")
_FENCE = re.compile(r"^ {0,12}(?P<fence>`{3,}|~{3,})[ ]*(?P<info>[^`\n]*)$")


@dataclass(frozen=True)
class Block:
    """`text` as it stands in `document` from `line` on; `info` is what follows the fence, such as `sh`."""

    document: str
    line: int
    info: str
    text: str

    @property
    def name(self) -> tuple[str, str]:
        """By what lists know it: the document and the block's first line."""
        return self.document, self.text.partition("\n")[0]

    @property
    def language(self) -> str:
        return self.info.partition(" ")[0]

    @property
    def place(self) -> str:
        return f"{self.document}:{self.line}"


def documents() -> list[str]:
    """All documents, also those without any block."""
    found = {file for pattern in WHERE for file in REPOSITORY.glob(pattern)}
    return sorted(str(file.relative_to(REPOSITORY)) for file in found)


def blocks_of(document: str, text: str) -> list[Block]:
    """Its blocks in their order. A block that is not closed is an error, since it would swallow others, and so is one
    without fences, which does not say what it is."""
    blocks, lines, before = [], enumerate(text.splitlines(), 1), ""
    for number, line in lines:
        if not (opened := _FENCE.match(line)):
            assert before.strip() or not line.startswith("    "), f"{document}:{number}: a block needs fences"
            before = line
            continue
        within: list[str] = []
        for _, each in lines:
            if each.strip() == opened["fence"]:
                break
            within.append(each)
        else:
            raise AssertionError(f"{document}:{number}: this block is never closed")
        indent = len(line) - len(line.lstrip())
        inner = "".join(f"{each[indent:] if not each[:indent].strip() else each}\n" for each in within)
        blocks.append(Block(document, number, opened["info"].strip(), inner))
    return blocks


def all_blocks() -> list[Block]:
    return [
        block
        for document in documents()
        for block in blocks_of(document, (REPOSITORY / document).read_text(encoding="utf-8"))
    ]


def check_json(block: Block, api: dict[str, Any]) -> None:
    """Its text is JSON, and an excerpt of the component that it names, as in `json Turn`: members may be left out, but
    what there is has the form that the API's document (`api`) tells."""
    told = json.loads(block.text)
    component = block.info.removeprefix("json").strip()
    assert component in api["components"]["schemas"], (
        f"{block.place}: name what it is an excerpt of, a component of openapi/openapi.json, as in ```json Turn"
    )
    excerpt = {"$ref": f"#/components/schemas/{component}", "components": _excerpts(api["components"])}
    jsonschema.Draft202012Validator(excerpt).validate(told)


def _excerpts(schema: Any) -> Any:
    """The schema with no member required and, where members are told, no others allowed."""
    if isinstance(schema, list):
        return [_excerpts(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    loose = {name: _excerpts(each) for name, each in schema.items() if not _is_required(name, each)}
    if isinstance(schema.get("properties"), dict) and schema.get("additionalProperties", True) is True:
        loose["additionalProperties"] = False
    return loose


def _is_required(name: str, value: Any) -> bool:
    """Whether this is the keyword `required`, and not a member by that name."""
    return name == "required" and isinstance(value, list)
