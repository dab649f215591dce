"""A record that a server made by itself, fitting in all parts, is found out by what a player gave and noted."""

from __future__ import annotations

import base64
import copy
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from holmgang.app.fairness.claims import read_record
from holmgang.app.fairness.notes import Choice, NoEntropy, UnreadableNotes, read_notes, readings
from holmgang.app.fairness.verify import Verdict, verify
from holmgang.cli.commands.verify import command
from tests.unit.games import SETTINGS, Setting, each_setting
from tests.unit.records import Scribe

OTHER = b"another's choice!"


def judged(record: dict[str, Any], **noted: Any) -> Verdict:
    return verify(read_record(msgspec.json.encode(record)), **noted)


def shown(record: dict[str, Any], seat: int) -> tuple[bytes, ...]:
    entropy = record["entropy"][seat]
    return () if entropy is None else (bytes.fromhex(entropy),)


@each_setting
def test_entropy_that_was_replaced_added_or_dropped_is_found_out(setting: Setting) -> None:
    """Commitment, head, hashes and chance all fit the record: the server alone has made them."""
    honest = Scribe(setting.rules, setting.seats, 0).play().record()
    for seat in range(setting.seats):
        gave = shown(honest, seat)
        kept = judged(honest, noted_entropy={seat: gave})
        assert kept.holds
        assert kept.noted == (f"entropy/{seat}",)
        for other in (OTHER, None):
            bent = Scribe(setting.rules, setting.seats, 0, entropy={seat: other}).play().record()
            assert bent["commitment"] == honest["commitment"]
            if (bent["entropy"][seat] is None) == (not gave):
                continue  # it is what the seat gave
            notes = {"noted_commitment": honest["commitment"], "noted_head": bent["head"]}
            assert judged(bent, **notes).holds
            found = judged(bent, **notes, noted_entropy={seat: gave}).difference
            assert found is not None
            assert (found.where, found.found) == (f"/entropy/{seat}", bent["entropy"][seat])


@each_setting
def test_seats_that_changed_places_are_found_out(setting: Setting) -> None:
    honest = Scribe(setting.rules, setting.seats, 0).play().record()
    for seat in range(setting.seats):
        for place in set(range(setting.seats)) - {seat}:
            alike = shown(honest, place) == shown(honest, seat)  # as where both gave none
            assert judged(honest, noted_entropy={place: shown(honest, seat)}).holds == alike
    assert not judged(honest, noted_entropy={setting.seats: (OTHER,)}).holds


@each_setting
def test_a_choice_that_was_replaced_is_found_out(setting: Setting) -> None:
    """Each one that was made; and what the rules call the same choice is no other."""
    record = Scribe(setting.rules, setting.seats, 3).play().record()
    entries = [line["entry"] for line in record["log"]]
    made = [Choice(seat=seat, turn=e["turn"], action=a) for e in entries for seat, a in e.get("actions", ())]
    verdict = judged(record, noted_choices=made)
    assert verdict.difference is None
    assert verdict.noted == ("choices",)
    for n, choice in enumerate(made[:40]):
        other = next((m for m in made if m.action["type"] == choice.action["type"] and m.action != choice.action), None)
        wrong = [{"type": "nonsense"}] if other is None else [{"type": "nonsense"}, other.action]
        for action in wrong:
            found = judged(record, noted_choices=[*made[:n], msgspec.structs.replace(choice, action=action)]).difference
            alike = action == getattr(other, "action", None) and found is None
            assert alike or (found is not None and "not the choice that was noted" in found.what)
    absent = Choice(seat=0, turn=entries[-1]["turn"] + 1, action=made[0].action)
    found = judged(record, noted_choices=[absent]).difference
    assert found is not None
    assert "lacks the choice" in found.what


def test_another_game_is_found_out() -> None:
    record = Scribe(SETTINGS[0].rules, SETTINGS[0].seats, 0).play().record()
    assert judged(record, noted_game=record["game"].upper()).holds
    found = judged(record, noted_game="0" + record["game"][1:-1] + "f").difference
    assert found is not None
    assert found.where == "/game"


def base64url(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


@pytest.mark.parametrize("raw", [bytes(16), bytes(24), bytes(48), bytes(range(200, 220)), b"\xff" * 64])
def test_entropy_is_read_as_the_record_and_as_the_api_write_it(raw: bytes) -> None:
    """Zeros in base64url are all `A`, which is hexadecimal too: then both readings are tried."""
    for text in (raw.hex(), raw.hex().upper(), base64url(raw), f" {raw.hex()}\n"):
        assert raw in readings(text)


@pytest.mark.parametrize("text", ["", "ab", "g" * 20, "A" * 21, "A" * 87, "0" * 130, "é" * 32, "A" * 22 + "=="])
def test_what_is_no_entropy_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(NoEntropy, match="16 to 64 bytes"):
        readings(text)


# The command


@pytest.fixture
def record(tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    found = Scribe(SETTINGS[0].rules, 3, 0).play().record()
    path = tmp_path / "record.json"
    path.write_bytes(msgspec.json.encode(found))
    return path, found


def run(*arguments: object) -> tuple[int, str, str]:
    done = CliRunner().invoke(command, [str(each) for each in arguments])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
    return done.exit_code, done.stdout, done.stderr


def test_the_command_compares_what_seats_gave(record: tuple[Path, dict[str, Any]]) -> None:
    path, found = record
    notes = ("--commitment", found["commitment"], "--head", found["head"])
    code, told, _ = run(path, *notes)
    assert code == 0
    assert told.startswith("The record holds, if the entropy is what players saw and gave: ")
    given = [("--entropy", f"{seat}={entropy or 'none'}") for seat, entropy in enumerate(found["entropy"])]
    code, told, _ = run(path, *notes, *(part for option in given for part in option))
    assert code == 0
    assert told.startswith("The record holds: ")
    assert run(path, *notes, "--entropy", f"1={base64url(bytes.fromhex(found['entropy'][1]))}")[0] == 0
    for wrong in (f"1={OTHER.hex()}", f"2={found['entropy'][1]}", "1=none", f"0={OTHER.hex()}", f"9={OTHER.hex()}"):
        code, told, _ = run(path, *notes, "--entropy", wrong)
        assert code == 1, wrong
        assert "entropy" in told


@pytest.mark.parametrize("wrong", ["", "1", "=00", "x=00", "-1=00", "1=zz", "1=", "²=00", "1==00", f"1:{'00' * 16}"])
def test_the_command_refuses_what_is_no_entropy_of_a_seat(wrong: str, record: tuple[Path, dict[str, Any]]) -> None:
    code, told, said = run(record[0], "--entropy", wrong)
    assert (code, told) == (2, "")
    assert "Invalid value for '--entropy'" in said


def test_the_command_reads_the_notes_that_clients_keep(tmp_path: Path, record: tuple[Path, dict[str, Any]]) -> None:
    path, found = record
    [mine] = [
        [line["entry"]["turn"], action]
        for line in found["log"][1:2]
        for seat, action in line["entry"]["actions"]
        if seat == 1
    ]
    kept = {
        **{name: found[name] for name in ("game", "commitment", "terms", "head")},
        "seat": 1,
        "entropy": base64url(bytes.fromhex(found["entropy"][1])),
        "choices": [{"turn": mine[0], "action": mine[1]}],
    }
    notes = tmp_path / "notes.json"

    def told(changed: dict[str, Any], *more: str) -> tuple[int, str, str]:
        notes.write_text(json.dumps({**kept, **changed}), encoding="utf-8")
        return run(path, "--notes", notes, *more)

    code, said, _ = told({})
    assert code == 0
    assert said.startswith("The record holds: ")
    wrong = copy.deepcopy(mine[1])
    wrong["type"] = "pass"
    for name, other in {
        "game": "00000000-0000-7000-8000-000000000000",
        "commitment": "0" * 64,
        "terms": found["terms"] + " ",
        "head": "0" * 64,
        "entropy": base64url(OTHER),
        "choices": [{"turn": mine[0], "action": wrong}],
    }.items():
        assert told({name: other})[0] == 1, name
    assert told({"seat": 2})[0] == 1
    code, _, said = told({}, "--entropy", f"1={OTHER.hex()}")
    assert code == 2
    assert "noted twice" in said
    assert told({"seat": None})[0] == 2


@pytest.mark.parametrize(
    "raw", [b"", b"[]", b"{", b'{"entropy": "x"}', b'{"seat": -1}', b'{"choices": 1}', b"\xff", b"[" * 9999]
)
def test_what_are_no_notes_is_refused_in_a_sentence(raw: bytes) -> None:
    with pytest.raises(UnreadableNotes, match="notes"):
        read_notes(raw)
