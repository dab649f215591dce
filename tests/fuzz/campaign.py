"""A long run of requests: games in which every rule of the protocol is broken, between requests of all other kinds.

    python -m tests.fuzz.campaign --requests 100000 --seconds 1800

None may end in a fault of the service, in a game changed by what was refused, or in a secret told. What was found is
printed with the seed that finds it again.
"""

from __future__ import annotations

import argparse
import collections
import random
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

import psycopg

from holmgang.store.database import conninfo
from holmgang.store.embedded import EmbeddedPostgres
from holmgang.store.migrate import upgrade
from tests.fuzz import junk
from tests.fuzz.junk import Request
from tests.fuzz.mischief import KINDS, SECRETS, WAYS, Mischief
from tests.integration.api.calling import Api
from tests.places import place_for_databases

TABLES = 6
"""Games that are under way at the same time."""
SHARE_OF_JUNK = 0.4
KNOWN = 10
"""Things of a kind that were made last, and are named again."""


class Campaign:
    """`requests` and `told` count; a difference from what must hold raises AssertionError."""

    def __init__(self, url: str, seed: int) -> None:
        most = 10**9
        limits: dict[str, Any] = {"rate_limit": most, "rate_limit_polls": most, "rate_limit_moves": most}
        self.api = Api(url, log_level="error", games_per_player=10**6, empty_games_per_player=10**6, **limits)
        self.rows = psycopg.connect(conninfo(url), autocommit=True)
        self.rng = random.Random(seed)
        self.requests, self.games, self.over = 0, 0, 0
        self.told: collections.Counter[str] = collections.Counter()
        self.tables: list[Mischief] = []
        self.made: dict[str, list[str]] = {}
        """Ids of what junk has made, by the name of the parameter that they are for."""
        self.outsider = self.api.register("outsider").token
        body = {"label": "reader", "scopes": ["read"]}
        made = self.api.call("POST", "/v1/me/tokens", token=self.outsider, json=body, status=201).get_json()
        self.reader, self.reader_id = made["token"], made["id"]

    def close(self) -> None:
        self.rows.close()
        self.api.close()

    def run(self, requests: int, seconds: float) -> None:
        ends = time.monotonic() + seconds
        while self.requests < requests and time.monotonic() < ends:
            if self.rng.random() < SHARE_OF_JUNK:
                self.junk()
            else:
                self.mischief()
        for table in self.tables:
            self.leave(table)

    def mischief(self) -> None:
        if len(self.tables) < TABLES:
            self.games += 1
            ruleset = self.rng.choice(sorted(KINDS))
            self.tables.append(Mischief(self.api, self.rows, ruleset, self.rng.randrange(10**6)))
        table = self.rng.choice(self.tables)
        before = table.requests
        way, seat, n = self.rng.choice(WAYS), self.rng.randrange(6), self.rng.randrange(10**6)
        try:
            getattr(table, way)(seat, n)
            table.check()
        except AssertionError as found:
            raise AssertionError(f"{way}({seat}, {n}) of {table.ruleset} {table.game}: {found}") from found
        self.requests += table.requests - before
        if table.status() == "over" or table.requests > 3000:
            self.over += table.status() == "over"
            self.leave(table)
            self.tables.remove(table)

    def leave(self, table: Mischief) -> None:
        self.told.update(table.told)

    def junk(self) -> None:
        """Anything of anybody's; games are looked at before and after, since most of it is refused."""
        table = self.rng.choice(self.tables) if self.tables else None
        known = {**self.made, "token": [self.reader_id], "ruleset": sorted(KINDS), "seat": list("0123")}
        tokens: list[str | None] = [None, self.outsider, self.reader, "hg_unknown"]
        if table is not None:
            known |= {"game": [table.game], "player": [person.id for person in table.table.people]}
            known["submission"] = [receipt["id"] for receipt in table.receipts.values()]
            tokens += [*table.tokens[:2], table.limited]
        token = self.rng.choice(tokens)
        asked = junk.request(self.rng, known, token)
        late = table is not None and table.late()
        before = None if table is None else table.ledger.digest()
        self.requests += 1
        answer = self.api.app.test_client().open(
            asked.path, method=asked.method, headers=asked.headers, data=asked.body, buffered=True
        )
        text = answer.get_data(as_text=True)
        told = f"{asked}: {answer.status_code} {text[:300]}"
        assert answer.status_code < 500, told
        problem = answer.get_json(silent=True) if answer.status_code >= 400 else None
        self.told[problem["code"] if problem else str(answer.status_code)] += 1
        assert answer.status_code < 400 or asked.method == "HEAD" or problem is not None, told
        if answer.status_code >= 400 or asked.method in ("GET", "HEAD"):
            assert table is None or late or table.ledger.digest() == before, f"changed by {told}"
        made = answer.status_code in (200, 201) and asked.method == "POST"
        assert made or SECRETS.search(text + str(answer.headers)) is None, f"a secret in {told}"
        assert table is None or table.status() == "over" or table.seed not in text, f"the seed in {told}"
        kind = junk.MADE_AT.get(asked.path.partition("?")[0])
        if made and kind is not None:
            self.made[kind] = [*self.made.get(kind, []), answer.get_json()["id"]][-KNOWN:]
        self.mend(asked, answer.status_code)
        if table is not None:
            table.refresh()

    def mend(self, asked: Request, status: int) -> None:
        """A token that has revoked itself, or was revoked, is made anew."""
        if asked.method == "DELETE" and "/tokens/" in asked.path and status == 204:
            body = {"label": "reader", "scopes": ["read"]}
            made = self.api.call("POST", "/v1/me/tokens", token=self.outsider, json=body, status=201).get_json()
            self.reader, self.reader_id = made["token"], made["id"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=3000.0)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    wanted = parser.parse_args()
    print(f"seed {wanted.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="holmgang-fuzz-", dir=place_for_databases()) as folder:
        Path(folder).chmod(0o755)
        with EmbeddedPostgres(Path(folder), {"fsync": "off", "full_page_writes": "off"}) as server:
            upgrade(server.url)
            campaign, begun = Campaign(server.url, wanted.seed), time.monotonic()
            try:
                campaign.run(wanted.requests, wanted.seconds)
            except AssertionError as found:
                traceback.print_exc()
                print(f"after {campaign.requests} requests: {found}", flush=True)
                return 1
            finally:
                took = time.monotonic() - begun
                print(f"{campaign.requests} requests in {took:.0f} s, {campaign.games} games, {campaign.over} over")
                print(", ".join(f"{code} {count}" for code, count in campaign.told.most_common()), flush=True)
                campaign.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
