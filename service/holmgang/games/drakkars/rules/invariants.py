"""What is true of every state of Drakkars."""

from __future__ import annotations

from holmgang.engine.invariants import hold

from .coast import BAG, HIDDEN, HOME, MOST_CARDS, RESERVE, SHIPS, VALUES
from .ending import MOST_TURNS
from .model import State


def check(state: State) -> None:
    """Raise BrokenInvariant where cards, coins or ships do not add up."""
    seats = range(state.players)
    cards = [state.central[value] + state.discard[value] for value in range(VALUES)]
    for seat in seats:
        for value in range(VALUES):
            cards[value] += state.decks[seat][value]
        for card in (*state.hands[seat], *state.fog_cards[seat]):
            cards[card - 1] += 1
        hold(max(state.decks[seat]) <= 1, f"the deck of seat {seat} holds a value twice")
        hold(min(state.decks[seat]) >= 0, f"the deck of seat {seat} owes a card")
        hold(len(state.hands[seat]) <= MOST_CARDS, f"seat {seat} holds {len(state.hands[seat])} cards")
        hold(state.hands[seat] == tuple(sorted(state.hands[seat])), f"the hand of seat {seat} is not sorted")
    hold(cards == [state.players + 2] * VALUES, f"there are {cards} cards")

    coins = list(state.bag)
    for pile in state.piles:
        for kind in pile:
            coins[kind] += 1
    for seat in seats:
        for cargo in state.cargo[seat]:
            for kind, n in enumerate(cargo):
                hold(n >= 0, f"seat {seat} owes coins")
                coins[kind] += n
    hold(tuple(coins) == BAG and min(state.bag) >= 0, f"there are {coins} coins")

    at_sea: list[int] = []
    for seat in seats:
        ships = state.ships[seat]
        hold(len(ships) == SHIPS and all(HOME <= place < 36 for place in ships), f"seat {seat} has ships {ships}")
        home = {ship for ship, place in enumerate(ships) if place == HOME}
        hold(home == set(state.landed[seat]) and len(home) == len(state.landed[seat]), f"piers of seat {seat}")
        hold((state.fog[seat] != RESERVE) == (HIDDEN in ships), f"the fog of seat {seat}")
        hold(ships.count(HIDDEN) <= 1 and ships.count(-2) <= 1, f"seat {seat} has ships {ships}")
        hold(len(state.fog_cards[seat]) <= 2 * (HIDDEN in ships), f"the fog cards of seat {seat}")
        used = SHIPS - ships.count(RESERVE)
        hold(not any(map(any, state.cargo[seat][used:])), f"seat {seat} has a cargo without a ship")
        for at, cargo in enumerate(state.cargo[seat]):
            hold(at < len(home) or sum(cargo) <= 6, f"cargo {at + 1} of seat {seat} has too much")
        hold(state.turns[seat] <= MOST_TURNS + 1, f"seat {seat} has had {state.turns[seat]} turns")
        at_sea += [place for place in ships if place >= 0]
    doubled = len(at_sea) - len(set(at_sea))
    arriving = state.phase in ("arrival", "battle_card") or state.reason == "last_seat"  # which may stop a fight
    hold(doubled <= arriving, f"ships share cells: {at_sea}")
