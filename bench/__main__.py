"""`python -m bench`: a table on the screen, the same figures as JSON in `build/bench.json`."""

from __future__ import annotations

import json
import os
import platform
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from bench import engine, http


@click.command()
@click.option("--seconds", default=8.0, help="Length of each measurement.")
@click.option("--rounds", default=3, help="How often each is repeated; medians count.")
@click.option("--only", type=click.Choice(["engine", "http"]), help="One part only.")
def main(seconds: float, rounds: int, only: str | None) -> None:
    """Measure the engine in-process and the service over HTTP, beside bare endpoints on the same server."""
    report: dict[str, object] = {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, {platform.python_version()}"
    }
    table = Table("what", "a second", "bare", "ratio", "p50 ms", "p99 ms")
    if only != "http":
        report["engine"] = figures = engine.measure(seconds)
        for name, rate in figures.items():
            table.add_row(f"engine decisions, {name}", f"{rate:,.0f}", "", "", "", "")
    if only != "engine":
        report["http"] = answers = http.measure(seconds, rounds)
        for kind, row in answers.items():
            cells = [str(row[k]) for k in ("per_second", "bare_per_second", "ratio", "p50_ms", "p99_ms")]
            table.add_row(f"HTTP {kind}", *cells)
    Console().print(table)
    file = Path("build/bench.json")
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
