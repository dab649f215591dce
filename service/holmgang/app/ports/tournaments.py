"""What tournaments need of the store. Whoever changes one holds its row, calls `changed_tournament` last, and
`touch`es it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from holmgang.app.records.tournaments import (
    Entry,
    Happening,
    Kind,
    Locked,
    Out,
    Outcome,
    Reason,
    Round,
    Table,
    ToCount,
    Tournament,
    TournamentEvent,
    TournamentStatus,
)
from holmgang.engine.turn import Seat


class TournamentsTable(Protocol):
    """Tournaments, who is in them, rounds and tables."""

    def add_tournament(self, tournament: Tournament, seed: bytes, invitation: bytes | None) -> None:
        """Insert one; `invitation` is the digest of a private one's secret."""
        ...

    def tournament(self, tournament: UUID) -> Tournament | None: ...

    def tournaments(
        self,
        *,
        viewer: UUID | None,
        kind: Kind | None,
        ruleset: str | None,
        status: TournamentStatus | None,
        player: UUID | None,
        before: UUID | None,
        limit: int,
    ) -> list[Tournament]:
        """Newest first, from the one before `before`: public ones, and those that the viewer made or is in."""
        ...

    def may_see_tournament(self, viewer: UUID | None, tournament: UUID, invitation: bytes | None) -> bool:
        """Whether it is public, or the viewer made it, is in it or shows the digest of its invitation."""
        ...

    def set_tournament_invitation(self, tournament: UUID, invitation: bytes) -> None: ...

    def tournaments_under_way(self, creator: UUID) -> int:
        """How many of the tournaments that they made are open or active."""
        ...

    def entries_under_way(self, player: UUID) -> int:
        """In how many tournaments that are open or active they are."""
        ...

    def look_at_tournament(self, tournament: UUID) -> Locked | None:
        """As `lock_tournament` gives it, without holding it."""
        ...

    def lock_tournament(self, tournament: UUID, *, skip: bool = False) -> Locked | None:
        """Hold its row. None where there is none, and with `skip` where others hold it. In a transaction."""
        ...

    def changed_tournament(
        self,
        tournament: UUID,
        *,
        status: TournamentStatus | None = None,
        reason: Reason | None = None,
        paired: int | None = None,
        counted: int | None = None,
        due_in: float | None = None,
    ) -> None:
        """Count a change, and set what is given; `paired` is the last round. It is due again after `due_in` seconds;
        None: once something happens."""
        ...

    def wait_for_start(self, tournament: Tournament) -> None:
        """After who is in it has changed before its start: it is due when its time comes, or enough have joined."""
        ...

    def entries(self, tournament: UUID, *, after: UUID | None = None, limit: int | None = None) -> list[Entry]:
        """In the order in which they joined, from the one after the entry `after`."""
        ...

    def entry(self, tournament: UUID, entry: UUID) -> Entry | None: ...

    def add_entry(self, tournament: UUID, entry: UUID, player: UUID, bot: str | None, number: int | None) -> None: ...

    def remove_entry(self, tournament: UUID, entry: UUID) -> None: ...

    def set_out(self, tournament: UUID, entries: Sequence[UUID], out: Out | None) -> None:
        """They are not paired any more; or are again, with None."""
        ...

    def set_absent(self, tournament: UUID, entries: Sequence[UUID]) -> list[UUID]:
        """Those of them who have not left by themselves did not turn up: these."""
        ...

    def number_entries(self, tournament: UUID, entries: Sequence[UUID], ratings: Sequence[float]) -> None:
        """All of them, the strongest first."""
        ...

    def rounds(self, tournament: UUID, *, after: int = 0, limit: int | None = None) -> list[Round]: ...

    def add_round(
        self,
        tournament: UUID,
        number: int,
        present: Sequence[UUID],
        byes: Sequence[UUID],
        known: int,
        tables: Sequence[Sequence[UUID]],
    ) -> None:
        """A pairing with its tables, of which none has a game yet."""
        ...

    def end_round(self, tournament: UUID, number: int) -> bool:
        """Unless one of its tables is not counted yet, or it has ended before; whether it ends now."""
        ...

    def tables_of_tournament(
        self,
        tournament: UUID,
        *,
        only: int | None = None,
        after: tuple[int, int] = (0, 0),
        last: int | None = None,
        limit: int | None = None,
    ) -> list[Table]:
        """By round and number, with their games; of one round, or of all up to the `last`, from the one after a round
        and number."""
        ...

    def counted_tables(self, tournament: UUID) -> list[Table]:
        """Those that have been counted, in that order, without their games."""
        ...

    def newest_tables(self, tournament: UUID, limit: int) -> list[Table]:
        """Those that were counted last, the latest first, without their games."""
        ...

    def table_of_tournament(self, tournament: UUID, in_round: int, at: int) -> Table | None:
        """With its games."""
        ...

    def idle_tables(self, tournament: UUID, limit: int) -> list[Table]:
        """With their games: those that are not counted, and at which nothing is played now."""
        ...

    def size_of_round(self, tournament: UUID, number: int) -> int:
        """How many tables and byes it has."""
        ...

    def uncounted_tables(self, tournament: UUID) -> int:
        """How many of its tables are not counted."""
        ...

    def add_table_game(
        self,
        tournament: UUID,
        in_round: int,
        at: int,
        number: int,
        game: UUID | None,
        players: Sequence[UUID],
        absent: Sequence[UUID] = (),
    ) -> None:
        """A game that has begun; without one, it was forfeited by the `absent`."""
        ...

    def count_table_game(
        self,
        tournament: UUID,
        in_round: int,
        at: int,
        number: int,
        outcome: Outcome,
        ranks: Sequence[int],
        absent: Sequence[UUID],
    ) -> None: ...

    def count_table(
        self, tournament: UUID, in_round: int, at: int, number: int, points: Sequence[float], absent: Sequence[UUID]
    ) -> None:
        """`number` is its number in the order of counting."""
        ...

    def void_table_games(self, tournament: UUID) -> None:
        """All that are not counted: nobody waits for them any more."""
        ...

    def add_tournament_event(
        self,
        tournament: UUID,
        what: Happening,
        *,
        entry: UUID | None = None,
        in_round: int | None = None,
        at: int | None = None,
    ) -> None:
        """The next one. Whoever calls holds the tournament's row, or has just made it."""
        ...

    def tournament_events(self, tournament: UUID, after: int, limit: int) -> list[TournamentEvent]:
        """In their order, from the one after that number."""
        ...

    def last_tournament_event(self, tournament: UUID) -> int:
        """Its number; 0 where there is none."""
        ...

    def due_tournaments(self, limit: int, but: Sequence[UUID]) -> list[UUID]:
        """Those of which something is to be done now, longest due first, leaving out some."""
        ...

    def games_to_count(self, limit: int, but: Sequence[UUID]) -> list[ToCount]:
        """Games of tournaments, but for some, that are over, gone, archived, or stand still."""
        ...

    def stands_still(self, game: UUID) -> bool:
        """Whether the game's deadline has been passed for a day though deadlines hold."""
        ...

    def no_shows(self, game: UUID) -> list[Seat]:
        """Persons' seats that let a deadline pass and have never chosen anything."""
        ...
