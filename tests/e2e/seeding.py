"""Things under the very ids of the document's examples, so that its examples are calls that succeed."""

from __future__ import annotations

import random
import secrets
from typing import Any
from unittest import mock
from uuid import UUID

import msgspec

from holmgang.api.resources import examples
from holmgang.api.resources.examples import INVITATION, INVITATION_SECRET, PRIVATE_GAME, WEBHOOK_SECRET
from holmgang.app.access import find_caller
from holmgang.app.accounts import players, tokens
from holmgang.app.accounts.players import register
from holmgang.app.accounts.tokens import TOKEN_PREFIX, authenticate, create_token, token_digest
from holmgang.app.games.seats import take_seat
from holmgang.app.meeting import challenges, seeks
from holmgang.app.play import submissions
from holmgang.app.play.position import position
from holmgang.app.ports import Store, Tables
from holmgang.app.reading import analyses
from holmgang.app.records.players import Principal
from holmgang.app.records.terms import Terms
from holmgang.app.records.tournaments import Plan
from holmgang.app.tournaments import making
from holmgang.store.database import PostgresStore
from tests.integration.tables import new_game
from tests.integration.tournaments import TERMS, Event

SEATS = 3
CALLED = dict(examples.PEOPLE)


def _register(tables: Tables, player: str, token: str, secret: str) -> Principal:
    with (
        mock.patch.object(players, "uuid7", return_value=UUID(player)),
        mock.patch.object(tokens, "uuid7", return_value=UUID(token)),
        mock.patch.object(secrets, "token_urlsafe", return_value=secret.removeprefix(TOKEN_PREFIX)),
    ):
        register(tables, CALLED.get(player, f"player {player[-3:]}"))
    return authenticate(tables, secret)


def _game(tables: Tables, ident: str, seated: list[Principal], **terms: Any) -> UUID:
    """A game of Eketorp with these players on its first seats; it has started if they fill it."""
    with mock.patch("holmgang.store.games.uuid7", return_value=UUID(ident)):
        game = new_game(tables, seated[0], ruleset="eketorp", seats=SEATS, options={}, join=False, **terms).id
    for seat, principal in enumerate(seated):
        take_seat(tables, principal, game, seat, None)
    return game


def _challenge(tables: Tables, ident: str, by: Principal, *to: Principal) -> None:
    with mock.patch.object(challenges, "uuid7", return_value=UUID(ident)):
        players = [str(one.player) for one in to]
        challenges.create(tables, by, Terms(ruleset="eketorp"), players, seat=None, seconds=86_400, most=9)


def seed(store: PostgresStore) -> None:
    """The example player with a token, a game of theirs in every state, and a sealed submission."""
    with store.transaction() as tables:
        me = _register(tables, examples.PLAYER, examples.TOKEN, examples.SECRET)
        other = _register(tables, examples.OTHER, "019a0c4e-9d03-7a55-9c3f-1be0a7d2f623", "hg_the-second-player")
        third = _register(tables, examples.THIRD, "019a0c4f-0a45-7be1-b2d7-6f0c8d91e734", "hg_the-third-player")
        with mock.patch.object(tokens, "uuid7", return_value=UUID(examples.SECOND_TOKEN)):
            create_token(tables, me, "bot", ["read"], None, None)
        tables.add_webhook(
            UUID(examples.WEBHOOK), me.player, "https://bots.example.org/", ["game.over"], WEBHOOK_SECRET
        )
        tables.add_delivery(UUID(examples.DELIVERY), UUID(examples.WEBHOOK), "webhook.test", "{}")
        blocked = _register(tables, examples.BLOCKED, "019a0c4f-2c67-7d14-9e42-7a1d9ea2f845", "hg_the-blocked-player")
        tables.add_block(me.player, blocked.player)
        _challenge(tables, examples.CHALLENGE, me, other, third)
        _challenge(tables, examples.ASKED, other, me, third)
        challenges.accept(tables, me, UUID(examples.ASKED))
        for ident, principal, ruleset in ((examples.SEEK, me, "claim"), (examples.THEIR_SEEK, other, "drakkars")):
            with mock.patch.object(seeks, "uuid7", return_value=UUID(ident)):
                seeks.create(tables, principal, Terms(ruleset=ruleset), [2], seconds=10**8, most=1)
        _game(tables, examples.OPEN_GAME, [other, third])
        _game(tables, examples.OWN_OPEN_GAME, [me])
        private = _game(tables, PRIVATE_GAME, [me], visibility="private")
        tables.add_invitation(private, UUID(INVITATION), token_digest(INVITATION_SECRET), None, 2, None, None)
        over = _game(tables, examples.OVER_GAME, [me, other, third])
        active = _game(tables, examples.GAME, [me, other, third], turn_seconds=86_400, leave_days=7)
    _play(store, over, [examples.SECRET, "hg_the-second-player", "hg_the-third-player"])
    with store.transaction() as tables:
        analyses.ask(tables, me, find_caller(tables, examples.SECRET, over), most=1)
        claimed = tables.claim_analysis(60.0)
        assert claimed is not None
        analyses.note(tables, claimed, 0, 0, [], 60.0, done=True)
    with store.reading() as tables, mock.patch.object(submissions, "uuid7", return_value=UUID(examples.SUBMISSION)):
        submissions.submit(tables, examples.SECRET, active, 1, _choice(tables, active, 0))
    people = {me.player: me, other.player: other}
    cup = _tournament(store, examples.TOURNAMENT, me, people)
    _tournament(store, examples.OWN_TOURNAMENT, me, people)
    _tournament(store, examples.OPEN_TOURNAMENT, other, {})
    _tournament(store, examples.PRIVATE_TOURNAMENT, me, {}, visibility="private")
    cup.begin()
    cup.play()


def _tournament(
    store: PostgresStore, ident: str, maker: Principal, people: dict[UUID, Principal], **terms: Any
) -> Event:
    """One of Claim, which these players have entered."""
    secrets = {UUID(examples.PLAYER): examples.SECRET, UUID(examples.OTHER): "hg_the-second-player"}
    agreed = Terms(ruleset="claim", **TERMS, **terms)
    with store.transaction() as tables, mock.patch.object(making, "uuid7", return_value=UUID(ident)):
        making.create(tables, maker, agreed, name="Thing of the North", kind="swiss", plan=Plan(seats=2))
    cup = Event(store, UUID(ident), maker, people, secrets)
    for player in people:
        cup.join(player)
    return cup


def _choice(tables: Tables, game: UUID, seat: int) -> object:
    row = tables.game_row(game, lock=False)
    assert row is not None
    place = position(tables, row)
    return msgspec.to_builtins(place.rules.default(place.without(seat), seat))


def _play(store: Store, game: UUID, secrets: list[str]) -> None:
    """To the end, at random."""
    rng = random.Random(3)
    with store.reading() as tables:
        while True:
            row = tables.game_row(game, lock=False)
            assert row is not None
            if row.status == "over":
                return
            place = position(tables, row)
            for seat in place.awaited():
                action = place.rules.moves(place.without(seat), seat).sample(rng)
                submissions.submit(tables, secrets[seat], game, row.turn, msgspec.to_builtins(action))
