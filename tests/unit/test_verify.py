"""A record holds when the game went like that, and every way to change it is found out."""

from __future__ import annotations

import copy
import json
import random
import re
import time
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from holmgang import registry
from holmgang.app.fairness import claims
from holmgang.app.fairness.claims import Unreadable, read_record
from holmgang.app.fairness.verify import Difference, Verdict, verify
from holmgang.cli.commands.verify import command
from tests.unit.games import SETTINGS, Setting, each_setting
from tests.unit.records import Scribe, briefly, forged


def judged(record: Any, commitment: str | None = None, head: str | None = None) -> Verdict:
    return verify(read_record(msgspec.json.encode(record)), noted_commitment=commitment, noted_head=head)


def difference(record: Any) -> Difference:
    verdict = judged(record)
    assert not verdict.holds
    assert verdict.difference is not None
    return verdict.difference


def rejected(record: Any, honest: dict[str, Any]) -> bool:
    """Whether somebody who noted the honest record's commitment and head rejects this one."""
    try:
        return not judged(record, honest["commitment"], honest["head"]).holds
    except Unreadable:
        return True


def scribe(ruleset: str, seats: int, seed: int = 0, options: dict[str, Any] | None = None) -> Scribe:
    return Scribe(registry.latest(ruleset), seats, seed, options)


@cache
def short(setting: Setting) -> dict[str, Any]:
    """A short game with sealed turns, chance, and seats or sides that resign until one is left. Not to be changed."""
    writer = Scribe(setting.rules, setting.seats, 0).play(6)
    while not writer.over:
        writer.resign()
        writer.play(1)
    return writer.record()


EKETORP = next(setting for setting in SETTINGS if setting.ruleset == "eketorp")
FEWEST = [next(setting for setting in SETTINGS if setting.ruleset == name) for name in registry.names()]


@each_setting
@pytest.mark.parametrize("resigning", [0.0, 0.02, 0.3])
def test_every_game_of_random_play_holds(setting: Setting, resigning: float) -> None:
    for number, options in enumerate(setting.laws.options):
        writer = Scribe(setting.rules, setting.seats, number, options)
        record = writer.play(resigning=resigning).record()
        verdict = judged(record, record["commitment"].upper(), record["head"])
        assert verdict.difference is None
        assert verdict.holds
        assert (verdict.rows, verdict.draws) == (len(record["log"]), writer.dice.drawn)
        assert verdict.noted == ("commitment", "head")
        assert verdict.unchecked == ()


# Changes of single values


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any, Callable[[Any], None]]]:
    """Every value without members: its path, itself, and how to put another in its place."""
    members = value.items() if isinstance(value, dict) else enumerate(value)
    for name, member in list(members):
        if isinstance(member, (dict, list)) and member:
            yield from leaves(member, f"{path}/{name}")
        else:
            yield f"{path}/{name}", member, partial(value.__setitem__, name)


def others(value: Any) -> list[Any]:
    """Values near this one, of the same type and of others; the nearest first."""
    if isinstance(value, bool) or value is None:
        return ["00" * 16, not value, 0, ""]
    if isinstance(value, int):
        return [value + 1, value - 1, value + 0.5, str(value), value == 1, 2**63 - 1, None]
    if isinstance(value, str):
        near = value[:-1] + ("0" if value[-1:] != "0" else "1")
        return [near, value + " ", value.swapcase() if value.swapcase() != value else value * 2, "", 0, None, [value]]
    return [[0], {"": 0}, None]


def members(value: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Every member of every object and list: its path, its container, its name."""
    for name, member in list(value.items() if isinstance(value, dict) else enumerate(value)):
        yield f"{path}/{name}", value, name
        if isinstance(member, (dict, list)):
            yield from members(member, f"{path}/{name}")


def withstands(changed: Any, honest: dict[str, Any]) -> bool:
    """Rejected with the digests as they are, and with those that a forger makes, unless they undo the change."""
    mended = forged(changed)
    return rejected(changed, honest) and (mended == honest or rejected(mended, honest))


def every_change_of_a_value_is_rejected(honest: dict[str, Any], tried: Callable[[list[Any]], list[Any]]) -> None:
    assert not rejected(honest, honest)
    changed = copy.deepcopy(honest)
    for path, value, put in leaves(changed):
        for other in tried(others(value)):
            put(other)
            assert withstands(changed, honest), (path, value, other)
        put(value)
    assert changed == honest


def every_member_left_out_or_doubled_is_rejected(honest: dict[str, Any], tried: Callable[[], bool]) -> None:
    changed = copy.deepcopy(honest)
    for path, container, name in members(changed):
        if not tried():
            continue
        kept = copy.copy(container)
        del container[name]
        assert withstands(changed, honest), path
        if isinstance(container, list):
            container[:] = [*kept[: name + 1], *kept[name:]]
            assert withstands(changed, honest), path
            container[:] = kept
        else:
            container[name] = kept[name]
    assert changed == honest


@pytest.mark.parametrize("setting", FEWEST, ids=str)
def test_a_change_of_any_value_is_rejected(setting: Setting) -> None:
    """With the digests as they were, and with those that a forger would make."""
    rng = random.Random(5)
    every_change_of_a_value_is_rejected(short(setting), lambda found: [found[0], rng.choice(found[1:])])


@pytest.mark.parametrize("setting", FEWEST, ids=str)
def test_a_member_left_out_or_doubled_is_rejected(setting: Setting) -> None:
    rng = random.Random(7)
    every_member_left_out_or_doubled_is_rejected(short(setting), lambda: rng.random() < 0.4)


@pytest.mark.slow
@each_setting
def test_every_change_of_every_value_and_member_is_rejected(setting: Setting) -> None:
    every_change_of_a_value_is_rejected(short(setting), list)
    every_member_left_out_or_doubled_is_rejected(short(setting), lambda: True)


def test_fields_of_later_releases_are_named_as_unchecked() -> None:
    record = copy.deepcopy(short(EKETORP))
    record["later"] = record["unchecked"] = 1
    record["result"]["stars"] = 5
    record["log"][3]["weather"] = "fog"
    verdict = judged(record)
    assert verdict.holds
    assert verdict.unchecked == ("/later", "/unchecked", "/log/*/weather", "/result/stars")


# Cheats: games played to their ends, with every digest right


def cheat(writer: Scribe, known: dict[str, list[Any]]) -> tuple[Any, str] | None:
    """Write a row in which a seat does what it did or another did earlier, and may not do now: it, and the rule.

    None where nothing is illegal that the rules' `apply`, which trusts its caller, can go on from.
    """
    asked = writer.turn
    choices = dict(writer.choices(sorted(asked.seats)))
    before = writer.dice.drawn
    for seat in asked.seats:
        space = writer.rules.moves(writer.state, seat)
        for action in known.get(asked.kind, [])[-8:]:
            fault = space.why_not(action)
            if fault is None:
                continue
            try:
                with briefly():
                    writer.write(turn=asked.turn, kind=asked.kind, actions=sorted({**choices, seat: action}.items()))
            except Exception:
                writer.dice.drawn = before
            else:
                return action, fault.rule
    known.setdefault(asked.kind, []).extend(choices.values())
    return None


@each_setting
def test_an_illegal_action_is_rejected_with_its_rule(setting: Setting) -> None:
    """The game goes on from it to the end as if nothing was wrong, and every digest fits."""
    found = False
    for seed in range(40):
        writer = Scribe(setting.rules, setting.seats, seed)
        writer.play(writer.rng.randrange(10))
        known: dict[str, list[Any]] = {}
        done = None
        while not writer.over:
            row = len(writer.log)
            done = cheat(writer, known)
            if done is not None:
                break
            writer.choose()
        if done is None:
            continue
        try:
            with briefly(1.0):
                record = writer.play().record()
        except Exception:  # noqa: S112 # the rules could not go on from there
            continue
        first = difference(record)
        assert (first.row, first.rule) == (row, done[1])
        assert first.found == json.loads(msgspec.json.encode(done[0]))
        found = True
        break
    assert found


@each_setting
def test_a_loaded_die_is_rejected(setting: Setting) -> None:
    for seed in range(3):
        fair = Scribe(setting.rules, setting.seats, seed).play().dice.drawn
        writer = Scribe(setting.rules, setting.seats, seed, loaded=random.Random(seed).randrange(fair)).play()
        if writer.loaded_row is None:
            continue  # only sure draws were left
        first = difference(writer.record())
        assert first.row == writer.loaded_row
        assert re.fullmatch(r"/log/\d+/entry/chance/\d+", first.where)
        assert first.expected[0] == first.found[0]
        assert first.expected[1] != first.found[1]


def test_chance_values_left_out_or_too_many_are_rejected() -> None:
    honest = scribe("drakkars", 2).play().record()
    for row, line in enumerate(honest["log"][:20]):
        chance = line["entry"].get("chance", [])
        for wrong in ([*chance, ["card", 0]], [["card", 0], *chance], chance[:-1], chance[1:]):
            if wrong == chance:
                continue
            changed = copy.deepcopy(honest)
            changed["log"][row]["entry"]["chance"] = wrong
            if not wrong:
                del changed["log"][row]["entry"]["chance"]
            first = difference(forged(changed))
            assert first.row == row
            assert first.where.startswith(f"/log/{row}/entry/chance/")


def test_a_choice_of_a_seat_that_is_not_awaited_is_rejected() -> None:
    for ruleset, seats in (("claim", 3), ("drakkars", 3), ("eketorp", 4)):
        honest = scribe(ruleset, seats).play().record()
        alone = [row for row, line in enumerate(honest["log"]) if len(line["entry"].get("actions", ())) == 1]
        for row in random.Random(ruleset).sample(alone, 3):
            actions = honest["log"][row]["entry"]["actions"]
            seat, action = actions[0]
            for wrong in ([[(seat + 1) % seats, action]], [[seat, action], [seat, action]], [[seats, action]], []):
                changed = copy.deepcopy(honest)
                changed["log"][row]["entry"]["actions"] = wrong
                first = difference(forged(changed))
                assert first.row == row
                assert first.where.startswith(f"/log/{row}/entry")


def test_a_sealed_turn_is_played_by_all_who_are_asked_and_in_seat_order() -> None:
    honest = scribe("eketorp", 4).play().record()
    for wrong in ([0, 1, 2], [1, 0, 2, 3], [0, 1, 2, 3, 3], [0, 1, 2, 2]):
        changed = copy.deepcopy(honest)
        actions = honest["log"][1]["entry"]["actions"]
        changed["log"][1]["entry"]["actions"] = [actions[seat] for seat in wrong]
        first = difference(forged(changed))
        assert (first.row, first.where) == (1, "/log/1/entry/actions")
        assert (first.expected, first.found) == ([0, 1, 2, 3], wrong)


@pytest.mark.parametrize("ruleset", registry.names())
def test_rows_left_out_doubled_or_exchanged_are_rejected(ruleset: str) -> None:
    writer = scribe(ruleset, 3).play(40)
    writer.resign()
    honest = writer.play().record()
    rows = honest["log"]
    for at in random.Random(ruleset).sample(range(len(rows)), 8):
        for log in (
            rows[:at] + rows[at + 1 :],
            rows[: at + 1] + rows[at:],
            [*rows[:at], *rows[at : at + 2][::-1], *rows[at + 2 :]],
            rows[:at],
        ):
            if log == rows:
                continue
            changed = copy.deepcopy({**honest, "log": log})
            for seq, line in enumerate(changed["log"]):
                line["seq"] = seq
            first = difference(forged(changed))
            assert first.row is not None
            assert first.row >= at


def test_rows_after_the_end_are_rejected() -> None:
    for setting in SETTINGS:
        honest = short(setting)
        end = len(honest["log"])
        for entry in ({"turn": honest["log"][-1]["entry"]["turn"], "resigned": 0}, honest["log"][1]["entry"]):
            changed = copy.deepcopy(honest)
            changed["log"].append({**honest["log"][-1], "seq": end, "entry": entry})
            first = difference(forged(changed))
            assert first.row == end, setting
            assert "too many" in first.what


def test_a_log_that_stops_before_the_end_is_rejected() -> None:
    honest = scribe("eketorp", 3).play().record()
    first = difference(forged({**honest, "log": honest["log"][:10]}))
    assert (first.row, first.where) == (10, "/log/10")
    assert "awaits" in first.what
    assert difference({**honest, "log": []}).row == 0


def test_nobody_resigns_twice_or_from_no_seat_or_with_choices_of_others() -> None:
    def after(**cheat: Any) -> Difference:
        writer = scribe("eketorp", 5).play(3)
        while len(writer.turn.seats) < 4:
            writer.choose()
        writer.resign(1)
        row, asked = len(writer.log), writer.turn
        actions = writer.choices(cheat.get("choosing", ()))
        writer.write(turn=asked.turn, kind=asked.kind, actions=actions, resigned=cheat["seat"])
        first = difference(writer.play().record())
        assert first.row == row
        return first

    assert after(seat=1).where.endswith("/resigned")
    assert after(seat=2, choosing=[0]).where.endswith("/actions")
    assert after(seat=2, choosing=[2, 0]).where.endswith("/actions")
    honest = short(EKETORP)
    row = next(n for n, line in enumerate(honest["log"]) if "resigned" in line["entry"])
    for wrong in (3, -1, 2**40):
        changed = copy.deepcopy(honest)
        changed["log"][row]["entry"]["resigned"] = wrong
        assert difference(forged(changed)).where == f"/log/{row}/entry/resigned"


def test_a_partner_does_not_resign_again() -> None:
    writer = scribe("drakkars", 4).play(10)
    writer.resign(0)
    row, asked = len(writer.log), writer.turn
    assert writer.over or asked.seats
    if not writer.over:
        writer.write(turn=asked.turn, kind=asked.kind, resigned=2)
        assert difference(writer.play().record()).row == row


def test_another_result_is_rejected() -> None:
    changed = copy.deepcopy(short(EKETORP))
    changed["result"]["winners"] = [0, 1, 2]
    first = difference(changed)
    assert (first.where, first.row, first.found) == ("/result/winners", None, [0, 1, 2])
    del changed["result"]["winners"]
    assert difference(changed).where == "/result/winners"


def test_a_whole_other_game_is_found_out_by_what_was_noted() -> None:
    """Everything in it fits together; without a note it holds, and the verdict says what it was not compared with."""
    noted = scribe("eketorp", 3, 1).play().record()
    other = scribe("eketorp", 3, 2).play().record()
    assert judged(other).holds
    assert judged(other).noted == ()
    by_commitment = judged(other, noted["commitment"]).difference
    by_head = judged(other, head=noted["head"]).difference
    assert by_commitment is not None
    assert by_head is not None
    assert (by_commitment.where, by_head.where) == ("/commitment", "/head")
    assert by_commitment.expected == noted["commitment"]
    assert by_head.found == other["head"]


def test_an_entry_has_one_form() -> None:
    """Also where no digest tells: a member more, a default spelled out, a kind where nothing is chosen."""
    honest = short(EKETORP)
    resigned = next(n for n, line in enumerate(honest["log"]) if set(line["entry"]) == {"turn", "resigned"})
    for row, more in (
        (1, {"by": 0}),
        (1, {"resigned": None}),
        (0, {"kind": None}),
        (0, {"actions": []}),
        (0, {"turn": 1}),
        (0, {"resigned": 1}),
        (resigned, {"chance": []}),
        (resigned, {"kind": honest["log"][1]["entry"]["kind"]}),
    ):
        changed = copy.deepcopy(honest)
        changed["log"][row]["entry"].update(more)
        for record in (changed, forged(changed)):
            first = difference(record)
            assert first.row == row
            assert first.where.startswith(f"/log/{row}/entry")


def test_there_is_one_entropy_a_seat() -> None:
    honest = short(EKETORP)
    assert difference(forged({**honest, "entropy": [*honest["entropy"], None]})).where == "/entropy"
    assert difference(forged({**honest, "entropy": honest["entropy"][:-1]})).where == "/entropy"


def test_options_must_be_whole_canonical_and_allowed() -> None:
    honest = scribe("claim", 2).play().record()
    for options in ({}, {**honest["options"], "first_player": 7}, {**honest["options"], "more": 1}):
        assert difference(forged({**honest, "options": options})).where == "/options"
    parts = [{**part, "x": part["x"] + 1} for part in honest["options"]["layout"]]
    shifted = difference(forged({**honest, "options": {**honest["options"], "layout": parts}}))
    assert "canonical" in shifted.what
    assert difference({**honest, "options": {**honest["options"], "first_player": 7}}).rule == "C1"
    assert difference({**honest, "seats": 9}).where == "/seats"


@pytest.mark.parametrize("setting", FEWEST, ids=str)
def test_values_of_any_kind_never_break_the_check(setting: Setting) -> None:
    """Not even where the rules would fail on them: whatever is put in, there is a verdict or a sentence."""
    honest = short(setting)
    rng = random.Random(3)
    odd = [[], {}, [[]], {"type": "x"}, "", "\0", "\U0001f409", -1, 10**18, 0.5, True, None, "A", ["A"] * 50, {"": {}}]
    changed = copy.deepcopy(honest)
    for _, container, name in members(changed):
        kept = container[name]
        other = rng.choice(odd)
        container[name] = other
        assert rejected(changed, honest) or other == kept
        container[name] = kept


# Files


def nested(depth: int) -> bytes:
    return b"[" * depth + b"]" * depth


UNREADABLE: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "not JSON"),
    "no JSON": (b"{'game': 1}", "not JSON"),
    "half": (b'{"game": "', "not JSON"),
    "two values": (b"{} {}", "not JSON"),
    "UTF-16": ('{"game": 1}'.encode("utf-16"), "byte order mark of UTF-16"),
    "UTF-16, the other way round": (b"\xfe\xff" + '{"game": 1}'.encode("utf-16-be"), "byte order mark of UTF-16"),
    "Latin-1": ('{"game": "\xe9"}'.encode("latin-1"), "not UTF-8"),
    "another value": (b"[]", "not a JSON object"),
    "another object": (b'{"status": 404}', "missing required field `game`"),
    "NaN": (b'{"seats": NaN}', "NaN"),
    "infinite": (b'{"seats": 1e999}', "too large"),
    "huge": (b'{"seats": 1' + b"0" * 30 + b"}", "64 bits"),
    "huger": (b'{"seats": 1' + b"0" * 100_000 + b"}", "64 bits"),
    "deep": (b'{"game": ' + nested(100) + b"}", "deeper than 64"),
    "deeper": (nested(1_000_000), "deeper than 64"),
    "many": (b"[" + b"[]," * 3_000_000 + b"0]", "more values"),
    "twice": (b'{"game": 1, "seed": 2, "game": 1}', '"game" occurs twice'),
    "half a pair": (b'{"game": "\\ud800"}', "surrogate"),
    "half a pair as a name": (b'{"\\udfff": 1}', "surrogate"),
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_a_file_that_is_no_record_is_refused_in_a_sentence(case: str) -> None:
    raw, says = UNREADABLE[case]
    with pytest.raises(Unreadable, match=re.escape(says)) as refused:
        read_record(raw)
    assert len(str(refused.value)) < 300
    assert str(refused.value).endswith(".")


def test_wrong_types_and_missing_fields_are_named() -> None:
    honest = short(EKETORP)
    for name in honest:
        rest = {n: value for n, value in honest.items() if n != name}
        with pytest.raises(Unreadable, match=f"`{name}`"):
            judged(rest)
        with pytest.raises(Unreadable, match=re.escape(f"$.{name}")):
            judged({**honest, name: 0.5})
    changed = copy.deepcopy(honest)
    changed["log"][2]["seq"] = "2"
    with pytest.raises(Unreadable, match=re.escape("$.log[2].seq")):
        judged(changed)


def test_a_game_of_unknown_rules_cannot_be_checked() -> None:
    honest = short(EKETORP)
    for change in ({"version": "99"}, {"ruleset": "hnefatafl" * 1000}):
        with pytest.raises(Unreadable, match="does not know"):
            judged({**honest, **change})


def test_a_file_beyond_the_limit_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "MOST_BYTES", 1_000_000)
    with pytest.raises(Unreadable, match="larger than 1 MB"):
        read_record(b" " * 1_000_001)


def test_a_row_of_any_length_is_dealt_with_at_once() -> None:
    changed = copy.deepcopy(short(EKETORP))
    for count in (5_000, 500_000):
        changed["log"][1]["entry"]["actions"][0][1] = {"type": "place", "fields": {}, "sieges": ["1:ram"] * count}
        before = time.perf_counter()
        assert difference(changed).row == 1
        assert time.perf_counter() - before < 5


def test_a_byte_order_mark_and_white_space_do_not_matter() -> None:
    honest = short(EKETORP)
    assert verify(read_record(b"\xef\xbb\xbf" + json.dumps(honest, indent=4, sort_keys=True).encode())).holds


# The command


@pytest.fixture
def honest_file(tmp_path: Path) -> Path:
    path = tmp_path / "record.json"
    path.write_bytes(msgspec.json.encode(short(EKETORP)))
    return path


def run(*arguments: object, given: bytes | None = None) -> tuple[int, str, str]:
    done = CliRunner().invoke(command, [str(each) for each in arguments], input=given)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
    return done.exit_code, done.stdout, done.stderr


def test_the_command_says_that_a_record_holds(honest_file: Path) -> None:
    honest = short(EKETORP)
    code, told, _ = run(honest_file)
    assert code == 0
    assert told.startswith("The record holds, if the commitment, the entropy and the head are what players saw and")
    assert "--commitment" in told
    assert "--entropy SEAT=HEX" in told
    assert "--head" in told
    assert "Not covered" not in told
    given = ("--entropy", f"1={honest['entropy'][1]}")
    notes = ("--commitment", honest["commitment"].upper(), "--head", honest["head"], *given)
    code, told, _ = run(honest_file, *notes)
    assert code == 0
    assert told.startswith("The record holds: eketorp 1, 3 seats")
    assert "--" not in told
    assert run("-", *notes, given=honest_file.read_bytes()) == (0, told, "")
    code, told, _ = run(honest_file, *notes, "--json")
    assert code == 0
    assert json.loads(told)["holds"] is True


def test_the_command_shows_the_first_difference(honest_file: Path) -> None:
    changed = copy.deepcopy(short(EKETORP))
    seat, action = changed["log"][1]["entry"]["actions"][0]
    action["fields"] = {"A": 8, "B": 8}
    honest_file.write_bytes(msgspec.json.encode(forged(changed)))
    code, told, _ = run(honest_file)
    assert code == 1
    assert re.search(rf"differs in row 1.*\n  Seat {seat} may not do this: .*\[E[\d.]+\]\n", told)
    code, told, _ = run(honest_file, "--json")
    assert code == 1
    answer = json.loads(told)
    assert (answer["holds"], answer["rows"], answer["difference"]["row"]) == (False, 1, 1)
    assert answer["difference"]["rule"].startswith("E")
    honest_file.write_bytes(msgspec.json.encode(short(EKETORP)))
    code, told, _ = run(honest_file, "--head", "0" * 64)
    assert code == 1
    assert "differs outside the log" in told
    assert f'expected  "{"0" * 64}"' in told


def test_the_command_refuses_what_it_cannot_read(tmp_path: Path, honest_file: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_bytes(b'{"\x1b[31mred": 1, "\x1b[31mred": 1}')
    for name in (broken, tmp_path, tmp_path / "nowhere.json", "\0"):
        code, told, said = run(name)
        assert (code, told) == (2, "")
        assert "cannot be checked" in said
        assert "\x1b" not in said
        assert "Traceback" not in said
        code, told, _ = run(name, "--json")
        assert code == 2
        assert json.loads(told)["holds"] is None
    for wrong in ("abc", "g" * 64, "0" * 65):
        code, _, said = run(honest_file, "--head", wrong)
        assert code == 2
        assert "64 hexadecimal digits" in said


def test_what_a_stranger_wrote_does_not_reach_the_terminal(honest_file: Path) -> None:
    changed = copy.deepcopy(short(EKETORP))
    changed["terms"] = "\x1b[2J\u202e" + "x" * 10_000
    changed["\x1b[31m"] = 1
    honest_file.write_bytes(msgspec.json.encode(changed))
    code, told, _ = run(honest_file)
    assert code == 1
    assert told.replace("\n", "").isprintable()
    assert len(told) < 2_000
