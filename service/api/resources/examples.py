"""Examples for the document. What belongs to a game is taken from one that is really played, so that it stays true."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from service.release import release

from .story import AT, SEED, Story, Values, plain

PLAYER = "019a0c4e-7b10-7c3e-8f21-5d2a9be40c11"
OTHER = "019a0c4e-9d02-7a55-9c3f-1be0a7d2f622"
THIRD = "019a0c4f-0a44-7be1-b2d7-6f0c8d91e733"
OPEN_GAME = "019a0c51-1f00-7d11-8a60-0f4be9c3d101"
OWN_OPEN_GAME = "019a0c51-2f00-7d12-8a61-0f4be9c3d102"
GAME = "019a0c52-3f00-7d13-8a62-0f4be9c3d103"
OVER_GAME = "019a0c53-4f00-7d14-8a63-0f4be9c3d104"
SUBMISSION = "019a0c54-5f00-7d15-8a64-0f4be9c3d105"
TOKEN = "019a0c4e-7b11-7d01-8a01-3c5e7f901201"  # nosec B105 # an example in the document, of no service
SECOND_TOKEN = "019a0c55-6f00-7d16-8a65-0f4be9c3d106"  # nosec B105 # an example in the document, of no service
SECRET = "hg_5Jv0cN2mXq8rT1wZk7Yb4Lh9Sd3Gf6PaRuEoVi-Cxt0"  # nosec B105 # an example in the document, of no service
ENTROPY = "q83vASNFZ4mrze8BI0VniQ"
LATER = "2026-11-28T12:00:07.250000Z"
WEBHOOK = "019a0c56-aa00-7000-8000-00000000000a"
DELIVERY = "019a0c56-aa00-7000-8000-00000000000b"
WEBHOOK_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"  # nosec B105 # an example in the document, of no service
PRIVATE_GAME = "019a0c57-bb00-7d17-8a66-0f4be9c3d107"
INVITATION = "019a0c57-cc00-7d18-8a67-0f4be9c3d108"
INVITATION_SECRET = "hgi_9QmT4xWc2Lr7Vb0NkZs5Yd8Hf3Jg6PuEaRoi-KtXe1w"  # nosec B105 # an example in the document
HEAD = "5f" * 32
DEADLINE = "2026-11-28T13:00:07.250000Z"
EXPIRY = "2099-01-01T00:00:00Z"


class Example(NamedTuple):
    """Example values of an operation: its parameters, its bodies by name, its answers by status and name."""

    parameters: Mapping[str, Any] = MappingProxyType({})
    bodies: Mapping[str, Any] = MappingProxyType({})
    answers: Mapping[str, Values] = MappingProxyType({})


PEOPLE = ((PLAYER, "Ragna"), (OTHER, "Sigrid"), (THIRD, "Torsten"))


def people(story: Story) -> dict[int, tuple[str, str]]:
    """Who sits at the example game, by seat: the player whom these examples are of first, where the game asks first."""
    seats = [story.seat, *(seat for seat in range(story.seats) if seat != story.seat)]
    more = ((f"019a0c4f-1b55-7c02-8d31-{n:012x}", f"Guest {n}") for n in range(4, story.seats + 1))
    return dict(zip(seats, (*PEOPLE, *more), strict=False))


def _last(story: Story) -> int:
    """The seat that is taken last."""
    return list(people(story))[-1]


def _seat(seat: int, player: str | None, name: str | None, started: bool) -> Values:
    taken = None if player is None else AT
    held: Values = {"seat": seat, "player": player, "name": name, "taken_at": taken, "resigned_at": None}
    held["entropy"] = ENTROPY if started and player == OTHER else None
    return {**held, "bot": None, "absent_since": None}


def _game(story: Story, ident: str, status: str) -> Values:
    started = status != "open"
    over = status == "over"
    held: dict[int, tuple[str | None, str | None]] = {**people(story)}
    if not started:
        held[_last(story)] = (None, None)
    return {
        "id": ident,
        "ruleset": story.rules.ruleset,
        "ruleset_version": story.rules.version,
        "status": status,
        "visibility": "public",
        "spectators": True,
        "options": story.options,
        "creator": PLAYER,
        "created_at": AT,
        "started_at": LATER if started else None,
        "ended_at": LATER if over else None,
        "version": 9 if started else 3,
        "turn_seconds": 3600,
        "absence": "default",
        "practice": False,
        "rated": over,
        "deadline": DEADLINE if status == "active" else None,
        "turn": story.turn if started else 0,
        "kind": story.kind if status == "active" else None,
        "awaited": list(story.awaited) if status == "active" else [],
        "seats": [_seat(seat, *held[seat], started) for seat in range(story.seats)],
        "teams": plain(story.rules.teams(story.seats)),
        "result": story.result if over else None,
        "rating_changes": None,
        "commitment": story.commitment.hex(),
        "seed": SEED.hex() if over else None,
        "head": HEAD if over else None,
    }


def examples(story: Story, base: str) -> dict[str, Example]:
    """An example of every operation, by its operationId. Addresses in them begin with `base`."""
    from service.api.resources.invitations.examples import invitation_examples
    from service.api.resources.leaderboards.examples import changes, rating_examples
    from service.api.resources.webhooks.examples import webhook_examples

    player = {"id": PLAYER, "name": "Ragna", "created_at": AT, "ratings": {}}
    token = {
        "id": SECOND_TOKEN,
        "label": "bot",
        "scopes": ["read", "play"],
        "game": None,
        "seat": None,
        "created_at": AT,
        "expires_at": EXPIRY,
    }
    in_use = {"id": TOKEN, "scopes": ["read", "play", "manage"], "game": None, "seat": None}
    active, opened = _game(story, GAME, "active"), _game(story, OPEN_GAME, "open")
    ended = {**_game(story, OVER_GAME, "over"), "rating_changes": changes(story)}
    joined = {**opened, "status": "active", "seats": active["seats"], "started_at": LATER, "awaited": active["awaited"]}
    joined |= {"turn": story.turn, "kind": story.kind, "version": 9}
    receipt = {
        "id": SUBMISSION,
        "game": GAME,
        "turn": story.turn,
        "kind": story.kind,
        "seat": story.seat,
        "revision": 1,
        "action": story.action,
        "received_at": LATER,
        "state": "sealed" if story.sealed else "applied",
    }
    turn = {
        "game": GAME,
        "version": 9,
        "status": "active",
        "turn": story.turn,
        "kind": story.kind,
        "sealed": story.sealed,
        "awaited": list(story.awaited),
        "submitted": [],
        "defaulted": [],
        "seat": story.seat,
        "yours": True,
        "submission": None,
        "context": story.context,
        "legal": story.legal,
        "last_turn": None,
        "deadline": DEADLINE,
        "server_time": LATER,
        "next_poll_ms": 1000,
    }
    combat = story.combat and {
        "number": story.combat["number"],
        "status": "resolved",
        "turn": 2,
        "opened_at": AT,
        "resolved_at": LATER,
        "record": story.combat,
    }
    move = {"turn": story.turn, "action": story.action}
    second = list(people(story))[1 % story.seats]
    return {
        **_operations_examples(base),
        **_ruleset_examples(story),
        "registerPlayer": Example(
            bodies={"named": {"name": "Ragna"}},
            answers={"201": {"registered": {"player": player, "token": SECRET, "token_id": TOKEN}}},
        ),
        **rating_examples(story, player),
        "getMe": Example(answers={"200": {"me": {"player": player, "token": in_use}}}),
        "listMyGames": Example({"limit": 50}, answers={"200": {"page": {"items": [active], "next": None}}}),
        "listWaitingTurns": Example(
            answers={
                "200": {
                    "one": {
                        "items": [
                            {
                                "game": GAME,
                                "ruleset": story.rules.ruleset,
                                "seat": story.seat,
                                "turn": story.turn,
                                "kind": story.kind,
                                "since": LATER,
                                "deadline": DEADLINE,
                            }
                        ],
                        "next_poll_ms": 1000,
                    }
                }
            }
        ),
        "createToken": Example(
            bodies={
                "for_a_bot": {"label": "bot", "scopes": ["read", "play"], "expires_at": EXPIRY},
                "for_one_seat": {"label": "one game", "scopes": ["read", "play"], "game": GAME},
            },
            answers={"201": {"issued": {**token, "token": SECRET}}},
        ),
        "listTokens": Example({"limit": 50}, answers={"200": {"page": {"items": [token], "next": None}}}),
        "getToken": Example({"token": SECOND_TOKEN}, answers={"200": {"token": token}}),
        "revokeToken": Example({"token": SECOND_TOKEN}),
        "createGame": Example(
            bodies={
                "simple": {"ruleset": story.rules.ruleset, "seats": story.seats},
                "with_options": {
                    "ruleset": story.rules.ruleset,
                    "seats": story.seats,
                    "options": story.option,
                    "join": False,
                },
                "with_deadlines": {
                    "ruleset": story.rules.ruleset,
                    "seats": story.seats,
                    "turn_seconds": 3600,
                    "absence": "bot:random",
                },
                "rated": {
                    "ruleset": story.rules.ruleset,
                    "seats": story.seats,
                    "turn_seconds": 3600,
                    "rated": True,
                },
                "private": {
                    "ruleset": story.rules.ruleset,
                    "seats": story.seats,
                    "visibility": "private",
                },
            },
            answers={"201": {"created": opened}},
        ),
        "listGames": Example(
            {"status": "open", "limit": 50}, answers={"200": {"page": {"items": [opened], "next": None}}}
        ),
        "getGame": Example({"game": GAME}, answers={"200": {"active": active, "open": opened, "rated": ended}}),
        "takeSeat": Example(
            {"game": OPEN_GAME},
            {
                "any": {},
                "with_entropy": {"seat": _last(story), "entropy": ENTROPY},
                "for_a_bot": {"seat": _last(story), "bot": "random"},
                "invited": {"invitation": INVITATION_SECRET},
            },
            {
                "201": {"last_seat": {"seat": _last(story), "game": joined}},
                "200": {"again": {"seat": _last(story), "game": joined}},
            },
        ),
        "getSeat": Example({"game": GAME, "seat": second}, answers={"200": {"seat": active["seats"][second]}}),
        "leaveSeat": Example({"game": OWN_OPEN_GAME, "seat": story.seat}),
        "resign": Example(
            {"game": GAME},
            {"empty": {}},
            {
                "201": {"resigned": {"seat": story.seat, "game": _resigned(story, active)}},
                "200": {"again": {"seat": story.seat, "game": _resigned(story, active)}},
            },
        ),
        "returnToSeat": Example(
            {"game": GAME, "seat": story.seat},
            {"empty": {}},
            {"200": {"returned": {"seat": story.seat, "game": active}}},
        ),
        **webhook_examples(),
        **invitation_examples(base or "https://games.example.org"),
        "getView": Example({"game": GAME}, answers={"200": {story.rules.ruleset: story.view}}),
        "getBoardPicture": Example(
            {"game": GAME, "theme": "auto"}, answers={"200": {story.rules.ruleset: story.picture}}
        ),
        "getTurn": Example(
            {"game": GAME, "include": "view"},
            answers={"200": {"yours": turn, "with_view": {**turn, "view": story.view}}},
        ),
        "submit": Example(
            {"game": GAME, "dry_run": False},
            {story.kind: move},
            {
                "201": {"sealed": receipt},
                "200": {
                    "again": receipt,
                    "dry_run": {"dry_run": True, "turn": story.turn, "seat": story.seat, "kind": story.kind}
                    | {"action": story.action},
                },
            },
        ),
        "getSubmission": Example({"game": GAME, "submission": SUBMISSION}, answers={"200": {"own": receipt}}),
        "replaceSubmission": Example(
            {"game": GAME, "submission": SUBMISSION},
            {"replaced": {**move, "revision": 1}},
            {"200": {"replaced": {**receipt, "revision": 2}}},
        ),
        "listCombats": Example(
            {"game": OVER_GAME, "limit": 50},
            answers={"200": {"page": {"items": [combat] if combat else [], "next": None}}},
        ),
        "getCombat": Example({"game": OVER_GAME, "number": 1}, answers={"200": {"resolved": combat}} if combat else {}),
        "listEvents": Example({"game": GAME, "after": 0, "limit": 50}, answers={"200": {"page": _events(story, base)}}),
        "getRecord": Example({"game": OVER_GAME}, answers={"200": {"record": _record(story)}}),
    }


def _resigned(story: Story, game: Values) -> Values:
    seats = [{**seat, "resigned_at": LATER} if seat["seat"] == story.seat else seat for seat in game["seats"]]
    return {**game, "version": 11, "awaited": [s for s in story.awaited if s != story.seat], "seats": seats}


def _events(story: Story, base: str) -> Values:
    house = {"type": "seat_taken", "seat": story.seat, "player": PLAYER}
    items = [{"seq": 2, "at": AT, "turn": 0, "payload": house}]
    if story.effect is not None:
        items.append({"seq": 3, "at": LATER, "turn": 0, "payload": story.effect})
    return {"items": items, "next": f"{base}/v1/games/{GAME}/events?after=3"}


def _record(story: Story) -> Values:
    return {
        "game": OVER_GAME,
        "ruleset": story.rules.ruleset,
        "version": story.rules.version,
        "seats": story.seats,
        "teams": plain(story.rules.teams(story.seats)),
        "options": story.options,
        "terms": story.terms.decode(),
        "commitment": story.commitment.hex(),
        "seed": SEED.hex(),
        "entropy": [None] * story.seats,
        "log": [*story.log[:3], story.log[-1]],
        "head": story.log[-1]["row_hash"],
        "result": story.result,
    }


def _operations_examples(base: str) -> dict[str, Example]:
    from service.api.resources.service.routes import LINKS

    links = {name: base + path for name, path in LINKS.items()}
    return {
        "getIndex": Example(answers={"200": {"index": {"name": "Holmgang", "version": release(), "links": links}}}),
        "getHealth": Example(answers={"200": {"ok": {"status": "ok"}}}),
        "getReadiness": Example(answers={"200": {"ready": {"status": "ready"}}}),
        "getOpenAPI": Example(answers={"200": {"document": {"openapi": "3.1.0", "info": {"title": "Holmgang"}}}}),
    }


def _ruleset_examples(story: Story) -> dict[str, Example]:
    from service.api.resources.rulesets.routes import head

    whole = {
        **head(story.rules),
        "options_schema": {"type": "object"},
        "rules": [{"id": "C2", "text": "A turn is one decision."}],
        "reconstructed": plain(story.rules.reconstructed)[:1],
        "turn_kinds": {story.kind: {"type": "object"}},
        "view_schema": {"type": "object"},
        "effect_schema": {"anyOf": []},
        "combat_schema": {"type": "object"},
    }
    return {
        "listRulesets": Example(answers={"200": {"page": {"items": [head(story.rules)], "next": None}}}),
        "getRuleset": Example({"ruleset": story.rules.ruleset}, answers={"200": {story.rules.ruleset: whole}}),
    }
