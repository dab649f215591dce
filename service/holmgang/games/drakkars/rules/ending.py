"""D6.1, D8 and C5 to C7: ships that come home, the end that they call, scores and the result."""

from __future__ import annotations

from typing import Any

from holmgang.engine.teams import Side, partners_across, ranked
from holmgang.engine.tuples import put
from holmgang.engine.turn import Over, Seat

from .coast import HOME, SHIPS
from .effects import EndCalled, GameEnded, ShipCameHome
from .model import Board
from .work import NOBODY, Work, gone, record_of, set_place

MOST_TURNS = 100


def land(w: Work, seat: Seat, ship: int, *, bonus: bool = False) -> None:
    """D6.1, D8.1: a ship docks at the next pier; it may call the end."""
    d = w.d
    set_place(d, seat, ship, HOME)
    d.landed = put(d.landed, seat, (*d.landed[seat], ship))
    mine = len(d.landed[seat])
    w.effects.append(ShipCameHome(seat=seat, ship=ship, pier=mine, bonus=bonus))
    if d.ender != NOBODY:
        d.counting |= 1 << seat
        if mine == SHIPS:
            d.queue = tuple(s for s in d.queue if s != seat)
    elif mine == SHIPS or sum(map(len, d.landed)) == d.players + 2:
        d.ender = seat
        d.counting |= 1 << seat
        order = [(d.active + n) % d.players for n in range(1, d.players + 1)]
        d.queue = tuple(s for s in order if s != seat)
        w.effects.append(EndCalled(seat=seat, last_turns=d.queue))


def coins_of(board: Board, seat: Seat) -> int:
    """D8.3: what the cargoes of the ships at home are worth."""
    cargo = board.cargo[seat][: len(board.landed[seat])]
    return sum(n * worth for coins in cargo for n, worth in zip(coins, board.coin_worth, strict=True))


def cards_of(board: Board, seat: Seat) -> int:
    """D8.4: what the cards in hand add."""
    if not board.counting >> seat & 1:
        return 0
    return sum(board.card_worth[card - 1] for card in board.hands[seat])


def finish(w: Work, reason: str) -> None:
    """Nobody is asked any more. D8.5: the most, then who ended the game, then the most in coins without cards."""
    d = w.d
    if d.fight is not None:
        w.records.append(record_of(d, "abandoned"))
    d.phase, d.reason = "over", reason
    d.awaited, d.todo, d.queue, d.values, d.sealed = (), (), (), (), (None,) * d.players
    d.drawing, d.arriving, d.odin, d.bonus, d.again, d.fight = 0, NOBODY, False, False, False, None
    staying = [team for team in partners_across(d.players) if not gone(d, team[0])]

    def key(team: Side) -> tuple[int, bool, int]:
        total = sum(coins_of(d, s) + cards_of(d, s) for s in team)
        return total, d.ender in team, sum(coins_of(d, s) for s in team)

    best = max(map(key, staying))
    d.winners = tuple(sorted(s for team in staying if key(team) == best for s in team))
    w.effects.append(
        GameEnded(
            reason=reason,
            winners=d.winners,
            scores=over(d).scores,
            hands=tuple(d.hands[s] if d.counting >> s & 1 else None for s in range(d.players)),
        )
    )


def over(board: Board) -> Over:
    """C6: winners first, then by score, sides summed; who resigned comes behind all who stayed."""
    scores = tuple(coins_of(board, s) + cards_of(board, s) for s in range(board.players))

    def standing(team: Side) -> Any:
        return not gone(board, team[0]), team[0] in board.winners, sum(scores[s] for s in team)

    return Over(scores, ranked(partners_across(board.players), standing), board.reason)
