"""What is sent and answered about games."""

from datetime import datetime
from typing import Annotated, Any, Self
from uuid import UUID

from marshmallow import validate
from msgspec import Meta, Struct

from holmgang.api.operation.fields import Entropy, Whole
from holmgang.api.operation.shapes import CursorQuery, Slug, shown_as
from holmgang.api.resources.leaderboards.schemas import RatingChangeAnswer
from holmgang.app.errors import RulesetUnavailable
from holmgang.app.play.position import teams_of
from holmgang.app.records.absence import FORMS
from holmgang.app.records.games import ClockForm, Game, GameFacts, Result, SeatHolder, Status, Visibility
from holmgang.app.records.terms import Terms
from holmgang.engine.messages import say
from holmgang.engine.rules import of_rules
from holmgang.engine.turn import Seat

SHORTEST_TURN, LONGEST_TURN = 1, 60 * 24 * 60 * 60
LONGEST_BANK, LONGEST_INCREMENT, LONGEST_LEAVE = 365 * 24 * 60 * 60, 24 * 60 * 60, 60


class GameTerms(Struct, frozen=True, kw_only=True):
    """On what terms a game is played. Bodies that ask for a game have these members."""

    ruleset: Slug
    """See /v1/rulesets."""
    options: Annotated[dict[str, Any], of_rules("Options")] = {}
    """By `options_schema` of the ruleset; options that are left out take their defaults."""
    visibility: Visibility = "public"
    """A `private` game is only in its players' lists, and is seen only by them, its creator, and those who show a valid
    invitation that is not used up."""
    spectators: bool = True
    """Whether spectators may watch; in a private game, those who may see it."""
    turn_seconds: Annotated[int, Meta(ge=SHORTEST_TURN, le=LONGEST_TURN)] | None = None
    """How long a turn may take, from when it is asked; null for no limit."""
    bank_seconds: Annotated[int, Meta(ge=1, le=LONGEST_BANK)] | None = None
    """The time that each seat has for all of its choices together, besides `turn_seconds` or in place of it; null for
    no limit. It is spent while the seat's player owes a choice: in turns in which several choose, by each alone. Whose
    bank is empty, or whose turn is over, is late, and nobody else."""
    increment_seconds: Annotated[int, Meta(ge=0, le=LONGEST_INCREMENT)] | None = None
    """What each choice adds to its seat's bank, at the moment it is made; null for 0. Needs `bank_seconds`."""
    leave_days: Annotated[int, Meta(ge=1, le=LONGEST_LEAVE)] | None = None
    """For how many days in all each player may go on leave, in which their clock stands; null for none. Needs
    `turn_seconds` or `bank_seconds`, each of a day (86400) at least."""
    absence: Annotated[str, Meta(extra={"validate": [validate.OneOf(FORMS)]})] = FORMS[0]
    """What happens when a player's time runs out. The turn itself is played by the rules' default, and from then on the
    seat by that too (`default`) or by a built-in bot, as soon as it is asked, until its player returns. With `forfeit`
    it resigns. `bots` of the ruleset lists the bots that can play it."""
    clock: ClockForm | None = None
    """What a deadline does when only bots and absent players are left to wait. With `waits` the turn is not played: the
    clock stops (`clock_stopped`), and your choice is taken whenever it comes, unless `absence` is `forfeit`. With
    `runs` the turn ends as among people, and the choice is refused as `stale_turn`: so you try a bot against the clock
    without opponents to wait for it. Needs `turn_seconds` or `bank_seconds`. Null is `runs` in a rated game and `waits`
    in others."""
    rated: bool = False
    """Whether the result changes the players' ratings, however the game ends. Such a game needs `turn_seconds` or
    `bank_seconds`, and is played to its end even when all persons have gone. Never a practice game."""

    def terms(self) -> Terms:
        return shown_as(Terms, self)


class NewGame(GameTerms, frozen=True, kw_only=True):
    seats: Annotated[int, Meta(ge=1, le=100)]
    """How many play; `seat_counts` of the ruleset lists what it takes."""
    join: bool = True
    """Whether you sit down on seat 0 at once. Say false to take a seat with entropy, after you have noted the
    commitment."""
    practice: bool = False
    """A game to learn and to test by: you may give its seed and look as any seat (`as_seat`). It publishes no
    commitment."""
    seed: (
        Annotated[
            str,
            Meta(extra={"validate": [Whole("^[0-9a-f]{64}$", error=say("Must be 64 lowercase hexadecimal digits."))]}),
        ]
        | None
    ) = None
    """The seed of all chance, of a practice game only."""


class PlayedQuery(CursorQuery, frozen=True, kw_only=True):
    status: Status | None = None
    ruleset: Slug | None = None
    rated: bool | None = None
    since: datetime | None = None
    """Games that were created then or later."""
    until: datetime | None = None
    """Games that were created before."""


class GamesQuery(PlayedQuery, frozen=True, kw_only=True):
    player: UUID | None = None
    """Games in which this player has a seat."""
    open_seats: bool | None = None
    """Open games, which have a free seat, or others."""
    tournament: UUID | None = None
    """Games of this tournament."""
    other: UUID | None = None
    """Games in which this player has a seat, too."""
    won_by: UUID | None = None
    """Games that are over and that this player has won, alone or with others."""
    lost_by: UUID | None = None
    """Games that are over and that this player has not won."""


class SeatAnswer(Struct, frozen=True, kw_only=True):
    seat: Seat
    player: UUID | None = None
    """Null while the seat is free."""
    name: str | None = None
    """The player's name."""
    taken_at: datetime | None = None
    resigned_at: datetime | None = None
    entropy: Annotated[str | None, Meta(extra={"field": Entropy})] = None
    """What the player gave; shown once the game has started."""
    bot: str | None = None
    """The built-in bot that plays here."""
    absent_since: datetime | None = None
    """Since when the seat is played for its player, who missed a deadline."""

    @classmethod
    def of(cls, seat: Seat, holder: SeatHolder | None, started: bool) -> Self:
        """Entropy is shown once it can no longer be answered to."""
        if holder is None:
            return cls(seat=seat)
        entropy = holder.entropy if started else None
        return shown_as(cls, holder, entropy=None if entropy is None else Entropy.written(entropy))


class GameAnswer(GameFacts, frozen=True, kw_only=True):
    """A game's public facts."""

    seats: list[SeatAnswer]
    teams: tuple[tuple[Seat, ...], ...]
    """The sides: partners win, lose and resign together. Without partners, each seat alone."""
    result: Result | None
    rating_changes: list[RatingChangeAnswer] | None
    """One a seat; null until the result of a rated game is counted, moments after its end."""
    commitment: str | None
    """SHA-256 that binds the seed: over the tag `holmgang-commitment-1`, the game's id (16 bytes), the length (4 bytes)
    and text of `terms` as in the record, and the seed. Null for a practice game."""
    seed: str | None
    """The seed of all chance; null until the game is over."""
    head: str | None
    """The hash of the log's last row, which covers all of it; null until the end."""

    @classmethod
    def of(cls, game: Game) -> Self:
        """A line for every seat, free ones too."""
        holders = {holder.seat: holder for holder in game.holders}
        started, changes = game.started_at is not None, game.rating_changes
        return shown_as(
            cls,
            game,
            seats=[SeatAnswer.of(seat, holders.get(seat), started) for seat in range(game.seat_count)],
            teams=_teams(game),
            rating_changes=None if changes is None else [RatingChangeAnswer.of(change) for change in changes],
            commitment=None if game.practice else game.commitment.hex(),
            seed=None if game.seed is None else game.seed.hex(),
            head=None if game.head is None else game.head.hex(),
        )


def _teams(game: Game) -> tuple[tuple[Seat, ...], ...]:
    """A game is listed though nobody here knows its rules, and so nobody's partners: each seat stands alone."""
    try:
        return teams_of(game)
    except RulesetUnavailable:
        return tuple((seat,) for seat in range(game.seat_count))
