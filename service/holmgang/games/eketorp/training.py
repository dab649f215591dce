"""Eketorp as words and numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from holmgang.engine.moves import MoveSpace
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Seat
from holmgang.games.eketorp.rules.board import (
    AMULETS,
    CARDS_OF_A_VALUE,
    ENGINES,
    FIELDS,
    HEIGHT,
    HIGHEST_CARD,
    KINDS,
    ROUNDS,
    STATIONS,
    STONES,
    VIKINGS,
    WALL_STONES,
    WALLS,
)
from holmgang.games.eketorp.rules.model import (
    Besiege,
    Build,
    Decline,
    Exchange,
    FightAction,
    Laid,
    Loot,
    Place,
    Play,
    Stand,
    Take,
)
from holmgang.games.eketorp.rules.views import FieldView, SeatView, SiegeView, View
from holmgang.training.language import Language
from holmgang.training.sheet import Sheet
from holmgang.training.spelling import Listed, Spelling, Words

MOST_SCORE = WALL_STONES * len(KINDS)
MOST_STONES = 9.0
"""Of one kind on a field."""
ALL_CARDS = CARDS_OF_A_VALUE * HIGHEST_CARD


class EketorpLanguage(Language):
    """Words for spaces (siege spaces by whose village it is, from one's own on), seats, cards, walls, stones, stones on
    a wall, and the rest.

    A placement is written Viking by Viking, ascending, until `enough` or all are placed; a building stone by stone,
    wall after wall, from the bottom; loot as a wall for each of its stones, then the stone that is kept.
    """

    def __init__(self, rules: AnyRules, config: Any) -> None:
        super().__init__(rules, config)
        words = [f"field {name}" for name in FIELDS]
        self.siege = len(words)
        words += [f"siege +{n}:{engine}" for n in range(self.seats) for engine in ENGINES]
        self.against = len(words)
        words += [f"against +{n}" for n in range(self.seats)]
        self.card = len(words)
        words += [f"card {value}" for value in range(1, HIGHEST_CARD + 1)]
        self.wall = len(words)
        words += [f"wall {number}" for number in range(1, WALLS + 1)]
        self.stone = len(words)
        words += list(KINDS)
        self.laid = len(words)
        words += [f"{kind} on wall {number}" for number in range(1, WALLS + 1) for kind in KINDS]
        self.rest = {name: len(words) + n for n, name in enumerate(("exchange", "stand", "stand all round", "decline"))}
        words += list(self.rest)
        self.enough = len(words)
        self.words = (*words, "enough")

    def space(self, me: Seat, name: str) -> int:
        """The word of a field or siege space."""
        if name in FIELDS:
            return FIELDS.index(name)
        village, engine = name.split(":")
        return self.siege + (int(village) - me) % self.seats * len(ENGINES) + ENGINES.index(engine)

    def siege_name(self, me: Seat, word: int) -> str:
        village, engine = divmod(word - self.siege, len(ENGINES))
        return f"{(me + village) % self.seats}:{ENGINES[engine]}"

    def spell(self, me: Seat, action: Any) -> Words:
        kind = type(action)
        if kind is Place:
            fields = [FIELDS.index(name) for name, n in action.fields.items() for _ in range(n)]
            words = sorted([*fields, *(self.space(me, name) for name in action.sieges)])
            return (*words, self.enough)
        if kind is Build:
            return tuple(self.on_wall(laid.wall, laid.stone) for laid in sorted(action.stones, key=_wall))
        if kind is FightAction:
            return self.space(me, action.space), self.against + (action.against - me) % self.seats
        if kind is Besiege:
            return (self.space(me, action.space),)
        if kind is Play:
            return (self.card + action.card - 1,)
        if kind is Loot:
            walls = sorted(int(wall) for wall, n in action.walls.items() for _ in range(n))
            return (*(self.wall + wall - 1 for wall in walls), self.stone + KINDS.index(action.kept))
        if kind is Take:
            return (self.stone + KINDS.index(action.stone),)
        if kind is Stand:
            return (self.rest["stand" if action.until is None else "stand all round"],)
        assert kind in (Exchange, Decline)
        return (self.rest["exchange" if kind is Exchange else "decline"],)

    def on_wall(self, wall: int, stone: str) -> int:
        return self.laid + (wall - 1) * len(KINDS) + KINDS.index(stone)

    def spelling(self, view: View, space: MoveSpace[Any]) -> Spelling:
        me = view.seat
        assert me is not None
        bounds = space.grammar()
        if view.phase == "placement":
            return _Placement(self, me, bounds["vikings"], bounds["sieges"])
        if view.phase == "building":
            free = [bounds["free_places"][str(wall)] for wall in range(1, WALLS + 1)]
            return _Building(self, [bounds["stones"].get(kind, 0) for kind in KINDS], free, bounds["build_exactly"])
        return Listed(space, lambda action: self.spell(me, action))

    def describes_written(self, view: View) -> bool:
        return view.phase == "building"

    def describe(self, sheet: Sheet, view: View, written: Words) -> None:
        me = view.seat
        assert me is not None
        order = self.clockwise(me)
        seats = list(map(str, order))
        sheet.number("round", view.round, ROUNDS)
        sheet.flags("sealed", (seat in view.sealed for seat in order))
        sheet.one_of("chooser", self.from_me(me, view.chooser), self.seats)
        sheet.some_of("material cards shown", view.material_cards_shown, len(self.cards(view)))
        sheet.numbers("supply", (view.supply.get(k, 0) / n for k, n in zip(KINDS, STONES, strict=True)), 1)
        for name, field in view.fields.items():
            self.part(sheet, (me, "field", name), (field,), partial(_field, name=name, field=field, seats=seats))
        self.part(sheet, (me, "sieges"), (view.sieges,), partial(_sieges, sieges=view.sieges, order=order))
        laid = [divmod(word - self.laid, len(KINDS)) for word in written] if view.phase == "building" else []
        for n, seat in enumerate(order):
            there, new = view.seats[seat], [] if n else laid
            self.part(sheet, (me, "seat", n), (there, new), partial(self._seat, me=me, n=n, seat=there, laid=new))
        sheet.tally("hand", (card - 1 for card in view.hand or ()), HIGHEST_CARD, 4)
        sheet.number("deck", view.deck_size, ALL_CARDS)
        sheet.number("discarded", view.discarded, ALL_CARDS)
        self._combat(sheet, view, me)
        spoils = view.spoils
        sheet.one_of("spoils field", None if spoils is None else FIELDS.index(spoils.field), len(FIELDS))

    @staticmethod
    def cards(view: View) -> Sequence[str]:
        cards: Sequence[str] = view.options["material_cards"]
        return cards

    def _seat(self, sheet: Sheet, me: Seat, n: int, seat: SeatView, laid: Sequence[tuple[int, int]]) -> None:
        """What everybody knows of a seat; `laid` are walls and kinds of stones that are just being laid."""
        vikings = VIKINGS[self.seats]
        sheet.number(f"+{n} home", seat.home, vikings)
        sheet.counts(f"+{n} hospital", seat.hospital, STATIONS, vikings)
        sheet.number(f"+{n} hand size", seat.hand_size, 4)
        sheet.tally(f"+{n} pile", (card - 1 for card in seat.pile), HIGHEST_CARD, 4)
        sheet.number(f"+{n} amulets", seat.amulets, AMULETS)
        walls = list(seat.walls)
        for wall, kind in laid:
            walls[wall] = (*walls[wall], KINDS[kind])
        self.part(sheet, (me, "walls", n), (walls,), partial(_walls, n=n, walls=walls))
        carried = dict(seat.carried)
        for _, kind in laid:
            carried[KINDS[kind]] -= 1
        sheet.counts(f"+{n} carried", carried, KINDS, MOST_STONES)
        sheet.counts(f"+{n} aside", seat.aside, KINDS, WALL_STONES)
        sheet.flags(f"+{n} stands, resigned", (seat.stands, seat.resigned))
        sheet.number(f"+{n} score", seat.score, MOST_SCORE)

    def _combat(self, sheet: Sheet, view: View, me: Seat) -> None:
        combat = view.combat
        if combat is None:
            sheet.flags("combat", (False,) * 3)
            sheet.one_of("combat space", None, self.against)
            for who in ("attacker", "defender", "asking"):
                sheet.one_of(who, None, self.seats)
            sheet.numbers("amulets spent, cards, difference", (0,) * 5, 1)
            return
        sheet.flags("combat", (True, combat.kind == "siege", combat.undefended))
        sheet.one_of("combat space", self.space(me, combat.space), self.against)
        sheet.one_of("attacker", self.from_me(me, combat.attacker), self.seats)
        sheet.one_of("defender", self.from_me(me, combat.defender), self.seats)
        sheet.one_of("asking", self.from_me(me, combat.asking), self.seats)
        spent = (n / AMULETS for n in combat.amulets)
        cards = (card / HIGHEST_CARD for card in combat.cards or (0, 0))
        sheet.numbers("amulets spent, cards, difference", (*spent, *cards, (combat.difference or 0) / HIGHEST_CARD), 1)


def _field(sheet: Sheet, name: str, field: FieldView, seats: Sequence[str]) -> None:
    sheet.counts(f"field {name} stones", field.stones, KINDS, MOST_STONES)
    sheet.counts(f"field {name} vikings", field.vikings, seats, VIKINGS[len(seats)])


def _sieges(sheet: Sheet, sieges: Mapping[str, SiegeView], order: Sequence[Seat]) -> None:
    for n, village in enumerate(order):
        for engine in ENGINES:
            siege = sieges[f"{village}:{engine}"]
            sheet.flags(f"siege +{n}:{engine}", [*[seat in siege.seats for seat in order], siege.settled])


def _walls(sheet: Sheet, n: int, walls: Sequence[Sequence[str]]) -> None:
    for number, stones in enumerate(walls, start=1):
        there = [*stones, *[None] * (HEIGHT - len(stones))]
        sheet.flags(f"+{n} wall {number}", [kind == k for kind in there for k in KINDS])


def _wall(laid: Laid) -> int:
    return laid.wall


class _Placement:
    """E3.2: Vikings to fields, any number, and to siege spaces, one each; `enough` keeps the rest at home."""

    def __init__(self, language: EketorpLanguage, me: Seat, vikings: int, sieges: Sequence[str]) -> None:
        self._language, self._me, self._vikings = language, me, vikings
        self._sieges = sorted(language.space(me, name) for name in sieges)

    def following(self, written: Words) -> Sequence[int]:
        enough = self._language.enough
        if written and written[-1] == enough:
            return ()
        if len(written) == self._vikings:
            return (enough,)
        last = written[-1] if written else 0
        fields = range(last, len(FIELDS))
        return [*fields, *(word for word in self._sieges if word > last or not written), enough]

    def action(self, written: Words) -> Any:
        language = self._language
        if not written or written[-1] != language.enough:
            return None
        fields = Counter(FIELDS[word] for word in written if word < len(FIELDS))
        sieges = tuple(language.siege_name(self._me, word) for word in written[:-1] if word >= len(FIELDS))
        return Place(dict(fields), tuple(sorted(sieges)))  # type: ignore[arg-type]


class _Building:
    """E5.3: all stones that fit, wall after wall."""

    def __init__(self, language: EketorpLanguage, new: Sequence[int], free: Sequence[int], wanted: int) -> None:
        self._language, self._new, self._free, self._wanted = language, new, free, wanted

    def _laid(self, written: Words) -> list[tuple[int, int]]:
        """Walls from 0 and kinds."""
        return [divmod(word - self._language.laid, len(KINDS)) for word in written]

    def following(self, written: Words) -> Sequence[int]:
        left = self._wanted - len(written)
        if not left:
            return ()
        laid = self._laid(written)
        stones, free = list(self._new), list(self._free)
        for wall, kind in laid:
            stones[kind] -= 1
            free[wall] -= 1
        first = laid[-1][0] if laid else 0
        walls = [n for n in range(first, WALLS) if free[n] and sum(free[n:]) >= left]
        return [
            self._language.laid + wall * len(KINDS) + kind
            for wall in walls
            for kind in range(len(KINDS))
            if stones[kind]
        ]

    def action(self, written: Words) -> Any:
        if len(written) < self._wanted:
            return None
        return Build(tuple(Laid(KINDS[kind], wall + 1) for wall, kind in self._laid(written)))  # type: ignore[arg-type]
