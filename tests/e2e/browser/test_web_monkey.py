"""Whatever is pressed while something moves: nothing breaks, only what was confirmed is sent, and the game goes on."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.running import Running

from .faults import Stubborn

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WHOLE, FEW = 200, 30
"""Presses in a slow test, and each time."""
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


def presses_anything(page: Page, rng: random.Random) -> None:
    """At once, whatever happens there."""
    how = rng.random()
    if how < 0.05:
        page.evaluate(PACE, [rng.random(), rng.choice(["slow", "usual", "fast", "fast", "off"])])
        return
    at = page.evaluate(AIM, rng.random())
    if how < 0.3 or at is None:
        page.keyboard.press(rng.choice(KEYS))
    elif how < 0.65:
        page.mouse.click(*at)
    else:
        page.touchscreen.tap(*at)


@pytest.mark.parametrize(
    ("ruleset", "presses"),
    [
        ("claim", FEW),
        *(pytest.param(name, WHOLE, marks=pytest.mark.slow) for name in ("claim", "drakkars", "eketorp")),
    ],
)
def test_anything_may_be_pressed(service: Running, browser: Browser, ruleset: str, presses: int) -> None:
    who = Stubborn.arrives(browser, motion=True, has_touch=True)
    page, rng = who.page, random.Random(f"{ruleset} {presses}")
    who.begins(service.url, ruleset)
    address = page.url
    page.evaluate(CONFIRMED)
    for _ in range(presses):
        presses_anything(page, rng)
        assert page.url == address or who.asks(f"/v1/games/{who.game}")["status"] == "over"
        if page.locator(".result").count():
            break
    while page.locator("dialog[open]").count():
        page.keyboard.press("Escape")
    page.evaluate(BACK)
    if who.waits():
        page.locator("select[name=pace]").last.select_option("fast")
        before = page.evaluate("confirmed")
        assert {turn: len(found) for turn, found in who.sent.items()} == {turn: before.count(turn) for turn in before}
        who.chooses(rng)
        who.plays_through(rng, [], whole=False)
    expect(page.locator(".board g.played")).to_have_count(0)
    who.pressed = dict.fromkeys(who.sent, 1)
    who.keeps_its_word()
