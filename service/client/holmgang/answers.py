"""What the service answers, as types. Names and fields are those of the API document; a test compares them.

Times are RFC 3339 in UTC. Actions, views, effects and options differ by game and are left as JSON: their schemas are in
`ruleset(...)`. The service may add fields at any time.
"""

from typing import Any, Generic, Literal, NotRequired, TypedDict, TypeVar

T = TypeVar("T")
JSON = dict[str, Any]


class Belief(TypedDict):
    mu: float
    rating: int
    sigma: float


class Combat(TypedDict):
    number: int
    opened_at: str
    record: JSON
    resolved_at: str | None
    status: Literal["open", "resolved", "abandoned"]
    turn: int


class Contender(TypedDict):
    bot: str | None
    id: str
    name: str


class Delivery(TypedDict):
    attempts: int
    created_at: str
    id: str
    last_at: str | None
    last_error: str | None
    last_status: int | None
    next_at: str
    state: Literal["pending", "delivered", "dead"]
    type: str


class DryRun(TypedDict):
    action: JSON
    dry_run: Literal[True]
    kind: str
    seat: int
    turn: int


class Event(TypedDict):
    at: str
    payload: JSON
    seq: int
    turn: int


class RatingChange(TypedDict):
    after: Belief
    before: Belief
    player: str
    rank: int
    seat: int


class Result(TypedDict):
    ranking: list[list[int]]
    reason: str
    scores: list[int]
    winners: list[int]


class Seat(TypedDict):
    absent_since: str | None
    bot: str | None
    entropy: str | None
    name: str | None
    player: str | None
    resigned_at: str | None
    seat: int
    taken_at: str | None


class Game(TypedDict):
    absence: str
    awaited: list[int]
    commitment: str | None
    created_at: str
    creator: str
    deadline: str | None
    ended_at: str | None
    head: str | None
    id: str
    kind: str | None
    options: JSON
    practice: bool
    rated: bool
    rating_changes: list[RatingChange] | None
    result: Result | None
    ruleset: str
    ruleset_version: str
    seats: list[Seat]
    seed: str | None
    spectators: bool
    started_at: str | None
    status: Literal["open", "active", "over", "archived"]
    teams: list[list[int]]
    turn: int
    turn_seconds: int | None
    version: int
    visibility: Literal["public", "private"]


class Invitation(TypedDict):
    created_at: str
    expires_at: str | None
    game: str
    id: str
    seat: int | None
    used: int
    uses: int


class IssuedInvitation(TypedDict):
    created_at: str
    expires_at: str | None
    game: str
    id: str
    seat: int | None
    secret: str
    url: str
    used: int
    uses: int


class IssuedToken(TypedDict):
    created_at: str
    expires_at: str | None
    game: str | None
    id: str
    label: str
    scopes: list[str]
    seat: int | None
    token: str


class IssuedWebhook(TypedDict):
    active: bool
    created_at: str
    events: list[str]
    gone_at: str | None
    held_until: str | None
    id: str
    old_until: str | None
    secret: str
    url: str


class LastTurn(TypedDict):
    defaulted: list[int]
    ended: Literal["played", "resigned"]
    ended_at: str
    kind: str | None
    turn: int


class Legal(TypedDict):
    actions: NotRequired[list[JSON]]
    count: int | None
    grammar: NotRequired[JSON]
    sample: NotRequired[JSON]
    schema: NotRequired[JSON]


class LogLine(TypedDict):
    entry: JSON
    row_hash: str
    seq: int
    state_hash: str


class Rating(TypedDict):
    games: int
    mu: float
    rating: int
    sigma: float
    wins: int


class Player(TypedDict):
    created_at: str
    id: str
    name: str
    ratings: dict[str, Rating]


class TokenInUse(TypedDict):
    game: str | None
    id: str
    scopes: list[str]
    seat: int | None


class Me(TypedDict):
    player: Player
    token: TokenInUse


class OwnSeat(TypedDict):
    game: Game
    seat: int


class ProblemEntry(TypedDict):
    code: str
    detail: str
    pointer: str


class Receipt(TypedDict):
    action: JSON
    game: str
    id: str
    kind: str
    received_at: str
    revision: int
    seat: int
    state: Literal["sealed", "applied"]
    turn: int


class ReconstructedPart(TypedDict):
    option: str | None
    rule: str
    what: str


class Record(TypedDict):
    commitment: str
    entropy: list[str | None]
    game: str
    head: str
    log: list[LogLine]
    options: JSON
    result: Result
    ruleset: str
    seats: int
    seed: str
    teams: list[list[int]]
    terms: str
    version: str


class Registration(TypedDict):
    player: Player
    token: str
    token_id: str


class RuleText(TypedDict):
    id: str
    text: str


class Ruleset(TypedDict):
    bots: list[str]
    combat_schema: JSON
    effect_schema: JSON
    options_schema: JSON
    reconstructed: list[ReconstructedPart]
    rules: list[RuleText]
    ruleset: str
    seat_counts: list[int]
    title: str
    turn_kinds: dict[str, JSON]
    version: str
    view_schema: JSON


class RulesetHead(TypedDict):
    bots: list[str]
    ruleset: str
    seat_counts: list[int]
    title: str
    version: str


class Standing(TypedDict):
    games: int
    mu: float
    player: Contender
    rank: int
    rating: int
    sigma: float
    wins: int


class Token(TypedDict):
    created_at: str
    expires_at: str | None
    game: str | None
    id: str
    label: str
    scopes: list[str]
    seat: int | None


class Turn(TypedDict):
    awaited: list[int]
    context: JSON
    deadline: str | None
    defaulted: list[int]
    game: str
    kind: str | None
    last_turn: LastTurn | None
    legal: Legal | None
    next_poll_ms: int
    sealed: bool
    seat: int | None
    server_time: str
    status: Literal["open", "active", "over", "archived"]
    submission: str | None
    submitted: list[int]
    turn: int
    version: int
    view: NotRequired[JSON]
    yours: bool


class Waiting(TypedDict):
    deadline: str | None
    game: str
    kind: str
    ruleset: str
    seat: int
    since: str
    turn: int


class WaitingTurns(TypedDict):
    items: list[Waiting]
    next_poll_ms: int


class Webhook(TypedDict):
    active: bool
    created_at: str
    events: list[str]
    gone_at: str | None
    held_until: str | None
    id: str
    old_until: str | None
    url: str


class Page(TypedDict, Generic[T]):
    """Some of a list; `next` is the address of what follows, null at the end."""

    items: list[T]
    next: str | None
