"""How a tournament stands: points, then tie-breaks in the order that is asked for; and who did how against whom."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, groupby

from msgspec import Struct

from .meetings import Meeting, Past, Player

NEAR = 9
"""Sums of shares, such as thirds, are compared to so many digits."""


class Standing(Struct, frozen=True):
    """A line: those who cannot be told apart share a rank. `tie_breaks` by name, in their order."""

    rank: int
    player: Player
    points: float
    tie_breaks: Mapping[str, float]


class Encounter(Struct):
    """What one has had of another: 1 for each meeting in which they were ahead, half for the same points."""

    games: int = 0
    won: float = 0.0


def crosstable(meetings: Iterable[Meeting]) -> dict[tuple[Player, Player], Encounter]:
    """Each who has met somebody, and what they had of them."""
    found: dict[tuple[Player, Player], Encounter] = {}
    for one in meetings:
        for a, b in combinations(one.present, 2):
            won = 1.0 if one.of(a) > one.of(b) else 0.5 if one.of(a) == one.of(b) else 0.0
            for pair, mine in (((a, b), won), ((b, a), 1 - won)):
                entry = found.setdefault(pair, Encounter())
                entry.games += 1
                entry.won += mine
    return found


def standings(players: Sequence[Player], meetings: Sequence[Meeting], tie_breaks: Sequence[str] = ()) -> list[Standing]:
    """The lines, best first. KeyError for a tie-break that there is not (`TIE_BREAKS`).

    `direct-encounter` counts only where all who are still level have met each other (FIDE C.07, 6): it is 0 elsewhere.
    """
    past = Past(meetings)
    for name in tie_breaks:
        TIE_BREAKS[name]
    lines: list[Standing] = []

    def place(level: list[Player], told: dict[Player, dict[str, float]], left: Sequence[str]) -> None:
        if len(level) == 1 or not left:
            rank = len(lines) + 1
            for player in level:
                for name in left:
                    told[player][name] = round(TIE_BREAKS[name](player, past, level), NEAR)
                lines.append(Standing(rank, player, round(past.scores[player], NEAR), told[player]))
            return
        for player in level:
            told[player][left[0]] = round(TIE_BREAKS[left[0]](player, past, level), NEAR)
        for each in _grouped(level, lambda player: told[player][left[0]]):
            place(each, told, left[1:])

    for level in _grouped(players, lambda player: round(past.scores[player], NEAR)):
        place(level, {player: {} for player in level}, tie_breaks)
    return lines


def _grouped(players: Iterable[Player], by: Callable[[Player], float]) -> list[list[Player]]:
    return [list(same) for _, same in groupby(sorted(players, key=by, reverse=True), key=by)]


def _opponents(player: Player, past: Past) -> list[tuple[float, float]]:
    """For each round: the mean score of those at the table, and that of what was won of them. In a round without
    anybody one counts as one's own opponent (FIDE C.07, 16.4). Computed once: several tie-breaks go by it."""
    if player in past.against:
        return past.against[player]
    found = past.against[player] = []
    for one in past.meetings[player]:
        others = [other for other in one.present if other != player]
        if player in one.absent or not others:
            found.append((past.scores[player], past.scores[player] * one.of(player)))
            continue
        won = [1.0 if one.of(player) > one.of(o) else 0.5 if one.of(player) == one.of(o) else 0.0 for o in others]
        found.append(
            (
                sum(past.scores[other] for other in others) / len(others),
                sum(past.scores[other] * mine for other, mine in zip(others, won, strict=True)) / len(others),
            )
        )
    return found


def buchholz(player: Player, past: Past, level: Sequence[Player]) -> float:
    """The sum of the opponents' scores (C.07, 8.1); at larger tables, of their means."""
    return sum(score for score, _ in _opponents(player, past))


def buchholz_cut_1(player: Player, past: Past, level: Sequence[Player]) -> float:
    """The same without the lowest of them (C.07, 14.1)."""
    scores = sorted(score for score, _ in _opponents(player, past))
    return sum(scores[1:])


def sonneborn_berger(player: Player, past: Past, level: Sequence[Player]) -> float:
    """The sum of the opponents' scores, each times what was won of them (C.07, 9.1)."""
    return sum(won for _, won in _opponents(player, past))


def direct_encounter(player: Player, past: Past, level: Sequence[Player]) -> float:
    """What was won of those who are level, where all of them have met (C.07, 6)."""
    if not all(past.times(*pair) for pair in combinations(level, 2)):
        return 0.0
    return sum(
        1.0 if one.of(player) > one.of(other) else 0.5 if one.of(player) == one.of(other) else 0.0
        for one in past.meetings[player]
        if player not in one.absent
        for other in one.present
        if other != player and other in level
    )


def wins(player: Player, past: Past, level: Sequence[Player]) -> float:
    """How often a player had all points of a table, or of a round without a game (C.07, 7.1)."""
    return float(sum(one.of(player) >= 1 for one in past.meetings[player]))


def progress(player: Player, past: Past, level: Sequence[Player]) -> float:
    """The sum of the scores after each round (C.07, 7.5)."""
    total, score = 0.0, 0.0
    for one in past.meetings[player]:
        score += one.of(player)
        total += score
    return total


TIE_BREAKS: Mapping[str, Callable[[Player, Past, Sequence[Player]], float]] = {
    "buchholz-cut-1": buchholz_cut_1,
    "buchholz": buchholz,
    "sonneborn-berger": sonneborn_berger,
    "direct-encounter": direct_encounter,
    "wins": wins,
    "progress": progress,
}
