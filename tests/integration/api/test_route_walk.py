"""Every operation of the document, called with every kind of token: one table says what each gets.

An operation that is not in the table fails, so that nobody adds one without saying who may call it. The table does not
come from the declarations it is to check. Refused calls must change nothing, whatever their method; what is granted is
carried out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

import psycopg
import pytest

from holmgang.api.resources import examples
from holmgang.api.resources.examples import GAME, OVER_GAME, OWN_OPEN_GAME, PRIVATE_GAME
from holmgang.app.accounts.players import register
from holmgang.app.accounts.tokens import authenticate, create_token, revoke_token
from holmgang.store.database import PostgresStore, conninfo
from tests.api_document import api_document, parameters
from tests.conftest import copied_database
from tests.e2e.seeding import seed

from .calling import Api

KINDS = ("none", "stranger", "member", "owner", "read", "play", "manage", "seat", "elsewhere")
"""No token; another player's; that of another player at the same table; the player's own with all scopes, with one, for
their seat in the game in question (with `read` and `play`), and for their seat in another game."""
BAD = ("expired", "revoked", "unknown", "malformed")

OK = "ok"
NONE, NO_SCOPE, LIMITED = "unauthenticated", "missing_scope", "token_limited"
MISSING, SEATED, OTHERS = "not_found", "not_seated", "not_yours"

OPEN = (OK,) * 9
READS = (NONE, OK, OK, OK, OK, NO_SCOPE, NO_SCOPE, OK, OK)
"""The caller's own, or what they may see in a list."""
PLAYS = (NONE, OK, OK, OK, NO_SCOPE, OK, NO_SCOPE, LIMITED, LIMITED)
OWN_LIST = (NONE, OK, OK, OK, OK, NO_SCOPE, NO_SCOPE, LIMITED, LIMITED)
OWN_SEAT = (NONE, OTHERS, OTHERS, OK, NO_SCOPE, OK, NO_SCOPE, LIMITED, LIMITED)
MANAGES = (NONE, OK, OK, OK, NO_SCOPE, NO_SCOPE, OK, NO_SCOPE, NO_SCOPE)
OWN = (NONE, MISSING, MISSING, OK, NO_SCOPE, NO_SCOPE, OK, NO_SCOPE, NO_SCOPE)
"""What only its owner may know of."""
WATCHES = (OK, OK, OK, OK, OK, NO_SCOPE, NO_SCOPE, OK, LIMITED)
"""What spectators of a public game see too."""
CHOOSES = (NONE, SEATED, OK, OK, NO_SCOPE, OK, NO_SCOPE, OK, LIMITED)

TABLE: dict[str, tuple[str, ...]] = {
    "getIndex": OPEN,
    "getHealth": OPEN,
    "getReadiness": OPEN,
    "getOpenAPI": OPEN,
    "registerPlayer": OPEN,
    "getPlayer": OPEN,
    "listPlayers": OPEN,
    "getHeadToHead": OPEN,
    "getRatingHistory": OPEN,
    "getRatingHistoryPicture": OPEN,
    "changeMe": MANAGES,
    "deleteMe": MANAGES,
    "listRulesets": OPEN,
    "getRuleset": OPEN,
    "getLeaderboard": OPEN,
    "listGames": OPEN,
    "getGame": OPEN,
    "getSeat": OPEN,
    "getMe": READS,
    "listWaitingTurns": READS,
    "exportMyGames": OWN_LIST,
    "listMyGames": OWN_LIST,
    "createGame": PLAYS,
    "createSeek": PLAYS,
    "listSeeks": OPEN,
    "listMySeeks": OWN_LIST,
    "getSeek": (NONE, MISSING, MISSING, OK, OK, NO_SCOPE, NO_SCOPE, LIMITED, LIMITED),
    "withdrawSeek": (NONE, MISSING, MISSING, OK, NO_SCOPE, OK, NO_SCOPE, LIMITED, LIMITED),
    "takeSeat": PLAYS,
    "createToken": MANAGES,
    "listTokens": MANAGES,
    "getToken": OWN,
    "revokeToken": OWN,
    "blockPlayer": (NONE, OK, "yourself", OK, NO_SCOPE, NO_SCOPE, OK, NO_SCOPE, NO_SCOPE),
    "listBlocks": MANAGES,
    "getBlock": OWN,
    "unblockPlayer": OWN,
    "createChallenge": (NONE, OK, "invalid_field", OK, NO_SCOPE, OK, NO_SCOPE, LIMITED, LIMITED),
    "listMyChallenges": (NONE, OK, OK, OK, OK, NO_SCOPE, NO_SCOPE, LIMITED, LIMITED),
    "getChallenge": (NONE, MISSING, OK, OK, OK, NO_SCOPE, NO_SCOPE, LIMITED, LIMITED),
    "answerChallenge": (NONE, MISSING, OTHERS, OK, NO_SCOPE, OK, NO_SCOPE, LIMITED, LIMITED),
    "takeBackAnswer": (NONE, MISSING, OTHERS, OK, NO_SCOPE, OK, NO_SCOPE, LIMITED, LIMITED),
    "withdrawChallenge": (NONE, MISSING, OTHERS, OK, NO_SCOPE, OK, NO_SCOPE, LIMITED, LIMITED),
    "getPresence": (NONE, SEATED, OK, OK, OK, NO_SCOPE, NO_SCOPE, OK, LIMITED),
    "agreeToRematch": (NONE, SEATED, OK, OK, NO_SCOPE, OK, NO_SCOPE, LIMITED, LIMITED),
    "getRematch": (NONE, SEATED, OK, OK, OK, NO_SCOPE, NO_SCOPE, LIMITED, LIMITED),
    "takeBackRematch": (NONE, SEATED, OK, OK, NO_SCOPE, OK, NO_SCOPE, LIMITED, LIMITED),
    "createWebhook": MANAGES,
    "listWebhooks": MANAGES,
    "getWebhook": OWN,
    "changeWebhook": OWN,
    "deleteWebhook": OWN,
    "rotateWebhookSecret": OWN,
    "testWebhook": OWN,
    "listDeliveries": OWN,
    "replayDelivery": OWN,
    "createInvitation": OWN,
    "listInvitations": OWN,
    "getInvitation": OWN,
    "revokeInvitation": OWN,
    "leaveSeat": OWN_SEAT,
    "returnToSeat": (NONE, OTHERS, OTHERS, OK, NO_SCOPE, OK, NO_SCOPE, OK, LIMITED),
    "goOnLeave": (NONE, OTHERS, OTHERS, OK, NO_SCOPE, OK, NO_SCOPE, OK, LIMITED),
    "endLeave": (NONE, OTHERS, OTHERS, OK, NO_SCOPE, OK, NO_SCOPE, OK, LIMITED),
    "getView": WATCHES,
    "getTurn": WATCHES,
    "getBoardPicture": WATCHES,
    "listEvents": WATCHES,
    "listCombats": WATCHES,
    "getCombat": WATCHES,
    "getRecord": WATCHES,
    "askForAnalysis": PLAYS,
    "getAnalysis": WATCHES,
    "resign": CHOOSES,
    "submit": CHOOSES,
    "replaceSubmission": (NONE, SEATED, MISSING, OK, NO_SCOPE, OK, NO_SCOPE, OK, LIMITED),
    "listTournaments": OPEN,
    "listMyTournaments": OWN_LIST,
    "createTournament": PLAYS,
    "getTournament": OPEN,
    "startTournament": OWN_SEAT,
    "cancelTournament": OWN_SEAT,
    "inviteToTournament": OWN,
    "enterTournament": PLAYS,
    "listEntries": OPEN,
    "getEntry": OPEN,
    "leaveTournament": OWN_SEAT,
    "listRounds": OPEN,
    "getRound": OPEN,
    "getStandings": OPEN,
    "getCrosstable": OPEN,
    "listTournamentEvents": OPEN,
    "getSubmission": (NONE, SEATED, OTHERS, OK, OK, NO_SCOPE, NO_SCOPE, OK, LIMITED),
}
"""By operationId, the outcome for each of KINDS: `ok` for an answer below 400, or a problem's code."""
BLIND = {"getIndex", "getHealth", "getReadiness", "getOpenAPI"}
"""Operations that look at no token. All others refuse one that is no good, also where none is needed."""
CALLED = {"stranger": "stranger", "member": "Sigrid"}
"""The names of who is not the player of the examples: they confirm that an account is to be deleted."""
ONCE = {
    "deleteMe",
    "takeSeat",
    "leaveSeat",
    "resign",
    "revokeToken",
    "blockPlayer",
    "unblockPlayer",
    "answerChallenge",
    "takeBackAnswer",
    "withdrawChallenge",
    "deleteWebhook",
    "revokeInvitation",
    "replaceSubmission",
    "startTournament",
    "cancelTournament",
    "enterTournament",
    "leaveTournament",
}
"""Operations after which others could not be: each call gets a copy of the database."""
SITS_ALREADY = ("takeSeat", "member")
"""Who asks for a seat and has one is told of it."""
BODIES: dict[str, Any] = {
    "registerPlayer": {"name": "Ragna"},  # a bot is its owner's by a token that manages
    "changeMe": {"name": "Ragna Storm"},
    "enterTournament": {},
    "createToken": {"label": "t", "scopes": ["manage"]},  # no more than the token that makes it may
    "answerChallenge": {"accepts": False},
}
"""Where the document's example would not do for everybody."""
PREFERENCES: tuple[dict[str, Any], ...] = ({}, {"If_None_Match": "*"}, {"Prefer": "wait=1"})
"""Headers by which reads are answered on other ways through the code."""

CALLS = {
    operation["operationId"]: (verb.upper(), path, operation)
    for path, verbs in api_document()["paths"].items()
    for verb, operation in verbs.items()
}


class Walk(NamedTuple):
    """A database with the things of the document's examples, an application on it, and a token of every kind."""

    api: Api
    bodies: dict[str, Any]
    url: str
    copy: str
    """The same database once more, to make copies of: nobody is connected to it."""
    tokens: dict[str, str]


@pytest.fixture(scope="module")
def walk(postgres_url: str, module_database: str) -> Iterator[Walk]:
    store = PostgresStore(module_database, pool_size=1)
    seed(store)
    tokens = {"owner": examples.SECRET, "member": "hg_the-second-player", "malformed": "no token"}
    with store.transaction() as tables:
        me = authenticate(tables, examples.SECRET)

        def made(*scopes: str, game: str | None = None) -> tuple[str, UUID]:
            token, secret = create_token(tables, me, "t", scopes, UUID(game) if game else None, None)
            return secret, token.id

        tokens["stranger"] = register(tables, "stranger")[2]
        tokens |= {scope: made(scope)[0] for scope in ("read", "play", "manage")}
        for game in (GAME, OVER_GAME, OWN_OPEN_GAME, PRIVATE_GAME):
            tokens[game] = made("read", "play", game=game)[0]
        tokens["expired"], expired = made("read", "play", "manage")
        tokens["revoked"], revoked = made("read", "play", "manage")
        revoke_token(tables, me, revoked)
    tokens["unknown"] = "hg_" + "A" * 43
    store.close()
    with psycopg.connect(conninfo(module_database), autocommit=True) as rows:
        rows.execute("UPDATE tokens SET expires_at = clock_timestamp() WHERE id = %s", [expired])
    with copied_database(postgres_url, module_database) as copy:
        api = Api(module_database, rate_limit=10**6)
        sealed = api.get(address("getSubmission"), examples.SECRET)
        same = {"turn": sealed["turn"], "action": sealed["action"]}  # legal for every seat; its own may say it again
        yield Walk(api, {"submit": same}, module_database, copy, tokens)
        api.close()


def token_of(walk: Walk, kind: str, path: str) -> str | None:
    if kind == "none":
        return None
    here = next((game for game in (GAME, OVER_GAME, OWN_OPEN_GAME, PRIVATE_GAME) if game in path), GAME)
    if kind == "seat":
        return walk.tokens[here]
    if kind == "elsewhere":
        return walk.tokens[OWN_OPEN_GAME if here != OWN_OPEN_GAME else GAME]
    return walk.tokens[kind]


def address(name: str) -> str:
    path: str
    _, path, operation = CALLS[name]
    for one in parameters(operation):
        if one["in"] == "path":
            path = path.replace("{" + one["name"] + "}", str(one["example"]))
    asked = {one["name"]: one["example"] for one in parameters(operation) if one["in"] == "query" and one["required"]}
    return path + (f"?{urlencode(asked)}" if asked else "")


def outcome(walk: Walk, api: Api, name: str, kind: str) -> str:
    """What the call comes to, however it is asked for."""
    verb, _, operation = CALLS[name]
    path, body = address(name), {**BODIES, **walk.bodies}.get(name)
    if name == "deleteMe" and kind in CALLED:
        body = {"name": CALLED[kind]}
    if body is None and "requestBody" in operation:
        body = next(iter(operation["requestBody"]["content"]["application/json"]["examples"].values()))["value"]
    token, found = token_of(walk, kind, path), set()
    for headers in PREFERENCES if verb == "GET" else PREFERENCES[:1]:
        if "Prefer" in headers and OK in found:
            continue  # a second each, to be told what is known
        answer = api.call(verb, path, token=token, json=body, **headers)
        found.add(OK if answer.status_code < 400 else str(answer.get_json()["code"]))
        if verb == "GET":
            head = api.call("HEAD", path, token=token, **headers)
            assert (head.status_code, head.get_data()) == (answer.status_code, b"")
        if found == {"invalid_token"} or found == {"token_expired"}:
            assert 'error="invalid_token"' in answer.headers["WWW-Authenticate"]
    (code,) = found
    return code


def everything(url: str) -> list[Any]:
    with psycopg.connect(conninfo(url)) as rows:
        names = rows.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1").fetchall()
        return [rows.execute(f"SELECT t::text FROM {name} t ORDER BY 1".encode()).fetchall() for (name,) in names]


def test_the_table_has_every_operation() -> None:
    assert set(TABLE) == set(CALLS)
    assert all(len(row) == len(KINDS) for row in TABLE.values())
    assert BLIND | ONCE | set(BODIES) <= set(CALLS)


@pytest.mark.parametrize("name", sorted(CALLS))
def test_who_may_call(walk: Walk, postgres_url: str, name: str) -> None:
    wanted = dict(zip(KINDS, TABLE[name], strict=True))
    for kind in BAD:
        wanted[kind] = OK if name in BLIND else "token_expired" if kind == "expired" else "invalid_token"
    reads = CALLS[name][0] == "GET"
    found = {}
    before = everything(walk.url)
    for kind in [kind for kind, code in wanted.items() if code != OK or reads]:
        found[kind] = outcome(walk, walk.api, name, kind)
    assert everything(walk.url) == before, "what is only read or refused changes nothing"
    for kind in [kind for kind in wanted if kind not in found]:
        if name not in ONCE:
            found[kind] = outcome(walk, walk.api, name, kind)
            continue
        with copied_database(postgres_url, walk.copy) as url:
            api = Api(url, rate_limit=10**6)
            try:
                as_it_was = everything(url)
                found[kind] = outcome(walk, api, name, kind)
                assert (everything(url) != as_it_was) == ((name, kind) != SITS_ALREADY), (
                    "what is granted is carried out"
                )
            finally:
                api.close()
    assert found == wanted
