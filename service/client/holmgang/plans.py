"""Every call a bot's author needs, planned: functions from arguments to requests, which both clients have as methods.

Arguments that are None are left to the service. Lists go through all their pages; `limit` is the size of one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from . import answers
from .answers import JSON, Page
from .call import Call, get, given, path, post

Scope = Literal["read", "play", "manage"]
Status = Literal["open", "active", "over", "archived"]


def register(name: str) -> Call[answers.Registration]:
    """A new player, with the token that is shown only now. Not repeated when its answer gets lost."""
    return Call("POST", path("players"), json={"name": name}, repeatable=False)


def player(player: str) -> Call[answers.Player]:
    """Anybody's name and ratings."""
    return get(path("players", player))


def me() -> Call[answers.Me]:
    """Who the token speaks for, and what it may do."""
    return get(path("me"))


def my_games(*, status: Status | None = None, limit: int | None = None) -> Call[Page[answers.Game]]:
    """The games in which you have a seat, private ones too."""
    return get(path("me", "games"), status=status, limit=limit)


def waiting_turns(*, wait: int | None = None) -> Call[answers.WaitingTurns]:
    """All turns that wait for you now. With `wait`, answers as soon as that has changed since the last call."""
    return get(path("me", "turns"), kept=True, wait=wait)


def create_token(
    label: str, scopes: Sequence[Scope], *, expires_at: str | None = None, game: str | None = None
) -> Call[answers.IssuedToken]:
    """A further token, limited as you say. SecretAlreadyShown if its answer got lost."""
    return post(path("me", "tokens"), {"label": label, "scopes": list(scopes), "expires_at": expires_at, "game": game})


def tokens(*, limit: int | None = None) -> Call[Page[answers.Token]]:
    """Your tokens, without what they are."""
    return get(path("me", "tokens"), limit=limit)


def revoke_token(token: str) -> Call[None]:
    """From now on the token with this id is good for nothing."""
    return Call("DELETE", path("me", "tokens", token))


def rulesets() -> Call[Page[answers.RulesetHead]]:
    """The games that can be played."""
    return get(path("rulesets"))


def ruleset(ruleset: str) -> Call[answers.Ruleset]:
    """A game's rules with their ids, and the schemas of its actions, views and options."""
    return get(path("rulesets", ruleset), kept=True)


def games(
    *,
    status: Status | None = None,
    ruleset: str | None = None,
    player: str | None = None,
    open_seats: bool | None = None,
    limit: int | None = None,
) -> Call[Page[answers.Game]]:
    """Public games, the newest first."""
    return get(path("games"), status=status, ruleset=ruleset, player=player, open_seats=open_seats, limit=limit)


def create_game(
    ruleset: str,
    seats: int,
    *,
    options: Mapping[str, Any] | None = None,
    visibility: Literal["public", "private"] | None = None,
    spectators: bool | None = None,
    turn_seconds: int | None = None,
    absence: str | None = None,
    rated: bool | None = None,
    practice: bool | None = None,
    seed: str | None = None,
    join: bool | None = None,
) -> Call[answers.Game]:
    """A new game, in which you sit on seat 0 unless `join` is false."""
    terms = {"visibility": visibility, "spectators": spectators, "turn_seconds": turn_seconds, "absence": absence}
    chance = {"rated": rated, "practice": practice, "seed": seed, "join": join}
    return post(path("games"), {"ruleset": ruleset, "seats": seats, "options": options, **terms, **chance})


def game(game: str, *, invitation: str | None = None) -> Call[answers.Game]:
    """Who plays, at which turn it is, and once it is over the result and the seed."""
    return get(path("games", game), invitation=invitation)


def take_seat(
    game: str, *, seat: int | None = None, entropy: str | None = None, invitation: str | None = None
) -> Call[answers.OwnSeat]:
    """Sit down, on the lowest free seat if you name none. Again is the same."""
    return post(path("games", game, "seats"), {"seat": seat, "entropy": entropy, "invitation": invitation})


def seat_bot(
    game: str, bot: Literal["random", "greedy", "search"] = "greedy", *, seat: int | None = None
) -> Call[answers.OwnSeat]:
    """Give a seat of a game that you created to a built-in bot; `bots` of its ruleset are those that can play it."""
    return post(path("games", game, "seats"), {"seat": seat, "bot": bot})


def seat(game: str, seat: int, *, invitation: str | None = None) -> Call[answers.Seat]:
    """Who sits there."""
    return get(path("games", game, "seats", seat), invitation=invitation)


def leave_seat(game: str, seat: int) -> Call[None]:
    """Get up before the start. After it: `resign`."""
    return Call("DELETE", path("games", game, "seats", seat))


def return_to_seat(game: str, seat: int) -> Call[answers.OwnSeat]:
    """Be back after an absence, or revive a game that was archived."""
    return post(path("games", game, "seats", seat, "return"))


def resign(game: str) -> Call[answers.OwnSeat]:
    """Give the game up."""
    return post(path("games", game, "resignations"))


def create_invitation(
    game: str,
    *,
    seat: int | None = None,
    uses: int | None = None,
    expires_in: int | None = None,
    expires_at: str | None = None,
) -> Call[answers.IssuedInvitation]:
    """A link into your private game. SecretAlreadyShown if its answer got lost."""
    terms = {"seat": seat, "uses": uses, "expires_in": expires_in, "expires_at": expires_at}
    return post(path("games", game, "invitations"), terms)


def invitations(game: str, *, limit: int | None = None) -> Call[Page[answers.Invitation]]:
    """The invitations to a game that you created, without their secrets."""
    return get(path("games", game, "invitations"), limit=limit)


def invitation(game: str, invitation: str) -> Call[answers.Invitation]:
    """One of them."""
    return get(path("games", game, "invitations", invitation))


def revoke_invitation(game: str, invitation: str) -> Call[None]:
    """Nobody sits down by it from now on."""
    return Call("DELETE", path("games", game, "invitations", invitation))


def view(
    game: str, *, wait: int | None = None, as_seat: int | None = None, invitation: str | None = None
) -> Call[JSON]:
    """What you may see of the table."""
    return get(path("games", game, "view"), kept=True, wait=wait, as_seat=as_seat, invitation=invitation)


def turn(
    game: str,
    *,
    wait: int | None = None,
    include: Literal["view"] | None = None,
    as_seat: int | None = None,
    invitation: str | None = None,
) -> Call[answers.Turn]:
    """What is asked of you now. With `wait` (1 to 50), answers as soon as that has changed since the last call."""
    address = path("games", game, "turn")
    return get(address, kept=True, wait=wait, include=include, as_seat=as_seat, invitation=invitation)


def submit(game: str, turn: int, action: Mapping[str, Any]) -> Call[answers.Receipt]:
    """Make a choice. Again is the same: it counts once, however often it is sent."""
    return post(path("games", game, "submissions"), {"turn": turn, "action": action})


def check(game: str, turn: int, action: Mapping[str, Any]) -> Call[answers.DryRun]:
    """Ask whether the choice would be taken (a dry run); IllegalAction says which rule is against it."""
    body = {"turn": turn, "action": action}
    return Call("POST", path("games", game, "submissions"), {"dry_run": "true"}, json=body)


def replace(
    game: str, submission: str, turn: int, action: Mapping[str, Any], *, revision: int
) -> Call[answers.Receipt]:
    """Another choice for a sealed turn, in place of the one that has this revision.

    Again is the same while the turn is sealed; once it is resolved it is a StaleTurn.
    """
    body = {"turn": turn, "action": action, "revision": revision}
    return Call("PUT", path("games", game, "submissions", submission), json=body)


def submission(game: str, submission: str, *, invitation: str | None = None) -> Call[answers.Receipt]:
    """A choice of yours; others' once the game is over."""
    return get(path("games", game, "submissions", submission), invitation=invitation)


def events(
    game: str,
    *,
    after: int = 0,
    limit: int | None = None,
    wait: int | None = None,
    as_seat: int | None = None,
    invitation: str | None = None,
) -> Call[Page[answers.Event]]:
    """One page of what has happened after the event with that number; `stream` goes through them as they come."""
    address = path("games", game, "events")
    return get(address, after=after, limit=limit, wait=wait, as_seat=as_seat, invitation=invitation)


def combats(game: str, *, limit: int | None = None, invitation: str | None = None) -> Call[Page[answers.Combat]]:
    """The fights of a game in their order."""
    return get(path("games", game, "combats"), limit=limit, invitation=invitation)


def combat(game: str, number: int, *, invitation: str | None = None) -> Call[answers.Combat]:
    """One of them."""
    return get(path("games", game, "combats", number), invitation=invitation)


def record(game: str, *, invitation: str | None = None) -> Call[answers.Record]:
    """All that it needs to replay a game that is over."""
    return get(path("games", game, "record"), invitation=invitation)


def leaderboard(ruleset: str, *, bots: bool | None = None, limit: int | None = None) -> Call[Page[answers.Standing]]:
    """Players and bots by their ratings, the best first."""
    return get(path("leaderboards", ruleset), bots=bots, limit=limit)


Occasion = Literal["game.started", "turn.waiting", "game.over"]


def create_webhook(url: str, events: Sequence[Occasion] | None = None) -> Call[answers.IssuedWebhook]:
    """Have the service call that address. The secret for `verify_webhook` is shown only now."""
    return post(path("webhooks"), {"url": url, "events": None if events is None else list(events)})


def webhooks(*, limit: int | None = None) -> Call[Page[answers.Webhook]]:
    """Yours, without their secrets."""
    return get(path("webhooks"), limit=limit)


def webhook(webhook: str) -> Call[answers.Webhook]:
    """One of them."""
    return get(path("webhooks", webhook))


def change_webhook(
    webhook: str, *, url: str | None = None, events: Sequence[Occasion] | None = None, active: bool | None = None
) -> Call[answers.Webhook]:
    """Another address, other events, or a pause."""
    return Call("PATCH", path("webhooks", webhook), json=given({"url": url, "events": events, "active": active}))


def delete_webhook(webhook: str) -> Call[None]:
    """Be called no more."""
    return Call("DELETE", path("webhooks", webhook))


def rotate_webhook(webhook: str) -> Call[answers.IssuedWebhook]:
    """A new secret; the old one signs along for a while."""
    return post(path("webhooks", webhook, "rotate"))


def test_webhook(webhook: str) -> Call[answers.Delivery]:
    """Have a message sent to try it out."""
    return post(path("webhooks", webhook, "test"))


def deliveries(
    webhook: str, *, state: Literal["pending", "delivered", "dead"] | None = None, limit: int | None = None
) -> Call[Page[answers.Delivery]]:
    """What became of the messages."""
    return get(path("webhooks", webhook, "deliveries"), state=state, limit=limit)


def replay_delivery(webhook: str, delivery: str) -> Call[answers.Delivery]:
    """Send a message again."""
    return post(path("webhooks", webhook, "deliveries", delivery, "replay"))
