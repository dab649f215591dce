"""What the application needs of a store and of a source of secrets."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from service.engine.turn import Seat

from .records.changes import Change, NewEvent
from .records.contexts import GameCaller, GameRow, MoveContext, TurnContext, ViewContext
from .records.figures import Figures, PoolFigures
from .records.games import Game, Invitation, SeatHolder
from .records.play import Beat, Combat, Event, LogRow, Receipt, Task, Waiting
from .records.players import Player, Principal, Token
from .records.ratings import Rating, RatingChange, Standing
from .records.webhooks import Delivery, Outgoing, Webhook


class Tables(Protocol):
    """The store on one connection. Every call is one statement; in `Store.transaction` they stand or fall together."""

    def atomic(self, lock: bool) -> AbstractContextManager[None]:
        """With `lock`, what is called inside stands or falls together; without, this does nothing."""
        ...

    def awaits(self, game: UUID, seat: Seat | None) -> bool:
        """Whether the seat owes a choice; nobody's never does."""
        ...

    def played_by(self, game: UUID, seat: Seat) -> str | None:
        """Who makes the choice that the seat owes, if that is the service: a built-in bot, or `default`."""
        ...

    # players and tokens
    def add_player(self, player: UUID, name: str) -> datetime: ...
    def first_lookalike(self, digest: bytes, name: str) -> str:
        """The first name with this digest of its skeleton: from now on this one, if there was none."""
        ...

    def player(self, player: UUID) -> Player | None: ...
    def lock_player(self, player: UUID) -> None:
        """Until the transaction ends nobody else holds him: what is counted of his stays as many."""
        ...

    def add_token(
        self,
        player: UUID,
        token: UUID,
        digest: bytes,
        label: str,
        scopes: Sequence[str],
        game: UUID | None,
        seat: Seat | None,
        expires_at: datetime | None,
    ) -> datetime: ...
    def principal(self, digest: bytes) -> Principal | str | None:
        """The caller by the hash of his token; the string `expired` for one that was good once; None if unknown."""
        ...

    def tokens(self, player: UUID, after: UUID | None, limit: int) -> list[Token]: ...
    def live_tokens(self, player: UUID) -> int:
        """How many of his tokens have not expired."""
        ...

    def forget_tokens(self, player: UUID, most: int) -> None:
        """Delete those that have expired but for the last so many to do so."""
        ...

    def revoke_token(self, player: UUID, token: UUID) -> bool: ...
    def now(self) -> datetime:
        """The database's clock at this moment. What several statements write of one happening is of one time: read when
        the game's row is locked, so that it is not before what others have written."""
        ...

    # games and seats
    def add_game(self, game: Game, seed: bytes) -> None:
        """Insert an open game."""
        ...

    def games_under_way(self, creator: UUID) -> int:
        """How many games that he has created are open or active."""
        ...

    def empty_games(self, creator: UUID, days: int) -> int:
        """How many games that he has created ended in the last so many days without a choice of a person."""
        ...

    def game(self, game: UUID) -> Game | None:
        """With holders and awaited seats."""
        ...

    def games(
        self,
        *,
        status: str | None,
        ruleset: str | None,
        player: UUID | None,
        open_seats: bool | None,
        before: UUID | None,
        limit: int,
        private: bool = False,
    ) -> list[Game]:
        """Newest first, from the one before `before`; private ones too only if `private` says so."""
        ...

    def game_row(self, game: UUID, *, lock: bool) -> GameRow | None:
        """The game's row; with `lock` it is held until the transaction ends (Busy when that takes too long)."""
        ...

    def move_context(self, digest: bytes | None, game: UUID, *, lock: bool) -> MoveContext | str | None:
        """Caller and row in one statement, or with `lock` in two, as `caller` and `game_row` give them."""
        ...

    def view_context(
        self, digest: bytes | None, game: UUID, invitation: bytes | None = None
    ) -> ViewContext | str | None:
        """What a caller sees of a game in one statement; the caller as `caller` gives it."""
        ...

    def turn_context(
        self, digest: bytes | None, game: UUID, as_seat: Seat | None, invitation: bytes | None = None
    ) -> TurnContext | str | None:
        """Like `context`, with all that a turn's answer is made of; `own` is that of `as_seat` where it is given."""
        ...

    def caller(self, digest: bytes | None, game: UUID, invitation: bytes | None = None) -> GameCaller | str | None:
        """Who calls and how the game stands, in one statement. None without such a game, or if it is not his to see;
        `unknown` or `expired` for a token that is no good. `invitation` is the hash of one's secret."""
        ...

    def callers(self, asked: Sequence[tuple[bytes | None, UUID, bytes | None]]) -> list[GameCaller | str | None]:
        """What `caller` gives for each of these arguments, in one statement."""
        ...

    def take_seat(
        self,
        game: UUID,
        seat: Seat,
        player: UUID,
        entropy: bytes | None,
        at: datetime,
        bot: str | None = None,
        invitation: UUID | None = None,
    ) -> None: ...
    def bot_player(self, bot: str, new: UUID) -> UUID:
        """The account of a built-in bot, made with the id `new` if there is none yet."""
        ...

    def end_absence(self, game: UUID, seat: Seat, at: datetime, *, anew: bool, chooses: bool) -> None:
        """The seat is not absent any more, and a choice that it owes is its own, of which its webhooks are told unless
        it `chooses` at this moment; with `anew` the turn has the whole of its time again."""
        ...

    # what the worker does
    def overdue(self, limit: int, but: Sequence[UUID] = ()) -> list[UUID]:
        """Active games whose turn's deadline has passed, the longest ago first, leaving out some."""
        ...

    def claim_tasks(
        self,
        limit: int,
        seconds: float,
        by: Sequence[str],
        served: Sequence[UUID] = (),
        but: Sequence[UUID] = (),
        able: Mapping[str, Sequence[str]] | None = None,
        patience: float = 0.0,
    ) -> list[Task]:
        """Choices for the service to make by these, held for so long; none in games that do not go on, nor in those
        that are left out. Whoever asks for those of `default` gets those of bots that nobody has heard of, too. Games
        of the `served` creators come after all others', those of the last one last; then the oldest come first.

        `able` are those that can play here, by ruleset. There are no choices in other rulesets, and those of others
        only when so many seconds of `patience` have passed, in which somebody else may have made them."""
        ...

    def beat(self, most_seconds: float, told: str, limit: int, below: datetime | None = None) -> Beat:
        """Note that deadlines are looked at. After an outage of more than `most_seconds` all deadlines of that time
        are put off by it, at most to a whole turn from now, and the event `told` says so: here of at most `limit`
        games, whose deadlines are not after `below`. Only when none is left is anything noted, and deadlines hold.
        A clock that jumped forward looks the same; after one that was set back no turn ends later than in the whole of
        its time."""
        ...

    # archiving
    def archive(self, days: int, limit: int, told: str) -> int:
        """Archive those of at most `limit` games whose last event is so many days old and that have no deadline; an
        event of the kind `told` says so. How many games were looked at. What others are writing to is passed over."""
        ...

    def revive(self, game: UUID, turn: int, kind: str | None, asked: Sequence[Seat], at: datetime) -> None:
        """Make an archived game, whose row is locked, what it was before: at a turn of which `asked` owe a choice."""
        ...

    def leave_seat(self, game: UUID, seat: Seat) -> None: ...
    def holders(self, game: UUID) -> list[SeatHolder]: ...
    def append_events(self, game: UUID, version: int, events: Sequence[NewEvent], at: datetime) -> None:
        """Append events of one turn to a game, whose row is locked; `version` is the number of the last one."""
        ...

    def write(self, change: Change) -> datetime | None:
        """Carry out a change in one statement and give its time; None, and nothing written, if the game moved on."""
        ...

    def begin(self, game: UUID, entropy: bytes, head: bytes) -> None:
        """Mark an open game, whose row is locked, as started; `write` then records the first step."""
        ...

    # invitations
    def may_see(self, player: UUID, game: UUID, invitation: bytes | None = None) -> bool:
        """Whether there is such a game that the player may see: public, his own, with a seat of his, or by an
        invitation (the hash of its secret) that is still good."""
        ...

    def add_invitation(
        self,
        game: UUID,
        ident: UUID,
        digest: bytes,
        seat: Seat | None,
        uses: int,
        expires_in: int | None,
        expires_at: datetime | None,
    ) -> None:
        """It ends after so many seconds, at that time, or never."""
        ...

    def invitation(self, game: UUID, ident: UUID) -> Invitation | None: ...
    def live_invitation(self, game: UUID, digest: bytes) -> Invitation | None:
        """By the hash of its secret, if it has not expired and is not used up."""
        ...

    def invitations(self, game: UUID, after: UUID | None, limit: int) -> list[Invitation]:
        """Oldest first, from the one after `after`."""
        ...

    def revoke_invitation(self, game: UUID, ident: UUID) -> bool: ...

    # what has happened
    def submission(self, game: UUID, submission: UUID) -> Receipt | None: ...
    def submission_at(self, game: UUID, turn: int, seat: Seat) -> Receipt | None: ...
    def events(self, game: UUID, seat: Seat | None, after: int, limit: int) -> list[Event]: ...
    def combats(self, game: UUID, after: int, limit: int) -> list[Combat]: ...
    def combat(self, game: UUID, number: int) -> Combat | None: ...
    def log(self, game: UUID, after: int = -1, limit: int | None = None) -> list[LogRow]: ...
    def waiting(self, player: UUID, game: UUID | None) -> list[Waiting]: ...
    def turns_by_tokens(self, digests: Sequence[bytes]) -> list[tuple[Principal, list[Waiting]] | str | None]:
        """For each of these tokens what `principal` gives, and of who is known what waits for him by that token."""
        ...

    # ratings
    def unrated(self, rulesets: Sequence[str], but: Sequence[UUID]) -> list[tuple[str, UUID]]:
        """Of each ruleset the rated game that ended first and is not counted yet, apart from some."""
        ...

    def lock_leaderboard(self, ruleset: str) -> int | None:
        """Lock the ruleset's ratings and give the number of its next game; None where another holds them now."""
        ...

    def mark_rated(self, game: UUID) -> bool:
        """Note that a game's result is counted; False where it is not to be, or was already."""
        ...

    def ratings_in(self, ruleset: str, players: Sequence[UUID]) -> dict[UUID, Rating]:
        """Of those who have one."""
        ...

    def ratings_of(self, player: UUID) -> dict[str, Rating]:
        """By ruleset."""
        ...

    def set_ratings(self, ruleset: str, number: int, ratings: Mapping[UUID, Rating]) -> None:
        """After the game of that number."""
        ...

    def add_rating_changes(self, game: UUID, ruleset: str, number: int, changes: Sequence[RatingChange]) -> None: ...
    def games_counted(self, ruleset: str) -> int:
        """How many rated games have made the ruleset's ratings; grows with each change of them."""
        ...

    def standings(self, ruleset: str, *, bots: bool, after: tuple[float, UUID] | None, limit: int) -> list[Standing]:
        """The highest ordinal first, of equal ones the latest player; from the one after `after`."""
        ...

    def standing_of(self, ruleset: str, standing: Standing, *, bots: bool) -> tuple[int, int]:
        """How many lines are above a leaderboard's line, and its rank."""
        ...

    # webhooks
    def add_webhook(self, ident: UUID, player: UUID, url: str, events: Sequence[str], secret: str) -> None: ...
    def webhook(self, player: UUID, ident: UUID) -> Webhook | None: ...
    def webhooks(self, player: UUID, after: UUID | None, limit: int) -> list[Webhook]: ...
    def change_webhook(self, ident: UUID, url: str, events: Sequence[str], active: bool) -> None: ...
    def rotate_webhook(self, ident: UUID, secret: str, seconds: int) -> None: ...
    def remove_webhook(self, ident: UUID) -> None:
        """With all its deliveries."""
        ...

    def add_delivery(self, message: UUID, webhook: UUID, kind: str, body: str) -> None: ...
    def delivery(self, webhook: UUID, message: UUID) -> Delivery | None: ...
    def deliveries(self, webhook: UUID, state: str | None, before: UUID | None, limit: int) -> list[Delivery]:
        """Newest first, from the one before `before`."""
        ...

    def replay_delivery(self, webhook: UUID, message: UUID) -> None: ...
    def notify_start(self, game: UUID, at: datetime) -> None:
        """Have the webhooks of a game's players told that it has started; `write` tells of turns and the end."""
        ...

    def take_deliveries(self, limit: int, seconds: float, busy: Collection[UUID]) -> list[Outgoing]:
        """What is due, one message of each player but the busy ones, held for so long, counted as an attempt."""
        ...

    def forget_deliveries(self, days: int, limit: int) -> int:
        """Forget up to so many messages that are delivered or dead and older than that; how many there were."""
        ...

    def lock_webhook(self, message: UUID) -> None:
        """Lock a message's webhook for the rest of the transaction, before `note_delivery` locks the message: who ends
        or holds a webhook writes to its other messages, which others may be noting."""
        ...

    def note_delivery(
        self, message: UUID, attempts: int, state: str, status: int | None, error: str | None, delay: float
    ) -> bool:
        """What came of that attempt; False, and nothing noted, if the message was replayed or ended meanwhile."""
        ...

    def end_worn_deliveries(self, most: int, error: str, limit: int) -> list[UUID]:
        """Those that are due though so many attempts were begun, of which nothing was noted: they are dead now."""
        ...

    def hold_webhook(self, message: UUID, url: str, seconds: float) -> None:
        """Let what else is to be sent to a message's webhook wait for so long, unless it goes elsewhere than to `url`
        by now. What its owner has sent to try it out does not wait."""
        ...

    def end_webhook(self, message: UUID, url: str, error: str) -> bool:
        """Switch a message's webhook off, with all that was to be sent to it, unless it goes elsewhere than to `url`
        by now."""
        ...

    def forget_answers(self, limit: int) -> int:
        """Forget up to so many answers that were kept for their time; how many there were."""
        ...

    def forget_empty_games(self, days: int, limit: int) -> int:
        """Delete up to so many games, with all that is theirs, that ended so many days ago without a choice of a
        person, and are not rated; how many there were. In a transaction. Those that others hold are passed
        over."""
        ...

    # idempotency
    def claim_key(self, principal: UUID, key: str) -> bool:
        """Hold the key until the transaction ends; False when another request holds it now."""
        ...

    def kept_answer(self, principal: UUID, key: str) -> tuple[bytes, bytes, Any] | None:
        """The digest of the call, the digest of its body and the answer, if one was kept within 24 hours."""
        ...

    def keep_answer(self, principal: UUID, key: str, call: bytes, body: bytes, answer: Any) -> None: ...


class Watch(Protocol):
    """Hears of changes. `seen` is what its holder found when it looked, so that a lost wake-up can be made up for: what
    `caller` gave of a game, or `turns_by_token` of a player. It is compared whole with what the same question gives
    now, so whatever a tag is made of is made up for."""

    seen: Any

    @property
    def over(self) -> bool:
        """Whether nothing is worth waiting for any more, since the process is about to end."""
        ...

    def newer(self, version: int) -> bool:
        """Whether the game is known to be beyond `version`."""
        ...

    def listen(self) -> None:
        """Forget earlier wake-ups. What is read after this is not missed."""
        ...

    def wait(self, seconds: float) -> bool:
        """Until something may have changed since `listen`; False when the time is up."""
        ...


class Store(Protocol):
    def watch_game(
        self, game: UUID, digest: bytes | None = None, invitation: bytes | None = None
    ) -> AbstractContextManager[Watch]:
        """Hears of changes of the game, by whoever has this token and shows this invitation."""
        ...

    def watch_all(self) -> AbstractContextManager[Watch]:
        """Hears of changes of any game."""
        ...

    def watch_player(self, player: UUID, digest: bytes) -> AbstractContextManager[Watch]:
        """Hears of changes of any game in which the player sits, who has this token."""
        ...

    def drain(self) -> None:
        """Let nobody wait any more: the process is about to end."""
        ...

    def reading(self) -> AbstractContextManager[Tables]:
        """A connection on which each statement stands alone."""
        ...

    def transaction(self) -> AbstractContextManager[Tables]:
        """READ COMMITTED; committed at the end of the block, rolled back by an exception, unless that is a refusal
        that says that what was written before it `stands`."""
        ...

    def figures(self) -> Figures:
        """What operators want to know, without waiting long for a connection."""
        ...

    def pool_figures(self) -> PoolFigures:
        """Of this process's connections; without any of them."""
        ...

    def ready(self) -> bool:
        """Whether the database answers and its schema is one that this code may run on."""
        ...
