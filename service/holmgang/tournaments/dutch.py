"""Swiss rounds for two at a table: FIDE's Dutch system (Handbook C.04.3).

Who meets whom is found by caissify-pairings. Who moves first and which table is first are by articles 4 and 5 here: it
goes by numbers alone where the rules go by scores first. It takes half a second for 64 players, and seven for 128.

The system has no answer where colours or opponents leave no complete round, which arbiters decide: then colours give
way, and where that is not enough as few as can be meet again.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from caissify_pairings.engines.dutch import dutch_pairings

from .matching import best_pairs
from .meetings import Meeting, Pairing, Past, Player, Table

logging.getLogger(dutch_pairings.__module__).disabled = True  # what it warns of is mended here
COLOURS = ("white", "black")
UNIT = 2
"""Half points are whole numbers."""


def dutch(
    players: Sequence[Player],
    present: Sequence[Player],
    meetings: Sequence[Meeting],
    number: int,
    rounds: int,
    first: int,
) -> Pairing:
    """Round `number` of so many. `players` are all who ever took part, by their numbers: the strongest first.

    `first` is the place, 0 or 1, of the first player in the first round, which is drawn by lot (C.04.3, 5.1).
    """
    past = Past(meetings)
    order = {player: n for n, player in enumerate(players, start=1)}
    here = sorted(present, key=order.__getitem__)
    pairs, out = _pairs(here, order, past, number, rounds)
    if not _complete(pairs, out, here, past):
        pairs, out = _least_bad(here, past)
    ranked = [sorted(pair, key=lambda player: (-past.scores[player], order[player])) for pair in pairs]
    ranked.sort(key=lambda pair: (-past.scores[pair[0]], -past.scores[pair[1]], order[pair[0]]))
    return Pairing(tuple(coloured(high, low, past, order[high], first) for high, low in ranked), tuple(out))


def _pairs(
    here: Sequence[Player], order: dict[Player, int], past: Past, number: int, rounds: int
) -> tuple[list[Table], list[Player]]:
    names = {order[player]: player for player in here}
    told: list[dict[str, Any]] = [
        {
            "id": order[player],
            "starting_number": order[player],
            "pairing_number": order[player],
            "score": past.scores[player],
            "color_hist": [COLOURS[place] for place in past.places[player]],
            "float_history": [_float(past, player, earlier) for earlier in range(1, number)],
            "bye_count": past.byes[player],
        }
        for player in here
    ]
    met = {(order[a], order[b]) for a, b in map(tuple, past.met) if a in order and b in order}
    pairs: list[Table] = []
    out: list[Player] = []
    for found in dutch_pairings(players=told, previous_pairings=met, round_number=number, total_rounds=rounds):
        if found["black_id"] is None:
            out.append(names[found["white_id"]])
        else:
            pairs.append((names[found["white_id"]], names[found["black_id"]]))
    return pairs, out


def _float(past: Past, player: Player, number: int) -> str:
    """Which way a player has floated in a round (C.04.3, 1.4): down with points that nobody played for."""
    for one in past.meetings[player]:
        if one.round != number:
            continue
        if not one.played:
            return "down" if one.of(player) else "none"
        mine, theirs = (past.score_before(each, number) for each in sorted(one.table, key=lambda each: each != player))
        return "down" if mine > theirs else "up" if mine < theirs else "none"
    return "none"


def _complete(pairs: Sequence[Table], out: Sequence[Player], here: Sequence[Player], past: Past) -> bool:
    """Whether all of a round is as the absolute rules have it (C.04.1)."""
    bye_again = any(past.byes[player] > min(past.byes[other] for other in here) for player in out)
    return (
        sorted([*out, *(player for pair in pairs for player in pair)]) == sorted(here)
        and len(out) == len(here) % 2
        and not bye_again
        and not any(past.times(*pair) for pair in pairs)
    )


def _least_bad(here: Sequence[Player], past: Past) -> tuple[list[Table], list[Player]]:
    """A round where the system has none. In this order: nobody has a second bye, pairs meet again as seldom as can be,
    nobody has a third time the same colour in a row or three more of one than of the other, scores are near."""
    apart = [round(UNIT * past.scores[player]) for player in here]
    level = (max(apart) - min(apart)) ** 2 + 1
    colour = len(here) * level + 1
    again = len(here) * colour + 1
    most = max([*past.met.values(), *past.byes.values(), 0])
    bye = len(here) * (most + 1) ** 2 * again + 1
    edges = []
    for n, player in enumerate(here):
        for k in range(n + 1, len(here)):
            times = past.times(player, here[k])
            cost = times * times * again + _clash(past, player, here[k]) * colour + (apart[n] - apart[k]) ** 2
            edges.append((n, k, -cost))
        if len(here) % 2:
            edges.append((n, len(here), -(past.byes[player] ** 2 * bye + (apart[n] - min(apart)) ** 2)))
    found = sorted(best_pairs(edges))
    pairs: list[Table] = [(here[n], here[k]) for n, k in found if k < len(here)]
    return pairs, [here[n] for n, k in found if k == len(here)]


def _clash(past: Past, one: Player, two: Player) -> bool:
    """Whether both must have the same colour (C.04.3, 2.1.3)."""
    mine, theirs = _wish(past.places[one]), _wish(past.places[two])
    return mine == theirs and mine[1] == ABSOLUTE


ABSOLUTE, STRONG, MILD, NONE = 3, 2, 1, 0


def _wish(had: Sequence[int]) -> tuple[int | None, int]:
    """The place that a player is to have, and how much so (C.04.3, 1.7)."""
    if not had:
        return None, NONE
    more = had.count(0) - had.count(1)
    if abs(more) > 1:
        return int(more > 0), ABSOLUTE
    if had[-2:] in ([0, 0], [1, 1]):
        return 1 - had[-1], ABSOLUTE
    return (int(more > 0), STRONG) if more else (1 - had[-1], MILD)


def coloured(high: Player, low: Player, past: Past, number: int, first: int) -> Table:
    """Who of the two moves first (C.04.3, 5.2). `number` is the higher ranked one's."""
    place = _place(past.places[high], past.places[low])
    if place is None:
        place = first if number % 2 else 1 - first
    return (high, low) if place == 0 else (low, high)


def _place(high: list[int], low: list[int]) -> int | None:
    """The place of the higher ranked one, by what both have had; None where that says nothing."""
    (mine, strength), (theirs, other) = _wish(high), _wish(low)
    if mine is None or theirs is None:
        return mine if theirs is None else 1 - theirs
    if mine != theirs:
        return mine  # 5.2.1: both have their wish
    if strength != other:
        return mine if strength > other else 1 - theirs  # 5.2.2: the stronger wish
    if strength == ABSOLUTE:
        more, less = (abs(had.count(0) - had.count(1)) for had in (high, low))
        if more != less:
            return mine if more > less else 1 - theirs
    for a, b in zip(reversed(high), reversed(low), strict=False):
        if a != b:
            return b  # 5.2.3: the other way round than when they last differed
    return mine  # 5.2.4: the wish of the higher ranked one
