"""A tournament between bots, round by round; and a ladder, beat by beat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from msgspec import Struct

from holmgang.bots.arena import Z
from holmgang.tournaments.course import Form, byes, games_left, next_round, rotated, standing, total
from holmgang.tournaments.endless import ladder
from holmgang.tournaments.meetings import Meeting, Pairing, Player, Table
from holmgang.tournaments.standings import Standing
from holmgang.tournaments.strengths import Strengths

from .contest import Deal, Host, Played

Play = Callable[[Iterable[Deal]], Iterator[Played]]


class Game(Struct, frozen=True):
    """A game that was played, with its round, its table from 1, and who sat where by side."""

    round: int
    at: int
    table: Table
    played: Played

    @property
    def meeting(self) -> Meeting:
        return self.played.meeting(self.round, self.table)


class Contest:
    """What has been played between bots, who are named as results name them, the first one first."""

    def __init__(self, host: Host, games: int) -> None:
        self.host, self.per_table = host, games
        self.players: tuple[Player, ...] = host.plan.labels
        self.seed = str(host.plan.seed)
        self.wanted = len(host.rules.teams(host.plan.seats))
        self.allowed = tuple(host.seats)
        self.games: list[Game] = []
        self._dealt = 0

    def strengths(self) -> Strengths:
        return Strengths(self.players, [game.meeting for game in self.games])

    def _played(self, play: Play, number: int, tables: Sequence[tuple[int, Table, int]]) -> Iterator[list[Game]]:
        """So many games of tables, which come with their numbers: table by table, as soon as all of one are over."""
        seated = [(at, each) for at, table, games in tables for each in rotated(table, games)]
        numbers = {player: n for n, player in enumerate(self.players)}
        deals = [
            Deal(self._dealt + n, tuple(numbers[player] for player in table))
            for n, (_, table) in enumerate(seated, start=1)
        ]
        self._dealt += len(deals)
        results = play(deals)
        for at, table, games in tables:
            found: list[Game] = []
            for each, result in zip(rotated(table, games), islice(results, games), strict=True):
                found.append(Game(number, at, each, result))
                self.games.append(found[-1])
            yield found


class Tournament(Contest):
    """Rounds of a kind; `rounds` of Swiss, at most so many of the others."""

    def __init__(self, host: Host, kind: str, rounds: int | None, games: int, tie_breaks: Sequence[str]) -> None:
        super().__init__(host, games)
        self.tie_breaks = tuple(tie_breaks)
        self.form = Form(kind, self.wanted, self.allowed, rounds, games, self.tie_breaks, self.seed)
        self.rounds: list[Pairing] = []
        self.meetings: list[Meeting] = []

    def play(self, play: Play) -> Iterator[Pairing]:
        """Play round after round, and tell of each when it is over."""
        while (pairing := self._next()) is not None:
            number = len(self.rounds) + 1
            self.rounds.append(pairing)
            self.meetings += byes(self.form, self.players, number, pairing)
            self._round(play, number, pairing)
            yield pairing

    def _next(self) -> Pairing | None:
        return next_round(self.form, self.players, self.players, self.meetings, len(self.rounds) + 1)

    def _round(self, play: Play, number: int, pairing: Pairing) -> None:
        """All play the games that they have, then those again who must."""
        tables = len(pairing.tables) + len(pairing.byes)
        played: dict[int, list[Meeting]] = {at: [] for at, _ in enumerate(pairing.tables, start=1)}
        left = [(at, table, self.form.games) for at, table in enumerate(pairing.tables, start=1)]
        while left:
            again = []
            for (at, table, _), found in zip(left, self._played(play, number, left), strict=True):
                played[at] += [game.meeting for game in found]
                if more := games_left(self.form, table, played[at], tables):
                    again.append((at, table, more))
                else:
                    self.meetings.append(total(number, table, played[at]))
            left = again

    def standings(self) -> list[Standing]:
        """Of a knock-out, as far as rounds were played to their end."""
        whole = 0
        for number, pairing in enumerate(self.rounds, start=1):
            if sum(one.round == number for one in self.meetings) == len(pairing.tables) + len(pairing.byes):
                whole = number
        return standing(self.form, self.players, self.meetings, whole)


class Ladder(Contest):
    """Beats in which those meet whose games tell most about their strengths, about once each."""

    def play(self, play: Play, games: int, within: float) -> Iterator[Strengths]:
        """Play until so many games are over, or every strength is known to so many points of Elo's, give or take; and
        tell how it stands after each beat."""
        found = self.strengths()
        beat = 0
        while len(self.games) < games and self.widest(found) > within:
            beat += 1
            tables = ladder(
                [game.meeting for game in self.games],
                found,
                tables=-(-len(self.players) // self.wanted),
                wanted=self.wanted,
                seed=self.seed,
            )
            dealt = [(at, table, self.per_table) for at, table in enumerate(tables, start=1)]
            for _ in self._played(play, beat, dealt):
                pass
            found = self.strengths()
            yield found

    def widest(self, found: Strengths) -> float:
        return max(Z * found.deviation(player) for player in self.players)
