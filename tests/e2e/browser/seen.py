"""What a browser received in a game, searched for what only other seats may know."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

HIDDEN_EVENTS = frozenset(
    {"hand_dealt", "hand_exchanged", "card_drawn", "fog_card_drawn", "fog_card_added", "pile_shown"}
)
"""Events whose `card` or `cards` only their own seat is told."""
PRIVATE = ("hand", "deck", "fog_cards", "choice")
"""Parts of a view that only its own seat sees."""


def secrets(body: Any, own: int, *, over: bool) -> Iterator[str]:
    """Where in a JSON body of the API something stands that the seat `own` may not know yet."""
    if isinstance(body, list):
        for member in body:
            yield from secrets(member, own, over=over)
        return
    if not isinstance(body, dict):
        return
    kind, seat = str(body.get("type")), body.get("seat")
    if kind in HIDDEN_EVENTS and seat != own and (body.get("card") is not None or body.get("cards") is not None):
        yield f"{kind} of seat {seat}"
    if kind == "cards_chosen" and body["pile"] == "central" and seat != own and body.get("cards") is not None:
        yield f"{kind} of seat {seat}"
    if "players" in body and "phase" in body:
        if seat != own and any(body.get(name) is not None for name in PRIVATE):
            yield f"the view of seat {seat}"
        if not over:
            yield from (f"the hand of seat {one['seat']}" for one in body["seats"] if one.get("hand") is not None)
    if "revision" in body and "received_at" in body and seat != own and not over:
        yield f"a submission of seat {seat}"
    if not over and body.get("seed") is not None and body.get("status") != "over":
        yield "the seed"
    for member in body.values():
        yield from secrets(member, own, over=over)


_OPEN_CARD = re.compile(r'<g class="card hand" data-seat="(\d)" data-card=')


def secrets_drawn(picture: str, own: int) -> Iterator[str]:
    """The same for a board's picture."""
    for seat in _OPEN_CARD.findall(picture):
        if int(seat) != own:
            yield f"an open card of seat {seat}"
