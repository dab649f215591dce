"""What Drakkars' heuristics know: how long ships need to come home, and what is likely to count when the end comes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp
from typing import Any

from holmgang.bots.base import Effort
from holmgang.engine.moves import Rng
from holmgang.engine.rules import AnyRules
from holmgang.engine.teams import partners_across, side
from holmgang.engine.turn import Await, Chance, Seat
from holmgang.games.drakkars.rules.coast import HIDDEN, HOME, MOST_CARDS, RESERVE, SHIPS, distance
from holmgang.games.drakkars.rules.model import (
    Attack,
    Coins,
    Draw,
    LootChoice,
    Pair,
    Play,
    Push,
    State,
    Swap,
)
from holmgang.games.drakkars.rules.raiding import Offer, highest
from holmgang.games.drakkars.rules.work import NOBODY, gone

COURSE = 38
"""Steps home of a ship in reserve, without the turn that its launch takes."""
USUAL = 5.5
"""An average card."""
USUAL_HAND = 26.0
"""What a hand is worth at the end, as far as one cannot tell yet."""
BLUR = 1.6
"""Turns by which an estimated arrival is uncertain."""
SCALE = 9.0
"""Coins of a lead that make a win about three times as likely as not."""
MOST_FANCY = 24
"""Pairs and swaps looked at, of several hundred."""
JITTER = 1e-4
"""By so much chance decides between what looks alike."""


def _likely(turns: float) -> float:
    """The chance that something expected so many turns before a date happens before it."""
    return 1 / (1 + exp(-turns / BLUR)) if -12 < turns < 12 else float(turns > 0)


def projected(state: State) -> list[float]:
    """What each seat will likely score."""
    return _last_scores(state) if state.ender != NOBODY else _scores(state)


@lru_cache(maxsize=1 << 14)
def _worths(cargo: tuple[Coins, ...], coin_worth: tuple[int, ...]) -> tuple[int, ...]:
    """What each cargo is worth, by rank."""
    gold, silver, copper = coin_worth
    return tuple(g * gold + s * silver + c * copper for g, s, c in cargo)


@lru_cache(maxsize=1 << 14)
def _ways(fjord: int, ships: tuple[int, ...], token: int, hidden: int) -> tuple[int, ...]:
    """The ways home of ships that have not landed, the nearest first; ships in reserve last. The one in the fog at
    `token` has cards of the value `hidden` with it."""
    found = []
    for place in ships:
        if place == HIDDEN:
            found.append(max(1, distance(fjord, token) - hidden))
        elif place == RESERVE:
            found.append(COURSE)
        elif place != HOME:
            found.append(distance(fjord, place))
    return tuple(sorted(found))


def _ways_of(state: State, seat: Seat) -> tuple[int, ...]:
    return _ways(state.fjords[seat], state.ships[seat], state.fog[seat], sum(state.fog_cards[seat]))


def _scores(state: State) -> list[float]:
    """Before the end is called: when will it be, by whom, and what will have come home until then."""
    n = state.players
    times: list[list[float]] = []
    for seat in range(n):
        hand = state.hands[seat]
        rate = 3.2 + 0.42 * sum(hand) / len(hand) if hand else 3.6
        at = ((seat - state.active) % n) / n + (0.0 if hand else 0.7)
        mine = []
        for way in _ways_of(state, seat):
            at += way / rate + (0.8 if way == COURSE else 0.0)
            mine.append(at)
        times.append(mine)
    every = sorted(at for mine in times for at in mine)
    landed = sum(map(len, state.landed))
    wanted = max(n + 2 - landed, 1)
    end = every[wanted - 1] if wanted <= len(every) else every[-1]
    for mine in times:
        if mine:
            end = min(end, mine[-1])
    fresh = exp(-end / 9)
    scores = []
    for seat in range(n):
        home = len(state.landed[seat])
        worths = _worths(state.cargo[seat], state.coin_worth)
        total = float(sum(worths[:home]))
        hand = state.hands[seat]
        kept = fresh * sum(hand) + (1 - fresh) * USUAL_HAND
        counts = 0.0
        for at, worth in zip(times[seat], worths[home:], strict=False):
            reached = _likely(end + 0.8 - at)
            # The first ship that is too late may still rush home, and the hand counts in part (D8.2, D8.4).
            short = max(0.0, at - end) * USUAL
            rushed = _likely((kept - short) / USUAL) * max(0.0, kept - short)
            counts = max(counts, rushed * _likely(at - end + 1.5))
            total += worth * max(reached, 0.6 * _likely((kept - short) / USUAL))
        total += counts + 0.5 * min(len(hand), 5)
        scores.append(total)
    return scores


def _last_scores(state: State) -> list[float]:
    """After the end has been called: what is home, and what a last turn can still add."""
    scores = []
    for seat in range(state.players):
        home = len(state.landed[seat])
        worths = _worths(state.cargo[seat], state.coin_worth)
        total = float(sum(worths[:home]))
        hand = sum(state.card_worth[card - 1] for card in state.hands[seat])
        best = float(hand) if state.counting >> seat & 1 else 0.0
        yet_to_go = seat in state.queue or (seat == state.active and state.phase == "sail" and not state.fight)
        if yet_to_go and home < SHIPS:
            steps = sum(state.hands[seat])
            for way, worth in zip(_ways_of(state, seat), worths[home:], strict=False):
                if way <= steps and way < COURSE:
                    best = max(best, worth + max(0.0, hand - way - 1.5))
        scores.append(total + best)
    return scores


class DrakkarsJudge:
    """Looks at what each choice leads to, with middling luck, and what each seat would then likely score."""

    effort = Effort(iterations=400)

    def value(self, state: State, seat: Seat) -> float:
        mine = side(state.players, seat)
        if state.phase == "over":
            return len(mine) / len(state.winners) if mine[0] in state.winners else 0.0
        scores = projected(state)
        foes = [team for team in partners_across(state.players) if team != mine and not gone(state, team[0])]
        others = max(sum(scores[s] for s in team) for team in foes)
        lead = sum(scores[s] for s in mine) - others
        return 1 / (1 + exp(-lead / SCALE))

    def choose(self, rules: AnyRules, state: State, seat: Seat, rng: Rng) -> Any:
        most, found = -1.0, None
        for worth, action in self.scored(rules, state, seat, rng):
            worth += JITTER * rng.random()
            if worth > most:
                most, found = worth, action
        return found

    def ranked(self, rules: AnyRules, state: State, seat: Seat, rng: Rng) -> list[tuple[float, Any]]:
        """The choices worth a thought, the best first, with the values of what they lead to."""
        return sorted(self.scored(rules, state, seat, rng), key=lambda each: -each[0])

    def scored(self, rules: AnyRules, state: State, seat: Seat, rng: Rng) -> list[tuple[float, Any]]:
        """Choices with the value of what they lead to."""
        if state.phase == "battle_card":
            return self._fights(rules, state, seat)
        return [
            (self._outlook(rules, rules.apply(state, seat, action).state, seat), action)
            for action in _choices(rules, state, seat, rng)
        ]

    def _outlook(self, rules: AnyRules, state: State, seat: Seat) -> float:
        """The value once the go is over, with middling luck and the best that follows at once."""
        while type(turn := rules.turn(state)) is Chance:
            state = rules.resolve(state, turn.stop // 2).state
        if type(turn) is not Await or state.phase == "sail":
            return self.value(state, seat)
        if state.phase == "battle_card":
            return self._skirmish(rules, state, seat)
        if state.phase == "loot" and (offer := Offer(state)).count:
            after = rules.apply(state, seat, LootChoice(highest(offer))).state
            return self._outlook(rules, after, seat)
        actions = [Push(), Attack()] if state.phase == "arrival" else rules.moves(state, seat)
        return max(self._outlook(rules, rules.apply(state, seat, action).state, seat) for action in actions)

    def _skirmish(self, rules: AnyRules, state: State, seat: Seat) -> float:
        """A fight with one's highest card against a middling one."""
        return self._clash(rules, state, seat, max(state.hands[seat]), None)

    def _clash(self, rules: AnyRules, state: State, seat: Seat, card: int, other: int | None) -> float:
        """The value after a fight with such a card; `other` or the middle of the hand is played against it."""
        for each in state.awaited:
            hand = state.hands[each]
            chosen = card if each == seat else hand[len(hand) // 2] if other is None else other
            state = rules.apply(state, each, Play(chosen)).state
        return self._outlook(rules, state, seat)

    def _fights(self, rules: AnyRules, state: State, seat: Seat) -> list[tuple[float, Any]]:
        """Every own card against what the other may have."""
        fight = state.fight
        assert fight is not None
        foe = fight.defender if seat == state.active else state.active
        theirs: Sequence[int | None] = [None]
        if foe in state.awaited:
            hand = state.hands[foe]
            theirs = [hand[len(hand) * part // 6] for part in (1, 3, 5)]
        found = []
        for card in sorted(set(state.hands[seat])):
            values = [self._clash(rules, state, seat, card, other) for other in theirs]
            found.append((sum(values) / len(values), Play(card)))
        return found


def _choices(rules: AnyRules, state: State, seat: Seat, rng: Rng) -> list[Any]:
    """What is worth a look: no draw that gives nothing, few of many pairs and swaps, of loot the highest cards."""
    if state.phase == "loot" and (offer := Offer(state)).count:
        return [LootChoice(highest(offer))]
    plain: list[Any] = []
    fancy: list[Any] = []
    space = rules.moves(state, seat)
    for action in space:
        if type(action) is Draw and len(state.hands[seat]) == MOST_CARDS:
            continue
        (fancy if type(action) in (Pair, Swap) else plain).append(action)
    while len(fancy) > MOST_FANCY:
        fancy[rng.randrange(len(fancy))] = fancy[-1]
        fancy.pop()
    return plain + fancy or [next(iter(space))]
