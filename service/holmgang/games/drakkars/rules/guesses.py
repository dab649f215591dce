"""Full states that fit a view: what it does not show is dealt at random."""

from __future__ import annotations

from holmgang.engine.moves import Rng

from .coast import COINS, DECK, FJORD, HIDDEN, HOME, RESERVE, VALUES
from .effects import Counts
from .model import Coins, Fight, Play, State, Values
from .views import CombatView, FogView, SeatView, View
from .work import NOBODY

PLACES = {"reserve": RESERVE, "fjord": FJORD, "hidden": HIDDEN, "home": HOME}


def determinize(seen: View, rng: Rng) -> State:
    """Others' decks hold no value twice; their hands, fog cards and the central pile get the cards that are left.
    Others' sealed choices are any of their cards."""
    n = seen.players
    viewer = seen.seat
    unseen = [n * each + 2 for each in DECK]
    shown = list(seen.discard) + list(seen.hand or ()) + list(seen.deck or ()) + list(seen.fog_cards or ())
    central = None
    if seen.offer is not None and seen.offer.pile == "central" and seen.offer.values is not None:
        central = seen.offer.values
        shown += central
    hands: list[tuple[int, ...] | None] = []
    for s in seen.seats:
        hand = seen.hand if s.seat == viewer else s.hand
        if s.seat != viewer and hand is not None:
            shown += hand
        hands.append(hand)
    for card in shown:
        unseen[card - 1] -= 1
    others = [s for s in seen.seats if s.seat != viewer]
    decks = _deal_decks([s.deck_size for s in others], unseen, rng)
    pool = [value + 1 for value, left in enumerate(unseen) for _ in range(left)]
    for last in range(len(pool) - 1, 0, -1):
        other = int(rng.random() * (last + 1))
        pool[last], pool[other] = pool[other], pool[last]
    dealt = [hand if hand is not None else _take(pool, s.hand_size) for s, hand in zip(seen.seats, hands, strict=True)]
    fog_cards = [
        seen.fog_cards
        if s.seat == viewer and seen.fog_cards is not None
        else tuple(pool.pop() for _ in range(s.fog.cards if s.fog else 0))
        for s in seen.seats
    ]
    all_decks = iter(decks)
    return State(
        players=n,
        first_option=NOBODY if seen.options["first_player"] == "random" else seen.options["first_player"],
        fjords=tuple(seen.options["fjords"]),
        coin_worth=tuple(seen.options["coin_worth"]),
        card_worth=tuple(seen.options["card_worth"]),
        shield=tuple(seen.options["shield"]),
        phase=seen.phase,
        turn=seen.turn,
        awaited=seen.asked,
        first=_number(seen.first),
        active=_number(seen.active),
        turns=tuple(s.turns for s in seen.seats),
        ships=tuple(tuple(_place(ship.at, ship.cell) for ship in s.ships) for s in seen.seats),
        landed=tuple(s.piers for s in seen.seats),
        cargo=tuple(tuple(_coins(coins) for coins in s.cargo) for s in seen.seats),
        bag=_coins(seen.bag),
        piles=tuple(tuple(COINS.index(coin) for coin in town.coins) for town in seen.towns),
        towns=tuple(_number(town.cell) for town in seen.towns),
        start=NOBODY,
        turned=(),
        decks=tuple(_counts(seen.deck or ()) if s.seat == viewer else next(all_decks) for s in seen.seats),
        central=_counts(tuple(pool) if central is None else central),
        discard=_counts(seen.discard),
        hands=tuple(dealt),
        fog=tuple(_token(s.fog) for s in seen.seats),
        fog_cards=tuple(fog_cards),
        barrel=seen.barrel,
        todo=tuple((stint.owner, stint.ship, stint.steps) for stint in seen.go.to_do) if seen.go else (),
        arriving=_number(seen.go.arriving if seen.go else None),
        odin=seen.go.odin if seen.go else False,
        values=seen.go.values if seen.go else (),
        bonus=seen.go.bonus if seen.go else False,
        drawer=NOBODY,
        drawing=0,
        own=False,
        unseen=False,
        sealed=tuple(_sealed(seen, s, hand, rng) for s, hand in zip(seen.seats, dealt, strict=True)),
        fights=seen.combats,
        fight=_fight(seen.combat),
        ender=_number(seen.end.seat if seen.end else None),
        queue=seen.end.last_turns if seen.end else (),
        counting=sum(s.cards_count << s.seat for s in seen.seats),
        resigned=sum(s.resigned << s.seat for s in seen.seats),
        winners=seen.result.winners if seen.result else (),
        reason=seen.result.reason if seen.result else "",
    )


def _deal_decks(sizes: list[int], unseen: list[int], rng: Rng) -> list[Values]:
    """Decks of so many different values each, taken out of `unseen`."""
    decks: list[Values] = []
    for at, size in enumerate(sizes):
        rest = sizes[at + 1 :]
        for _ in range(50):
            order = sorted(range(VALUES), key=lambda value: (not unseen[value], rng.random()))[:size]
            if _may_go_on(order, unseen, rest):
                break
        else:  # taking what there is most of never spoils the rest
            order = sorted(range(VALUES), key=lambda value: -unseen[value])[:size]
        for value in order:
            unseen[value] -= 1
        decks.append(tuple(int(value in order) for value in range(VALUES)))
    return decks


def _may_go_on(taken: list[int], unseen: list[int], rest: list[int]) -> bool:
    """Whether decks of the sizes `rest` can still be made (Gale and Ryser: the k largest fit into min(left, k))."""
    left = [n - (value in taken) for value, n in enumerate(unseen)]
    if min(left) < 0:
        return False
    largest = sorted(rest, reverse=True)
    return all(sum(largest[:k]) <= sum(min(n, k) for n in left) for k in range(1, len(rest) + 1))


def _take(pool: list[int], n: int) -> tuple[int, ...]:
    return tuple(sorted(pool.pop() for _ in range(n)))


def _number(value: int | None) -> int:
    return NOBODY if value is None else value


def _place(at: str, cell: int | None) -> int:
    return PLACES[at] if cell is None else cell


def _token(fog: FogView | None) -> int:
    return RESERVE if fog is None else FJORD if fog.cell is None else fog.cell


def _coins(counts: Counts) -> Coins:
    return (counts.get("gold", 0), counts.get("silver", 0), counts.get("copper", 0))


def _counts(cards: tuple[int, ...]) -> Values:
    return tuple(cards.count(value) for value in range(1, VALUES + 1))


def _sealed(seen: View, s: SeatView, hand: tuple[int, ...], rng: Rng) -> Play | None:
    if s.seat not in seen.sealed:
        return None
    return seen.choice if s.seat == seen.seat else Play(hand[int(rng.random() * len(hand))])


def _fight(combat: CombatView | None) -> Fight | None:
    if combat is None:
        return None
    return Fight(combat.number, combat.attacker_ship, combat.defender, combat.defender_ship)
