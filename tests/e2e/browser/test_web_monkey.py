"""Whatever is pressed while something moves: nothing breaks, only what was confirmed is sent, and the game goes on."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.running import Running

from .faults import Stubborn
from .person import ASKED

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WHOLE, FEW = 200, 30
"""Presses in a slow test, and each time."""
OFTEN = 12
AIM = """(at) => {
  const open = [...document.querySelectorAll('dialog[open]')].pop();
  const leads = (one) => one.closest('.board') || !/Give up|Leave|Invite|Rules/.test(one.textContent);
  const all = 'button:enabled, summary, .target, .board svg, .reach';
  const found = [...(open || document.querySelector('.table')).querySelectorAll(all)]
    .filter((one) => one.getClientRects().length && leads(one));
  const one = found[Math.floor(at * found.length)];
  if (!one) return null;
  one.scrollIntoView({ block: 'nearest' });
  if (one.focus) one.focus({ preventScroll: true });
  const { x, y, width, height } = one.getBoundingClientRect();
  return [x + width * (0.2 + 0.6 * at), y + height / 2];
}"""
BACK = """() => {
  const back = [...document.querySelectorAll('.choose button')].find((one) => one.textContent === 'Back to the game');
  if (back) back.click();
}"""
PACE = """([at, to]) => {
  const all = [...document.querySelectorAll('select[name=pace]')].filter((one) => one.getClientRects().length);
  if (!all.length) return;
  const one = all[Math.floor(at * all.length)];
  one.value = to;
  one.dispatchEvent(new Event('change'));
}"""
CONFIRMED = """() => {
  window.confirmed = [];
  document.addEventListener('click', ({ target }) => {
    const { key } = (target.closest('button') || document.body).dataset;
    if (/^confirm /.test(key || '')) confirmed.push(parseInt(key.slice(8), 10));
  }, true);
}"""
KEYS = ["Enter", " ", "Tab", "Shift+Tab", "Escape", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "End"]


def calms_down(page: Page) -> None:
    """Whatever was opened is closed."""
    while page.locator("dialog[open]").count():
        page.keyboard.press("Escape")
    page.evaluate(BACK)


class Hasty(Stubborn):
    """Who confirms, and does not wait for what comes of it."""

    def confirms(self) -> None:
        self.page.locator(".choose .go:enabled").click()


def presses_anything(page: Page, rng: random.Random) -> bool:
    """At once, whatever happens there: gives whether something was being played."""
    moving = page.locator(".table[data-playing]").count() > 0
    how = rng.random()
    if how < 0.05:
        page.evaluate(PACE, [rng.random(), rng.choice(["slow", "usual", "fast"])])
        return moving
    at = page.evaluate(AIM, rng.random())
    if how < 0.3 or at is None:
        page.keyboard.press(rng.choice(KEYS))
    elif how < 0.65:
        page.mouse.click(*at)
    else:
        page.touchscreen.tap(*at)
    return moving


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ruleset", "presses"),
    [("claim", FEW), ("claim", WHOLE), ("drakkars", WHOLE), ("eketorp", WHOLE)],
)
def test_anything_may_be_pressed(service: Running, browser: Browser, ruleset: str, presses: int) -> None:
    who = Hasty.arrives(browser, motion=True, has_touch=True)
    page, rng = who.page, random.Random(f"{ruleset} {presses}")
    who.begins(service.url, ruleset)
    address = page.url
    page.evaluate(CONFIRMED)
    moving = 0
    for n in range(presses):
        if n % OFTEN == 0 and page.locator(ASKED).count() and page.locator(".table[data-playing]").count() == 0:
            calms_down(page)
            who.chooses(rng)  # or there would be nothing that moves
        moving += presses_anything(page, rng)
        assert page.url == address or who.asks(f"/v1/games/{who.game}")["status"] == "over"
        if page.locator(".result").count():
            break
    calms_down(page)
    if who.waits():
        page.locator("select[name=pace]").last.select_option("fast")
        before = page.evaluate("confirmed")
        assert {turn: len(found) for turn, found in who.sent.items()} == {turn: before.count(turn) for turn in before}
        who.plays_through(rng, [], whole=False)
    print(f"{ruleset}: {moving} of {presses} while something moved, {len(who.sent)} choices")
    assert moving
    expect(page.locator(".board g.played")).to_have_count(0)
    who.pressed = dict.fromkeys(who.sent, 1)
    who.keeps_its_word()
