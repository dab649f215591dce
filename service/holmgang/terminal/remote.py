"""A table on a server, reached through the client package."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import httpx
import msgspec

from holmgang import Belied, Client, Unreachable, problems, registry
from holmgang.client._turn import due
from holmgang.engine.errors import Fault
from holmgang.engine.messages import Said
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Over, Seat

from .table import HOUSE_EVENTS, Lost, Moment, People, Refused, TooLate, distinct, printable

if TYPE_CHECKING:
    from holmgang.answers import Game, Turn

    from .companions import Companions

WAIT = 50
FREE = "free seat"
OUT_OF_STEP = (
    problems.StaleTurn,
    problems.NotAwaited,
    problems.AlreadySubmitted,
    problems.GameNotActive,
    problems.GameArchived,
)


@contextlib.contextmanager
def reaching(client: Client) -> Iterator[None]:
    """What goes wrong on the way, or at the other end, as Lost with a sentence."""
    try:
        yield
    except Unreachable as fault:
        raise Lost(printable(str(fault))) from None
    except httpx.TransportError as fault:
        raise Lost(f"No service answers at {client.url} ({printable(str(fault)) or type(fault).__name__}).") from None
    except problems.Problem as problem:
        fields = "".join(f" {entry['pointer']}: {entry['detail']}" for entry in problem.errors)
        raise Lost(printable(f"{problem.title}: {problem.detail}{fields}")) from None


def come_by(client: Client, game: str, bots: Sequence[str] = ()) -> str:
    """The command that leads to a game, with bots of one's own."""
    with_bots = f" \\\n    --bots {','.join(bots)}" if bots else ""
    return f"  holmgang play --url {client.url} \\\n    --game {game}{with_bots}"


def verdict(client: Client, game: str) -> str:
    """Whether a finished game's record is what was seen and given here, in a sentence; the notes are kept if it is not.
    Raises Lost with that.
    """
    try:
        with reaching(client):
            found = client.verify(game)
    except Belied as fault:
        kept = f" What you gave is kept in {client.notes.folder}." if client.notes.folder else ""
        raise Lost(printable(f"Do not trust this server: {fault}{kept}")) from None
    client.notes.forget(game)
    if not found.compared:
        return ""
    noted = " and ".join(filter(None, [", ".join(found.compared[:-1]), found.compared[-1]]))
    again = ", and it was played again by the rules" if found.replayed else ""
    return f"The game's record agrees with what was noted here ({noted}){again}."


def rules_of(game: Game) -> AnyRules:
    """The rules that a game is played by. Raises Lost where this version of the program does not know them."""
    try:
        return registry.find(game["ruleset"], game["ruleset_version"])
    except registry.UnknownRuleset:
        raise Lost(
            f"The game is played by {printable(game['ruleset'])} {printable(game['ruleset_version'])}, which this"
            " version of holmgang does not know. Bring it up to date."
        ) from None


def clock_waits(game: Game, me: Seat) -> bool:
    """Whether a deadline stops the clock: nobody else is there who would be kept waiting."""
    others = [seat for seat in game["seats"] if seat["seat"] != me]
    nobody = all(seat["bot"] or seat["absent_since"] or seat["resigned_at"] for seat in others)
    return nobody and game["clock"] == "waits" and game["absence"] != "forfeit"


def clocks(turn: Turn) -> tuple[float | None, tuple[float, ...]]:
    """How many seconds one has left to choose, and how many each seat has in its bank; nothing without banks."""
    now, until = datetime.fromisoformat(turn["server_time"]), due(turn)
    banks = tuple(
        clock["bank_ms"] / 1000 - _run(clock["since"], now)
        for clock in turn.get("clocks") or ()
        if clock["bank_ms"] is not None
    )
    left = None if until is None else max(0.0, (datetime.fromisoformat(until) - now).total_seconds())
    return left, tuple(max(0.0, bank) for bank in banks)


def _run(since: str | None, now: datetime) -> float:
    return 0.0 if since is None else max(0.0, (now - datetime.fromisoformat(since)).total_seconds())


class RemoteTable:
    """A game of the player whose token the client has. Coming to it ends an absence, and revives what was archived."""

    slow = True

    def __init__(self, client: Client, game: str, companions: Companions) -> None:
        """`companions` leave the table together with oneself."""
        self.client = client
        self.companions = companions
        self.id = game
        self.seen = 0
        with reaching(client):
            me = client.me()["player"]["id"]
            self.game = client.game(game)
            seat = next((s for s in self.game["seats"] if s["player"] == me), None)
            if seat is None:
                raise Lost("You have no seat in that game.")
            gone = seat["absent_since"] is not None or self.game["status"] == "archived"
            if gone and seat["resigned_at"] is None:
                self.game = client.return_to_seat(game, seat["seat"])["game"]
        self.me = seat["seat"]
        self.rules = rules_of(self.game)
        without = ", without your bots" if companions.names else ""
        self.farewell = f"The game goes on{without}. To come back:\n{come_by(client, game, companions.names)}"
        companions.begin(game)

    @property
    def people(self) -> People:
        return People(distinct([s["bot"] or s["name"] or FREE for s in self.game["seats"]]), self.me)

    def now(self) -> Moment:
        return self._moment(None)

    def _moment(self, wait: int | None) -> Moment:
        with reaching(self.client):
            turn = self.client.turn(self.id, include="view", wait=wait)
            timed = turn["yours"] and turn["deadline"] is not None  # by then others may be away, or back
            if timed or self.game["status"] == "open" or turn["status"] != self.game["status"]:
                self.game = self.client.game(self.id)
        try:
            view = msgspec.convert(turn["view"], self.rules.view_type) if turn.get("view") else None
        except msgspec.ValidationError as fault:
            raise Lost(f"The service shows the table in a way that this program cannot read: {fault}") from None
        return Moment(
            turn["status"],
            view,
            turn["turn"],
            turn["kind"],
            turn["yours"],
            tuple(turn["awaited"]),
            due(turn),
            self._result(),
            clock_waits(self.game, self.me),
            *clocks(turn),
        )

    def _result(self) -> Over | None:
        found = self.game["result"]
        if found is None:
            return None
        return Over(tuple(found["scores"]), tuple(map(tuple, found["ranking"])), found["reason"])

    def news(self) -> list[str]:
        told: list[str] = []
        with reaching(self.client):
            for event in self.client.events(self.id, after=self.seen, limit=200):
                self.seen = event["seq"]
                told += self._told(event["payload"])
        return told

    def _told(self, event: dict[str, Any]) -> list[str]:
        if event["type"] in HOUSE_EVENTS:
            return [HOUSE_EVENTS[event["type"]]]
        try:
            effect = msgspec.convert(event, self.rules.effect_type)
        except msgspec.ValidationError:
            return []  # the service's own: seats taken, choices sealed, kinds of a later version
        return [self.people.named(self.rules.tell(effect))]

    def choose(self, moment: Moment, action: Any) -> None:
        with reaching(self.client):
            try:
                self.client.submit(self.id, moment.turn, msgspec.to_builtins(action))
            except problems.IllegalAction as problem:
                told = Said("{told}", {"told": printable(problem.detail)})
                raise Refused(Fault(problem.rule or "", told)) from None
            except OUT_OF_STEP as problem:
                raise TooLate(printable(problem.detail)) from None

    def wait(self, moment: Moment) -> None:
        self._moment(WAIT)

    def resign(self) -> None:
        with reaching(self.client):
            try:
                self.client.resign(self.id)
            except (problems.GameNotActive, problems.GameArchived) as problem:
                raise TooLate(printable(problem.detail)) from None

    def verdict(self) -> str:
        self.farewell = "The game is over."
        told = verdict(self.client, self.id)
        self.companions.verify(self.id)
        return told

    def close(self) -> None:
        self.companions.close()
        self.client.close()
