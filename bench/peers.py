"""Others' work beside ours, in turns, in one run: random play in-process, and moves of many clients at a server.

Random play: OpenSpiel and PettingZoo are driven from Python as their documentations do it: all legal actions of a seat,
one of them at random, the step. Chance is drawn in the same time and not counted, as with ours. Theirs trust that the
action is legal (PettingZoo's wrapper looks it up in the mask); ours check it once more.

Moves: boardgame.io's server keeps its state in memory, as it comes, or by `bgio-postgres` in the Postgres that ours is
in. It plays a game with a state of 4 KB and almost no rules, and sends every move to the four clients of its game. Ours
are the durable submissions of `bench.http`: Eketorp by its rules. Since its players take turns, boardgame.io is
measured with as many clients as ours (32, eight of them on turn at a time) and with as many on turn (128 in 32 games);
it is judged by the better of the two. In the end its process is killed: `survives` tells whether a game is still there
then, in the turn that its clients had heard of.

Who is not installed, or cannot be had here, is left out, and `missing` says why.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench import boardgame
from bench.boardgame import Missing
from bench.engine import one_game
from bench.http import CONNECTIONS, POOL_SIZE, PORT, SEATS, play_script, set_tables
from bench.http import serving as serving_ours
from bench.load import Outcome, drive
from holmgang import registry
from holmgang.engine.rules import AnyRules
from holmgang.store.database import PostgresStore
from holmgang.store.embedded import EmbeddedPostgres
from holmgang.store.migrate import upgrade

OPEN_SPIEL = ("python_tic_tac_toe", "tic_tac_toe", "battleship", "goofspiel")
PETTINGZOO = ("tictactoe-v3", "connect_four-v3", "go-v5")
BESIDE = "eketorp"
"""Our game that is measured with every number of seats; the others with four."""

Game = Callable[[random.Random], int]
"""Plays one game at random and tells how many decisions that were."""


def measure(seconds: float, rounds: int) -> dict[str, Any]:
    """`seconds` for each game and each server, in `rounds` turns; medians count."""
    missing: dict[str, str] = {}
    return {
        "decisions_per_second": _decisions(seconds, rounds, missing),
        "moves": _moves(seconds, rounds, missing),
        "missing": missing,
    }


def _decisions(seconds: float, rounds: int, missing: dict[str, str]) -> dict[str, float]:
    players = _ours()
    for name, found in (("OpenSpiel", _open_spiel), ("PettingZoo", _pettingzoo)):
        try:
            players |= found()
        except ImportError as fault:
            missing[name] = f"It is not installed: {fault}"
    rates: dict[str, list[float]] = {name: [] for name in players}
    for game in players.values():
        game(random.Random(0))
    for turn in range(rounds):
        for name, game in players.items():
            rates[name].append(_rate(game, random.Random(turn), seconds / rounds))
    return {name: statistics.median(each) for name, each in rates.items()}


def _rate(game: Game, rng: random.Random, seconds: float) -> float:
    """Decisions in a second of one core: the time that others take from it on a busy machine does not count."""
    made, used, ends = 0, time.process_time(), time.perf_counter() + seconds
    while time.perf_counter() < ends:
        made += game(rng)
    return made / (time.process_time() - used)


def _ours() -> dict[str, Game]:
    players: dict[str, Game] = {}
    for rules in registry.all_latest():
        for seats in rules.seat_counts if rules.ruleset == BESIDE else (SEATS,):
            players[f"Holmgang: {rules.ruleset}, {seats} seats"] = _our_player(rules, seats)
    return players


def _our_player(rules: AnyRules, seats: int) -> Game:
    return lambda rng: one_game(rules, seats, rng).decisions


def _open_spiel() -> dict[str, Game]:
    pyspiel = import_module("pyspiel")
    import_module("open_spiel.python.games")  # registers those written in Python

    def player(game: Any) -> Game:
        seats = range(game.num_players())

        def play(rng: random.Random) -> int:
            made, state = 0, game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    values, weights = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(rng.choices(values, weights)[0])
                elif state.is_simultaneous_node():
                    state.apply_actions([rng.choice(state.legal_actions(seat)) for seat in seats])
                    made += len(seats)
                else:
                    state.apply_action(rng.choice(state.legal_actions()))
                    made += 1
            return made

        return play

    return {f"OpenSpiel: {name}": player(pyspiel.load_game(name)) for name in OPEN_SPIEL}


def _pettingzoo() -> dict[str, Game]:
    numpy, pettingzoo = import_module("numpy"), import_module("pettingzoo")
    import_module("pygame")  # which its games import

    def player(environment: Any) -> Game:
        def play(rng: random.Random) -> int:
            made = 0
            environment.reset(seed=rng.randrange(2**31))
            for _ in environment.agent_iter():
                observation, _, terminated, truncated, _ = environment.last()
                if terminated or truncated:
                    environment.step(None)
                    continue
                environment.step(rng.choice(numpy.flatnonzero(observation["action_mask"])))
                made += 1
            return made

        return play

    return {f"PettingZoo: {name}": player(pettingzoo.make("aec", f"classic/{name}")) for name in PETTINGZOO}


def _moves(seconds: float, rounds: int, missing: dict[str, str]) -> dict[str, Any]:
    try:
        boardgame.install()
    except Missing as fault:
        missing["boardgame.io"] = str(fault)
        return {}
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # as root, Postgres runs as another user
        with EmbeddedPostgres(Path(folder)) as postgres:
            upgrade(postgres.url)
            store = PostgresStore(postgres.url, pool_size=2)
            tables = set_tables(store, CONNECTIONS * rounds * max(1, round(seconds / 10)), random.Random(7))
            store.close()
            environ = {"DATABASE_URL": postgres.url, "POOL_SIZE": str(POOL_SIZE)}
            with (
                serving_ours("holmgang.bootstrap:create_app", PORT, environ),
                boardgame.Server(boardgame.IN_MEMORY) as in_memory,
                boardgame.Server(boardgame.DURABLE, postgres) as durable,
            ):
                return _beside(tables, seconds, rounds, {"in memory": in_memory, "in Postgres": durable})


def _beside(tables: list[Any], seconds: float, rounds: int, servers: dict[str, boardgame.Server]) -> dict[str, Any]:
    ours: list[Outcome] = []
    shapes = {
        f"boardgame.io {where}, {games * SEATS} clients in {games} games": (server, games)
        for where, server in servers.items()
        for games in (CONNECTIONS // SEATS, CONNECTIONS)
    }
    theirs: dict[str, list[dict[str, Any]]] = {name: [] for name in shapes}
    share = len(tables) // rounds
    for turn in range(rounds):
        for name, (server, games) in shapes.items():
            theirs[name].append(server.play(games, seconds))
        mine = tables[turn * share : (turn + 1) * share]
        ours.append(drive(PORT, [play_script(mine[i::CONNECTIONS]) for i in range(CONNECTIONS)], seconds))
    found: dict[str, Any] = {
        f"Holmgang, {CONNECTIONS} clients in {CONNECTIONS} games, durable": {
            "per_second": round(statistics.median(run.per_second for run in ours)),
            "p50_ms": round(statistics.median(run.quantile(0.5) for run in ours) * 1000, 2),
            "p99_ms": round(statistics.median(run.quantile(0.99) for run in ours) * 1000, 2),
            "rounds": [round(run.per_second) for run in ours],
        }
    }
    for name, runs in theirs.items():
        found[name] = {
            "per_second": round(statistics.median(run["per_second"] for run in runs)),
            "p50_ms": round(statistics.median(run["p50_ms"] for run in runs), 2),
            "p99_ms": round(statistics.median(run["p99_ms"] for run in runs), 2),
            "rounds": [round(run["per_second"]) for run in runs],
            "state_bytes": runs[-1]["state_bytes"],
        }
    of_ours = next(iter(found.values()))
    for name, (server, _) in shapes.items():
        row, last = found[name], theirs[name][-1]
        row["ratio"] = round(of_ours["per_second"] / row["per_second"], 3)
        row["survives"] = (server.turn_after_kill(last["match"]) or 0) >= last["turn"]
    return found
