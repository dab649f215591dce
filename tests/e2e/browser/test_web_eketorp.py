"""A round of Eketorp in the browser, against friends whose choices are known."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.e2e.running import Running

from .person import PHONE, Person
from .test_web_life import Friend

CARD = "A g1, C g1, C c1"


def presses(page: Page, *names: str) -> None:
    for name in names:
        page.locator(".choose").get_by_role("button", name=name).first.click()


def answers(friend: Friend, game: str, **action: Any) -> None:
    """The friend's next choice: this action, or the first that is legal."""
    turn = friend.get(f"/v1/games/{game}/turn")
    friend.post(f"/v1/games/{game}/submissions", turn=turn["turn"], action=action or turn["legal"]["actions"][0])


def sits_down(service: Running, browser: Browser, *, motion: bool = False) -> tuple[Person, list[Friend], str]:
    """Somebody on seat 2, who is first player, with two friends."""
    friends = [Friend(service, "Dagny"), Friend(service, "Ketil")]
    options = {"material_cards": [CARD] * 12, "first_player": 2}
    game = friends[0].post("/v1/games", ruleset="eketorp", seats=3, options=options)["id"]
    friends[1].post(f"/v1/games/{game}/seats", seat=1)
    who = Person.arrives(browser, motion=motion)
    who.page.goto(service.url)
    who.page.locator(f"a[href='#/games/{game}']").click()
    who.page.get_by_role("button", name="Sit down").click()
    return who, friends, game


def test_a_round_from_the_placement_to_the_walls(service: Running, browser: Browser) -> None:
    who, friends, game = sits_down(service, browser)
    page = who.page
    choose = page.locator(".choose")

    def sends(*places: str) -> None:
        for place in places:
            page.locator(f".board .target[data-place='{place}']").click()

    names = page.locator(".board .village > text.b")
    expect(names.filter(has_text="Dagny: 5 points")).to_have_count(1)
    expect(names.filter(has_text="Seat")).to_have_count(0)
    sends("A", "1:boat", "C", "C", "1:boat")  # and back again
    choose.locator("summary").click()
    choose.locator(".small").get_by_role("button", name="field F").click()
    expect(page.locator(".board .target[data-place=C] .badge")).to_have_text("2")
    expect(page.locator(".board .target[data-place='1:boat'] .badge")).to_have_count(0)
    expect(choose.locator(".left")).to_have_text("4 Vikings stay at home and defend.")
    presses(page, "Undo")
    expect(choose.locator(".left")).to_have_text("5 Vikings stay at home and defend.")
    expect(choose.locator(".sent li", has_text="Field C").locator(".token")).to_have_count(2)
    presses(page, "Field C: one Viking fewer")
    expect(choose.locator(".left")).to_have_text("6 Vikings stay at home and defend.")
    sends("C")
    presses(page, "Confirm")
    expect(choose).to_contain_text("nobody else knows what, and you may change it")
    answers(friends[0], game, type="place", fields={"A": 1}, sieges=[])
    answers(friends[1], game, type="place", fields={}, sieges=[])

    expect(choose.locator(".ask")).to_have_text("You attack Dagny. Will you exchange your hand first?")
    expect(choose.locator(".hand .playing")).to_have_count(4)
    expect(choose.locator(".since")).to_contain_text("fights Dagny for field A")
    presses(page, "Exchange all 4 cards for 4 of your 5 amulets", "Keep this hand")
    expect(choose.locator(".will")).to_have_text("Keep the hand")  # another click is another choice
    presses(page, "Confirm")
    expect(page.locator(".status")).to_contain_text("Waiting for Dagny")
    answers(friends[0], game, type="stand")

    expect(choose.locator(".ask")).to_have_text("You attack Dagny. Choose your card, in secret.")
    choose.locator(".hand button").nth(3).click()
    page.set_viewport_size(PHONE)
    who.look("eketorp-card-phone")
    assert who.violations() == []
    assert who.cut_off() == []
    presses(page, "Confirm")
    expect(page.locator(".status")).to_contain_text("Waiting for Dagny")
    answers(friends[0], game)

    told = page.locator(".combats")
    record = friends[0].get(f"/v1/games/{game}/combats")["items"][0]["record"]
    cards = record["cards"]
    expect(told.locator(".between")).to_contain_text(f"{cards['attacker']} : {cards['defender']}")
    both = [str(cards["attacker"]), str(cards["defender"])]  # each as it was played, also when they changed owners
    expect(told.locator(".arena .playing")).to_have_text(both)
    verdicts = told.locator(".verdict")
    if record["winner"] is None:
        expect(verdicts).to_have_text(["a tie", "a tie"])
    else:
        by = record["difference"]
        said = [f"wins by {by}" if seat == record["winner"] else f"loses by {by}" for seat in (2, 0)]
        expect(verdicts).to_have_text(said)
        expect(told.locator(".won .playing")).to_have_text(str(max(cards.values())))
    expect(told.locator(".swapped li")).to_have_text([f"{both[0]}goes to Dagny0", re.compile(f"^{both[1]}goes to ")])
    expect(told.locator(".fight li.last")).to_contain_text(f"Dagny the {both[0]}. ")
    expect(told.locator(".stations li")).to_have_count(len(record["wounded"]))
    told.get_by_role("button", name="rule E4.6").click()
    expect(page.get_by_role("dialog").locator("dd").first).to_contain_text("cards change owners")
    page.get_by_role("dialog").get_by_role("button", name="Close").click()

    expect(choose.locator(".ask")).to_have_text("Which stone do you take from field C?")
    presses(page, "clay, worth 3")
    expect(choose.locator(".will")).to_have_text("Take clay from field C")
    presses(page, "Confirm")
    expect(page.locator(".board .target")).to_have_count(6)
    wide = page.locator(".board svg").evaluate("(one) => one.viewBox.baseVal.width")
    assert wide < 260, "one's own fort is as large as a telephone shows it"
    assert who.too_small(44, ".board .reach") == []
    page.get_by_role("button", name="Whole board").click()
    assert page.locator(".board svg").evaluate("(one) => one.viewBox.baseVal.width") == 400
    page.get_by_role("button", name="Closer").click()
    sends("wall 2 3")
    expect(page.locator(".board .laid")).to_have_count(1)
    expect(page.locator(".board .target[data-place='wall 2 3']")).to_have_attribute("aria-pressed", "true")
    expect(choose.locator(".sent li")).to_have_text(re.compile("wall 3"))
    presses(page, "Take the top stone back from wall 3")
    expect(page.locator(".board .laid")).to_have_count(0)
    presses(page, "clay, worth 3")
    sends("wall 2 5")
    presses(page, "Lay the rest for me")
    expect(choose.locator(".will")).to_have_text(re.compile("^Build clay on wall 5(,| and)"))
    who.look("eketorp-building-phone")
    assert who.violations() == []
    assert who.cut_off() == []
    presses(page, "Confirm")
    for friend in friends:
        turn = friend.get(f"/v1/games/{game}/turn")
        if turn["kind"] == "building" and turn["yours"]:
            answers(friend, game)

    expect(choose.locator(".since")).to_contain_text("builds clay on wall 5")
    expect(choose.locator(".left")).to_be_visible()
    for friend in friends:
        friend.post(f"/v1/games/{game}/resignations")
    expect(page.locator(".result h2")).to_have_text("You have won!")
    expect(page.locator(".tally")).to_have_count(3)  # everybody's
    parts = page.locator(".scores .own .tally li").all_inner_texts()
    assert [part.rpartition(" rule ")[2] for part in parts] == ["E7"] * len(parts)
    numbers = [int(part.split(": ")[1].split()[0]) for part in parts]
    assert sum(numbers) == int(page.locator(".scores .own .number").inner_text())
    assert who.cut_off() == []
    assert who.too_small() == []
    expect(page.locator(".scores .own")).to_contain_text("amulets left: 5")

    page.locator(".result a", has_text="Watch it again").click()
    slider = page.locator("input[type=range]")
    slider.press("Home")
    page.wait_for_function("() => location.hash.endsWith('/replay/0')")
    expect(told).to_be_hidden()
    slider.press("ArrowRight")
    expect(told).to_contain_text("The cards are not chosen yet.")
    seen_by, held = page.get_by_role("group", name="Seen by").get_by_role("button"), []
    page.route("**/board.svg?at=1&as_seat=1", lambda route: held.append(route))
    with page.expect_request("**/board.svg?at=1&as_seat=1"):
        seen_by.nth(2).click()
    seen_by.nth(1).click()  # while the other picture is on its way
    with page.expect_response("**/board.svg?at=1&as_seat=0"):
        held[0].continue_()
    expect(page.locator(".board .card.hand[data-seat='0'][data-card]").first).to_be_attached()
    expect(page.locator(".board .card.hand[data-seat='1'][data-card]")).to_have_count(0)
    slider.press("End")
    expect(told.locator(".between")).to_contain_text(f"{cards['attacker']} : {cards['defender']}")
    assert who.complaints == []


SAYS = """async () => {
  const file = (name) => import(document.scripts[0].src.replace('app.js', `games/eketorp/${name}.js`));
  const [{ default: game }, { default: lesson }] = await Promise.all(['screen', 'lesson'].map(file));
  const name = (seat) => ['Dagny', 'Ketil'][seat];
  const record = { number: 1, kind: 'siege', space: '1:ram', attacker: 0, defender: 1, undefended: false, amulets: {},
    cards: { attacker: 4, defender: 2 }, difference: 2, winner: 0, wounded: [], loot: { walls: {}, kept: null } };
  const revealed = { type: 'cards_revealed', attacker: 0, defender: 1, attacker_card: 4, defender_card: 2,
    difference: 2, winner: 0, undefended: false, forced: [1] };
  const fields = { A: { stones: { grass: 1 } }, F: { stones: { clay: 1 } } };
  const legal = { actions: ['A', 'F'].map((space) => ({ type: 'fight', space, against: 1 })) };
  const hint = (hand) => {
    const { words, press } = lesson.hints.initiative, ctx = { legal, view: { fields, hand } };
    return [words(ctx), ...press(ctx)];
  };
  return {
    step: game.combat(record, { name }).steps.at(-1).words,
    choosing: [[], [1], [0, 1]].map((cards_forced) => {
      const { rule, words } = game.combat({ ...record, cards_forced }, { name }).steps[1];
      return `${rule} ${words}`;
    }),
    must: game.tell({ type: 'loot_declined', seat: 0, forced: true }, { name }),
    may: game.tell({ type: 'loot_declined', seat: 0, forced: false }, { name }),
    card: game.tell(revealed, { name }),
    weak: hint([2]), strong: hint([2, 5]),
  };
}"""


def test_what_one_is_not_asked_and_what_is_hinted_have_their_reason(page: Page) -> None:
    told = page.evaluate(SAYS)
    assert told["step"] == "Dagny takes no loot: only stones worth 2 at most could be pulled down, from the top."
    assert told["choosing"] == [
        "E4.4 Both choose their cards in secret.",
        "C3 Ketil has one card only, and plays it. Dagny chooses in secret.",
        "C3 Both have one card only, and play it.",
    ]
    assert "is worth more than the difference" in told["must"]
    assert told["may"] == "Dagny takes no loot."
    assert "Ketil had no other card." in told["card"]
    assert "Dagny had no other card." not in told["card"]
    assert "the least is at stake" in told["weak"][0]
    assert told["weak"][1] == "A fight 1"
    assert "the most is at stake" in told["strong"][0]
    assert told["strong"][1] == "F fight 1"


NEAR = """async () => {
  const { default: game } = await import(document.scripts[0].src.replace('app.js', 'games/eketorp/screen.js'));
  const name = (seat) => ['Dagny', 'Ketil', 'Cnut'][seat];
  const built = (n) => Array.from({ length: 6 }, (_, at) => Array(Math.max(0, Math.min(3, n - 3 * at))).fill('grass'));
  const told = (round, seat, ...stones) => {
    const seats = stones.map((n, at) => ({ seat: at, walls: built(n) }));
    return game.standing({ view: { round, first: 0, phase: 'placement', seats, result: null }, seat, name }).slice(1);
  };
  return { far: told(9, 0, 15, 15, 0), others: told(5, 0, 3, 17, 16), own: told(5, 0, 17, 3, 3),
    last: told(10, 0, 3, 17, 3), lastOwn: told(10, 0, 16, 3, 3), watched: told(5, null, 17, 3, 3) };
}"""


def test_the_end_of_the_game_is_told_before_it_comes(page: Page) -> None:
    told = page.evaluate(NEAR)
    ends = "and the game ends with that round."
    beyond = "What you bring home beyond 18 stones lies aside, and its value counts in the end all the same."
    assert told["far"] == []
    assert told["others"] == [
        f"Ketil has built 17 of 18 stones: one more, {ends}",
        f"Cnut has built 16 of 18 stones: two more, {ends}",
    ]
    assert told["own"] == [f"You have built 17 of 18 stones: one more, {ends}", beyond]
    assert told["last"] == ["This is the last round."]
    assert told["lastOwn"] == ["This is the last round.", beyond]
    assert told["watched"] == [f"Dagny has built 17 of 18 stones: one more, {ends}"]


SIGNS = """async () => {
  const file = (name) => import(document.scripts[0].src.replace('app.js', name));
  const [{ default: game }, { Board }] = await Promise.all(['games/eketorp/screen.js', 'board.js'].map(file));
  const board = new Board(() => null);
  board.signs = game.signs;
  const shown = (settled, at) => {
    board.put(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400">
      <g class="siege" data-at="1:ram" data-settled="${settled}"/>
      <g class="stone" data-at="${at}" data-kind="clay"/></svg>`);
    board.offer(game, { name: String }, [], [], () => {});
    const lines = [...board.legend.element.querySelectorAll('li:not([hidden])')];
    return lines.map((one) => one.textContent);
  };
  return [shown(false, '0/1'), shown(true, '0/1'), shown(false, '0/aside')];
}"""


def test_signs_on_the_picture_are_told_where_they_are(page: Page) -> None:
    tick, aside = "✓this siege is settled", "asidebeyond 18 stones: its value counts"
    assert page.evaluate(SIGNS) == [[], [tick], [aside]]
