"""What the document's examples share: ids, people, times, and a game that is really played with a fixed seed, so that
they stay true. Each resource's examples are functions of its story."""

import random
from contextlib import suppress
from typing import Any
from uuid import UUID

import msgspec

from holmgang import registry
from holmgang.app.fairness.dice import Dice, canonical_json, commitment, first_head, game_terms, next_head, pack_entropy
from holmgang.app.fairness.results import result_of
from holmgang.engine.codec import state_hash
from holmgang.engine.errors import IllegalAction, InvalidOption, MalformedAction
from holmgang.engine.legal import legal
from holmgang.engine.replay import Entry, Played, perform, settle
from holmgang.engine.rules import AnyRules, Step
from holmgang.engine.turn import Await, Over
from holmgang.registry.discovery import HOUSE

Values = dict[str, Any]

SEED = bytes(range(32))
AT = "2026-11-28T12:00:00Z"
PLAYER = "019a0c4e-7b10-7c3e-8f21-5d2a9be40c11"
OTHER = "019a0c4e-9d02-7a55-9c3f-1be0a7d2f622"
THIRD = "019a0c4f-0a44-7be1-b2d7-6f0c8d91e733"
OPEN_GAME = "019a0c51-1f00-7d11-8a60-0f4be9c3d101"
OWN_OPEN_GAME = "019a0c51-2f00-7d12-8a61-0f4be9c3d102"
GAME = "019a0c52-3f00-7d13-8a62-0f4be9c3d103"
OVER_GAME = "019a0c53-4f00-7d14-8a63-0f4be9c3d104"
SUBMISSION = "019a0c54-5f00-7d15-8a64-0f4be9c3d105"
TOKEN = "019a0c4e-7b11-7d01-8a01-3c5e7f901201"  # noqa: S105 # an example in the document, of no service
SECOND_TOKEN = "019a0c55-6f00-7d16-8a65-0f4be9c3d106"  # noqa: S105 # an example in the document, of no service
SECRET = "hg_5Jv0cN2mXq8rT1wZk7Yb4Lh9Sd3Gf6PaRuEoVi-Cxt0"  # noqa: S105 # an example in the document, of no service
ENTROPY = "q83vASNFZ4mrze8BI0VniQ"
LATER = "2026-11-28T12:00:07.250000Z"
WEBHOOK = "019a0c56-aa00-7000-8000-00000000000a"
DELIVERY = "019a0c56-aa00-7000-8000-00000000000b"
WEBHOOK_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"  # noqa: S105 # an example in the document, of no service
PRIVATE_GAME = "019a0c57-bb00-7d17-8a66-0f4be9c3d107"
INVITATION = "019a0c57-cc00-7d18-8a67-0f4be9c3d108"
INVITATION_SECRET = "hgi_9QmT4xWc2Lr7Vb0NkZs5Yd8Hf3Jg6PuEaRoi-KtXe1w"  # noqa: S105 # an example in the document
SEEK = "019a0c58-dd00-7d19-8a68-0f4be9c3d109"
THEIR_SEEK = "019a0c58-ee00-7d1a-8a69-0f4be9c3d10a"
TOURNAMENT = "019a0c59-dd00-7d19-8a68-0f4be9c3d109"
OPEN_TOURNAMENT = "019a0c59-dd80-7d19-8a68-0f4be9c3d10c"
OWN_TOURNAMENT = "019a0c59-ee00-7d1a-8a69-0f4be9c3d10a"
PRIVATE_TOURNAMENT = "019a0c59-ff00-7d1b-8a6a-0f4be9c3d10b"
HEAD = "5f" * 32
DEADLINE = "2026-11-28T13:00:07.250000Z"
EXPIRY = "2099-01-01T00:00:00Z"
CHALLENGE = "019a0c58-dd00-7d19-8a68-0f4be9c3d109"
ASKED = "019a0c58-ee00-7d1a-8a69-0f4be9c3d10a"
BLOCKED = "019a0c4f-2c66-7d14-9e42-7a1d9ea2f844"
PEOPLE = ((PLAYER, "Ragna"), (OTHER, "Sigrid"), (THIRD, "Torsten"))
MOST_TURNS = 2_000
"""In a game that chance does not end before, the seats resign one after the other."""


class Story:
    """An example game, played to its end with a fixed seed and as few seats as it takes, and what examples need of it,
    JSON-ready. `asked` is its first turn, `seat` the first that is asked. Addresses begin with `base`."""

    def __init__(self, rules: AnyRules, game: UUID, base: str) -> None:
        self.rules, self.base = rules, base
        self.seats = rules.seat_counts[0]
        config = rules.configure(self.seats, {})
        self.options = rules.options(config)
        self.option = _option(rules, self.seats, self.options)
        self.terms = game_terms(rules.ruleset, rules.version, self.seats, self.options)
        self.commitment = commitment(game, self.terms, SEED)
        entropy = pack_entropy([None] * self.seats)
        dice = Dice(SEED, entropy, 0)
        played = settle(rules, Step(rules.initial(config), ()), dice.draw)
        first = played.step.state
        asked = rules.turn(first)
        assert type(asked) is Await
        self.asked, self.seat = asked, asked.seats[0]
        opening = rules.moves(first, self.seat)
        self.action = plain(opening.sample(random.Random(2)))  # noqa: S311 # the document is to be the same every time
        self.legal = plain(legal(rules, asked.kind, opening, random.Random("example")))  # noqa: S311 # likewise
        view = rules.view(first, self.seat)
        self.context, self.view, self.picture = plain(rules.context(view)), plain(view), _described(rules, view)
        self.log: list[Values] = []
        self.effect: Any = None
        self.combat: Any = None
        self._play_on(played, dice, first_head(game, self.terms, entropy))
        self.option_fault = _option_fault(rules, self.seats, self.options)
        self.action_fault = _action_fault(rules, asked.kind, self.action)
        self.broken = _broken(rules, asked.kind, opening, self.log)

    def _play_on(self, played: Played, dice: Dice, head: bytes) -> None:
        """Play to the end, and keep log, result, the first effect, and the first combat that was resolved."""
        rules, rng = self.rules, random.Random(1)  # noqa: S311 # the document is to be the same every time
        entry = Entry(turn=0, chance=played.chance)
        while True:
            state, effects = played.step.state, played.step.effects
            row, digest = canonical_json(msgspec.to_builtins(entry)), state_hash(state)
            head = next_head(head, row, digest)
            hashes = {"state_hash": digest.hex(), "row_hash": head.hex()}
            self.log.append({"seq": len(self.log), "at": AT, "entry": msgspec.json.decode(row), **hashes})
            resolved = (plain(combat) for combat in played.step.combats if combat.status == "resolved")
            self.combat = self.combat or next(resolved, None)
            if self.effect is None and effects:
                self.effect = plain(rules.redact(effects[-1], None))
            turn = rules.turn(state)
            if type(turn) is not Await:
                break
            resigned = turn.seats[0] if len(self.log) > MOST_TURNS else None
            chosen = [(seat, rules.moves(state, seat).sample(rng)) for seat in turn.seats if resigned is None]
            played = perform(rules, state, chosen, resigned, dice.draw)
            wire = tuple((seat, msgspec.to_builtins(action)) for seat, action in chosen)
            entry = Entry(turn=turn.turn, kind=turn.kind, actions=wire, resigned=resigned, chance=played.chance)
        assert type(turn) is Over
        self.result = plain(result_of(turn))


def plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def tell(game: UUID, base: str) -> Story:
    """The story of the first of all games.

    The house's games come before those of packages, so that a package changes no example. A combat is told of the
    first game that has one; None where none has.
    """
    games = sorted(registry.all_latest(), key=lambda rules: registry.origin(rules.ruleset) != HOUSE)
    stories = (Story(rules, game, base) for rules in games)
    story = next(stories)
    story.combat = story.combat or next((other.combat for other in stories if other.combat is not None), None)
    return story


def _option(rules: AnyRules, seats: int, options: Values) -> Values:
    """An option that a game may be created with: who begins, if one can say so."""
    for some in ({"first_player": 0}, *({name: plain(value)} for name, value in options.items())):
        with suppress(InvalidOption):
            rules.configure(seats, some)
            return some
    return {}


def _option_fault(rules: AnyRules, seats: int, options: Values) -> InvalidOption:
    """What the rules say to a wrong option."""
    for wrong in (*({name: 9} for name in options), {"no_such": 9}):
        try:
            rules.configure(seats, wrong)
        except InvalidOption as fault:
            return fault
    raise AssertionError(f"{rules.title} takes an option that it has not")


def _action_fault(rules: AnyRules, kind: str, action: Any) -> MalformedAction | IllegalAction:
    """What they say to an action with a letter too few in its type, or else to no action at all."""
    of = action.get("type") if isinstance(action, dict) else None
    for wrong in ({**action, "type": of[:2] + of[3:]} if isinstance(of, str) else None, None):
        try:
            rules.decode(kind, wrong)
        except (MalformedAction, IllegalAction) as fault:
            return fault
    raise AssertionError(f"{rules.title} takes null for an action")


def _broken(rules: AnyRules, kind: str, opening: Any, log: list[Values]) -> str:
    """The rule against a choice of another turn that would not do in the first one; who acts out of turn breaks C2."""
    for row in log:
        if row["entry"].get("kind") == kind:
            for _, action in row["entry"].get("actions", ()):
                if (fault := opening.why_not(rules.decode(kind, action))) is not None:
                    return str(fault.rule)
    return "C2"


def _described(rules: AnyRules, view: Any) -> str:
    """The picture of a view without what is drawn in it: short enough for a page of examples."""
    picture = rules.picture(view, "auto")
    described, style, _ = picture.partition("<style>")
    return described + "</svg>\n" if style else picture


def people(story: Story) -> dict[int, tuple[str, str]]:
    """Who sits at the example game, by seat: the player whom these examples are of first, where the game asks first."""
    seats = [story.seat, *(seat for seat in range(story.seats) if seat != story.seat)]
    more = ((f"019a0c4f-1b55-7c02-8d31-{n:012x}", f"Guest {n}") for n in range(4, story.seats + 1))
    return dict(zip(seats, (*PEOPLE, *more), strict=False))


def last_seat(story: Story) -> int:
    """The seat that is taken last."""
    return list(people(story))[-1]


def page(*items: Any) -> dict[str, Values]:
    """An answer that holds these, and nothing follows."""
    return {"page": {"items": list(items), "next": None}}
