"""The laws of a history: what no race, kill or lost answer may break. Each gives the breaches that it finds, in words.

Time is real time: what ended before something else began must be known to it, whoever asked. This is linearizability
of registers that only grow, so that a sort is all it takes to check it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec

from tests.histories.history import Call, History

GRACE_SECONDS = 8.0
"""How long after the news a waiting client may still wait: the look that makes up for lost notifications comes every
two seconds, and the machine is busy."""
CHOICES = ("submit", "replace")
END = 10**9
"""Beyond every turn."""


class Kept(NamedTuple):
    """A row of the table of submissions."""

    game: str
    seat: int
    turn: int
    revision: int
    id: str
    action: Any


def choices_exactly_once(history: History, kept: list[Kept]) -> Iterator[str]:
    """Every acknowledged choice is kept as it was acknowledged, and every kept one was asked for by its seat."""
    rows = {(row.game, row.id, row.revision): row for row in kept}
    idents: dict[Any, set[str]] = defaultdict(set)
    for row in kept:
        idents[row.game, row.seat, row.turn].add(row.id)
    for where, ids in idents.items():
        if len(ids) > 1:
            yield f"more than one choice is kept of (game, seat, turn) {where}: {sorted(ids)}"
    sent: set[Any] = set()
    made: dict[Any, Call] = {}
    for call in history.of(*CHOICES):
        if call.facts.get("dry_run"):
            continue
        sent.add((call.game, call.seat, call.sent["turn"], _canonical(call.sent["action"])))
        if not call.taken:
            continue
        found = rows.get((str(call.game), call.facts["id"], call.facts["revision"]))
        if found is None:
            yield f"an acknowledged choice is lost: {call}"
        elif (found.seat, found.turn, found.action) != (call.seat, call.facts["turn"], call.facts["action"]):
            yield f"an acknowledged choice is kept otherwise: {call} {found}"
        if call.status == 201:
            first = made.setdefault((call.game, call.seat, call.facts["turn"]), call)
            if first is not call and (first.key is None or first.key != call.key):
                yield f"a choice was acknowledged as new twice: {first} {call}"
    for row in kept:
        if (row.game, row.seat, row.turn, _canonical(row.action)) not in sent:
            yield f"a choice is kept that nobody made: {row}"


def _canonical(action: Any) -> bytes:
    return msgspec.json.encode(action, order="deterministic")


def shown(history: History) -> dict[int, dict[str, Any]]:
    """What each answer shows, by the place of its call: of a 304 that is what the tag which it confirms came with."""
    came_with: dict[Any, dict[str, Any]] = {}
    for call in history.calls:
        if call.tag is not None and call.status == 200:
            came_with[call.who, call.address, call.tag] = call.facts
    return {
        n: call.facts if call.status != 304 else came_with.get((call.who, call.address, call.known), {})
        for n, call in enumerate(history.calls)
    }


def never_back(history: History) -> Iterator[str]:
    """The turn and the version of a game never go back, for anybody; nor does what a refusal says of them."""
    facts = shown(history)
    for of in (_turn, _version):
        yield from _grows(history, facts, of)


def _turn(facts: dict[str, Any]) -> int | None:
    """The turn that a game has reached, its end being beyond all of them. A receipt tells of the turn after its own
    once it is applied."""
    if facts.get("status") == "over":
        return END
    if "revision" in facts:
        return int(facts["turn"]) + int(facts["state"] == "applied")
    found = facts.get("turn", facts.get("current_turn"))
    return None if found is None else int(found)


def _version(facts: dict[str, Any]) -> int | None:
    return facts.get("version")


def _grows(
    history: History, facts: dict[int, dict[str, Any]], of: Callable[[dict[str, Any]], int | None]
) -> Iterator[str]:
    moments: list[tuple[float, int, int]] = []
    for n, call in enumerate(history.calls):
        if call.game is not None and of(facts[n]) is not None:
            moments += [(call.began, 0, n), (call.ended, 1, n)]
    known: dict[str, tuple[int, Call]] = {}
    floors: dict[int, tuple[int, Call]] = {}
    for _, ends, n in sorted(moments):
        call = history.calls[n]
        assert call.game is not None
        value = of(facts[n])
        assert value is not None
        if not ends:
            if call.game in known:
                floors[n] = known[call.game]
            continue
        if n in floors and value < floors[n][0] and not _receipt_of_the_past(call):
            yield f"{of.__name__[1:]} went back from {floors[n][0]} to {value}: {floors[n][1]} {call}"
        if call.game not in known or value > known[call.game][0]:
            known[call.game] = value, call


def _receipt_of_the_past(call: Call) -> bool:
    """The receipt of an earlier choice that was sent again, or a choice that others ended the turn of meanwhile."""
    return call.what in CHOICES and call.taken


def no_stale_304(history: History) -> Iterator[str]:
    """No 304 confirms what somebody had before a choice of theirs was begun that has been acknowledged since."""
    first_seen: dict[Any, float] = {}
    for call in history.calls:
        if call.tag is not None and call.status == 200:
            where = call.who, call.address, call.tag
            first_seen[where] = min(call.ended, first_seen.get(where, call.ended))
    writes: dict[Any, list[Call]] = defaultdict(list)
    for call in _new_choices(history):
        writes[call.who, call.game].append(call)
    for call in history.calls:
        if call.status != 304 or call.what == "inbox":
            continue
        seen = first_seen.get((call.who, call.address, call.known))
        if seen is None:
            yield f"a 304 confirms a tag that nobody was given: {call}"
            continue
        for write in writes[call.who, call.game]:
            if seen < write.began and write.ended < call.began:
                yield f"a stale 304, after {write}: {call}"
                break


def _new_choices(history: History) -> list[Call]:
    """The first acknowledgement of each choice and of each revision of it."""
    firsts: dict[Any, Call] = {}
    for call in history.of(*CHOICES):
        if call.taken and not call.facts.get("dry_run"):
            which = call.game, call.facts["id"], call.facts["revision"]
            if which not in firsts or call.ended < firsts[which].ended:
                firsts[which] = call
    return list(firsts.values())


def asked_once(history: History) -> Iterator[str]:
    """The inbox does not ask for a choice that was acknowledged before it was looked at."""
    chosen: dict[Any, float] = {}
    for call in _new_choices(history):
        chosen.setdefault((call.who, call.game, call.facts["turn"]), call.ended)
    facts = shown(history)
    for n, call in enumerate(history.calls):
        if call.what != "inbox":
            continue
        for game, turn in facts[n].get("turns", ()):
            if chosen.get((call.who, game, turn), call.began) < call.began:
                yield f"the inbox asks again for turn {turn} of {game}: {call}"


def no_lost_wakeup(history: History, grace: float = GRACE_SECONDS) -> Iterator[str]:
    """Whoever waits is answered soon after news of theirs was acknowledged to whoever made it: everybody of a choice
    that is new, its own seat of one that is replaced."""
    news: dict[Any, list[tuple[float, float, str | None]]] = defaultdict(list)
    for call in _new_choices(history):
        public = call.facts["revision"] == 1
        news[call.game].append((call.began, call.ended, None if public else call.who))
    first_seen: dict[Any, float] = {}
    for call in history.calls:
        if call.tag is not None and call.status == 200:
            where = call.who, call.address, call.tag
            first_seen[where] = min(call.ended, first_seen.get(where, call.ended))
    for call in history.calls:
        if not call.waits or call.what == "inbox" or call.status not in (200, 304):
            continue
        seen = first_seen.get((call.who, call.address, call.known), call.began)
        for began, told, who in news[call.game]:
            if who not in (None, call.who) or began < seen:
                continue
            due = max(told, call.began) + grace
            if call.ended > due and not history.disturbed(max(told, call.began) - grace, due):
                yield f"still waiting {call.ended - told:.1f} s after the news: {call}"
                break


def only_expected(history: History, codes: set[str]) -> Iterator[str]:
    """No answer is a fault, and refusals are of the kinds that a race explains."""
    for call in history.calls:
        if call.status >= 400 and call.facts.get("code") not in codes:
            yield f"an unexpected refusal: {call}"


def same_key_same_game(history: History) -> Iterator[str]:
    """All who make a game under one key get the same one, and nobody else gets it."""
    games: dict[str | None, set[str]] = defaultdict(set)
    for call in history.of("create"):
        if call.taken:
            games[call.key].add(call.facts["id"])
    seen: set[str] = set()
    for key, ids in games.items():
        if len(ids) > 1 or ids & seen:
            yield f"the key {key} made {sorted(ids)}"
        seen |= ids


def seats_taken_once(history: History) -> Iterator[str]:
    """Nobody sits where another was told to sit."""
    holders: dict[Any, set[str]] = defaultdict(set)
    for call in history.of("sit"):
        if call.taken:
            holders[call.game, call.facts["seat"]].add(call.who)
    for where, who in holders.items():
        if len(who) > 1:
            yield f"more than one took (game, seat) {where}: {sorted(who)}"
