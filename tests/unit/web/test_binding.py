"""Modules that are bound into scripts do what they do by themselves; what cannot be bound is refused."""

from __future__ import annotations

import re

import pytest

from holmgang.web.binding import Unbindable, bound
from holmgang.web.files import FIRST, FOLDER, MORE, files

A = 'import { b, c as d } from "./b.js";\nexport default [b, d];\n'
B = "/** What b is. */\nexport const b = 1;\nexport let e = 2;\nexport function c() {}\n"


def test_a_script_has_a_block_for_each_module_in_the_order_of_imports() -> None:
    assert bound("a.js", {"a.js": A, "b.js": B}) == {
        "a.js": (
            "export const modules = {};\n"
            '{\nmodules["b.js"] = { get b() { return b; }, get e() { return e; }, get c() { return c; } };\n'
            "const b = 1;\nlet e = 2;\nfunction c() {}\n}\n"
            '{\nmodules["a.js"] = { get default() { return $default; } };\n'
            'const { b, c: d } = modules["b.js"];\nconst $default = [b, d];\n}\n'
            'export default modules["a.js"].default;\n'
        ),
        "b.js": 'import { modules } from "./a.js";\nexport const { b, c } = modules["b.js"];\n',
    }


def test_what_another_script_has_is_not_bound_again() -> None:
    made = bound("a.js", {"a.js": A, "b.js": B}, after="first.js", there=["b.js"])
    assert list(made) == ["a.js"]
    assert made["a.js"].startswith('import { modules } from "./first.js";\nexport { modules };\n{\nmodules["a.js"]')


@pytest.mark.parametrize(
    "said",
    [
        'import { e } from "./b.js";\n',  # it would be what it was at first
        'import "./b.js";\n',
        'import {\n b } from "./b.js"\n',
        'export { b } from "./b.js";\n',
        "export { b };\n",
        "export const { b } = c;\n",
        'import * as a from "./a.js";\n',
    ],
)
def test_what_cannot_be_bound_is_refused(said: str) -> None:
    with pytest.raises(Unbindable):
        bound("a.js", {"a.js": said, "b.js": B})


def test_each_module_of_the_house_is_in_one_of_the_scripts_or_stands_for_itself() -> None:
    scripts = [
        re.findall(r'^modules\["(.+)"\] =', files()[name].content.decode(), re.MULTILINE) for name in (FIRST, *MORE)
    ]
    within = [name for each in scripts for name in each]
    assert len(set(within)) == len(within)
    alone = {path.name for path in FOLDER.glob("*.js")} - set(within)
    assert alone == {"ways.js"}  # which screens import
