"""E2, E3 and E6: setup, the phases around combat and building, and the end of a round."""

from __future__ import annotations

from holmgang.engine.tuples import add, nth, put
from holmgang.engine.turn import Chance, Seat

from .board import (
    AMULETS,
    CARDS_OF_A_VALUE,
    FIELDS,
    HAND,
    LOW,
    MATERIAL_CARDS,
    ROUNDS,
    SIEGE_NUMBERS,
    STONES,
    VIKINGS,
    WALL_STONES,
    card_stones,
    siege_name,
)
from .effects import (
    FieldsCleared,
    FirstPlayerChosen,
    GameEnded,
    HandDealt,
    HospitalMoved,
    LowHandShown,
    MaterialRevealed,
    RoundStarted,
    VikingsPlaced,
)
from .model import Kinds, Options, Place, State
from .scoring import over
from .work import NO_STONES, Work, counts, record_of

NOBODY = -1


def initial(config: Options) -> State:
    """E2, up to the first card to be dealt."""
    n = config.seats
    nothing = (0,) * n
    return State(
        players=n,
        material_cards=config.material_cards,
        first_option=NOBODY if config.first_player is None else config.first_player,
        phase="deal",
        turn=0,
        awaited=(),
        round=0,
        first=NOBODY,
        shown=(),
        supply=STONES,
        stones=(NO_STONES,) * len(FIELDS),
        vikings=(nothing,) * len(FIELDS),
        sieges=(0,) * (3 * n),
        settled=0,
        home=(VIKINGS[n],) * n,
        hospital=(nothing, nothing, nothing),
        hands=((),) * n,
        piles=((),) * n,
        deck=(CARDS_OF_A_VALUE,) * 6,
        discarded=(0,) * 6,
        amulets=(AMULETS,) * n,
        walls=(((),) * 6,) * n,
        carried=(NO_STONES,) * n,
        aside=(NO_STONES,) * n,
        sealed=(None,) * n,
        standing=0,
        resigned=0,
        chooser=NOBODY,
        drawer=0,
        drawing=HAND,
        fights=0,
        fight=None,
        taker=NOBODY,
        field=0,
        reason="",
    )


def chance(state: State) -> Chance | None:
    """C4: the value that is asked for, if one is."""
    if state.drawing:
        return Chance(state.turn, "battle_card", sum(state.deck))
    if state.phase == "first_player":
        return Chance(state.turn, "first_player", state.players)
    if state.phase == "material":
        return Chance(state.turn, "material_card", len(MATERIAL_CARDS) - len(state.shown))
    return None


def draw_card(w: Work, value: int) -> None:
    """The drawer takes the card at `value` in the deck sorted by value: any of the unseen with equal chance."""
    d = w.d
    at = nth(d.deck, value)
    d.deck = add(d.deck, at, -1)  # type: ignore[assignment]
    d.hands = put(d.hands, d.drawer, tuple(sorted((*d.hands[d.drawer], at + 1))))
    d.drawing -= 1


def dealt(w: Work) -> None:
    """E2.3: a whole hand has been dealt. Low ones go back; then the next seat's, or the first player."""
    d = w.d
    seat, hand = d.drawer, d.hands[d.drawer]
    w.effects.append(HandDealt(seat=seat, count=len(hand), cards=hand))
    if hand[-1] <= LOW:
        w.effects.append(LowHandShown(seat=seat, cards=hand))
        for card in hand:
            d.deck = add(d.deck, card - 1, 1)  # type: ignore[assignment]
        d.hands = put(d.hands, seat, ())
        d.drawing = HAND
    elif seat + 1 < d.players:
        d.drawer = seat + 1
        d.drawing = HAND
    else:
        d.drawer = NOBODY
        if d.first_option == NOBODY:
            d.phase = "first_player"
        else:
            choose_first(w, d.first_option, "option")


def choose_first(w: Work, seat: Seat, by: str) -> None:
    """E2.5, C1."""
    w.d.first = seat
    w.effects.append(FirstPlayerChosen(seat=seat, by=by))
    start_round(w, 1)


def start_round(w: Work, number: int) -> None:
    w.d.round = number
    w.d.phase = "material"
    w.effects.append(RoundStarted(round=number, first=w.d.first))


def reveal_material(w: Work, value: int) -> None:
    """E3.1: the unseen card at `value` puts its stones out, fields in order, as far as the supply goes."""
    d = w.d
    unseen = [n for n in range(len(MATERIAL_CARDS)) if n not in d.shown]
    number = unseen[value]
    d.shown = (*d.shown, number)
    supply, stones = list(d.supply), [list(field) for field in d.stones]
    placed: dict[str, dict[str, int]] = {}
    short = [0, 0, 0, 0]
    for group in card_stones(d.material_cards[number], d.players):
        put_out = min(group.number, supply[group.kind])
        supply[group.kind] -= put_out
        short[group.kind] += group.number - put_out
        stones[group.field][group.kind] += put_out
        if put_out:
            on_field = [0, 0, 0, 0]
            on_field[group.kind] = put_out
            placed.setdefault(FIELDS[group.field], {}).update(counts(tuple(on_field)))
    d.supply = tuple(supply)  # type: ignore[assignment]
    d.stones = tuple(tuple(field) for field in stones)  # type: ignore[misc]
    w.effects.append(MaterialRevealed(card=d.material_cards[number], stones=placed, short=counts(tuple(short))))
    asked = tuple(s for s in range(d.players) if d.home[s] and not d.resigned >> s & 1)
    if asked:
        w.ask("placement", *asked)
    else:
        d.phase = "reveal"


def reveal_placements(w: Work) -> None:
    """E3.3: all placements at once, those of seats that have resigned at home (C6)."""
    d = w.d
    vikings = [list(field) for field in d.vikings]
    sieges, home = list(d.sieges), list(d.home)
    for seat in range(d.players):
        place = d.sealed[seat]
        if place is None:
            if home[seat]:
                w.effects.append(VikingsPlaced(seat=seat, fields={}, sieges=(), home=home[seat], defaulted=True))
            continue
        assert type(place) is Place
        for name, count in place.fields.items():
            vikings[FIELDS.index(name)][seat] = count
            home[seat] -= count
        for siege in place.sieges:
            sieges[SIEGE_NUMBERS[siege]] |= 1 << seat
            home[seat] -= 1
        w.effects.append(
            VikingsPlaced(
                seat=seat,
                fields={name: place.fields[name] for name in FIELDS if name in place.fields},
                sieges=tuple(siege_name(s) for s in sorted(SIEGE_NUMBERS[name] for name in place.sieges)),
                home=home[seat],
            )
        )
    d.vikings = tuple(tuple(field) for field in vikings)
    d.sieges = tuple(sieges)
    d.home = tuple(home)
    d.sealed = (None,) * d.players
    d.chooser = d.first
    d.phase = "choose"


def close(w: Work) -> None:
    """E6."""
    d = w.d
    complete = any(sum(map(len, walls)) == WALL_STONES for walls in d.walls)
    if complete or d.round == ROUNDS:
        end(w, "walls_complete" if complete else "tenth_round")
        return
    worst, middle, last = d.hospital
    d.hospital = ((0,) * d.players, worst, middle)
    d.home = tuple(map(sum, zip(d.home, last, strict=True)))
    if any(worst) or any(middle) or any(last):
        w.effects.append(HospitalMoved(healed=last))
    cleared: Kinds = (sum(f[0] for f in d.stones), sum(f[1] for f in d.stones), 0, 0)
    if any(cleared):
        d.supply = (d.supply[0] + cleared[0], d.supply[1] + cleared[1], d.supply[2], d.supply[3])
        d.stones = tuple((0, 0, f[2], f[3]) for f in d.stones)
        w.effects.append(FieldsCleared(stones=counts(cleared)))
    d.settled = d.standing = 0
    d.first = (d.first + 1) % d.players
    start_round(w, d.round + 1)


def end(w: Work, reason: str) -> None:
    """E6.1 or C7: nobody is asked any more."""
    d = w.d
    d.phase, d.reason, d.awaited, d.drawing = "over", reason, (), 0
    d.sealed = (None,) * d.players  # choices that the end overtook are void
    if d.fight is not None:
        w.records.append(record_of(d, "abandoned"))
    result = over(d)
    w.effects.append(GameEnded(reason=reason, scores=result.scores, ranking=result.ranking))
