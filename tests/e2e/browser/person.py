"""A person at the web table, in Debian's Chromium: sees and clicks what is on the page, and nothing else."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, Self

from playwright.sync_api import Browser, Error, Locator, Page, Response, ViewportSize, expect, sync_playwright

FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
# Without windows, menus and profiles a page costs a third of the processor's time.
BROWSERS = ("chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome")
PICTURES = Path(__file__).parents[3] / "build" / "screenshots"
DESKTOP, PHONE = ViewportSize(width=1280, height=900), ViewportSize(width=380, height=780)
PATIENCE_MS = 30_000
Means = Literal["mouse", "touch", "keyboard"]
TABS = 200
"""More often nobody presses Tab on the way to something."""
ASKED = ".table[data-yours=true] .choose button"
ASKED_OR_OVER = f"{ASKED}, .table[data-status=over] .result"

expect.set_options(timeout=PATIENCE_MS)  # a machine that has much to do shows late what is expected


def chromium() -> str | None:
    """Where Chromium is: what CHROMIUM names, or the first of these that the path holds."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)


@contextmanager
def browsing(executable: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Received:
    """One answer of the API: its address, its type, its text, and its tag."""

    url: str
    kind: str
    text: str
    tag: str = ""

    @property
    def version(self) -> int:
        """Of the game, by the tag; -1 where that does not tell."""
        found = re.match(r'W/"(\d+)\.', self.tag)
        return -1 if found is None else int(found[1])


ARRIVED: list[Person] = []
"""Those of the test that runs."""


@dataclass
class Person:
    """A page, with all that it complained of and received."""

    page: Page
    means: Means = "mouse"
    complaints: list[str] = field(default_factory=list)
    received: list[Received] = field(default_factory=list)
    requested: list[str] = field(default_factory=list)

    @classmethod
    def arrives(cls, browser: Browser, *, motion: bool = False, means: Means = "mouse", **more: Any) -> Self:
        """Somebody new, who prefers no motion unless they are to have it; `more` is what else their browser is like."""
        motions: Literal["no-preference", "reduce"] = "no-preference" if motion else "reduce"
        if means == "touch":
            more = {"has_touch": True, "is_mobile": True, **more}
        person = cls(browser.new_context(**{"viewport": DESKTOP, "reduced_motion": motions, **more}).new_page(), means)
        person.page.set_default_timeout(PATIENCE_MS)
        ARRIVED.append(person)
        person.page.on("console", lambda told: person._complain(told.type, told.text))
        person.page.on("pageerror", lambda fault: person.complaints.append(f"error: {fault}"))
        person.page.on("request", lambda request: person.requested.append(request.url))
        person.page.on("requestfinished", lambda request: person._keep(request.response()))
        return person

    @classmethod
    def sits_down(cls, browser: Browser, url: str, ruleset: str, **more: Any) -> Self:
        """Somebody new who plays this game against bots by one click, and is asked."""
        person = cls.arrives(browser, **more)
        person.page.goto(url)
        person.page.locator(f"[data-play={ruleset}]").click()
        person.page.wait_for_selector(ASKED, state="attached")
        return person

    def told(self) -> str:
        """What is on the page and what became of its last requests, for whoever asks why a test failed."""
        if self.page.is_closed():
            return "the page is closed"
        table = self.page.locator(".table")
        at = table.first.evaluate("one => one.outerHTML.slice(0, 300)") if table.count() else "no table"
        last = "\n".join((*self.requested[-12:], *self.complaints))
        return f"{self.page.url}\n{at}\n{self.page.locator('body').inner_text()[:1500]}\n{last}"

    def _complain(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(f"{kind}: {text}")

    def _keep(self, answer: Response | None) -> None:
        if answer is not None and "/v1/" in answer.url and answer.status not in (204, 304):
            kind, tag = (answer.headers.get(name, "") for name in ("content-type", "etag"))
            with suppress(Error):  # a page that has gone on to another no longer has what it received
                self.received.append(Received(answer.url, kind, answer.text(), tag))

    def leaves(self) -> None:
        """For good; what is answered in the service's place just then need not come to its end."""
        for page in self.page.context.pages:
            page.unroute_all(behavior="ignoreErrors")
        self.page.context.close()

    def look(self, name: str) -> None:
        """Keep what is to be seen, as build output."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=PICTURES / f"{name}.png", full_page=True)

    # Playing

    def presses(self, what: Locator) -> None:
        """By the means that this person has."""
        if self.means == "mouse":
            what.click()
        elif self.means == "touch":
            what.tap()
        else:
            self._reaches(what)
            self.page.keyboard.press("Enter")

    def _reaches(self, what: Locator | str) -> None:
        """With Tab and nothing else, for as often as that takes."""
        for _ in range(TABS):
            if isinstance(what, str):
                there = self.page.evaluate("what => document.activeElement.matches(what)", what)
            else:
                there = what.evaluate("one => one === document.activeElement")
            if there:
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not lead to {what}")

    def plays(self, rng: random.Random, most: int = 2000) -> None:
        """From the first choice to the result, each time something that the page offers."""
        page = self.page
        for _ in range(most):
            page.wait_for_selector(ASKED_OR_OVER, state="attached")
            if page.locator(".result").count():
                return
            self.chooses(rng)
        raise AssertionError(f"the game did not end within {most} choices")

    def chooses(self, rng: random.Random) -> None:
        """One whole choice: step after step, then Confirm."""
        page = self.page
        if page.locator(".choose [data-step=sample]").count():  # a form, which takes what would not be allowed, too
            page.locator(".choose [data-step=sample]").click()
            self.confirms()
            return
        for _ in range(60):
            whole = page.locator(".choose .go:enabled")
            steps = page.locator(".choose .options:not(.small) button:enabled, .choose .errands button:enabled")
            places = page.locator(".board .target:not(.on)")
            there, on_board = steps.count(), places.count()
            if whole.count() and (there + on_board == 0 or rng.random() < 0.5):
                self.confirms()
                return
            assert there + on_board, f"nothing can be chosen: {page.locator('.choose').inner_text()}"
            at = rng.randrange(there + on_board)
            if at < there:
                self.presses(steps.nth(at))
            elif self.means == "keyboard":
                self._reaches(".board .target")
                for _ in range(rng.randrange(6)):
                    page.keyboard.press(f"Arrow{rng.choice(['Left', 'Right', 'Up', 'Down'])}")
                page.keyboard.press(rng.choice(["Enter", " "]))
            elif self.means == "mouse" and rng.random() < 0.3:
                places.nth(at - there).focus()
                page.keyboard.press(rng.choice(["Enter", " "]))
            else:
                self.presses(places.nth(at - there))
        raise AssertionError("the choice was never whole")

    def confirms(self) -> None:
        """What is chosen is taken."""
        turn = self.page.locator(".table").get_attribute("data-turn")
        self.presses(self.page.locator(".choose .go:enabled"))
        self.page.wait_for_function(
            "turn => { const it = document.querySelector('.table'); return it.dataset.turn !== turn ||"
            " it.dataset.yours !== 'true' || it.dataset.status === 'over' }",
            arg=turn,
        )

    def keeps_nothing(self) -> None:
        """The browser refuses to keep anything for the pages that are opened from now on."""
        self.page.add_init_script(
            "for (const area of ['localStorage', 'sessionStorage']) Object.defineProperty(window, area,"
            " { get() { throw new DOMException('denied', 'SecurityError') } })"
        )

    # Judging

    def violations(self) -> list[str]:
        """What axe-core finds that is serious or critical, each with its first place."""
        if not self.page.evaluate("() => typeof axe === 'object'"):
            self.page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
        found: Any = self.page.evaluate("() => axe.run({ resultTypes: ['violations'] })")
        return [
            f"{one['id']} ({one['impact']}): {one['nodes'][0]['html'][:200]} {one['nodes'][0]['failureSummary'][:300]}"
            for one in found["violations"]
            if one["impact"] in ("serious", "critical")
        ]

    def cut_off(self) -> list[str]:
        """What is wider than the page, or stands beside it."""
        found: list[str] = self.page.evaluate(
            """() => {
              const wide = document.documentElement.clientWidth, out = [];
              const whole = document.documentElement.scrollWidth;
              if (whole > wide) out.push(`the page is ${whole} wide`);
              for (const one of document.querySelectorAll('body *')) {
                if (one.closest('.heard, .skip, .over, desc, title')) continue;
                if (one.ownerSVGElement && one.closest('.board:has(.lens:not([hidden]))')) continue; // a part is shown
                const box = one.getBoundingClientRect();
                const name = `${one.tagName} ${one.getAttribute('class')}`;
                if (box.width && (box.right > wide + 0.5 || box.left < -0.5)) out.push(`${name} ends at ${box.right}`);
                const style = getComputedStyle(one), clips = style.overflowX !== 'visible';
                const over = one.clientWidth && one.scrollWidth > one.clientWidth + 1;
                if (clips && style.textOverflow !== 'ellipsis' && over)
                  out.push(`${name} scrolls: ${one.scrollWidth} in ${one.clientWidth}`);
              }
              return out;
            }"""
        )
        return found

    def too_small(self, least: int = 24, what: str = "button, input, select, .board .target .hit") -> list[str]:
        """What can be clicked and is smaller than a finger needs (WCAG 2.5.8), or than `least` pixels."""
        found: list[str] = self.page.evaluate(
            """([least, what]) => [...document.querySelectorAll(what)].map((one) => {
              const box = one.getBoundingClientRect(), name = one.closest('[aria-label]') || one;
              const told = `${name.getAttribute('aria-label') || name.textContent}: ${box.width} x ${box.height}`;
              return box.width && Math.min(box.width, box.height) < least - 0.1 ? told : null;
            }).filter(Boolean)""",
            [least, what],
        )
        return found

    def bodies(self) -> Iterator[tuple[Received, Any]]:
        for one in self.received:
            yield one, json.loads(one.text) if "json" in one.kind else one.text
