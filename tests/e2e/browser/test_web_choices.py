"""What the web table works out by itself is what the rules say: what may be done, and what will come of it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from holmgang import registry
from holmgang.checking.walks import Moment, walk
from holmgang.engine.turn import Await

if TYPE_CHECKING:
    from playwright.sync_api import Page

SAILS = """async (asked) => {
  const file = (name) => document.scripts[0].src.replace('app.js', name);
  const { sails, rowsOf, moved, consequences, useful } = await import(file('games/drakkars/sails.js'));
  const { reach } = await import(file('games/drakkars/outlook.js'));
  const { ways } = await import(file('ways.js'));
  const sorted = (name, value) => (value && !Array.isArray(value) && typeof value === 'object'
    ? Object.fromEntries(Object.entries(value).sort()) : value);
  const told = (action) => JSON.stringify(action, sorted);
  return asked.map(({ view, seat, launches, actions, played }) => {
    const ctx = { view, seat, name: (n) => `seat ${n}` }, faults = [];
    const found = sails(view, seat, launches).map(told), listed = actions.map(told);
    found.filter((one) => !listed.includes(one)).forEach((one) => faults.push(`not legal: ${one}`));
    listed.filter((one) => !found.includes(one)).forEach((one) => faults.push(`not found: ${one}`));
    const some = useful(actions, ctx), composer = ways(some, (action) => rowsOf(action, ctx));
    if (some.length < actions.length && !actions.some((one) => one.card === 10)) faults.push('left out');
    for (const action of some) {
      for (const row of rowsOf(action, ctx)) {
        const reached = composer.action(row);
        const keys = row.map((one) => one.key);
        if (reached === null || told(reached) !== told(action)) faults.push(`${keys} leads to ${told(reached)}`);
        for (let n = 0; n < row.length; n += 1) {
          const next = composer.onwards(row.slice(0, n));
          if (next.length && !next.some((one) => one.key === row[n].key)) faults.push(`${row[n].key} is not offered`);
        }
      }
    }
    const own = moved(played, ctx);
    return { faults, reached: own && { ship: own.ship, ...reach(view, seat, own.ship, own.steps) },
      bonus: consequences(played, ctx).some((one) => one.includes('with a bonus')) };
  });
}"""
CATCHES = """async (asked) => {
  const file = (name) => document.scripts[0].src.replace('app.js', name);
  const { paths, catches } = await import(file('games/claim/moves.js'));
  const ends = (view, start) => [...paths(view, start).keys()].map((end) => `${start} ${end}`);
  return asked.map(({ view, seat, path }) => ({
    moves: view.seats[seat].pieces.flatMap((start) => ends(view, start)).sort(),
    caught: catches(view, seat, path[0], path.at(-1)).map((one) => `${one.seat} ${one.kind} ${one.point}`).sort(),
  }));
}"""


CLAIMS = """async (asked) => {
  const file = (name) => document.scripts[0].src.replace('app.js', name);
  const { claimable, moved } = await import(file('games/claim/moves.js'));
  return asked.map(({ view, seat, path }) => ({
    lands: claimable(view, seat).map((one) => one.number),
    pieces: path && moved(view, seat, path[0], path.at(-1)).seats.map((one) => [...one.pieces].sort()),
  }));
}"""
WARNED = """async ([castles, stands]) => {
  const file = (name) => document.scripts[0].src.replace('app.js', name);
  const { default: screen } = await import(file('games/claim/screen.js'));
  const territories = ['a', 'b', 'c', 'd', 'e'].map((column, number) => ({ number, castle: castles[number],
    points: [1, 2, 3].map((row) => column + row), castle_point: castles[number] === null ? null : `${column}3` }));
  const seats = stands.map((pieces, seat) => ({ seat, pieces, castles_in_hand: 1, resigned: false }));
  const view = { territories, seats, teams: [] };
  const actions = [['c1', 'd1'], ['c1', 'c2']].map((path) => ({ type: 'move', path }));
  const ctx = { view, seat: 0, kind: 'move', turn: { yours: true }, legal: { actions }, name: (one) => `seat ${one}` };
  return [screen.ask(ctx, []), ...actions.map((one) => screen.describe(one, ctx))];
}"""


def plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def moments(ruleset: str, seats: int, kind: str, most: int) -> Iterator[Moment]:
    """Some moments of random games at which a seat chose in a turn of a kind."""
    rules = registry.latest(ruleset)
    rng = random.Random(f"{ruleset} {seats}")
    found = [
        moment
        for _ in range(3)
        for moment in walk(rules, rules.configure(seats, {}), rng).decisions()
        if isinstance(moment.turn, Await) and moment.turn.kind == kind
    ]
    yield from rng.sample(found, min(most, len(found)))


@pytest.mark.parametrize("seats", [2, pytest.param(3, marks=pytest.mark.slow), 4])
def test_what_may_be_done_in_drakkars_and_what_comes_of_it(page: Page, seats: int) -> None:
    rules = registry.latest("drakkars")
    chosen = list(moments("drakkars", seats, "sail", 60))
    asked = []
    for moment in chosen:
        seat, state = moment.seat, moment.before
        assert seat is not None
        space = rules.moves(state, seat)
        asked.append(
            {
                "view": plain(rules.view(state, seat)),
                "seat": seat,
                "launches": space.grammar()["launch"],
                "actions": plain(list(space)),
                "played": plain(moment.action),
            }
        )
    went = 0
    for moment, told in zip(chosen, page.evaluate(SAILS, asked), strict=True):
        assert told["faults"] == []
        if (reached := told["reached"]) is None:
            continue
        effects = plain(moment.step.effects)
        home = [e for e in effects if e["type"] == "ship_came_home" and e["seat"] == moment.seat]
        sailed = [e for e in effects if e["type"] == "ship_moved" and e["owner"] == moment.seat]
        if reached["cell"] is None:
            assert home[0]["ship"] == reached["ship"]
            assert home[0].get("bonus", False) == told["bonus"]
        else:
            assert (sailed[0]["ship"], sailed[0]["end"]) == (reached["ship"], reached["cell"])
        went += 1
    assert went > 20


@pytest.mark.parametrize("seats", [2, pytest.param(3, marks=pytest.mark.slow), 4])
def test_where_pieces_go_in_claim_and_what_they_catch(page: Page, seats: int) -> None:
    rules = registry.latest("claim")
    chosen = list(moments("claim", seats, "move", 120))
    asked = [
        {"view": plain(rules.view(m.before, m.seat)), "seat": m.seat, "path": plain(m.action)["path"]} for m in chosen
    ]
    catches = 0
    for moment, told in zip(chosen, page.evaluate(CATCHES, asked), strict=True):
        assert moment.seat is not None
        legal = [plain(action)["path"] for action in rules.moves(moment.before, moment.seat)]
        assert told["moves"] == sorted(f"{path[0]} {path[-1]}" for path in legal)
        caught = [e for e in plain(moment.step.effects) if e["type"] == "caught"]
        assert told["caught"] == sorted(f"{e['victim']} {e['kind']} {e['point']}" for e in caught)
        catches += len(caught)
    assert catches > 3


@pytest.mark.parametrize("seats", [2, 4])
def test_what_can_be_claimed_and_what_a_move_leaves(page: Page, seats: int) -> None:
    rules = registry.latest("claim")
    claims, went = (list(moments("claim", seats, kind, 40)) for kind in ("claim", "move"))
    asked = [{"view": plain(rules.view(m.before, m.seat)), "seat": m.seat} for m in (*claims, *went)]
    for one, moment in zip(asked[len(claims) :], went, strict=True):
        one["path"] = plain(moment.action)["path"]
    told = page.evaluate(CLAIMS, asked)
    for moment, found in zip(claims, told, strict=False):
        assert moment.seat is not None
        legal = (plain(action) for action in rules.moves(moment.before, moment.seat))
        assert found["lands"] == sorted({stake["territory"] for one in legal for stake in one["castles"]})
    for moment, found in zip(went, told[len(claims) :], strict=True):
        after = plain(rules.view(moment.step.state, moment.seat))
        assert found["pieces"] == [sorted(one["pieces"]) for one in after["seats"]]


@pytest.mark.parametrize(
    ("castles", "stands", "warned"),
    [
        ([1, 1, None, None, 0], [["c1"], ["d2"]], [True, False, True]),  # the move to d1 is in the way
        ([1, None, None, None, 0], [["c1"], ["d2"]], [False, False, False]),  # that would be their second castle
        ([1, 1, None, None, 0], [["c1", "d3"], ["d2"]], [False, False, False]),  # they are not alone there
    ],
)
def test_claim_warns_of_whoever_wins_with_their_next_turn(
    page: Page, castles: list[int | None], stands: list[list[str]], warned: list[bool]
) -> None:
    told = page.evaluate(WARNED, [castles, stands])
    beware = "Beware: seat 1 alone has pieces around d2, and can win with a castle there next turn."
    assert [beware in one for one in told] == warned, told


TOLD = """async ([seat, reader]) => {
  const file = (name) => document.scripts[0].src.replace('app.js', name);
  const { default: screen } = await import(file('games/drakkars/screen.js'));
  const ships = [0, 1, 2].map((ship) => ({ ship, at: 'sea', cell: 4 + ship, rank: ship + 1, way_home: 20 }));
  const view = { hand: [3, 5, 10], barrel: 0, towns: [], teams: [], options: { shield: [] }, fog_cards: null,
    seats: [0, 1].map((one) => ({ seat: one, fjord: 18 * one, ships, cargo: [{}, {}, {}] })) };
  const name = (one) => ['Astrid', 'Bjorn'][one];
  const ctx = { view, seat, kind: 'sail', name, ...(reader === undefined ? {} : { reader }) };
  const actions = [{ type: 'sail', ship: 0, card: 3 }, { type: 'ready_ship' },
    { type: 'swap', ships: [{ seat: 0, ship: 0 }, { seat: 1, ship: 1 }] }];
  return actions.map((action) => screen.describe(action, ctx)).join(' ');
}"""


FOUGHT = """async (forced) => {
  const file = (name) => document.scripts[0].src.replace('app.js', name);
  const { default: screen } = await import(file('games/drakkars/screen.js'));
  const fight = { type: 'cards_revealed', attacker: 0, defender: 1, winner: 0, difference: 1 };
  const told = { ...fight, attacker_card: 5, defender_card: 4, forced };
  return screen.tell(told, { name: (seat) => ['Astrid', 'Bjorn'][seat] });
}"""


@pytest.mark.parametrize("forced", [[], [1], [0, 1]])
def test_who_had_one_card_only_is_told(page: Page, forced: list[int]) -> None:
    told = page.evaluate(FOUGHT, forced)
    bound = [f"{['Astrid', 'Bjorn'][seat]} had no other card." for seat in forced]
    assert told == " ".join(["Astrid shows 5, Bjorn 4: Astrid wins by 1.", *bound])


DRAWN = """async ([held, pile]) => {
  const file = (name) => document.scripts[0].src.replace('app.js', name);
  const { default: screen } = await import(file('games/drakkars/screen.js'));
  const view = { hand: Array(held).fill(3), central_size: pile, discard: [], towns: [], teams: [], fog_cards: null,
    seats: [{ seat: 0, fjord: 0, ships: [], cargo: [], hand_size: held }] };
  const ctx = { view, seat: 0, kind: 'sail', name: String, legal: { actions: [{ type: 'draw' }] } };
  return [screen.compose(ctx).options([])[0].label, screen.describe({ type: 'draw' }, ctx)];
}"""


@pytest.mark.parametrize(
    ("held", "pile", "called", "why"),
    [
        (5, 9, "Draw two cards", "Of the central pile"),
        (6, 9, "Draw a card", "Of the central pile"),
        (7, 9, "Pass", "Your hand is full"),
        (2, 0, "Pass", "No card is left"),
    ],
)
def test_who_draws_nothing_passes(page: Page, held: int, pile: int, called: str, why: str) -> None:
    label, told = page.evaluate(DRAWN, [held, pile])
    assert label == called
    assert told.startswith(f"{called}. {why}"), told


@pytest.mark.parametrize(
    ("about", "said", "not_said"),
    [
        ([1], ["your first ship", "the first ship of Astrid and your second ship", "It waits in your fjord"], []),
        ([1, 0], ["Sail the first ship of Bjorn 3 steps", "your first ship and the second ship of Bjorn"],
         ["your fjord", "you "]),
        ([1, None], ["Sail the first ship of Bjorn 3 steps", "the first ship of Astrid and the second ship of Bjorn"],
         ["your", "you "]),
    ],
)  # fmt: skip
def test_choices_are_told_to_whoever_reads_of_them(
    page: Page, about: list[int | None], said: list[str], not_said: list[str]
) -> None:
    told = page.evaluate(TOLD, about)
    assert [one for one in said if one not in told] == [], told
    assert [one for one in not_said if one in told] == [], told
