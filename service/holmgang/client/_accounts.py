"""Calls about players, their tokens and their webhooks.

Arguments that are None are left to the service. Lists go through all their pages; `limit` is the size of one.
"""

from __future__ import annotations

from typing import Literal

from holmgang import answers

from ._call import Call, get, given, path, post
from ._flow import Caller, Flow, Pages
from ._methods import Listing, Method
from ._several import Several, several

Kind = Literal["person", "bot"]
Scope = Literal["read", "play", "manage"]
Occasion = Literal["game.started", "turn.waiting", "game.over", "challenge.received"]


class Accounts(Caller):
    def _registration(self, name: str, kind: Kind | None) -> Flow[answers.Registration]:
        """Not repeated when its answer gets lost: there would be two players."""
        return self._ask(Call("POST", path("players"), json=given({"name": name, "kind": kind}), repeatable=False))

    @Listing
    def players(self, name: str, *, exact: bool | None = None, limit: int | None = None) -> Pages[answers.FoundPlayer]:
        """Those whose name begins so, in whatever case, or is it with `exact`."""
        return Pages(self, get(path("players"), name=name, exact=exact, limit=limit))

    @Method
    def player(self, player: str) -> Flow[answers.Player]:
        """Anybody's name, former names and ratings, and whether they are a person or a bot."""
        return self._ask(get(path("players", player)))

    @Method
    def head_to_head(self, player: str, other: str) -> Flow[answers.HeadToHead]:
        """What a player has to show against another, by ruleset, in the games that you may see."""
        return self._ask(get(path("players", player, "against", other)))

    @Listing
    def rating_history(self, player: str, ruleset: str, *, limit: int | None = None) -> Pages[answers.RatingPoint]:
        """A player's rating after each rated game, the latest first."""
        return Pages(self, get(path("players", player, "ratings", ruleset, "history"), limit=limit))

    @Method
    def register_bot(self, name: str) -> Flow[answers.Registration]:
        """An account for a bot of yours, with its first token, which is shown only now. Not repeated when its answer
        gets lost."""
        return self._registration(name, "bot")

    @Method
    def me(self) -> Flow[answers.Me]:
        """Who the token speaks for, and what it may do."""
        return self._ask(get(path("me")))

    @Method
    def change_me(
        self, *, name: str | None = None, kind: Kind | None = None, hides_presence: bool | None = None
    ) -> Flow[answers.Player]:
        """Another name, now and then; whether you are a bot, before your first game; whether nobody is told if you are
        there."""
        changes = {"name": name, "kind": kind, "hides_presence": hides_presence}
        return self._ask(Call("PATCH", path("me"), json=given(changes)))

    @Method
    def delete_me(self, name: str) -> Flow[None]:
        """Delete your account, for good: `name` is yours, so that it is no mistake. What you played stays."""
        return self._ask(Call("DELETE", path("me"), json={"name": name}))

    @Method
    def create_token(
        self, label: str, scopes: Several[Scope], *, expires_at: str | None = None, game: str | None = None
    ) -> Flow[answers.IssuedToken]:
        """A further token, limited as you say. SecretAlreadyShown if its answer got lost."""
        body = {"label": label, "scopes": several("scopes", scopes), "expires_at": expires_at, "game": game}
        return self._ask(post(path("me", "tokens"), body))

    @Listing
    def tokens(self, *, limit: int | None = None) -> Pages[answers.Token]:
        """Your tokens, without what they are."""
        return Pages(self, get(path("me", "tokens"), limit=limit))

    @Method
    def revoke_token(self, token: str) -> Flow[None]:
        """From now on the token with this id is good for nothing."""
        return self._ask(Call("DELETE", path("me", "tokens", token)))

    @Method
    def block(self, player: str) -> Flow[answers.Block]:
        """Want nothing to do with that player: no seek and no challenge makes a game for the two of you. They are not
        told."""
        return self._ask(Call("PUT", path("me", "blocks", player), json={}))

    @Listing
    def blocks(self, *, limit: int | None = None) -> Pages[answers.Block]:
        """Whom you block."""
        return Pages(self, get(path("me", "blocks"), limit=limit))

    @Method
    def unblock(self, player: str) -> Flow[None]:
        """Take a block back."""
        return self._ask(Call("DELETE", path("me", "blocks", player)))

    @Method
    def create_webhook(self, url: str, events: Several[Occasion] | None = None) -> Flow[answers.IssuedWebhook]:
        """Have the service call that address. The secret for `verify_webhook` is shown only now."""
        body = {"url": url, "events": None if events is None else several("events", events)}
        return self._ask(post(path("webhooks"), body))

    @Listing
    def webhooks(self, *, limit: int | None = None) -> Pages[answers.Webhook]:
        """Yours, without their secrets."""
        return Pages(self, get(path("webhooks"), limit=limit))

    @Method
    def webhook(self, webhook: str) -> Flow[answers.Webhook]:
        """One of them."""
        return self._ask(get(path("webhooks", webhook)))

    @Method
    def change_webhook(
        self,
        webhook: str,
        *,
        url: str | None = None,
        events: Several[Occasion] | None = None,
        active: bool | None = None,
    ) -> Flow[answers.Webhook]:
        """Another address, other events, or a pause."""
        occasions = None if events is None else several("events", events)
        body = {"url": url, "events": occasions, "active": active}
        return self._ask(Call("PATCH", path("webhooks", webhook), json=given(body)))

    @Method
    def delete_webhook(self, webhook: str) -> Flow[None]:
        """Be called no more."""
        return self._ask(Call("DELETE", path("webhooks", webhook)))

    @Method
    def rotate_webhook(self, webhook: str) -> Flow[answers.IssuedWebhook]:
        """A new secret; the old one signs along for a while."""
        return self._ask(post(path("webhooks", webhook, "rotate")))

    @Method
    def test_webhook(self, webhook: str) -> Flow[answers.Delivery]:
        """Have a message sent to try it out."""
        return self._ask(post(path("webhooks", webhook, "test")))

    @Listing
    def deliveries(
        self, webhook: str, *, state: Literal["pending", "delivered", "dead"] | None = None, limit: int | None = None
    ) -> Pages[answers.Delivery]:
        """What became of the messages."""
        return Pages(self, get(path("webhooks", webhook, "deliveries"), state=state, limit=limit))

    @Method
    def replay_delivery(self, webhook: str, delivery: str) -> Flow[answers.Delivery]:
        """Send a message again."""
        return self._ask(post(path("webhooks", webhook, "deliveries", delivery, "replay")))
