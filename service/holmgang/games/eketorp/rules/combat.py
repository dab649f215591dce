"""E4: where it comes to a fight, who starts which, amulets, cards, hospital, swap and loot."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from holmgang.engine.tuples import add, put
from holmgang.engine.turn import Seat

from .board import FIELD_COUNT, KINDS, SPACE_NAMES, STATIONS
from .effects import (
    CardsRevealed,
    FightStarted,
    HandExchanged,
    HandRefilled,
    LootDeclined,
    Looted,
    LootTaken,
    SiegeLapsed,
    SiegeStarted,
    Stood,
    VikingWounded,
)
from .model import Board, Fight, Loot, Play
from .work import NO_STONES, Work, plus, record_of, winner_of, wounded_of

BESIEGE = -1
"""In place of an opponent: the seat starts its siege."""


@lru_cache(maxsize=64)
def seats_of(bits: int) -> tuple[Seat, ...]:
    return tuple(s for s in range(6) if bits >> s & 1)


def disputes(state: Board) -> list[tuple[int, tuple[Seat, ...]]]:
    """E4.1: the spaces where something is to be settled, with the seats there; a lone seat at a siege besieges."""
    found: list[tuple[int, tuple[Seat, ...]]] = []
    for field, vikings in enumerate(state.vikings):
        total = sum(vikings)
        if total > 1 and max(vikings) < total and total > sum(state.stones[field]):
            found.append((field, tuple(s for s, n in enumerate(vikings) if n)))
    for siege, bits in enumerate(state.sieges):
        if bits and not (state.settled >> siege & 1):
            found.append((FIELD_COUNT + siege, seats_of(bits)))
    return found


def starts(state: Board, seat: Seat) -> list[tuple[int, int]]:
    """E4.2: the fights that a seat can start, as space and opponent (or BESIEGE), in the order of defaults."""
    found = []
    for space, seats in disputes(state):
        if seat in seats:
            if len(seats) == 1:
                found.append((space, BESIEGE))
            else:
                found += [(space, other) for other in seats if other != seat]
    return found


def choose(w: Work) -> None:
    """E4.2: from the chooser clockwise, the next who can start a fight does; when none is left, spoils follow."""
    d = w.d
    there = 0
    for _, seats in disputes(d):
        for seat in seats:
            there |= 1 << seat
    if not there:
        d.phase, d.field, d.taker = "spoil", 0, d.first
        return
    seat = d.chooser
    while not there >> seat & 1:
        seat = (seat + 1) % d.players
    d.chooser = seat
    options = starts(d, seat)
    if len(options) == 1:
        start(w, seat, *options[0], "forced")
    elif d.resigned >> seat & 1:
        start(w, seat, *options[0], "defaulted")
    else:
        w.ask("initiative", seat)


def start(w: Work, seat: Seat, space: int, opponent: int, how: str = "") -> None:
    """A fight or siege begins; first the attacker is asked about amulets."""
    d = w.d
    d.fights += 1
    defender = (space - FIELD_COUNT) // 3 if opponent == BESIEGE else opponent
    fight = Fight(
        number=d.fights,
        space=space,
        attacker=seat,
        defender=defender,
        undefended=opponent == BESIEGE and d.home[defender] == 0,
        started=how,
        asking=seat,
    )
    d.fight, d.phase = fight, "swap"
    marks = {"forced": how == "forced", "defaulted": how == "defaulted"}
    name = SPACE_NAMES[space]
    if opponent == BESIEGE:
        w.effects.append(
            SiegeStarted(
                combat=fight.number,
                space=name,
                attacker=seat,
                defender=defender,
                undefended=fight.undefended,
                **marks,
            )
        )
    else:
        w.effects.append(FightStarted(combat=fight.number, space=name, attacker=seat, defender=defender, **marks))
    w.records.append(record_of(d, "open"))


def swap(w: Work) -> None:
    """E4.3: attacker, then defender, is asked whether to exchange their hand, if they can pay and gave no order."""
    d = w.d
    fight = d.fight
    assert fight is not None
    seat = fight.asking
    if d.amulets[seat] < len(d.hands[seat]) or d.standing >> seat & 1:
        stand(w, forced=True)
    elif d.resigned >> seat & 1:
        stand(w, defaulted=True)
    else:
        w.ask("amulets", seat)


def stand(w: Work, *, until: str | None = None, forced: bool = False, defaulted: bool = False) -> None:
    """The seat that is asked keeps its hand."""
    d = w.d
    fight = d.fight
    assert fight is not None
    seat = fight.asking
    if until is not None:
        d.standing |= 1 << seat
    w.effects.append(Stood(combat=fight.number, seat=seat, until=until, forced=forced, defaulted=defaulted))
    if seat == fight.attacker:
        d.fight, d.phase = replace(fight, asking=fight.defender), "swap"
    else:
        d.phase = "clash"


def exchange(w: Work) -> None:
    """E4.3: the whole hand leaves the game face down; as many cards are drawn next."""
    d = w.d
    fight = d.fight
    assert fight is not None
    seat, hand = fight.asking, d.hands[fight.asking]
    for card in hand:
        d.discarded = add(d.discarded, card - 1, 1)  # type: ignore[assignment]
    d.amulets = add(d.amulets, seat, -len(hand))
    d.hands = put(d.hands, seat, ())
    mine, theirs = fight.spent
    spent = (mine + len(hand), theirs) if seat == fight.attacker else (mine, theirs + len(hand))
    d.fight = replace(fight, spent=spent)
    d.drawer, d.drawing, d.phase = seat, len(hand), "draw"


def exchanged(w: Work) -> None:
    """The new hand is complete; the seat may exchange it again."""
    d = w.d
    fight = d.fight
    assert fight is not None
    hand = d.hands[d.drawer]
    w.effects.append(
        HandExchanged(
            combat=fight.number,
            seat=d.drawer,
            count=len(hand),
            amulets_left=d.amulets[d.drawer],
            cards=hand,
        )
    )
    w.records.append(record_of(d, "open"))
    d.drawer, d.phase = -1, "swap"


def clash(w: Work) -> None:
    """E4.4: those of the two who have more than one card choose one, sealed."""
    d = w.d
    fight = d.fight
    assert fight is not None
    asked = tuple(
        s for s in sorted((fight.attacker, fight.defender)) if len(d.hands[s]) > 1 and not d.resigned >> s & 1
    )
    if asked:
        w.ask("battle_card", *asked)
    else:
        d.phase = "battle"


def battle(w: Work) -> None:
    """E4.4 to E4.6: both cards are shown; hospital, swap and refill follow, and loot after a siege that was won."""
    d = w.d
    fight = d.fight
    assert fight is not None
    pair = (fight.attacker, fight.defender)
    cards: list[int] = []
    forced: list[Seat] = []
    defaulted: list[Seat] = []
    for seat in pair:
        choice, hand = d.sealed[seat], d.hands[seat]
        if choice is not None:
            assert type(choice) is Play
            cards.append(choice.card)
            continue
        cards.append(hand[0])
        (forced if len(hand) == 1 else defaulted).append(seat)
    d.sealed = (None,) * d.players
    mine, theirs = cards
    fight = replace(fight, cards=(mine, theirs), difference=mine if fight.undefended else abs(mine - theirs), asking=-1)
    d.fight = fight
    winner = winner_of(fight)
    w.effects.append(
        CardsRevealed(
            combat=fight.number,
            attacker=pair[0],
            defender=pair[1],
            attacker_card=mine,
            defender_card=theirs,
            undefended=fight.undefended,
            difference=fight.difference,
            winner=winner,
            forced=tuple(forced),
            defaulted=tuple(defaulted),
        )
    )
    for seat, station in wounded_of(fight):
        _wound(w, fight, seat, station)
    _trade(w, pair, (mine, theirs))
    if fight.siege and winner == fight.attacker:
        d.settled |= 1 << fight.space - FIELD_COUNT
        _loot(w, fight)
    else:
        if fight.space >= FIELD_COUNT and not d.sieges[fight.space - FIELD_COUNT] and not fight.siege:
            w.effects.append(SiegeLapsed(space=SPACE_NAMES[fight.space]))
        finish(w)


def _wound(w: Work, fight: Fight, seat: Seat, station: int) -> None:
    d = w.d
    moved_on = fight.siege and seat == fight.defender and fight.difference > 0
    if fight.siege and seat == fight.defender:
        d.home = add(d.home, seat, -1)
    elif fight.space < FIELD_COUNT:
        d.vikings = put(d.vikings, fight.space, add(d.vikings[fight.space], seat, -1))
    else:
        siege = fight.space - FIELD_COUNT
        d.sieges = put(d.sieges, siege, d.sieges[siege] & ~(1 << seat))
    d.hospital = put(d.hospital, station, add(d.hospital[station], seat, 1))
    w.effects.append(VikingWounded(combat=fight.number, seat=seat, station=STATIONS[station], moved_on=moved_on))


def _trade(w: Work, pair: tuple[Seat, Seat], cards: tuple[int, int]) -> None:
    """E4.6: each puts the other's card on their pile; an empty hand takes the pile up."""
    d = w.d
    for seat, own, got in ((pair[0], cards[0], cards[1]), (pair[1], cards[1], cards[0])):
        hand = list(d.hands[seat])
        hand.remove(own)
        pile = (*d.piles[seat], got)
        if not hand:
            hand, pile = sorted(pile), ()
            w.effects.append(HandRefilled(seat=seat, cards=tuple(hand)))
        d.hands = put(d.hands, seat, tuple(hand))
        d.piles = put(d.piles, seat, pile)


def loots(state: Board) -> list[Loot]:
    """E4.7.5: every way to take stones off the two walls beside the siege space, without declining."""
    fight = state.fight
    assert fight is not None
    village, engine = divmod(fight.space - FIELD_COUNT, 3)
    walls = state.walls[village]
    found = []
    for first in _tops(walls[2 * engine], fight.difference):
        for second in _tops(walls[2 * engine + 1], fight.difference - first[1]):
            removed = first[2] + second[2]
            taken = {str(2 * engine + 1 + n): len(t[2]) for n, t in enumerate((first, second)) if t[2]}
            found += [Loot(walls=taken, kept=KINDS[kind]) for kind in sorted(set(removed))]  # type: ignore[arg-type]
    return found


def _tops(wall: tuple[int, ...], worth: int) -> list[tuple[int, int, tuple[int, ...]]]:
    """Stones that may be taken off a wall for at most `worth`: how many, their worth, their kinds from the top."""
    found: list[tuple[int, int, tuple[int, ...]]] = [(0, 0, ())]
    total = 0
    for n in range(1, len(wall) + 1):
        total += wall[-n] + 1
        if total > worth:
            break
        found.append((n, total, tuple(reversed(wall[-n:]))))
    return found


def _loot(w: Work, fight: Fight) -> None:
    d = w.d
    if not loots(d):
        decline(w, forced=True)
    elif d.resigned >> fight.attacker & 1:
        decline(w, defaulted=True)
    else:
        w.records.append(record_of(d, "open"))
        w.ask("loot", fight.attacker)


def decline(w: Work, *, forced: bool = False, defaulted: bool = False) -> None:
    fight = w.d.fight
    assert fight is not None
    w.effects.append(LootDeclined(combat=fight.number, seat=fight.attacker, forced=forced, defaulted=defaulted))
    finish(w, Looted())


def loot(w: Work, action: Loot) -> None:
    """E4.7.5: the stones come off; one goes with the Viking, the others to the supply."""
    d = w.d
    fight = d.fight
    assert fight is not None
    village = fight.defender
    walls = list(d.walls[village])
    removed: dict[str, tuple[str, ...]] = {}
    taken = [0, 0, 0, 0]
    for name in sorted(action.walls):
        at, count = int(name) - 1, action.walls[name]
        off = walls[at][-count:]
        walls[at] = walls[at][:-count]
        removed[name] = tuple(KINDS[kind] for kind in reversed(off))
        for kind in off:
            taken[kind] += 1
    kept = KINDS.index(action.kept)
    taken[kept] -= 1
    d.walls = put(d.walls, village, tuple(walls))
    d.supply = plus(d.supply, tuple(taken))  # type: ignore[arg-type]
    d.carried = put(d.carried, fight.attacker, plus(d.carried[fight.attacker], add(NO_STONES, kept, 1)))  # type: ignore[arg-type]
    w.effects.append(
        LootTaken(combat=fight.number, seat=fight.attacker, village=village, walls=removed, kept=action.kept)
    )
    finish(w, Looted(walls=removed, kept=action.kept))


def finish(w: Work, brought: Looted | None = None) -> None:
    """The combat is settled; the next player chooses (E4.2)."""
    d = w.d
    fight = d.fight
    assert fight is not None
    w.records.append(record_of(d, "resolved", brought))
    d.fight = None
    d.chooser = (d.chooser + 1) % d.players
    d.phase = "choose"
