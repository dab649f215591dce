"""Boards of squares."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from holmgang.engine.drawing import MARGIN, WIDTH, Canvas
from holmgang.engine.squares import LETTERS, Squares


def test_squares_are_called_by_column_and_row() -> None:
    board = Squares(3, 2)
    assert board.names == ("a1", "b1", "c1", "a2", "b2", "c2")
    assert [board.numbers[name] for name in board.names] == list(range(6))


def test_rays_lead_to_the_edge() -> None:
    board = Squares(4, 3)
    named = [[board.names[square] for square in ray] for ray in board.rays[board.numbers["b2"]]]
    assert named == [["b1"], ["c2", "d2"], ["b3"], ["a2"]]
    assert board.rays[0] == ((), (1, 2, 3), (4, 8), ())
    assert board.beside(0) == (1, 4)
    for square, rays in enumerate(board.rays):
        assert sum(map(len, rays)) == 4 - 1 + 3 - 1
        for n, ray in enumerate(rays):
            assert all(square in board.rays[other][(n + 2) % 4] for other in ray)


def test_edge_and_corners() -> None:
    board = Squares(4, 4)
    assert len(board.edge) == 12
    assert {board.names[square] for square in board.corners} == {"a1", "d1", "a4", "d4"}
    assert Squares(1, 1).corners == Squares(1, 1).edge == {0}


def test_text_has_its_columns_below_their_letters() -> None:
    assert Squares(3, 10).text("x" * 30).splitlines()[::9] == ["   a b c", " 9 x x x"]
    assert Squares(2, 2).text("a.b.") == "  a b\n1 a .\n2 b ."


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (3, 4), (9, 9), (26, 26)])
def test_every_square_is_in_the_picture_once(columns: int, rows: int) -> None:
    canvas, board = Canvas(), Squares(columns, rows)
    drawn = board.draw(canvas, 30, ["f-land"] * (columns * rows))
    root = ElementTree.fromstring(canvas.document(drawn.bottom + MARGIN, "Board", "", "auto"))
    groups = [group for group in root.iter() if group.get("class") == "point"]
    assert [group.get("data-at") for group in groups] == list(board.names)
    for square, group in enumerate(groups):
        (rect,) = group
        x, y, size = (float(rect.attrib[name]) for name in ("x", "y", "width"))
        assert drawn.centre(square) == pytest.approx((x + size / 2, y + size / 2), abs=0.2)
        assert MARGIN <= x <= x + size <= WIDTH - MARGIN + 0.2
        assert 30 <= y <= y + size <= drawn.bottom + 0.2


@pytest.mark.parametrize(("columns", "rows"), [(0, 1), (len(LETTERS) + 1, 1), (3, 0)])
def test_other_boards_are_refused(columns: int, rows: int) -> None:
    with pytest.raises(ValueError, match="a board has 1 to 26 columns"):
        Squares(columns, rows)
