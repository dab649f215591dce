"""D5.1 to D5.3 and D6.2: what an own ship does where it arrives, and the loot."""

from __future__ import annotations

from collections.abc import Iterator

from holmgang.engine.teams import side
from holmgang.engine.tuples import add

from .coast import COINS, Cell, cells_of
from .effects import BarrelMoved, BonusTaken, CardsChosen, CardsLooted, CoinsLooted, NothingLooted, PileShown
from .model import Board, Coins, Values
from .piles import draw, listed, renew, room, to_hand
from .sailing import push_aside
from .work import Work, fit, gone, named, pour, rank, ship_on, stow


def occupant(board: Board) -> tuple[int, int] | None:
    """Another ship on the cell where the active seat's ship arrives."""
    seat, ship = board.active, board.arriving
    return ship_on(board, board.ships[seat][ship], but=(seat, ship))


def town_there(board: Board) -> int | None:
    """The town, counted from 0, where the active seat's ship arrives."""
    place = board.ships[board.active][board.arriving]
    return board.towns.index(place) if place in board.towns else None


def arrive(w: Work) -> None:
    """D5.3: push or attack, where there is a choice."""
    d = w.d
    seat = d.active
    there = occupant(d)
    if there is None:
        d.phase = "act"
    elif there[0] in side(d.players, seat) or not d.hands[seat]:
        push(w, forced=True)
    elif gone(d, seat):
        push(w, defaulted=True)
    else:
        w.ask("arrival", seat)


def push(w: Work, *, forced: bool = False, defaulted: bool = False) -> None:
    push_aside(w, w.d.active, w.d.arriving, forced=forced, defaulted=defaulted)
    w.d.phase = "act"


def act(w: Work) -> None:
    """D5.1, D5.2."""
    d = w.d
    if town_there(d) is None:
        draw(w, d.active, 1, own=True)
        return
    values = sorted(set(d.values))
    if len(values) == 1:
        advance(w, values[0], forced=len(d.values) > 1 or d.again)
    elif gone(d, d.active):
        advance(w, values[0], defaulted=True)
    else:
        w.ask("barrel", d.active)


def advance(w: Work, by: int, *, forced: bool = False, defaulted: bool = False) -> None:
    """D5.2: a value that has moved the barrel is used up."""
    d = w.d
    cells = cells_of(d.shield)
    d.barrel = (d.barrel + by) % len(cells)
    left = list(d.values)
    left.remove(by)
    d.values, d.again = tuple(left), True
    w.effects.append(BarrelMoved(seat=d.active, by=by, cell=d.barrel, forced=forced, defaulted=defaulted))
    d.phase = "loot_there"


def count(coins: tuple[int, ...]) -> Coins:
    """Coins of a pile by kind."""
    return (coins.count(0), coins.count(1), coins.count(2))


def _worthwhile(board: Board, coins: int) -> int:
    """How many coins a raid takes; none, if the ship's cargo would stay as it is (D1.7)."""
    town = town_there(board)
    assert town is not None, "ships raid towns"
    top = board.piles[town][:coins]
    cargo = board.cargo[board.active][rank(board, board.active, board.arriving)]
    return len(top) if fit(board, pour(cargo, count(top)))[0] != cargo else 0


class Offer:
    """What the barrel's cell gives now: `coins` or `cards`, or a choice of `count` of the cards in `pile`."""

    __slots__ = ("cards", "coins", "count", "pile", "source")

    def __init__(self, board: Board) -> None:
        cell: Cell = cells_of(board.shield)[board.barrel]
        free = room(board, board.active)
        self.coins = min(cell.coins, sum(board.bag)) if board.bonus else _worthwhile(board, cell.coins)
        self.cards = min(cell.cards, free, sum(board.central) + sum(board.discard))
        self.source = cell.source
        self.pile: Values = board.central if cell.source == "central" else board.discard
        self.count = min(cell.count, free, sum(self.pile)) if cell.source else 0

    def only(self) -> bool:
        """C3: whether everybody can tell that there is at most one thing to take."""
        if not self.count:
            return not (self.coins and self.cards)
        kinds = sum(n > 0 for n in self.pile)
        return sum(self.pile) == self.count or (self.source == "discard" and kinds == 1)


def loot(w: Work) -> None:
    """D5.2, D6.2: what there is; one takes it at choice."""
    d = w.d
    cell = cells_of(d.shield)[d.barrel]
    if cell.source == "central" and cell.count and room(d, d.active):
        renew(w)
    offer = Offer(d)
    if not (offer.coins or offer.cards or offer.count):
        w.effects.append(NothingLooted(seat=d.active))
        d.phase = "next"
    elif offer.only():
        take(w, offer, forced=True)
    elif gone(d, d.active):
        take(w, offer, defaulted=True)
    else:
        if offer.source == "central":
            shown = listed(offer.pile)
            w.effects.append(PileShown(seat=d.active, count=len(shown), cards=shown))
        w.ask("loot", d.active)


def take(w: Work, offer: Offer, *, forced: bool = False, defaulted: bool = False) -> None:
    """The only thing there is, or the default."""
    if offer.count:
        take_choice(w, highest(offer), forced=forced, defaulted=defaulted)
    elif offer.coins:
        take_coins(w, forced=forced, defaulted=defaulted)
    else:
        take_cards(w, forced=forced, defaulted=defaulted)


def highest(offer: Offer) -> tuple[int, ...]:
    return listed(offer.pile)[-offer.count :]


def take_coins(w: Work, *, forced: bool = False, defaulted: bool = False) -> None:
    """D5.2: off the top of the town's pile; D6.2: out of the bag, by chance."""
    d = w.d
    seat, coins = d.active, Offer(d).coins
    at = rank(d, seat, d.arriving)
    if d.bonus:
        w.effects.append(BonusTaken(seat=seat, rank=at + 1, coins=coins, forced=forced, defaulted=defaulted))
        d.drawing, d.phase = coins, "bonus_coin"
        return
    town = town_there(d)
    assert town is not None
    taken, left = d.piles[town][:coins], d.piles[town][coins:]
    d.piles = (*d.piles[:town], left, *d.piles[town + 1 :])
    returned = stow(d, seat, at, count(taken))
    w.effects.append(
        CoinsLooted(
            seat=seat,
            town=town + 1,
            rank=at + 1,
            coins=tuple(COINS[kind] for kind in taken),
            returned=named(returned),
            forced=forced,
            defaulted=defaulted,
        )
    )
    d.phase = "next"


def take_cards(w: Work, *, forced: bool = False, defaulted: bool = False) -> None:
    """D5.2."""
    d = w.d
    cards = Offer(d).cards
    w.effects.append(CardsLooted(seat=d.active, cards=cards, forced=forced, defaulted=defaulted))
    draw(w, d.active, cards)


def take_choice(w: Work, cards: tuple[int, ...], *, forced: bool = False, defaulted: bool = False) -> None:
    """D1.7."""
    d = w.d
    offer = Offer(d)
    left = offer.pile
    for card in cards:
        left = add(left, card - 1, -1)
    if offer.source == "central":
        d.central = left
    else:
        d.discard = left
    to_hand(d, d.active, *cards)
    w.effects.append(
        CardsChosen(
            seat=d.active,
            pile=offer.source,
            count=len(cards),
            cards=tuple(sorted(cards)),
            forced=forced,
            defaulted=defaulted,
        )
    )
    d.phase = "next"


def choices(offer: Offer) -> Iterator[tuple[int, ...]]:
    """Every set of so many cards of the pile, each sorted."""

    def pick(value: int, wanted: int) -> Iterator[tuple[int, ...]]:
        if not wanted:
            yield ()
        elif value < len(offer.pile):
            for n in range(min(offer.pile[value], wanted) + 1):
                for rest in pick(value + 1, wanted - n):
                    yield (value + 1,) * n + rest

    return pick(0, offer.count)


def count_choices(offer: Offer) -> int:
    """How many `choices` there are."""
    ways = [1] + [0] * offer.count
    for there in offer.pile:
        ways = [sum(ways[size - n] for n in range(min(there, size) + 1)) for size in range(len(ways))]
    return ways[offer.count]
