"""Eketorp for a search: which choices are worth a trial, and when a round is played out.

What a placement is worth shows only when the fights that follow are over, so choices are not compared at sight.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from holmgang.bots.base import imagined
from holmgang.engine.moves import Rng
from holmgang.engine.rules import AnyRules
from holmgang.engine.tuples import put
from holmgang.engine.turn import Seat
from holmgang.games.eketorp.bot.judge import EketorpJudge, Outlook, placement
from holmgang.games.eketorp.rules.board import FIELDS, siege_name
from holmgang.games.eketorp.rules.combat import loots
from holmgang.games.eketorp.rules.model import Action, Decline, Exchange, Loot, Place, Play, Stand, State
from holmgang.games.eketorp.rules.moves import moves

TRIALS = {"placement": 80, "initiative": 30, "amulets": 12, "battle_card": 30, "loot": 16}
"""Continuations by kind of turn. At the others the judge's choice is good enough. A round takes about 4 ms, a game has
about ten placements of a seat and a hundred smaller choices: these get less time each, and more in all."""
WIDE = 14
"""So many placements are tried."""
TASTES = (0.2, 0.4, 0.6, 0.8)
"""How far estimates may be off in other placements than the judge's."""
HOME = "home"


class EketorpScout(EketorpJudge):
    """The judge, with what a search needs besides."""

    def guess(self, rules: AnyRules, view: Any, rng: Rng) -> State:
        """Others' sealed choices are those of the judge: any legal ones would be poor opposition."""
        state: State = imagined(rules, view, rng)
        sealed = state.sealed
        for other, choice in enumerate(sealed):
            if choice is not None and other != view.seat:
                sealed = put(sealed, other, self.choose(rules, state, other, rng))
        return state if sealed is state.sealed else replace(state, sealed=sealed)

    def candidates(self, rules: AnyRules, state: State, seat: Seat, rng: Rng) -> Sequence[Action]:
        chosen = self.choose(rules, state, seat, rng)
        more = _MORE.get(state.phase)
        if more is None:
            return [chosen]
        found = {rules.canonical(seat, chosen): chosen}  # first: of equals the judge's own is taken
        for action in more(Outlook(state, seat, self.weights), chosen, rng):
            found.setdefault(rules.canonical(seat, action), action)
        return list(found.values())

    def trials(self, state: State) -> int:
        return TRIALS.get(state.phase, 0)

    def rests(self, state: State, since: State) -> bool:
        """The next round begins: all that was fought for is at home, and nobody has left again."""
        return state.round > since.round and state.phase == "placement"


def placements(o: Outlook, chosen: Action, rng: Rng) -> list[Action]:
    """By other tastes, and what differs from those in an errand. Most legal ones are too poor to be tried."""
    tastes = (Outlook(o.state, o.seat, o.weights._replace(noise=noise)) for noise in TASTES)
    bases = [chosen, *(placement(taste, rng) for taste in tastes)]
    return bases + [varied(o, bases[int(rng.random() * len(bases))], rng) for _ in range(WIDE - len(bases))]


def varied(o: Outlook, place: Action, rng: Rng) -> Place:
    """A placement with one Viking, any, on another errand that is not for nothing."""
    assert type(place) is Place
    state, seat = o.state, o.seat
    fields: dict[Any, int] = dict(place.fields)
    sieges = list(place.sieges)
    sent = [name for name, n in fields.items() for _ in range(n)] + sieges
    sent += [HOME] * (state.home[seat] - len(sent))
    old = sent[int(rng.random() * len(sent))]
    others = [name for name, stones in zip(FIELDS, state.stones, strict=True) if any(stones) and name != old]
    others += [HOME] if old != HOME else []
    for village, walls in enumerate(state.walls):
        if village != seat:
            for engine in range(3):
                name = siege_name(3 * village + engine)
                if (walls[2 * engine] or walls[2 * engine + 1]) and name not in sieges:
                    others.append(name)
    if not others:
        return place
    new = others[int(rng.random() * len(others))]
    if old in fields:
        fields[old] -= 1
        if not fields[old]:
            del fields[old]
    elif old != HOME:
        sieges.remove(old)
    if new in FIELDS:
        fields[new] = fields.get(new, 0) + 1
    elif new != HOME:
        sieges.append(new)
    return Place(fields=fields, sieges=tuple(sorted(sieges)))


def cards(o: Outlook, chosen: Action, rng: Rng) -> list[Action]:
    return [Play(card=card) for card in sorted(set(o.state.hands[o.seat]))]


def amulets(o: Outlook, chosen: Action, rng: Rng) -> list[Action]:
    return [Stand(), Exchange()]


def initiatives(o: Outlook, chosen: Action, rng: Rng) -> list[Action]:
    return list(moves(o.state, o.seat))


def takings(o: Outlook, chosen: Action, rng: Rng) -> list[Action]:
    """The dearest stone of all that could be pulled down."""
    dearest: dict[frozenset[tuple[str, int]], Loot] = {}
    for action in loots(o.state):
        dearest[frozenset(action.walls.items())] = action  # kinds come in order of worth
    return [*dearest.values(), Decline()]


_MORE: Mapping[str, Callable[[Outlook, Action, Rng], list[Action]]] = {
    "placement": placements,
    "battle_card": cards,
    "amulets": amulets,
    "initiative": initiatives,
    "loot": takings,
}
