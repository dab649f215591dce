"""The file that tokens are kept in."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from holmgang.terminal.tokens import Tokens, TokensUnreadable


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_tokens_are_kept_by_address_for_their_owner_alone(tmp_path: Path) -> None:
    tokens = Tokens(tmp_path / "config")
    assert tokens.find("https://a") is None
    tokens.keep("https://a", "one")
    tokens.keep("https://b", "two")
    tokens.keep("https://a", "three")
    assert (tokens.find("https://a"), tokens.find("https://b"), tokens.find("https://c")) == ("three", "two", None)
    assert mode(tokens.path) == 0o600
    assert mode(tokens.path.parent) == 0o700
    assert [path.name for path in tokens.path.parent.iterdir()] == ["tokens.json"]


def test_a_file_that_others_may_read_is_closed(tmp_path: Path) -> None:
    tokens = Tokens(tmp_path)
    tokens.keep("https://a", "one")
    tokens.path.chmod(0o644)
    assert tokens.find("https://a") == "one"
    assert mode(tokens.path) == 0o600


@pytest.mark.parametrize("text", ["{", "[]", '{"https://a": 1}', "\udcff"])
def test_a_file_that_is_something_else_is_left_alone(tmp_path: Path, text: str) -> None:
    tokens = Tokens(tmp_path)
    tokens.path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(TokensUnreadable):
        tokens.keep("https://a", "one")
    assert tokens.path.read_bytes() == text.encode(errors="surrogateescape")
