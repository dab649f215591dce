"""The one table of errors: code, HTTP status, title, what it means and what to do."""

from http import HTTPStatus
from typing import NamedTuple


class Problem(NamedTuple):
    """A kind of error. `retryable`: the same request may succeed later as it is."""

    code: str
    status: HTTPStatus
    title: str
    meaning: str
    remedy: str
    retryable: bool = False


_ROWS = (
    Problem(
        "malformed_request",
        HTTPStatus.BAD_REQUEST,
        "The request cannot be read",
        "The body is not valid JSON, names a key twice, nests too deeply, or holds a NUL character, half a surrogate "
        "pair, a number that is not finite or an integer beyond 64 bits; or the address holds a NUL character or text "
        "that is not UTF-8.",
        "Correct the client that writes the request. The detail says where reading stopped.",
    ),
    Problem(
        "unauthenticated",
        HTTPStatus.UNAUTHORIZED,
        "A token is needed",
        "This operation needs a token, and the request has none.",
        "Send the header `Authorization: Bearer <token>`. Registering a player gives you a token.",
    ),
    Problem(
        "invalid_token",
        HTTPStatus.UNAUTHORIZED,
        "The token is not valid",
        "The token is unknown or has been revoked, or the header is not of the form `Authorization: Bearer <token>`. A "
        "bad token is refused even by operations that need none.",
        "Use a valid token, or leave the header out if the resource is public.",
    ),
    Problem(
        "token_expired",
        HTTPStatus.UNAUTHORIZED,
        "The token has expired",
        "The token was valid, but its expiry has passed.",
        "Create a new token with another token of the same player.",
    ),
    Problem(
        "missing_scope",
        HTTPStatus.FORBIDDEN,
        "The token lacks a scope",
        "Tokens have scopes: `read` to see what the player sees, `play` to create, join and play, `manage` to create "
        "and revoke tokens. The field `scope` names the one that is missing.",
        "Use a token that has the scope.",
    ),
    Problem(
        "token_limited",
        HTTPStatus.FORBIDDEN,
        "The token is limited to one seat",
        "The token is limited to one seat of one game, and this request is about something else.",
        "Use a token of the player that has no such limit.",
    ),
    Problem(
        "not_seated",
        HTTPStatus.FORBIDDEN,
        "You hold no seat in this game",
        "Only players of the game may do this.",
        "Take a seat while the game is open.",
    ),
    Problem(
        "not_yours",
        HTTPStatus.FORBIDDEN,
        "This belongs to another player",
        "The seat or the submission belongs to another player, or you have no seat in the game that you named.",
        "Act on your own seat only. Others' submissions are shown once the game is over.",
    ),
    Problem(
        "spectators_excluded",
        HTTPStatus.FORBIDDEN,
        "Only players may watch",
        "The game was created with `spectators: false`, and you hold no seat in it.",
        "Use a token of one of its players.",
    ),
    Problem(
        "not_found",
        HTTPStatus.NOT_FOUND,
        "Not found",
        "There is nothing at this address, or nothing that you may see.",
        "Check the address and the ids in it.",
    ),
    Problem(
        "method_not_allowed",
        HTTPStatus.METHOD_NOT_ALLOWED,
        "The method is not allowed",
        "The address exists, but does not take this method. The header `Allow` lists the methods it takes.",
        "Use one of the methods in `Allow`.",
    ),
    Problem(
        "game_not_private",
        HTTPStatus.CONFLICT,
        "The game is not private",
        "Invitations are for private games. Anyone may see a public game, and take a seat while it is open.",
        "Send the game's address, or create the game with `visibility: private`.",
    ),
    Problem(
        "limit_reached",
        HTTPStatus.CONFLICT,
        "A limit is reached",
        "A player and a game may each have only so many things of a kind: games that are not over, games that ended "
        "before any person had made a choice (`empty_games`), tokens, webhooks, blocks, invitations and others. The "
        "field `what` names what there is too much of, `limit` says how many there may be.",
        "End, revoke or delete some, then try again.",
    ),
    Problem(
        "seek_matched",
        HTTPStatus.CONFLICT,
        "The seek has led to a game",
        "The service has brought you together with others, and the game has started. The field `game` names it.",
        "Play the game, or resign it.",
    ),
    Problem(
        "yourself",
        HTTPStatus.CONFLICT,
        "That is you",
        "The request names you as the other player.",
        "Name another player.",
    ),
    Problem(
        "ambiguous_name",
        HTTPStatus.CONFLICT,
        "Several players have this name",
        "Names are not unique. The field `players` lists the ids of those who are called so.",
        "Name the player by their id.",
    ),
    Problem(
        "no_rematch",
        HTTPStatus.CONFLICT,
        "There is no rematch",
        "The game is a practice game, you block one of its players, it is not played on these terms any more, or its "
        "rematch has been made already: `next` names that game.",
        "Play the game in `next` if there is one, or challenge the players to another.",
    ),
    Problem(
        "challenge_over",
        HTTPStatus.CONFLICT,
        "The challenge is over",
        "Everybody has accepted the challenge, somebody has declined it, it was withdrawn, or its time is over. The "
        "field `challenge_status` says which, `game` names the game that was made of it.",
        "Play the game if there is one, or make a new challenge.",
    ),
    Problem(
        "game_full",
        HTTPStatus.CONFLICT,
        "All seats are taken",
        "The game has started with all its seats taken.",
        "Look for another game with `GET /v1/games?open_seats=true`, or create one.",
    ),
    Problem(
        "tournament_not_open",
        HTTPStatus.CONFLICT,
        "The tournament has started",
        "Players join a tournament before it starts; an arena and a ladder until they are over. It starts once, and "
        "one that is over stays as it is.",
        "Look for another tournament, or make one.",
    ),
    Problem(
        "tournament_full",
        HTTPStatus.CONFLICT,
        "The tournament is full",
        "As many players have joined as it takes.",
        "Look for another tournament, or wait until somebody leaves.",
    ),
    Problem(
        "too_few_players",
        HTTPStatus.CONFLICT,
        "Too few have joined",
        "A tournament starts with no fewer players than its maker has said.",
        "Wait for others to join, or have bots fill it up.",
    ),
    Problem(
        "seat_taken",
        HTTPStatus.CONFLICT,
        "The seat is taken",
        "Another player has this seat. The field `free` lists the seats that were free.",
        "Take another seat, or leave `seat` out to get the lowest free one.",
    ),
    Problem(
        "already_seated",
        HTTPStatus.CONFLICT,
        "You have a seat in this game",
        "A player has one seat in a game, which keeps the entropy that it was taken with. The field `seat` names "
        "yours.",
        "Leave your seat before you take another one, or play from the one you have.",
    ),
    Problem(
        "game_not_open",
        HTTPStatus.CONFLICT,
        "The game has started",
        "Seats are taken and left only before the start.",
        "After the start, resign instead of leaving.",
    ),
    Problem(
        "game_not_active",
        HTTPStatus.CONFLICT,
        "The game is not running",
        "The game still waits for players, or is over.",
        "Read the game's `status`. An open game starts when its last seat is taken.",
    ),
    Problem(
        "game_archived",
        HTTPStatus.CONFLICT,
        "The game is archived",
        "Nothing happened in the game for a long time. Nothing is lost: it can be read, and it goes on when one of its "
        "players returns.",
        "Return to your seat with `POST /v1/games/{game}/seats/{seat}/return`, then try again. A game that has not "
        "started also opens again when somebody takes a free seat.",
    ),
    Problem(
        "game_not_over",
        HTTPStatus.CONFLICT,
        "The game is not over",
        "The record holds the seed and everybody's choices; it is public only after the end.",
        "Ask again once the game's `status` is `over`.",
    ),
    Problem(
        "stale_turn",
        HTTPStatus.CONFLICT,
        "The turn has passed",
        "The submission is for another turn than the current one. `current_turn` names that; it is null once the game "
        "is over.",
        "Read the turn again and choose again.",
    ),
    Problem(
        "not_awaited",
        HTTPStatus.CONFLICT,
        "The turn does not ask you",
        "The turn is the current one, but your seat owes no choice in it.",
        "Wait until `yours` is true in the turn, or your game appears in `/v1/me/turns`.",
    ),
    Problem(
        "already_submitted",
        HTTPStatus.CONFLICT,
        "You have already made a choice",
        "You have already made a different choice for this turn. `receipt` is its address, `revision` its revision.",
        "To replace it, send PUT to that address with its revision.",
    ),
    Problem(
        "revision_conflict",
        HTTPStatus.CONFLICT,
        "The submission has another revision",
        "The choice has been replaced since you read it. The field `revision` holds its current revision.",
        "Read the submission again, then replace it with the current revision.",
    ),
    Problem(
        "idempotency_in_flight",
        HTTPStatus.CONFLICT,
        "The same request is being processed",
        "Another request with this Idempotency-Key has not ended yet.",
        "Send it again in a moment: you will get the first answer.",
        True,
    ),
    Problem(
        "secret_already_shown",
        HTTPStatus.CONFLICT,
        "The secret was shown before",
        "The first answer to this Idempotency-Key held a secret, which is not stored and so cannot be repeated.",
        "If you lost that answer, revoke what the request created, which is at `location`, and create another with a "
        "new key.",
    ),
    Problem(
        "payload_too_large",
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "The body is too large",
        "Bodies have at most 64 KiB, unless the operator has set another limit.",
        "Send less. No legal request comes near the limit.",
    ),
    Problem(
        "address_too_long",
        HTTPStatus.REQUEST_URI_TOO_LONG,
        "The address is too long",
        "The first line of a request has at most 8,190 bytes.",
        "Send less. No address that the service gives out comes near the limit.",
    ),
    Problem(
        "headers_too_large",
        HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
        "The headers are too large",
        "A request has at most 100 header fields of at most 8,190 bytes each.",
        "Send fewer or shorter headers. The service sets no cookies and reads none.",
    ),
    Problem(
        "unsupported_media_type",
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        "The body must be JSON",
        "Operations with a body take only `application/json` in UTF-8, uncompressed. An empty body of another type is "
        "refused as well.",
        "Send the header `Content-Type: application/json`.",
    ),
    Problem(
        "invalid_request",
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "The request is not valid",
        "The request was read, but a field, query parameter or header is unknown, missing or of the wrong type. Each "
        "entry of `errors` has a JSON pointer into the body (or `?name` for a query parameter, or a header's name), a "
        "code and a sentence.",
        "Correct each of the errors. The reference at /docs has a schema and an example for every operation.",
    ),
    Problem(
        "invalid_field",
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "A value is not possible",
        "The field has the right type, but not a possible value. The entry of `errors` points to it.",
        "Choose another value.",
    ),
    Problem(
        "invalid_option",
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "A game option is wrong",
        "The ruleset does not take this option or value. `rule` names the rule about it, `errors` points to it.",
        "Read `options_schema` of the ruleset.",
    ),
    Problem(
        "malformed_action",
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "The action has the wrong shape",
        "The value is not an action of the kind that the turn asks for. The entry of `errors` points to the fault.",
        "Read the schema of the turn's kind in the ruleset, or take an action from `legal`.",
    ),
    Problem(
        "illegal_action",
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "The rules forbid the action",
        "The action has the right shape, but the rules do not allow it now. `rule` names the rule; nothing has "
        "changed.",
        "Choose an action from `legal` in the turn. The ruleset has the text of the rule.",
    ),
    Problem(
        "idempotency_mismatch",
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "The key belongs to another body",
        "An Idempotency-Key is for one request and its repetitions; this one came with another body before.",
        "Use a new key for a new request.",
    ),
    Problem(
        "internal_error",
        HTTPStatus.INTERNAL_SERVER_ERROR,
        "The service failed",
        "Something unexpected went wrong. The request was not carried out in part.",
        "Tell the operator the `request_id`. It is safe to read again and to repeat an idempotent request.",
    ),
    Problem(
        "too_many_requests",
        HTTPStatus.TOO_MANY_REQUESTS,
        "Too many requests",
        "The player, or all clients of the address together, made more requests, or more expensive ones, than the "
        "budget in `RateLimit-Policy` allows. This one was not carried out.",
        "Send it again after the seconds in `Retry-After`. Poll views, turns and events with If-None-Match, or better "
        "with `wait`: such requests have a large budget of their own.",
        True,
    ),
    Problem(
        "busy",
        HTTPStatus.SERVICE_UNAVAILABLE,
        "The service is busy",
        "Other requests wrote to the same game for too long, or more requests wait than the database can serve. "
        "Nothing has changed.",
        "Send the same request again after the seconds in `Retry-After`.",
        True,
    ),
    Problem(
        "database_unavailable",
        HTTPStatus.SERVICE_UNAVAILABLE,
        "The database does not answer",
        "The service is running, but its database is not, or not yet.",
        "Send the same request again after the seconds in `Retry-After`. It may have been carried out all the same: a "
        "submission, or a request with the same Idempotency-Key, is not carried out twice.",
        True,
    ),
    Problem(
        "ruleset_unavailable",
        HTTPStatus.SERVICE_UNAVAILABLE,
        "This version of the rules is not available",
        "The game is played by a version of its ruleset that this server does not have, as happens while a new release "
        "is being rolled out.",
        "Send the same request again after the seconds in `Retry-After`.",
        True,
    ),
)

PROBLEMS = {row.code: row for row in _ROWS}
OF_STATUS = {
    HTTPStatus.BAD_REQUEST: "malformed_request",
    HTTPStatus.UNAUTHORIZED: "unauthenticated",
    HTTPStatus.NOT_FOUND: "not_found",
    HTTPStatus.METHOD_NOT_ALLOWED: "method_not_allowed",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "payload_too_large",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "unsupported_media_type",
}
"""The codes of errors that the framework raises by status."""
