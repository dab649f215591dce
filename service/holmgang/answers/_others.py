"""Answers about all but games. Made of openapi/openapi.json by `make openapi`."""

from typing import Literal, TypedDict

from ._common import JSON


class ProblemEntry(TypedDict):
    code: str
    detail: str
    pointer: str
    """JSON pointer (RFC 6901) into the body, `?name` for a parameter, or a header."""


class Challenged(TypedDict):
    answer: Literal["accepted", "declined"] | None
    """Null while there is none."""
    bot: str | None
    """The built-in bot whose account this is. It accepts at once."""
    name: str
    player: str
    reason: Literal["later", "too_fast", "too_slow", "rated", "casual", "terms", "opponents", "other"] | None
    """Why they declined, if they said so."""


class Terms(TypedDict):
    """All but how many play, and who. As a game's own facts say them."""

    absence: str
    bank_seconds: int | None
    clock: Literal["waits", "runs"] | None
    """None: as is usual, which is `runs` in a rated game and `waits` in others."""
    increment_seconds: int | None
    leave_days: int | None
    options: JSON
    rated: bool
    ruleset: str
    spectators: bool
    turn_seconds: int | None
    visibility: Literal["public", "private"]


class Challenge(TypedDict):
    challenger: str
    created_at: str
    ended_at: str | None
    """Since when it is not pending any more."""
    expires_at: str
    """When it ends if not everybody has accepted it by then."""
    game: str | None
    """The game that was made of it."""
    id: str
    name: str
    """The challenger's."""
    players: list[Challenged]
    """Who is challenged, as the challenger named them."""
    seat: int | None
    """The challenger's seat; null if all seats are drawn."""
    status: Literal["pending", "accepted", "declined", "withdrawn", "expired"]
    terms: Terms


class Contender(TypedDict):
    bot: str | None
    """The built-in bot whose account this is; null for others."""
    id: str
    name: str


class Standing(TypedDict):
    """A line of a leaderboard."""

    games: int
    """Rated games that were counted."""
    mu: float
    """The mean; 25 for a newcomer."""
    player: Contender
    rank: int
    """From 1, in the list that was asked for; equal ratings share it."""
    rating: int
    """What the account is better than almost certainly; it grows with certainty too."""
    sigma: float
    """The deviation; 25/3 for a newcomer."""
    wins: int
    """Of those, the ones won; shared wins too."""


class FormerName(TypedDict):
    """What a player was called before."""

    name: str
    until: str


class Rating(TypedDict):
    """What an account has shown in the rated games of a ruleset."""

    games: int
    """Rated games that were counted."""
    mu: float
    """The mean; 25 for a newcomer."""
    rating: int
    """What the account is better than almost certainly; it grows with certainty too."""
    sigma: float
    """The deviation; 25/3 for a newcomer."""
    wins: int
    """Of those, the ones won; shared wins too."""


class Player(TypedDict):
    bot: str | None
    """The built-in bot whose account this is, which is the house's; null for others."""
    created_at: str
    deleted: bool
    """Whether the account was deleted. What it played stays, without its name."""
    former_names: list[FormerName]
    """Those of the last year, the latest first."""
    id: str
    kind: Literal["person", "bot"]
    """As the account says itself; a built-in bot's is `bot`."""
    name: str
    owner: str | None
    """The player who registered this bot; null if nobody says whose it is."""
    ratings: dict[str, Rating]
    """By ruleset; empty until a rated game of the player has been counted."""


class TokenInUse(TypedDict):
    game: str | None
    id: str
    scopes: list[str]
    seat: int | None


class Me(TypedDict):
    hides_presence: bool
    """Whether nobody is told if you are there: see `getPresence`."""
    player: Player
    token: TokenInUse
    """The token that this request came with."""


class Block(TypedDict):
    """A player whom another blocks."""

    created_at: str
    name: str
    player: str
    """The id of who is blocked."""


class Seek(TypedDict):
    """A seek as its player sees it."""

    created_at: str
    expires_at: str
    game: str | None
    """Which it led to."""
    id: str
    player: str
    rating_above: int | None
    """By how many points others may be stronger; null for any."""
    rating_below: int | None
    """By how many points others may be weaker; null for any."""
    rating_widens: int
    """By how many points both limits grow with each minute."""
    seat: int | None
    """Your seat there."""
    seats: list[int]
    """With how many at the table."""
    status: Literal["waiting", "matched", "withdrawn", "expired"]
    """`withdrawn`: by its player, or because another of theirs led to a game."""
    terms: Terms
    """On what terms. Options are those that were asked for."""
    wanted: Literal["people", "bots", "both"]
    """Against whom."""


class Token(TypedDict):
    """A token without its secret."""

    created_at: str
    expires_at: str | None
    """Null for never."""
    game: str | None
    """The one game that the token is limited to; null for all."""
    id: str
    label: str
    last_used_at: str | None
    """The hour (UTC) in which something was last asked for with it, told to its player alone. It is noted within a
    minute; null if no use was noted."""
    scopes: list[str]
    seat: int | None
    """The one seat that the token is limited to."""


class IssuedToken(TypedDict):
    created_at: str
    expires_at: str | None
    """Null for never."""
    game: str | None
    """The one game that the token is limited to; null for all."""
    id: str
    label: str
    last_used_at: str | None
    """The hour (UTC) in which something was last asked for with it, told to its player alone. It is noted within a
    minute; null if no use was noted."""
    scopes: list[str]
    seat: int | None
    """The one seat that the token is limited to."""
    token: str
    """The secret, shown this once."""


class Tournament(TypedDict):
    """A tournament: its facts, the terms of its games, and how it goes."""

    bots: list[str]
    """The built-in bots that fill it up, in turn."""
    commitment: str
    """SHA-256 that binds the seed of all lots."""
    created_at: str
    creator: str
    ended_at: str | None
    entered: int
    """How many are in it."""
    fill_to: int
    """How many players they fill it up to."""
    games: int
    """How many games a table plays, in which its places go round."""
    id: str
    kind: Literal["round-robin", "swiss", "knock-out", "arena", "ladder"]
    least: int
    """With fewer players it is cancelled at its start. 0 as it is asked for: as many as one table takes."""
    most: int
    name: str
    reason: Literal["by_maker", "too_few"] | None
    """Why it was cancelled."""
    round: int
    """The last round that was paired; 0 before the first."""
    rounds: int | None
    """How many rounds there are, of Swiss; at most, of a round robin and a knock-out. Null: as many as the number of
    players needs."""
    seats: int
    """How many sit at a table, where numbers allow."""
    seconds: int | None
    """How long an arena is open."""
    seed: str | None
    """The seed of all lots: with it all pairings can be made again. Null until the start."""
    sizes: list[int]
    """Smaller tables that are taken where they do not."""
    started_at: str | None
    starts_at: str | None
    starts_with: int | None
    """How many have joined when it starts by itself."""
    status: Literal["open", "active", "over", "cancelled"]
    """Players enter while it is `open`; an arena or a ladder also while it is `active`."""
    terms: Terms
    """Of its games."""
    tie_breaks: list[str]
    visibility: Literal["public", "private"]


class Waiting(TypedDict):
    deadline: str | None
    game: str
    kind: str
    ruleset: str
    seat: int
    since: str
    turn: int


class WaitingTurns(TypedDict):
    """The whole current set of turns that wait for the caller, oldest first."""

    items: list[Waiting]
    next_poll_ms: int
    """When to poll again without `wait`."""


class FoundPlayer(TypedDict):
    """A line of a list of players."""

    bot: str | None
    """The built-in bot whose account this is, which is the house's; null for others."""
    created_at: str
    deleted: bool
    """Whether the account was deleted. What it played stays, without its name."""
    id: str
    kind: Literal["person", "bot"]
    """As the account says itself; a built-in bot's is `bot`."""
    name: str
    owner: str | None
    """The player who registered this bot; null if nobody says whose it is."""


class Registration(TypedDict):
    player: Player
    token: str
    """The secret of the player's first token, which has all scopes; shown this once."""
    token_id: str


class Score(TypedDict):
    """What a player has to show against another in the games of a ruleset."""

    games: int
    losses: int
    ruleset: str
    shared: int
    """Games in which both came in on the same rank."""
    wins: int


class HeadToHead(TypedDict):
    """What one player has to show against another, by ruleset."""

    items: list[Score]


class RatingPoint(TypedDict):
    """What a rated game made of a rating."""

    at: str
    """When it was counted, moments after its end."""
    game: str
    mu: float
    """The mean; 25 for a newcomer."""
    number: int
    """The game's place in the order in which the ruleset's games were counted."""
    rank: int
    """Of the player's side in the game, from 1."""
    rating: int
    """What the account is better than almost certainly; it grows with certainty too."""
    sigma: float
    """The deviation; 25/3 for a newcomer."""


class RulesetHead(TypedDict):
    bots: list[str]
    """The built-in bots that can play it, weakest first. Others get no seat."""
    ruleset: str
    seat_counts: list[int]
    title: str
    version: str


class ReconstructedPart(TypedDict):
    option: str | None
    """The game option that replaces it, if there is one."""
    rule: str
    what: str


class RuleText(TypedDict):
    id: str
    text: str
    """Markdown."""


class Ruleset(TypedDict):
    bots: list[str]
    """The built-in bots that can play it, weakest first. Others get no seat."""
    combat_schema: JSON
    """Of `record` of a combat."""
    effect_schema: JSON
    """Of the payload of the ruleset's events."""
    options_schema: JSON
    """JSON Schema of `options` of a new game."""
    reconstructed: list[ReconstructedPart]
    """What the rulebook does not print."""
    rules: list[RuleText]
    """Each rule with the id errors name."""
    ruleset: str
    seat_counts: list[int]
    title: str
    turn_kinds: dict[str, JSON]
    """JSON Schema of the actions of each kind of turn."""
    version: str
    view_schema: JSON


class Seeker(TypedDict):
    id: str
    kind: Literal["person", "bot"]
    name: str
    rating: int
    """In the ruleset; a newcomer has 1500."""


class SoughtGame(TypedDict):
    """A game that is sought. By which ratings it is, only who seeks it knows."""

    created_at: str
    expires_at: str
    id: str
    player: Seeker
    seats: list[int]
    """With how many at the table."""
    terms: Terms
    wanted: Literal["people", "bots", "both"]
    """Against whom."""


class CrosstableCell(TypedDict):
    """What one has had of another."""

    against: str
    entry: str
    met: int
    """At how many tables."""
    won: float
    """At how many of them they were ahead; half for the same points."""


class Crosstable(TypedDict):
    """Who did how against whom, by the 10,000 tables that were counted last."""

    items: list[CrosstableCell]
    """One for each who has met another, in that order."""
    order: list[str]
    """All entries, the best first."""


class TournamentEntry(TypedDict):
    """Somebody in a tournament."""

    bot: str | None
    id: str
    """A person's is their player's id."""
    joined_at: str
    name: str
    number: int | None
    """From the start on: 1 for the strongest."""
    out: Literal["withdrawn", "absent"] | None
    out_at: str | None
    player: str
    rating: float | None
    """What the numbers go by: of the ruleset, at the start (`mu - 3 sigma`)."""


class TournamentEvent(TypedDict):
    """Something that has happened in a tournament."""

    at: str
    entry: str | None
    """Of `entered` and `left`."""
    round: int | None
    """Of `paired`, `counted` and `round_over`."""
    seq: int
    """From 1, without gaps."""
    table: int | None
    """Of `counted`: its number in the round."""
    type: Literal["created", "entered", "left", "started", "paired", "counted", "round_over", "over", "cancelled"]
    """`left`: they left, or did not turn up. `counted`: all games of a table are over. `round_over`: so are all of a
    round."""


class TournamentInvitation(TypedDict):
    secret: str
    """Shown this once. It is sent as `invitation` of the body to enter, and as the header `Holmgang-Invitation` to
    look."""


class TableGame(TypedDict):
    absent: list[str]
    """Who did not turn up."""
    ended_at: str | None
    game: str | None
    """Null where it was forfeited before it began."""
    number: int
    """From 1, at its table."""
    outcome: Literal["played", "void", "forfeited"] | None
    """Null while it is played."""
    players: list[str]
    """Entries, by seat."""
    ranks: list[int]
    """By seat, from 1; empty until it is counted."""


class TournamentTable(TypedDict):
    """Who met at a table in a round, and what came of it."""

    absent: list[str]
    at: int
    """From 1, in its round."""
    counted: int | None
    """Its number in the order of counting, over the whole tournament."""
    games: list[TableGame]
    players: list[str]
    """Entries, by place."""
    points: list[float]
    """By place; empty until it is counted."""
    round: int


class TournamentRound(TypedDict):
    """A pairing, and what came of it."""

    byes: list[str]
    """Who sits out."""
    ended_at: str | None
    known: int
    """How many tables had been counted by then: by these alone it was paired."""
    paired_at: str
    present: list[str]
    """Who was to be paired, in the order in which the pairing takes them."""
    round: int
    tables: list[TournamentTable]
    """By number: the first is the one of the best."""


class TournamentStanding(TypedDict):
    """A line of the standings. Those whom nothing parts share a rank."""

    bot: str | None
    """The built-in bot that it is."""
    entry: str
    name: str
    out: Literal["withdrawn", "absent"] | None
    """Why it is not paired any more."""
    player: str
    points: float
    """On a ladder the strength, as on leaderboards."""
    rank: int
    tie_breaks: list[float | None]
    """In the stated order; null where it was not needed to tell the rank."""


class TournamentStandings(TypedDict):
    """How a tournament stands by the tables that have been counted."""

    items: list[TournamentStanding]
    """All, the best first."""
    round: int
    """The last round that was paired; 0 before the first."""
    tie_breaks: list[str]
    """What parts those with the same points, in this order; of an arena and a ladder `wins` and `games`."""


class Webhook(TypedDict):
    active: bool
    created_at: str
    events: list[str]
    gone_at: str | None
    """When the receiver answered 410 (Gone), which made the webhook inactive. Null once it is active again."""
    held_until: str | None
    """Until when new messages wait, since the receiver had too much to do (429, 502, 503 or 504)."""
    id: str
    old_until: str | None
    """How long messages are signed with the secret before as well."""
    url: str


class IssuedWebhook(TypedDict):
    active: bool
    created_at: str
    events: list[str]
    gone_at: str | None
    """When the receiver answered 410 (Gone), which made the webhook inactive. Null once it is active again."""
    held_until: str | None
    """Until when new messages wait, since the receiver had too much to do (429, 502, 503 or 504)."""
    id: str
    old_until: str | None
    """How long messages are signed with the secret before as well."""
    secret: str
    """What signs the messages, by the Standard Webhooks specification. Shown this once."""
    url: str


class Delivery(TypedDict):
    """A message to a webhook. It says that something happened, never what."""

    attempts: int
    created_at: str
    id: str
    """The `webhook-id` of every attempt."""
    last_at: str | None
    """Of the last attempt."""
    last_error: str | None
    """Why there was no answer, or no further attempt."""
    last_status: int | None
    """What the receiver answered last."""
    next_at: str
    """Of the next attempt, while it is pending."""
    state: Literal["pending", "delivered", "dead"]
    type: str
