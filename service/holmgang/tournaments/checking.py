"""Whether a tournament went as it had to: all of it is computed again from what is public.

The seed by which lots are drawn is committed to when a tournament is made, and public once it starts. The commitment is
SHA-256 over the tag `holmgang-tournament-1`, the tournament's id (16 bytes), the length (4 bytes, big-endian) and the
bytes of what was agreed, and the seed. What was agreed is canonical JSON: keys sorted, no white space. Terms that are
null are left out, so that those which a later release adds change nothing of earlier tournaments.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from .course import KINDS, Form, byes, games_left, next_round, seats_of, total
from .meetings import Meeting, Pairing, Player, Table, lot, meeting

SEED_BYTES = 32


class Game(Struct, frozen=True):
    """A game of a table: who sat where, the ranks by seat from 1, and who did not turn up."""

    players: Table
    ranks: tuple[int, ...]
    absent: tuple[Player, ...] = ()


class PlayedTable(Struct, frozen=True):
    """A table with its games. `counted` is its number in the order of counting; None for one that is not, whose points
    are empty."""

    players: Table
    games: tuple[Game, ...]
    points: tuple[float, ...]
    counted: int | None


class PlayedRound(Struct, frozen=True):
    """A pairing: who was there, who sat out, its tables by number, and how many tables had been counted before it."""

    present: tuple[Player, ...]
    byes: tuple[Player, ...]
    known: int
    tables: tuple[PlayedTable, ...]


def agreed(form: Form, terms: Mapping[str, Any]) -> bytes:
    """What is committed to beside the seed: how players are paired, and the terms of the games."""
    told = {
        "kind": form.kind,
        "seats": form.wanted,
        "sizes": form.allowed,
        "rounds": form.rounds,
        "games": form.games,
        "tie_breaks": form.tie_breaks,
        "terms": {name: value for name, value in terms.items() if value is not None},
    }
    return json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def commitment(ident: bytes, agreement: bytes, seed: bytes) -> bytes:
    """What is published of a seed before it is known."""
    told = b"holmgang-tournament-1" + ident + len(agreement).to_bytes(4, "big") + agreement + seed
    return hashlib.sha256(told).digest()


def numbered(ratings: Mapping[Player, float], seed: str) -> list[Player]:
    """Players by their numbers: the strongest first, and by lot where ratings are the same."""
    return sorted(ratings, key=lambda player: (-ratings[player], lot(seed, "number", player)))


def meeting_of(number: int, game: Game) -> Meeting:
    """What came of a game. Where nobody has ranks all are level."""
    return meeting(number, game.players, game.ranks or (1,) * len(game.players), absent=game.absent)


def faults(
    form: Form, ratings: Mapping[Player, float], players: Sequence[Player], rounds: Sequence[PlayedRound]
) -> Iterator[str]:
    """What is not as it had to be, in words; nothing where all is. `players` come by their numbers. The last round may
    still be played. Of arenas and ladders, where it matters how long somebody has waited, it is not said who had to
    meet whom, but who could not."""
    if form.kind not in KINDS:
        yield from _faults_without_rounds(form, rounds)
        return
    if list(players) != numbered(ratings, form.seed):
        yield "The players are not numbered by their ratings and by lot."
    met: list[Meeting] = []
    for number, played in enumerate(rounds, start=1):
        given = Pairing(tuple(table.players for table in played.tables), played.byes)
        if [player for player in players if player in set(played.present)] != list(played.present):
            yield f"Round {number}: those who are there do not come by their numbers."
        paired = next_round(form, players, played.present, met, number)
        if paired != given:
            yield f"Round {number} is not paired as it had to be."
        met += byes(form, players, number, given)
        for at, table in enumerate(played.tables, start=1):
            yield from _faults_of_table(form, number, at, table, len(given.tables) + len(given.byes))
            if table.counted is not None:
                met.append(total(number, table.players, [meeting_of(number, game) for game in table.games]))
            elif number < len(rounds):
                yield f"Round {number}, table {at} was not counted before the next round."


def _faults_without_rounds(form: Form, rounds: Sequence[PlayedRound]) -> Iterator[str]:
    last: dict[Player, int | None] = {}
    for number, played in enumerate(rounds, start=1):
        seated = [player for table in played.tables for player in table.players]
        if sorted([*seated, *played.byes]) != sorted(played.present):
            yield f"Round {number}: not all who are there are at one table or wait."
        for player in seated:
            before = last.get(player, 0)
            if before is None or before > played.known:
                yield f"Round {number}: {player} was still at another table."
        for at, table in enumerate(played.tables, start=1):
            if len(table.players) not in (form.wanted, *form.allowed):
                yield f"Round {number}, table {at} has no size that is played."
            yield from _faults_of_table(form, number, at, table, len(played.tables))
            last |= dict.fromkeys(table.players, table.counted)


def _faults_of_table(form: Form, number: int, at: int, table: PlayedTable, tables: int) -> Iterator[str]:
    where = f"Round {number}, table {at}"
    for n, game in enumerate(table.games, start=1):
        if game.players != seats_of(form, table.players, n):
            yield f"{where}: game {n} has others on its seats."
    if table.counted is None:
        return
    games = [meeting_of(number, game) for game in table.games]
    if not games or games_left(form, table.players, games, tables):
        yield f"{where}: it was counted before all was played."
    elif total(number, table.players, games).points != table.points:
        yield f"{where}: the points are not those of its games."
