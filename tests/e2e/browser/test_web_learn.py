"""The first games at the web table: played by what the coach points at, strayed from, left and taken up again."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.e2e.running import Running

from .person import ASKED, DESKTOP, Person

PHONE = ViewportSize(width=390, height=844)
MOST_CARDS = 16
"""Of a lesson. Each way a fight may come out is told when it is met first, and bots do not always play alike."""
BELOW_THE_BOARD = """() => {
  const { top, bottom } = document.querySelector('.coach h2').getBoundingClientRect();
  return top >= document.querySelector('.board').getBoundingClientRect().bottom - 1 && bottom <= innerHeight;
}"""
COACH = ".table:not([data-playing]) .coach:not([data-step=''])"
POINTED = """() => {
  const coach = document.querySelector('.coach'), table = document.querySelector('.table');
  if (!coach || table.dataset.playing !== undefined || !coach.dataset.step) return null;
  const found = coach.querySelector('[data-key=next], [data-key=rest]')
    || document.querySelector('.choose .pointed:enabled')
    || [...document.querySelectorAll('.pointers > *')].map((one) => one.dataset.to)
      .map((name) => document.querySelector(`.target[data-place="${name}"]`)).find(Boolean);
  if (!found && coach.dataset.step !== 'ending') return null; // or it is pressed, before anything is drawn anew
  const chosen = document.querySelector('.choose').innerHTML;
  const shown = { step: coach.dataset.step, turn: table.dataset.turn, chosen };
  if (found) found.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  return shown;
}"""
DONE = """({step, turn, chosen}) => {
  const table = document.querySelector('.table');
  return document.querySelector('.coach').dataset.step !== step || table.dataset.turn !== turn ||
    document.querySelector('.choose').innerHTML !== chosen;
}"""

OR_OVER = "() => document.querySelector('.table').dataset.status === 'over' || "


def follows(page: Page, most: int = 120) -> list[str]:
    """Do what the coach points at, and nothing else, until they say that this is all: the steps that were shown."""
    seen: list[str] = []
    for _ in range(most):
        shown = page.wait_for_function(POINTED).json_value()
        if shown["step"] not in seen:
            seen.append(shown["step"])
        if shown["step"] == "ending":
            return seen
        page.wait_for_function(DONE, arg=shown)
    raise AssertionError(f"the first game did not end: {seen}")


@pytest.mark.parametrize(
    ("game", "viewport", "least"),
    [
        ("claim", PHONE, {"goal", "place", "more", "removal", "move catch"}),
        ("drakkars", DESKTOP, {"goal", "sail", "loot", "two", "fight ships", "home", "end"}),
        ("eketorp", PHONE, {"goal", "fields", "place", "build", "round", "sieges"}),
    ],
)
def test_whoever_does_what_is_pointed_at_learns_the_game(
    service: Running, browser: Browser, game: str, viewport: ViewportSize, least: set[str]
) -> None:
    who = Person.arrives(browser, viewport=viewport)
    page = who.page
    page.goto(service.url)
    page.locator(f'.picks a[href="#/learn/{game}"]').click()
    expect(page.locator(".coach")).to_have_attribute("data-step", "goal")
    for colours in ("light", "dark"):
        page.emulate_media(color_scheme=colours)
        who.look(f"learn-{game}-{colours}-{viewport['width']}")
        assert who.violations() == []
    assert who.cut_off() == []
    if viewport == PHONE:
        assert who.too_small(44, ".coach button, .tablehead a, .tablehead button") == []
    page.locator(".coach .rule").click()  # the rule itself is one tap away
    expect(page.locator("dialog .rules dt").first).to_have_text(re.compile(r"^[DEK]\d"))
    page.locator("dialog").get_by_role("button", name="Close").click()
    seen = follows(page)
    assert all(any(key in seen for key in either.split()) for either in least), seen
    assert 6 <= len([step for step in seen if not step.startswith("hint")]) <= MOST_CARDS, seen
    who.look(f"learn-{game}-ending")
    assert (who.violations(), who.cut_off()) == ([], [])
    page.locator(".coach [data-key=on]").click()
    expect(page.locator(".coach")).not_to_have_attribute("data-step", "ending")
    page.locator(".coach [data-key=quiet]").click()  # hints go on for whoever wants them
    expect(page.locator(".coach")).to_be_hidden()
    page.wait_for_selector(ASKED, state="attached")  # and the game goes on
    assert who.complaints == []


@pytest.mark.slow
def test_who_goes_on_with_hints_hears_why_the_winner_won(service: Running, browser: Browser) -> None:
    who = Person.arrives(browser)
    page = who.page
    page.goto(f"{service.url}/#/learn/claim")
    follows(page)
    page.locator(".coach [data-key=on]").click()
    over = page.locator(".table[data-status=over]")
    for _ in range(400):
        shown = page.wait_for_function(OR_OVER + f"({POINTED})()").json_value()
        if over.count():
            break
        page.wait_for_function(OR_OVER.replace("() =>", "(shown) =>") + f"({DONE})(shown)", arg=shown)
    expect(page.locator(".why .rule")).to_have_text(re.compile("rule K6"))
    expect(page.locator(".coach")).to_be_hidden()
    expect(page.locator(".scores .own .tally .rule").first).to_have_text("rule K6.1")
    assert who.complaints == []


@pytest.mark.slow
def test_the_coach_shows_how_a_fight_was(service: Running, browser: Browser) -> None:
    """With the cards as they were played, why it came out so, and which card goes to whom."""
    who = Person.arrives(browser, viewport=PHONE)
    page = who.page
    page.goto(f"{service.url}/#/learn/eketorp")
    page.wait_for_selector(COACH)
    told: dict[str, list[str]] = {}
    for _ in range(120):
        page.wait_for_selector(COACH)
        step = page.locator(".coach").get_attribute("data-step") or ""
        if step == "ending":
            break
        if step in ("won", "lost", "tie", "defended") and step not in told:
            told[step] = page.locator(".coach").all_inner_texts()
            expect(page.locator(".coach .arena .playing")).to_have_count(2)
            expect(page.locator(".coach .swapped li")).to_have_count(2)
            if page.locator(ASKED).count():
                page.wait_for_function(BELOW_THE_BOARD)  # what is to be read, though a question waits below it
            assert re.search(
                r"(beats|loses against|counts 0|a tie).*Then the cards change owners", told[step][0], re.DOTALL
            )
            who.look(f"learn-eketorp-{step}")
            assert (who.violations(), who.cut_off()) == ([], [])
        shown = page.wait_for_function(POINTED).json_value()
        page.wait_for_function(DONE, arg=shown)
    assert told, "nobody fights in a first round"
    assert who.complaints == []


def test_nothing_chosen_is_confirmed_by_a_quiet_button(service: Running, browser: Browser) -> None:
    """One press for whoever knows what they do; a second look while the coach asks for something."""
    who = Person.sits_down(browser, service.url, "eketorp")
    page, go = who.page, who.page.locator(".choose .go")
    expect(page.locator(".choose .will")).to_have_count(0)
    expect(go).to_have_text("Keep everybody at home")  # it says itself what it does
    expect(go).to_have_class(re.compile("idle"))
    page.locator(".board .target[data-place=A]").click()
    expect(go).to_have_text("Confirm")
    expect(go).not_to_have_class(re.compile("idle"))
    page.locator(".choose").get_by_role("button", name="Undo").click()
    expect(go).to_have_class(re.compile("idle"))
    assert who.violations() == []
    who.confirms()
    page.goto(f"{service.url}/#/learn/eketorp")
    page.wait_for_selector(COACH)
    for _ in range(2):
        page.locator(".coach [data-key=next]").click()
    expect(page.locator(".coach")).to_have_attribute("data-step", "place")
    turn = page.locator(".table").get_attribute("data-turn")
    go.click()
    asked = page.get_by_role("dialog")
    expect(asked).to_contain_text("Keep everybody at home")
    asked.get_by_role("button", name="Choose something").click()
    expect(page.locator(".coach")).to_have_attribute("data-step", "place")
    expect(page.locator(".table")).to_have_attribute("data-turn", str(turn))
    go.click()
    page.get_by_role("dialog").get_by_role("button", name="Do that").click()
    expect(page.locator(".coach")).not_to_have_attribute("data-step", "place")
    assert who.complaints == []


@pytest.mark.slow
def test_who_does_something_else_is_led_on_and_may_come_back(service: Running, browser: Browser) -> None:
    who = Person.arrives(browser)
    page = who.page
    page.goto(f"{service.url}/#/learn/drakkars")
    coach = page.locator(".coach")
    coach.locator("[data-key=next]").click()
    expect(coach).to_have_attribute("data-step", "sail")
    expect(page.locator('.choose .pointed[data-step="card 8"]')).to_be_visible()
    page.locator('.choose [data-step="card 4"]').click()  # another card than the one that is pointed at
    page.locator('.target[data-place="ship 0.0"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator(".choose .go")).to_have_class(re.compile("pointed"))  # what they chose is as good
    who.confirms()
    page.wait_for_selector(ASKED, state="attached")
    expect(coach).to_be_visible()
    expect(coach).not_to_have_attribute("data-step", "sail")
    address = page.evaluate("() => JSON.parse(localStorage.getItem('holmgang.lessons'))")
    page.get_by_role("link", name="Leave it for now").click()
    page.wait_for_selector(".picks")
    page.locator('.picks a[href="#/learn/drakkars"]').click()
    page.wait_for_selector(COACH)
    page.get_by_role("link", name="Leave it for now").click()
    begun = page.locator(".panel", has=page.get_by_role("heading", name="Your games")).locator(".games a")
    expect(begun).to_have_attribute("href", "#/learn/drakkars")
    begun.click()
    page.wait_for_selector(COACH)
    assert page.evaluate("() => JSON.parse(localStorage.getItem('holmgang.lessons'))") == address
    page.wait_for_selector(ASKED, state="attached")
    page.locator('.choose [data-step="draw"]').click()  # and again
    who.confirms()
    page.wait_for_selector(ASKED, state="attached")
    assert "ending" in follows(page)
    page.get_by_role("button", name="A game against bots").click()
    expect(page.locator(".table:not([data-lesson])")).to_have_attribute("data-status", "active")
    assert who.complaints == []


def test_a_game_offers_its_first_game_once(service: Running, browser: Browser) -> None:
    who = Person.arrives(browser, viewport=PHONE)
    page = who.page
    page.goto(service.url)
    page.locator("[data-play=claim]").click()
    expect(page.locator(".firstlook")).to_contain_text("New to Claim?")
    assert (who.violations(), who.cut_off(), who.too_small(44, ".firstlook a, .firstlook button")) == ([], [], [])
    page.locator(".firstlook button").click()
    expect(page.locator(".firstlook")).to_be_hidden()
    page.reload()
    page.wait_for_selector(ASKED, state="attached")
    expect(page.locator(".firstlook")).to_have_count(0)
    page.goto(f"{service.url}/#/learn/nothing")
    expect(page.locator("#main")).to_contain_text("There is no first game of nothing here.")
    assert who.complaints == []


def test_a_result_says_why_with_its_rules(service: Running, browser: Browser) -> None:
    page = Person.arrives(browser).page
    page.goto(f"{service.url}/#/learn/claim")
    page.wait_for_selector(COACH)
    (begun,) = page.evaluate("() => Object.values(JSON.parse(localStorage.getItem('holmgang.lessons')))")
    page.goto(f"{service.url}/#/games/{begun['game']}")
    page.get_by_role("button", name="Give up").click()
    page.locator("dialog").get_by_role("button", name="Give up").click()
    result = page.locator(".result")
    expect(result.locator("h2")).to_have_text("You have lost")
    expect(result.locator(".why")).to_contain_text("All others had given up.")
    expect(result.get_by_role("button", name="A game against bots")).to_be_visible()  # there is no rematch
    result.locator(".why .rule").click()
    expect(page.locator("dialog")).to_contain_text("C7")


FIGHT = """async ([cards, seat, loads]) => {
  const file = (name) => document.scripts[0].src.replace('app.js', name);
  const { default: lesson } = await import(file('games/drakkars/lesson.js'));
  const [attacker, defender] = cards, difference = Math.abs(attacker - defender), winner = attacker >= defender ? 0 : 1;
  const ships = [{ ship: 0, at: 'sea', cell: 4, rank: 1 }];
  const view = { hand: [2, 6, 10], seats: loads.map((load) => ({ ships, cargo: [load] })),
    combat: { attacker: 0, attacker_ship: 0, defender: 1, defender_ship: 0 } };
  const ctx = { view, seat, name: (one) => `seat ${one}`, turn: { yours: true }, kind: 'battle_card' };
  const fight = { combat: 1, attacker: 0, defender: 1, difference, winner,
    attacker_card: attacker, defender_card: defender };
  const loser = { combat: 1, owner: 1 - winner, ship: 0, start: 4, end: 5 };
  const taken = { type: 'cargo_taken', combat: 1, seat: winner, coins: loads[1 - winner] };
  const past = [{ type: 'cards_revealed', ...fight },
    ...(Object.keys(loads[1 - winner]).length && difference < 4 ? [taken] : []),
    { type: difference > 3 ? 'ship_destroyed' : 'ship_fled', ...loser }];
  const { hints } = lesson, fought = lesson.steps.find((one) => typeof one.key === 'function' && one.when(ctx, past));
  const [words, rule, title] = ['words', 'rule', 'title'].map((part) => fought[part](ctx, past));
  return { before: hints.battle_card.words(ctx), press: hints.battle_card.press(ctx), words, rule, title };
}"""


@pytest.mark.parametrize(
    ("cards", "seat", "loads", "press", "before", "title", "words", "rule"),
    [
        ((10, 10), 1, ({}, {"gold": 2}), "card 10", "a tie goes to the attacker", "You lost the fight: a tie",
         "a tie goes to the attacker, so seat 0 wins. That is at most 3 apart: your first ship flees. Seat 0 takes its"
         " 2 gold.", "D5.6"),
        ((9, 7), 0, ({}, {"silver": 1}), "card 10", "a tie is yours", "You won the fight",
         "seat 0 shows 9, seat 1 7: seat 0 wins by 2.", "D5.6.1"),
        ((9, 2), 1, ({}, {}), "card 6", "Neither ship carries coins", "You lost the fight",
         "more than 3 apart: your first ship is destroyed", "D5.6.2"),
    ],
)  # fmt: skip
def test_the_coach_of_drakkars_tells_what_a_fight_is_about_and_why_it_was_won(
    page: Page, cards: tuple[int, int], seat: int, loads: tuple[dict[str, int], ...], press: str, before: str,
    title: str, words: str, rule: str,
) -> None:  # fmt: skip
    told = page.evaluate(FIGHT, [cards, seat, loads])
    assert (told["press"], told["title"], told["rule"]) == ([press], title, rule)
    assert before in told["before"]
    assert words.lower() in told["words"].lower()


TOP = "one => one.getBoundingClientRect().top + scrollY"


def test_marks_on_the_board_are_told_apart(service: Running, browser: Browser) -> None:
    who = Person.arrives(browser)
    page = who.page
    page.goto(f"{service.url}/#/learn/drakkars")
    marks = page.locator(".marks li:visible")
    expect(marks).to_have_text(["frame: you may press it", "gold ring: the hint"])
    colours = "one => getComputedStyle(one).stroke"
    ring, frame = (page.locator(one).first.evaluate(colours) for one in (".pointers .ring", ".target .hit"))
    assert ring != frame
    page.wait_for_function(DONE, arg=page.wait_for_function(POINTED).json_value())
    expect(page.locator(".coach")).to_have_attribute("data-step", "sail")
    expect(page.locator(".coach")).to_contain_text("leads just to a town, on cell")
    places = "all => all.map((one) => one.dataset.to ?? one.dataset.place)"
    ringed, able = (page.locator(one).evaluate_all(places) for one in (".pointers .ring", ".board .target"))
    assert set(ringed) <= set(able), "a ring is on what can be pressed"
    top = page.locator(".board").evaluate(TOP)
    page.locator(".board .target").first.click()
    expect(page.locator(".marks li[data-kind=chosen]")).to_be_visible()
    assert page.locator(".board").evaluate(TOP) == top, "the board jumps"
    page.locator(".choose").get_by_role("button", name="Undo").click()
    for _ in range(2):
        page.wait_for_function(DONE, arg=page.wait_for_function(POINTED).json_value())
    page.wait_for_function(DONE, arg=page.wait_for_function(POINTED).json_value())
    page.wait_for_selector(COACH)
    expect(page.locator(".marks li[data-kind=fresh]")).to_be_visible()
    expect(page.locator(".board path.fresh")).to_have_count(1)  # a cell of the shield, in its own shape
    assert page.locator(".fresh:not(.marks *)").first.evaluate(colours) not in (ring, frame)
    assert who.complaints == []


@pytest.mark.parametrize("script", ["screen", "lesson"])
def test_a_script_that_is_lost_once_is_fetched_again(service: Running, browser: Browser, script: str) -> None:
    who = Person.arrives(browser)
    page = who.page
    page.route(f"**/{script}.js", lambda route: route.abort(), times=1)
    page.goto(f"{service.url}/#/learn/claim")
    page.wait_for_selector(COACH)
    assert [one for one in who.complaints if not one.startswith("error: Failed to load resource")] == []
