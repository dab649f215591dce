"""Records from rows: by the names of columns, in any order, and nothing left over."""

from __future__ import annotations

from typing import Annotated

import pytest
from msgspec import Meta, Raw, Struct

from holmgang.store.records import MisfitError, reader


class Token(Struct, frozen=True, kw_only=True):
    player: int
    game: int | None
    scopes: tuple[str, ...]


class Seat(Struct, frozen=True, kw_only=True):
    token: Token | None
    game: Annotated[int, Meta(description="The game")]
    partners: frozenset[int] | None
    note: str = "none"


class Result(Struct, frozen=True):
    winners: list[int]


class Ended(Struct, frozen=True):
    result: Result | None
    record: Raw


class Found(Struct, frozen=True):
    seat: Seat | None
    refused: str | None


def test_a_field_is_read_from_the_column_of_its_name_wherever_it_stands() -> None:
    read = reader(Token, ["scopes", "game", "player"])
    assert read((["read", "play"], None, 7)) == Token(player=7, game=None, scopes=("read", "play"))


COLUMNS = ["refused", "partners", "token_game", "player", "scopes", "game"]


def test_a_record_in_a_record_is_read_from_the_same_row() -> None:
    read = reader(Found, COLUMNS, ["note"])
    token = Token(player=7, game=3, scopes=("read",))
    assert read((None, [1, 2], 3, 7, ["read"], 4)) == Found(
        Seat(token=token, game=4, partners=frozenset({1, 2})), refused=None
    )
    assert read((None, None, None, None, None, 4)) == Found(Seat(token=None, game=4, partners=None), refused=None)
    assert read(("expired", None, None, None, None, None)) == Found(None, refused="expired")


def test_a_column_belongs_to_every_field_of_its_name_that_has_none_of_its_own() -> None:
    read = reader(Found, [name for name in COLUMNS if name != "token_game"], ["note"])
    found = read((None, None, 7, [], 4))
    assert found.seat is not None
    assert found.seat.token is not None
    assert found.seat.token.game == found.seat.game == 4


@pytest.mark.parametrize(
    ("record", "columns"),
    [
        (Token, ["player", "game"]),
        (Token, ["player", "game", "scopes", "label"]),
        (Token, ["player", "game", "scopes", "scopes"]),
        (Found, [*COLUMNS, "seat_refused"]),
        (Found, ["refused", "partners", "token_game", "player", "scopes"]),
        (int, ["player", "game"]),
    ],
)
def test_columns_that_do_not_fit_are_refused(record: type, columns: list[str]) -> None:
    with pytest.raises(MisfitError):
        reader(record, columns, ["note"])


def test_a_field_with_a_default_needs_a_column_unless_it_comes_from_elsewhere() -> None:
    with pytest.raises(MisfitError):
        reader(Found, COLUMNS)


def test_json_is_read_as_the_record_that_it_is_and_text_of_json_is_kept() -> None:
    read = reader(Ended, ["record", "result"])
    assert read(('{"a":1}', {"winners": [2]})) == Ended(Result([2]), Raw(b'{"a":1}'))
    assert read(("{}", None)).result is None


def test_what_is_no_record_is_the_value_of_the_only_column() -> None:
    assert reader(int, ["count"])((3,)) == 3
