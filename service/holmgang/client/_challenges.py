"""Calls by which players ask each other for a game. Arguments that are None are left to the service."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from holmgang import answers

from ._call import Call, get, path, post
from ._flow import Caller, Flow, Pages
from ._methods import Listing, Method
from ._seeks import LONGEST_WAIT
from ._several import Several, several

Reason = Literal["later", "too_fast", "too_slow", "rated", "casual", "terms", "opponents", "other"]
ChallengeStatus = Literal["pending", "accepted", "declined", "withdrawn", "expired"]


class Challenges(Caller):
    @Method
    def challenge(
        self,
        players: Several[str],
        ruleset: str,
        *,
        options: Mapping[str, Any] | None = None,
        seat: int | None = None,
        visibility: Literal["public", "private"] | None = None,
        spectators: bool | None = None,
        turn_seconds: int | None = None,
        bank_seconds: int | None = None,
        increment_seconds: int | None = None,
        leave_days: int | None = None,
        absence: str | None = None,
        clock: Literal["waits", "runs"] | None = None,
        rated: bool | None = None,
        expires_in: int | None = None,
    ) -> Flow[answers.Challenge]:
        """Ask these players for a game, by id or name. It is made once all of them have accepted."""
        body = {
            "players": several("players", players),
            "ruleset": ruleset,
            "options": options,
            "seat": seat,
            "visibility": visibility,
            "spectators": spectators,
            "turn_seconds": turn_seconds,
            "bank_seconds": bank_seconds,
            "increment_seconds": increment_seconds,
            "leave_days": leave_days,
            "absence": absence,
            "clock": clock,
            "rated": rated,
            "expires_in": expires_in,
        }
        return self._ask(post(path("challenges"), body))

    @Listing
    def my_challenges(
        self,
        *,
        direction: Literal["incoming", "outgoing"] | None = None,
        status: ChallengeStatus | None = None,
        limit: int | None = None,
    ) -> Pages[answers.Challenge]:
        """By you and to you, newest first."""
        return Pages(self, get(path("me", "challenges"), direction=direction, status=status, limit=limit))

    @Method
    def challenges_now(
        self,
        *,
        direction: Literal["incoming", "outgoing"] | None = None,
        status: ChallengeStatus | None = None,
        wait: int | None = None,
    ) -> Flow[answers.Page[answers.Challenge]]:
        """The newest of them. With `wait`, answers as soon as they may have changed since the last call."""
        return self._ask(get(path("me", "challenges"), kept=True, wait=wait, direction=direction, status=status))

    @Method
    def challenge_by_id(self, challenge: str, *, wait: int | None = None) -> Flow[answers.Challenge]:
        """How a challenge stands. With `wait`, answers as soon as it has changed since the last call."""
        return self._ask(get(path("challenges", challenge), kept=True, wait=wait))

    @Method
    def wait_for_challenge(self, challenge: str) -> Flow[answers.Challenge]:
        """One once it is not pending any more: `game` is where you play, or None if it ended without."""
        while True:
            call = get(path("challenges", challenge), kept=True, wait=LONGEST_WAIT)
            found: answers.Challenge = yield from self._ask(call)
            if found["status"] != "pending":
                return found

    @Method
    def accept_challenge(self, challenge: str) -> Flow[answers.Challenge]:
        """Play. If all others have accepted too, the answer names the `game`."""
        return self._ask(Call("PUT", path("challenges", challenge, "answer"), json={"accepts": True}))

    @Method
    def decline_challenge(self, challenge: str, reason: Reason | None = None) -> Flow[answers.Challenge]:
        """Do not play, which ends the challenge."""
        body = {"accepts": False, "reason": reason}
        return self._ask(Call("PUT", path("challenges", challenge, "answer"), json=body))

    @Method
    def take_back_answer(self, challenge: str) -> Flow[None]:
        """Have accepted nothing, while others have not accepted yet."""
        return self._ask(Call("DELETE", path("challenges", challenge, "answer")))

    @Method
    def rematch(self, game: str) -> Flow[answers.Rematch]:
        """Agree to play a finished game again. Once all its players have, the answer names the `next` one."""
        return self._ask(Call("PUT", path("games", game, "rematch"), json={}))

    @Method
    def rematch_of(self, game: str, *, wait: int | None = None) -> Flow[answers.Rematch]:
        """Who agrees to that. With `wait`, answers as soon as it has changed since the last call."""
        return self._ask(get(path("games", game, "rematch"), kept=True, wait=wait))

    @Method
    def take_back_rematch(self, game: str) -> Flow[None]:
        """Agree no more."""
        return self._ask(Call("DELETE", path("games", game, "rematch")))

    @Method
    def withdraw_challenge(self, challenge: str) -> Flow[None]:
        """End a challenge of yours that has led to no game."""
        return self._ask(Call("DELETE", path("challenges", challenge)))
