"""What a seat or a spectator may see, built from that alone; what a turn is about; hiding in effects."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from holmgang.engine.teams import partners_across
from holmgang.engine.turn import Over, Seat

from .coast import COINS, FJORD, HIDDEN, HOME, RESERVE
from .effects import CardDrawn, CardsChosen, Counts, FogCardAdded, FogCardDrawn, PileShown
from .ending import MOST_TURNS, coins_of, over
from .model import Options, Play, State
from .piles import listed
from .raiding import Offer
from .work import NOBODY, afloat, gone, named, rank, way_home

PLACES = {RESERVE: "reserve", FJORD: "fjord", HIDDEN: "hidden", HOME: "home"}


class ShipView(Struct, frozen=True, kw_only=True):
    """A ship: `at` is `sea`, `fjord`, `hidden`, `home` or `reserve`. `rank` (from 1) says which cargo is its own,
    `way_home` how many steps it has to go (D3.2)."""

    ship: int
    at: str
    cell: int | None
    way_home: int | None
    rank: int | None


class FogView(Struct, frozen=True):
    """The fog token: its cell, none in the fjord, and how many cards lie under the hidden ship."""

    cell: int | None
    cards: int


class SeatView(Struct, frozen=True, kw_only=True):
    """A seat as everybody sees it. `cargo` holds coins by rank, `piers` the ships in the order of coming home, `coins`
    what their cargoes are worth. `hand` is shown at the end, if its cards count (D8.4)."""

    seat: Seat
    fjord: int
    ships: tuple[ShipView, ...]
    piers: tuple[int, ...]
    cargo: tuple[Counts, ...]
    coins: int
    hand_size: int
    deck_size: int
    fog: FogView | None
    turns: int
    cards_count: bool
    hand: tuple[int, ...] | None
    resigned: bool


class TownView(Struct, frozen=True):
    """A town by the number of its pile of coins, which lie open, the top first. No cell before it stands."""

    town: int
    cell: int | None
    coins: tuple[str, ...]


class StintView(Struct, frozen=True):
    """A move still to be made in this go; without steps the ship acts where it is."""

    owner: Seat
    ship: int
    steps: int


class GoView(Struct, frozen=True, kw_only=True):
    """The active seat's go: what is still `to_do`, the own ship that acts now, the values that may move the barrel,
    whether Odin was played, and whether loot is a bonus (D6.2)."""

    to_do: tuple[StintView, ...]
    arriving: int | None
    values: tuple[int, ...]
    odin: bool
    bonus: bool


class CombatView(Struct, frozen=True, kw_only=True):
    """The fight that is going on; its cards are hidden until both have chosen."""

    number: int
    cell: int
    attacker: Seat
    attacker_ship: int
    defender: Seat
    defender_ship: int


class OfferView(Struct, frozen=True, kw_only=True):
    """What the shield's cell gives now: coins or cards; or `count` cards of choice from `pile`. The central pile's
    cards are `values` for the taker alone."""

    coins: int
    cards: int
    pile: str | None
    count: int
    values: tuple[int, ...] | None


class EndView(Struct, frozen=True):
    """D8.1: who called the end, and the last turns still to come."""

    seat: Seat
    last_turns: tuple[Seat, ...]


class Result(Struct, frozen=True):
    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
    ranking: tuple[tuple[Seat, ...], ...]
    reason: str


class View(Struct, frozen=True, kw_only=True):
    """The table from one seat, or from none. `hand`, `deck` (what is left in the own one, in no order), `fog_cards`
    and `choice` (a sealed choice) are that seat's alone.

    `phase` is the turn's kind, or what chance decides, or `over`. `asked` seats still owe a choice, those in `sealed`
    have made theirs. `barrel` is a cell of the shield.
    """

    seat: Seat | None
    players: int
    teams: tuple[tuple[Seat, ...], ...]
    options: dict[str, Any]
    phase: str
    turn: int
    asked: tuple[Seat, ...]
    sealed: tuple[Seat, ...]
    first: Seat | None
    active: Seat | None
    towns: tuple[TownView, ...]
    bag: Counts
    barrel: int
    seats: tuple[SeatView, ...]
    central_size: int
    discard: tuple[int, ...]
    hand: tuple[int, ...] | None
    deck: tuple[int, ...] | None
    fog_cards: tuple[int, ...] | None
    choice: Play | None
    go: GoView | None
    combats: int
    combat: CombatView | None
    offer: OfferView | None
    end: EndView | None
    result: Result | None


def _number(value: int) -> int | None:
    return None if value < 0 else value


def view(state: State, seat: Seat | None) -> View:
    """The view of a seat, or of a spectator (None)."""
    seats = range(state.players)
    result: Over | None = over(state) if state.phase == "over" else None
    return View(
        seat=seat,
        players=state.players,
        teams=partners_across(state.players),
        options=Options.kept(state).told(),
        phase=state.phase,
        turn=state.turn,
        asked=state.awaited,
        sealed=tuple(s for s in seats if state.sealed[s] is not None),
        first=_number(state.first),
        active=_number(state.active),
        towns=tuple(
            TownView(n + 1, _number(cell), tuple(COINS[kind] for kind in pile))
            for n, (cell, pile) in enumerate(zip(state.towns, state.piles, strict=True))
        ),
        bag=named(state.bag),
        barrel=state.barrel,
        seats=tuple(_seat(state, s) for s in seats),
        central_size=sum(state.central),
        discard=listed(state.discard),
        hand=None if seat is None else state.hands[seat],
        deck=None if seat is None else listed(state.decks[seat]),
        fog_cards=None if seat is None else state.fog_cards[seat],
        choice=None if seat is None else state.sealed[seat],
        go=None if state.active == NOBODY else _go(state),
        combats=state.fights,
        combat=_combat(state),
        offer=_offer(state, seat) if state.phase == "loot" else None,
        end=None if state.ender == NOBODY else EndView(state.ender, state.queue),
        result=None if result is None else Result(state.winners, result.scores, result.ranking, result.reason),
    )


def _seat(state: State, seat: Seat) -> SeatView:
    hidden = state.fog_cards[seat]
    token = state.fog[seat]
    counts = bool(state.counting >> seat & 1)
    return SeatView(
        seat=seat,
        fjord=state.fjords[seat],
        ships=tuple(_ship(state, seat, ship) for ship in range(len(state.ships[seat]))),
        piers=state.landed[seat],
        cargo=tuple(named(coins) for coins in state.cargo[seat]),
        coins=coins_of(state, seat),
        hand_size=len(state.hands[seat]),
        deck_size=sum(state.decks[seat]),
        fog=None if token == RESERVE else FogView(_number(token), len(hidden)),
        turns=state.turns[seat],
        cards_count=counts,
        hand=state.hands[seat] if counts and state.phase == "over" else None,
        resigned=gone(state, seat),
    )


def _ship(state: State, seat: Seat, ship: int) -> ShipView:
    place = state.ships[seat][ship]
    sails = afloat(place) or place == HIDDEN
    return ShipView(
        ship=ship,
        at=PLACES.get(place, "sea"),
        cell=_number(place),
        way_home=way_home(state, seat, ship) if sails else None,
        rank=rank(state, seat, ship) + 1 if sails or place == HOME else None,
    )


def _go(state: State) -> GoView:
    return GoView(
        to_do=tuple(StintView(*stint) for stint in state.todo),
        arriving=_number(state.arriving),
        values=state.values,
        odin=state.odin,
        bonus=state.bonus,
    )


def _combat(state: State) -> CombatView | None:
    fight = state.fight
    if fight is None:
        return None
    return CombatView(
        number=fight.number,
        cell=state.ships[fight.defender][fight.target],
        attacker=state.active,
        attacker_ship=fight.ship,
        defender=fight.defender,
        defender_ship=fight.target,
    )


def _offer(state: State, seat: Seat | None) -> OfferView:
    offer = Offer(state)
    shown = bool(offer.count) and (offer.source == "discard" or seat == state.active)
    return OfferView(
        coins=offer.coins,
        cards=offer.cards,
        pile=offer.source or None,
        count=offer.count,
        values=listed(offer.pile) if shown else None,
    )


def context(seen: View) -> dict[str, Any]:
    """The ship that acts, what stands there, the town, the shield's cells and amounts; or the fight; or a last turn."""
    if not seen.asked or seen.go is None or seen.active is None:
        return {}
    if seen.combat is not None:
        combat = seen.combat
        return {"combat": {name: getattr(combat, name) for name in CombatView.__struct_fields__}}
    if seen.phase == "sail":
        return {
            "last_turn": seen.end is not None,
            "turns_left": 0 if seen.end else MOST_TURNS - seen.seats[seen.active].turns,
        }
    assert seen.go.arriving is not None
    ship = seen.seats[seen.active].ships[seen.go.arriving]
    told: dict[str, Any] = {"ship": ship.ship, "cell": ship.cell, "rank": ship.rank}
    town = next((t for t in seen.towns if t.cell is not None and t.cell == ship.cell), None)
    told["town"] = None if town is None else town.town
    if seen.phase == "arrival":
        told["occupant"] = next(
            {"seat": other.seat, "ship": there.ship}
            for other in seen.seats
            for there in other.ships
            if there.cell == ship.cell and (other.seat, there.ship) != (seen.active, ship.ship)
        )
        return told
    told["barrel"] = seen.barrel
    shield = seen.options["shield"]
    if seen.phase == "barrel":
        told["values"] = {
            str(by): {"cell": (seen.barrel + by) % len(shield), "gives": shield[(seen.barrel + by) % len(shield)]}
            for by in sorted(set(seen.go.values))
        }
    if seen.offer is not None:
        offer = seen.offer
        told["kind"] = "bonus" if seen.go.bonus else "raid"
        told["gives"] = shield[seen.barrel]
        if offer.count:
            told["choice"] = {"pile": offer.pile, "count": offer.count}
            if offer.values is not None:
                told["choice"]["from"] = list(offer.values)
        else:
            told["coins"], told["cards"] = offer.coins, offer.cards
    return told


def redact(effect: Any, seat: Seat | None) -> Any:
    """Cards that are drawn, chosen from the central pile or hidden are for the one who has them."""
    kind = type(effect)
    if kind in (CardDrawn, FogCardDrawn, FogCardAdded) and effect.seat != seat:
        return replace(effect, card=None)
    if kind is PileShown and effect.seat != seat:
        return replace(effect, cards=None)
    if kind is CardsChosen and effect.pile == "central" and effect.seat != seat:
        return replace(effect, cards=None)
    return effect
