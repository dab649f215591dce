"""Calls about tournaments.

Arguments that are None are left to the service. Lists go through all their pages; `limit` is the size of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from holmgang import answers

from ._call import Call, get, path, post
from ._flow import Caller, Flow, Pages, Series, Stream
from ._methods import Listing, Method
from ._several import Several, several

Kind = Literal["swiss", "round-robin", "knock-out", "arena", "ladder"]
Stage = Literal["open", "active", "over", "cancelled"]


class Tournaments(Caller):
    @Listing
    def tournaments(
        self,
        *,
        status: Stage | None = None,
        kind: Kind | None = None,
        ruleset: str | None = None,
        player: str | None = None,
        limit: int | None = None,
    ) -> Pages[answers.Tournament]:
        """Public tournaments, the newest first."""
        call = get(path("tournaments"), status=status, kind=kind, ruleset=ruleset, player=player, limit=limit)
        return Pages(self, call)

    @Listing
    def my_tournaments(self, *, status: Stage | None = None, limit: int | None = None) -> Pages[answers.Tournament]:
        """Those that you are in or have made, private ones too."""
        return Pages(self, get(path("me", "tournaments"), status=status, limit=limit))

    @Method
    def tournament(
        self, tournament: str, *, wait: int | None = None, invitation: str | None = None
    ) -> Flow[answers.Tournament]:
        """How far it is. With `wait` (1 to 50), answers as soon as anything in it has changed since the last call."""
        return self._ask(get(path("tournaments", tournament), kept=True, wait=wait, invitation=invitation))

    @Method
    def create_tournament(
        self,
        name: str,
        ruleset: str,
        seats: int,
        *,
        turn_seconds: int | None = None,
        bank_seconds: int | None = None,
        increment_seconds: int | None = None,
        leave_days: int | None = None,
        kind: Kind | None = None,
        options: Mapping[str, Any] | None = None,
        visibility: Literal["public", "private"] | None = None,
        spectators: bool | None = None,
        absence: str | None = None,
        rated: bool | None = None,
        rounds: int | None = None,
        games: int | None = None,
        tie_breaks: Several[str] | None = None,
        least: int | None = None,
        most: int | None = None,
        starts_at: str | None = None,
        starts_with: int | None = None,
        bots: Several[Literal["random", "greedy", "search"]] | None = None,
        fill_to: int | None = None,
        seconds: int | None = None,
    ) -> Flow[answers.Tournament]:
        """A new tournament with so many `seats` at a table. You enter it like everybody else, by `enter`. Its games
        need `turn_seconds` or `bank_seconds`."""
        terms = {"ruleset": ruleset, "options": options, "visibility": visibility, "spectators": spectators}
        late = {"turn_seconds": turn_seconds, "absence": absence, "rated": rated}
        banks = {"bank_seconds": bank_seconds, "increment_seconds": increment_seconds, "leave_days": leave_days}
        tables = {"seats": seats, "rounds": rounds, "games": games}
        parted = None if tie_breaks is None else several("tie_breaks", tie_breaks)
        company = {"least": least, "most": most, "starts_at": starts_at, "starts_with": starts_with, "seconds": seconds}
        filled = {"bots": None if bots is None else several("bots", bots), "fill_to": fill_to}
        body = {
            "name": name,
            "kind": kind,
            "tie_breaks": parted,
            **terms,
            **late,
            **banks,
            **tables,
            **company,
            **filled,
        }
        return self._ask(post(path("tournaments"), body))

    @Method
    def start_tournament(self, tournament: str) -> Flow[answers.Tournament]:
        """Start one of yours now."""
        return self._ask(post(path("tournaments", tournament, "start")))

    @Method
    def cancel_tournament(self, tournament: str) -> Flow[None]:
        """Call one of yours off."""
        return self._ask(Call("DELETE", path("tournaments", tournament)))

    @Method
    def invite_to_tournament(self, tournament: str) -> Flow[answers.TournamentInvitation]:
        """A new secret for your private tournament, in place of the one before. SecretAlreadyShown if its answer got
        lost."""
        return self._ask(post(path("tournaments", tournament, "invitation")))

    @Method
    def enter(self, tournament: str, *, invitation: str | None = None) -> Flow[answers.TournamentEntry]:
        """Take part, or be back. Again is the same."""
        return self._ask(post(path("tournaments", tournament, "entries"), {"invitation": invitation}))

    @Method
    def enter_bot(
        self, tournament: str, bot: Literal["random", "greedy", "search"] = "greedy"
    ) -> Flow[answers.TournamentEntry]:
        """Let a built-in bot take part in a tournament of yours."""
        return self._ask(post(path("tournaments", tournament, "entries"), {"bot": bot}))

    @Method
    def leave_tournament(self, tournament: str, entry: str) -> Flow[None]:
        """Take part no more; `entry` is the id of your player."""
        return self._ask(Call("DELETE", path("tournaments", tournament, "entries", entry)))

    @Listing
    def entries(
        self, tournament: str, *, limit: int | None = None, invitation: str | None = None
    ) -> Pages[answers.TournamentEntry]:
        """Who takes part, in the order in which they entered."""
        return Pages(self, get(path("tournaments", tournament, "entries"), limit=limit, invitation=invitation))

    @Method
    def entry(
        self, tournament: str, entry: str, *, wait: int | None = None, invitation: str | None = None
    ) -> Flow[answers.TournamentEntry]:
        """One of them."""
        address = path("tournaments", tournament, "entries", entry)
        return self._ask(get(address, kept=True, wait=wait, invitation=invitation))

    @Listing
    def rounds(
        self, tournament: str, *, limit: int | None = None, invitation: str | None = None
    ) -> Pages[answers.TournamentRound]:
        """The rounds that were paired, with their tables and games."""
        return Pages(self, get(path("tournaments", tournament, "rounds"), limit=limit, invitation=invitation))

    @Method
    def round(
        self, tournament: str, number: int, *, wait: int | None = None, invitation: str | None = None
    ) -> Flow[answers.TournamentRound]:
        """One of them."""
        address = path("tournaments", tournament, "rounds", number)
        return self._ask(get(address, kept=True, wait=wait, invitation=invitation))

    @Method
    def standings(
        self, tournament: str, *, wait: int | None = None, invitation: str | None = None
    ) -> Flow[answers.TournamentStandings]:
        """The order so far. With `wait`, answers as soon as anything in it has changed since the last call."""
        address = path("tournaments", tournament, "standings")
        return self._ask(get(address, kept=True, wait=wait, invitation=invitation))

    @Method
    def crosstable(
        self, tournament: str, *, wait: int | None = None, invitation: str | None = None
    ) -> Flow[answers.Crosstable]:
        """Who did how against whom."""
        address = path("tournaments", tournament, "crosstable")
        return self._ask(get(address, kept=True, wait=wait, invitation=invitation))

    @Listing
    def tournament_events(
        self,
        tournament: str,
        *,
        after: int = 0,
        follow: bool = False,
        limit: int | None = None,
        invitation: str | None = None,
    ) -> Series[answers.TournamentEvent]:
        """What has happened after the event with that number; with `follow` also what comes, as it comes, until it is
        over."""
        call = get(path("tournaments", tournament, "events"), after=after, limit=limit, invitation=invitation)
        return Stream(self, call) if follow else Pages(self, call)
