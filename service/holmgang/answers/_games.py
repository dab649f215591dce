"""Answers about games. Made of openapi/openapi.json by `make openapi`."""

from typing import Generic, Literal, NotRequired, TypedDict

from ._common import JSON, Action


class SeatClock(TypedDict):
    """The clock of one seat, in a game with time banks or leave. It runs while its player owes a choice; built-in bots
    and stand-ins spend nothing. What is left at any time is what is told here less the time since `since`."""

    bank_ms: int | None
    """Milliseconds in the bank, at the time of `since` while the clock runs. Null in a game without banks."""
    deadline: str | None
    """When bank or turn are used up, whichever is first. Null while the clock stands."""
    leave_ms: int
    """Milliseconds of leave that the player has left, at the time of `on_leave_since` while they are on leave."""
    on_leave_since: str | None
    """Since when the player is on leave, which ends by itself once `leave_ms` are over. Null while they are not."""
    since: str | None
    """Since when the clock runs; null while it stands. Of a seat on leave it lies in the future: the clock runs from
    then on if its player is not back before."""
    turn_ms: int | None
    """Milliseconds left of `turn_seconds`, at the time of `since`. Null without it, and while the clock stands."""


class Belief(TypedDict):
    """How strong an account is believed to be. `rating` is 1500 + 24 (mu - 3 sigma), rounded: a newcomer has 1500."""

    mu: float
    """The mean; 25 for a newcomer."""
    rating: int
    """What the account is better than almost certainly; it grows with certainty too."""
    sigma: float
    """The deviation; 25/3 for a newcomer."""


class RatingChange(TypedDict):
    """What a rated game did to a seat's account."""

    after: Belief
    """For a built-in bot with several seats: the mean of their results, the same for each."""
    before: Belief
    player: str
    rank: int
    """Of the seat's side, from 1; equal sides share it."""
    seat: int


class Result(TypedDict):
    ranking: list[list[int]]
    """Seats, best first; those of a group are equal."""
    reason: str
    """Why the game ended: a code of the ruleset."""
    scores: list[int]
    """One a seat."""
    winners: list[int]


class Seat(TypedDict):
    absent_since: str | None
    """Since when the seat is played for its player, who missed a deadline."""
    bot: str | None
    """The built-in bot that plays here."""
    entropy: str | None
    """What the player gave; shown once the game has started."""
    name: str | None
    """The player's name."""
    player: str | None
    """Null while the seat is free."""
    resigned_at: str | None
    seat: int
    taken_at: str | None


class Game(TypedDict):
    """A game's public facts."""

    absence: str
    """What happens to a player who misses a deadline."""
    awaited: list[int]
    """Seats that owe a choice now."""
    bank_seconds: int | None
    """The time that each seat has for all of its choices together; null for no limit."""
    clock: Literal["waits", "runs"]
    """What a deadline does when only bots and absent players are left to wait. `waits`: the clock stops until somebody
    chooses or returns. `runs`: the turn ends as among people."""
    clocks: list[SeatClock] | None
    """One a seat; null in a game without time banks or leave."""
    commitment: str | None
    """SHA-256 that binds the seed: over the tag `holmgang-commitment-1`, the game's id (16 bytes), the length (4 bytes)
    and text of `terms` as in the record, and the seed. Null for a practice game."""
    created_at: str
    creator: str
    deadline: str | None
    """When the first of the awaited seats is late. Null if there is no limit, and while the clock stands still."""
    ended_at: str | None
    head: str | None
    """The hash of the log's last row, which covers all of it; null until the end."""
    id: str
    increment_seconds: int | None
    """What each choice adds to its seat's bank."""
    kind: str | None
    """The kind of choice that the turn asks for."""
    leave_days: int | None
    """For how long in all each player may go on leave; null for not at all."""
    options: JSON
    practice: bool
    """Whether its creator may look as any seat."""
    rated: bool
    """Whether its result changes the ratings of its players."""
    rating_changes: list[RatingChange] | None
    """One a seat; null until the result of a rated game is counted, moments after its end."""
    result: Result | None
    ruleset: str
    ruleset_version: str
    seats: list[Seat]
    seed: str | None
    """The seed of all chance; null until the game is over."""
    spectators: bool
    started_at: str | None
    status: Literal["open", "active", "over", "archived"]
    """Nothing happened in an `archived` game for long: it can be read, nobody is awaited, and it is `open` or `active`
    again when a player returns to it (`/seats/{seat}/return`)."""
    teams: list[list[int]]
    """The sides: partners win, lose and resign together. Without partners, each seat alone."""
    tournament: str | None
    """The tournament whose game it is; null for others."""
    turn: int
    """The current turn; 0 before the start."""
    turn_seconds: int | None
    """How long a turn may take; null for no limit."""
    version: int
    """The number of the game's last event."""
    visibility: Literal["public", "private"]


class JudgedChoice(TypedDict):
    """A choice that was made, beside the one that the bot prefers."""

    action: JSON
    agrees: bool
    """Whether both come to the same."""
    context: JSON
    """What the turn was about, as the seat was told then."""
    forced: bool
    """Whether there was no other choice."""
    kind: str
    preferred: JSON
    """What the bot would have done."""
    preferred_value: float
    """The same after the preferred one. Both are estimates: it may be a little less than `value`."""
    seat: int
    seq: int
    """The row of the game's record that holds it."""
    turn: int
    value: float
    """The share of the victory that the seat's side could expect after its action."""


class JudgedPosition(TypedDict):
    """How the sides stood after a row of the log."""

    seq: int
    """The row of the game's record after which it stood so."""
    turn: int
    """The turn that was asked then; in the last position the last turn."""
    values: list[float]
    """By seat the share of the victory that its side could expect, from 0 to 1. Those of all sides add up to 1, and
    partners have the same. The last position has what came of it: 1 for a side that won alone."""


class Analysis(TypedDict):
    """What a built-in bot thinks of each choice of a game that is over, and of each position."""

    asked_at: str
    bot: str
    """Who judged."""
    choices: list[JudgedChoice]
    """In the order of the log, as far as they have been judged."""
    finished_at: str | None
    """Null while it is not done."""
    game: str
    judged: int
    """Choices that have been judged."""
    positions: list[JudgedPosition]
    """In the order of the log, as far as they have been judged. There is none where nobody chose."""
    status: Literal["waiting", "running", "done", "failed"]
    """`waiting` for a worker, `running`, `done`, or `failed`: then it may be asked for again."""
    total: int | None
    """Choices of the game; null until they have been counted."""


class Combat(TypedDict):
    """A combat resolution. `record` is the ruleset's own account of it."""

    number: int
    """From 1, in the order in which the game's combats began."""
    opened_at: str
    record: JSON
    resolved_at: str | None
    """Null unless it was resolved."""
    status: Literal["open", "resolved", "abandoned"]
    """`abandoned` if the game ended before the combat."""
    turn: int


class HouseEvent(TypedDict):
    """Events of the service itself: seats taken and left, start and archive, a sealed choice (never its content).
    `bank_charged` says what a seat has spent of its bank, what was added to it, and what is left: a bank is at any time
    what it was at the start, less all that was spent, plus all that was added. `leave_begun` says how much leave its
    player has left, after which it ends without an event."""

    added_ms: NotRequired[int]
    bot: NotRequired[str]
    creator: NotRequired[str]
    left_ms: NotRequired[int]
    player: NotRequired[str]
    seat: NotRequired[int]
    seats: NotRequired[int]
    spent_ms: NotRequired[int]
    type: Literal[
        "game_created",
        "seat_taken",
        "seat_left",
        "game_started",
        "choice_sealed",
        "choice_defaulted",
        "seat_absent",
        "seat_forfeited",
        "clock_stopped",
        "seat_returned",
        "deadline_put_off",
        "bank_charged",
        "leave_begun",
        "leave_ended",
        "game_archived",
        "game_revived",
    ]


class Event(TypedDict):
    at: str
    payload: JSON
    """As the caller may see it; `type` says what it is."""
    seq: int
    """From 1, without gaps."""
    turn: int
    """The turn in which it happened."""


class Invitation(TypedDict):
    """An invitation to a private game, without its secret."""

    created_at: str
    expires_at: str | None
    """Null for never."""
    game: str
    id: str
    seat: int | None
    """The one seat that it is for; null for any."""
    used: int
    """How many seats are held by it."""
    uses: int
    """How many seats may be held by it."""


class IssuedInvitation(TypedDict):
    created_at: str
    expires_at: str | None
    """Null for never."""
    game: str
    id: str
    seat: int | None
    """The one seat that it is for; null for any."""
    secret: str
    """Shown this once."""
    url: str
    """A link to send: the game's page, with the secret in the fragment (`#invitation=...`), which is sent to no server
    and so written to no log. Those who follow it send the secret as the header `Holmgang-Invitation` to look, and in
    the body to take a seat."""
    used: int
    """How many seats are held by it."""
    uses: int
    """How many seats may be held by it."""


class SeatPresence(TypedDict):
    away_since: str | None
    """The minute in which they were last there; null for who is not away, and if it is not known."""
    seat: int
    status: Literal["here", "away", "hidden"]
    """`here` for who asked the service for something within two minutes or so, and for built-in bots."""


class Presence(TypedDict):
    game: str
    seats: list[SeatPresence]
    """Those that are taken."""


class LogLine(TypedDict):
    entry: JSON
    row_hash: str
    """BLAKE2b-256 that chains this row to all before it."""
    seq: int
    state_hash: str
    """BLAKE2b-256 of the canonical state after this entry."""


class GameTime(TypedDict):
    """How long players might think, and what was left to them in the end."""

    bank_seconds: int | None
    banks_ms: list[int] | None
    """Milliseconds in each seat's bank at the end; null without banks."""
    increment_seconds: int | None
    leave_days: int | None
    turn_seconds: int | None


class GameRecord(TypedDict):
    """All that is needed to play the game again, and to compare it with the commitment."""

    commitment: str
    entropy: list[str | None]
    """Hexadecimal, one a seat."""
    game: str
    head: str
    """The last row's hash."""
    log: list[LogLine]
    options: JSON
    result: Result
    ruleset: str
    seats: int
    seed: str
    teams: list[list[int]]
    terms: str
    """Canonical JSON of ruleset, version, seats and options: part of the commitment."""
    time: NotRequired[GameTime]
    """Of a game with time banks or leave. Nothing follows from it, so nothing proves it; events tell how it was
    spent."""
    version: str


class Rematch(TypedDict):
    """Who wants to play a game again."""

    agreed: list[int]
    """Seats of that game whose players have agreed. Built-in bots always have."""
    expires_at: str | None
    """When the first agreement ends; null without any."""
    game: str
    """The one that is over."""
    missing: list[int]
    """Seats of the others."""
    next: str | None
    """The game that was made once all had agreed."""


class OwnSeat(TypedDict):
    game: Game
    seat: int
    """The caller's seat."""


class DryRun(TypedDict):
    """The action would be accepted now; nothing has happened."""

    action: JSON
    dry_run: Literal[True]
    kind: str
    seat: int
    turn: int


class Receipt(TypedDict):
    """A submission that was accepted. `sealed` until its turn is resolved, then `applied`."""

    action: JSON
    game: str
    id: str
    kind: str
    received_at: str
    revision: int
    """Grows by one with each replacement."""
    seat: int
    state: Literal["sealed", "applied"]
    turn: int


class LastTurn(TypedDict):
    defaulted: list[int]
    """Seats that were played for: they did not choose in time, or their bot could not."""
    ended: Literal["played", "resigned"]
    ended_at: str
    kind: str | None
    turn: int


class Legal(TypedDict, Generic[Action]):
    """What the caller may do: all actions where they are few, else a grammar and one sample."""

    actions: NotRequired[list[Action]]
    """All of them, if 200 or fewer."""
    count: int | None
    """How many legal actions there are; null where that costs too much."""
    grammar: NotRequired[JSON]
    """The bounds of a legal action, for clients that build their own."""
    sample: NotRequired[Action]
    """One legal action, the same as long as the turn lasts."""
    schema: NotRequired[JSON]
    """The JSON Schema of the turn's actions, with all in its place; only actions that hold themselves need `$defs`."""


class Turn(TypedDict):
    """What the game asks now, and of whom."""

    awaited: list[int]
    """Seats that owe a choice."""
    clocks: list[SeatClock] | None
    """One a seat; null in a game without time banks or leave."""
    context: JSON
    """What the turn is about, such as the combat it belongs to."""
    deadline: str | None
    """When the turn ends by itself, by the clock of `server_time`; a later choice is refused as `stale_turn`. When only
    bots and absent players are left to wait, it is taken all the same unless the game's `clock` runs or its `absence`
    is `forfeit`. Where seats have clocks of their own, it is when the first of them is late; `clocks` has that of each.
    Null if the turn has no limit, and while the clock stands still."""
    defaulted: list[int]
    """Seats for which a sealed choice was made: absent ones, or those of bots that could not."""
    game: str
    kind: str | None
    last_turn: LastTurn | None
    legal: Legal | None
    next_poll_ms: int
    """When to poll again without `wait`."""
    sealed: bool
    """Whether choices are kept secret until all are in."""
    seat: int | None
    """The caller's seat; null for a spectator."""
    server_time: str
    status: Literal["open", "active", "over", "archived"]
    submission: str | None
    """The caller's sealed submission to this turn."""
    submitted: list[int]
    """Seats whose sealed choice is in."""
    turn: int
    version: int
    """The number of the game's last event."""
    view: NotRequired[JSON]
    """With `?include=view` once the game has begun."""
    yours: bool
    """Whether the caller owes a choice."""
