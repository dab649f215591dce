"""What a seat may do at each kind of turn, as spaces that contain, count, list, sample and explain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Any, TypeAlias

from holmgang.engine.errors import Fault
from holmgang.engine.messages import counted, say, template
from holmgang.engine.moves import Rng
from holmgang.engine.turn import Seat

from .board import (
    FIELD_COUNT,
    FIELDS,
    HEIGHT,
    KINDS,
    SIEGE_NUMBERS,
    SPACE_NAMES,
    SPACE_NUMBERS,
    STONE_WORDS,
    siege_name,
)
from .building import additions, count_additions, must_build
from .combat import BESIEGE, loots, starts
from .model import Besiege, Board, Build, Decline, Exchange, FightAction, Laid, Place, Play, Stand, Take
from .work import counts

Grammar: TypeAlias = Mapping[str, Any]


class Few:
    """A space that is small enough to be a list. `reason` says what rule the others break."""

    def __init__(self, actions: list[Any]) -> None:
        self._actions = actions

    def __contains__(self, action: Any) -> bool:
        return self.why_not(action) is None

    def __iter__(self) -> Iterator[Any]:
        return iter(self._actions)

    def count(self) -> int:
        return len(self._actions)

    def sample(self, rng: Rng) -> Any:
        return self._actions[int(rng.random() * len(self._actions))]

    def why_not(self, action: Any) -> Fault | None:
        return None if action in self._actions else self.fault(action)

    def fault(self, action: Any) -> Fault:
        raise AssertionError("each kind of turn explains itself")

    def grammar(self) -> Grammar:
        return {}


class Initiative(Few):
    """E4.2."""

    def __init__(self, state: Board, seat: Seat) -> None:
        super().__init__(
            [
                Besiege(space=SPACE_NAMES[space])
                if other == BESIEGE
                else FightAction(space=SPACE_NAMES[space], against=other)
                for space, other in starts(state, seat)
            ]
        )
        self._state, self._seat = state, seat

    def fault(self, action: Any) -> Fault:
        state, seat = self._state, self._seat
        if type(action) is Besiege:
            siege = SIEGE_NUMBERS[action.space]
            bits = state.sieges[siege] if siege < len(state.sieges) else 0
            if not bits >> seat & 1:
                return Fault("E4.2", say("You have no Viking on {space}.", space=action.space))
            if bits != 1 << seat:
                return Fault(
                    "E4.1",
                    say("{space} is contested: the siege waits until one Viking is left there.", space=action.space),
                )
            return Fault(
                "E4.7.1", say("Your siege from {space} is settled: there is one attempt only.", space=action.space)
            )
        space = SPACE_NUMBERS[action.space]
        siege = space - FIELD_COUNT
        if siege >= len(state.sieges):
            return Fault("E4.2", say("There is no village {village} in this game.", village=siege // 3))
        present = (
            [bool(n) for n in state.vikings[space]]
            if siege < 0
            else [bool(state.sieges[siege] >> s & 1) for s in range(state.players)]
        )
        if not present[seat]:
            return Fault("E4.2", say("You have no Viking on {space}.", space=action.space))
        if action.against == seat:
            return Fault("E4.2", say("You name an opponent, not yourself."))
        if action.against >= state.players or not present[action.against]:
            return Fault("E4.2", say("Seat {seat} has no Viking on {space}.", seat=action.against, space=action.space))
        return Fault(
            "E4.1", say("{space} is not contested: there are stones enough for all Vikings on it.", space=action.space)
        )


class Amulets(Few):
    """E4.3: whoever is asked can pay."""

    def __init__(self) -> None:
        super().__init__([Exchange(), Stand(), Stand(until="round")])


class Cards(Few):
    """E4.4: one action for each value in hand."""

    def __init__(self, hand: tuple[int, ...]) -> None:
        super().__init__([Play(card=card) for card in sorted(set(hand))])

    def fault(self, action: Any) -> Fault:
        return Fault("E4.4", say("You have no {card} in hand.", card=action.card))


class Loots(Few):
    """E4.7.5."""

    def __init__(self, state: Board) -> None:
        super().__init__([*loots(state), Decline()])
        self._state = state

    def fault(self, action: Any) -> Fault:
        state = self._state
        fight = state.fight
        assert fight is not None
        village, engine = divmod(fight.space - FIELD_COUNT, 3)
        beside = (2 * engine + 1, 2 * engine + 2)
        worth = 0
        removed: set[int] = set()
        for name, count in action.walls.items():
            wall = state.walls[village][int(name) - 1]
            if int(name) not in beside:
                return Fault(
                    "E4.7.5",
                    say(
                        "Wall {wall} is not beside {space}; walls {one} and {other} are.",
                        wall=name,
                        space=SPACE_NAMES[fight.space],
                        one=beside[0],
                        other=beside[1],
                    ),
                )
            if count > len(wall):
                one, several = (
                    template("Wall {wall} has only {count} stone."),
                    template("Wall {wall} has only {count} stones."),
                )
                return Fault("E4.7.5", counted(len(wall), one, several, wall=name))
            worth += sum(kind + 1 for kind in wall[-count:])
            removed.update(wall[-count:])
        if worth > fight.difference:
            return Fault(
                "E4.7.5",
                say(
                    "These stones are worth {worth} together, more than the difference of {difference}.",
                    worth=worth,
                    difference=fight.difference,
                ),
            )
        return Fault(
            "E4.7.5",
            say("You keep one of the stones you take off, and none of them is {kept}.", kept=STONE_WORDS[action.kept]),
        )


class Spoils(Few):
    """E5.1: one action for each kind on the field."""

    def __init__(self, state: Board) -> None:
        self._field = FIELDS[state.field]
        super().__init__(
            [
                Take(space=self._field, stone=KINDS[kind])  # type: ignore[arg-type]
                for kind, n in enumerate(state.stones[state.field])
                if n
            ]
        )

    def fault(self, action: Any) -> Fault:
        if action.space != self._field:
            return Fault("E5.1", say("Stones are taken field by field: it is the turn of {field}.", field=self._field))
        return Fault(
            "E5.1", say("There is no {stone} left on {field}.", stone=STONE_WORDS[action.stone], field=self._field)
        )


@lru_cache(maxsize=64)
def _placement_weights(home: int, spaces: int) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...], int]:
    """Pairs of besiegers and workers, how many placements there are up to each, and how many in all."""
    pairs, sums, total = [], [], 0
    for besiegers in range(min(home, spaces) + 1):
        for workers in range(home - besiegers + 1):
            total += comb(spaces, besiegers) * comb(workers + FIELD_COUNT - 1, workers)
            pairs.append((besiegers, workers))
            sums.append(total)
    return tuple(pairs), tuple(sums), total


@lru_cache(maxsize=32)
def _targets(players: int, seat: Seat) -> tuple[str, ...]:
    """Siege spaces of opponents' villages."""
    return tuple(siege_name(s) for s in range(3 * players) if s // 3 != seat)


class Placements:
    """E3.2: any number to each field, at most one to each siege space of an opponent; the rest defend."""

    def __init__(self, players: int, seat: Seat, home: int) -> None:
        self._players, self._seat, self._home = players, seat, home
        self._targets = _targets(players, seat)

    def __contains__(self, action: Any) -> bool:
        return self.why_not(action) is None

    def __iter__(self) -> Iterator[Place]:
        for besiegers in range(min(self._home, len(self._targets)) + 1):
            for sieges in combinations(self._targets, besiegers):
                for workers in range(self._home - besiegers + 1):
                    for fields in _spread(workers, FIELDS):
                        yield Place(fields=fields, sieges=sieges)  # type: ignore[arg-type]

    def count(self) -> int:
        return _placement_weights(self._home, len(self._targets))[2]

    def sample(self, rng: Rng) -> Place:
        """Uniform: besiegers and workers by their weight, then any set of spaces and any spread over the fields."""
        pairs, sums, total = _placement_weights(self._home, len(self._targets))
        at = int(rng.random() * total)
        low, high = 0, len(sums) - 1
        while low < high:
            middle = (low + high) // 2
            if sums[middle] > at:
                high = middle
            else:
                low = middle + 1
        besiegers, workers = pairs[low]
        targets = list(self._targets)
        for n in range(besiegers):
            other = n + int(rng.random() * (len(targets) - n))
            targets[n], targets[other] = targets[other], targets[n]
        fields: dict[Any, int] = {}
        if workers:
            # Stars and bars: a set of bars among stars and bars is a spread, each as likely as the others.
            stars, bars = workers, FIELD_COUNT - 1
            for field in FIELDS:
                n = 0
                while stars and int(rng.random() * (stars + bars)) >= bars:
                    n += 1
                    stars -= 1
                if n:
                    fields[field] = n
                bars -= 1
        return Place(fields=fields, sieges=tuple(sorted(targets[:besiegers])))

    def why_not(self, action: Place) -> Fault | None:
        sieges = action.sieges
        sent = sum(action.fields.values()) + len(sieges)
        if sent > self._home:
            one = template("You have {count} Viking at home, but placed {sent}.")
            several = template("You have {count} Vikings at home, but placed {sent}.")
            return Fault("E3.2", counted(self._home, one, several, sent=sent))
        if len(set(sieges)) < len(sieges):
            return Fault("E3.2", say("At most one of your Vikings goes to each siege space."))
        for name in sieges:
            if name not in self._targets:
                if SIEGE_NUMBERS[name] // 3 == self._seat:
                    return Fault(
                        "E3.2", say("{space} is beside your own village, which you never besiege.", space=name)
                    )
                return Fault("E3.2", say("Village {village} has no owner in this game.", village=name[0]))
        return None

    def grammar(self) -> Grammar:
        return {
            "vikings": self._home,
            "fields": list(FIELDS),
            "sieges": list(self._targets),
            "most_on_a_field": self._home,
            "most_on_a_siege_space": 1,
            "rest": "the others defend the village",
        }


def _spread(workers: int, fields: str) -> Iterator[dict[str, int]]:
    if not workers:
        yield {}
    elif len(fields) == 1:
        yield {fields: workers}
    else:
        for here in range(workers, -1, -1):
            for rest in _spread(workers - here, fields[1:]):
                yield {fields[0]: here, **rest} if here else rest


class Buildings:
    """E5.3. Orders that give the same walls are the same action; one of each is listed."""

    def __init__(self, state: Board, seat: Seat) -> None:
        self._walls, self._new = state.walls[seat], state.carried[seat]
        self._free = tuple(HEIGHT - len(wall) for wall in self._walls)
        self._must = must_build(state, seat)

    def __contains__(self, action: Any) -> bool:
        return self.why_not(action) is None

    def __iter__(self) -> Iterator[Build]:
        for walls in additions(self._free, self._new, self._must):
            yield Build(
                stones=tuple(
                    Laid(stone=KINDS[kind], wall=n + 1)  # type: ignore[arg-type]
                    for n, wall in enumerate(walls)
                    for kind in wall
                )
            )

    def count(self) -> int:
        return count_additions(tuple(sorted(f for f in self._free if f)), self._new, self._must)

    def sample(self, rng: Rng) -> Build:
        """The new stones in any order, each on any open wall: every result can come out, not all as often."""
        stones = [kind for kind, n in enumerate(self._new) for _ in range(n)]
        free = list(self._free)
        open_walls = [n for n, places in enumerate(free) if places]
        laid = []
        for n in range(self._must):
            other = n + int(rng.random() * (len(stones) - n))
            stones[n], stones[other] = stones[other], stones[n]
            wall = open_walls[int(rng.random() * len(open_walls))]
            free[wall] -= 1
            if not free[wall]:
                open_walls.remove(wall)
            laid.append((wall, n))
        laid.sort()
        return Build(stones=tuple(Laid(stone=KINDS[stones[n]], wall=wall + 1) for wall, n in laid))  # type: ignore[arg-type]

    def why_not(self, action: Build) -> Fault | None:
        left, free = list(self._new), list(self._free)
        for laid in action.stones:
            kind = KINDS.index(laid.stone)
            if not left[kind]:
                return Fault(
                    "E5.3", say("You have only {new} new {stone}.", new=self._new[kind], stone=STONE_WORDS[laid.stone])
                )
            left[kind] -= 1
            if not free[laid.wall - 1]:
                return Fault(
                    "E5.3", say("Wall {wall} would be more than {height} stones high.", wall=laid.wall, height=HEIGHT)
                )
            free[laid.wall - 1] -= 1
        if len(action.stones) != self._must:
            return Fault(
                "E5.3",
                counted(
                    self._must,
                    template("All that fit must be built: {count} stone, not {n}."),
                    template("All that fit must be built: {count} stones, not {n}."),
                    n=len(action.stones),
                ),
            )
        return None

    def grammar(self) -> Grammar:
        return {
            "stones": counts(self._new),
            "build_exactly": self._must,
            "free_places": {str(n + 1): places for n, places in enumerate(self._free)},
        }


AMULETS = Amulets()


def moves(state: Board, seat: Seat) -> Any:
    """The space of a seat at the current turn; also of one whose choice is sealed, which it may replace."""
    phase = state.phase
    if phase == "placement":
        return Placements(state.players, seat, state.home[seat])
    if phase == "battle_card":
        return Cards(state.hands[seat])
    if phase == "amulets":
        return AMULETS
    if phase == "initiative":
        return Initiative(state, seat)
    if phase == "building":
        return Buildings(state, seat)
    if phase == "loot":
        return Loots(state)
    if phase == "spoils":
        return Spoils(state)
    return Few([])
