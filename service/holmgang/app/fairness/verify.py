"""Whether a finished game's record holds: it is played again by the rules, and all that it says is compared.

Pure: no store, no clock. What a record proves depends on what was noted while it could not yet be made to fit: the
commitment when the game was created, the entropy that a player gave after that, the choices that were taken from them,
and the head (the last row's hash) when the game ended. Without them a record that was made up as a whole is found out
only where it breaks the rules or where its chance does not follow from its seed and the entropy that it shows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct

from holmgang import registry
from holmgang.engine.codec import state_hash
from holmgang.engine.errors import IllegalAction, MalformedAction, NotAwaited
from holmgang.engine.replay import Entry, settle
from holmgang.engine.rules import AnyRules, Step, play
from holmgang.engine.turn import Await, Over, Seat

from .claims import Claims, Line, Unreadable, brief
from .dice import Dice, canonical_json, commitment, first_head, game_terms, next_head, pack_entropy
from .notes import Choice
from .results import result_of

MOST_ROW_BYTES = 1_000_000
"""The largest row: no legal action is as long as what a request may hold, 64 KiB unless set otherwise."""


class Difference(Struct, frozen=True, kw_only=True):
    """The first thing that does not hold.

    `where` is a JSON pointer into the record, `row` the log's row, None outside the log; `rule` the rule's id where an
    action is illegal.
    """

    where: str
    row: int | None
    what: str
    expected: Any = None
    found: Any = None
    rule: str | None = None


class Verdict(Struct, frozen=True, kw_only=True):
    """`rows` and `draws` held before the first difference, or in all. `noted` says what was compared with the caller's
    own notes (`game`, `terms`, `commitment`, `entropy/1` for seat 1's, `choices`, `head`), `unchecked` what was
    compared with nothing. `entropy` lists the seats for which the record shows some."""

    holds: bool
    game: str
    ruleset: str
    version: str
    seats: int
    rows: int
    draws: int
    entropy: tuple[Seat, ...]
    noted: tuple[str, ...]
    unchecked: tuple[str, ...]
    difference: Difference | None


class _Differs(Exception):
    def __init__(self, where: str, what: str, expected: Any = None, found: Any = None, **more: Any) -> None:
        super().__init__(what)
        self.difference = Difference(
            where=where, row=more.get("row"), what=what, expected=expected, found=found, rule=more.get("rule")
        )


def verify(
    claims: Claims,
    *,
    noted_commitment: str | None = None,
    noted_head: str | None = None,
    noted_game: str | None = None,
    noted_terms: str | None = None,
    noted_entropy: Mapping[Seat, Collection[bytes]] = MappingProxyType({}),
    noted_choices: Collection[Choice] = (),
) -> Verdict:
    """Compare everything in order; the verdict tells the first difference.

    Commitment and head are hexadecimal. Of a seat's entropy every reading of the note is given, and the record has to
    show one of them; with no reading it has to show none. Raises Unreadable where the rules are not known here.
    """
    try:
        rules = registry.find(claims.ruleset, claims.version)
    except registry.UnknownRuleset:
        raise Unreadable(
            f"The game was played by {brief(claims.ruleset)}, version {brief(claims.version)}, which this program "
            "does not know: use a release that does."
        ) from None
    check = _Check(rules, claims)
    difference = None
    try:
        if noted_game is not None:
            _same("/game", "This is another game than the one that was noted.", noted_game.lower(), claims.game)
        if noted_terms is not None:
            _same("/terms", "These are not the terms that were noted.", noted_terms, claims.terms)
        check.terms(noted_commitment, noted_entropy)
        check.log()
        check.choices(noted_choices)
        check.end(noted_head)
    except _Differs as found:
        difference = found.difference
    notes = {
        "game": noted_game is not None,
        "terms": noted_terms is not None,
        "commitment": noted_commitment is not None,
        **{f"entropy/{seat}": True for seat in sorted(noted_entropy)},
        "choices": bool(noted_choices),
        "head": noted_head is not None,
    }
    return Verdict(
        holds=difference is None,
        game=claims.game,
        ruleset=claims.ruleset,
        version=claims.version,
        seats=claims.seats,
        rows=check.rows,
        draws=check.draws,
        entropy=tuple(seat for seat, given in enumerate(claims.entropy) if given is not None),
        noted=tuple(name for name, there in notes.items() if there),
        unchecked=claims.unchecked,
        difference=difference,
    )


class _Check:
    """One record being compared. `rows` and `draws` count what held so far."""

    def __init__(self, rules: AnyRules, claims: Claims) -> None:
        self.rules = rules
        self.claims = claims
        self.rows = 0
        self.draws = 0
        self.gone: set[Seat] = set()
        self.game = UUID(claims.game)
        self.state: Any = None
        self.head = b""

    def terms(self, noted: str | None, given: Mapping[Seat, Collection[bytes]]) -> None:
        """What was agreed, committed to and given before the first draw."""
        rules, claims = self.rules, self.claims
        if claims.seats not in rules.seat_counts:
            counts = list(rules.seat_counts)
            raise _Differs("/seats", f"{rules.title} is not played by so many.", counts, claims.seats)
        _same("/teams", "The sides are not those of the rules.", rules.teams(claims.seats), claims.teams)
        try:
            self.config = rules.configure(claims.seats, claims.options, new=False)
            full = rules.options(self.config)
        except Exception as error:  # no game can have started with what the rules fail on
            raise _Differs(
                "/options",
                f"The rules refuse the options: {error}",
                found=claims.options,
                rule=getattr(error, "rule", None),
            ) from None
        _same("/options", "The options are not whole and in canonical form.", full, claims.options)
        terms = game_terms(claims.ruleset, claims.version, claims.seats, full)
        _same("/terms", "The terms do not say ruleset, version, seats and options.", terms.decode(), claims.terms)
        seed = bytes.fromhex(claims.seed)
        bound = commitment(self.game, terms, seed).hex()
        _same("/commitment", "The commitment does not follow from game, terms and seed.", bound, claims.commitment)
        if noted is not None:
            _same("/commitment", "Game, terms and seed are not those that were committed to.", noted.lower(), bound)
        if len(claims.entropy) != claims.seats:
            raise _Differs("/entropy", "There is one entropy a seat.", claims.seats, len(claims.entropy))
        for seat, readings in sorted(given.items()):
            self.gave(seat, readings)
        entropy = pack_entropy([None if shown is None else bytes.fromhex(shown) for shown in claims.entropy])
        self.dice = Dice(seed, entropy, 0)
        self.head = first_head(self.game, terms, entropy)

    def gave(self, seat: Seat, readings: Collection[bytes]) -> None:
        shown = self.claims.entropy
        if seat not in range(len(shown)):
            raise _Differs("/entropy", f"The game has no seat {seat}, for which entropy was noted.", found=len(shown))
        wanted: list[str | None] = [reading.hex() for reading in readings] or [None]
        if shown[seat] not in wanted:
            what = f"This is not the entropy that was noted for seat {seat}: chance may have been bent."
            raise _Differs(f"/entropy/{seat}", what, wanted[0], shown[seat])

    def log(self) -> None:
        """Every row, and that none is missing or too much."""
        self.state = self.rules.initial(self.config)
        for number, line in enumerate(self.claims.log):
            _Row(self, number, line).check()
            self.rows = number + 1
            self.draws = self.dice.drawn
        number = len(self.claims.log)
        turn = self.rules.turn(self.state)
        if number == 0 or type(turn) is not Over:
            waits = f"turn {turn.turn} awaits {_seats(turn.seats)}" if type(turn) is Await else "it has not begun"
            raise _Differs(f"/log/{number}", f"A row is missing: the game is not over, {waits}.", row=number)

    def choices(self, made: Collection[Choice]) -> None:
        """What a player noted of their own choices. The turn that a resignation ended may lack one that was sealed."""
        log = self.claims.log
        rows = {
            (line.entry["turn"], seat): n for n, line in enumerate(log) for seat, _ in line.entry.get("actions", ())
        }
        for choice in sorted(made, key=lambda choice: choice.turn):
            row = rows.get((choice.turn, choice.seat))
            at = f"turn {choice.turn} for seat {choice.seat}"
            if row is None:
                last = log[-1].entry
                if choice.turn != last["turn"] or last.get("resigned") is None:
                    raise _Differs("/log", f"The log lacks the choice that was noted at {at}.", choice.action)
                continue
            entry = log[row].entry
            [found] = [action for seat, action in entry["actions"] if seat == choice.seat]
            if not self.alike(choice.seat, entry["kind"], choice.action, found):
                what = f"This is not the choice that was noted at {at}."
                raise _Differs(f"/log/{row}/entry/actions", what, choice.action, found, row=row)

    def alike(self, seat: Seat, kind: str, noted: Any, found: Any) -> bool:
        """Whether the rules call both the same."""
        rules = self.rules
        try:
            wanted = rules.canonical(seat, rules.decode(kind, noted))
        except (MalformedAction, IllegalAction):
            return False
        return bool(rules.canonical(seat, rules.decode(kind, found)) == wanted)

    def end(self, noted: str | None) -> None:
        """The result, and the hash of the last row."""
        over = self.rules.turn(self.state)
        assert type(over) is Over, "the log was checked first"
        result = self.claims.result
        for name, value in msgspec.structs.asdict(result_of(over)).items():
            if name not in result:
                raise _Differs(f"/result/{name}", f"The result lacks '{name}'.", value)
            _same(f"/result/{name}", "The game does not end like this.", value, result[name])
        _same("/head", "The head is not the last row's hash.", self.head.hex(), self.claims.head)
        if noted is not None:
            _same("/head", "The log is not the one whose head was noted.", noted.lower(), self.head.hex())


class _Row:
    """One row being compared with the game that has been played up to it."""

    def __init__(self, check: _Check, number: int, line: Line) -> None:
        self.game = check
        self.rules = check.rules
        self.number = number
        self.line = line
        self.where = f"/log/{number}"

    def differs(self, at: str, what: str, expected: Any = None, found: Any = None, rule: str | None = None) -> _Differs:
        return _Differs(f"{self.where}{at}", what, expected, found, row=self.number, rule=rule)

    def same(self, at: str, what: str, expected: Any, found: Any) -> None:
        _same(f"{self.where}{at}", what, expected, found, self.number)

    def check(self) -> None:
        game, line = self.game, self.line
        turn = self.rules.turn(game.state)
        if self.number and type(turn) is Over:
            raise self.differs("", f"A row too many: the game was over after row {self.number - 1}.", found=line.entry)
        self.same("/seq", "Rows are numbered from 0 without gaps.", self.number, line.seq)
        entry, row = self.entry()
        if self.number == 0:
            self.same("/entry", "The first row only sets up the game.", {"turn": 0}, _without_chance(line.entry))
        else:
            assert type(turn) is Await, "a settled game awaits somebody or is over"
            self.same("/entry/turn", "This is not the turn that the game is at.", turn.turn, entry.turn)
            asks = turn.kind if entry.actions or entry.resigned is None else None
            self.same("/entry/kind", "This is not the kind of the turn.", asks, entry.kind)
            if entry.resigned is None:
                self.all_choose(turn, entry)
            else:
                self.resigns(turn, entry)
        try:
            state = self.played(entry)
        except _Differs:
            raise
        except Exception as error:  # no row can have been written that the rules fail on
            failed = f"The rules cannot play this: {type(error).__name__}."
            raise self.differs("/entry", failed, found=line.entry) from None
        digest = state_hash(state)
        self.same("/state_hash", "The row leads to another state.", digest.hex(), line.state_hash)
        head = next_head(game.head, row, digest)
        self.same(
            "/row_hash", "The row's hash does not follow from the one before and the row.", head.hex(), line.row_hash
        )
        game.state, game.head = state, head

    def entry(self) -> tuple[Entry, bytes]:
        """The entry and its canonical text, in which the record must have it: the row's hash is over that."""
        found = self.line.entry
        try:
            entry = msgspec.convert(found, Entry, strict=True)
        except msgspec.ValidationError as fault:
            raise self.differs("/entry", f"This is no entry of a log: {fault}.", found=found) from None
        wanted = msgspec.to_builtins(entry)
        row = canonical_json(wanted)
        if len(row) > MOST_ROW_BYTES:
            raise self.differs("/entry", f"No row is longer than {MOST_ROW_BYTES:,} bytes.", found=len(row))
        self.same("/entry", "The entry is not in the one form that such an entry has.", wanted, found)
        return entry, row

    def all_choose(self, turn: Await, entry: Entry) -> None:
        wanted, found = sorted(turn.seats), [seat for seat, _ in entry.actions]
        asked = f"Turn {turn.turn} ({turn.kind}) awaits {_seats(wanted)}; the row plays for {_seats(found)}."
        self.same("/entry/actions", asked, wanted, found)

    def resigns(self, turn: Await, entry: Entry) -> None:
        """With a resignation go the choices that its side has sealed; and where nobody else still owed one, all others,
        since the turn is resolved by it (C6)."""
        seat = entry.resigned
        side = next((team for team in self.rules.teams(self.game.claims.seats) if seat in team), None)
        if seat is None or side is None:
            raise self.differs("/entry/resigned", "There is no such seat.", found=seat)
        if seat in self.game.gone:
            raise self.differs("/entry/resigned", f"Seat {seat} had resigned before, itself or by its partner.")
        self.game.gone.update(side)
        found = [s for s, _ in entry.actions]
        own = {s for s in turn.seats if s in side}
        others = set(turn.seats) - own
        in_order = found == sorted(set(found))
        of_the_side = own.issuperset(found) and (bool(others) or len(found) < len(own))
        of_all_others = bool(others) and others.issubset(found) and set(found) < set(turn.seats)
        if not in_order or not (of_the_side or of_all_others):
            raise self.differs(
                "/entry/actions",
                f"Turn {turn.turn} ({turn.kind}) awaits {_seats(sorted(turn.seats))}; with the resignation of seat "
                f"{seat} the row plays for {_seats(found)}.",
                found=found,
            )

    def played(self, entry: Entry) -> Any:
        """The state after the row: actions by the rules, then the resignation, then chance by the dice."""
        state = self.game.state
        for n, (seat, value) in enumerate(entry.actions):
            at = f"/entry/actions/{n}/1"
            try:
                action = self.rules.decode(str(entry.kind), value)
                state = play(self.rules, state, seat, action).state
            except IllegalAction as illegal:
                what = f"Seat {seat} may not do this: {illegal.detail}"
                raise self.differs(at, what, found=value, rule=illegal.rule) from None
            except MalformedAction as fault:
                what = f"Seat {seat} has no action of this form at {fault}"
                raise self.differs(at, what, found=value) from None
            except NotAwaited as fault:
                raise self.differs(at, f"It is not for seat {seat} to choose: {fault}.", found=value) from None
        if entry.resigned is not None:
            state = self.rules.resign(state, entry.resigned).state
        drawn = 0

        def draw(label: str, stop: int) -> int:
            nonlocal drawn
            value = self.game.dice.draw(label, stop)
            found = list(entry.chance[drawn]) if drawn < len(entry.chance) else None
            what = f"The chance value does not follow from seed and entropy (one of {stop})."
            self.same(f"/entry/chance/{drawn}", what, [label, value], found)
            drawn += 1
            return value

        state = settle(self.rules, Step(state, ()), draw).step.state
        if drawn < len(entry.chance):
            at = f"/entry/chance/{drawn}"
            raise self.differs(at, "The rules ask for no such chance value.", found=list(entry.chance[drawn]))
        return state


def _same(where: str, what: str, expected: Any, found: Any, row: int | None = None) -> None:
    """Equal in their one spelling: 1 is not true."""
    if canonical_json(expected) != canonical_json(found):
        raise _Differs(where, what, expected, found, row=row)


def _without_chance(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name != "chance"}


def _seats(seats: Iterable[Seat]) -> str:
    named = [str(seat)[:20] for seat in seats]
    if not named:
        return "no seat"
    shown = named if len(named) <= 8 else [*named[:8], "more"]
    last = f" and {shown[-1]}" if len(shown) > 1 else ""
    return ("seats " if len(named) > 1 else "seat ") + ", ".join(shown[:-1] if last else shown) + last
