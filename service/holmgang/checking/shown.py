"""The laws about what people are shown: sentences, boards as text and pictures, in every language and theme."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from typing import Any
from xml.etree import ElementTree

import msgspec

from holmgang.engine.messages import ENGLISH, Said, Tongue
from holmgang.engine.palette import THEMES, style
from holmgang.engine.turn import Await, Seat
from holmgang.languages.catalogue import LANGUAGES, tongue

from .walks import Walk, expect

SVG = "{http://www.w3.org/2000/svg}"
_ELEMENTS = "svg title desc style g rect circle ellipse polygon polyline line path text tspan"
ELEMENTS = frozenset(_ELEMENTS.split())
"""What a picture may be made of: nothing in it runs, is fetched or leads elsewhere."""
ATTRIBUTES = frozenset({"style", "href", "src"})
_OUTSIDE = re.compile(r"url\(|@import|<!|<\?")


@cache
def tongues() -> tuple[Tongue, ...]:
    """The languages that people read, and one that nobody speaks; without Babel, which reads catalogues, that and
    English."""
    spoken = [tongue(language) for language in LANGUAGES[1:]] if find_spec("babel") else []
    return (ENGLISH, *spoken, Tongue("zxx", _strange))


def _strange(said: str) -> str:
    return f"⟨{said}⟩" if isinstance(said, Said) else said


def _seen(game: Walk, every: int) -> Iterator[tuple[Any, Seat | None, Any, int]]:
    """States with every seat's view of them, and the number of the moment."""
    for state in game.states(every):
        for seat in (None, *range(game.seats)):
            yield state, seat, game.rules.view(state, seat), game.place.at


def contexts_are_json(game: Walk, every: int = 1) -> None:
    """What a turn is about can be sent to whoever is asked."""
    for state, seat, view, _ in _seen(game, every):
        if type(game.rules.turn(state)) is Await:
            context = msgspec.to_builtins(game.rules.context(view))
            expect(isinstance(context, dict), f"the context of seat {seat} is {context!r}, no JSON object")
            msgspec.json.encode(context)


def sentences_are_told(game: Walk, every: int = 1) -> None:
    """Every effect has a sentence, whoever reads it, in every language."""
    rules = game.rules
    for moment in game.steps(every):
        for effect in moment.step.effects:
            for seat in (None, *range(game.seats)):
                told = rules.tell(rules.redact(effect, seat))
                for speaking in tongues():
                    words = speaking.into(told)
                    expect(isinstance(words, str) and words.strip(), f"{effect} is told as {words!r}")


def boards_are_text(game: Walk, every: int = 1) -> None:
    """Every view is readable text, in every language; equal views give equal text."""
    rules = game.rules
    for _, seat, view, _ in _seen(game, every):
        for speaking in tongues():
            text = rules.render(view, speaking)
            expect(isinstance(text, str) and text.strip(), f"the board of {seat} is {text!r} as text")
            expect(rules.render(view, speaking) == text, f"one view of {seat} gives two texts")
        expect(rules.render(view) == rules.render(view, ENGLISH), "the text is not English where nothing is said")


def pictures_are_sound(game: Walk, every: int = 1) -> None:
    """Every view is an SVG document that is closed in itself. Themes and languages take turns."""
    for _, seat, view, number in _seen(game, every):
        turn = number + (0 if seat is None else seat + 1)
        theme, speaking = THEMES[turn % len(THEMES)], tongues()[turn // len(THEMES) % len(tongues())]
        picture = game.rules.picture(view, theme, speaking)
        _is_sound(picture, theme, game.rules.render(view, speaking), f"the picture of {seat}")
        expect(game.rules.picture(view, theme, speaking) == picture, f"one view of {seat} gives two pictures")


def _is_sound(picture: Any, theme: str, text: str, who: str) -> None:
    expect(isinstance(picture, str), f"{who} is {type(picture).__name__}, no text")
    try:
        root = ElementTree.fromstring(picture)  # noqa: S314 # likewise
    except ElementTree.ParseError as error:
        expect(False, f"{who} is no XML: {error}")
        raise
    expect(root.tag == f"{SVG}svg", f"{who} is a {root.tag}, no svg of its namespace")
    expect("viewBox" in root.attrib, f"{who} has no viewBox")
    expect(not {"width", "height"} & set(root.attrib), f"{who} has a size of its own, and cannot be scaled")
    for element in root.iter():
        name = str(element.tag).removeprefix(SVG)
        expect(name in ELEMENTS, f"{who} has a <{name}>")
        for attribute in element.attrib:
            plain = attribute.rpartition("}")[2].lower()
            expect(not plain.startswith("on") and plain not in ATTRIBUTES, f"{who} has the attribute {attribute}")
    found = _OUTSIDE.search(picture)
    expect(found is None, f"{who} has {found[0] if found else ''!r}: it must be closed in itself")
    sheets = [sheet.text for sheet in root.iter(f"{SVG}style")]
    expect(sheets == [style(theme)], f"{who} has other style sheets than that of the theme {theme}")
    expect(root.attrib.get("role") == "img", f'{who} lacks role="img"')
    described = [root.find(f"{SVG}{name}") for name in ("title", "desc")]
    named = all(each is not None and each.text for each in described)
    expect(named, f"{who} lacks a title and a description, which those who cannot see it hear")
    desc = described[1]
    expect(desc is not None and desc.text == text, f"the description of {who} is not what `render` gives")
