"""What Eketorp's bots know: how to share out Vikings, cards, amulets and stones, and how well a seat stands.

Choices depend on what the seat can know alone: a card that an opponent may hold is weighed by how many of it are
out of sight, never by the hand that a guess dealt them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import permutations
from math import exp
from typing import NamedTuple

from holmgang.engine.moves import Rng
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Seat
from holmgang.games.eketorp.rules.board import (
    CARDS_OF_A_VALUE,
    FIELD_COUNT,
    FIELDS,
    HEIGHT,
    HIGHEST_CARD,
    KINDS,
    ROUNDS,
    SPACE_NAMES,
    WALL_STONES,
    siege_name,
)
from holmgang.games.eketorp.rules.building import must_build
from holmgang.games.eketorp.rules.combat import BESIEGE, starts
from holmgang.games.eketorp.rules.model import (
    Action,
    Besiege,
    Build,
    Decline,
    Exchange,
    Fight,
    FightAction,
    Kinds,
    Laid,
    Loot,
    Place,
    Play,
    Stand,
    State,
    Take,
    Wall,
    Walls,
)
from holmgang.games.eketorp.rules.scoring import COMPLETE_BONUS, over, score

CARDS = range(1, HIGHEST_CARD + 1)
CARDS_ABOVE = 0.72
"""A point on the cards above the average, as long as the game is."""
MISSED = 1.35
"""A Viking's round in the hospital. Both come from the final scores of 2,000 games."""


class Weights(NamedTuple):
    """What things are worth in points of the final score, and what others are expected to do."""

    pip: float = 0.6
    """A point on a card, as long as there are fights to come."""
    last_pip: float = 0.1
    """The same in the last round."""
    bed: float = 0.6
    """A Viking's round in the hospital."""
    ring: float = 0.25
    """A stone, beside its value, as a part of the complete ring."""
    rival: float = 0.6
    """A point that others lose, shared among them."""
    bold: float = 0.08
    """By how much likelier others are to play a card for each point on it."""
    homebodies: float = 0.025
    """The part of a clan's Vikings that defend, for each stone on its walls,"""
    raiders: float = 0.06
    """and the part that besiege, for each stone on the walls of a village on average;"""
    raiders_at_most: float = 0.36
    """the rest go to the fields."""
    greed: float = 1.0
    """How strongly others follow the worth of a field."""
    guarded: float = 0.1
    """How likely a village keeps a defender, for each stone on its walls."""
    noise: float = 0.2
    """How far from its estimate an errand may be taken to be worth, so that bots do not all go the same way."""
    traded: float = 3.0
    """Points on the card that comes back for the one that is played in a siege."""
    pace: float = 2.5
    """Stones that a leader builds in a round, as far as the game has not shown it yet."""


WEIGHTS = Weights()


class EketorpJudge:
    """Heuristics for Eketorp."""

    def __init__(self, weights: Weights = WEIGHTS) -> None:
        self.weights = weights

    def choose(self, rules: AnyRules, state: State, seat: Seat, rng: Rng) -> Action:
        return _CHOICES[state.phase](Outlook(state, seat, self.weights), rng)

    def value(self, state: State, seat: Seat) -> float:
        if state.phase == "over":
            first = over(state).ranking[0]
            return 1.0 / len(first) if seat in first else 0.0
        if state.resigned >> seat & 1:
            return 0.0
        left = rounds_left(state, self.weights.pace)
        ahead = 1.0 if state.phase == "placement" else 0.0 if state.phase == "building" else 0.6
        playing = [s for s in range(state.players) if not state.resigned >> s & 1]
        prospects = {s: prospect(state, s, left, ahead) for s in playing}
        spread = 0.4 + 2.8 * max(min(1.0, left), ahead, 0.1) + 0.5 * left
        best = max(prospects.values())
        chances = {s: exp((p - best) / spread) for s, p in prospects.items()}
        return chances[seat] / sum(chances.values())


def rounds_left(state: State, pace: float) -> float:
    """How many rounds are likely to follow this one: a ring may be complete before the last."""
    tallest = max(sum(map(len, walls)) for walls in state.walls)
    speed = (2 * pace + tallest) / (1 + state.round)
    return max(0.0, min(ROUNDS - state.round, (WALL_STONES - tallest) / speed - 1.0))


def worth(stones: Kinds) -> int:
    return stones[0] + 2 * stones[1] + 3 * stones[2] + 4 * stones[3]


def prospect(state: State, seat: Seat, left: float, ahead: float) -> float:
    """The final score of a seat, roughly, up to what all have in common; `ahead` is what is left of this round."""
    kept = sum(map(len, state.walls[seat])) + sum(state.aside[seat], 0)
    ring = 0.0
    if kept < WALL_STONES:  # the score of those who have them counts the bonus
        count = kept + sum(state.carried[seat], 0)
        ring = COMPLETE_BONUS * min(1.0, (count + 1.5 * left) / WALL_STONES) ** 4
    held = (*state.hands[seat], *state.piles[seat])
    cards = (sum(held) - 3.5 * len(held)) * (1.0 - exp(-0.75 * (left + ahead)))
    missed = 0.0
    starting = state.phase == "placement"  # who is in the hospital then misses this round too
    for station, rounds in enumerate((2, 1, 0)):
        missed += min(rounds + starting, left + starting) * state.hospital[station][seat]
    coming = 0.0
    if state.phase != "building":
        for vikings, stones in zip(state.vikings, state.stones, strict=True):
            if vikings[seat] and (total := sum(stones, 0)):
                coming += share(vikings[seat], sum(vikings) - vikings[seat], total) * worth(stones) / total
    return score(state, seat) + worth(state.carried[seat]) + coming + ring + CARDS_ABOVE * cards - MISSED * missed


class Spoil(NamedTuple):
    """The best loot: the kind kept, what the village loses and how many stones, how many come off each of two walls."""

    kept: int
    lost: int
    stones: int
    taken: tuple[int, int]


NO_SPOIL = Spoil(-1, 0, 0, (0, 0))


@lru_cache(maxsize=65536)
def best_spoil(one: Wall, other: Wall, difference: int) -> Spoil:
    """What a besieger takes off two walls: a dear stone first of all, and the more damage the better."""
    best, best_gain = NO_SPOIL, 0.0
    for here in range(len(one) + 1):
        off_one = one[len(one) - here :]
        for there in range(len(other) + 1):
            off = off_one + other[len(other) - there :]
            lost = sum(off) + len(off)
            if lost > difference:
                break
            if off:
                gain = max(off) + 1 + 0.3 * lost + 0.05 * len(off)
                if gain > best_gain:
                    best, best_gain = Spoil(max(off), lost, len(off), (here, there)), gain
    return best


class Outlook:
    """A position as a seat looks at it, and estimates that its choices share."""

    def __init__(self, state: State, seat: Seat, weights: Weights) -> None:
        self.state, self.seat, self.weights = state, seat, weights
        self.left = left = rounds_left(state, weights.pace)
        self.pip = weights.last_pip + (weights.pip - weights.last_pip) * min(1.0, left / 2.5)
        self.built = [sum(map(len, walls)) for walls in state.walls]
        self.raiding = min(weights.raiders_at_most, weights.raiders * sum(self.built) / state.players)
        standing = [score(state, s) + worth(state.carried[s]) for s in range(state.players)]
        mine = standing[seat]
        even = weights.rival / (state.players - 1)
        self.rivalry = [
            0.0 if s == seat or state.resigned >> s & 1 else even * (0.5 + 1 / (1 + exp((mine - standing[s]) / 5)))
            for s in range(state.players)
        ]

    def bed(self, rounds: int) -> float:
        """What it costs to miss so many placements."""
        return self.weights.bed * min(rounds, self.left)

    def odds(self, bold: float | None = None) -> list[float]:
        """How likely each card from 1 to 6 is to be played by somebody else; drawn, if `bold` is 0."""
        unseen = [float(CARDS_OF_A_VALUE)] * HIGHEST_CARD
        state = self.state
        for card in state.hands[self.seat]:
            unseen[card - 1] -= 1
        for pile in state.piles:
            for card in pile:
                unseen[card - 1] -= 1
        if bold is None:
            bold = self.weights.bold
        for n in range(HIGHEST_CARD):
            unseen[n] = max(0.0, unseen[n]) * (1 + bold * (n - 2.5))
        total = sum(unseen)
        return [n / total for n in unseen] if total else [1 / HIGHEST_CARD] * HIGHEST_CARD

    def stone(self, kind: int) -> float:
        return kind + 1 + self.weights.ring

    def loot(self, village: Seat, engine: int, difference: int) -> tuple[float, float]:
        """What a besieger of an engine gains and the village loses."""
        walls = self.state.walls[village]
        spoil = best_spoil(walls[2 * engine], walls[2 * engine + 1], difference)
        if spoil.kept < 0:
            return 0.0, 0.0
        return self.stone(spoil.kept), spoil.lost + self.weights.ring * spoil.stones

    def field(self, field: int) -> tuple[int, float]:
        """How many stones lie there, and what one of them is worth on average."""
        stones = self.state.stones[field]
        total = sum(stones)
        return total, (worth(stones) / total + self.weights.ring if total else 0.0)

    # Fights

    def stakes(self, fight: Fight) -> list[float]:
        """What comes of a fight of the seat, by its difference: index 5 is a tie, above it the seat wins."""
        me = self.seat
        state = self.state
        attacks = fight.attacker == me
        foe = fight.defender if attacks else fight.attacker
        rival = self.rivalry[foe]
        near, far = self.bed(1), self.bed(2)
        if fight.siege:
            village, engine = divmod(fight.space - FIELD_COUNT, 3)
            if attacks:
                won = []
                for d in range(1, HIGHEST_CARD):
                    gain, loss = self.loot(village, engine, d)
                    won.append(gain + rival * (loss + (near if d >= 3 else 0.0)))
                return [-far, -far, -far, -near, -near, 0.0, *won]
            exposed = self.exposed() if state.home[me] == 1 else 0.0
            lost = []
            for d in range(1, HIGHEST_CARD):
                gain, loss = self.loot(village, engine, d)
                lost.append(-loss - rival * gain - (near if d >= 3 else 0.0) - exposed)
            return [*reversed(lost), -exposed, *(rival * (near if d < 3 else far) for d in range(1, HIGHEST_CARD))]
        if fight.space >= FIELD_COUNT:
            village, engine = divmod(fight.space - FIELD_COUNT, 3)
            prize = self.besieging(village, engine, state.home[village] > 0)
            lose, tie, win = 0.0, 0.0, prize
        else:
            vikings = state.vikings[fight.space]
            stones, each = self.field(fight.space)
            mine, others, theirs = vikings[me], sum(vikings), vikings[foe]
            others -= mine
            rest = others - theirs
            lose = share(mine - 1, others, stones) * each - rival * share(theirs, rest + mine - 1, stones) * each
            win = share(mine, others - 1, stones) * each - rival * share(theirs - 1, rest + mine, stones) * each
            tie = share(mine - 1, others - 1, stones) * each - rival * share(theirs - 1, rest + mine - 1, stones) * each
        return [
            *(lose - far,) * 3,
            *(lose - near,) * 2,
            tie,
            *(win + rival * near,) * 2,
            *(win + rival * far,) * 3,
        ]

    def exposed(self) -> float:
        """What the village is likely to lose to the other besiegers before it if its last defender falls."""
        state, fight = self.state, self.state.fight
        total = 0.0
        for engine in range(3):
            siege = 3 * self.seat + engine
            if state.sieges[siege] and not state.settled >> siege & 1:
                if fight is not None and fight.space == FIELD_COUNT + siege:
                    continue
                total += 0.6 * self.loot(self.seat, engine, 5)[1]
        return total

    def besieging(self, village: Seat, engine: int, defended: bool) -> float:
        """What a siege promises, with a middling card."""
        rival = self.rivalry[village]
        gain, loss = self.loot(village, engine, 2 if defended else 4)
        return (gain + rival * loss) * (0.4 if defended else 1.0)

    def card_worth(self, card: int, fight: Fight, stakes: Sequence[float], odds: Sequence[float]) -> float:
        """What playing a card in a fight promises, less what the card could still do elsewhere."""
        if fight.undefended:
            if fight.attacker != self.seat:
                return -self.pip * card
            village, engine = divmod(fight.space - FIELD_COUNT, 3)
            gain, loss = self.loot(village, engine, card)
            return gain + self.rivalry[village] * loss - self.pip * card
        return sum(p * stakes[card - n + 4] for n, p in enumerate(odds)) - self.pip * card

    def best_card(self, hand: Sequence[int], fight: Fight) -> tuple[float, int]:
        stakes = [] if fight.undefended else self.stakes(fight)
        odds = self.odds()
        return max((self.card_worth(card, fight, stakes, odds), -card) for card in set(hand))


def share(mine: int, others: int, stones: int) -> float:
    """How many stones of a field come to some Vikings among others, fights taken as even."""
    total = mine + others
    if total <= 0 or mine <= 0:
        return 0.0
    if total <= stones:
        return float(mine)
    if not others:
        return float(min(mine, stones))
    return stones * mine / total


def battle_card(o: Outlook, rng: Rng) -> Action:
    fight = o.state.fight
    assert fight is not None
    return Play(card=-o.best_card(o.state.hands[o.seat], fight)[1])


def amulets(o: Outlook, rng: Rng) -> Action:
    """New cards if what they are likely to win is more than the amulets count in the end."""
    state, seat = o.state, o.seat
    fight = state.fight
    assert fight is not None
    hand = state.hands[seat]
    if fight.undefended and fight.attacker != seat:
        return Stand()
    stakes = [] if fight.undefended else o.stakes(fight)
    odds = o.odds()
    worths = [o.card_worth(card, fight, stakes, odds) for card in CARDS]
    chances = o.odds(0.0)
    fresh, below = 0.0, 0.0
    # The best of as many new cards: cards in order of worth, each the best with what is left to the worse ones.
    for card in sorted(CARDS, key=lambda c: worths[c - 1]):
        up_to = below + chances[card - 1]
        fresh += (up_to ** len(hand) - below ** len(hand)) * worths[card - 1]
        below = up_to
    mean = sum(card * p for card, p in zip(CARDS, chances, strict=True))
    kept = max(worths[card - 1] for card in hand)
    stronger = o.pip * (mean * len(hand) - sum(hand)) * (len(hand) - 1) / len(hand)
    return Exchange() if fresh + stronger - kept > len(hand) else Stand()


def initiative(o: Outlook, rng: Rng) -> Action:
    """The fight that promises most; crowded fields are left to the others for a while."""
    state, seat = o.state, o.seat
    hand = state.hands[seat]
    best: tuple[float, float] | None = None
    chosen: tuple[int, int] = (0, 0)
    for space, other in starts(state, seat):
        siege = other == BESIEGE
        defender = (space - FIELD_COUNT) // 3 if siege else other
        fight = Fight(0, space, seat, defender, siege and state.home[defender] == 0)
        promise = o.best_card(hand, fight)[0]
        if space < FIELD_COUNT and sum(1 for n in state.vikings[space] if n) > 2:
            promise -= 0.5
        rated = (promise, rng.random())
        if best is None or rated > best:
            best, chosen = rated, (space, other)
    space, other = chosen
    if other == BESIEGE:
        return Besiege(space=SPACE_NAMES[space])
    return FightAction(space=SPACE_NAMES[space], against=other)


def loot(o: Outlook, rng: Rng) -> Action:
    fight = o.state.fight
    assert fight is not None
    village, engine = divmod(fight.space - FIELD_COUNT, 3)
    walls = o.state.walls[village]
    spoil = best_spoil(walls[2 * engine], walls[2 * engine + 1], fight.difference)
    if spoil.kept < 0:
        return Decline()
    taken = {str(2 * engine + 1 + n): count for n, count in enumerate(spoil.taken) if count}
    return Loot(walls=taken, kept=KINDS[spoil.kept])  # type: ignore[arg-type]


def spoils(o: Outlook, rng: Rng) -> Action:
    """The dearest stone."""
    field = o.state.field
    kind = max(kind for kind, n in enumerate(o.state.stones[field]) if n)
    return Take(space=FIELDS[field], stone=KINDS[kind])  # type: ignore[arg-type]


# Placement


@lru_cache(maxsize=4096)
def poisson(tenths: int) -> tuple[float, ...]:
    """How likely 0, 1, 2 and more others come where so many tenths of one are expected; the tail is cut off."""
    mean = tenths / 10
    chances = [exp(-mean)]
    while len(chances) < 4 or (len(chances) < 14 and chances[-1] > 0.02):
        chances.append(chances[-1] * mean / len(chances))
    total = sum(chances)
    return tuple(c / total for c in chances)


@lru_cache(maxsize=16384)
def harvest(mine: int, stones: int, tenths: int) -> tuple[float, float]:
    """How many stones a party brings home from a field and how many of it get hurt, on average."""
    got = hurt = 0.0
    for others, p in enumerate(poisson(tenths)):
        brought = share(mine, others, stones)
        got += p * brought
        if others and mine + others > stones:
            hurt += p * (mine - brought)
    return got, hurt


def placement(o: Outlook, rng: Rng) -> Action:
    """One errand after another, each to where one Viking more is worth most."""
    state, seat, weights = o.state, o.seat, o.weights
    crowds = crowding(o)
    fields = [o.field(f) for f in range(FIELD_COUNT)]
    bed = 1.5 * o.bed(1)
    sent = [0] * FIELD_COUNT
    got = [0.0] * FIELD_COUNT
    hand = sorted(state.hands[seat], reverse=True)
    targets = siege_targets(o)
    guards = Guards(o)
    guarding = 0
    raids: list[str] = []
    taste = [1 + weights.noise * (2 * rng.random() - 1) for _ in range(FIELD_COUNT + 1)]
    tastes = {target: 1 + weights.noise * (2 * rng.random() - 1) for target, _ in targets}
    for _ in range(state.home[seat]):
        best, where = guards.worth(guarding + 1) * taste[FIELD_COUNT], -1
        for f, (stones, each) in enumerate(fields):
            if stones:
                brought, hurt = harvest(sent[f] + 1, stones, crowds[f])
                gain = (each * brought - bed * hurt - got[f]) * taste[f]
                if gain > best:
                    best, where = gain, f
        raid = None
        if len(raids) < len(hand):
            card = hand[len(raids)]
            for target, promises in targets:
                gain = promises[card - 1] * tastes[target]
                if gain > best and siege_name(target) not in raids:
                    best, raid = gain, target
        if raid is not None:
            raids.append(siege_name(raid))
        elif where >= 0:
            sent[where] += 1
            brought, hurt = harvest(sent[where], fields[where][0], crowds[where])
            got[where] = fields[where][1] * brought - bed * hurt
        else:
            guarding += 1
    errands = {FIELDS[f]: n for f, n in enumerate(sent) if n}
    return Place(fields=errands, sieges=tuple(sorted(raids)))  # type: ignore[arg-type]


def crowding(o: Outlook) -> list[int]:
    """How many Vikings of others to expect on each field, in tenths."""
    state, weights = o.state, o.weights
    afield = 0.0
    for s in range(state.players):
        if s != o.seat:
            afield += state.home[s] * (1 - min(0.5, weights.homebodies * o.built[s]) - o.raiding)
    drawn = []
    for f in range(FIELD_COUNT):
        stones, each = o.field(f)
        drawn.append((stones * each) ** weights.greed if stones else 0.3)
    total = sum(drawn)
    return [round(10 * afield * d / total) for d in drawn]


def raiders_on(o: Outlook, village: Seat) -> float:
    """How many Vikings of others to expect on each siege space of a village."""
    state = o.state
    if not any(state.walls[village]):
        return 0.1
    others = sum(state.home) - state.home[o.seat] - (state.home[village] if village != o.seat else 0)
    rivals = max(1, sum(1 for s, walls in enumerate(state.walls) if any(walls) and s != o.seat))
    return o.raiding * others / (3 * rivals)


def siege_targets(o: Outlook) -> list[tuple[int, list[float]]]:
    """Siege spaces worth a Viking, each with what it promises to every card."""
    state, weights = o.state, o.weights
    odds = o.odds()
    found = []
    for village in range(state.players):
        if village == o.seat or not any(state.walls[village]):
            continue
        open_gate = 1 - min(0.9, weights.guarded * o.built[village]) if state.home[village] else 1.0
        alone = exp(-raiders_on(o, village))
        for engine in range(3):
            walls = state.walls[village]
            if not (walls[2 * engine] or walls[2 * engine + 1]):
                continue
            space = FIELD_COUNT + 3 * village + engine
            undefended = Fight(0, space, o.seat, village, True)
            defended = Fight(0, space, o.seat, village, False)
            stakes = o.stakes(defended) if open_gate < 1 else []
            promises = []
            for card in CARDS:
                promise = open_gate * o.card_worth(card, undefended, (), odds)
                if stakes:
                    promise += (1 - open_gate) * o.card_worth(card, defended, stakes, odds)
                promises.append((0.5 + 0.5 * alone) * promise - (1 - alone) * 0.5 * o.bed(2) + weights.traded * o.pip)
            found.append((3 * village + engine, promises))
    return found


class Guards:
    """What Vikings are worth that stay at home."""

    def __init__(self, o: Outlook) -> None:
        walls = o.state.walls[o.seat]
        self._raids = poisson(round(10 * 3 * raiders_on(o, o.seat)))
        bare = held = 0.0
        for engine in range(3):
            one, other = walls[2 * engine], walls[2 * engine + 1]
            bare += sum(
                best_spoil(one, other, d).lost + o.weights.ring * best_spoil(one, other, d).stones for d in (3, 4, 5, 6)
            )
            held += sum(
                p * (best_spoil(one, other, d).lost + o.weights.ring * best_spoil(one, other, d).stones)
                for d, p in enumerate(DEFENDED, start=1)
            )
        self._saved = bare / 12 - held / 3 - 0.3 * o.bed(1)
        self._bare = not any(walls)

    def worth(self, guards: int) -> float:
        """What the last of so many guards saves: the first besiegers meet one each, and six of ten of them wear one
        down."""
        if self._bare:
            return 0.0
        reach, before = guards / 0.6, (guards - 1) / 0.6
        return self._saved * sum(p * (min(n, reach) - min(n, before)) for n, p in enumerate(self._raids))


DEFENDED = (5 / 36, 4 / 36, 3 / 36, 2 / 36, 1 / 36)
"""How likely a besieger is to beat a defender by 1 to 5, cards taken as even."""
OPEN = (0.05, 0.1, 0.15, 0.2, 0.25, 0.25)
"""How likely an undefended village is to be met with a 1 to 6."""


# Building


@lru_cache(maxsize=65536)
def exposure(one: Wall, other: Wall) -> float:
    """What a siege of two walls is likely to cost: now with a defender, now without."""
    lost = 0.0
    for d, p in enumerate(OPEN, start=1):
        spoil = best_spoil(one, other, d)
        if spoil.kept >= 0:
            defended = DEFENDED[d - 1] if d <= len(DEFENDED) else 0.0
            lost += (0.5 * p + 0.5 * defended) * (spoil.lost + 0.3 * (spoil.kept + 1) + 0.25 * spoil.stones)
    return lost


def risk(walls: Sequence[Wall]) -> float:
    return sum(exposure(walls[n], walls[n + 1]) for n in (0, 2, 4))


def laid_best(walls: Walls, order: Sequence[int]) -> tuple[float, list[tuple[int, int]]]:
    """Stones laid in an order, each where the walls then have least to lose; the risk, and kinds with their walls."""
    now = list(walls)
    laid = []
    for kind in order:
        best: tuple[float, int] | None = None
        for n, wall in enumerate(now):
            if len(wall) < HEIGHT:
                pair = n ^ 1
                low, high = min(n, pair), max(n, pair)
                before = exposure(now[low], now[high])
                raised = (*wall, kind)
                after = exposure(raised, now[pair]) if n < pair else exposure(now[pair], raised)
                if best is None or (after - before, n) < best:
                    best = (after - before, n)
        assert best is not None
        now[best[1]] = (*now[best[1]], kind)
        laid.append((kind, best[1]))
    return risk(now), laid


def building(o: Outlook, rng: Rng) -> Action:
    """As many stones as there is room for; the walls come out so that sieges cost least."""
    state, seat = o.state, o.seat
    new = state.carried[seat]
    must = must_build(state, seat)
    present = [kind for kind, n in enumerate(new) if n]
    best: tuple[float, list[tuple[int, int]]] | None = None
    # All four kinds at once are rare, and their 24 orders would take long.
    for kinds in permutations(present) if len(present) < len(KINDS) else (present, present[::-1]):
        order = [kind for kind in kinds for _ in range(new[kind])][:must]
        found = laid_best(state.walls[seat], order)
        if best is None or found < best:
            best = found
    assert best is not None
    return Build(stones=tuple(Laid(stone=KINDS[kind], wall=n + 1) for kind, n in best[1]))  # type: ignore[arg-type]


_CHOICES: dict[str, Callable[[Outlook, Rng], Action]] = {
    "placement": placement,
    "initiative": initiative,
    "amulets": amulets,
    "battle_card": battle_card,
    "loot": loot,
    "spoils": spoils,
    "building": building,
}
