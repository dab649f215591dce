"""Modules that are bound into scripts do what they do by themselves; what cannot be bound is refused."""

from __future__ import annotations

import re

import pytest

from holmgang import registry
from holmgang.web.binding import Unbindable, bound
from holmgang.web.files import FIRST, FOLDER, MEET, PLAY, files

A = 'import { b, c as d } from "./b.js";\nexport default [b, d];\n'
B = "/** What b is. */\nexport const b = 1;\nexport let e = 2;\nexport function c() {}\n"


def test_a_script_has_a_block_for_each_module_in_the_order_of_imports() -> None:
    assert bound("a.js", {"a.js": A, "b.js": B}) == {
        "a.js": (
            "export const $modules = {};\n"
            '{\n$modules["b.js"] = { get b() { return b; }, get e() { return e; }, get c() { return c; } };\n'
            "const b = 1;\nlet e = 2;\nfunction c() {}\n}\n"
            '{\n$modules["a.js"] = { get default() { return $default; } };\n'
            'const { b, c: d } = $modules["b.js"];\nconst $default = [b, d];\n}\n'
            'export default $modules["a.js"].default;\n'
        ),
        "b.js": 'import { $modules } from "./a.js";\nexport const { b, c } = $modules["b.js"];\n',
    }


def test_what_another_script_has_is_not_bound_again() -> None:
    made = bound("a.js", {"a.js": A, "b.js": B}, after="first.js", there=["b.js"])
    assert list(made) == ["a.js"]
    assert made["a.js"].startswith('import { $modules } from "./first.js";\nexport { $modules };\n{\n$modules["a.js"]')


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
        'import { b } from "./c.js";\n',  # which is not there
        'import { f } from "./b.js";\n',  # which b.js does not export, or not by itself: `export const b = 1, f = 2;`
        "var b = 1;\n",  # it would be everybody's
        "const a = $modules;\n",
        "const $default = 1;\n",
        "  var b = 1;\n",
        "const a = 1; export default a;\n",
        "const a = {}\n; export default a;\n",
        "const a = () => {}\nexport{a}\n",
        "/* a */ export default 1;\n",
        '  import { b } from "./b.js";\n',
        '\ufeffimport { b } from "./b.js";\n',
        '"use strict"; import { b } from "./b.js";\n',
        'const a = () => b;\na();\nimport { b } from "./b.js";\n',  # it is there before all else
        "a();\nexport default function a() {}\n",  # likewise
        "export default class {}\n[1].map(String);\n",
    ],
)
def test_what_cannot_be_bound_is_refused(said: str) -> None:
    with pytest.raises(Unbindable):
        bound("a.js", {"a.js": said, "b.js": B})


def test_comments_end_where_they_end() -> None:
    made = bound("a.js", {"a.js": "/** a */ const a = 1;\n/** b\n */\nexport default a; // c"})
    assert made["a.js"].endswith(
        '/** a */ const a = 1;\nconst $default = a; // c\n}\nexport default $modules["a.js"].default;\n'
    )


SCREEN = (
    'import { b } from "./b.js";\nimport { h } from "../../h.js";\nexport default [b, h];\nexport const tall = 1;\n'
)
GAME = {"games/toy/screen.js": SCREEN, "games/toy/b.js": "export const b = 1;\nexport default b;\n"}


def test_a_script_in_a_folder_goes_on_with_those_above_it() -> None:
    made = bound(
        "games/toy/screen.js", {**GAME, "h.js": "export const h = 1;\n"}, after="play.js", there=["h.js"], also=()
    )
    script = made["games/toy/screen.js"]
    assert script.startswith('import { $modules } from "../../play.js";\nexport { $modules };\n{')
    assert 'const { b } = $modules["games/toy/b.js"];\nconst { h } = $modules["h.js"];\n' in script
    assert script.endswith(
        'export const { tall } = $modules["games/toy/screen.js"];\n'
        'export default $modules["games/toy/screen.js"].default;\n'
    )
    assert made["games/toy/b.js"] == (
        'import { $modules } from "../../games/toy/screen.js";\n'
        'export const { b } = $modules["games/toy/b.js"];\n'
        'export default $modules["games/toy/b.js"].default;\n'
    )


def test_what_nobody_imports_can_be_bound_all_the_same() -> None:
    made = bound("a.js", {"a.js": "export const a = 1;\n", "b.js": B}, also=["b.js"])
    assert made["a.js"].index('$modules["b.js"]') < made["a.js"].index('$modules["a.js"]')
    assert list(made) == ["a.js", "b.js"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("games/toy/b.js", "export let b = 1;\n"),  # a lesson that imports it would have what it was at first
        ("games/toy/deep/b.js", 'export const b = () => import("./c.js");\n'),  # beside the script there is no c.js
        ("games/toy/deep/b.js", "export const b = import.meta.url;\n"),
    ],
)
def test_what_would_be_another_thing_in_the_script_of_a_game_is_refused(name: str, said: str) -> None:
    screen = f'import * as b from "./{name.removeprefix("games/toy/")}";\nexport default b;\n'
    with pytest.raises(Unbindable):
        bound("games/toy/screen.js", {"games/toy/screen.js": screen, name: said}, after="play.js")


def test_screens_and_lessons_of_games_are_one_script_each() -> None:
    for name in registry.names():
        for script, after in (("screen.js", "play.js"), ("lesson.js", f"games/{name}/screen.js")):
            source = files()[f"games/{name}/{script}"].content.decode()
            assert re.findall(r'^import .* from "(.+)";$', source, re.MULTILINE) == [f"../../{after}"]


@pytest.mark.parametrize(
    "content", [b'import "../../meet.js";\n', b'import { Profile } from "../../profile.js";\n', b"\xff"]
)
def test_a_screen_that_cannot_be_bound_is_served_as_it_is(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    games = registry.games()
    monkeypatch.setattr(registry, "games", lambda: games)
    monkeypatch.setattr("holmgang.web.files._brought", lambda _: {"screen.js": content})
    files.cache_clear()
    try:
        assert {files()[f"games/{game.name}/screen.js"].content for game in games} == {content}
    finally:
        files.cache_clear()


def test_each_module_of_the_house_is_in_one_of_the_scripts() -> None:
    scripts = [
        re.findall(r'^\$modules\["(.+)"\] =', files()[name].content.decode(), re.MULTILINE)
        for name in (FIRST, PLAY, MEET)
    ]
    within = [name for each in scripts for name in each]
    assert len(set(within)) == len(within)
    assert set(within) == {path.name for path in FOLDER.glob("*.js")} | {"games/index.js"}
