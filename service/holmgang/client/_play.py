"""Calls about a game that is played: turns, views, choices, events, combats and the record.

Arguments that are None are left to the service. Lists go through all their pages; `limit` is the size of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

import httpx

from holmgang import answers
from holmgang.answers import JSON

from ._call import Call, get, path, post, put
from ._flow import Caller, Flow, Pages, Series, Stream, Work
from ._methods import Listing, Method
from ._notes import Verified, judged
from ._seeks import LONGEST_WAIT


class Play(Caller):
    @Method
    def waiting_turns(self, *, wait: int | None = None) -> Flow[answers.WaitingTurns]:
        """All turns that wait for you now. With `wait`, answers as soon as that has changed since the last call."""
        return self._ask(get(path("me", "turns"), kept=True, wait=wait))

    @Method
    def turn(
        self,
        game: str,
        *,
        wait: int | None = None,
        include: Literal["view"] | None = None,
        as_seat: int | None = None,
        invitation: str | None = None,
    ) -> Flow[answers.Turn]:
        """What is asked of you now. With `wait` (1 to 50), answers as soon as that has changed since the last call."""
        address = path("games", game, "turn")
        call = get(address, kept=True, wait=wait, include=include, as_seat=as_seat, invitation=invitation)
        return self._ask(call)

    @Method
    def view(
        self, game: str, *, wait: int | None = None, as_seat: int | None = None, invitation: str | None = None
    ) -> Flow[JSON]:
        """What you may see of the table."""
        return self._ask(get(path("games", game, "view"), kept=True, wait=wait, as_seat=as_seat, invitation=invitation))

    @Method
    def submit(self, game: str, turn: int, action: Mapping[str, Any]) -> Flow[answers.Receipt]:
        """Make a choice. Again is the same: it counts once, however often it is sent."""
        receipt: answers.Receipt = yield from self._ask(
            post(path("games", game, "submissions"), {"turn": turn, "action": action})
        )
        self.notes.took(game, receipt)
        return receipt

    @Method
    def check(self, game: str, turn: int, action: Mapping[str, Any]) -> Flow[answers.DryRun]:
        """Ask whether the choice would be taken (a dry run); IllegalAction says which rule is against it."""
        body = {"turn": turn, "action": action}
        return self._ask(Call("POST", path("games", game, "submissions"), {"dry_run": "true"}, json=body))

    @Method
    def replace(
        self, game: str, submission: str, turn: int, action: Mapping[str, Any], *, revision: int
    ) -> Flow[answers.Receipt]:
        """Another choice for a sealed turn, in place of the one that has this revision.

        Again is the same while the turn is sealed; once it is resolved it is a StaleTurn.
        """
        body = {"turn": turn, "action": action, "revision": revision}
        try:
            receipt: answers.Receipt = yield from self._ask(
                Call("PUT", path("games", game, "submissions", submission), json=body)
            )
        except httpx.TransportError:
            self.notes.forget_choice(game, turn)  # one or the other stands
            raise
        self.notes.took(game, receipt)
        return receipt

    @Method
    def submission(self, game: str, submission: str, *, invitation: str | None = None) -> Flow[answers.Receipt]:
        """A choice of yours; others' once the game is over."""
        return self._ask(get(path("games", game, "submissions", submission), invitation=invitation))

    @Listing
    def events(
        self,
        game: str,
        *,
        after: int = 0,
        follow: bool = False,
        limit: int | None = None,
        as_seat: int | None = None,
        invitation: str | None = None,
    ) -> Series[answers.Event]:
        """What has happened after the event with that number.

        With `follow` also what comes, as it comes, until the game is over or archived. Where the connection is lost, it
        goes on by itself.
        """
        call = get(path("games", game, "events"), after=after, limit=limit, as_seat=as_seat, invitation=invitation)
        return Stream(self, call) if follow else Pages(self, call)

    @Listing
    def stream(self, game: str, *, after: int = 0, invitation: str | None = None) -> Series[answers.Event]:
        """As `events` with `follow`."""
        return Stream(self, get(path("games", game, "events"), after=after, invitation=invitation))

    @Listing
    def combats(self, game: str, *, limit: int | None = None, invitation: str | None = None) -> Pages[answers.Combat]:
        """The fights of a game in their order."""
        return Pages(self, get(path("games", game, "combats"), limit=limit, invitation=invitation))

    @Method
    def combat(self, game: str, number: int, *, invitation: str | None = None) -> Flow[answers.Combat]:
        """One of them."""
        return self._ask(get(path("games", game, "combats", number), invitation=invitation))

    @Method
    def record(self, game: str, *, invitation: str | None = None) -> Flow[answers.GameRecord]:
        """All that it needs to replay a game that is over."""
        return self._ask(get(path("games", game, "record"), invitation=invitation))

    @Method
    def analyse(self, game: str, *, invitation: str | None = None) -> Flow[answers.Analysis]:
        """Have a game that is over judged by the bot `search`. Again is the same."""
        return self._ask(put(path("games", game, "analysis"), invitation=invitation))

    @Method
    def analysis(self, game: str, *, wait: int | None = None, invitation: str | None = None) -> Flow[answers.Analysis]:
        """What it thinks of the game, as far as it is. NotFound where nobody has asked for it. With `wait`, answers as
        soon as it has changed since the last call."""
        return self._ask(get(path("games", game, "analysis"), kept=True, wait=wait, invitation=invitation))

    @Method
    def wait_for_analysis(self, game: str, *, invitation: str | None = None) -> Flow[answers.Analysis]:
        """What it thinks of the game, once it is done or has failed."""
        while True:
            call = get(path("games", game, "analysis"), kept=True, wait=LONGEST_WAIT, invitation=invitation)
            found: answers.Analysis = yield from self._ask(call)
            if found["status"] in ("done", "failed"):
                return found

    @Method
    def verify(self, game: str, *, invitation: str | None = None) -> Flow[Verified]:
        """Compare the record of a game that is over with what this client noted of it, and play it again where the
        games are installed. Raises Belied where it does not hold.
        """
        found = yield from self._ask(get(path("games", game), invitation=invitation))
        record = yield from self._ask(get(path("games", game, "record"), invitation=invitation))
        bots = [seat["seat"] for seat in found["seats"] if seat["bot"] is not None]
        verified: Verified = yield Work(partial(judged, self.notes.of(game), record, bots))
        return verified
