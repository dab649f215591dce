"""Options that are stated once: their JSON Schema, what is taken and refused, and the form that is kept."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta, field

from holmgang import registry
from holmgang.engine.errors import InvalidOption
from holmgang.engine.messages import say
from holmgang.engine.misfits import misfit, type_info
from holmgang.engine.options import FirstPlayer, GameOptions, first_player, option, read_options, schema_of
from holmgang.engine.turn import Seat
from tests.languages.checking import check_said


def even(value: Any, seats: int, new: bool) -> int:
    if type(value) is not int or (new and value % 2):
        raise InvalidOption("/even", "O4", say("nobody"))
    return seats * value


class Options(GameOptions, frozen=True, kw_only=True):
    """Of a game that has one of each."""

    first_player: Annotated[Seat | None, first_player("C1, O1")] = None
    side: Annotated[Literal["red", "blue"], option("O2", "which side.")] = "red"
    size: Annotated[int, Meta(ge=2, le=9), option("O3, O3.1", "how large.")] = 5
    even: Annotated[int, option("O4", "what is even.", schema={"type": "integer"}, read=even, told=lambda n: -n)] = 2
    cells: Annotated[tuple[int, ...], option("O5", "which cells.", usual=lambda seats: tuple(range(seats)))]
    tags: Annotated[list[str], option("O6", "what else.")] = field(default_factory=list)
    open: Annotated[bool, option("O7", "whether all see it.")] = False
    speed: Annotated[float, option("O8", "how quick.")] = 0.5


def read(seats: int = 2, *, new: bool = True, **options: Any) -> Options:
    return read_options(Options, "Things", seats, options, new=new)


def test_the_schema_tells_rules_types_and_defaults() -> None:
    assert schema_of(Options, 4) == {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "first_player": {
                "description": "C1, O1: the seat that starts, or `random`.",
                "anyOf": [{"const": "random"}, {"type": "integer", "minimum": 0, "maximum": 3}],
                "default": "random",
            },
            "side": {"description": "O2: which side.", "enum": ["blue", "red"], "default": "red"},
            "size": {
                "description": "O3, O3.1: how large.",
                "type": "integer",
                "minimum": 2,
                "maximum": 9,
                "default": 5,
            },
            "even": {"description": "O4: what is even.", "type": "integer", "default": -2},
            "cells": {"description": "O5: which cells.", "type": "array", "items": {"type": "integer"}},
            "tags": {"description": "O6: what else.", "type": "array", "items": {"type": "string"}, "default": []},
            "open": {"description": "O7: whether all see it.", "type": "boolean", "default": False},
            "speed": {"description": "O8: how quick.", "type": "number", "default": 0.5},
        },
    }


def test_what_is_left_out_is_what_is_usual() -> None:
    assert read(3) == Options(seats=3, cells=(0, 1, 2))
    assert [*read(3).told()] == sorted(read(3).told())
    assert read(3).told() == {
        "cells": [0, 1, 2], "even": -2, "first_player": "random", "open": False, "side": "red", "size": 5,
        "speed": 0.5, "tags": [],
    }  # fmt: skip


def test_what_is_given_is_read_by_its_type_or_function() -> None:
    made = read(2, first_player=1.0, side="blue", size=9, even=4, cells=[5.0], tags=["a"], open=True, speed=2)
    assert made == Options(
        seats=2, first_player=1, side="blue", size=9, even=8, cells=(5,), tags=["a"], open=True, speed=2.0
    )
    assert read(new=False, even=3).even == 6, "a game that was begun before the check goes on"


@pytest.mark.parametrize(
    ("options", "pointer", "rule", "detail"),
    [
        ({"side": "green"}, "/side", "O2", "'side' must be 'blue' or 'red', not \"green\"."),
        ({"size": 10}, "/size", "O3", "'size' must be a whole number from 2 to 9, not 10."),
        ({"size": True}, "/size", "O3", "'size' must be a whole number from 2 to 9, not true."),
        ({"even": 3}, "/even", "O4", "nobody"),
        ({"cells": {}}, "/cells", "O5", "'cells' must be a list, not a JSON object."),
        ({"cells": [1, None]}, "/cells/1", "O5", "'cells/1' must be a whole number, not null."),
        ({"tags": [1]}, "/tags/0", "O6", "'tags/0' must be a text, not 1."),
        ({"open": 1}, "/open", "O7", "'open' must be true or false, not 1."),
        ({"speed": "fast"}, "/speed", "O8", "'speed' must be a number, not \"fast\"."),
        ({"first_player": 2}, "/first_player", "C1", "'first_player' must be a seat from 0 to 1 or 'random', not 2."),
        (
            {"sise": 2, "size": 99},
            "/sise",
            "C1",
            "Things has no option 'sise'. It has 'first_player', 'side', 'size', 'even', 'cells', 'tags', 'open',"
            " 'speed'. Did you mean 'size'?",
        ),
        ({"a/b~": 2}, "/a~1b~0", "C1", None),
    ],
)
def test_what_will_not_do_is_refused_by_its_rule(
    options: dict[str, Any], pointer: str, rule: str, detail: str | None
) -> None:
    with pytest.raises(InvalidOption) as refused:
        read(**options)
    assert (refused.value.pointer, refused.value.rule) == (pointer, rule)
    assert detail in (None, refused.value.detail)
    check_said(refused.value.detail)


def test_a_game_without_options_refuses_all() -> None:
    assert read_options(GameOptions, "Bare", 2, {}).told() == {}
    with pytest.raises(InvalidOption, match=r"Bare has no option 'size'\. It has none\."):
        read_options(GameOptions, "Bare", 2, {"size": 1})


def test_a_told_form_that_somebody_changes_is_theirs_alone() -> None:
    class Two(GameOptions, frozen=True, kw_only=True):
        first_player: FirstPlayer = None
        cells: Annotated[tuple[int, ...], option("O5", "which cells.")] = (1, 2)

    mine = Two(seats=2).told()
    mine["first_player"] = 7
    mine["cells"].append(3)
    assert Two(seats=2).told() == {"cells": [1, 2], "first_player": "random"}


def test_a_field_that_says_too_little_is_the_authors_fault() -> None:
    class Unsaid(GameOptions, frozen=True, kw_only=True):
        size: int = 3

    class Unusual(GameOptions, frozen=True, kw_only=True):
        size: Annotated[int, option("O1", "how large.")]

    with pytest.raises(TypeError, match=r"Unsaid\.size says no `option`"):
        schema_of(Unsaid, 2)
    with pytest.raises(TypeError, match=r"Unusual\.size has no default"):
        schema_of(Unusual, 2)


FIRST = [rules for rules in registry.all_latest() if "first_player" in rules.options_schema["properties"]]


@pytest.mark.parametrize("rules", FIRST, ids=lambda rules: rules.ruleset)
def test_a_state_keeps_the_options_of_its_game(rules: Any) -> None:
    for first in ("random", 1):
        config = rules.configure(rules.seat_counts[-1], {"first_player": first})
        state = rules.initial(config)
        assert rules.options_type.kept(state) == config
        assert rules.view(state, None).options == rules.options(config)


def test_kept_options_are_found_by_their_names() -> None:
    class Kept(GameOptions, frozen=True, kw_only=True):
        size: Annotated[int, option("O1", "how large.")] = 3

    assert Kept.kept(SimpleNamespace(players=4, size=9)) == Kept(seats=4, size=9)


@pytest.mark.parametrize(
    ("wanted", "value", "pointer", "detail"),
    [
        (tuple[int, str], [1], "/x", "'x' must be a list of 2 entries, not of 1."),
        (tuple[int, str], [1, 2], "/x/1", "'x/1' must be a text, not 2."),
        (tuple[int, str], [1, "a"], None, None),
        (Annotated[int, Meta(ge=1)], 0, "/x", "'x' must be a whole number from 1 on, not 0."),
        (Annotated[int, Meta(le=1)], 2, "/x", "'x' must be a whole number up to 1, not 2."),
        (Annotated[str, Meta(max_length=3)], "four", "/x", "'x' must be a text of 0 to 3 characters, not \"four\"."),
        (Annotated[str, Meta(min_length=1)], "", "/x", "'x' must be a text, not \"\"."),
        (Annotated[list[str], Meta(min_length=2)], ["a"], "/x", "'x' must be a list of 2 entries or more, not of 1."),
        (bool | None, None, None, None),
        (bool | None, "yes", "/x", "'x' must be true or false or null, not \"yes\"."),
    ],
)
def test_types_of_any_game_are_told_in_words(wanted: Any, value: Any, pointer: str | None, detail: str | None) -> None:
    found = misfit(value, type_info(wanted), ("x",))
    assert (found and found.pointer, found and found.detail) == (pointer, detail)
