"""Faults of single requests, and a person who plays on through them: a press more, or the page anew, as people do."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

import httpx
from playwright.sync_api import Error, Page, Request, Route

from .person import ASKED, ASKED_OR_OVER, Person
from .test_web_life import Friend

LATE_MS = 5000
SOME_GAME = r"/v1/games/[0-9a-f-]{36}"


def _late(route: Route) -> None:
    page = route.request.frame.page
    page.wait_for_timeout(LATE_MS)
    route.continue_()


def _cut(route: Route) -> None:
    """The service has heard it, and nobody hears the service."""
    route.fetch()
    route.abort("connectionreset")


def _fails(route: Route, status: int, code: str) -> None:
    told = json.dumps({"title": "Not now", "status": status, "code": code})
    route.fulfill(status=status, body=told, content_type="application/problem+json")


WAYS: dict[str, Callable[[Route], None]] = {
    "aborted": lambda route: route.abort(),
    "late": _late,
    "cut": _cut,
    "500": lambda route: _fails(route, 500, "internal_error"),
    "503": lambda route: _fails(route, 503, "unavailable"),
}
LOADING = {
    "the page": ("GET", r"/$"),
    "the style": ("GET", r"/web/\w+/style\.css$"),
    "the script of the page": ("GET", r"/app\.js$"),
    "the script of games": ("GET", r"/play\.js$"),
    "the game's screen": ("GET", r"/games/\w+/screen\.js$"),
    "the game's facts": ("GET", rf"{SOME_GAME}$"),
    "the first turn": ("GET", rf"{SOME_GAME}/turn\?include=view$"),
    "the first picture": ("GET", rf"{SOME_GAME}/board\.svg$"),
}
PLAYING = {
    "the next turn": ("GET", rf"{SOME_GAME}/turn\?.*wait="),
    "events": ("GET", rf"{SOME_GAME}/events\?"),
    "the picture": ("GET", rf"{SOME_GAME}/board\.svg$"),
    "a choice": ("POST", rf"{SOME_GAME}/submissions$"),
    "combats": ("GET", rf"{SOME_GAME}/combats"),
}
CHANGING = {
    "the sealed choice": ("GET", rf"{SOME_GAME}/submissions/"),
    "another choice": ("PUT", rf"{SOME_GAME}/submissions/"),
}
BEGINNING = {
    "a name": ("POST", r"/v1/players$"),
    "the players that there are": ("GET", r"/v1/rulesets"),
    "a game": ("POST", r"/v1/games$"),
    "a seat": ("POST", rf"{SOME_GAME}/seats$"),
}
ENDING = {
    "the record": ("GET", rf"{SOME_GAME}/record$"),
    "the rematch": ("GET", rf"{SOME_GAME}/rematch"),
}
KINDS = {**LOADING, **PLAYING, **CHANGING, **BEGINNING, **ENDING}


@dataclass
class Fault:
    """What befalls one request of a kind, in one of the ways."""

    kind: str
    way: str
    hit: str = ""
    goes_on: bool = False

    @contextmanager
    def armed(self, page: Page) -> Iterator[Fault]:
        """It befalls the next request of that kind, and no other."""
        method, form = KINDS[self.kind]
        found = re.compile(form)

        def befall(route: Route) -> None:
            request = route.request
            if self.hit or request.method != method:
                route.fallback()
            else:
                self.hit = f"{method} {urlsplit(request.url).path}"
                self.goes_on = True
                try:
                    WAYS[self.way](route)
                finally:
                    self.goes_on = False

        page.route(found, befall)
        try:
            yield self
        finally:
            while self.goes_on:  # what is late is still to be let go
                page.wait_for_timeout(LATE_MS / 50)
            page.unroute(found)


def faults(kinds: dict[str, tuple[str, str]], begin: int, each: int = 1) -> list[Fault]:
    """So many faults of each kind; which, goes round."""
    ways = list(WAYS)
    return [
        Fault(kind, ways[(begin + at * each + n) % len(ways)]) for at, kind in enumerate(kinds) for n in range(each)
    ]


NOTHING, FAILED = "main .anew:visible", "main .panel button:text('Try again')"
"""What the page says where its script has not come; and what is to be pressed where it could not be had otherwise."""
TAKEN_OR_TOLD = """turn => {
  const it = document.querySelector('.table');
  const taken = it.dataset.turn !== turn || it.dataset.status === 'over'
    || (it.dataset.yours !== 'true' && !document.querySelector('.choose .go'));
  const told = document.querySelector('.toast') && document.querySelector('.choose .go:enabled');
  return taken ? 'taken' : told ? 'told' : false;
}"""


@dataclass
class Stubborn(Person):
    """Somebody who likes motion, and plays on whatever befalls them; `friends` have the other seats, else bots do."""

    friends: list[Friend] = field(default_factory=list)
    pressed: dict[int, int] = field(default_factory=dict)
    """How often Confirm was pressed, by the turn that the page showed."""
    sent: dict[int, list[Any]] = field(default_factory=dict)
    """The choices that the page has sent, by their turns."""
    resigned: int | None = None

    def __post_init__(self) -> None:
        self.page.add_init_script(
            "try { localStorage.getItem('holmgang.pace') || localStorage.setItem('holmgang.pace', 'fast') } catch {}"
        )
        self.page.on("request", self._note)

    def _note(self, request: Request) -> None:
        if "/submissions" in request.url and request.method in ("POST", "PUT"):
            body = json.loads(request.post_data or "")
            self.sent.setdefault(body["turn"], []).append(body["action"])

    @property
    def game(self) -> str:
        found = re.search(r"#/games/([0-9a-f-]{36})", self.page.url)
        assert found is not None, self.page.url
        return found[1]

    @cached_property
    def beside(self) -> httpx.Client:
        """Calls with the same token, beside the page."""
        me = self.page.evaluate("() => JSON.parse(localStorage.getItem('holmgang.me'))")
        base = "{0.scheme}://{0.netloc}".format(urlsplit(self.page.url))
        return httpx.Client(base_url=base, headers={"Authorization": f"Bearer {me['token']}"}, timeout=30)

    def asks(self, path: str) -> Any:
        answer = self.beside.get(path)
        assert answer.is_success, answer.text
        return answer.json()

    def waits(self) -> bool:
        """Until something is asked, or the game is over: gives whether it goes on. The friends choose meanwhile."""
        while self.friends:
            turn = self.asks(f"/v1/games/{self.game}/turn")
            if turn["yours"] or turn["status"] != "active":
                break
            for friend in self.friends:
                asked = friend.get(f"/v1/games/{self.game}/turn")
                if asked["yours"]:
                    action = asked["legal"].get("sample") or asked["legal"]["actions"][0]
                    friend.post(f"/v1/games/{self.game}/submissions", turn=asked["turn"], action=action)
        self.page.wait_for_selector(ASKED_OR_OVER, state="attached")
        return self.page.locator(".result").count() == 0

    def begins(self, url: str, ruleset: str) -> None:
        """With bots, from the lobby; with a press more, where the page says that it did not work."""
        page = self.page
        page.goto(url)
        for _ in range(3):
            page.locator(f"[data-play={ruleset}]").click()
            page.wait_for_selector(f"{ASKED}, .toast, {FAILED}", state="attached")
            if page.locator(FAILED).count():
                page.locator(FAILED).first.click()
            if page.locator(".toast").count() == 0:
                page.wait_for_selector(ASKED, state="attached")
                return
            page.locator(".toast button").first.click()
        raise AssertionError("no game came of it")

    def opens(self) -> None:
        """The page once more, and once again where it cannot be had."""
        page, address = self.page, self.page.url
        for _ in range(3):
            try:
                if page.url == address:
                    page.reload()
                else:
                    page.goto(address)
            except Error:
                page.wait_for_url("chrome-error://**")  # the browser's own page says so
                continue
            if page.locator("#main").count() == 0:
                continue  # what stands between has answered
            page.wait_for_selector(f"{ASKED_OR_OVER}, {NOTHING}, {FAILED}", state="attached")
            if page.locator(NOTHING).count():
                continue
            if page.locator(FAILED).count():
                page.locator(FAILED).click()
                page.wait_for_selector(ASKED_OR_OVER, state="attached")
            return
        raise AssertionError("there is no page")

    def confirms(self) -> None:
        """Confirm, and once more where the page says that it did not work."""
        page = self.page
        turn = page.locator(".table").get_attribute("data-turn") or ""
        for _ in range(3):
            self.pressed[int(turn)] = self.pressed.get(int(turn), 0) + 1
            page.locator(".choose .go:enabled").click()
            came = page.wait_for_function(TAKEN_OR_TOLD, arg=turn).json_value()
            if came == "taken":
                return
            page.locator(".toast button").first.click()
        raise AssertionError("the choice was never taken")

    def changes(self, rng: random.Random) -> None:
        """A choice, and where it is sealed, another one."""
        self.chooses(rng)
        change = self.page.locator(".choose").get_by_role("button", name="Change it")
        if change.count():
            change.click()
            self.chooses(rng)

    def gives_up(self) -> None:
        """By the API: the page hears of it as of anything else."""
        self.page.locator(".feed ~ .pace select").select_option("off")  # bots may have to play it to its end
        turn = self.asks(f"/v1/games/{self.game}/turn")
        self.resigned = turn["turn"]
        for one in (self.beside, *(friend.http for friend in self.friends)):
            assert one.post(f"/v1/games/{self.game}/resignations", json={}).status_code in (200, 201, 204, 409)

    def plays_through(self, rng: random.Random, queue: list[Fault], *, whole: bool) -> None:
        """To the end, with one fault after another; if not the `whole` game, it ends when there are no more."""
        while self.waits():
            if not queue:
                if not whole and self.resigned is None:
                    self.gives_up()
                    self.page.wait_for_selector(".table[data-status=over] .result")
                else:
                    self.chooses(rng)
                continue
            fault = queue.pop(0)
            with fault.armed(self.page):
                if fault.kind in LOADING:
                    self.opens()
                elif fault.kind in CHANGING:
                    self.changes(rng)
                else:
                    self.chooses(rng)
                self.waits()
            if not fault.hit:
                queue.append(fault)  # there was no such request this time

    def keeps_its_word(self) -> None:
        """The game's log has each choice that was confirmed, once, and no other; and the page did not complain."""
        game = self.asks(f"/v1/games/{self.game}")
        me = self.page.evaluate("() => JSON.parse(localStorage.getItem('holmgang.me')).id")
        seat = next(one["seat"] for one in game["seats"] if one["player"] == me)
        rows = [row["entry"] for row in self.asks(f"/v1/games/{self.game}/record")["log"]]
        logged = [(row["turn"], action) for row in rows for by, action in row.get("actions", []) if by == seat]
        own = [(turn, action) for turn, action in logged if self.resigned is None or turn < self.resigned]
        assert [turn for turn, _ in own] == sorted(self.pressed)
        assert own == [(turn, self.sent[turn][-1]) for turn in sorted(self.pressed)]
        assert [one for one in self.complaints if not one.startswith("error: Failed to load resource")] == []
