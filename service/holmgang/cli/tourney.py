"""A tournament between bots, round by round; and a ladder, beat by beat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from msgspec import Struct

from holmgang.bots.arena import Z
from holmgang.tournaments.endless import ladder
from holmgang.tournaments.meetings import Meeting, Pairing, Player, Table, bye, meeting
from holmgang.tournaments.rounds import knock_out, places, round_robin, survivors, swiss, undecided
from holmgang.tournaments.standings import Standing, standings
from holmgang.tournaments.strengths import Strengths

from .contest import Deal, Host, Played, rotated

KINDS = ("swiss", "round-robin", "knock-out")
TIE_BREAKS = ("buchholz-cut-1", "buchholz", "sonneborn-berger", "direct-encounter", "wins")
EXTRA = 10
"""How often the tables of a knock-out are played again for each place, before numbers decide."""

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

    def _played(self, play: Play, number: int, tables: Sequence[tuple[int, Table]], games: int) -> Iterator[list[Game]]:
        """The games of tables, which come with their numbers: table by table, as soon as all of one are over."""
        seated = [(at, each) for at, table in tables for each in rotated(table, games)]
        numbers = {player: n for n, player in enumerate(self.players)}
        deals = [
            Deal(self._dealt + n, tuple(numbers[player] for player in table))
            for n, (_, table) in enumerate(seated, start=1)
        ]
        self._dealt += len(deals)
        results = play(deals)
        for at, table in tables:
            found: list[Game] = []
            for each, result in zip(rotated(table, games), islice(results, games), strict=True):
                found.append(Game(number, at, each, result))
                self.games.append(found[-1])
            yield found


def total(number: int, table: Table, games: Sequence[Game]) -> Meeting:
    """What games of a table come to: ranks by the sums of points."""
    sums = [round(sum(game.meeting.of(player) for game in games), 9) for player in table]
    return meeting(number, table, [1 + sum(other > mine for other in sums) for mine in sums])


class Tournament(Contest):
    """Rounds of a kind; `rounds` of Swiss, at most so many of the others."""

    def __init__(self, host: Host, kind: str, rounds: int | None, games: int, tie_breaks: Sequence[str]) -> None:
        super().__init__(host, games)
        self.kind, self.tie_breaks = kind, tuple(tie_breaks)
        self.most = rounds or (max(1, (len(self.players) - 1).bit_length()) if kind == "swiss" else None)
        self.rounds: list[Pairing] = []
        self.meetings: list[Meeting] = []

    def play(self, play: Play) -> Iterator[Pairing]:
        """Play round after round, and tell of each when it is over."""
        while (pairing := self._next()) is not None:
            number = len(self.rounds) + 1
            self.rounds.append(pairing)
            worth = 0.0 if self.kind == "round-robin" else 1.0  # where all have one
            self.meetings += [bye(number, player, worth) for player in pairing.byes]
            self._round(play, number, pairing)
            yield pairing

    def _round(self, play: Play, number: int, pairing: Pairing) -> None:
        open_ = list(enumerate(pairing.tables, start=1))
        games: dict[int, list[Game]] = {at: [] for at, _ in open_}
        for wave in range(1 + EXTRA):
            again = []
            for (at, table), found in zip(
                open_, self._played(play, number, open_, len(open_[0][1]) if wave else self.per_table), strict=True
            ):
                games[at] += found
                one = total(number, table, games[at])
                if self.kind == "knock-out" and wave < EXTRA and undecided(one, self._through(one, pairing)):
                    again.append((at, table))
                else:
                    self.meetings.append(one)
            open_ = again
            if not open_:
                break

    def _through(self, one: Meeting, pairing: Pairing) -> int:
        return places(one, [one] * (len(pairing.tables) + len(pairing.byes)))

    def _next(self) -> Pairing | None:
        number = len(self.rounds) + 1
        if self.most is not None and number > self.most:
            return None
        given = (self.players, self.players, self.meetings, number)
        if self.kind == "swiss":
            assert self.most is not None
            return swiss(*given, rounds=self.most, wanted=self.wanted, allowed=self.allowed, seed=self.seed)
        if self.kind == "round-robin":
            return round_robin(*given, wanted=self.wanted, allowed=self.allowed, seed=self.seed)
        return knock_out(*given, wanted=self.wanted, allowed=self.allowed, seed=self.seed)

    def standings(self) -> list[Standing]:
        """By points and tie-breaks; of a knock-out, by the rounds that each went on from, which are their points."""
        if self.kind != "knock-out":
            return standings(self.players, self.meetings, self.tie_breaks)
        lasted = dict.fromkeys(self.players, 0)
        for number, pairing in enumerate(self.rounds, start=1):
            if sum(one.round == number for one in self.meetings) < len(pairing.tables) + len(pairing.byes):
                break  # of a round that was not played to its end nobody knows
            for player in survivors(self.players, [one for one in self.meetings if one.round <= number]):
                lasted[player] = number
        ranked = sorted(self.players, key=lambda player: -lasted[player])
        return [
            Standing(1 + sum(on > lasted[player] for on in lasted.values()), player, lasted[player], {})
            for player in ranked
        ]


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
            for _ in self._played(play, beat, list(enumerate(tables, start=1)), self.per_table):
                pass
            found = self.strengths()
            yield found

    def widest(self, found: Strengths) -> float:
        return max(Z * found.deviation(player) for player in self.players)
