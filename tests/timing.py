"""Whether the time that an answer takes tells a private game from none: `python -m tests.timing`.

Without a network, on an idle application, which is more than anybody outside ever gets. Each call is made in turn, in
random order, for a private game and for an id that nobody has. Of each call the probability is estimated that the
private game's answer took longer (the area under the curve: 0.5 means that time tells nothing), with the interval that
holds 95 of 100 times by the bootstrap.
"""

from __future__ import annotations

import argparse
import bisect
import gc
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from holmgang.store.embedded import EmbeddedPostgres
from holmgang.store.migrate import upgrade
from tests.integration.api.calling import Api
from tests.places import place_for_databases

NOBODY = "019a0c5f-ff00-7d20-8a70-0f4be9c3d1ff"
TELLING = 0.02
"""How far from one half the area may be, with all of its interval, and still be called nothing."""


class Measured(NamedTuple):
    """Of one call: what is more for a private game, in microseconds at the median, and the area with its interval."""

    name: str
    median: float
    more: float
    area: float
    low: float
    high: float

    @property
    def tells(self) -> bool:
        return self.low > 0.5 + TELLING or self.high < 0.5 - TELLING


def area(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """The probability that one of `ours` is larger than one of `theirs`; ties count half."""
    others = sorted(theirs)
    below = sum(bisect.bisect_left(others, each) + bisect.bisect_right(others, each) for each in ours)
    return below / (2 * len(ours) * len(others))


def measure(name: str, ask: Callable[[str], Any], private: str, samples: int, rng: random.Random) -> Measured:
    took: dict[str, list[float]] = {private: [], NOBODY: []}
    for _ in range(samples):
        for ident in rng.sample((private, NOBODY), 2):
            begun = time.perf_counter()
            ask(ident)
            took[ident].append((time.perf_counter() - begun) * 1e6)
    ours, theirs = (times[samples // 10 :] for times in (took[private], took[NOBODY]))
    drawn = sorted(area(rng.choices(ours, k=len(ours)), rng.choices(theirs, k=len(theirs))) for _ in range(200))
    median = statistics.median(theirs)
    more = statistics.median(ours) - median
    return Measured(name, median, more, area(ours, theirs), drawn[4], drawn[195])


def run(api: Api, samples: int, seed: int) -> list[Measured]:
    """Every way to ask about a game that one is not to know of."""
    table, stranger = api.table(visibility="private"), api.register("stranger").token
    table.play(20)
    client = api.app.test_client()
    auth = {"Authorization": f"Bearer {stranger}"}
    shown = {"Holmgang-Invitation": "hgi_" + "x" * 43}

    def asking(method: str, rest: str, headers: dict[str, str], body: Any = None) -> Callable[[str], Any]:
        def ask(ident: str) -> None:
            answer = client.open(f"/v1/games/{ident}{rest}", method=method, headers=headers, json=body)
            assert answer.status_code == 404, answer.get_data(as_text=True)

        return ask

    ways = {
        "read, no token": asking("GET", "", {}),
        "read, a stranger": asking("GET", "", auth),
        "read, a bad invitation": asking("GET", "", shown),
        "view, a stranger": asking("GET", "/view", auth),
        "turn, polled": asking("GET", "/turn", {**auth, "If-None-Match": 'W/"1.s.0.t2"'}),
        "events, a stranger": asking("GET", "/events", auth),
        "sit down, a stranger": asking("POST", "/seats", auth, {}),
        "sit down, a bad invitation": asking("POST", "/seats", auth, {"invitation": "hgi_" + "x" * 43}),
        "submit, a stranger": asking("POST", "/submissions", auth, {"turn": 1, "action": {"type": "place"}}),
        "resign, a stranger": asking("POST", "/resignations", auth, {}),
    }
    rng = random.Random(seed)
    gc.disable()
    try:
        return [measure(name, ask, table.game, samples, rng) for name, ask in ways.items()]
    finally:
        gc.enable()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="holmgang-timing-", dir=place_for_databases()) as folder:
        Path(folder).chmod(0o755)
        with EmbeddedPostgres(Path(folder), {"fsync": "off"}) as server:
            upgrade(server.url)
            most = 10**9
            api = Api(server.url, log_level="error", rate_limit=most, rate_limit_polls=most, rate_limit_moves=most)
            try:
                measured = run(api, wanted.samples, wanted.seed)
            finally:
                api.close()
    print(f"{'call':28} {'median us':>10} {'more us':>8} {'area':>6}  95 of 100")
    for each in measured:
        tells = "  TELLS" if each.tells else ""
        line = f"{each.name:28} {each.median:10.0f} {each.more:8.1f} {each.area:6.3f}"
        print(f"{line}  {each.low:.3f} to {each.high:.3f}{tells}")
    return int(any(each.tells for each in measured))


if __name__ == "__main__":
    sys.exit(main())
