"""What is wrong with a page on a telephone: what is broken or leaves its box, what lies under something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

SPILLS = """() => {
  const out = [], painted = (one) => {
    const style = getComputedStyle(one);
    const filled = style.backgroundColor !== 'rgba(0, 0, 0, 0)';
    return style.display !== 'inline' && (filled || parseFloat(style.borderLeftWidth) > 0);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.data.trim() || !parent.checkVisibility()) continue;
    if (parent.closest('svg, .heard, .skip, noscript, option')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter((box) => box.width > 1);
    const lines = new Set(boxes.map(({ top }) => Math.round(top))).size, word = node.data.trim();
    const whole = /^[A-Za-zÀ-ÿ]{2,15}$/.test(word); // longer names may break
    if (lines > 1 && (parent.closest('button') ? whole : /^\\d+$/.test(word))) out.push(`"${word}" is broken within`);
    let out_of_flow = false; // what is placed elsewhere leaves what it is not placed by
    for (let one = parent; one !== document.body; one = one.parentElement) {
      const style = getComputedStyle(one);
      if (out_of_flow && style.position === 'static') continue;
      out_of_flow = style.position === 'absolute';
      const box = one.getBoundingClientRect();
      const x = boxes.some(({ left, right }) => left < box.left - 1 || right > box.right + 1);
      const y = boxes.some(({ top, bottom }) => (top + bottom) / 2 < box.top || (top + bottom) / 2 > box.bottom);
      if (style.overflow !== 'visible') break; // it scrolls, or ends in dots: `cut_off` judges that
      if (painted(one) && (x || y)) {
        out.push(`"${node.data.trim().slice(0, 40)}" leaves ${one.localName}.${one.className}`);
        break;
      }
    }
  }
  return out;
}"""

COVERED = """(what) => {
  const out = [], top = window.scrollY;
  for (const one of document.querySelectorAll(what)) {
    if (!one.checkVisibility({ visibilityProperty: true }) || one.disabled || one.closest('.skip, .toasts')) continue;
    one.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const box = one.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
    const hit = document.elementFromPoint(x, y);
    if (hit && (one.contains(hit) || hit.contains(one) || hit.closest('label')?.contains(one))) continue;
    const named = (it) => it && `${it.localName}.${it.getAttribute('class')}`;
    const told = (one.getAttribute('aria-label') || one.textContent).trim().slice(0, 40);
    out.push(`"${told}" (${named(one)}) lies under ${named(hit)}`);
  }
  window.scrollTo(0, top);
  return out;
}"""

RESTS = """() => {
  const choose = document.querySelector('.choose:not([hidden])'), frame = document.querySelector('.board');
  if (!choose || !frame) return [];
  const bar = choose.querySelector(':scope>.bar:not([hidden])'), out = [];
  const floor = bar && getComputedStyle(bar).position === 'sticky' ? bar.getBoundingClientRect().top : innerHeight;
  const ceiling = frame.getBoundingClientRect().bottom;
  const pressed = [...choose.querySelectorAll('button:enabled:not(.moment, .rule), summary')];
  const first = pressed.find((one) => !one.closest('.bar') && one.checkVisibility());
  const listed = document.querySelector('.board .target') ? null : first;
  for (const [what, one] of [['the question', choose.querySelector('.ask')], ['the first choice', listed]]) {
    if (!one) continue;
    const { top, bottom } = one.getBoundingClientRect();
    const cut = top < ceiling - 1 || bottom > Math.min(floor, innerHeight) + 1;
    if (cut) out.push(`${what} is not in sight: ${top} to ${bottom}, seen is ${ceiling} to ${floor}`);
  }
  const undo = choose.querySelector('[data-about=undo]');
  if (undo) {
    const { top, bottom } = undo.getBoundingClientRect();
    if (top < ceiling - 1 || bottom > innerHeight + 1) out.push('Undo is not in sight');
  }
  return out;
}"""


def spills(page: Page) -> list[str]:
    """Words that leave the box that is drawn around them."""
    found: list[str] = page.evaluate(SPILLS)
    return found


def covered(page: Page, what: str) -> list[str]:
    """What cannot be pressed where it is once it has been scrolled into sight, since something lies over it."""
    found: list[str] = page.evaluate(COVERED, what)
    return found


def out_of_sight(page: Page) -> list[str]:
    """What of a question is not in sight: what is asked, the first choice where the board offers none, Undo."""
    found: list[str] = page.evaluate(RESTS)
    return found
