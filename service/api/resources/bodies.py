"""What clients send: closed schemas of bodies and query strings."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import fields, validate

from service.api.resources.rulesets.components import refs
from service.app.names import mistakable, unseen
from service.app.play.absence import FORMS
from service.app.values import SCOPES
from service.app.webhooks.webhooks import EVENTS
from service.bots.base import NAMES
from service.engine.messages import say
from service.engine.palette import THEMES

from .fields import MAX_INT, Count, Entropy, Flag, Ident, Moment, OneLine, Place, QueryCount, QueryFlag, Whole

PAGE, MAX_PAGE = 50, 200
SHORTEST_TURN, LONGEST_TURN = 1, 60 * 24 * 60 * 60
LONGEST_INVITATION, MAX_USES = 366 * 24 * 60 * 60, 1000
VISIBILITIES = ("public", "private")
STATUSES = ("open", "active", "over", "archived")
_SLUG = validate.Length(min=1, max=64)


class Body(ma.Schema):
    """Unknown fields are refused."""

    class Meta:
        unknown = ma.RAISE


class NewPlayer(Body):
    name = OneLine(
        unseen,
        mistakable,
        required=True,
        metadata={
            "description": "For people to read: others may have the same, but none that looks the same and is another "
            "(UTS 39). At most 64 code points, all to be seen, kept "
            "in Normalization Form C; single plain blanks; at most four marks on a letter; joiners and selectors only "
            "where they change what is seen (UAX 31, UTS 51). Each word is in one script, or in Latin with Chinese, "
            "Japanese or Korean letters (UTS 39, Highly Restrictive). What looks like the name of the service or of a "
            "built-in bot is refused."
        },
    )


class NewToken(Body):
    label = OneLine(
        unseen,
        required=True,
        metadata={"description": "What the token is for: visible characters as in the names of players."},
    )
    scopes = fields.List(
        fields.String(validate=validate.OneOf(SCOPES)),
        required=True,
        validate=validate.Length(min=1, max=3),
        metadata={"description": "What the token may do; none that your own token may not."},
    )
    game = Ident(
        load_default=None,
        allow_none=True,
        metadata={"description": "Limits the token to the seat that you hold in this game."},
    )
    expires_at = Moment(
        load_default=None, allow_none=True, metadata={"description": "When the token ends; null for never."}
    )


class NewGame(Body):
    ruleset = fields.String(required=True, validate=_SLUG, metadata={"description": "See /v1/rulesets."})
    seats = Count(
        required=True,
        validate=validate.Range(min=1, max=100),
        metadata={"description": "How many play; `seat_counts` of the ruleset lists what it takes."},
    )
    options = fields.Dict(
        keys=fields.String(),
        load_default=dict,
        metadata={
            "description": "By `options_schema` of the ruleset; what is left out takes its default.",
            "anyOf": refs("Options"),
        },
    )
    visibility = fields.String(
        load_default="public",
        validate=validate.OneOf(VISIBILITIES),
        metadata={
            "description": "A `private` game is in no list but its players', and is seen only by them, by who created "
            "it, and by whoever shows an invitation that is good and not used up."
        },
    )
    spectators = Flag(
        load_default=True,
        metadata={"description": "Whether others than the players may watch; of a private game, those who may see it."},
    )
    join = Flag(
        load_default=True,
        metadata={
            "description": "Whether you sit down on seat 0 at once. Say false to take a seat with entropy, "
            "after you have noted the commitment."
        },
    )
    practice = Flag(
        load_default=False,
        metadata={
            "description": "A game to learn and to test by: you may give its seed and look as any seat (`as_seat`). It "
            "publishes no commitment."
        },
    )
    rated = Flag(
        load_default=False,
        metadata={
            "description": "Whether the result changes the players' ratings, however the game ends. Such a game needs "
            "`turn_seconds`, and is played to its end even when all persons have gone. Never a practice game."
        },
    )
    seed = fields.String(
        load_default=None,
        allow_none=True,
        validate=Whole(r"^[0-9a-f]{64}$", error=say("Must be 64 lowercase hexadecimal digits.")),
        metadata={"description": "The seed of all chance, of a practice game only."},
    )
    turn_seconds = Count(
        load_default=None,
        allow_none=True,
        validate=validate.Range(min=SHORTEST_TURN, max=LONGEST_TURN),
        metadata={"description": "How long a turn may take, from when it is asked; null for as long as it likes."},
    )
    absence = fields.String(
        load_default=FORMS[0],
        validate=validate.OneOf(FORMS),
        metadata={
            "description": "What happens when a turn's time runs out. The turn itself is played by the rules' default, "
            "and from then on the seat by that too (`default`) or by a built-in bot, as soon as it is asked, until its "
            "player returns. With `forfeit` it resigns. `bots` of the ruleset lists the bots that can play it."
        },
    )


class NewSeat(Body):
    seat = Count(
        load_default=None,
        allow_none=True,
        validate=validate.Range(min=0, max=99),
        metadata={"description": "The seat to take; the lowest free one unless you say."},
    )
    entropy = Entropy(
        load_default=None,
        allow_none=True,
        metadata={
            "description": "Your share of the chance: 16 to 64 random bytes, base64url without padding. Shown to "
            "others once the game has started."
        },
    )
    bot = fields.String(
        load_default=None,
        allow_none=True,
        validate=validate.OneOf(NAMES),
        metadata={
            "description": "A built-in bot to give the seat to, in a game that you created; else it is yours. `bots` "
            "of the ruleset lists those that can play it."
        },
    )
    invitation = fields.String(
        load_default=None,
        allow_none=True,
        validate=validate.Length(min=1, max=200),
        metadata={
            "description": "The secret of your invitation, for a private game. It means nothing where you need none."
        },
    )


class NewInvitation(Body):
    seat = Count(
        load_default=None,
        allow_none=True,
        validate=validate.Range(min=0, max=99),
        metadata={"description": "The one seat that it is good for; null for any. It does not keep the seat free."},
    )
    uses = Count(
        load_default=1,
        validate=validate.Range(min=1, max=MAX_USES),
        metadata={
            "description": "How many may sit down by it; 1 where it is for one seat. With more than there are seats "
            "it stays good for looking on."
        },
    )
    expires_in = Count(
        load_default=None,
        allow_none=True,
        validate=validate.Range(min=1, max=LONGEST_INVITATION),
        metadata={"description": "After how many seconds it ends; null, and no `expires_at`, for never."},
    )
    expires_at = Moment(load_default=None, allow_none=True, metadata={"description": "When it ends, in its place."})


def _events(**more: Any) -> fields.List[Any]:
    return fields.List(
        fields.String(validate=validate.OneOf(EVENTS)),
        validate=validate.Length(min=1, max=len(EVENTS)),
        metadata={"description": "What to be told of."},
        **more,
    )


def _url(**more: Any) -> fields.String:
    return fields.String(
        validate=validate.Length(min=1, max=2048),
        metadata={"description": "An https address of a public host. Redirects are not followed."},
        **more,
    )


class NewWebhook(Body):
    url = _url(required=True)
    events = _events(load_default=list(EVENTS))


class ChangedWebhook(Body):
    """What is left out stays."""

    url = _url(load_default=None)
    events = _events(load_default=None)
    active = Flag(load_default=None, metadata={"description": "Whether messages are made for it."})


class Nothing(Body):
    """An empty object."""


class NewResignation(Body):
    """An empty object: the seat is the caller's own."""


class Action(fields.Field[Any]):
    """An action as the turn's kind asks for it; the rules read it, so nothing is checked here, not even null."""

    def deserialize(self, value: Any, attr: str | None = None, data: Any = None, **kwargs: Any) -> Any:
        return value if value is None else super().deserialize(value, attr, data, **kwargs)


def _action() -> Action:
    return Action(
        required=True,
        metadata={"description": "By the schema of the turn's kind; see `kind` in the turn.", "anyOf": refs("Action")},
    )


def _turn() -> Count:
    return Count(
        required=True,
        validate=validate.Range(min=0, max=MAX_INT),
        metadata={"description": "The number of the turn that this answers."},
    )


class NewSubmission(Body):
    turn = _turn()
    action = _action()


class Replacement(Body):
    turn = _turn()
    revision = Count(
        required=True,
        validate=validate.Range(min=1, max=MAX_INT),
        metadata={"description": "The revision that this replaces."},
    )
    action = _action()


def _wait() -> QueryCount:
    return QueryCount(
        load_default=None,
        validate=validate.Range(min=1, max=50),
        metadata={
            "description": "Seconds to hold the request until there is news for you. `Prefer: wait=20` does the same."
        },
    )


def _as_seat() -> QueryCount:
    return QueryCount(
        load_default=None,
        validate=validate.Range(min=0, max=99),
        metadata={"description": "Look as this seat: for who created a practice game. Such requests do not wait."},
    )


def _at() -> QueryCount:
    return QueryCount(
        load_default=None,
        validate=validate.Range(min=0, max=MAX_INT),
        metadata={
            "description": "Of a finished game: as it was after the log's row of this number, from 0 for its start; "
            "anybody may add `as_seat`. Such requests do not wait."
        },
    )


class WaitQuery(Body):
    wait = _wait()


class ViewQuery(WaitQuery):
    as_seat = _as_seat()
    at = _at()


class PictureQuery(Body):
    as_seat = _as_seat()
    at = _at()
    theme = fields.String(
        load_default="auto",
        validate=validate.OneOf(THEMES),
        metadata={"description": "The colours; `auto` follows what the reader's system prefers."},
    )


class PageQuery(Body):
    limit = QueryCount(
        load_default=PAGE,
        validate=validate.Range(min=1, max=MAX_PAGE),
        metadata={"description": "The most items that a page holds."},
    )


class CursorQuery(PageQuery):
    cursor = Ident(
        load_default=None, metadata={"description": "Where the page begins: taken from `next` of the one before."}
    )


class DeliveriesQuery(CursorQuery):
    state = fields.String(load_default=None, validate=validate.OneOf(("pending", "delivered", "dead")))


class LeaderboardQuery(PageQuery):
    cursor = Place(
        load_default=None, metadata={"description": "Where the page begins: taken from `next` of the one before."}
    )
    bots = QueryFlag(
        load_default=True,
        metadata={"description": "With false, the built-in bots are left out and ranks are those among the others."},
    )


class NumberQuery(PageQuery):
    cursor = QueryCount(
        load_default=0,
        validate=validate.Range(min=0, max=MAX_INT),
        metadata={"description": "Where the page begins: taken from `next` of the one before."},
    )


class GamesQuery(CursorQuery):
    status = fields.String(load_default=None, validate=validate.OneOf(STATUSES))
    ruleset = fields.String(load_default=None, validate=_SLUG)
    player = Ident(load_default=None, metadata={"description": "Games in which this player has a seat."})
    open_seats = QueryFlag(
        load_default=None, metadata={"description": "Open games, which have a free seat, or others."}
    )


class MyGamesQuery(CursorQuery):
    status = fields.String(load_default=None, validate=validate.OneOf(STATUSES))


class EventsQuery(PageQuery):
    after = QueryCount(
        load_default=0,
        validate=validate.Range(min=0, max=10**18 - 1),
        metadata={"description": "The number of the last event that you know; 0 for all."},
    )
    wait = _wait()
    as_seat = _as_seat()


class TurnQuery(Body):
    include = fields.String(
        load_default=None,
        validate=validate.OneOf(("view",)),
        metadata={"description": "`view` adds the view, and saves a request."},
    )
    wait = _wait()
    as_seat = _as_seat()


class SubmissionQuery(Body):
    dry_run = QueryFlag(
        load_default=False, metadata={"description": "Only check whether the action would be accepted now."}
    )
