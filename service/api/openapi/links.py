"""OpenAPI links: which answer leads to which call, for people and for tools that walk the API."""

from __future__ import annotations

from typing import Any

Link = dict[str, Any]


def _link(operation: str, body: dict[str, Any] | None = None, /, **parameters: str) -> Link:
    """Parameters and members of the body as JSON pointers into the answer's body."""
    link: Link = {"operationId": operation, "parameters": {n: f"$response.body#{p}" for n, p in parameters.items()}}
    if body is not None:
        link["requestBody"] = body
    return link


_GAME_CALLS = (
    "getGame",
    "getView",
    "getBoardPicture",
    "getTurn",
    "listEvents",
    "listCombats",
    "getRecord",
    "takeSeat",
    "resign",
    "createInvitation",
    "listInvitations",
)


def _of_game(pointer: str) -> dict[str, Link]:
    return {name: _link(name, game=pointer) for name in _GAME_CALLS}


_SUBMISSION = {
    "getSubmission": _link("getSubmission", game="/game", submission="/id"),
    "replaceSubmission": _link(
        "replaceSubmission",
        {"turn": "$response.body#/turn", "revision": "$response.body#/revision", "action": "$response.body#/action"},
        game="/game",
        submission="/id",
    ),
}

_WEBHOOK = {
    name: _link(name, webhook="/id")
    for name in ("getWebhook", "changeWebhook", "rotateWebhookSecret", "testWebhook", "listDeliveries", "deleteWebhook")
}

LINKS: dict[tuple[str, str], dict[str, Link]] = {
    ("createWebhook", "201"): _WEBHOOK,
    ("testWebhook", "202"): {
        "replayDelivery": {
            "operationId": "replayDelivery",
            "parameters": {"webhook": "$request.path.webhook", "delivery": "$response.body#/id"},
        }
    },
    ("createInvitation", "201"): {
        name: _link(name, game="/game", invitation="/id") for name in ("getInvitation", "revokeInvitation")
    },
    ("registerPlayer", "201"): {"getPlayer": _link("getPlayer", player="/player/id")},
    ("getMe", "200"): {"getPlayer": _link("getPlayer", player="/player/id")},
    ("createToken", "201"): {
        "getToken": _link("getToken", token="/id"),  # nosec B106 # a pointer to an id
        "revokeToken": _link("revokeToken", token="/id"),  # nosec B106 # a pointer to an id
    },
    ("listRulesets", "200"): {
        "getRuleset": _link("getRuleset", ruleset="/items/0/ruleset"),
        "getLeaderboard": _link("getLeaderboard", ruleset="/items/0/ruleset"),
    },
    ("getLeaderboard", "200"): {"getPlayer": _link("getPlayer", player="/items/0/player/id")},
    ("createGame", "201"): {
        **_of_game("/id"),
        "getSeat": _link("getSeat", game="/id", seat="/seats/0/seat"),
        "leaveSeat": _link("leaveSeat", game="/id", seat="/seats/0/seat"),
    },
    ("listGames", "200"): _of_game("/items/0/id"),
    ("listMyGames", "200"): _of_game("/items/0/id"),
    ("takeSeat", "201"): {
        "getSeat": _link("getSeat", game="/game/id", seat="/seat"),
        "returnToSeat": _link("returnToSeat", game="/game/id", seat="/seat"),
        "leaveSeat": _link("leaveSeat", game="/game/id", seat="/seat"),
    },
    ("listWaitingTurns", "200"): {
        "getTurn": _link("getTurn", game="/items/0/game"),
        "getView": _link("getView", game="/items/0/game"),
    },
    ("getTurn", "200"): {
        "submitListed": _link(
            "submit", {"turn": "$response.body#/turn", "action": "$response.body#/legal/actions/0"}, game="/game"
        ),
        "submitSample": _link(
            "submit", {"turn": "$response.body#/turn", "action": "$response.body#/legal/sample"}, game="/game"
        ),
    },
    ("submit", "201"): _SUBMISSION,
    ("getSubmission", "200"): {"replaceSubmission": _SUBMISSION["replaceSubmission"]},
    ("listCombats", "200"): {
        "getCombat": {
            "operationId": "getCombat",
            "parameters": {"game": "$request.path.game", "number": "$response.body#/items/0/number"},
        }
    },
}
