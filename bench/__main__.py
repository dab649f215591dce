"""`python -m bench`: a table on the screen, the same figures as JSON in `build/bench.json`."""

from __future__ import annotations

import json
import os
import platform
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from bench import (
    citus,
    engine,
    fairness,
    growth,
    http,
    meeting,
    mixed,
    peers,
    scaling,
    soak,
    spectators,
    training,
    waiting,
)
from tests.citus.building import Missing

PARTS = (
    "engine",
    "lengths",
    "training",
    "peers",
    "http",
    "mixed",
    "waiting",
    "spectators",
    "meeting",
    "growth",
    "soak",
)
"""What is measured unless one part is asked for."""
MORE = ("citus", "fairness", "scaling")
"""What is measured only then: `citus` has to be built, `scaling` needs programs that have to be installed, and
`fairness` a quiet machine."""


@click.command()
@click.option("--seconds", default=8.0, help="Length of each measurement.")
@click.option("--rounds", default=3, help="How often each is repeated; medians count.")
@click.option("--games", default=1000, help="Random games of each kind whose lengths are reported; at least two.")
@click.option("--only", type=click.Choice([*PARTS, *MORE]), help="One part only.")
@click.option("--crowd", default=1_000_000, help="Games in the database when growth is measured.")
@click.option("--minutes", default=5.0, help="Length of the soak.")
@click.option("--kind", help="One kind of attack, when fairness is measured.")
@click.option("--beside", type=Path, help="`service` of another checkout, whose steps of training are measured too.")
def main(
    seconds: float,
    rounds: int,
    games: int,
    only: str | None,
    crowd: int,
    minutes: float,
    kind: str | None,
    beside: Path | None,
) -> None:
    """Measure the engine in-process and the service over HTTP, beside bare endpoints on the same server."""
    report: dict[str, object] = {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, {platform.python_version()}"
    }
    table = Table("what", "a second", "bare", "ratio", "p50 ms", "p99 ms", "of raw")
    if only in (None, "engine"):
        report["engine"] = figures = engine.measure(seconds)
        for name, rate in figures.items():
            table.add_row(f"engine decisions, {name}", f"{rate:,.0f}", "", "", "", "")
    if only in (None, "training"):
        report["training"] = steps = training.measure(seconds, rounds, beside)
        for name, step in steps.items():
            for other, whom in (("bare", "the rules alone"), ("beside", "the other checkout")):
                if f"{other}_per_second" in step:
                    told = [f"{step[each]:,.0f}" for each in ("per_second", f"{other}_per_second")]
                    table.add_row(
                        f"steps of training beside {whom}, {name}", *told, f"{step[f'{other}_ratio']:.2f}", "", "", ""
                    )
    if only in (None, "http"):
        report["http"] = answers = http.measure(seconds, rounds)
        for kind, row in answers.items():
            cells = [str(row[k]) for k in ("per_second", "bare_per_second", "ratio", "p50_ms", "p99_ms", "raw_ratio")]
            table.add_row(f"HTTP {kind}", *cells)
        for kind, done in (("SELECT", "poll"), ("bare move", "move")):
            table.add_row(f"without HTTP, one connection: {kind}", str(answers[done]["raw_per_second"]))
    if only in (None, "mixed"):
        report["mixed"] = mixture = mixed.measure(seconds)
        cells = [str(mixture[k]) for k in ("p50_ms", "p99_ms")]
        table.add_row("mixed play by bots, submissions", str(mixture["per_second"]), "", "", *cells)
    if only in (None, "waiting"):
        report["waiting"] = held = waiting.measure(seconds)
        for name, figure in held.items():
            table.add_row(f"waiting: {name}", f"{figure:,}", "", "", "", "")
    if only in (None, "spectators"):
        report["spectators"] = watched = spectators.measure(rounds)
        for name, figure in watched.items():
            table.add_row(f"spectators: {name}", f"{figure:,}", "", "", "", "")
    if only in (None, "meeting"):
        report["meeting"] = met = meeting.measure(rounds)
        for name, row in met.items():
            times = ", ".join(
                f"{kind.removesuffix('_ms')} {value:,}{' ms' * kind.endswith('_ms')}" for kind, value in row.items()
            )
            table.add_row(f"meeting: {name}", times, "", "", "", "")
    if only in (None, "growth"):
        report["growth"] = grown = growth.measure(seconds, rounds, crowd)
        for kind, row in grown.items():
            cells = [str(row.get(name, "")) for name in ("per_second", "bare_per_second", "growth")]
            table.add_row(f"growth: {kind}", *cells, "", "")
    if only == "scaling":
        report["scaling"] = spread_out = scaling.measure(seconds)
        for name, figures_of in spread_out.items():
            for kind, value in figures_of.items():
                shown = ", ".join(f"{k} {v}" for k, v in value.items()) if isinstance(value, dict) else f"{value:,}"
                table.add_row(f"{name}: {kind}", shown, "", "", "", "")
    if only == "citus":
        try:
            report["citus"] = distributed = citus.measure(seconds, rounds)
        except Missing as fault:
            click.echo(f"Citus is left out: {fault}")
        else:
            for what, row in (*distributed["layouts"].items(), *distributed["million"].items()):
                for kind, value in row.items():
                    parts = value if isinstance(value, dict) else {"": value}
                    table.add_row(f"{what}: {kind}", ", ".join(f"{k} {v:,.4g}".strip() for k, v in parts.items()))
    console = Console(width=120)
    if only == "fairness":
        report["fairness"] = beside_him = fairness.measure(seconds, rounds, kind)
        console.print(_fairness(beside_him))
    if table.row_count:
        console.print(table)
    if only in (None, "lengths"):
        report["lengths"] = spread = engine.lengths(games)
        console.print(_lengths(spread))
    if only in (None, "peers"):
        report["peers"] = others = peers.measure(seconds, rounds)
        console.print(_peers(others))
        for name, why in others["missing"].items():
            console.print(f"{name} is left out: {why}", markup=False)
    if only in (None, "soak"):
        report["soak"] = soaked = soak.measure(minutes)
        console.print(_soak(soaked))
        for what, count in soaked["faults"].items():
            console.print(f"fault, {count} times: {what}", markup=False)
        for line in soaked["complaints"]:
            console.print(f"logged: {line}", markup=False)
    file = Path("build/bench.json")
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(report, indent=2) + "\n")


def _lengths(spread: dict[str, dict[str, Any]]) -> Table:
    names = list(next(iter(spread.values())))
    table = Table("turns of random games", *names)
    for game, row in spread.items():
        *numbers, reasons = (row[name] for name in names)
        table.add_row(game, *map(str, numbers), ", ".join(f"{reason} {n}" for reason, n in reasons.items()))
    return table


def _fairness(kinds: dict[str, Any]) -> Table:
    table = Table(
        "beside 1,200 connections of", "p50 ms", "without", "p99 ms", "without", "p99 ratio", "refused", "attacker"
    )
    for kind, row in kinds.items():
        figures = [row[k] for k in ("p50_ms", "p50_ms_without", "p99_ms", "p99_ms_without", "p99_ratio")]
        answers = ", ".join(f"{status}: {count:,}" for status, count in sorted(row["attacker"].items()))
        table.add_row(kind, *map(str, figures), str(sum(row["others_refused"].values())), answers)
    return table


def _peers(beside: dict[str, Any]) -> Table:
    table = Table("beside others", "a second", "p50 ms", "p99 ms", "ours to it", "survives a kill")
    for name, rate in beside["decisions_per_second"].items():
        table.add_row(f"decisions, {name}", f"{rate:,.0f}", "", "", "")
    for name, row in beside["moves"].items():
        figures = [f"{row[k]:,}" for k in ("per_second", "p50_ms", "p99_ms")]
        table.add_row(f"moves, {name}", *figures, str(row.get("ratio", "")), str(row.get("survives", "")))
    return table


def _soak(soaked: dict[str, Any]) -> Table:
    moves, games = soaked["moves"], sum(soaked["games_over"].values())
    table = Table(
        f"soak: {moves:,} moves, {games:,} games", "first third", "last third", "a third between", "growth an hour"
    )
    for name, row in soaked["memory"].items():
        table.add_row(f"{name}, MB", str(row["warm_mb"]), str(row["end_mb"]), "", str(row["mb_per_hour"]))
    connections = soaked["connections"]
    table.add_row("connections to Postgres", *(str(connections[k]) for k in ("first_third", "last_third")))
    for name, row in soaked["descriptors"].items():
        table.add_row(f"{name}, descriptors", *(str(row[k]) for k in ("first_third", "last_third")))
    for kind, thirds in soaked["latency_by_thirds"].items():
        if len(thirds) == 3:
            first, between, last = (f"{third['p50_ms']} / {third['p99_ms']}" for third in thirds)
            table.add_row(f"{kind}, p50 / p99 ms", first, last, between)
    for name, (warm, end) in soaked["rows"].items():
        table.add_row(f"rows of {name}", f"{warm:,}", f"{end:,}")
    return table


if __name__ == "__main__":
    main()
