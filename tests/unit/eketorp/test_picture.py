"""Eketorp's picture: what is on it can be told apart without colours, and it is as light as a page needs it."""

from __future__ import annotations

import gzip
import random
import re
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from holmgang import registry
from holmgang.checking.walks import walk
from holmgang.engine.palette import HUES
from tests.pictures.drawing import NAMESPACE, Drawn

RULES = registry.latest("eketorp")
START = re.compile(r"^M[-0-9.]+,[-0-9.]+")


@cache
def views(seats: int) -> list[Any]:
    """Of seat 1, through a whole game."""
    game = walk(RULES, RULES.configure(seats, {}), random.Random(3))
    return [RULES.view(state, 1) for state in game.states()]


def bare(element: Any) -> tuple[Any, ...]:
    """How an element looks without colours and wherever it stands."""
    name = element.tag.removeprefix(NAMESPACE)
    if name == "polygon":
        points = [tuple(map(float, point.split(","))) for point in element.attrib["points"].split()]
        left, top = (min(one) for one in zip(*points, strict=True))
        return name, tuple((round(x - left, 1), round(y - top, 1)) for x, y in points)
    return name, START.sub("", element.attrib.get("d", "")), element.text


def looks(groups: list[Any], by: str, part: str) -> dict[str, set[Any]]:
    """What things look like by what they are."""
    found: dict[str, set[Any]] = {}
    for group in groups:
        if by in group.attrib:
            shape = tuple(bare(one) for one in group if one.tag.removeprefix(NAMESPACE) in part.split())
            found.setdefault(group.attrib[by], set()).add(shape)
    return found


@pytest.mark.parametrize(
    ("kind", "by", "part", "several"),
    [
        ("stone", "data-kind", "path", 4),
        ("stone", "data-kind", "text", 4),
        ("viking", "data-seat", "polygon circle", 6),
        ("card", "data-card", "path", 6),
        ("card", "data-card", "text", 6),
    ],
)
def test_things_differ_by_more_than_colours(kind: str, by: str, part: str, several: int) -> None:
    found: dict[str, set[Any]] = {}
    for view in views(6)[::40]:
        for name, shapes in looks(Drawn(RULES.picture(view, "auto")).groups(kind), by, part).items():
            found.setdefault(name, set()).update(shapes)
    assert len(found) == several
    for one, other in combinations(found, 2):
        assert not found[one] & found[other], (kind, one, other)


def test_hues_are_never_all_that_tells_a_role() -> None:
    """Whatever is filled with a hue has an outline, or is written on."""
    for view in views(4)[::30]:
        for element in Drawn(RULES.picture(view, "auto")).root.iter():
            classes = element.attrib.get("class", "").split()
            if any(one.removeprefix("f-") in HUES for one in classes if one.startswith("f-")):
                assert any(one.startswith("s-") for one in classes), element.attrib


def test_several_pictures_can_stand_on_one_page() -> None:
    """Nothing in one refers to anything by its id, so that no id of another can be meant."""
    picture = RULES.picture(views(4)[50], "auto")
    assert re.findall(r'\bid="([^"]*)"', picture) == ["title", "desc"]
    assert "#" not in re.sub(r"<style>.*?</style>", "", picture)


@pytest.mark.parametrize(("seats", "most"), [(3, 8_500), (4, 9_000), (6, 10_500)])
def test_it_is_light(seats: int, most: int) -> None:
    """Bytes, compressed: it is sent after every move."""
    sizes = [len(gzip.compress(RULES.picture(view, "auto").encode(), 6)) for view in views(seats)[::30]]
    assert max(sizes) <= most


def test_a_sealed_choice_is_drawn_as_a_letter() -> None:
    view = next(one for one in views(3) if one.sealed)
    letters = Drawn(RULES.picture(view, "auto")).groups("sealed")
    assert {int(one.attrib["data-seat"]) for one in letters} == set(view.sealed)
    assert all(any("f-clay" in drawn.attrib["class"].split() for drawn in one) for one in letters)
