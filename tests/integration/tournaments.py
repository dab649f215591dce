"""Tournaments for tests: made and entered through the application, played by resigning."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from psycopg.types.json import Json

from holmgang.app.accounts.players import register
from holmgang.app.accounts.tokens import authenticate
from holmgang.app.play import deadlines, resignation
from holmgang.app.records.players import Principal
from holmgang.app.records.terms import Terms
from holmgang.app.records.tournaments import Entry, Kind, Line, Plan, Round, Table, Tournament
from holmgang.app.tournaments import entering, making, progress, reading
from holmgang.app.tournaments.playing import named, players_of
from holmgang.app.tournaments.progress import Wanted
from holmgang.store.database import PostgresStore
from holmgang.tournaments import checking

TERMS: Mapping[str, Any] = {"turn_seconds": 600, "absence": "forfeit"}


@dataclass
class Event:
    """A tournament with those who were registered for it, by id: who they are, and their tokens."""

    store: PostgresStore
    ident: UUID
    maker: Principal
    people: dict[UUID, Principal]
    secrets: dict[UUID, str]
    rng: random.Random = field(default_factory=lambda: random.Random(7))

    def read(self) -> Tournament:
        with self.store.reading() as tables:
            found = tables.tournament(self.ident)
        assert found is not None
        return found

    def entries(self) -> list[Entry]:
        with self.store.reading() as tables:
            return tables.entries(self.ident)

    def rounds(self) -> list[Round]:
        with self.store.reading() as tables:
            return tables.rounds(self.ident)

    def tables(self) -> list[Table]:
        with self.store.reading() as tables:
            return tables.tables_of_tournament(self.ident)

    def standings(self) -> list[Line]:
        with self.store.reading() as tables:
            return reading.standings(tables, self.read())

    def join(self, who: UUID) -> None:
        with self.store.transaction() as tables:
            entering.join(tables, self.people[who], self.ident)

    def leave(self, who: UUID) -> None:
        with self.store.transaction() as tables:
            entering.leave(tables, self.people[who], self.ident)

    def begin(self) -> None:
        with self.store.transaction() as tables:
            making.begin_by_hand(tables, self.maker, self.ident)

    def advance(self) -> bool:
        """One step of a worker, with the pairing that it takes."""
        with self.store.transaction() as tables:
            found = progress.advance(tables, self.ident)
        if isinstance(found, Wanted):
            with self.store.transaction() as tables:
                return progress.settle(tables, found, found.paired())
        return found

    def count(self) -> int:
        """Count what can be counted of this tournament."""
        with self.store.reading() as tables:
            found = [one for one in progress.to_count(tables, 1000) if one.tournament == self.ident]
        done = 0
        for one in found:
            with self.store.transaction() as tables:
                done += progress.count(tables, one)
        return done

    def open_games(self) -> list[UUID]:
        return [
            game.game
            for table in self.tables()
            for game in table.games
            if game.outcome is None and game.game is not None
        ]

    def end(self, game: UUID) -> None:
        """All but one of a game's players resign, in any order. What bots are left to play, without a worker, comes to
        something by lot."""
        with self.store.reading() as tables:
            found = tables.game(game)
        seats = [] if found is None else [holder for holder in found.holders if holder.bot is None]
        self.rng.shuffle(seats)
        for holder in seats:
            with self.store.transaction() as tables:
                now = tables.game(game)
                if now is None or now.status != "active":
                    break
                resignation.resign(tables, self.secrets[holder.player], game)
        with self.store.reading() as tables:
            found = tables.game(game)
        if found is not None and found.status == "active":
            order = self.rng.sample(range(found.seat_count), found.seat_count)
            result = {"winners": order[:1], "ranking": [[n] for n in order], "scores": order, "reason": "lot"}
            self.sql("UPDATE games SET status = 'over', result = %s WHERE id = %s", Json(result), game)

    def stay_away(self, game: UUID) -> None:
        """Nobody whose turn it is turns up in a game, until it is over."""
        for _ in range(10):
            self.sql("UPDATE pulse SET at = clock_timestamp()")  # of a worker of an earlier test: deadlines hold
            self.sql("UPDATE games SET deadline = clock_timestamp() - interval '1 second' WHERE id = %s", game)
            with self.store.transaction() as tables:
                if not deadlines.expire(tables, game):
                    return

    def sql(self, statement: str, *values: Any) -> None:
        with self.store.pool.connection() as connection:
            connection.execute(statement.encode(), values)

    def resign(self, who: UUID, game: UUID) -> None:
        with self.store.transaction() as tables:
            resignation.resign(tables, self.secrets[who], game)

    def play(self, steps: int = 200) -> None:
        """To its end."""
        for _ in range(steps):
            for game in self.open_games():
                self.end(game)
            if not self.advance() and not self.count() and self.read().status not in ("open", "active"):
                return
        raise AssertionError("it does not end")

    def faults(self) -> list[str]:
        """What the checker finds."""
        return check(self.read(), self.entries(), self.rounds(), self.tables())


def check(one: Tournament, entries: list[Entry], rounds: list[Round], tables: list[Table]) -> list[str]:
    found = [
        checking.PlayedRound(
            named(each.present),
            named(each.byes),
            each.known,
            tuple(
                checking.PlayedTable(
                    named(table.players),
                    tuple(
                        checking.Game(named(game.players), game.ranks, named(game.absent))
                        for game in table.games
                        if game.outcome is not None
                    ),
                    table.points,
                    table.counted,
                )
                for table in tables
                if table.round == each.round
            ),
        )
        for each in rounds
    ]
    ratings = {str(entry.id): entry.rating or 0.0 for entry in entries}
    return list(checking.faults(one.form, ratings, players_of(entries), found))


def made(
    store: PostgresStore,
    people: int,
    kind: Kind = "swiss",
    ruleset: str = "claim",
    terms: Mapping[str, Any] = TERMS,
    **plan: Any,
) -> Event:
    """An open tournament, of Claim for two unless said otherwise, which so many have joined."""
    plan = {"seats": 2, **plan}
    with store.transaction() as tables:
        found = [register(tables, "player") for _ in range(people + 1)]
        callers = {player.id: authenticate(tables, secret) for player, _, secret in found}
        maker, *others = callers.values()
        one, invitation = making.create(
            tables, maker, Terms(ruleset=ruleset, **terms), name="The cup", kind=kind, plan=Plan(**plan)
        )
    event = Event(store, one.id, maker, callers, {player.id: secret for player, _, secret in found})
    for person in others:
        with store.transaction() as tables:
            entering.join(tables, person, event.ident, invitation)
    return event
