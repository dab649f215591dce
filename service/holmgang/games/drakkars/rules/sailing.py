"""D3, D4, D7 and D8.2: a player's go, what their cards do, ships that move and are pushed; resigning."""

from __future__ import annotations

from holmgang.engine.teams import partners_across, side
from holmgang.engine.tuples import add, put
from holmgang.engine.turn import Seat

from . import setup
from .coast import (
    CELLS,
    FREYA,
    FREYR,
    FRIGG,
    HEIMDALL,
    HIDDEN,
    IDUNN,
    NJORD,
    ODIN,
    RESERVE,
    SIF,
    THOR,
    TYR,
    ahead,
    distance,
)
from .effects import (
    CardsPlayed,
    FogCardAdded,
    FogLifted,
    Passed,
    SeatResigned,
    ShipHidden,
    ShipMoved,
    ShipPushed,
    ShipsSwapped,
    ShipStayed,
    TurnStarted,
)
from .ending import MOST_TURNS, finish, land
from .model import Back, Boost, Emerge, Fog, FogCard, Launch, Pair, Rush, Sail, Swap
from .piles import discard, draw
from .work import NOBODY, Work, afloat, can_launch, gone, hidden_ship, set_place, ship_on, way_home

BACK = 5
BOOST = 3
DRAWN = 2


def go(w: Work) -> None:
    """D4, D8.1, D8.6: the next player's go, or the end."""
    d = w.d
    last = d.ender != NOBODY
    if last:
        if not d.queue:
            finish(w, "ships")
            return
        d.active, d.queue = d.queue[0], d.queue[1:]
    elif d.turns[d.active] == MOST_TURNS:
        finish(w, "turn_limit")
        return
    seat = d.active
    d.turns = put(d.turns, seat, d.turns[seat] + 1)
    w.effects.append(TurnStarted(seat=seat, number=d.turns[seat], last=last))
    if gone(d, seat):
        pass_by(w, defaulted=True)
    elif not d.hands[seat] and not can_launch(d, seat):
        pass_by(w, forced=True)
    else:
        w.ask("sail", seat)


def go_on(w: Work) -> None:
    """What is left of the go: the next move, or the next ship that acts; then the next player's go."""
    d = w.d
    d.arriving, d.bonus = NOBODY, False
    if not d.todo:
        d.odin, d.values, d.again = False, (), False
        if d.ender == NOBODY:
            d.active = (d.active + 1) % d.players
        d.phase = "go"
        return
    (owner, ship, steps), d.todo = d.todo[0], d.todo[1:]
    if not afloat(d.ships[owner][ship]):
        w.effects.append(ShipStayed(owner=owner, ship=ship))
    elif steps:
        move(w, owner, ship, steps)
    else:
        arrive(w, ship)


def arrive(w: Work, ship: int) -> None:
    w.d.arriving, w.d.phase = ship, "arrive"


def move(w: Work, owner: Seat, ship: int, steps: int) -> None:
    """D3, D5: along the coast, or home. Own ships act where they arrive; others push what stands there."""
    d = w.d
    start, home = d.ships[owner][ship], way_home(d, owner, ship)
    mine = owner == d.active
    if steps >= home:
        come_home(w, owner, ship, bonus=mine and (steps == home or d.odin))
        return
    end = ahead(d.fjords[owner], start, steps)
    set_place(d, owner, ship, end)
    _tell_move(w, owner, ship, start, end, steps)
    if mine:
        arrive(w, ship)
    else:
        push_aside(w, owner, ship)


def _tell_move(w: Work, owner: Seat, ship: int, start: int, end: int, steps: int) -> None:
    shown = start if start >= 0 else None
    w.effects.append(ShipMoved(owner=owner, ship=ship, start=shown, end=end, steps=steps, by=w.d.active))


def come_home(w: Work, owner: Seat, ship: int, *, bonus: bool) -> None:
    """D6."""
    d = w.d
    land(w, owner, ship, bonus=bonus)
    if bonus:
        d.arriving, d.bonus, d.phase = ship, True, "loot_there"


def push_aside(w: Work, owner: Seat, ship: int, *, forced: bool = False, defaulted: bool = False) -> None:
    """D5.3, D5.4: what stands where a ship arrives gives way."""
    d = w.d
    cell = d.ships[owner][ship]
    other = ship_on(d, cell, but=(owner, ship))
    if other is not None:
        end = give_way(w, *other)
        w.effects.append(
            ShipPushed(
                owner=other[0], ship=other[1], start=cell, end=end, by=d.active, forced=forced, defaulted=defaulted
            )
        )
        if end is None:
            land(w, *other)


def give_way(w: Work, seat: Seat, ship: int) -> int | None:
    """D5.4: to the next sea cell without a ship. None if its own fjord comes first; it is for the caller to land it."""
    d = w.d
    cell = d.ships[seat][ship]
    for steps in range(1, distance(d.fjords[seat], cell)):
        end = (cell + steps) % CELLS
        if ship_on(d, end) is None:
            set_place(d, seat, ship, end)
            return end
    return None


def pass_by(w: Work, *, forced: bool = False, defaulted: bool = False) -> None:
    """D4.3."""
    w.effects.append(Passed(seat=w.d.active, forced=forced, defaulted=defaulted))
    draw(w, w.d.active, DRAWN)


def ready_ship(w: Work) -> None:
    """D4.3."""
    setup.launch(w, w.d.active)


def _use(w: Work, action: str, *cards: int) -> None:
    """Discard cards; their values may move the barrel (D5.2), and Odin gives the bonus (D6.2)."""
    d = w.d
    discard(d, d.active, *cards)
    w.effects.append(CardsPlayed(seat=d.active, action=action, cards=cards))
    d.values = cards
    d.odin = ODIN in d.values


def sail(w: Work, action: Sail) -> None:
    """D4.1, D5.2: with Odin the barrel moves by the steps taken."""
    steps = action.steps or action.card
    _use(w, "sail", action.card)
    w.d.values = (steps,)
    w.d.todo = ((w.d.active, action.ship, steps),)


def swap(w: Work, action: Swap) -> None:
    """D4.2.1."""
    d = w.d
    _use(w, "swap", FRIGG, ODIN)
    one, other = action.ships
    here, there = d.ships[one.seat][one.ship], d.ships[other.seat][other.ship]
    set_place(d, one.seat, one.ship, there)
    set_place(d, other.seat, other.ship, here)
    w.effects.append(
        ShipsSwapped(
            seat=d.active,
            first_owner=one.seat,
            first_ship=one.ship,
            first_cell=here,
            second_owner=other.seat,
            second_ship=other.ship,
            second_cell=there,
        )
    )
    d.todo = tuple((ref.seat, ref.ship, 0) for ref in action.ships if ref.seat == d.active)


def back(w: Work, action: Back) -> None:
    """D4.2.3."""
    d = w.d
    _use(w, "back", IDUNN, HEIMDALL)
    owner, ship = action.ship.seat, action.ship.ship
    start = d.ships[owner][ship]
    end = (start - BACK) % CELLS
    set_place(d, owner, ship, end)
    _tell_move(w, owner, ship, start, end, -BACK)
    if owner == d.active:
        d.todo = ((owner, ship, 0),)
    else:
        push_aside(w, owner, ship)


def hide(w: Work, action: Fog) -> None:
    """D4.2.2, D7.1."""
    d = w.d
    seat = d.active
    _use(w, "fog", SIF, THOR)
    place = d.ships[seat][action.ship]
    d.fog = put(d.fog, seat, place)
    set_place(d, seat, action.ship, HIDDEN)
    w.effects.append(ShipHidden(seat=seat, ship=action.ship, cell=place if place >= 0 else None))
    draw(w, seat, 1, unseen=True)


def pair(w: Work, action: Pair) -> None:
    """D4.2.4."""
    _use(w, "pair", FREYR, FREYA)
    w.d.todo = tuple((stint.seat, stint.ship, stint.steps) for stint in action.moves)


def launch_and_sail(w: Work, action: Launch) -> None:
    """D4.2.5."""
    _use(w, "launch", TYR, action.card)
    ship = setup.launch(w, w.d.active)
    w.d.todo = ((w.d.active, ship, action.steps or action.card),)


def boost(w: Work, action: Boost) -> None:
    """D4.2.6."""
    _use(w, "boost", NJORD, action.card)
    w.d.todo = ((w.d.active, action.ship, action.steps or action.card + BOOST),)


def add_fog_card(w: Work, action: FogCard) -> None:
    """D7.1: the card goes under the ship, not to the discard."""
    d = w.d
    seat = d.active
    hand = list(d.hands[seat])
    hand.remove(action.card)
    d.hands = put(d.hands, seat, tuple(hand))
    d.fog_cards = put(d.fog_cards, seat, (*d.fog_cards[seat], action.card))
    w.effects.append(FogCardAdded(seat=seat, card=action.card))


def _lift_fog(w: Work, ship: int) -> None:
    """The token is taken up; the hidden cards count with those played and go to the discard."""
    d = w.d
    seat, place, cards = d.active, d.fog[d.active], d.fog_cards[d.active]
    set_place(d, seat, ship, place)
    d.fog = put(d.fog, seat, RESERVE)
    d.fog_cards = put(d.fog_cards, seat, ())
    for card in cards:
        d.discard = add(d.discard, card - 1, 1)
    w.effects.append(FogLifted(seat=seat, ship=ship, cell=place if place >= 0 else None, cards=cards))
    d.values = (*cards, *d.values)
    d.odin = ODIN in d.values


def emerge(w: Work, action: Emerge) -> None:
    """D7.2."""
    d = w.d
    ship = hidden_ship(d, d.active)
    assert ship is not None
    _use(w, "emerge", action.card)
    _lift_fog(w, ship)
    d.todo = ((d.active, ship, sum(d.values)),)


def rush(w: Work, action: Rush) -> None:
    """D8.2: straight home."""
    d = w.d
    seat = d.active
    home = way_home(d, seat, action.ship)
    _use(w, "rush", *sorted(action.cards))
    if d.ships[seat][action.ship] == HIDDEN:
        _lift_fog(w, action.ship)
    come_home(w, seat, action.ship, bonus=d.odin or sum(d.values) == home)


def resign(w: Work, seat: Seat) -> None:
    """C6, C7: the seat and its partner give up."""
    d = w.d
    mine = side(d.players, seat)
    for each in mine:
        d.resigned |= 1 << each
    w.effects.append(SeatResigned(seat=seat, seats=mine))
    if sum(not gone(d, team[0]) for team in partners_across(d.players)) == 1:
        finish(w, "last_seat")
