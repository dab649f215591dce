"""What others do is played on the board before one is asked, and can be seen again."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.running import Running

from .person import ASKED, PHONE, Person
from .test_web_eketorp import answers, presses
from .test_web_eketorp import sits_down as begins_eketorp
from .test_web_general import without_screens
from .test_web_life import Friend

HOLDS = """const later = window.setTimeout;
window.setTimeout = (does, ms, ...more) => (ms === 900 ? 0 : later(does, ms, ...more));"""
"""What is played slowly stays until it is skipped."""
HEARS = """() => {
  window.heard = [];
  new MutationObserver(() => {
    const said = document.querySelector('.choose .ask');
    if (said && heard.at(-1) !== said.textContent) heard.push(said.textContent);
  }).observe(document.querySelector('.choose'), { subtree: true, childList: true, characterData: true });
}"""

LOOKS = "one => [getComputedStyle(one).stroke, getComputedStyle(one).strokeDasharray]"
LINES = """async () => {
  const { Board } = await import(document.scripts[0].src.replace('app.js', 'board.js'));
  const point = (name, x) => `<g class="point" data-at="${name}"><rect x="${x}" width="30" height="30"/></g>`;
  const board = new Board(() => null), points = point('a', 0) + point('b', 50);
  document.body.append(board.element);
  board.put(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 60">${points}<g class="piece"/></svg>`);
  const place = { selector: 'g.point', id: ({ dataset }) => dataset.at, label: () => '' };
  const game = { above: 'g.piece', places: [place] }, lines = (one) => one.querySelectorAll('polyline').length;
  const order = () => [...board.picture.children].map((one) => one.getAttribute('class') + lines(one));
  board.mark(board.places(game, {}), [{ at: ['a', 'b'], seat: 1 }, { at: 'b', seat: 1 }], game);
  const marked = order(), step = { key: 'b', label: 'b', place: 'b', trail: ['a', 'b'] };
  board.offer(game, {}, [], [step], () => {});
  const chosen = order();
  board.element.remove();
  return [marked, chosen];
}"""


@dataclass
class Meeting:
    """Somebody who likes motion, and a friend who calls the API, in a game of Claim."""

    who: Person
    friend: Friend
    game: str

    @property
    def choose(self) -> Locator:
        return self.who.page.locator(".choose")

    def places(self) -> None:
        """The person's two pieces, on the first points that are offered."""
        for target in self.who.page.locator(".board .target:not(.on)").all()[:2]:
            target.click()
        self.choose.get_by_role("button", name="Confirm").click()

    def answers(self, *points: str) -> None:
        expect(self.who.page.locator(".status")).to_contain_text("Waiting for Dagny")
        answers(self.friend, self.game, type="place", points=list(points))


def meets(service: Running, browser: Browser, pace: str, *, screen: bool = True) -> Meeting:
    friend = Friend(service, "Dagny")
    game = friend.post("/v1/games", ruleset="claim", seats=2, options={"first_player": 1})["id"]
    who = Person.arrives(browser, motion=True)
    if not screen:
        without_screens(who.page)
    who.page.add_init_script(HOLDS)
    who.page.add_init_script(
        f"localStorage.getItem('holmgang.pace') || localStorage.setItem('holmgang.pace', '{pace}')"
    )
    who.page.goto(f"{service.url}/#/games/{game}")
    who.page.get_by_role("button", name="Sit down").click()
    who.page.wait_for_selector(ASKED, state="attached")
    return Meeting(who, friend, game)


def test_moves_are_played_with_who_made_them_and_can_be_looked_at_again(service: Running, browser: Browser) -> None:
    here = meets(service, browser, "slow")
    page, choose = here.who.page, here.choose
    teller, fresh = choose.locator(".teller"), page.locator(".board .fresh")
    theirs = page.locator(".board g.piece[data-seat='0']")
    here.places()
    expect(teller).to_contain_text("places pieces on")
    here.choose.get_by_role("button", name="Skip").click()
    here.answers("g4", "h4")
    expect(teller).to_contain_text("Dagny places pieces on g4 and h4.")
    expect(page.locator(".board g.played > *")).to_have_count(2)
    expect(page.locator(".board .target")).to_have_count(0)
    page.set_viewport_size(PHONE)
    here.who.look("moves-phone")
    assert here.who.violations() == []
    assert here.who.cut_off() == []
    choose.get_by_role("button", name="Skip").click()
    expect(choose.locator(".ask")).to_have_text("Place two of your pieces on free points.")
    expect(page.locator(".board g.played")).to_have_count(0)
    expect(fresh).to_have_count(4)  # one's own and theirs, until the next choice
    dots = [page.locator(f".board .fresh.by{seat}") for seat in (0, 1)]
    for each in dots:
        expect(each).to_have_count(2)
    looks = [each.first.evaluate(LOOKS) for each in dots]
    assert all(one != other for one, other in zip(*looks, strict=True)), "told apart by colour and by their dots"
    expect(page.locator(".marks .whose:visible")).to_have_text(["Dagny", re.compile(r"\w")])
    expect(theirs).to_have_count(2)
    page.locator(".board .target").first.click()
    expect(page.locator(".board .target.on")).to_have_count(1)
    below = page.locator(".choose > :is(.bar, .since)").evaluate_all("all => all.map((one) => one.className)")
    assert below == ["bar", "since"], "on a telephone the bar cuts no line of what has happened"
    lines = page.locator(".feed .moment")
    lines.nth(1).click()  # one's own
    expect(choose).to_contain_text("The board as it was then:")
    expect(theirs).to_have_count(0)
    expect(fresh).to_have_count(2)
    lines.first.click()
    expect(choose.locator(".ask")).to_contain_text("Dagny")
    expect(page.locator(".board g.played > *")).to_have_count(2)  # on the board as it was before
    assert here.who.violations() == []
    choose.get_by_role("button", name="Back to the game").click()
    expect(page.locator(".board .target.on")).to_have_count(1)  # what was begun
    expect(theirs).to_have_count(2)
    page.locator(".feed ~ .pace select").select_option("off")
    page.evaluate(HEARS)
    page.locator(".board .target:not(.on)").first.click()
    choose.get_by_role("button", name="Confirm").click()
    here.answers("g5", "h5")
    expect(fresh).to_have_count(4)
    page.wait_for_selector(ASKED, state="attached")
    assert not [said for said in page.evaluate("heard") if "places pieces" in said]
    page.reload()
    page.wait_for_selector(ASKED, state="attached")
    expect(fresh).to_have_count(4)  # the browser knows its last choice
    page.locator(".feed button.moment", has_text="Dagny places pieces on g4").click()  # before the page
    expect(choose).to_contain_text("The board as it was then:")
    expect(theirs).to_have_count(0)
    expect(page.locator(".board g.played > *")).to_have_count(2)
    choose.get_by_role("button", name="Back to the game").click()
    expect(theirs).to_have_count(4)
    here.friend.post(f"/v1/games/{here.game}/resignations")
    expect(page.locator(".table")).to_have_attribute("data-status", "over")
    page.locator(".feed a.moment", has_text="Dagny places pieces on g4").click()
    expect(page.locator(".now")).to_have_text(re.compile(r"^Turn 2, move 2 of \d+$"))
    expect(theirs).to_have_count(2)
    expect(fresh).to_have_count(2)
    page.locator(".feed .moment", has_text="places pieces on").last.click()
    expect(theirs).to_have_count(0)
    assert here.who.complaints == []


def test_lines_lie_below_what_stands_on_the_board(page: Page) -> None:
    for order in page.evaluate(LINES):
        assert order == ["point0", "point0", "under1", "piece0", "over0"]


@pytest.mark.slow
def test_the_general_screen_plays_what_events_name(service: Running, browser: Browser) -> None:
    here = meets(service, browser, "slow", screen=False)
    page = here.who.page
    for n in range(2):
        page.locator(".board .target").nth(n).click()
    here.choose.locator(".go").click()
    expect(here.choose.locator(".teller")).to_contain_text("pieces placed")
    here.choose.get_by_role("button", name="Skip").click()
    here.answers("g4", "h4")
    expect(here.choose.locator(".teller")).to_have_text("0Dagny: pieces placed (points g4, h4)")
    expect(page.locator(".board g.played circle.f-clan0")).to_have_count(2)
    here.choose.get_by_role("button", name="Skip").click()
    expect(here.choose.locator(".ask")).to_contain_text("Choose:")
    expect(page.locator(".board .fresh")).to_have_count(4)
    assert here.who.complaints == []


def test_a_fight_is_shown_before_the_question_that_follows_it(service: Running, browser: Browser) -> None:
    who, friends, game = begins_eketorp(service, browser, motion=True)
    page, choose = who.page, who.page.locator(".choose")
    page.locator(".pace select").select_option("fast")
    for place in ("A", "C", "C"):
        page.locator(f".board .target[data-place={place}]").click()
    presses(page, "Confirm")
    page.evaluate(HEARS)
    answers(friends[0], game, type="place", fields={"A": 1}, sieges=[])
    answers(friends[1], game, type="place", fields={}, sieges=[])
    presses(page, "Keep this hand", "Confirm")
    expect(page.locator(".status")).to_contain_text("Waiting for Dagny")
    answers(friends[0], game, type="stand")
    expect(choose.locator(".ask")).to_contain_text("Choose your card, in secret.")
    choose.locator(".hand button").first.click()
    presses(page, "Confirm")
    answers(friends[0], game)
    expect(choose.locator(".ask")).to_have_text("Which stone do you take from field C?")
    heard: list[str] = page.evaluate("heard")
    swap = "Then the cards change owners: "
    shown = ["Dagny sends 1 to field A", "Both choose their cards in secret.", swap, "Which stone"]
    found = [next(n for n, said in enumerate(heard) if said.startswith(told)) for told in shown]
    assert found == sorted(found), heard
    assert next(said for said in heard if said.startswith(swap)).endswith("rule E4.6")
    assert who.complaints == []


@pytest.mark.slow
def test_all_is_skipped_until_one_is_asked(service: Running, browser: Browser) -> None:
    here = meets(service, browser, "slow")
    teller = here.choose.locator(".teller")
    here.places()
    here.choose.get_by_role("button", name="On to my turn").click()
    here.who.page.evaluate(HEARS)
    here.answers("g4", "h4")
    expect(here.choose.locator(".ask")).to_have_text("Place two of your pieces on free points.")
    assert not [said for said in here.who.page.evaluate("heard") if "Dagny" in said]
    here.places()
    expect(teller).to_contain_text("places pieces on")  # what comes of the next choice is played again
    here.choose.get_by_role("button", name="Skip").click()
    here.answers("g5", "h5")
    expect(teller).to_contain_text("Dagny places pieces on")
    assert here.who.complaints == []


FIGHTS = """async () => {
  const { Player } = await import(document.scripts[0].src.replace('app.js', 'player.js'));
  const game = { told: false, plays: () => [], marks: () => [], ruleOf: () => null,
    tell: ({ combat, step }) => `${combat} ${step}` };
  const fights = new Map([1, 2, 3, 4, 5].map((number) => [number,
    { number, status: 'done', record: { attacker: number === 5 ? 9 : 0, defender: 1 } }]));
  const events = [...fights.keys()].flatMap((combat) => ['begins', 'ends'].map((step) => ({ combat, step })))
    .map((payload, seq) => ({ seq, turn: seq, payload }));
  return new Player({}, {}).acts(events, game, { seat: 9 }, fights)
    .map(({ words, records }) => ({ words, fights: records.map((one) => one.number) }));
}"""


def test_fights_of_others_are_shown_some_at_a_time(service: Running, browser: Browser) -> None:
    page = Person.arrives(browser).page
    page.goto(service.url)
    expect(page.locator(".lists .panel").first).to_be_visible()
    assert page.evaluate(FIGHTS) == [
        {"words": ["1 begins", "1 ends", "2 begins", "2 ends", "3 begins", "3 ends"], "fights": [1, 2, 3]},
        {"words": ["4 begins", "4 ends"], "fights": [4]},
        {"words": [], "fights": [5]},  # one's own, of which each step is told
    ]


OWN = """async () => {
  const { Player } = await import(document.scripts[0].src.replace('app.js', 'player.js'));
  const picture = document.body.appendChild(document.createElementNS('http://www.w3.org/2000/svg', 'svg')), order = [];
  const game = { told: false, plays: () => [{ seat: 0, from: 'here' }], marks: () => [], ruleOf: () => null, places: [],
    tell: () => 'wounded', combat: () => ({ title: 'a fight', steps: [{ words: 'who wins' }] }) };
  const here = new Map([['here', { box: { x: 0, y: 0, width: 9, height: 9 } }]]);
  const board = { picture, frame: {}, places: () => here, offer: () => {}, mark: () => {} };
  board.bring = () => order.push('flies');
  const player = new Player(board, { stop: () => {} });
  player.say = ({ words }) => order.push(...words);
  const fights = new Map([[1, { number: 1, status: 'done', record: { attacker: 0, defender: 1 } }]]);
  const payload = { type: 'viking_wounded', seat: 0, combat: 1 }, ctx = { seat: 0, name: () => 'Dagny' };
  await player.play([{ seq: 1, turn: 1, payload }], game, ctx, ctx, fights);
  return [...new Set(order)];
}"""


def test_a_fight_of_ones_own_is_told_before_what_comes_of_it_moves(service: Running, browser: Browser) -> None:
    page = Person.arrives(browser, motion=True).page
    page.goto(service.url)
    expect(page.locator(".lists .panel").first).to_be_visible()
    assert page.evaluate(OWN) == ["who wins", "flies"]


def test_the_card_that_is_played_leaves_the_hand(service: Running, browser: Browser) -> None:
    """And not the leftmost one, which is found first in the picture."""
    friend = Friend(service, "Dagny")
    game = friend.post("/v1/games", ruleset="drakkars", seats=2, options={"first_player": 1})["id"]
    who = Person.arrives(browser, motion=True)
    page, choose = who.page, who.page.locator(".choose")
    page.add_init_script(HOLDS)
    page.add_init_script("localStorage.setItem('holmgang.pace', 'slow')")
    page.goto(f"{service.url}/#/games/{game}")
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_selector(ASKED, state="attached")
    held = [int(one.get_attribute("data-card") or 0) for one in choose.locator(".god").all()]
    card = max(one for one in held if one != 10)
    assert card > min(held)
    choose.locator(f"[data-step='card {card}']").first.click()
    if not choose.locator(".go:enabled").count():
        page.locator(".board .target[data-place='ship 1.0']").click()
    choose.locator(".go:enabled").click()
    expect(choose.locator(".teller")).to_contain_text(f"({card})")
    gone = page.locator(f".board g.card.hand[data-seat='1'][data-card='{card}'][visibility=hidden]")
    expect(gone.and_(page.locator(":not(.played *)"))).to_have_count(1)
    expect(page.locator(".board g.card.hand[visibility=hidden]:not(.played *)")).to_have_count(1)
    assert who.complaints == []


LOGGED = """async () => {
  const file = (name) => import(document.scripts[0].src.replace('app.js', name));
  const [{ default: game }, { Feed }, { withCauses }] = await Promise.all(
    ['games/drakkars/screen.js', 'feed.js', 'since.js'].map(file));
  const events = [
    [1, { type: 'turn_started', seat: 0 }], [1, { type: 'cards_played', seat: 0, action: 'sail', cards: [4] }],
    [1, { type: 'ship_moved', owner: 0, ship: 0, start: 2, end: 6, steps: 4, by: 0 }],
    [2, { type: 'coins_looted', seat: 0, town: 3, coins: ['gold'] }],
    [2, { type: 'turn_started', seat: 1 }], [3, { type: 'cards_played', seat: 1, action: 'pair', cards: [1, 6] }],
    [3, { type: 'ship_moved', owner: 1, ship: 0, start: 18, end: 19, steps: 1, by: 1 }],
    [3, { type: 'ship_moved', owner: 0, ship: 0, start: 6, end: 12, steps: 6, by: 1 }],
  ].map(([turn, payload], n) => ({ seq: n + 1, turn, payload }));
  const feed = new Feed(() => ({}));
  feed.tell(game, events, { seat: 0, name: (seat) => ['Ketil', 'Dagny'][seat] });
  const since = events.filter(({ payload }) => payload.owner === 0 && payload.by === 1);
  return { log: [...feed.list.children].map((one) => one.textContent),
    since: withCauses(events, new Set(since), game).map(({ payload }) => payload.type) };
}"""


def test_a_move_is_read_downwards_and_what_befalls_one_has_its_cause(page: Page) -> None:
    found = page.evaluate(LOGGED)
    assert [told.split(" ")[1] for told in found["log"]] == ["plays", "first", "first", "plays", "first", "takes"]
    assert found["log"][0].startswith("Dagny plays Freyr (1) and Freya (6)")
    assert found["since"] == ["cards_played", "ship_moved"]


OPENED = """async (begun) => {
  const { Feed } = await import(document.scripts[0].src.replace('app.js', 'feed.js'));
  const game = { move: () => null, tell: ({ type, seat }) => `${type} ${seat}` }, feed = new Feed(() => ({}));
  const taken = (seat) => ({ type: 'seat_taken', seat });
  const all = [{ type: 'game_created' }, taken(0), taken(1), { type: 'seat_left', seat: 1 }, taken(1), taken(2)];
  if (begun) all.push({ type: 'game_started' }, { type: 'moved', seat: 1 }, taken(2));
  const events = all.map((payload, n) => ({ seq: n + 1, turn: payload.type === 'moved' ? 1 : 0, payload }));
  feed.tell(game, events.slice(0, 3), { name: (seat) => ['Astrid', 'Ketil', 'Dagny'][seat] });
  feed.add(game, events.slice(3), { name: (seat) => ['Astrid', 'Ketil', 'Dagny'][seat] });
  return [...feed.list.children].map((one) => one.textContent);
}"""


def test_the_beginning_of_a_game_is_one_line_of_the_log(page: Page) -> None:
    assert page.evaluate(OPENED, False) == ["Astrid, Ketil and Dagny sit down."]
    assert page.evaluate(OPENED, True) == [
        "Dagny sits down.",  # in the place of somebody who left
        "moved 1",
        "Astrid, Ketil and Dagny sit down, and the game begins.",
    ]


AT_ONCE = """const after = window.setTimeout;
window.setTimeout = (does, ms, ...more) => after(does, ms === 400 ? 0 : ms, ...more);
addEventListener('DOMContentLoaded', () => {
  window.opened = [];
  new MutationObserver(() => {
    const tip = document.querySelector('.explained:not([hidden])');
    if (tip) opened.push(tip.textContent);
  }).observe(document.body, { subtree: true, childList: true, attributeFilter: ['hidden'] });
});"""
"""Explanations open without delay, and are remembered."""


def test_a_focus_that_the_page_moves_opens_no_explanation(service: Running, browser: Browser) -> None:
    here = meets(service, browser, "slow")
    page, choose = here.who.page, here.choose
    page.add_init_script(AT_ONCE)
    page.reload()
    page.wait_for_selector(ASKED, state="attached")
    for target in page.locator(".board .target:not(.on)").all()[:2]:
        target.click()
    page.mouse.move(0, 0)
    page.evaluate("() => { opened.length = 0; }")  # of what the pointer rested on before it pressed
    choose.get_by_role("button", name="Confirm").press("Enter")
    skip = choose.get_by_role("button", name="Skip")
    expect(skip).to_be_focused()  # and not the list of speeds
    skip.press("Enter")
    here.answers("g4", "h4")
    expect(choose.locator(".teller")).to_contain_text("Dagny places pieces on")
    skip.press("Enter")
    expect(choose.locator(".ask")).to_have_text("Place two of your pieces on free points.")
    page.locator(".pace select").first.evaluate("one => one.focus()")
    page.evaluate("() => new Promise((go) => setTimeout(go, 0))")
    assert page.evaluate("opened") == []
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(page.locator(".explained")).to_contain_text("How fast moves are played")
    assert here.who.complaints == []


OLDER = """async () => {
  const { Combats } = await import(document.scripts[0].src.replace('app.js', 'combats.js'));
  const game = { combat: ({ n }) => ({ title: `Siege ${n}`, steps: [] }) };
  const combats = new Combats(() => null), shown = [];
  const know = (most) => {
    combats.know([1, 2, 3, 4].slice(0, most).map((n) => ({ number: n, status: 'done', record: { n } })), game, {});
    shown.push(combats.element.querySelector('h2').textContent);
  };
  know(3);
  combats.element.querySelector('[data-about=earlier]').click();
  know(3);
  know(4);
  return shown;
}"""


def test_an_older_fight_is_looked_at_until_another_begins(page: Page) -> None:
    assert page.evaluate(OLDER) == ["Siege 3", "Siege 2", "Siege 4"]
