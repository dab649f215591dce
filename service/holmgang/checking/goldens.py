"""Goldens: whole random games told as readable text, and a picture, kept as files to be compared and read."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from holmgang.engine.game import Game
from holmgang.engine.messages import ENGLISH, Tongue
from holmgang.engine.turn import Await, Chance, Over

from .walks import Moment, walk

RESIGNING_SEED, RESIGNING = 8, 0.02
PICTURE = "board.svg"
PICTURE_SEED, PICTURE_SEAT = 5, 1


class Playthrough(NamedTuple):
    """A game that is told. `resigning`: the chance that a seat resigns before a choice."""

    name: str
    seats: int
    seed: int
    resigning: float = 0.0


def playthroughs(game: Game) -> list[Playthrough]:
    """One for each number of players, and one in which seats resign."""
    counts = sorted(game.rules.seat_counts)
    several = counts[-2:][0]
    found = [Playthrough(f"{seats}-players", seats, seats) for seats in counts]
    return [*found, Playthrough(f"{several}-players-resigning", several, RESIGNING_SEED, RESIGNING)]


def goldens(game: Game) -> Mapping[str, str]:
    """The texts of all golden files by name."""
    told = {f"{each.name}.txt": tell(game, each) for each in playthroughs(game)}
    return {**told, PICTURE: picture(game)}


def differing(game: Game, folder: Path) -> list[str]:
    """A sentence for each golden file of the folder that is not as it should be."""
    found = []
    wanted = goldens(game)
    for name, text in wanted.items():
        path = folder / name
        if not path.is_file():
            found.append(f"{path} is missing")
            continue
        old, new = path.read_text(encoding="utf-8").splitlines(), text.splitlines()
        pairs = zip([*old, ""], [*new, ""], strict=False)
        number = next((n for n, (here, there) in enumerate(pairs, 1) if here != there), None)
        if number is not None:
            here, there = (lines[number - 1] if number <= len(lines) else "nothing" for lines in (old, new))
            found.append(f"{path} differs from line {number} on: kept is {here[:100]!r}, played is {there[:100]!r}")
        elif old != new:
            found.append(f"{path} has {len(old)} lines, {len(new)} are played")
    known = {*wanted}
    left = sorted(path for path in folder.glob("*-players*.txt") if path.name not in known)
    return [*found, *(f"{path} is of no game any more" for path in left)]


def write(game: Game, folder: Path) -> list[Path]:
    """Write all golden files into the folder, which is made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in goldens(game).items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in goldens(game)]


def picture(game: Game, tongue: Tongue = ENGLISH) -> str:
    """Seat 1's picture, in the middle of a game with a fixed seed and neither least nor most players."""
    rules, counts = game.rules, sorted(game.rules.seat_counts)
    config = rules.configure(counts[(len(counts) - 1) // 2], {})
    states = list(walk(rules, config, random.Random(PICTURE_SEED)).states())  # noqa: S311 # goldens are to be repeatable
    state = states[min(int(game.laws.picture_at * len(states)), len(states) - 1)]
    return rules.picture(rules.view(state, PICTURE_SEAT), "auto", tongue)


def tell(game: Game, playthrough: Playthrough) -> str:
    """A whole game as text: turns, choices, events in words, the board each round, the result."""
    return "\n".join(_lines(game, playthrough)) + "\n"


def _lines(game: Game, playthrough: Playthrough) -> Iterator[str]:
    rules, board_at = game.rules, game.laws.board_at
    config = rules.configure(playthrough.seats, {})
    rng = random.Random(playthrough.seed)  # noqa: S311 # likewise
    played = walk(rules, config, rng, resigning=playthrough.resigning)
    yield f"{rules.title}, rules {rules.version}, {playthrough.seats} players, seed {playthrough.seed}"
    shown = 0
    for moment in played.moments:
        turn = moment.turn
        if type(turn) is Await and board_at in (None, turn.kind) and turn.turn != shown:
            shown = turn.turn
            yield from ("", rules.render(rules.view(moment.before, None)), "")
        yield _heading(moment)
        for effect in moment.step.effects:
            yield f"    {rules.tell(effect)}"
    yield from ("", rules.render(rules.view(played.last, None)), "")
    over = rules.turn(played.last)
    assert type(over) is Over
    yield f"over: {over.reason}; scores {_words(over.scores)}; ranking {_words(over.ranking)}"


def _heading(moment: Moment) -> str:
    turn = moment.turn
    if type(turn) is Chance:
        return f"chance {turn.label}: {moment.value} of {turn.stop}"
    assert type(turn) is Await
    if moment.resigned is not None:
        return f"turn {turn.turn} {turn.kind}: seat {moment.resigned} resigns"
    return f"turn {turn.turn} {turn.kind}: seat {moment.seat}: {_tagged(msgspec.to_builtins(moment.action))}"


def _tagged(fields: dict[str, Any]) -> str:
    """`{"type": "viking_wounded", "seat": 1}` as `viking wounded: seat 1`."""
    name = str(fields.pop("type")).replace("_", " ")
    told = ", ".join(f"{key.replace('_', ' ')} {_words(value)}" for key, value in fields.items() if value is not None)
    return f"{name}: {told}" if told else name


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} {_words(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + " ".join(_words(inner) for inner in value) + "]"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "nobody" if value is None else str(value)
