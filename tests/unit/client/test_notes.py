"""What a client noted finds out a record that a server has made by itself, with the games' rules at hand or without."""

from __future__ import annotations

import base64
import copy
import importlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from holmgang import Belied, Notes, Verified
from holmgang.app.fairness.notes import read_notes, readings
from holmgang.client._notes import Note, differences, judged, new_entropy
from tests.unit.games import SETTINGS, Setting
from tests.unit.records import Scribe

if TYPE_CHECKING:
    from holmgang.answers import GameRecord, Receipt

OTHER = b"another's choice!"


@pytest.fixture(params=["rules", "alone"], autouse=True)
def rules(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the games are installed beside the client."""
    if request.param == "alone":

        def refuse(name: str) -> Any:
            raise ModuleNotFoundError(name)

        monkeypatch.setattr(importlib, "import_module", refuse)
    return bool(request.param == "rules")


def played(setting: Setting, **more: Any) -> GameRecord:
    """As the API answers it."""
    return cast("GameRecord", json.loads(json.dumps(Scribe(setting.rules, setting.seats, 0, **more).play().record())))


def noted(record: GameRecord, seat: int) -> Note:
    """What the player of a seat has in hand."""
    given = record["entropy"][seat]
    entropy = None if given is None else base64.urlsafe_b64encode(bytes.fromhex(given)).rstrip(b"=").decode()
    rows = [line["entry"] for line in record["log"]]
    choices = {row["turn"]: action for row in rows for by, action in row.get("actions", ()) if by == seat}
    return Note(record["game"], record["commitment"], record["terms"], seat, entropy, choices)


def belied(note: Note, record: Any, bots: tuple[int, ...] = ()) -> str:
    with pytest.raises(Belied) as found:
        judged(note, record, bots)
    assert found.value.differences
    return str(found.value)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_an_honest_record_holds_and_a_bent_one_does_not(setting: Setting, rules: bool) -> None:
    honest = played(setting)
    for seat in range(setting.seats):
        note = noted(honest, seat)
        there = ("commitment", "entropy", "choices") if note.entropy else ("commitment", "choices")
        assert judged(note, honest, ()) == Verified(there, rules)
        if note.entropy is None:
            assert "chose" in belied(note, {**honest, "log": honest["log"][:2]})
            continue
        bent = played(setting, entropy={seat: OTHER})  # in which all fits
        assert judged(Note(honest["game"], honest["commitment"]), bent, ()) == Verified(("commitment",), rules)
        assert f"entropy of seat {seat}" in belied(note, bent)
        assert f"entropy of seat {seat}" in belied(note, played(setting, entropy={seat: None}))


@pytest.mark.parametrize("setting", SETTINGS[:3], ids=str)
def test_all_else_that_was_noted_is_compared(setting: Setting) -> None:
    honest = played(setting)
    note = noted(honest, 1)
    other = "0" * 64
    changes: list[dict[str, Any]] = [
        {"game": "01890000-0000-7000-8000-000000000002"},
        {"commitment": other},
        {"seed": other},
        {"seed": "nonsense"},
        {"options": {}},
        {"terms": honest["terms"] + " "},
        {"seats": honest["seats"] + 1},
        {"version": "2"},
    ]
    for change in changes:
        belied(note, {**honest, **change})
    for turn in list(note.choices)[:20]:
        changed = copy.deepcopy(honest)
        row = next(line["entry"] for line in changed["log"] if line["entry"]["turn"] == turn)
        row["actions"] = [[seat, {"type": "pass"} if seat == 1 else action] for seat, action in row["actions"]]
        assert f"At turn {turn} seat 1 chose" in belied(note, changed)


def test_built_in_bots_give_no_entropy() -> None:
    """Else a server could give it for them, last of all."""
    honest = played(SETTINGS[0])
    assert honest["entropy"][0] is None
    judged(noted(honest, 1), honest, (0,))
    assert "Seat 2 is a built-in bot's" in belied(noted(honest, 1), honest, (0, 2))


def test_a_sealed_choice_that_a_resignation_left_unplayed_is_no_difference() -> None:
    honest = played(SETTINGS[0])
    last = honest["log"][-1]["entry"]
    note = Note(honest["game"], seat=1, choices={last["turn"]: {"type": "pass"}})
    rows = [*honest["log"][:-1], {**honest["log"][-1], "entry": {"turn": last["turn"], "resigned": 0}}]
    assert differences(note, cast("GameRecord", {**honest, "log": rows}), ()) == []
    assert differences(note, cast("GameRecord", {**honest, "log": honest["log"][:-1]}), ()) != []


def test_a_commitment_that_changes_is_found_out_at_once() -> None:
    notes = Notes()
    notes.saw("g", "0" * 64)
    notes.saw("g", "0" * 64)
    for other in ("1" * 64, None):
        with pytest.raises(Belied, match="commitment was"):
            notes.saw("g", other)


def test_notes_in_a_folder_outlast_the_program_and_are_the_players_alone(tmp_path: Path) -> None:
    record = played(SETTINGS[0])
    note, game = noted(record, 1), record["game"]
    notes = Notes(tmp_path / "new" / "folder")
    notes.saw(game, note.commitment)
    notes.keep(game, entropy=note.entropy, seat=1)
    for turn, action in note.choices.items():
        notes.took(game, cast("Receipt", {"seat": 1, "turn": turn, "action": action}))
    notes.forget_choice(game, max(note.choices))
    (file,) = (tmp_path / "new" / "folder").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    again = Notes(tmp_path / "new" / "folder")
    assert again.of(game) == notes.of(game)
    assert list(again.games()) == [game]
    assert len(again.of(game).choices) == len(note.choices) - 1
    kept = read_notes(file.read_bytes())
    assert (kept.game, kept.commitment, kept.seat) == (game, note.commitment, 1)
    assert [one.turn for one in kept.choices] == sorted(note.choices)[:-1]
    again.forget(game)
    assert list(Notes(tmp_path / "new" / "folder").games()) == []
    file.write_text("{", encoding="utf-8")
    with pytest.raises(ValueError, match="holds no notes"):
        Notes(tmp_path / "new" / "folder").of(game)


@pytest.mark.parametrize("game", ["../x", "a/b", "", "x" * 300, "é"])
def test_what_is_no_id_of_a_game_names_no_file(game: str, tmp_path: Path) -> None:
    notes = Notes(tmp_path / "folder")
    notes.keep(game, seat=0)
    assert notes.of(game).seat == 0
    assert list(tmp_path.iterdir()) == []


def test_entropy_is_new_each_time_and_as_the_api_takes_it() -> None:
    drawn = {new_entropy() for _ in range(50)}
    assert len(drawn) == 50
    assert all(len(readings(each)[-1]) == 32 for each in drawn)


def test_terms_other_than_those_that_were_shown_are_found_out() -> None:
    """The commitment may have been to them all along."""
    honest = played(SETTINGS[0])
    note = Note(honest["game"], honest["commitment"], honest["terms"].replace('"version":"1"', '"version":"2"'))
    assert "The terms were" in belied(note, honest)
    notes = Notes()
    notes.saw("g", "0" * 64, "these")
    with pytest.raises(Belied, match="terms were these and are those"):
        notes.saw("g", "0" * 64, "those")
