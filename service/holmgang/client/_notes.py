"""What a client saw and gave while a game's record could not yet be made to fit it, and what the record makes of it."""

from __future__ import annotations

import base64
import hashlib
import importlib
import json
import os
import re
import secrets
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from uuid import UUID

from holmgang.answers import JSON, GameRecord, Receipt

MOST_GAMES = 1000
"""Of which something is kept in memory; the oldest are forgotten first."""


class Belied(Exception):
    """The record of a game is not what this client saw and gave: chance may have been bent, or choices replaced.

    `differences` are sentences.
    """

    __module__ = "holmgang"

    def __init__(self, game: str, differences: Collection[str]) -> None:
        super().__init__(game, tuple(differences))
        self.game = game
        self.differences = tuple(differences)

    def __str__(self) -> str:
        return f"game {self.game} was not played as its record says: {' '.join(self.differences)}"


@dataclass(frozen=True)
class Verified:
    """A record that holds. `compared` says with which notes: of `commitment`, `entropy`, `choices`. `replayed` says
    whether it was also played again by the rules, which takes the games (`pip install 'holmgang[play]'`)."""

    compared: tuple[str, ...]
    replayed: bool


@dataclass(frozen=True)
class Note:
    """What is known of one game. `terms` are as the record spells them, `entropy` is as it was given, in base64url,
    `choices` are by turn, as they were acknowledged.
    """

    game: str
    commitment: str | None = None
    terms: str | None = None
    seat: int | None = None
    entropy: str | None = None
    choices: Mapping[int, JSON] = field(default_factory=dict)

    def written(self) -> JSON:
        """As `holmgang verify --notes` reads it."""
        choices = [{"turn": turn, "action": action} for turn, action in sorted(self.choices.items())]
        known = {
            "commitment": self.commitment,
            "terms": self.terms,
            "seat": self.seat,
            "entropy": self.entropy,
            "choices": choices,
        }
        return {"game": self.game, **{name: value for name, value in known.items() if value not in (None, [])}}


class Notes:
    """The notes of one player: in memory, and, if there is a folder, in a file a game that only its owner may read.

    With a folder they outlast the program. For threads.
    """

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        self.folder = None if folder is None else Path(folder)
        self._known: OrderedDict[str, Note] = OrderedDict()
        self._lock = threading.RLock()

    def of(self, game: str) -> Note:
        """What is known of the game, nothing perhaps."""
        with self._lock:
            return self._known.get(game) or self._read(game) or Note(game)

    def games(self) -> Iterator[str]:
        """Those with notes of a seat."""
        with self._lock:
            found = {game: None for game, note in self._known.items() if note.seat is not None}
            if self.folder is not None and self.folder.is_dir():
                found |= {file.stem: None for file in self.folder.glob("*.json") if self.of(file.stem).seat is not None}
        yield from found

    def keep(self, game: str, **changes: Any) -> Note:
        """Note something more of a game."""
        with self._lock:
            note = replace(self.of(game), **changes)
            self._known[game] = note
            self._known.move_to_end(game)
            if len(self._known) > MOST_GAMES:
                self._known.popitem(last=False)
            self._write(note)
            return note

    def forget(self, game: str) -> None:
        with self._lock:
            self._known.pop(game, None)
            if (file := self._file(game)) is not None:
                file.unlink(missing_ok=True)

    def saw(self, game: str, commitment: str | None, terms: str | None = None) -> Note:
        """Note commitment and terms. Raises Belied where others were seen before."""
        before = self.of(game)
        if before.commitment is not None and commitment != before.commitment:
            raise Belied(game, [f"Its commitment was {before.commitment} and is {commitment}."])
        if before.terms is not None and terms is not None and terms != before.terms:
            raise Belied(game, [f"Its terms were {before.terms} and are {terms}."])
        return self.keep(game, commitment=commitment, terms=terms or before.terms)

    def took(self, game: str, receipt: Receipt) -> None:
        """Note a choice that was acknowledged."""
        if {"seat", "turn", "action"} <= receipt.keys():
            choices = {**self.of(game).choices, receipt["turn"]: receipt["action"]}
            self.keep(game, seat=receipt["seat"], choices=choices)

    def forget_choice(self, game: str, turn: int) -> None:
        """Note that one is not sure any more what was chosen then."""
        self.keep(game, choices={at: action for at, action in self.of(game).choices.items() if at != turn})

    def _file(self, game: str) -> Path | None:
        if self.folder is None or re.fullmatch(r"[0-9A-Za-z-]{1,64}", game) is None:
            return None
        return self.folder / f"{game}.json"

    def _read(self, game: str) -> Note | None:
        file = self._file(game)
        if file is None:
            return None
        try:
            kept = json.loads(file.read_text(encoding="utf-8"))
            choices = {one["turn"]: one["action"] for one in kept.pop("choices", ())}
            return Note(**{**kept, "game": game}, choices=choices)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as fault:
            raise ValueError(f"{file} holds no notes of a game ({fault}): mend it or move it away") from None

    def _write(self, note: Note) -> None:
        """Whole or not at all."""
        if (file := self._file(note.game)) is None:
            return
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=".note-")  # with mode 600
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as unfinished:
                json.dump(note.written(), unfinished)
            os.replace(name, file)
        except BaseException:
            os.unlink(name)
            raise


def new_entropy() -> str:
    """A share of the chance that nobody can foresee, as the API takes it."""
    return base64.urlsafe_b64encode(secrets.token_bytes(32)).rstrip(b"=").decode()


def agreed(options: JSON, ruleset: str, seats: int, version: str) -> str:
    """The terms of a game in their one spelling."""
    terms = {"options": options, "ruleset": ruleset, "seats": seats, "version": version}
    return json.dumps(terms, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def differences(note: Note, record: GameRecord, bots: Collection[int]) -> list[str]:
    """Where the record is not what was noted, in sentences. Seats of built-in `bots` give no entropy."""
    found = []
    if record["game"] != note.game:
        found.append(f"The record is of game {record['game']}.")
    if note.commitment is not None and not note.commitment == record["commitment"] == _commitment(record):
        found.append(f"Game, terms and seed are not those of the commitment {note.commitment}.")
    if note.terms not in (None, record["terms"]):
        found.append(f"The terms were {note.terms}, and in the record they are {record['terms']}.")
    entropy = record["entropy"]
    if note.entropy is not None:
        gave = base64.urlsafe_b64decode(note.entropy + "=" * (-len(note.entropy) % 4)).hex()
        shown = entropy[note.seat] if note.seat is not None and note.seat < len(entropy) else None
        if shown != gave:
            found.append(f"The record shows {shown} as the entropy of seat {note.seat}, which gave {gave}.")
    found += [f"Seat {seat} is a built-in bot's, and the record shows entropy of it." for seat in bots if entropy[seat]]
    return found + _choices(note, record)


def _choices(note: Note, record: GameRecord) -> list[str]:
    """A turn that ended by resignation may lack a choice that was sealed."""
    rows = [line["entry"] for line in record["log"]]
    made = {row["turn"]: action for row in rows for seat, action in row.get("actions", ()) if seat == note.seat}
    found = []
    for turn, action in sorted(note.choices.items()):
        unplayed = turn not in made and rows and rows[-1]["turn"] == turn and rows[-1].get("resigned") is not None
        if not unplayed and made.get(turn) != action:
            found.append(
                f"At turn {turn} seat {note.seat} chose {json.dumps(action)} here, and the record shows "
                f"{json.dumps(made.get(turn))}: right only if it was replaced elsewhere."
            )
    return found


def _commitment(record: GameRecord) -> str | None:
    """What the record's game, terms and seed commit to; None where it makes no sense."""
    try:
        terms = agreed(record["options"], record["ruleset"], record["seats"], record["version"]).encode()
        game, seed = UUID(record["game"]).bytes, bytes.fromhex(record["seed"])
    except (ValueError, KeyError, TypeError):
        return None
    if record["terms"].encode() != terms:
        return None
    tag = b"holmgang-commitment-1"
    return hashlib.sha256(tag + game + len(terms).to_bytes(4, "big") + terms + seed).hexdigest()


def replayed(record: GameRecord) -> tuple[bool, str | None]:
    """Whether this game's rules are installed here, and the first thing that does not hold by them."""
    try:
        claims = importlib.import_module("holmgang.app.fairness.claims")
        judge = importlib.import_module("holmgang.app.fairness.verify")
    except ImportError:  # the client alone is installed
        return False, None
    try:
        verdict = judge.verify(claims.read_record(json.dumps(record).encode()))
    except claims.Unreadable:
        return False, None
    return True, None if verdict.holds else f"{verdict.difference.what} ({verdict.difference.where})"


def judged(note: Note, record: GameRecord, bots: Collection[int]) -> Verified:
    """Raises Belied."""
    found = differences(note, record, bots)
    again, fault = replayed(record)
    if fault is not None:
        found.append(fault)
    if found:
        raise Belied(note.game, found)
    compared = {"commitment": note.commitment, "entropy": note.entropy, "choices": note.choices}
    return Verified(tuple(name for name, there in compared.items() if there), again)
