"""Every piece, space and button explains itself, with its rule: to pointers, fingers, keyboards and screen readers."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from playwright.sync_api import Page, expect

from holmgang import registry
from holmgang.checking.walks import Moment, walk
from holmgang.engine.legal import legal
from holmgang.engine.rulebook import read_rules
from holmgang.engine.turn import Await
from tests.e2e.running import Running

from .person import ASKED, Person
from .test_web_life import Friend
from .test_web_phone import holds, plays

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

SWEEP = """async ([ruleset, rules, asked]) => {
  const file = (name) => document.scripts[0].src.replace('app.js', name);
  const game = (await import(file(`games/${ruleset}/screen.js`))).default;
  const { Board } = await import(file('board.js')), { Chooser } = await import(file('chooser.js'));
  const { beside, onPicture, pieces } = await import(file('about.js'));
  const board = new Board(() => null), chooser = new Chooser(board), root = document.createElement('div');
  root.append(board.element, chooser.element);
  document.body.append(root);
  board.headless = game.headless;
  const faults = new Set(), told = {};
  const know = (kind, element, found) => {
    const { what, name = '', rule } = found || {}, label = element.getAttribute('aria-label') || element.textContent;
    told[kind] = (told[kind] || 0) + 1;
    if (!what || what === label || !rules.includes(rule) || `${what} ${name}`.match(/undefined|NaN|\\{/))
      faults.add(`${kind}: ${element.outerHTML.slice(0, 160)}: ${name}: ${what} (${rule})`);
  };
  for (const { picture, ...ctx } of asked) {
    Object.assign(ctx, { name: (seat) => `seat ${seat}`, were: null, places: [] });
    board.put(picture);
    board.offer(game, ctx, [], [], () => {});
    const named = pieces(board.picture).filter((one) => Object.keys(one.dataset).length);
    named.forEach((one) => know(one.classList[0], one, onPicture(board, one, game, ctx)));
    if (!ctx.turn.yours) continue;
    chooser.begin(game, ctx, game.compose(ctx), () => {}, { question: String(Math.random()) });
    for (let n = 0; n < 4; n += 1) {
      const buttons = [...chooser.element.querySelectorAll('button, summary')];
      buttons.forEach((one) => know(ctx.kind, one, beside(one, { board, chooser, root }, game, ctx)));
      const next = [...chooser.element.querySelectorAll('.options button:enabled, .errands button:enabled')];
      if (!next.length) break;
      next[n % next.length].click();
    }
    chooser.stop();
  }
  root.remove();
  return [[...faults], told];
}"""


WITHIN = """async (picture) => {
  const { Board } = await import(document.scripts[0].src.replace('app.js', 'board.js'));
  const board = new Board((seat, as) => as(`WWW Mmm mmmm ${seat}`));
  document.body.append(board.element);
  board.put(picture);
  const boxes = [...board.picture.querySelectorAll('rect.f-panel')].map((one) => one.getBBox());
  const holds = (box, x, y) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
  const texts = [...board.picture.querySelectorAll('text[data-named]')];
  const named = texts.filter((one) => one.textContent.includes('WWW'));
  const leaving = named.filter((one) => {
    const text = one.getBBox(), around = boxes.filter((box) => holds(box, text.x + 1, text.y + text.height / 2));
    return text.x + text.width > Math.min(board.whole[2], ...around.map((box) => box.x + box.width));
  });
  const all = [board.words.textContent, ...texts.map((one) => one.textContent)];
  const said = all.filter((one) => /\\bseats? \\d/i.test(one));
  board.element.remove();
  return [named.length, leaving.map((one) => one.textContent), said];
}"""


def plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


MORE = {"eketorp": {"material_cards": ["A g3, A w2, B c1, C s1"] * 12}}
"""Options of the larger games: with several kinds on a field one chooses among them."""


def moments(ruleset: str, seats: int, options: dict[str, Any]) -> Iterator[Moment]:
    """Some moments of a random game: of each kind of turn an early and a late one."""
    rules = registry.latest(ruleset)
    kinds: dict[str, list[Moment]] = {}
    for moment in walk(rules, rules.configure(seats, options), random.Random(ruleset)).decisions():
        assert isinstance(moment.turn, Await)
        kinds.setdefault(moment.turn.kind, []).append(moment)
    for some in kinds.values():
        yield from (some[len(some) // 3], some[-1])


@pytest.mark.parametrize("ruleset", registry.names())
def test_all_that_a_board_and_a_panel_show_is_explained_with_its_rule(page: Page, ruleset: str) -> None:
    rules = registry.latest(ruleset)
    asked: list[dict[str, Any]] = []
    few, many = rules.seat_counts[0], rules.seat_counts[-1]
    for moment in (*moments(ruleset, few, {}), *moments(ruleset, many, MORE.get(ruleset, {}))):
        assert isinstance(moment.turn, Await)
        assert moment.seat is not None
        kind, seat, space = moment.turn.kind, moment.seat, rules.moves(moment.before, moment.seat)
        view = rules.view(moment.before, seat)
        asked.append(
            {
                **{"view": plain(view), "kind": kind, "seat": seat, "picture": rules.picture(view, "light")},
                "legal": plain(legal(rules, kind, space, random.Random(ruleset))),
                "turn": {"turn": 1, "yours": True, "context": plain(rules.context(view))},
            }
        )
    over = walk(rules, rules.configure(few, {}), random.Random(1)).last
    view = rules.view(over, None)
    end = {"view": plain(view), "kind": None, "seat": None, "picture": rules.picture(view, "light"), "legal": None}
    asked.append({**end, "turn": {"turn": 1, "yours": False}})
    known = [rule["id"] for rule in read_rules(registry.game(ruleset).rulebook)]
    faults, told = page.evaluate(SWEEP, [ruleset, known, asked])
    assert faults == []
    assert set(rules.turn_kinds) < set(told)
    assert len(told) > len(rules.turn_kinds) + 3


@pytest.mark.parametrize("ruleset", registry.names())
def test_holders_are_named_within_their_panels(page: Page, ruleset: str) -> None:
    rules = registry.latest(ruleset)
    over = walk(rules, rules.configure(rules.seat_counts[-1], {}), random.Random(1)).last
    named, leaving, seats = page.evaluate(WITHIN, rules.picture(rules.view(over, None), "light"))
    assert named >= rules.seat_counts[-1]
    assert leaving == []
    assert seats == [], "which have holders"


def middle(of: Locator) -> tuple[float, float]:
    of.scroll_into_view_if_needed()
    box = of.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def rests_on(page: Page, of: Locator) -> None:
    x, y = middle(of)
    page.mouse.move(x - 1, y - 1)
    page.mouse.move(x, y)


def test_a_pointer_that_rests_is_told_what_is_there(service: Running, browser: Browser) -> None:
    who = Person.sits_down(browser, service.url, "eketorp")
    page, tip = who.page, who.page.locator(".explained")
    rests_on(page, page.locator(".board g.wall").first)
    expect(tip).to_contain_text("Wall 1 of")
    rule = tip.get_by_role("button", name="rule E5.3")
    rests_on(page, rule)  # it stays open below the pointer
    rests_on(page, page.locator(".board g.card").first)
    expect(tip).to_contain_text("rule E4.4")
    assert who.violations() == []
    who.look("explained-card")
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    rests_on(page, page.locator(".board .target").first)
    expect(tip).to_contain_text("You can choose this now: Field A: one Viking more")
    tip.get_by_role("button", name="rule E5.1").click()
    expect(page.get_by_role("dialog")).to_contain_text("E5.1")
    page.keyboard.press("Escape")
    rests_on(page, page.locator(".choose .go"))
    expect(tip).to_contain_text("Sends your choice.")
    rests_on(page, page.get_by_role("button", name="Give up"))
    expect(tip).to_contain_text("you cannot win")
    rests_on(page, page.locator("h1"))
    expect(tip).to_be_hidden()
    page.locator(".board .target").first.click()
    rests_on(page, page.locator(".sent .less"))
    expect(tip).to_contain_text("One Viking comes back")
    assert who.complaints == []


class Finger:
    """What a finger does on the screen, by the browser's own protocol."""

    def __init__(self, page: Page) -> None:
        self.protocol = page.context.new_cdp_session(page)

    def does(self, kind: str, *at: float) -> None:
        points = [{"x": at[0], "y": at[1]}] if at else []
        self.protocol.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


MENUS = "() => { window.menus = 0; addEventListener('contextmenu', (it) => { menus += !it.defaultPrevented; }); }"


def test_a_finger_that_stays_is_told_and_presses_nothing(service: Running, browser: Browser) -> None:
    who = holds(browser)
    page = plays(who, service, "drakkars")
    page.evaluate(
        "() => { window.menus = 0; addEventListener('contextmenu', (e) => { menus += !e.defaultPrevented; }); }"
    )
    tip, finger = page.locator(".explained"), Finger(page)
    ship = page.locator(".board .target").first
    finger.does("touchStart", *middle(ship))
    expect(tip).to_be_visible()
    finger.does("touchEnd")
    expect(tip).to_contain_text("our first ship")
    assert who.cut_off() == []
    assert who.violations() == []
    who.look("explained-phone")
    expect(page.locator(".board .target.on")).to_have_count(0)
    card = page.locator(".choose .god:enabled").first
    finger.does("touchStart", *middle(card))
    expect(tip).to_contain_text("Sails a ship of yours")
    finger.does("touchEnd")
    expect(page.locator(".choose .god[aria-pressed=true]")).to_have_count(0)
    assert page.evaluate("() => menus") == 0
    card.tap()
    expect(tip).to_be_hidden()
    expect(page.locator(".choose .god[aria-pressed=true]")).to_have_count(1)
    x, y = middle(page.locator(".choose .ask"))
    before = page.evaluate("() => scrollY")
    finger.does("touchStart", x, y)
    for step in range(1, 9):
        finger.does("touchMove", x, y - 15 * step)
    finger.does("touchEnd")
    page.wait_for_function("(before) => scrollY > before", arg=before)
    expect(tip).to_be_hidden()
    assert who.complaints == []


def test_by_keyboard_all_is_told_and_heard(service: Running, browser: Browser) -> None:
    who = Person.sits_down(browser, service.url, "claim")
    page, tip = who.page, who.page.locator(".explained")
    places = page.locator(".board .target")
    page.locator(".wordsof summary").focus()
    page.keyboard.press("Shift+Tab")
    focused = page.locator(":focus")
    expect(focused).to_have_class("target")
    expect(tip).to_contain_text("A point of territory")
    described = focused.get_attribute("aria-describedby")
    expect(page.locator(f"#{described}")).to_contain_text("You can choose this now.")
    point = focused.get_attribute("data-place")
    page.keyboard.press("?")
    expect(tip.get_by_role("button", name="rule K3.1")).to_be_focused()
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    expect(page.locator(f'.board .target[data-place="{point}"]')).to_be_focused()
    page.keyboard.press("?")
    for _ in range(20):
        page.keyboard.press("ArrowDown")  # as far as to what belongs to a clan, where nothing can be chosen
    expect(tip).to_contain_text("Castles on the island: 0, in hand: 3.")
    page.keyboard.press("ArrowRight")
    expect(tip).to_contain_text("Castle of")
    expect(page.locator("#live")).to_contain_text("In hand")
    taken = page.locator(".board .target.on").count()
    page.keyboard.press("Enter")
    expect(page.locator(".board .target.on")).to_have_count(taken)
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    expect(places.first).to_be_visible()
    assert who.violations() == []
    assert who.complaints == []


def test_a_table_that_waits_explains_its_board(service: Running, browser: Browser) -> None:
    game = Friend(service, "Dagny").post("/v1/games", ruleset="eketorp", seats=3)["id"]
    who = Person.arrives(browser)
    page, tip = who.page, who.page.locator(".explained")
    page.goto(f"{service.url}/#/games/{game}")
    rests_on(page, page.locator(".board g.wall").first)
    expect(tip).to_contain_text("Wall 1 of Dagny")
    rests_on(page, page.get_by_role("button", name="Sit down"))
    expect(tip).to_contain_text("Takes a free seat.")
    page.reload()
    expect(page.locator(".board")).to_have_attribute("tabindex", "0")  # with its picture; nothing has the focus before
    page.locator(".board").focus()
    page.keyboard.press("?")
    expect(tip).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(tip).to_be_visible()
    assert [one for one in who.requested if one.startswith(f"{service.url}/web/") and ".json" in one]
    assert who.complaints == []


def test_the_board_to_which_one_looks_back_is_explained_as_it_was(service: Running, browser: Browser) -> None:
    who = Person.sits_down(browser, service.url, "claim")
    page, tip = who.page, who.page.locator(".explained")
    who.chooses(random.Random(2))
    page.wait_for_selector(ASKED, state="attached")  # again: what the bot did would end the look back
    place = page.locator(".board g.piece[data-seat='0']").first.get_attribute("data-at")
    page.locator(".feed button.moment", has_text=re.compile(rf"\b{place}\b")).last.click()  # when it was placed
    page.wait_for_selector("button[data-about=now]")
    rests_on(page, page.locator(f".board g.point[data-at={place}]"))
    expect(tip).to_contain_text(f"Point {place}, free")
    expect(tip).not_to_contain_text("You can choose this now")
    page.mouse.move(0, 0)
    page.locator("button[data-about=now]").click()
    rests_on(page, page.locator(f".board g.piece[data-at={place}]"))
    expect(tip).to_contain_text(f"on {place}")
    assert who.complaints == []


@pytest.mark.slow
def test_a_replay_is_explained_as_it_was_then(service: Running, browser: Browser) -> None:
    friend, other = Friend(service, "Dagny"), Friend(service, "Ketil")
    game = friend.post("/v1/games", ruleset="claim", seats=2, options={"first_player": 0})["id"]
    other.post(f"/v1/games/{game}/seats", seat=1)
    turn = friend.get(f"/v1/games/{game}/turn")
    friend.post(f"/v1/games/{game}/submissions", turn=turn["turn"], action=turn["legal"]["sample"])
    other.post(f"/v1/games/{game}/resignations")
    who = holds(browser)
    page, tip, finger = who.page, who.page.locator(".explained"), Finger(who.page)
    page.goto(f"{service.url}/#/games/{game}/replay")
    piece = page.locator(".board g.piece[data-seat='0']").first
    place = piece.get_attribute("data-at")
    finger.does("touchStart", *middle(piece))
    expect(tip).to_contain_text(f"Piece of Dagny on {place}")
    finger.does("touchEnd")
    assert who.cut_off() == []
    page.get_by_role("button", name="To the start").tap()
    expect(page.locator(".board g.piece")).to_have_count(0)
    finger.does("touchStart", *middle(page.locator(f".board g.point[data-at={place}]")))
    expect(tip).to_contain_text(f"Point {place}, free")
    finger.does("touchEnd")
    told = set()
    controls = page.locator(".replay [data-about]:not(.rule)")  # rules are of what the row tells, which is drawn anew
    for control in controls.all():
        rests_on(page, control)
        expect(tip).to_be_visible()
        told.add(tip.inner_text())
        page.keyboard.press("Escape")
    assert len(told) == controls.count()
    page.get_by_role("button", name="One on").focus()
    page.keyboard.press("?")
    expect(tip).to_contain_text("One move on")
    assert who.violations() == []
    assert who.complaints == []
