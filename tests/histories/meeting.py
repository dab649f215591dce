"""The laws of meeting: what no race, withdrawal or kill may break for those who seek, challenge and are matched.

Pure, on what was answered and on what is in the database afterwards. Each gives the breaches that it finds, in words.
What fits is said here anew, in the plainest way, and not taken from what is checked. Times are seconds of one clock.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import inf

import msgspec

from tests.histories.history import Call, History

GRACE_SECONDS = 8.0
"""How long those who fit may both wait: the look that makes up for lost notifications comes every two seconds, and the
machine is busy."""


OPEN = ("waiting", "pending")
"""What has not ended: a seek, a challenge."""


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody seeks, and what they are. Only who names the same `terms` plays the same game."""

    player: str
    terms: str
    seats: frozenset[int]
    rating: float = 1500
    bot: bool = False
    people: bool = True
    bots: bool = True
    lowest: float = -inf
    highest: float = inf


class Wait(msgspec.Struct, frozen=True):
    """A seek that surely was open from `since`, when it was acknowledged, until `until`: its game was made, it expired,
    or its end was asked for."""

    seek: str
    wish: Wish
    since: float
    until: float


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """A row of what ends in a game or without one: a seek of a player, a challenge of several."""

    id: str
    players: tuple[str, ...]
    status: str
    game: str | None = None
    created: float = 0.0
    ended: float | None = None


def fits(one: Wish, other: Wish) -> bool:
    return (
        one.player != other.player
        and one.terms == other.terms
        and all(
            (a.bots if b.bot else a.people) and a.lowest <= b.rating <= a.highest
            for a, b in ((one, other), (other, one))
        )
    )


def table_of(waits: Sequence[Wait], apart: Collection[frozenset[str]] = ()) -> list[Wait] | None:
    """Some of these who could sit down at a table, all of whom fit each other; None if there are none."""

    def fit(one: Wait, other: Wait) -> bool:
        return fits(one.wish, other.wish) and frozenset((one.wish.player, other.wish.player)) not in apart

    def company(group: list[Wait], rest: Sequence[Wait], size: int) -> list[Wait] | None:
        if len(group) == size:
            return group
        for n, one in enumerate(rest):
            fitting = [other for other in rest[n + 1 :] if fit(one, other)]
            if (found := company([*group, one], fitting, size)) is not None:
                return found
        return None

    for size in sorted({seats for wait in waits for seats in wait.wish.seats}):
        willing = [wait for wait in waits if size in wait.wish.seats]
        if (found := company([], willing, size)) is not None:
            return found
    return None


def nobody_waits_beside_company(
    waits: Iterable[Wait],
    faults: Sequence[tuple[float, float]] = (),
    *,
    apart: Collection[frozenset[str]] = (),
    grace: float = GRACE_SECONDS,
) -> Iterator[str]:
    """No table's worth of seeks that fit is open for longer than `grace` of undisturbed time together."""
    patient = [(begins, wait) for wait in waits if (begins := _after(wait.since, grace, faults)) < wait.until]
    reported: set[str] = set()
    for at, _ in sorted(patient, key=lambda each: each[0]):
        here = [wait for begins, wait in patient if begins <= at < wait.until and wait.seek not in reported]
        while (found := table_of(here, apart)) is not None:
            ids = {wait.seek for wait in found}
            together = min(wait.until for wait in found) - max(wait.since for wait in found)
            yield f"these fit, and waited {together:.1f} s together: {found}"
            reported |= ids
            here = [wait for wait in here if wait.seek not in ids]


def _after(since: float, grace: float, faults: Sequence[tuple[float, float]]) -> float:
    """When so many seconds have passed of which none was disturbed: a fault lets all of them begin anew."""
    due = since + grace
    for begins, ends in sorted(faults):
        if begins < due and since < ends:
            due = max(due, ends + grace)
    return due


def one_game_by_one(history: History, kept: Collection[Kept], seats: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """A seek or challenge ends in one game at most, the same for all who ask; its players sit there, each once, and
    nobody sits in a game of seeks who did not seek."""
    rows = {row.id: row for row in kept}
    told: dict[str, set[str]] = defaultdict(set)
    for call in history.calls:
        if call.facts.get("game") is not None and "id" in call.facts:
            told[call.facts["id"]].add(call.facts["game"])
    for ident, games in told.items():
        if len(games) > 1:
            yield f"{ident} was told to have ended in {len(games)} games: {sorted(games)}"
        if ident not in rows:
            yield f"{ident} was told of and is not kept"
        elif rows[ident].game not in games:
            yield f"{ident} was told to have ended in {sorted(games)}, and is kept with {rows[ident].game}"
    by_game: dict[str, list[Kept]] = defaultdict(list)
    for row in kept:
        if row.game is not None:
            by_game[row.game].append(row)
    for game, of in by_game.items():
        if game not in seats:
            yield f"a game that {of[0].id} ended in does not exist: {game}"
        elif Counter(seats[game]) != Counter(player for row in of for player in row.players):
            yield f"game {game} seats {sorted(seats[game])}, and was agreed on by {of}"
        elif len(set(seats[game])) < len(seats[game]):
            yield f"somebody has two seats of game {game}: {sorted(seats[game])}"


def an_end_is_an_end(history: History, kept: Collection[Kept], ends: Collection[str]) -> Iterator[str]:
    """What was acknowledged to have ended, by one of the calls `ends`, is not open any more and leads to no game; and
    no answer shows it open that was asked for afterwards."""
    rows = {row.id: row for row in kept}
    since: dict[str, Call] = {}
    for call in history.calls:
        if call.what in ends and call.status in (200, 204):
            ident = call.facts["id"]
            if ident not in rows:
                yield f"what has ended is not kept: {call}"
            elif rows[ident].status in OPEN or rows[ident].game is not None:
                yield f"its end was acknowledged, and it is {rows[ident]}: {call}"
            if ident not in since or call.ended < since[ident].ended:
                since[ident] = call
    for call in history.calls:
        first = since.get(call.facts.get("id", ""))
        if first is not None and call.began > first.ended and call.facts.get("status") in OPEN:
            yield f"it is shown as open after {first}: {call}"


def blocks_hold(
    blocks: Iterable[tuple[str, str, float]], kept: Collection[Kept], seats: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    """No two sit in a game that was agreed on after the one had blocked the other: `blocks` are who, whom, and since
    when that was acknowledged."""
    since = {frozenset((who, whom)): at for who, whom, at in blocks}
    for row in kept:
        if row.game is None or row.ended is None:
            continue
        for pair in map(frozenset, combinations(sorted(set(seats.get(row.game, ()))), 2)):
            if since.get(pair, inf) < row.ended:
                yield f"{sorted(pair)} were blocked and play in {row.game}: {row}"


def all_are_kept(history: History, kept: Collection[Kept], whats: Collection[str]) -> Iterator[str]:
    """What was acknowledged as made is kept once, and what was made under one key is one."""
    rows = Counter(row.id for row in kept)
    by_key: dict[str, set[str]] = defaultdict(set)
    for call in history.of(*whats):
        if call.status in (200, 201):
            if rows[call.facts["id"]] != 1:
                yield f"an acknowledged one is kept {rows[call.facts['id']]} times: {call}"
            if call.key is not None:
                by_key[call.key].add(call.facts["id"])
    for key, made in by_key.items():
        if len(made) > 1:
            yield f"the key {key} made {sorted(made)}"


class Stay(msgspec.Struct, frozen=True):
    """Somebody was free from `since` until they were at a table, or where they were not `paired` until all was over;
    `last` are those of their last table."""

    player: str
    since: float
    until: float
    last: frozenset[str] = frozenset()
    paired: bool = True


def waits_for_a_table(stays: Sequence[Stay]) -> list[tuple[float, Stay]]:
    """How long each who was paired had had company before: somebody else who was free all the time that counts, or
    several one after another, and whom they had not just met. Who had none counts as nothing. The longest last."""
    found = []
    for stay in stays:
        if not stay.paired:
            continue
        company = sorted(
            (max(stay.since, other.since), min(stay.until, other.until))
            for other in stays
            if other.player != stay.player and other.player not in stay.last and stay.player not in other.last
        )
        begins = stay.until
        ends = -inf
        for since, until in company:
            if since >= until:
                continue
            if since > ends:
                begins = since
            ends = max(ends, until)
        found.append((stay.until - begins if ends >= stay.until else 0.0, stay))
    return sorted(found, key=lambda each: each[0])


def percentile(waits: Sequence[tuple[float, Stay]], share: float) -> float:
    """The wait that this share of them do not exceed."""
    return waits[min(len(waits) - 1, int(share * len(waits)))][0]
