"""Calls about rulesets, games, their seats and invitations.

Arguments that are None are left to the service. Lists go through all their pages; `limit` is the size of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from holmgang import answers
from holmgang.problems import AlreadySeated, SeatTaken

from ._call import Call, get, path, post
from ._export import Export
from ._flow import Caller, Flow, Pages, Series
from ._methods import Listing, Method
from ._notes import Note, agreed, new_entropy

Status = Literal["open", "active", "over", "archived"]


class Games(Caller):
    @Listing
    def rulesets(self) -> Pages[answers.RulesetHead]:
        """The games that can be played."""
        return Pages(self, get(path("rulesets")))

    @Method
    def ruleset(self, ruleset: str) -> Flow[answers.Ruleset]:
        """A game's rules with their ids, and the schemas of its actions, views and options."""
        return self._ask(get(path("rulesets", ruleset), kept=True))

    @Listing
    def leaderboard(
        self,
        ruleset: str,
        *,
        bots: bool | None = None,
        active_since: str | None = None,
        player: str | None = None,
        limit: int | None = None,
    ) -> Pages[answers.Standing]:
        """Players and bots by their ratings, the best first; of one `player` the line alone. `active_since` is a time:
        those alone who have played a rated game on its day (UTC) or later."""
        call = get(path("leaderboards", ruleset), bots=bots, active_since=active_since, player=player, limit=limit)
        return Pages(self, call)

    @Listing
    def games(
        self,
        *,
        status: Status | None = None,
        ruleset: str | None = None,
        player: str | None = None,
        open_seats: bool | None = None,
        rated: bool | None = None,
        since: str | None = None,
        until: str | None = None,
        other: str | None = None,
        won_by: str | None = None,
        lost_by: str | None = None,
        limit: int | None = None,
    ) -> Pages[answers.Game]:
        """Public games, the newest first. `since` and `until` are times between which they were created.

        `player` and `other` both have a seat there. `won_by` and `lost_by` are players who have, or have not, won."""
        call = get(
            path("games"),
            status=status,
            ruleset=ruleset,
            player=player,
            open_seats=open_seats,
            rated=rated,
            since=since,
            until=until,
            other=other,
            won_by=won_by,
            lost_by=lost_by,
            limit=limit,
        )
        return Pages(self, call)

    @Listing
    def my_games(
        self,
        *,
        status: Status | None = None,
        ruleset: str | None = None,
        rated: bool | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
    ) -> Pages[answers.Game]:
        """The games in which you have a seat, private ones too; otherwise as `games`."""
        address = path("me", "games")
        call = get(address, status=status, ruleset=ruleset, rated=rated, since=since, until=until, limit=limit)
        return Pages(self, call)

    @Listing
    def export_games(
        self, *, since: str | None = None, until: str | None = None, cursor: str | None = None
    ) -> Series[answers.GameRecord]:
        """The records of all your games that are over, in the order of their creation, however many there are.

        `since` and `until` are times between which they ended. Where the connection breaks, it goes on by itself; to go
        on another day, give the id of the last game as `cursor`.
        """
        return Export(self, get(path("me", "games", "export"), since=since, until=until, cursor=cursor))

    @Method
    def game(self, game: str, *, invitation: str | None = None) -> Flow[answers.Game]:
        """Who plays, at which turn it is, and once it is over the result and the seed."""
        return self._ask(get(path("games", game), invitation=invitation))

    @Method
    def create_game(
        self,
        ruleset: str,
        seats: int,
        *,
        options: Mapping[str, Any] | None = None,
        visibility: Literal["public", "private"] | None = None,
        spectators: bool | None = None,
        turn_seconds: int | None = None,
        bank_seconds: int | None = None,
        increment_seconds: int | None = None,
        leave_days: int | None = None,
        absence: str | None = None,
        clock: Literal["waits", "runs"] | None = None,
        rated: bool | None = None,
        practice: bool | None = None,
        seed: str | None = None,
        join: bool | None = None,
    ) -> Flow[answers.Game]:
        """A new game, in which you sit on seat 0 unless `join` is false.

        You sit down after its commitment was noted, with entropy, as by `take_seat`; on another seat if somebody was
        quicker. In a practice game, whose seed may be given, nobody's chance is at stake, and none is given.

        Among bots alone the clock stops when your time is up. With `clock="runs"` it does not, and a late choice is
        refused (`StaleTurn`) as it is among people.
        """
        terms = {"visibility": visibility, "spectators": spectators, "turn_seconds": turn_seconds}
        banks = {"bank_seconds": bank_seconds, "increment_seconds": increment_seconds, "leave_days": leave_days}
        late = {"absence": absence, "clock": clock}
        chance = {"rated": rated, "practice": practice, "seed": seed, "join": join if practice else False}
        body = {"ruleset": ruleset, "seats": seats, "options": options, **terms, **banks, **late, **chance}
        made: answers.Game = yield from self._ask(post(path("games"), body))
        if made.get("commitment") is None:
            return made
        self._saw(made)
        if join is False:
            return made
        try:
            taken = yield from self._sit_down(made, seat=0)
        except SeatTaken:
            taken = yield from self._sit_down(made)
        return taken["game"]

    @Method
    def take_seat(
        self, game: str, *, seat: int | None = None, entropy: str | None = None, invitation: str | None = None
    ) -> Flow[answers.OwnSeat]:
        """Sit down, on the lowest free seat if you name none. Again is the same.

        The game's commitment is noted first. Then entropy is drawn, unless you give your own (16 to 64 bytes,
        base64url), and noted, so that `verify` can compare the record with both. Raises Belied where the commitment has
        changed.
        """
        found = yield from self._ask(get(path("games", game), invitation=invitation))
        return (yield from self._sit_down(found, seat, entropy, invitation))

    def _sit_down(
        self,
        found: answers.Game,
        seat: int | None = None,
        entropy: str | None = None,
        invitation: str | None = None,
    ) -> Flow[answers.OwnSeat]:
        game = found["id"]
        seats = path("games", game, "seats")
        before = self._saw(found)
        given = entropy
        if given is None and found["commitment"] is not None and found["started_at"] is None:
            given = before.entropy or new_entropy()
        if given is not None:
            self.notes.keep(game, entropy=given)  # before it is sent: the answer may be lost
        try:
            taken = yield from self._ask(post(seats, {"seat": seat, "entropy": given, "invitation": invitation}))
        except AlreadySeated:
            # If it was not noted, the seat was taken elsewhere, with another's entropy or none.
            self.notes.keep(game, entropy=None if before.seat is None else before.entropy)
            if entropy is not None:
                raise
            taken = yield from self._ask(post(seats, {"seat": seat, "invitation": invitation}))
        answer: answers.OwnSeat = taken
        self.notes.keep(game, seat=answer["seat"])
        return answer

    def _saw(self, game: answers.Game) -> Note:
        """Note on what one sits down, practice games aside, where nothing is committed to."""
        terms = agreed(game["options"], game["ruleset"], len(game["seats"]), game["ruleset_version"])
        return self.notes.saw(game["id"], game["commitment"], terms)

    @Method
    def seat_bot(
        self, game: str, bot: Literal["random", "greedy", "search"] = "greedy", *, seat: int | None = None
    ) -> Flow[answers.OwnSeat]:
        """Give a seat of a game that you created to a built-in bot: one of the `bots` of its ruleset."""
        return self._ask(post(path("games", game, "seats"), {"seat": seat, "bot": bot}))

    @Method
    def seat(self, game: str, seat: int, *, invitation: str | None = None) -> Flow[answers.Seat]:
        """Who sits there."""
        return self._ask(get(path("games", game, "seats", seat), invitation=invitation))

    @Method
    def presence(self, game: str) -> Flow[answers.Presence]:
        """Whether those who sit at a game of yours are there, by the minute."""
        return self._ask(get(path("games", game, "presence")))

    @Method
    def leave_seat(self, game: str, seat: int) -> Flow[None]:
        """Get up before the start, and forget what was noted of the game. After it: `resign`."""
        yield from self._ask(Call("DELETE", path("games", game, "seats", seat)))
        self.notes.forget(game)

    @Method
    def return_to_seat(self, game: str, seat: int) -> Flow[answers.OwnSeat]:
        """Be back after an absence, or revive a game that was archived."""
        return self._ask(post(path("games", game, "seats", seat, "return")))

    @Method
    def go_on_leave(self, game: str, seat: int) -> Flow[answers.OwnSeat]:
        """Let your clock stand, in a game that gives leave, until you end it or it is used up."""
        return self._ask(post(path("games", game, "seats", seat, "leave")))

    @Method
    def end_leave(self, game: str, seat: int) -> Flow[None]:
        """Let your clock run again."""
        return self._ask(Call("DELETE", path("games", game, "seats", seat, "leave")))

    @Method
    def resign(self, game: str) -> Flow[answers.OwnSeat]:
        """Give the game up."""
        return self._ask(post(path("games", game, "resignations")))

    @Method
    def create_invitation(
        self,
        game: str,
        *,
        seat: int | None = None,
        uses: int | None = None,
        expires_in: int | None = None,
        expires_at: str | None = None,
    ) -> Flow[answers.IssuedInvitation]:
        """A link into your private game. SecretAlreadyShown if its answer got lost."""
        terms = {"seat": seat, "uses": uses, "expires_in": expires_in, "expires_at": expires_at}
        return self._ask(post(path("games", game, "invitations"), terms))

    @Listing
    def invitations(self, game: str, *, limit: int | None = None) -> Pages[answers.Invitation]:
        """The invitations to a game that you created, without their secrets."""
        return Pages(self, get(path("games", game, "invitations"), limit=limit))

    @Method
    def invitation(self, game: str, invitation: str) -> Flow[answers.Invitation]:
        """One of them."""
        return self._ask(get(path("games", game, "invitations", invitation)))

    @Method
    def revoke_invitation(self, game: str, invitation: str) -> Flow[None]:
        """Nobody sits down by it from now on."""
        return self._ask(Call("DELETE", path("games", game, "invitations", invitation)))
