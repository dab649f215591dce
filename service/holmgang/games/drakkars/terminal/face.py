"""Drakkars at a terminal."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec import UNSET
from rich import box
from rich.console import Group, RenderableType
from rich.text import Text

from holmgang.engine.messages import how_many
from holmgang.engine.moves import MoveSpace
from holmgang.games.drakkars.rules.coast import CELLS, MOST_CARDS, ODIN
from holmgang.games.drakkars.rules.effects import Counts
from holmgang.games.drakkars.rules.model import (
    Advance,
    Attack,
    Back,
    Boost,
    Draw,
    Emerge,
    Fog,
    FogCard,
    Launch,
    LootCards,
    LootChoice,
    LootCoins,
    Pair,
    Play,
    Push,
    ReadyShip,
    Rush,
    Sail,
    ShipRef,
    Stint,
    Swap,
)
from holmgang.games.drakkars.rules.sailing import BACK, BOOST
from holmgang.games.drakkars.rules.sails import NAMES
from holmgang.games.drakkars.rules.views import SeatView, View, context
from holmgang.games.drakkars.rules.wording import SHIPS
from holmgang.games.drakkars.terminal.coast import coast
from holmgang.terminal.choosers import Chooser, Narrowing, Option
from holmgang.terminal.fitting import Fitted, Grid
from holmgang.terminal.screen import letter, seat_text
from holmgang.terminal.table import People

QUESTIONS = ("What will you do?", "Which ship?", "By which card?", "How far?")
PLANS: dict[type, str] = {
    Sail: "sail a ship by a card",
    Swap: "swap two ships (Odin and Frigg)",
    Fog: "hide a ship in the fog (Thor and Sif)",
    Back: "send a ship back five cells (Heimdall and Idunn)",
    Pair: "move two ships, seven steps together (Freyr and Freya)",
    Launch: "launch a ship and sail it (Tyr and a card)",
    Boost: "sail a ship by a card and 3 more (Njord and a card)",
    Draw: "pass: draw two cards",
    ReadyShip: "pass: launch a ship",
    FogCard: "add a card to the hidden ship",
    Emerge: "come out of the fog",
    Rush: "rush a ship home with several cards",
}
_SHIP = re.compile(r"([a-d])([0-2])")
_NUMBER = re.compile(r"[1-9][0-9]?")


def card(value: int) -> str:
    return f"{NAMES[value]} {value}"


def said(counts: Counts) -> str:
    return " ".join(f"{n}{name[0]}" for name, n in counts.items()) or "-"


class DrakkarsFace:
    rule_of: Mapping[str, str] = {
        "sail": "D4.1",
        "arrival": "D5.3",
        "barrel": "D5.2",
        "loot": "D5.2",
        "battle_card": "D5.6",
    }
    boards_at = frozenset({"sail"})

    # The board

    def board(self, view: View, people: People) -> RenderableType:
        head = Text("The coast", style="bold")
        partners = [team for team in view.teams if len(team) > 1]
        if partners:
            head.append("   partners: " + ", ".join(" and ".join(people.name(s) for s in team) for team in partners))
        if view.end is not None:
            head.append(f"   {people.name(view.end.seat)} ended the game, but for last turns", style="red")
        key = Text("<a> fjords, a0 ships, a? hidden in fog, T1 towns; g gold, s silver, c copper", style="dim")
        return Group(
            head, Fitted(lambda width: coast(view, width)), key, self._players(view, people), self._mine(view, people)
        )

    def _players(self, view: View, people: People) -> Grid:
        table = Grid(padding=(0, 1), show_lines=True, box=box.ROUNDED)
        table.add_column("player", no_wrap=True, width=14)
        table.add_column("ships, ways home, cargoes", width=33)
        for name in ("hand", "deck", "coins", "turn"):
            table.add_column(name, justify="right")
        for seat in view.seats:
            player = seat_text(seat.seat, f"{letter(seat.seat)} {people.name(seat.seat)}"[:14])
            player.append("\n(you)" if seat.seat == people.me else "")
            player.append("\nresigned" if seat.resigned else "")
            numbers = (seat.hand_size, seat.deck_size, seat.coins, seat.turns)
            table.add_row(player, "\n".join(_ships(seat)), *map(str, numbers))
        return table

    def _mine(self, view: View, people: People) -> Text:
        if view.hand is None:
            return Text()
        told = Text.assemble("Your hand: ", (", ".join(map(card, view.hand)) or "no cards", "bold"))
        if view.fog_cards:
            told.append(f"   under your fog: {', '.join(map(card, view.fog_cards))}")
        if view.deck:
            told.append(f"\nStill in your deck: {' '.join(map(str, view.deck))}")
        if view.choice is not None:
            told.append(f"   your secret choice: {self.words(view.choice, view, people)}")
        return told

    # Words

    def question(self, view: View, people: People) -> str:
        about = context(view)
        if view.phase == "sail":
            hand = ", ".join(map(card, view.hand or ())) or "no cards"
            when = "Your last turn" if about["last_turn"] else "Your turn"
            return f"{when}. Your hand: {hand}."
        if view.phase == "battle_card":
            fight = about["combat"]
            one, other = (
                _ref(ShipRef(fight[side], fight[f"{side}_ship"]), people) for side in ("attacker", "defender")
            )
            return f"Fight on cell {fight['cell']}: {one} attacks {other}. Choose a card in secret."
        me = f"Your {SHIPS[about['ship']]} ({letter(people.me)}{about['ship']})"
        where = "comes home" if about["cell"] is None else f"arrives on cell {about['cell']}"
        if about.get("town") is not None:
            coins = next((town.coins for town in view.towns if town.town == about["town"]), ())
            where += f", town {about['town']} ({', '.join(coins) or 'without coins'})"
        if view.phase == "arrival":
            other = about["occupant"]
            return f"{me} {where}, where {_ref(ShipRef(other['seat'], other['ship']), people)} stands."
        if view.phase == "barrel":
            return f"{me} {where}. By which value does the barrel move on from {about['barrel']}?"
        what = "It gets a bonus" if about["kind"] == "bonus" else "It takes loot"
        return f"{me} {where}. {what}: {about['gives']}."

    def words(self, action: Any, view: View, people: People) -> str:
        """The long ones tell where a ship would come to."""
        if type(action) in PLANS:
            return self._go(action, view, people)
        match action:
            case Push():
                return "push it on, and act as if it were not there"
            case Attack():
                return "attack it, and do nothing else"
            case Advance():
                offer = context(view).get("values", {}).get(str(action.by))
                return f"by {action.by}" + (f" to {offer['cell']}: {offer['gives']}" if offer else "")
            case LootCoins():
                return f"take {how_many(view.offer.coins, 'coin')}" if view.offer else "take coins"
            case LootCards():
                return f"take {how_many(view.offer.cards, 'card')}" if view.offer else "take cards"
            case LootChoice():
                return f"take {' and '.join(map(card, action.cards))}"
            case _:
                return f"play {card(action.card)}"

    def _go(self, action: Any, view: View, people: People) -> str:
        me = people.me
        match action:
            case Sail():
                n = action.card if action.steps is UNSET else action.steps
                how = f"by {card(action.card)}" + ("" if action.steps is UNSET else f", {how_many(n, 'step')}")
                return f"sail {_own(action.ship, people)} {how}: {_end(view, people, me, action.ship, n, action.card)}"
            case Boost():
                n = action.card + BOOST if action.steps is UNSET else action.steps
                how = f"by Njord 3 and {card(action.card)}, {how_many(n, 'step')}"
                return f"sail {_own(action.ship, people)} {how}: {_end(view, people, me, action.ship, n, action.card)}"
            case Launch():
                n = action.card if action.steps is UNSET else action.steps
                cell = (view.seats[me].fjord + n - 1) % CELLS
                how = f"by Tyr 8, and {how_many(n, 'step')} by {card(action.card)}"
                return f"launch a ship {how}: {_there(view, people, cell)}"
            case Swap():
                return f"swap {' and '.join(_ref(ref, people) for ref in action.ships)}"
            case Back():
                start = view.seats[action.ship.seat].ships[action.ship.ship].cell
                end = "" if start is None else f": {_there(view, people, (start - BACK) % CELLS)}"
                return f"send {_ref(action.ship, people)} back five cells{end}"
            case Fog():
                return f"hide {_own(action.ship, people)} in the fog"
            case Pair():
                moved = [
                    f"{_ref(stint, people)} {stint.steps}: {_end(view, people, stint.seat, stint.ship, stint.steps, 0)}"
                    for stint in action.moves
                ]
                return f"move {', then '.join(moved)}"
            case FogCard():
                return f"add {card(action.card)} to the hidden ship"
            case Emerge():
                n = action.card + sum(view.fog_cards or ())
                return f"come out of the fog with {card(action.card)}, {how_many(n, 'step')} in all"
            case Rush():
                total = sum(action.cards)
                return f"rush {_own(action.ship, people)} home with {' '.join(map(str, action.cards))} ({total} in all)"
            case _:
                return _plan(action, view)

    # Choosing

    def chooser(self, view: View, people: People, space: MoveSpace[Any]) -> Chooser:
        options = []
        for action in space:
            value = action.card if isinstance(action, Play) else action.by if isinstance(action, Advance) else None
            key = None if value is None else str(value)
            parts = self._parts(action, view, people) if view.phase == "sail" else ()
            options.append(Option(action, self.words(action, view, people), parts, key))
        return Narrowing(options, QUESTIONS if view.phase == "sail" else ())

    def _parts(self, action: Any, view: View, people: People) -> tuple[str, ...]:
        """Answers to QUESTIONS."""
        ship = by = far = ""
        match action:
            case Sail() | Boost() | Fog() | Rush():
                ship = _own(action.ship, people)
            case Swap():
                ship, by = (_ref(ref, people) for ref in action.ships)
            case Back():
                ship = _ref(action.ship, people)
            case Pair():
                first, second = action.moves
                ship, by = (f"{which}: {_ref(stint, people)}" for which, stint in (("first", first), ("then", second)))
                far = f"{first.steps} and {second.steps}"
        match action:
            case Sail() | Boost() | Launch() | FogCard() | Emerge():
                by = card(action.card)
            case Rush():
                by = " ".join(map(str, action.cards))
        if isinstance(action, Sail | Boost | Launch) and action.steps is not UNSET:
            far = how_many(action.steps, "step")
        return _plan(action, view), ship, by, far

    def typed(self, line: str, view: View) -> Any:
        """`sail a0 7`, `sail a0 10 4`, `boost a0 5`, `launch 5`, `fog a0`, `back b1`, `swap a0 b1`, `pair a0 3 b1`,
        `draw`, `ready`, `add 4`, `emerge 5`, `rush a0 5 7`."""
        assert view.seat is not None
        verb, *rest = line.lower().split() or [""]
        ships = [ShipRef("abcd".index(found[1]), int(found[2])) for word in rest if (found := _SHIP.fullmatch(word))]
        numbers = [int(word) for word in rest if _NUMBER.fullmatch(word)]
        if view.phase != "sail" or len(ships) + len(numbers) != len(rest) or any(ref is None for ref in ships):
            return None
        own = [ref.ship for ref in ships if ref.seat == view.seat]
        if any(n > ODIN + BOOST for n in numbers) or (numbers and verb != "pair" and numbers[0] > ODIN):
            return None
        far = numbers[1] if len(numbers) == 2 else UNSET
        match verb, len(ships), len(numbers):
            case "sail" | "boost" as verb, 1, 1 | 2 if own:
                return (Sail if verb == "sail" else Boost)(own[0], numbers[0], far)
            case "launch", 0, 1 | 2:
                return Launch(numbers[0], far)
            case "fog", 1, 0 if own:
                return Fog(own[0])
            case "back", 1, 0:
                return Back(ships[0])
            case "swap", 2, 0:
                return Swap((ships[0], ships[1]))
            case "pair", 2, 1 if numbers[0] < 7:
                one, other = ships
                first = Stint(one.seat, one.ship, numbers[0])
                return Pair((first, Stint(other.seat, other.ship, 7 - numbers[0])))
            case ("draw", 0, 0):
                return Draw()
            case ("ready", 0, 0):
                return ReadyShip()
            case "add", 0, 1:
                return FogCard(numbers[0])
            case "emerge", 0, 1:
                return Emerge(numbers[0])
            case "rush", 1, n if own and n and max(numbers) <= ODIN and n <= 7:
                return Rush(own[0], tuple(numbers))
        return None


def _plan(action: Any, view: View) -> str:
    """What an action is called, before its ships and cards. Drawing is called by what is drawn (D2.4, D4.3)."""
    if not isinstance(action, Draw) or view.seat is None:
        return PLANS[type(action)]
    if (room := MOST_CARDS - view.seats[view.seat].hand_size) <= 0:
        return "pass: your hand is full, so you draw nothing"
    return ("pass: no card is left to draw", "pass: draw a card", PLANS[Draw])[
        min(2, room, view.central_size + len(view.discard))
    ]


def _ships(seat: SeatView) -> list[str]:
    told = []
    for ship in seat.ships:
        if ship.rank is not None:
            where = ship.at if ship.cell is None else f"cell {ship.cell}"
            way = "" if ship.way_home is None else f", {_far(ship.way_home)}"
            told.append(f"{letter(seat.seat)}{ship.ship} {where}{way}: {said(seat.cargo[ship.rank - 1])}")
    if seat.fog is not None:
        told.append(f"{letter(seat.seat)}? fog of {how_many(seat.fog.cards, 'card')}")
    reserve = sum(ship.at == "reserve" for ship in seat.ships)
    return [*told, f"{reserve} in reserve"] if reserve else told


def _far(steps: int) -> str:
    """The way home, which from the fjord is a step more than the coast has cells (D3.2)."""
    return f"{'once round' if steps > CELLS else 'home'} in {steps}"


def _own(ship: int, people: People) -> str:
    return _ref(ShipRef(people.me, ship), people)


def _ref(ref: ShipRef | Stint, people: People) -> str:
    """A ship as people call it, with what the board and the keyboard call it."""
    key = f"({letter(ref.seat)}{ref.ship})"
    if ref.seat == people.me:
        return f"your {SHIPS[ref.ship]} {key}"
    return f"the {SHIPS[ref.ship]} of {people.name(ref.seat)} {key}"


def _end(view: View, people: People, seat: int, ship: int, steps: int, by: int) -> str:
    """Where a ship would come to, before anything is pushed."""
    there = view.seats[seat].ships[ship]
    if there.way_home is not None and steps >= there.way_home:
        exact = steps == there.way_home or by == ODIN
        return "home" + (", with a bonus" if exact and seat == people.me else "")
    start: int = view.seats[seat].fjord - 1 if there.cell is None else there.cell
    return _there(view, people, (start + steps) % CELLS)


def _there(view: View, people: People, cell: int) -> str:
    town = next((f", town {town.town}" for town in view.towns if town.cell == cell), "")
    ships = [
        f", where {_ref(ShipRef(seat.seat, ship.ship), people)} is"
        for seat in view.seats
        for ship in seat.ships
        if ship.cell == cell
    ]
    return f"to cell {cell}{town}{''.join(ships)}"
