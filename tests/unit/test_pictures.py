"""Pictures of boards: sound SVG, all that a view shows is in them once, legible, and nothing that is hidden."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from holmgang import registry
from holmgang.checking.walks import walk
from holmgang.engine.drawing import width_of
from holmgang.engine.messages import ENGLISH, Said, Tongue
from holmgang.engine.palette import HUES, ROLES, THEMES, contrast, on, style
from holmgang.games.drakkars.rules.views import FogView
from holmgang.games.eketorp.rules.board import VIKINGS
from holmgang.languages.catalogue import LANGUAGES, tongue
from holmgang.languages.placeholders import PLACEHOLDER
from tests.languages.messages import of_api
from tests.pictures.drawing import NAMESPACE, Drawn, kept, path_of
from tests.unit.games import SETTINGS, Setting, each_setting

seeds = st.integers(min_value=0, max_value=2**32 - 1)
few = settings(max_examples=4, deadline=None)
each_game = pytest.mark.parametrize("ruleset", registry.names())


def states(setting: Setting, seed: int, number: int = 8) -> list[Any]:
    """Some states of a random game, with options and resignations that the seed picks."""
    options = setting.laws.options
    rng = random.Random(seed)
    game = walk(
        setting.rules, setting.config(options[seed % len(options)]), rng, resigning=0.01 if seed % 3 == 0 else 0.0
    )
    found = list(game.states())
    return [*rng.sample(found, min(number, len(found))), game.last]


def seen(setting: Setting, seed: int, tongue: Tongue = ENGLISH) -> Iterator[tuple[Any, Drawn, str]]:
    """Views of a random game with their pictures."""
    for n, state in enumerate(states(setting, seed)):
        view = setting.rules.view(state, (None, *range(setting.seats))[(seed + n) % (setting.seats + 1)])
        picture = setting.rules.picture(view, THEMES[n % 3], tongue)
        yield view, Drawn(picture), picture


@each_setting
@few
@given(seeds)
def test_equal_views_give_equal_bytes_whatever_is_hidden(setting: Setting, seed: int) -> None:
    rules = setting.rules
    for state in states(setting, seed, 3):
        for seat in (None, seed % setting.seats):
            view = rules.view(state, seat)
            others = [rules.determinize(view, random.Random(f"{seed} {n}")) for n in range(2)]
            pictures = {rules.picture(rules.view(other, seat), "auto") for other in (state, *others)}
            assert len(pictures) == 1
            assert len({rules.picture(view, theme) for theme in THEMES}) == len(THEMES)


ELEMENTS = {"svg", "title", "desc", "style", "g", "rect", "circle", "polygon", "line", "path", "text"}
"""What the pictures of the house are made of."""


class Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float
    words: str


def box(text: Any, ems: Callable[[str, float], float]) -> Box:
    size, x, y = (float(text.attrib[name]) for name in ("font-size", "x", "y"))
    wide = ems(text.text or "", size)
    left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[text.attrib.get("text-anchor", "start")]
    return Box(left, y - 0.7 * size, left + wide, y, text.text or "")


@pytest.mark.parametrize("language", LANGUAGES)
@each_setting
@few
@given(seeds)
def test_texts_are_in_the_picture_and_apart(setting: Setting, language: str, seed: int) -> None:
    for _, drawn, _ in seen(setting, seed, tongue(language)):
        assert {element.tag.removeprefix(NAMESPACE) for element in drawn.root.iter()} <= ELEMENTS
        assert not any("transform" in element.attrib for element in drawn.root.iter()), "coordinates are the picture's"
        apart(drawn)


def apart(drawn: Drawn) -> None:
    """All texts are in the picture, and no two of them on each other."""
    _, _, width, height = map(float, drawn.root.attrib["viewBox"].split())
    boxes = []
    for text in drawn.texts():
        assert float(text.attrib["font-size"]) >= 8
        whole = box(text, width_of)
        assert whole.left >= 0, whole
        assert whole.right <= width, whole
        assert 0 <= whole.top < whole.bottom <= height, whole
        boxes.append(box(text, lambda words, size: min(0.56 * size * len(words), width_of(words, size))))
    boxes.sort(key=lambda one: one.top)
    for n, one in enumerate(boxes):
        for other in boxes[n + 1 :]:
            if other.top >= one.bottom - 0.5:
                break
            across = min(one.right, other.right) - max(one.left, other.left)
            assert across <= 0.5, (one, other)


def named(things: dict[Any, int]) -> Counter[Any]:
    return Counter({tuple(map(str, key)): number for key, number in things.items() if number})


def eketorp_holds(view: Any, drawn: Drawn) -> None:
    vikings: Counter[Any] = Counter()
    stones: Counter[Any] = Counter()
    for name, field in view.fields.items():
        vikings.update({(seat, name): number for seat, number in field.vikings.items()})
        stones.update({(kind, name): number for kind, number in field.stones.items()})
    for name, siege in view.sieges.items():
        if int(name[0]) < view.players:
            vikings.update({(seat, name): 1 for seat in siege.seats})
    stones.update({(kind, "supply"): number for kind, number in view.supply.items()})
    walls = {}
    for seat in view.seats:
        vikings[seat.seat, f"{seat.seat}/home"] += seat.home
        vikings.update({(seat.seat, f"station {station}"): number for station, number in seat.hospital.items()})
        for number, wall in enumerate(seat.walls, 1):
            walls[seat.seat, number, len(wall)] = 1
            for kind in wall:
                stones[kind, f"{seat.seat}/{number}"] += 1
        for part in ("carried", "aside"):
            stones.update({(kind, f"{seat.seat}/{part}"): n for kind, n in getattr(seat, part).items()})
        clan = sum(n for (owner, _), n in drawn.counted("viking", "seat", "at").items() if owner == str(seat.seat))
        assert clan == VIKINGS[view.players], "every Viking of the box is somewhere"
    assert drawn.counted("viking", "seat", "at") == named(vikings)
    assert drawn.counted("stone", "kind", "at") == named(stones)
    assert drawn.counted("wall", "seat", "wall", "height") == named(walls)
    assert drawn.counted("siege", "at").total() == 3 * view.players
    assert drawn.counted("space", "at") == named({(name,): 1 for name in view.fields})
    assert drawn.counted("amulet", "seat") == named({(s.seat,): s.amulets for s in view.seats})
    assert drawn.counted("hand", "seat") == named({(s.seat,): s.hand_size for s in view.seats})
    assert drawn.counted("pile", "seat") == named({(s.seat,): len(s.pile) for s in view.seats})
    assert len(drawn.groups("combat")) == (view.combat is not None)


def drakkars_holds(view: Any, drawn: Drawn) -> None:
    ships = {}
    coins: Counter[Any] = Counter()
    for seat in view.seats:
        for ship in seat.ships:
            ships[seat.seat, ship.ship, ship.at if ship.cell is None else ship.cell] = 1
        for rank, cargo in enumerate(seat.cargo, 1):
            coins.update({(kind, f"cargo {seat.seat}.{rank}"): n for kind, n in cargo.items()})
    for town in view.towns:
        for kind in town.coins:
            coins[kind, f"town {town.town}"] += 1
    coins.update({(kind, "bag"): n for kind, n in view.bag.items()})
    assert drawn.counted("ship", "seat", "ship", "at") == named(ships)
    assert drawn.counted("coin", "kind", "at") == named(coins)
    assert coins.total() == 60, "every coin of the box is somewhere"
    assert drawn.counted("town", "town", "cell") == named({(t.town, t.cell): t.cell is not None for t in view.towns})
    assert drawn.counted("fjord", "seat", "cell") == named({(s.seat, s.fjord): 1 for s in view.seats})
    tokens = {(s.seat, "fjord" if s.fog.cell is None else s.fog.cell): 1 for s in view.seats if s.fog is not None}
    assert drawn.counted("fog", "seat", "at") == named(tokens)
    assert drawn.counted("cell", "at") == named({(cell,): 1 for cell in range(36)})
    assert drawn.counted("shield", "barrel") == {("true",): 1, ("false",): 7}
    assert [g.attrib["data-cell"] for g in drawn.groups("shield") if g.attrib["data-barrel"] == "true"] == [
        str(view.barrel)
    ]
    assert drawn.counted("barrel", "cell") == named({(view.barrel,): 1})
    assert drawn.counted("stud", "cell") == named({(cell,): 1 for cell in range(8)})
    assert drawn.counted("hand", "seat") == named({(s.seat,): s.hand_size for s in view.seats})
    assert drawn.counted("deck", "seat") == named({(s.seat,): s.deck_size > 0 for s in view.seats})
    assert [g.attrib["data-count"] for g in drawn.groups("central")] == [str(view.central_size)]
    discard = Counter((str(card),) for card in view.discard)
    (pile,) = drawn.groups("discard")
    lying = Counter(
        {
            (g.attrib["data-card"],): int(g.attrib["data-count"])
            for g in pile.iter(f"{NAMESPACE}g")
            if "data-card" in g.attrib
        }
    )
    assert lying == discard


def claim_holds(view: Any, drawn: Drawn) -> None:
    pieces = {(seat.seat, point): 1 for seat in view.seats for point in seat.pieces}
    castles = {(t.castle, t.castle_point): 1 for t in view.territories if t.castle is not None}
    castles |= {(seat.seat, "hand"): seat.castles_in_hand for seat in view.seats}
    assert drawn.counted("piece", "seat", "at") == named(pieces)
    assert drawn.counted("castle", "seat", "at") == named(castles)
    assert sum(castles.values()) == 3 * view.players, "every castle of the box is somewhere"
    points = {(name,): 1 for territory in view.territories for name in territory.points}
    assert drawn.counted("point", "at") == named(points)


HOLDS = {"claim": claim_holds, "drakkars": drakkars_holds, "eketorp": eketorp_holds}


@pytest.mark.parametrize("setting", [each for each in SETTINGS if each.ruleset in HOLDS], ids=str)
@few
@given(seeds)
def test_all_that_the_view_shows_is_in_it_once(setting: Setting, seed: int) -> None:
    for view, drawn, _ in seen(setting, seed):
        HOLDS[setting.ruleset](view, drawn)


def test_the_widest_island_fits() -> None:
    """Four doubles in a row, and the single at their end: 26 columns are the most there may be (K1.3)."""
    layout = [{"part": "double", "x": 6 * n, "y": 0, "turn": 0} for n in range(4)]
    layout.append({"part": "single", "x": 22, "y": 4, "turn": 1})
    rules = registry.latest("claim")
    game = walk(rules, rules.configure(4, {"layout": layout}), random.Random(4))
    for state in list(game.states())[::40]:
        view = rules.view(state, 0)
        drawn = Drawn(rules.picture(view, "auto"))
        claim_holds(view, drawn)
        assert all(one.left >= 0 and one.right <= 400 for one in (box(text, width_of) for text in drawn.texts()))


def test_a_full_field_and_a_full_cell_are_drawn_in_bounds() -> None:
    """More than any game is likely to bring together: twenty Vikings of six clans among stones of four kinds, and two
    ships with four tokens of the fog on one cell."""
    eketorp = next(one for one in SETTINGS if str(one) == "eketorp-6")
    view = eketorp.rules.view(states(eketorp, 1)[0], 0)
    field = replace(
        view.fields["A"],
        stones={"grass": 9, "wood": 9, "clay": 12, "stone": 6},
        vikings={"0": 5, "1": 5, "2": 5, "3": 5, "4": 1, "5": 2},
    )
    drakkars = next(one for one in SETTINGS if str(one) == "drakkars-4")
    coast = drakkars.rules.view(states(drakkars, 1)[0], 0)
    crowd = tuple(
        replace(seat, fog=FogView(13, 1), ships=(replace(seat.ships[0], at="sea", cell=13), *seat.ships[1:]))
        if seat.seat < 2
        else replace(seat, fog=FogView(13, 1))
        for seat in coast.seats
    )
    pictures = [
        eketorp.rules.picture(replace(view, fields={**view.fields, "A": field}), "auto"),
        drakkars.rules.picture(replace(coast, seats=crowd), "auto"),
    ]
    apart(Drawn(pictures[0]))
    assert sum(n for (_, at), n in Drawn(pictures[0]).counted("viking", "seat", "at").items() if at == "A") == 23
    assert Drawn(pictures[1]).counted("fog", "at")["13",] == 4
    assert Drawn(pictures[1]).counted("ship", "at")["13",] >= 2
    apart(Drawn(pictures[1]))


@pytest.mark.parametrize("ruleset", ["drakkars", "eketorp"])
def test_ones_own_cards_are_open_and_others_are_backs(ruleset: str) -> None:
    setting = next(one for one in SETTINGS if one.ruleset == ruleset and one.seats == 3)
    for state in states(setting, 1)[:-1]:
        view = setting.rules.view(state, 1)
        hands: dict[str, list[str]] = {"0": [], "1": [], "2": []}
        for card in Drawn(setting.rules.picture(view, "auto")).groups("hand"):
            hands[card.attrib["data-seat"]] += [text.text or "" for text in card.iter(f"{NAMESPACE}text")][:1]
        assert hands == {"0": [], "1": list(map(str, view.hand)), "2": []}


@each_game
def test_a_picture_of_each_game_is_as_it_is_kept(ruleset: str) -> None:
    assert path_of(ruleset).read_text() == kept(ruleset), "changed: run `make goldens` and look at the difference"


@pytest.mark.parametrize("dark", [0, 1])
@pytest.mark.parametrize("ink", ["ink", "muted", "alert"])
@pytest.mark.parametrize("ground", ["paper", "panel", "sea", "deep", "land", "meadow"])
def test_words_stand_out_from_every_ground(dark: int, ink: str, ground: str) -> None:
    assert contrast(ROLES[ink][dark], ROLES[ground][dark]) >= 4.5


@pytest.mark.parametrize("dark", [0, 1])
def test_words_stand_out_from_what_is_drawn_on_the_ground(dark: int) -> None:
    assert contrast(ROLES["ink"][dark], ROLES["furrow"][dark]) >= 4.5
    assert contrast(ROLES["paper"][dark], ROLES["earth"][dark]) >= 4.5
    for ground in ("land", "panel", "meadow", "sea"):
        assert contrast(ROLES["earth"][dark], ROLES[ground][dark]) >= 3, "fences and roofs"


@pytest.mark.parametrize("hue", HUES)
def test_words_stand_out_from_every_hue(hue: str) -> None:
    assert contrast(on(hue), HUES[hue]) >= 4.5
    assert f".o-{hue}{{fill:{on(hue)}}}" in style("auto")


@pytest.mark.parametrize("dark", [0, 1])
@pytest.mark.parametrize("ground", ["paper", "panel", "sea", "deep", "land", "meadow"])
def test_outlines_stand_out(dark: int, ground: str) -> None:
    """Every token has one, so that a hue need not."""
    assert contrast(ROLES["ink"][dark], ROLES[ground][dark]) >= 3
    assert contrast(ROLES["alert"][dark], ROLES[ground][dark]) >= 3


def test_themes_have_their_colours_only() -> None:
    for dark, theme in enumerate(("light", "dark")):
        for name, pair in ROLES.items():
            assert f".f-{name}{{fill:{pair[dark]}}}" in style(theme)
            assert f".f-{name}{{fill:{pair[1 - dark]}}}" not in style(theme)
    light, _, dark_part = style("auto").partition("@media (prefers-color-scheme:dark)")
    for name, pair in ROLES.items():
        assert f".f-{name}{{fill:{pair[0]}}}" in light
        assert f".f-{name}{{fill:{pair[1]}}}" in dark_part


@cache
def messages() -> frozenset[str]:
    return frozenset(found.message for found in of_api())


STRANGE = str.maketrans({chr(code): chr(code + 0xFEE0) for code in (*range(0x41, 0x5B), *range(0x61, 0x7B))})
"""ASCII's letters, wide ones in their place."""


def strange(said: str) -> str:
    """A language that nobody speaks: English in wide letters. What is mere text stays."""
    if not isinstance(said, Said):
        return said
    assert said.template in messages(), f"{said.template!r} is no message"
    parts = PLACEHOLDER.split(said.template)
    template = "".join(f"{{{part}}}" if n % 2 else part.translate(STRANGE) for n, part in enumerate(parts))
    return template.format_map({name: strange(value) for name, value in said.values.items()})


def english_in(words: str) -> list[str]:
    """Words in a text. Single letters are none, nor strokes that count ships: they are the same in each language."""
    return [word for word in re.findall("[A-Za-z]{2,}", words) if word.strip("I")]


@each_setting
@few
@given(seeds)
def test_nothing_in_it_is_left_in_english(setting: Setting, seed: int) -> None:
    for _, drawn, picture in seen(setting, seed, Tongue("zxx", strange)):
        assert picture.startswith('<svg xmlns="http://www.w3.org/2000/svg" lang="zxx" xml:lang="zxx"')
        told = [text.text or "" for text in drawn.texts()]
        told += [(drawn.root.find(f"{NAMESPACE}{name}").text or "") for name in ("title", "desc")]  # type: ignore[union-attr]
        left = {text: english for text in told if text != setting.rules.title and (english := english_in(text))}
        assert not left
        letters = [text.text for kind in ("stone", "coin") for thing in drawn.groups(kind) for text in thing]
        assert not any(text and text[0] in "abcdefghijklmnopqrstuvwxyz" for text in letters)


@each_setting
@few
@given(seeds)
def test_it_shows_the_same_in_each_language(setting: Setting, seed: int) -> None:
    """All but what is written and how far down its heading goes: the same groups and data, in the same order."""
    state = states(setting, seed, 1)[0]
    view = setting.rules.view(state, seed % setting.seats)
    pictures = [setting.rules.picture(view, "auto", tongue(language)) for language in LANGUAGES]
    assert setting.rules.picture(view, "auto") == pictures[0]
    assert len(set(pictures)) == len(LANGUAGES)
    told = [[dict(g.attrib) for g in Drawn(picture).root.iter(f"{NAMESPACE}g")] for picture in pictures]
    groups = [[{k: v for k, v in each.items() if k != "data-bottom"} for each in some] for some in told]
    assert groups[0] == groups[1] == groups[2]
    for language, picture in zip(LANGUAGES, pictures, strict=True):
        desc = Drawn(picture).root.find(f"{NAMESPACE}desc")
        assert desc is not None
        assert desc.text == setting.rules.render(view, tongue(language))


@each_setting
@few
@given(seeds)
def test_the_heading_tells_where_it_ends(setting: Setting, seed: int) -> None:
    """Whoever cuts it off there loses none of it and nothing of what is below."""
    for state in states(setting, seed, 2):
        drawn = Drawn(setting.rules.picture(setting.rules.view(state, None), "auto"))
        (group,) = (g for g in drawn.root.iter(f"{NAMESPACE}g") if g.get("class") == "heading")
        within, bottom = set(group.iter()), float(group.attrib["data-bottom"])
        lines = [(text in within, float(text.attrib["y"])) for text in drawn.root.iter(f"{NAMESPACE}text")]
        assert max(y for heads, y in lines if heads) < bottom
        assert all(y > bottom for heads, y in lines if not heads)


SAID = {
    ("claim", "fr"): ("Place 1, doit choisir, toi", "Premier joueur : place "),
    ("claim", "nl"): ("Plaats 1, moet kiezen, jij", "Startspeler: plaats "),
    ("drakkars", "fr"): (
        "Bouclier «\N{NO-BREAK SPACE}butin\N{NO-BREAK SPACE}», le tonneau sur une case",
        "Pioche centrale : ",
        "main",
        "ou 3 cartes",
    ),
    ("drakkars", "nl"): ("Buitschild, de ton op een van de vakken", "Centrale stapel: ", "hand", "of 3 kaarten"),
    ("eketorp", "fr"): ("Hôpital", "amulettes", "catapulte", "au village"),
    ("eketorp", "nl"): ("Veldhospitaal", "amuletten", "rambok", "thuis"),
}
"""Of the kept pictures."""


@pytest.mark.parametrize(("ruleset", "language"), SAID)
def test_it_speaks_french_and_dutch(ruleset: str, language: str) -> None:
    drawn = Drawn(kept(ruleset, tongue(language)))
    assert drawn.root.attrib["lang"] == language
    assert drawn.root.attrib["{http://www.w3.org/XML/1998/namespace}lang"] == language
    texts = [text.text or "" for text in drawn.texts()]
    for said in SAID[ruleset, language]:
        assert any(text.startswith(said) for text in texts), (said, texts)


def test_stones_and_coins_bear_the_letter_of_their_name() -> None:
    letters = {"en": "gscgwcs", "fr": "oachbap", "nl": "gzkghks"}
    for language, wanted in letters.items():
        found: dict[str, str] = {}
        for ruleset in ("drakkars", "eketorp"):
            drawn = Drawn(kept(ruleset, tongue(language)))
            for thing in (*drawn.groups("coin"), *drawn.groups("stone")):
                (letter, *_) = [text.text for text in thing.iter(f"{NAMESPACE}text")]
                assert found.setdefault(thing.attrib["data-kind"], letter or "") == letter
        kinds = ("gold", "silver", "copper", "grass", "wood", "clay", "stone")
        assert "".join(found[kind] for kind in kinds) == wanted
