"""Calls about seeks: what one would play, and with whom.

Arguments that are None are left to the service. Lists go through all their pages; `limit` is the size of one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from holmgang import answers

from ._call import Call, get, path, post
from ._flow import Caller, Flow, Pages
from ._methods import Listing, Method

LONGEST_WAIT = 50


class Seeks(Caller):
    @Method
    def create_seek(
        self,
        ruleset: str,
        seats: int | Sequence[int],
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
        wanted: Literal["people", "bots", "both"] | None = None,
        rating_below: int | None = None,
        rating_above: int | None = None,
        rating_widens: int | None = None,
        expires_in: int | None = None,
    ) -> Flow[answers.Seek]:
        """Say what you would play, and with how many at the table (`2`, `[3, 4]`). The service makes the game as soon
        as others want the same: `wait_for_seek` waits for that."""
        terms = {"visibility": visibility, "spectators": spectators, "turn_seconds": turn_seconds, "rated": rated}
        banks = {"bank_seconds": bank_seconds, "increment_seconds": increment_seconds, "leave_days": leave_days}
        late = {"absence": absence, "clock": clock}
        ratings = {"rating_below": rating_below, "rating_above": rating_above, "rating_widens": rating_widens}
        whom = {"wanted": wanted, **ratings, "expires_in": expires_in}
        body = {
            "ruleset": ruleset,
            "seats": [seats] if isinstance(seats, int) else list(seats),
            "options": options,
            **terms,
            **banks,
            **late,
            **whom,
        }
        return self._ask(post(path("seeks"), body))

    @Listing
    def seeks(self, *, ruleset: str | None = None, limit: int | None = None) -> Pages[answers.SoughtGame]:
        """What all seek now, the longest waiting first."""
        return Pages(self, get(path("seeks"), ruleset=ruleset, limit=limit))

    @Listing
    def my_seeks(
        self,
        *,
        status: Literal["waiting", "matched", "withdrawn", "expired"] | None = None,
        limit: int | None = None,
    ) -> Pages[answers.Seek]:
        """Yours, the newest first."""
        return Pages(self, get(path("me", "seeks"), status=status, limit=limit))

    @Method
    def seek(self, seek: str, *, wait: int | None = None) -> Flow[answers.Seek]:
        """One of them. With `wait` (1 to 50), answers as soon as it has changed since the last call."""
        return self._ask(get(path("seeks", seek), kept=True, wait=wait))

    @Method
    def wait_for_seek(self, seek: str) -> Flow[answers.Seek]:
        """One of them once it waits no more: `game` is where you play, or None if it ended without."""
        while True:
            found: answers.Seek = yield from self._ask(get(path("seeks", seek), kept=True, wait=LONGEST_WAIT))
            if found["status"] != "waiting":
                return found

    @Method
    def withdraw_seek(self, seek: str) -> Flow[None]:
        """Seek no more. SeekMatched if there is a game by now."""
        return self._ask(Call("DELETE", path("seeks", seek)))
