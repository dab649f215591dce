"""Clients that race: several hands at every seat, eyes on every game, and nobody who gives up.

Each is a thread with a connection of its own. Whatever it asks and is told goes into the history.
"""

from __future__ import annotations

import random
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.histories.history import GONE, Call, History

WAIT, TIMEOUT = 10, 40.0
PAGE = 50
"""Events of a page."""
HANDS = 2
ABSENCES = ("default", "bot:random", "forfeit")
KINDS = (("claim", 2), ("drakkars", 3), ("eketorp", 3), ("claim", 4))


@dataclass
class Match:
    """A game and the tokens of its seats."""

    game: str
    tokens: list[str]
    over: threading.Event = field(default_factory=threading.Event)
    away: dict[int, float] = field(default_factory=dict)
    """Until when nobody is at a seat."""


class Racer:
    """A connection that keeps its history. Only calls that may be made again are; so all of them are."""

    def __init__(self, url: str, history: History, stop: threading.Event, token: str | None = None) -> None:
        self.http = httpx.Client(base_url=url, timeout=TIMEOUT)
        self.history, self.stop, self.token = history, stop, token

    def ask(
        self,
        what: str,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: str = "",
        known: str | None = None,
        key: str | None = None,
        game: str | None = None,
        seat: int | None = None,
        waits: int = 0,
    ) -> tuple[Call, Any]:
        """The first answer that is one, and its body: no answer and what may be asked again are asked again."""
        headers = {} if self.token is None else {"Authorization": f"Bearer {self.token}"}
        headers |= {} if known is None else {"If-None-Match": known}
        headers |= {} if key is None else {"Idempotency-Key": key}
        address = f"{path}?{query}" if query else path
        wait = f"{'&' if query else '?'}wait={waits}" if waits else ""
        while True:
            began = time.monotonic()
            try:
                answer = self.http.request(method, address + wait, json=body, headers=headers)
            except httpx.TransportError:
                answer = None
            told = None if answer is None or answer.status_code == 304 else answer.json()
            call = Call(
                who=self.token or "nobody",
                what=what,
                address=address,
                began=began,
                ended=time.monotonic(),
                status=GONE if answer is None else answer.status_code,
                game=game,
                seat=seat,
                known=known,
                tag=None if answer is None else answer.headers.get("ETag"),
                key=key,
                waits=waits,
                sent=body,
                facts=_facts(what, told),
            )
            self.history.add(call)
            again = answer is None or (answer.status_code >= 400 and (told or {})["retryable"])
            if not again or self.stop.is_set():
                return call, told
            self.stop.wait(0.2 if answer is None else min(float(answer.headers.get("Retry-After", "1")), 2.0))


def _facts(what: str, told: Any) -> dict[str, Any]:
    """What the laws look at."""
    if told is None:
        return {}
    if "code" in told:
        found = {"code": told["code"], "retryable": told["retryable"]}
        return found | ({"current_turn": told["current_turn"]} if told.get("current_turn") else {})
    if what == "inbox":
        return {"turns": [(each["game"], each["turn"]) for each in told["items"]]}
    if what == "feed":
        last = {"last": told["items"][-1]["seq"]} if told["items"] else {}
        return last | ({"version": last["last"]} if last and len(told["items"]) < PAGE else {})  # a full page goes on
    if what == "create":
        return {"id": told["id"]}
    if what == "sit":
        return {"seat": told["seat"]}
    if what == "view":
        return {"turn": told["turn"], "status": told["phase"]}
    if told.get("dry_run"):
        return {"dry_run": True}
    names = ("id", "turn", "status", "yours", "version", "revision", "state", "action")
    return {name: told[name] for name in names if name in told}


def register(url: str, name: str) -> str:
    """A new player's token. Registering may not be repeated, so it is asked until it is answered."""
    while True:
        try:
            answer = httpx.post(f"{url}/v1/players", json={"name": name}, timeout=TIMEOUT)
        except httpx.TransportError:
            continue
        if answer.status_code == 201:
            return str(answer.json()["token"])
        assert answer.json()["retryable"], answer.text


def new_match(url: str, history: History, stop: threading.Event, number: int, rng: random.Random) -> Match | None:
    """A game that three make at once under one key, and whose seats more people race for than there are."""
    ruleset, seats = KINDS[number % len(KINDS)]
    tokens = [register(url, f"racer {n}") for n in range(seats + 1)]
    racers = [Racer(url, history, stop, token) for token in tokens]
    key = str(uuid.uuid4())
    body: dict[str, Any] = {"ruleset": ruleset, "seats": seats, "join": False}
    if number % 2:
        body |= {"turn_seconds": 10, "absence": rng.choice(ABSENCES)}
    with ThreadPoolExecutor(seats + 1) as hands:
        creators = [Racer(url, history, stop, tokens[0]) for _ in range(3)]
        made = list(hands.map(lambda each: each.ask("create", "POST", "/v1/games", body, key=key), creators))
        found = {call.facts["id"] for call, _ in made if call.taken}
        if not found:
            return None
        game = found.pop()

        def sit(racer: Racer) -> int | None:
            mine: dict[str, Any] = {"key": str(uuid.uuid4()), "game": game}
            call, _ = racer.ask("sit", "POST", f"/v1/games/{game}/seats", {}, **mine)
            return call.facts["seat"] if call.taken else None

        taken = {seat: token for seat, token in zip(hands.map(sit, racers), tokens, strict=True) if seat is not None}
    if sorted(taken) != list(range(seats)):
        return None  # told to stop in the middle
    return Match(game, [taken[seat] for seat in range(seats)])


class Hand(threading.Thread):
    """One of several that play a seat at the same time, each with choices of its own."""

    def __init__(self, url: str, history: History, stop: threading.Event, match: Match, seat: int, seed: str) -> None:
        super().__init__(daemon=True, name=f"hand at seat {seat} of {match.game}")
        self.racer = Racer(url, history, stop, match.tokens[seat])
        self.match, self.seat, self.rng = match, seat, random.Random(seed)
        self.about: dict[str, Any] = {"game": match.game, "seat": seat}
        self.path = f"/v1/games/{match.game}"
        self.fault: BaseException | None = None

    def run(self) -> None:
        try:
            self._play()
        except BaseException as fault:
            self.fault = fault
            raise

    def _play(self) -> None:
        known: str | None = None
        turn: dict[str, Any] = {}
        while not self.racer.stop.is_set() and not self.match.over.is_set():
            self._be_away()
            waits = self.rng.choice((0, WAIT, WAIT, WAIT))
            call, told = self.racer.ask("turn", "GET", f"{self.path}/turn", known=known, waits=waits, **self.about)
            if call.status == 200:
                known, turn = call.tag, told
            if turn.get("status") == "over":
                self.match.over.set()
            elif turn.get("yours"):
                self._choose(turn)
            elif turn.get("submission") and turn.get("sealed"):
                self._change(turn)
            if not waits:
                self.racer.stop.wait(self.rng.uniform(0, 0.3))

    def _be_away(self) -> None:
        """With all hands of the seat, now and then; some of them say when they are back, some just choose."""
        if self.rng.random() < 0.005:
            self.match.away[self.seat] = time.monotonic() + self.rng.uniform(5, 25)
        if (left := self.match.away.get(self.seat, 0.0) - time.monotonic()) > 0:
            self.racer.stop.wait(left)
            if self.rng.random() < 0.5:
                self._ask("return", "POST", f"/seats/{self.seat}/return", {}, key=str(uuid.uuid4()))

    def _choose(self, turn: dict[str, Any]) -> None:
        if self.rng.random() < 0.003:
            self._ask("resign", "POST", "/resignations", {}, key=str(uuid.uuid4()))
            return
        if self.rng.random() < 0.02:
            self.racer.stop.wait(self.rng.uniform(5, 15))  # long enough to be late where the clock runs
        body = {"turn": turn["turn"], "action": self._action(turn["legal"])}
        if self.rng.random() < 0.1:
            self._ask("submit", "POST", "/submissions", body, query="dry_run=true")
        key = str(uuid.uuid4()) if self.rng.random() < 0.3 else None
        call, told = self._ask("submit", "POST", "/submissions", body, key=key)
        if call.taken and self.rng.random() < 0.2:
            self._ask("submit", "POST", "/submissions", body, key=key)
        if call.taken and told["state"] == "sealed" and self.rng.random() < 0.5:
            self._replace(told, self._action(turn["legal"]))

    def _change(self, turn: dict[str, Any]) -> None:
        """Replace what this hand, or another one of the seat, has sealed."""
        if self.rng.random() < 0.3:
            call, told = self._ask("receipt", "GET", f"/submissions/{turn['submission']}")
            if call.taken:
                self._replace(told, told["action"])

    def _replace(self, receipt: dict[str, Any], action: Any) -> None:
        body = {"turn": receipt["turn"], "revision": receipt["revision"], "action": action}
        self._ask("replace", "PUT", f"/submissions/{receipt['id']}", body)

    def _action(self, legal: dict[str, Any]) -> Any:
        return self.rng.choice(legal["actions"]) if "actions" in legal else legal["sample"]

    def _ask(self, what: str, method: str, path: str, body: Any = None, **more: Any) -> tuple[Call, Any]:
        return self.racer.ask(what, method, f"{self.path}{path}", body, **self.about, **more)


class Eye(threading.Thread):
    """Looks on without a pause: at a seat's view, the feed, or the summary of a game, or at a player's inbox."""

    def __init__(
        self, url: str, history: History, stop: threading.Event, match: Match, what: str, seat: int | None
    ) -> None:
        super().__init__(daemon=True, name=f"{what} of {match.game}")
        self.racer = Racer(url, history, stop, None if seat is None else match.tokens[seat])
        self.match, self.what, self.seat = match, what, seat
        self.fault: BaseException | None = None

    def run(self) -> None:
        try:
            self._look()
        except BaseException as fault:
            self.fault = fault
            raise

    def _look(self) -> None:
        paths = {"view": "/view", "feed": "/events", "game": ""}
        path = "/v1/me/turns" if self.what == "inbox" else f"/v1/games/{self.match.game}{paths[self.what]}"
        about: dict[str, Any] = {"seat": self.seat}
        if self.what != "inbox":
            about["game"] = self.match.game
        known, after = None, 0
        while not self.racer.stop.is_set() and not self.match.over.is_set():
            waits = 0 if self.what == "game" else WAIT
            query = f"after={after}" if self.what == "feed" else ""
            call, _ = self.racer.ask(self.what, "GET", path, query=query, known=known, waits=waits, **about)
            if call.status == 200 and self.what == "feed":
                after = call.facts.get("last", after)
            elif call.status == 200:
                known = call.tag
            if self.what == "game":
                self.racer.stop.wait(0.5)


def at_table(url: str, history: History, stop: threading.Event, match: Match) -> list[Hand | Eye]:
    """All who play a game and look at it."""
    seats = range(len(match.tokens))
    hands = [Hand(url, history, stop, match, s, f"{match.game} {s} {n}") for s in seats for n in range(HANDS)]
    views = [Eye(url, history, stop, match, "view", seat) for seat in (*seats, None)]
    others = [Eye(url, history, stop, match, what, seat) for what, seat in (("feed", None), ("game", None))]
    return [*hands, *views, *others, *(Eye(url, history, stop, match, "inbox", seat) for seat in seats)]
