"""A game as one player sees it at one moment, in words. Players are seats in all sentences: names are told once."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from holmgang import registry
from holmgang.client._turn import due
from holmgang.engine.rules import AnyRules
from holmgang.terminal.face import Face
from holmgang.terminal.plain import PlainFace
from holmgang.terminal.table import NOBODY, People

from .words import plain, quoted

if TYPE_CHECKING:
    from holmgang.answers import Game, Seat, Turn

BOARD = 4200
"""Characters of a board."""


def rules_of(game: Game) -> AnyRules | None:
    """The rules of a game, where this version of the program has them."""
    try:
        return registry.find(game["ruleset"], game["ruleset_version"])
    except registry.UnknownRuleset:
        return None


def seats_told(seats: list[int], me: int | None) -> str:
    return " and ".join(f"seat {seat}{' (you)' if seat == me else ''}" for seat in seats) or "nobody"


@dataclass(frozen=True)
class Sight:
    game: Game
    turn: Turn

    @cached_property
    def rules(self) -> AnyRules | None:
        return rules_of(self.game)

    @property
    def me(self) -> int:
        return NOBODY if self.turn["seat"] is None else self.turn["seat"]

    @cached_property
    def view(self) -> Any:
        """Of the rules' type; JSON where there are no rules, None before the game begins."""
        view = self.turn.get("view")
        if view is None or self.rules is None:
            return view
        return msgspec.convert(view, self.rules.view_type)

    @cached_property
    def face(self) -> Face | None:
        if self.rules is None:
            return None
        try:
            face: Face | None = registry.game(self.game["ruleset"]).face
        except Exception:  # a game's own, that cannot be loaded: its plain one tells the same
            face = None
        return face or PlainFace(self.rules)

    @property
    def people(self) -> People:
        return People(tuple(f"seat {seat['seat']}" for seat in self.game["seats"]), self.me)

    def standing(self) -> str:
        """What the game waits for, and what to do."""
        turn, kind = self.turn, str(self.turn["kind"]).replace("_", " ")
        match turn["status"]:
            case "open":
                free = sum(seat["player"] is None and seat["bot"] is None for seat in self.game["seats"])
                return f"The game has not begun: {free} of {len(self.game['seats'])} seats are free. `wait` for others."
            case "archived":
                return "The game is archived, since nobody touched it for long. `sit_down` on your seat brings it back."
            case "over":
                return self._over()
        if turn["yours"]:
            until = due(turn)
            late = f" Due at {until}; it is {turn['server_time']} now." if until else ""
            return f"Turn {turn['turn']} ({kind}) is yours. {self._question()}{late}"
        mine = "Your choice is in. " if self.me in turn["submitted"] else ""
        absent = next((seat for seat in self.game["seats"] if seat["seat"] == self.me), None)
        if absent is not None and absent["resigned_at"]:
            mine = "You have resigned. "
        elif absent is not None and absent["absent_since"]:
            mine = "You missed a deadline and are played for; `sit_down` on your seat ends that. "
        awaited = seats_told(turn["awaited"], self.me)
        return f"{mine}Turn {turn['turn']} ({kind}) waits for {awaited}. Call `wait`."

    def _question(self) -> str:
        if self.face is None or self.view is None:
            return "`legal` tells what you may do."
        rule = self.face.rule_of.get(str(self.turn["kind"]))
        return self.face.question(self.view, self.people) + (f" [rule {rule}]" if rule else "")

    def _over(self) -> str:
        result = self.game["result"]
        if result is None:
            return "The game is over."
        ranking = "; then ".join(seats_told(group, self.me) for group in result["ranking"])
        scores = ", ".join(f"seat {seat}: {score}" for seat, score in enumerate(result["scores"]))
        won = "won" if self.me in result["winners"] else "not won"
        mine = "" if self.me == NOBODY else f" You have {won}."
        why = result["reason"].replace("_", " ")
        return f"The game is over ({why}).{mine} Best first: {ranking}. Scores: {scores}."

    def table(self) -> str:
        """Who plays, the board, and what is asked."""
        told = [f"{self.game['ruleset']} {self.game['id']}", *map(self._seat, self.game["seats"])]
        if self.view is not None:
            told.append(plain(self._board(), BOARD))
        return "\n".join([*told, self.standing()])

    def _board(self) -> str:
        if self.rules is None:
            unknown = f"(This program does not know {self.game['ruleset']} {self.game['ruleset_version']}.)"
            return f"{unknown}\n{json.dumps(self.view, ensure_ascii=False)}"
        return self.rules.render(self.view)

    def _seat(self, seat: Seat) -> str:
        number = seat["seat"]
        partners = [each for side in self.game["teams"] if number in side for each in side if each != number]
        what = "free"
        if seat["bot"]:
            what = f"bot {seat['bot']}"
        elif seat["player"]:
            what = f"player {quoted(seat['name'] or '')}"
        more = [
            "you" if number == self.me else "",
            f"partner of {seats_told(partners, self.me)}" if partners else "",
            "has resigned" if seat["resigned_at"] else "is absent" if seat["absent_since"] else "",
        ]
        return f"seat {number}: {', '.join(filter(None, [what, *more]))}"
