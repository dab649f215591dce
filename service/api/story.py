"""The game that the document's examples are taken from: really played, with a fixed seed, so that they stay true."""

from __future__ import annotations

import random
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from service import registry
from service.app.dice import Dice, canonical_json, commitment, first_head, game_terms, next_head, pack_entropy
from service.engine.codec import state_hash
from service.engine.legal import legal
from service.engine.replay import Entry, perform, settle
from service.engine.rules import AnyRules, Step
from service.engine.turn import Await

SEED = bytes(range(32))
AT = "2026-11-28T12:00:00Z"

Values = dict[str, Any]


class Story(NamedTuple):
    """What an example game gave, all of it JSON-ready."""

    rules: AnyRules
    options: Values
    turn: int
    kind: str
    action: Any
    legal: Values
    context: Values
    view: Any
    picture: str
    effect: Any
    combat: Any
    kinds: tuple[str, ...]
    log: list[Values]
    result: Values
    terms: bytes
    commitment: bytes


def plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def tell(game: UUID) -> Story:
    """Play a game of three to its end with a fixed seed, and take from it what the examples need."""
    rules = registry.all_latest()[0]
    seats = rules.seat_counts[0]
    config = rules.configure(seats, {})
    options = rules.options(config)
    terms = game_terms(rules.ruleset, rules.version, seats, options)
    entropy = pack_entropy([None] * seats)
    dice, rng = Dice(SEED, entropy, 0), random.Random(1)  # nosec B311 # the document is to be the same every time
    head = first_head(game, terms, entropy)
    played = settle(rules, Step(rules.initial(config), ()), dice.draw)
    first = played.step.state
    asked = rules.turn(first)
    assert type(asked) is Await
    opening = rules.moves(first, asked.seats[0])
    action = opening.sample(random.Random(2))  # nosec B311 # the document is to be the same every time
    log: list[Values] = []
    combats: list[Any] = []
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
        state = played.step.state
        turn = rules.turn(state)
        if type(turn) is not Await:
            break
        chosen = [(seat, rules.moves(state, seat).sample(rng)) for seat in turn.seats]
        played = perform(rules, state, chosen, None, dice.draw)
        wire = tuple((seat, msgspec.to_builtins(one)) for seat, one in chosen)
        entry = Entry(turn=turn.turn, kind=turn.kind, actions=wire, chance=played.chance)
    over: Any = turn
    seat = asked.seats[0]
    return Story(
        rules=rules,
        options=options,
        turn=asked.turn,
        kind=asked.kind,
        action=plain(action),
        legal=plain(legal(rules, "placement", opening, random.Random("example"))),  # nosec B311 # likewise
        context=plain(rules.context(rules.view(first, seat))),
        view=plain(rules.view(first, seat)),
        picture=_described(rules.picture(rules.view(first, seat), "auto")),
        effect=plain(rules.redact(_first_effect(rules, config), None)),
        combat=plain(combats[0]),
        kinds=tuple(rules.turn_kinds),
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


def _described(picture: str) -> str:
    """A picture without what is drawn in it: short enough for a page of examples."""
    return picture.partition("<style>")[0] + "</svg>\n"


def _first_effect(rules: AnyRules, config: Any) -> Any:
    return settle(rules, Step(rules.initial(config), ()), Dice(SEED, pack_entropy([None] * 3), 0).draw).step.effects[-1]
