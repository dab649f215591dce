"""The game that the document's examples are taken from: really played, with a fixed seed, so that they stay true."""

from __future__ import annotations

import random
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from service import registry
from service.app.fairness.dice import Dice, canonical_json, commitment, first_head, game_terms, next_head, pack_entropy
from service.engine.codec import state_hash
from service.engine.errors import IllegalAction, InvalidOption, MalformedAction
from service.engine.legal import legal
from service.engine.replay import Entry, perform, settle
from service.engine.rules import AnyRules, Step
from service.engine.turn import Await
from service.registry.discovery import HOUSE

SEED = bytes(range(32))
AT = "2026-11-28T12:00:00Z"

Values = dict[str, Any]


MOST_TURNS = 2_000
"""In a game that chance does not end before, the seats resign one after the other."""


class Story(NamedTuple):
    """What an example game gave, all of it JSON-ready. `seat` is asked first, with all of `awaited`.

    Addresses begin with `base`.
    """

    rules: AnyRules
    seats: int
    options: Values
    option: Values
    turn: int
    kind: str
    sealed: bool
    awaited: tuple[int, ...]
    seat: int
    action: Any
    legal: Values
    context: Values
    view: Any
    picture: str
    effect: Any
    combat: Any
    faults: Mapping[str, Fault]
    log: list[Values]
    result: Values
    terms: bytes
    commitment: bytes
    base: str = ""


class Fault(NamedTuple):
    """What the rules say to what is wrong: where it is, by which rule, and why."""

    pointer: str
    rule: str
    detail: str


def plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def tell(game: UUID, base: str) -> Story:
    """Play the first of all games to its end with a fixed seed, with as few seats as it takes, and take from it what
    the examples need.

    The house's games come before those of packages, so that a package changes no example. A combat is told of the
    first game that has one; None where none has.
    """
    games = sorted(registry.all_latest(), key=lambda rules: registry.origin(rules.ruleset) != HOUSE)
    stories = (_played(rules, game) for rules in games)
    story = next(stories)
    if story.combat is None:
        story = story._replace(combat=next((other.combat for other in stories if other.combat is not None), None))
    return story._replace(base=base)


def _played(rules: AnyRules, game: UUID) -> Story:
    seats = rules.seat_counts[0]
    config = rules.configure(seats, {})
    options = rules.options(config)
    terms = game_terms(rules.ruleset, rules.version, seats, options)
    entropy = pack_entropy([None] * seats)
    dice, rng = Dice(SEED, entropy, 0), random.Random(1)  # noqa: S311 # the document is to be the same every time
    head = first_head(game, terms, entropy)
    played = settle(rules, Step(rules.initial(config), ()), dice.draw)
    first = played.step.state
    asked = rules.turn(first)
    assert type(asked) is Await
    seat = asked.seats[0]
    opening = rules.moves(first, seat)
    action = opening.sample(random.Random(2))  # noqa: S311 # the document is to be the same every time
    log: list[Values] = []
    combats: list[Any] = []
    effect: Any = None
    entry = Entry(turn=0, chance=played.chance)
    while True:
        row, digest = canonical_json(msgspec.to_builtins(entry)), state_hash(played.step.state)
        head = next_head(head, row, digest)
        log.append(
            {
                "seq": len(log),
                "at": AT,
                "entry": msgspec.json.decode(row),
                "state_hash": digest.hex(),
                "row_hash": head.hex(),
            }
        )
        combats += [combat for combat in played.step.combats if combat.status == "resolved"]
        if effect is None and played.step.effects:
            effect = plain(rules.redact(played.step.effects[-1], None))
        state = played.step.state
        turn = rules.turn(state)
        if type(turn) is not Await:
            break
        if len(log) > MOST_TURNS:
            played = perform(rules, state, (), turn.seats[0], dice.draw)
            entry = Entry(turn=turn.turn, kind=turn.kind, resigned=turn.seats[0], chance=played.chance)
            continue
        chosen = [(seat, rules.moves(state, seat).sample(rng)) for seat in turn.seats]
        played = perform(rules, state, chosen, None, dice.draw)
        wire = tuple((seat, msgspec.to_builtins(one)) for seat, one in chosen)
        entry = Entry(turn=turn.turn, kind=turn.kind, actions=wire, chance=played.chance)
    over: Any = turn
    view = rules.view(first, seat)
    return Story(
        rules=rules,
        seats=seats,
        options=options,
        option=_option(rules, seats, options),
        turn=asked.turn,
        kind=asked.kind,
        sealed=asked.sealed,
        awaited=asked.seats,
        seat=seat,
        action=plain(action),
        legal=plain(legal(rules, asked.kind, opening, random.Random("example"))),  # noqa: S311 # likewise
        context=plain(rules.context(view)),
        view=plain(view),
        picture=_described(rules.picture(view, "auto")),
        effect=effect,
        combat=plain(combats[0]) if combats else None,
        faults={
            "invalid_option": _invalid_option(rules, seats, options),
            "malformed_action": _malformed_action(rules, asked.kind, plain(action)),
            "illegal_action": _illegal_action(rules, asked.kind, opening, log),
        },
        log=log,
        result={
            "winners": list(over.ranking[0]),
            "ranking": [list(group) for group in over.ranking],
            "scores": list(over.scores),
            "reason": over.reason,
        },
        terms=terms,
        commitment=commitment(game, terms, SEED),
    )


def _option(rules: AnyRules, seats: int, options: Values) -> Values:
    """An option that a game may be created with: who begins, if one can say so."""
    for some in ({"first_player": 0}, *({name: plain(value)} for name, value in options.items())):
        with suppress(InvalidOption):
            rules.configure(seats, some)
            return some
    return {}


def _invalid_option(rules: AnyRules, seats: int, options: Values) -> Fault:
    for wrong in (*({name: 9} for name in options), {"no_such": 9}):
        try:
            rules.configure(seats, wrong)
        except InvalidOption as fault:
            return Fault(fault.pointer, fault.rule, str(fault.detail))
    raise AssertionError(f"{rules.title} takes an option that it has not")


def _malformed_action(rules: AnyRules, kind: str, action: Any) -> Fault:
    """An action with a letter too few in its type, or else no action at all."""
    of = action.get("type") if isinstance(action, dict) else None
    for wrong in ({**action, "type": of[:2] + of[3:]} if isinstance(of, str) else None, None):
        try:
            rules.decode(kind, wrong)
        except (MalformedAction, IllegalAction) as fault:
            return Fault(getattr(fault, "pointer", ""), getattr(fault, "rule", ""), str(fault.detail))
    raise AssertionError(f"{rules.title} takes null for an action")


def _illegal_action(rules: AnyRules, kind: str, opening: Any, log: list[Values]) -> Fault:
    """A choice of another turn that would not do in the first one; who acts out of turn breaks C2."""
    for row in log:
        if row["entry"].get("kind") == kind:
            for _, action in row["entry"].get("actions", ()):
                fault = opening.why_not(rules.decode(kind, action))
                if fault is not None:
                    return Fault("", fault.rule, str(fault.detail))
    return Fault("", "C2", "")


def _described(picture: str) -> str:
    """A picture without what is drawn in it: short enough for a page of examples."""
    described, style, _ = picture.partition("<style>")
    return described + "</svg>\n" if style else picture
