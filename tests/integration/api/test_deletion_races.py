"""What is on its way at the moment when an account is deleted: nobody is let in after it, and no name comes back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest import mock
from uuid import UUID

import pytest

from holmgang.app.accounts import players
from holmgang.app.accounts.tokens import authenticate, create_token
from holmgang.app.errors import InvalidField, InvalidToken
from holmgang.app.leaving import account
from holmgang.app.meeting import blocks, challenges, seeks
from holmgang.app.records.challenges import Challenge
from holmgang.app.records.players import SCOPES, Principal
from holmgang.app.records.terms import Terms

from .calling import Api
from .test_deletion import go, store_of

CLAIM = Terms(ruleset="claim")


def ask(tables: Any, by: Principal, other: UUID) -> Challenge:
    return challenges.create(tables, by, CLAIM, [str(other)], seat=None, seconds=60, most=9)


@pytest.mark.parametrize(
    "act",
    [
        pytest.param(lambda t, me, _: players.change(t, me, name="Back", kind=None, rename_days=30), id="rename"),
        pytest.param(lambda t, me, _: create_token(t, me, "t", SCOPES, None, None), id="token"),
        pytest.param(lambda t, me, one: blocks.block(t, me, one), id="block"),
        pytest.param(lambda t, me, one: ask(t, me, one), id="challenge"),
        pytest.param(lambda t, me, _: seeks.create(t, me, CLAIM, [2], seconds=60, most=9), id="seek"),
        pytest.param(lambda t, me, _: account.delete(t, me, "Deleted player"), id="delete"),
    ],
)
def test_what_was_on_its_way_when_it_was_deleted_is_refused(
    api: Api, act: Callable[[Any, Principal, UUID], Any]
) -> None:
    me, other = api.register("Late"), api.register("Other")
    with store_of(api).reading() as tables:
        let_in = authenticate(tables, me.token)
    go(api, me, "Late")
    with pytest.raises(InvalidToken), store_of(api).transaction() as tables:
        act(tables, let_in, UUID(other.id))
    assert api.get(f"/v1/players/{me.id}")["name"] == "Deleted player"


def test_nobody_challenges_who_goes_away_meanwhile(api: Api) -> None:
    me, other = api.register("Umi"), api.register("Vali")
    with store_of(api).transaction() as tables:
        mine = authenticate(tables, me.token)

        def lock(player: UUID, locked: Callable[[UUID], bool] = tables.lock_player) -> bool:
            return player == mine.player and locked(player)

        with mock.patch.object(tables, "lock_player", lock), pytest.raises(InvalidField):
            ask(tables, mine, UUID(other.id))
