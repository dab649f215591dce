"""What a model is told when a call comes to nothing: why, and how to go on."""

from __future__ import annotations

import httpx
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from pydantic import ValidationError

from holmgang import Belied, Problem

from .words import plain

MOST = 1500
"""Characters of a refusal."""
NO_CALL = "No call with this token will do. Tell the person who set you up: they have to give another token."
ANEW = "Nothing was counted twice. `look` at the game as it is now, and choose anew if the turn is yours."
LATER = "Nothing is lost, and what was taken counts once. Make the same call again in {seconds} seconds."
HOW: dict[str, str] = {
    "already_seated": "You have that seat: `look` at the game.",
    "already_submitted": "Your choice for this turn is in, and counts. `wait` for the next turn.",
    "game_archived": "`sit_down` on your seat brings the game back.",
    "game_full": "`find_games` lists games with free seats; `new_game` makes one.",
    "game_not_active": "`look` tells whether the game has yet to begin or is over.",
    "game_not_open": "It has begun or is over. `find_games` lists games with free seats.",
    "illegal_action": "`legal` lists what you may do, and `rules` explains the rule when you give its id as `section`.",
    "invalid_token": NO_CALL,
    "limit_reached": "Finish or resign games of yours first: `find_games` lists them.",
    "malformed_action": "Give the number of a choice that `legal` lists, or a JSON object in the form of its example.",
    "missing_scope": NO_CALL,
    "not_awaited": "It is not your turn. `wait` until it is.",
    "not_found": "`find_games` lists the ids of games, and `rules` those of rulesets; copy them whole.",
    "not_seated": "You have no seat there. `sit_down` takes one while the game is open.",
    "seat_taken": "`look` shows which seats are free.",
    "spectators_excluded": "Only its players may look at that game. `find_games` lists others.",
    "stale_turn": ANEW,
    "token_expired": NO_CALL,
    "token_limited": NO_CALL,
    "unauthenticated": NO_CALL,
}
ELSE = "Made again as it is, the call will be refused again: change what it says, or `look` at the game."


class Refusal(Exception):
    """A call that makes no sense as things stand. The sentences say why, and how to go on."""


def told(tool: str, fault: BaseException) -> str | None:
    """The refusal in words; None for what is a mistake of ours."""
    if isinstance(fault, UnexpectedToolError):
        return None
    match fault:
        case Belied():
            return plain(f"Do not trust this server, and tell the person who set you up: {fault}", MOST)
        case Refusal() | ToolError():
            return plain(str(fault), MOST)
        case Problem():
            return plain(_problem(fault), MOST)
        case httpx.TransportError():
            return f"The service cannot be reached now ({type(fault).__name__}). {LATER.format(seconds=30)}"
        case ValidationError():
            wrong = "; ".join(f"`{'.'.join(map(str, each['loc']))}`: {each['msg']}" for each in fault.errors())
            return plain(f"{wrong}. Call `{tool}` again with that put right.", MOST)
    return None


def _problem(problem: Problem) -> str:
    rule = f" (rule {problem.rule})" if problem.rule else ""
    fields = "".join(f" {entry['pointer']}: {entry['detail']}" for entry in problem.errors)
    if problem.retryable or problem.retry_after:
        how = LATER.format(seconds=max(1, round(problem.retry_after)))
    else:
        how = HOW.get(problem.code, ELSE)
    why = " ".join(f"{problem.title}. {problem.detail}{fields}".split())[: MOST // 2]
    return f"Refused{rule}: {why}\n{how}"
