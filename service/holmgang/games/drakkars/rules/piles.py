"""D4.5, D6.2: drawing cards and coins one by one, by chance; discarding."""

from __future__ import annotations

from holmgang.engine.tuples import add, nth, put
from holmgang.engine.turn import Seat

from .coast import COINS, MOST_CARDS, VALUES
from .effects import CardDrawn, CoinDrawn, FogCardDrawn, PileRenewed
from .model import Board, Coins, Values
from .work import NOBODY, Work, pour, rank, set_cargo

NO_CARDS: Values = (0,) * VALUES


def listed(values: Values) -> tuple[int, ...]:
    """Counts of cards as sorted cards."""
    return tuple(value for value, n in enumerate(values, start=1) for _ in range(n))


def discard(board: Board, seat: Seat, *cards: int) -> None:
    """From the hand to the discard."""
    hand = list(board.hands[seat])
    for card in cards:
        hand.remove(card)
        board.discard = add(board.discard, card - 1, 1)
    board.hands = put(board.hands, seat, tuple(hand))


def to_hand(board: Board, seat: Seat, *cards: int) -> None:
    board.hands = put(board.hands, seat, tuple(sorted(board.hands[seat] + cards)))


def room(board: Board, seat: Seat) -> int:
    return MOST_CARDS - len(board.hands[seat])


def draw(w: Work, seat: Seat, cards: int, *, own: bool = False, unseen: bool = False) -> None:
    """The seat is to draw cards, `own`: from its own deck first; `unseen`: under its hidden ship."""
    d = w.d
    d.drawer, d.drawing, d.own, d.unseen = seat, cards, own, unseen
    d.phase = "draw"


def go_on_drawing(w: Work) -> None:
    """Ask for the next card, as long as there are any and there is room for it (D2.4)."""
    d = w.d
    if d.drawing and (d.unseen or room(d, d.drawer)):
        if not from_deck(d):
            renew(w)
        if from_deck(d) or any(d.central):
            d.phase = "card"
            return
    d.drawing, d.own, d.unseen = 0, False, False
    d.phase = "deal" if d.active == NOBODY else "next"


def renew(w: Work) -> None:
    """D4.5: when the central pile is empty and a card of it is needed, the discard takes its place."""
    d = w.d
    if not any(d.central) and any(d.discard):
        w.effects.append(PileRenewed(cards=sum(d.discard)))
        d.central, d.discard = d.discard, NO_CARDS


def from_deck(board: Board) -> bool:
    """Whether the next card comes from the drawer's own deck."""
    return board.own and any(board.decks[board.drawer])


def next_pile(board: Board) -> Values:
    """The pile that the next card comes from."""
    return board.decks[board.drawer] if from_deck(board) else board.central


def draw_card(w: Work, value: int) -> None:
    """The card at `value` in the pile sorted by value: any of them with equal chance."""
    d = w.d
    seat = d.drawer
    own = from_deck(d)
    source = next_pile(d)
    at = nth(source, value)
    left = add(source, at, -1)
    if own:
        d.decks = put(d.decks, seat, left)
    else:
        d.central = left
    card = at + 1
    if d.unseen:
        d.fog_cards = put(d.fog_cards, seat, (card,))
        w.effects.append(FogCardDrawn(seat=seat, card=card))
    else:
        to_hand(d, seat, card)
        w.effects.append(CardDrawn(seat=seat, pile="deck" if own else "central", card=card))
    d.drawing -= 1
    d.phase = "draw"


def take_coin(board: Board, value: int) -> int:
    """A coin out of the bag: its kind."""
    kind = nth(board.bag, value)
    board.bag = add(board.bag, kind, -1)  # type: ignore[assignment]
    return kind


def draw_coin(w: Work, value: int) -> None:
    """D6.2: into the cargo of the ship that has come home; it may pass six."""
    d = w.d
    kind = take_coin(d, value)
    at = rank(d, d.active, d.arriving)
    coin: Coins = add((0, 0, 0), kind, 1)  # type: ignore[assignment]
    set_cargo(d, d.active, at, pour(d.cargo[d.active][at], coin))
    w.effects.append(CoinDrawn(seat=d.active, rank=at + 1, coin=COINS[kind]))
    d.drawing -= 1
    if not d.drawing:
        d.phase = "next"
