"""What one player can do, told in texts for a model."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any, Literal, cast

import anyio.to_thread
import msgspec

from holmgang import AsyncClient, Status
from holmgang.engine.rules import AnyRules
from holmgang.terminal.table import HOUSE_EVENTS

from .choices import Choices
from .refusals import ANEW, Refusal
from .sight import Sight, rules_of
from .words import LIMIT, NAME_IN_LIST, filled, plain, quoted

if TYPE_CHECKING:
    from holmgang.answers import Event, Game, Ruleset

WAIT = 45
"""Seconds that `wait` takes at most: clients give up on a tool after 60."""
GAMES = 6
"""Of one kind, at most, in a list."""
RECENT = 25
"""Events that are told where no other number is given."""
ROOM = LIMIT - 600
"""Characters of a list, which leaves some for what is said below it."""
MINE: tuple[Status, ...] = ("active", "open", "archived")


class Player:
    """Raises Refusal, and what the client raises; `refusals.told` has words for both."""

    def __init__(
        self, client: AsyncClient, ident: str | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`ident` is the player's id, if it is known."""
        self.client = client
        self._id = ident
        self._clock = clock

    async def id(self) -> str:
        if self._id is None:
            self._id = (await self.client.me())["player"]["id"]
        return self._id

    async def _sight(self, game: str) -> Sight:
        turn = await self.client.turn(game, include="view")
        return Sight(await self.client.game(game), turn)

    # To come to a game

    async def find_games(self) -> str:
        me = await self.id()
        waiting = [turn["game"] for turn in (await self.client.waiting_turns())["items"]]
        mine = {status: await _first(GAMES, self.client.my_games(status=status, limit=GAMES)) for status in MINE}
        free = await _first(GAMES, self.client.games(status="open", open_seats=True, limit=GAMES))
        others = f" and {len(waiting) - GAMES} more" if len(waiting) > GAMES else ""
        told = [f"Your turn: {', '.join(waiting[:GAMES]) or 'in no game'}{others}"]
        for status, games in mine.items():
            told += [f"Yours, {status}:", *map(_game_told, games)] if games else []
        theirs = [game for game in free if all(seat["player"] != me for seat in game["seats"])]
        told += ["Open, with seats to take by `sit_down`:", *map(_game_told, theirs)] if theirs else []
        return "\n".join([*told, f"No more than {GAMES} of a kind are listed. `new_game` makes another one."])

    async def new_game(
        self, ruleset: str, seats: int | None, opponents: str, options: dict[str, Any] | None, turn_seconds: int | None
    ) -> str:
        found = await self.client.ruleset(ruleset)
        counts = found["seat_counts"]
        seats = min(counts) if seats is None else seats
        if seats not in counts:
            raise Refusal(f"{found['title']} takes {' or '.join(map(str, counts))} seats.")
        if opponents not in ("people", *found["bots"]):
            raise Refusal(f"`opponents` of {found['title']} are one of: people, {', '.join(found['bots'])}.")
        game = (await self.client.create_game(ruleset, seats, options=options, turn_seconds=turn_seconds))["id"]
        if opponents != "people":
            for _ in range(seats - 1):
                await self.client.seat_bot(game, cast("Literal['greedy']", opponents))
        return (await self._sight(game)).table()

    async def sit_down(self, game: str, seat: int | None, invitation: str | None) -> str:
        facts = await self.client.game(game, invitation=invitation)
        me = await self.id()
        mine = next((each for each in facts["seats"] if each["player"] == me), None)
        if mine is None:
            await self.client.take_seat(game, seat=seat, invitation=invitation)
        elif mine["resigned_at"] is None and (mine["absent_since"] or facts["status"] == "archived"):
            await self.client.return_to_seat(game, mine["seat"])
        return (await self._sight(game)).table()

    async def rules(self, ruleset: str | None, section: str | None) -> str:
        if ruleset is None:
            heads = [head async for head in self.client.rulesets()]
            return "\n".join(
                f"{head['ruleset']}: {head['title']}, {' or '.join(map(str, head['seat_counts']))} seats,"
                f" bots {', '.join(head['bots'])}"
                for head in heads
            )
        found = await self.client.ruleset(ruleset)
        return plain(_options(found) if section == "options" else _rules(found, section))

    # To play

    async def look(self, game: str) -> str:
        sight = await self._sight(game)
        return sight.table() + (await self._verdict(game) if sight.turn["status"] == "over" else "")

    async def _verdict(self, game: str) -> str:
        """Whether the game's record is what was noted, the first time that it is asked after the end. Raises Belied."""
        if self.client.notes.of(game).seat is None:
            return ""
        found = await self.client.verify(game)
        self.client.notes.forget(game)
        return "\nThe game's record agrees with what was noted of it here." if found.compared else ""

    async def legal(self, game: str, start: int, words: str) -> str:
        sight = await self._sight(game)
        if not sight.turn["yours"]:
            return sight.standing()
        return await anyio.to_thread.run_sync(lambda: Choices(sight).text(start, words))

    async def dry_run(self, game: str, turn: int, action: Any) -> str:
        choice = await self._choice(game, turn, action)
        await self.client.check(game, turn, choice)
        return f"It would be taken: {json.dumps(choice)}. Nothing has happened yet."

    async def move(self, game: str, turn: int, action: Any) -> str:
        choice = await self._choice(game, turn, action)
        receipt = await self.client.submit(game, turn, choice)
        taken = f"Taken for turn {turn}: {json.dumps(receipt['action'])}."
        return f"{taken}\n{(await self._sight(game)).standing()}"

    async def _choice(self, game: str, turn: int, action: Any) -> dict[str, Any]:
        """The action as the service reads it. What is no action and no number of one is refused before it is sent."""
        if isinstance(action, str) and action.strip().isdecimal() and len(action) < 10:
            action = int(action)
        if isinstance(action, dict):
            return action
        if not isinstance(action, int) or isinstance(action, bool):
            raise Refusal(
                "`action` is the number of a choice that `legal` lists, or a JSON object in the form of its example:"
                " words are not read."
            )
        sight = await self._sight(game)
        if sight.turn["turn"] != turn or not sight.turn["yours"]:
            raise Refusal(f"Turn {turn} asks nothing of you. {sight.standing()}\n{ANEW}")
        choice: dict[str, Any] = await anyio.to_thread.run_sync(lambda: Choices(sight).take(action))
        return choice

    async def wait(self, game: str, seconds: int) -> str:
        """Until the turn is the player's or the game is over, but no longer than WAIT."""
        until = self._clock() + min(max(seconds, 1), WAIT)
        turn = await self.client.turn(game)
        while not turn["yours"] and turn["status"] in ("open", "active"):
            if (left := int(until - self._clock())) < 1:
                return f"Nothing is asked of you yet. {(await self._sight(game)).standing()} Call `wait` again."
            turn = await self.client.turn(game, wait=left)
        return (await self._sight(game)).standing()

    async def news(self, game: str, after: int | None) -> str:
        facts = await self.client.game(game)
        start = max(0, facts["version"] - RECENT if after is None else after)
        rules = rules_of(facts)
        told: list[str] = []
        last, room = start, ROOM
        async for event in self.client.events(game, after=start, limit=50):
            line = f"{event['seq']} (turn {event['turn']}): {plain(_event(event, rules), 400)}"
            room -= len(line) + 1
            if room < 0:
                return "\n".join([*told, f"There is more: `news` with after={last}."])
            told.append(line)
            last = event["seq"]
        return "\n".join([*(told or ["Nothing."]), f"That is all so far. Ask for the rest by after={last}."])

    async def resign(self, game: str) -> str:
        facts = await self.client.game(game)
        if facts["status"] != "open":
            await self.client.resign(game)
            return f"You have given the game up.\n{(await self._sight(game)).standing()}"
        me = await self.id()
        for seat in facts["seats"]:
            if seat["player"] == me:
                await self.client.leave_seat(game, seat["seat"])
                return "The game had not begun: you have left your seat."
        raise Refusal("You have no seat in that game.")


async def _first(count: int, games: AsyncIterator[Game]) -> list[Game]:
    found: list[Game] = []
    async for game in games:
        found.append(game)
        if len(found) == count:
            break
    return found


def _game_told(game: Game) -> str:
    people = [quoted(seat["name"] or "", NAME_IN_LIST) for seat in game["seats"] if seat["player"] and not seat["bot"]]
    taken = sum(bool(seat["player"] or seat["bot"]) for seat in game["seats"])
    at = f"turn {game['turn']}" if game["started_at"] else f"{taken} of {len(game['seats'])} seats taken"
    return f"- {game['id']}: {game['ruleset']}, {at}, players {', '.join(people) or 'none'}"


def _rules(found: Ruleset, section: str | None) -> str:
    rules = found["rules"]
    if section is None:
        heads = [f"{rule['id']}: {rule['text'].split('. ')[0]}" for rule in rules if "." not in rule["id"]]
        title = f"Sections of {found['title']}; ask for each by `section`:"
        return "\n".join([title, *heads, "options: of a new game"])
    asked = section.strip().upper()
    chosen = [rule for rule in rules if rule["id"] == asked or rule["id"].startswith(f"{asked}.")]
    if not chosen:
        tops = ", ".join(rule["id"] for rule in rules if "." not in rule["id"])
        raise Refusal(f"There is no section {section[:20]!r}. There are {tops}, and options.")
    lines, more = filled((f"{rule['id']} {rule['text']}" for rule in chosen), ROOM)
    if more:
        lines.append("More, each to ask for as `section`: " + ", ".join(r["id"] for r in chosen[len(lines) :]))
    return "\n".join(lines)


def _options(found: Ruleset) -> str:
    return json.dumps(found["options_schema"].get("properties", {}), ensure_ascii=False)


def _event(event: Event, rules: AnyRules | None) -> str:
    """A sentence with seats. Of what is not the game's own, nothing that anybody could have written is told."""
    payload = event["payload"]
    kind = str(payload["type"])
    if kind in HOUSE_EVENTS:
        return HOUSE_EVENTS[kind]
    if rules is not None:
        try:
            return rules.tell(msgspec.convert(payload, rules.effect_type))
        except msgspec.ValidationError:
            pass  # the service's own
    seat = payload.get("seat")
    return f"{kind.replace('_', ' ')}{f': seat {seat}' if isinstance(seat, int) else ''}"
