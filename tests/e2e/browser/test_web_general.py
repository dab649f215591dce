"""The screen of games that bring none, tried with those of the house, whose screens are taken away."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from holmgang import registry
from holmgang.checking.walks import walk
from holmgang.engine.turn import Await
from holmgang.languages.catalogue import translation
from tests.e2e.running import Running

from .person import ASKED, ASKED_OR_OVER, Person
from .test_web_languages import speaker
from .test_web_table import SCREENS, Screen, judge

ROUND = """async (asked) => {
  const { Form } = await import(document.scripts[0].src.replace('app.js', 'form.js'));
  const sorted = (name, value) => (value && !Array.isArray(value) && typeof value === 'object'
    ? Object.fromEntries(Object.entries(value).sort()) : value);
  const told = (value) => JSON.stringify(value, sorted);
  return asked.flatMap(({ schema, values }) => values.map((value) => {
    const composer = new Form(schema, 'question').composer([]);
    composer.from(value);
    const read = composer.action([]);
    return told(read) === told(value) ? null : `${told(value)} became ${told(read)}`;
  })).filter(Boolean);
}"""
REACHED = """async (asked) => {
  const { General } = await import(document.scripts[0].src.replace('app.js', 'general.js'));
  const faults = [];
  for (const { kind, actions, places } of asked) {
    const general = new General({ ruleset: 'any', title: 'Any' });
    const ctx = { kind, legal: { actions }, turn: { turn: 1, context: { round: 2 } }, places, name: (n) => `seat ${n}` };
    const composer = general.compose(ctx);
    for (const action of actions) {
      const chosen = [];
      for (let n = 0; n < 40 && composer.action(chosen) === null; n += 1) {
        const steps = composer.options(chosen);
        if (new Set(steps.map((one) => one.key)).size < steps.length) faults.push(`two of ${kind} have a key`);
        if (!general.ask(ctx, chosen)) faults.push(`nothing is asked of ${kind}`);
        const next = steps.find((one) => JSON.stringify(action) === one.key)
          || steps.find((one) => one.pointer !== undefined && JSON.stringify(part(action, one.pointer)) === one.key.slice(one.pointer.length + 1));
        if (!next) break;
        chosen.push(next);
      }
      if (composer.action(chosen) !== action) faults.push(`${JSON.stringify(action)} is not reached`);
      if (!general.describe(action, ctx)) faults.push(`${JSON.stringify(action)} is not told`);
    }
  }
  return faults;
  function part(action, pointer) {
    let found = action;
    for (const name of pointer.split('/').slice(1)) found = found === undefined || found === null ? undefined : found[name];
    return typeof found === 'object' && found !== null ? null : found;
  }
}"""  # noqa: E501
GIVEN = """async (schema) => {
  const { Form } = await import(document.scripts[0].src.replace('app.js', 'form.js'));
  const form = new Form(schema, 'question');
  const left = form.composer([]).action([]);
  form.element.querySelectorAll('input[type=checkbox]').forEach((one) => one.click());
  return [left, form.composer([]).action([])];
}"""
ODD = {
    "anyOf": [{"$ref": "#/$defs/Tree"}, {"$ref": "#/$defs/Odd"}],
    "$defs": {
        "Tree": {
            "type": "object",
            "properties": {
                "type": {"enum": ["tree"]},
                "name": {"type": "string", "pattern": "^[a-z]+$(?!\\n)"},
                "under": {"anyOf": [{"$ref": "#/$defs/Tree"}, {"type": "null"}]},
            },
            "required": ["type", "name", "under"],
        },
        "Odd": {
            "type": "object",
            "properties": {
                "type": {"const": "odd"},
                "whether": {"type": "boolean"},
                "share": {"type": "number", "exclusiveMinimum": 0},
                "pair": {"type": "array", "prefixItems": [{"type": "integer"}, {"enum": ["a", "b"]}], "items": False},
                "sizes": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "integer"}}},
                "maybe": {"type": ["string", "null"]},
                "later": {"type": "integer", "minimum": -3, "default": 1},
                "note": {"type": "string", "default": ""},
                "any": {},
            },
            "required": ["type", "whether", "share", "pair", "sizes", "maybe"],
        },
    },
}
"""What schemas can say, and no game of the house does."""
VALUES = [
    {"type": "tree", "name": "ash", "under": {"type": "tree", "name": "root", "under": None}},
    {"type": "odd", "whether": True, "share": 0.5, "pair": [-2, "b"], "sizes": {"x": [1, 2], "y": []}, "maybe": None},
    {
        "type": "odd",
        "whether": False,
        "share": 2,
        "pair": [0, "a"],
        "sizes": {},
        "maybe": "so",
        "later": -3,
        "any": [{}],
    },
    {"type": "odd", "whether": True, "share": 1, "pair": [1, "a"], "sizes": {}, "maybe": "", "note": ""},
]


def without_screens(page: Page) -> None:
    """As if no game had brought anything."""

    def bare(route: Route) -> None:
        answer = route.fetch()
        text = answer.text()
        for form, other in (
            (r'"screen": true', '"screen": false'),
            (r'"style": true', '"style": false'),
            (r'"sign": "[^"]+"', '"sign": ""'),
        ):
            text, found = re.subn(form, other, text)
            assert found
        route.fulfill(response=answer, body=text)

    page.route("**/app.js", bare)


def begins(browser: Browser, url: str, ruleset: str) -> Person:
    who = Person.arrives(browser)
    without_screens(who.page)
    who.page.goto(url)
    who.page.locator(f"[data-play={ruleset}]").click()
    who.page.wait_for_selector(ASKED, state="attached")
    return who


def plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


@pytest.mark.slow
@SCREENS
@pytest.mark.parametrize(
    ("ruleset", "choices"),
    [("claim", 26), ("drakkars", 8), ("eketorp", 8)],
)
def test_games_are_played_without_their_screens(
    service: Running, browser: Browser, ruleset: str, choices: int, screens: Sequence[Screen]
) -> None:
    who = begins(browser, service.url, ruleset)
    page, rng = who.page, random.Random(ruleset)
    kinds = set()
    for n in range(choices):
        page.wait_for_selector(ASKED_OR_OVER, state="attached")
        if page.locator(".result").count():
            break
        asked = page.locator(".choose .ask").inner_text()
        kind = re.split(r" \(|[.,]", asked.removeprefix("Choose: "))[0]
        if n and kind not in kinds:
            judge(who, f"general-{ruleset}-{kind.replace(' ', '-')}", screens)
        kinds.add(kind)
        who.chooses(rng)
    assert (
        kinds
        >= {
            "claim": {"placement", "removal"},
            "drakkars": {"sail"},
            "eketorp": {"placement", "battle card"},
        }[ruleset]
    )
    assert page.locator(".toast").count() == 0
    assert who.complaints == []
    assert not [url for url in who.requested if f"/web/games/{ruleset}/" in url]


def test_a_form_is_filled_in_by_keyboard_and_on_the_board(service: Running, browser: Browser) -> None:
    who = begins(browser, service.url, "claim")
    page, choose = who.page, who.page.locator(".choose")
    first, second = choose.get_by_label("Points 1"), choose.get_by_label("Points 2")
    view = next(body["view"] for got, body in reversed(list(who.bodies())) if "include=view" in got.url)
    taken = {point for seat in view["seats"] for point in seat["pieces"]}  # the bot may have begun
    free = [point for each in view["territories"] for point in each["points"] if point not in taken]
    one, two, three = free[:3]
    expect(choose.locator(".go")).to_have_count(0)
    first.press_sequentially(f"{one}x")
    first.press("ArrowLeft")
    first.press("Backspace")
    first.press("Delete")  # what is typed in the middle stays there
    expect(first).to_have_value(one[:-1])
    first.press_sequentially(one[-1])
    expect(first).to_be_focused()
    place = page.locator(f'.board .target[data-place="{two}"]')
    place.click()
    expect(second).to_have_value(two)
    expect(page.locator(".board .target")).to_have_count(0)
    expect(choose.locator(".will")).to_have_text(f"Place (points {one}, {two})")
    second.fill(one)
    choose.locator(".go").click()
    expect(page.locator(".toast")).to_contain_text("rule K2.1")
    second.fill(three)
    expect(choose.locator(".will")).to_have_text(f"Place (points {one}, {three})")
    choose.locator(".go").press("Enter")
    expect(page.locator(".feed")).to_contain_text(f"pieces placed (points {one}, {three})")
    assert who.violations() == []
    assert [one for one in who.complaints if "422" not in one] == []


@pytest.mark.slow
def test_a_sealed_choice_of_rows_and_lists_is_changed(service: Running, browser: Browser) -> None:
    """Nobody else has chosen: four sit there, and three of them are people."""
    friends = [Person.arrives(browser) for _ in range(3)]
    for friend in friends:
        without_screens(friend.page)
    host = friends[0].page
    host.goto(f"{service.url}/#/new/eketorp")
    host.locator("select[name=seats]").select_option("3")
    host.get_by_role("button", name="Create the game").click()
    expect(host.locator(".table")).to_have_attribute("data-status", "open")
    for friend in friends[1:]:
        friend.page.goto(host.url)
        friend.page.get_by_role("button", name="Sit down").click()
    host.wait_for_selector(ASKED, state="attached")
    choose = host.locator(".choose")
    choose.get_by_role("button", name="One more: Fields").click()
    expect(choose.locator(".go")).to_have_count(0)  # it is not whole
    choose.get_by_label("Which").fill("C")
    choose.get_by_label("Value").fill("2")
    choose.get_by_role("button", name="One more: Sieges").click()
    choose.get_by_role("button", name="Take away: Sieges 1").click()
    expect(choose.locator(".will")).to_have_text("Place (fields (C 2), sieges none)")
    choose.locator(".go").click()
    expect(choose).to_contain_text("You have chosen: Place (fields (C 2), sieges none)")
    choose.get_by_role("button", name="Change it").click()
    expect(choose.get_by_label("Which")).to_have_value("C")
    choose.get_by_label("Value").fill("3")
    assert friends[0].violations() == []
    choose.locator(".go").click()
    expect(choose).to_contain_text("You have chosen: Place (fields (C 3), sieges none)")
    assert friends[0].complaints == []


def test_the_general_screen_speaks_the_readers_language(service: Running, browser: Browser) -> None:
    who = speaker(browser, "nl-BE")
    without_screens(who.page)
    who.page.goto(service.url)
    who.page.locator("[data-play=claim]").click()
    asked = translation("Choose: {what}.", "nl", "web").format(what="placement")
    expect(who.page.locator(".choose .ask")).to_have_text(asked)
    example = translation("Fill in what would be allowed", "nl", "web")
    who.page.locator(".choose").get_by_role("button", name=example).click()
    expect(who.page.locator(".choose .go")).to_be_enabled()
    assert who.cut_off() == []
    assert who.complaints == []


def asked_in_random_games(ruleset: str) -> list[tuple[str, list[Any], list[Any]]]:
    """Of turns in which a seat chose: the kind, what was chosen, and all that was legal where that is not too much."""
    rules, rng = registry.latest(ruleset), random.Random(ruleset)
    found = []
    for seats in rules.seat_counts[:2]:
        for moment in walk(rules, rules.configure(seats, {}), rng).decisions():
            assert moment.seat is not None
            space = rules.moves(moment.before, moment.seat)
            listed = list(space) if (space.count() or 999) <= 200 else []
            assert isinstance(moment.turn, Await)
            found.append((moment.turn.kind, [plain(moment.action)], plain(listed)))
    return rng.sample(found, min(len(found), 60))


@pytest.mark.parametrize("ruleset", registry.names())
def test_forms_hold_every_action_of_games(page: Page, ruleset: str) -> None:
    kinds = registry.latest(ruleset).turn_kinds
    asked = [
        {"schema": msgspec.json.schema(kinds[kind]), "values": [*chosen, *legal[:20]]}
        for kind, chosen, legal in asked_in_random_games(ruleset)
    ]
    assert page.evaluate(ROUND, asked) == []


def test_forms_hold_whatever_schemas_say(page: Page) -> None:
    assert page.evaluate(ROUND, [{"schema": ODD, "values": VALUES}]) == []


def test_what_may_be_left_out_begins_with_its_default(page: Page) -> None:
    schema = {
        "type": "object",
        "properties": {
            "pieces": {"type": "integer", "default": 3},
            "note": {"type": "string", "default": ""},
            "of": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
        },
    }
    assert page.evaluate(GIVEN, schema) == [{}, {"pieces": 3, "note": "", "of": None}]


@pytest.mark.parametrize("ruleset", registry.names())
@pytest.mark.parametrize("places", [[], ["a1", "c4", "d2", "e5", "A", "B", "C"]], ids=["no places", "places"])
def test_every_listed_action_is_reached(page: Page, ruleset: str, places: list[str]) -> None:
    asked = [{"kind": kind, "actions": legal, "places": places} for kind, _, legal in asked_in_random_games(ruleset)]
    asked = [one for one in asked if one["actions"]]
    assert max(len(one["actions"]) for one in asked) > 5
    assert page.evaluate(REACHED, asked) == []
