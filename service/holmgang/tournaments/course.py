"""The course of a tournament by rounds: which round comes next, what a table comes to, and how all of it stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from .meetings import Meeting, Pairing, Player, Table, bye, meeting
from .rounds import berger, knock_out, places, round_robin, survivors, swiss, undecided
from .standings import NEAR, Standing, standings

KINDS = ("swiss", "round-robin", "knock-out")
TIE_BREAKS = ("buchholz-cut-1", "buchholz", "sonneborn-berger", "direct-encounter", "wins")
"""The order that is taken where none is asked for."""
EXTRA = 10
"""How often the tables of a knock-out are played again for each place, before numbers decide."""


class Form(Struct, frozen=True):
    """What a tournament goes by. `wanted` sit at a table, or as few as one of `allowed`. `rounds` of Swiss, at most so
    many of the others. A table plays so many `games` a round."""

    kind: str
    wanted: int = 2
    allowed: tuple[int, ...] = ()
    rounds: int | None = None
    games: int = 1
    tie_breaks: tuple[str, ...] = TIE_BREAKS
    seed: str = ""

    @property
    def least(self) -> int:
        """How many are needed for a table."""
        return min((self.wanted, *(size for size in self.allowed if size > 1)))

    def most_rounds(self, players: int) -> int | None:
        """How many rounds there are at most; None where the kind says when it is over."""
        return self.rounds or (max(1, (players - 1).bit_length()) if self.kind == "swiss" else None)


def next_round(
    form: Form, players: Sequence[Player], present: Sequence[Player], meetings: Sequence[Meeting], number: int
) -> Pairing | None:
    """Round `number` of those who are `present`; None when there is none any more. KeyError for an unknown kind."""
    most = form.most_rounds(len(players))
    if (most is not None and number > most) or len(present) < form.least:
        return None
    given = (players, present, meetings, number)
    more = {"wanted": form.wanted, "allowed": form.allowed, "seed": form.seed}
    if form.kind == "swiss":
        assert most is not None
        return swiss(*given, rounds=most, **more)  # type: ignore[arg-type]
    return {"round-robin": round_robin, "knock-out": knock_out}[form.kind](*given, **more)  # type: ignore[arg-type]


def byes(form: Form, players: Sequence[Player], number: int, pairing: Pairing) -> list[Meeting]:
    """What those have of the round who sit out. In a round robin, where all have one, it is nothing; but who was to
    meet somebody who is not there any more has won."""
    if form.kind != "round-robin":
        return [bye(number, player) for player in pairing.byes]
    to_meet: dict[int, int] = {}
    if form.wanted == 2:
        for one, two in berger(len(players) + len(players) % 2, number):
            to_meet |= {one: two, two: one}
    numbers = {player: n for n, player in enumerate(players, start=1)}
    return [
        bye(number, player, float(to_meet.get(numbers[player], len(players) + 1) <= len(players)))
        for player in pairing.byes
    ]


def rotated(table: Sequence[Player], games: int) -> Iterator[Table]:
    """Who sits where in so many games of a table: everybody moves on by a place each time."""
    for game in range(games):
        at = game % len(table)
        yield (*table[at:], *table[:at])


def seats_of(form: Form, table: Table, game: int) -> Table:
    """Who sits where in game `game` of a table, from 1. Where it is played again, the places go round once more."""
    at = (game - 1 if game <= form.games else game - 1 - form.games) % len(table)
    return (*table[at:], *table[:at])


def total(number: int, table: Table, games: Sequence[Meeting]) -> Meeting:
    """What games of a table come to: ranks by the sums of points. Who was absent from the first of them was absent; who
    was absent later has nothing, whatever they had won."""
    sums = [round(sum(game.of(player) for game in games), NEAR) for player in table]
    ranks = [1 + sum(other > mine for other in sums) for mine in sums]
    left = {player for game in games[1:] for player in game.absent}
    return meeting(number, table, ranks, absent=games[0].absent, failed=left)


def games_left(form: Form, table: Table, games: Sequence[Meeting], tables: int) -> int:
    """How many games a table is still to play, of a round of so many `tables` and byes.

    Once somebody was absent it plays no more. A table of a knock-out that does not tell who goes on is played again,
    once for each place.
    """
    if any(game.absent for game in games):
        return 0
    if len(games) < form.games:
        return form.games - len(games)
    again, under_way = divmod(len(games) - form.games, len(table))
    if under_way:
        return len(table) - under_way
    if form.kind != "knock-out" or again == EXTRA:
        return 0
    one = total(1, table, games)
    return len(table) if undecided(one, places(one, [one] * tables)) else 0


def standing(form: Form, players: Sequence[Player], meetings: Sequence[Meeting], rounds: int) -> list[Standing]:
    """By points and tie-breaks. Of a knock-out, by the rounds that each went on from, which are their points; only
    those first so many `rounds` count that were played to their end."""
    if form.kind != "knock-out":
        return standings(players, meetings, form.tie_breaks)
    lasted = dict.fromkeys(players, 0)
    for number in range(1, rounds + 1):
        for player in survivors(players, [one for one in meetings if one.round <= number]):
            lasted[player] = number
    ranked = sorted(players, key=lambda player: -lasted[player])
    above = {on: sum(other > on for other in lasted.values()) for on in set(lasted.values())}
    return [Standing(1 + above[lasted[player]], player, lasted[player], {}) for player in ranked]
