"""The calls as attributes of both clients. The types of the two follow from the plans."""

from __future__ import annotations

from . import careful, plans
from .call import Careful, Listing, Method


class Calls:
    """Every call of the API that is planned in `plans`, which tells what each does."""

    player = Method(plans.player)
    me = Method(plans.me)
    my_games = Listing(plans.my_games)
    waiting_turns = Method(plans.waiting_turns)
    create_token = Method(plans.create_token)
    tokens = Listing(plans.tokens)
    revoke_token = Method(plans.revoke_token)
    rulesets = Listing(plans.rulesets)
    ruleset = Method(plans.ruleset)
    games = Listing(plans.games)
    create_game = Careful(careful.create_game)
    game = Method(plans.game)
    take_seat = Careful(careful.take_seat)
    seat_bot = Method(plans.seat_bot)
    seat = Method(plans.seat)
    leave_seat = Careful(careful.leave_seat)
    return_to_seat = Method(plans.return_to_seat)
    resign = Method(plans.resign)
    create_invitation = Method(plans.create_invitation)
    invitations = Listing(plans.invitations)
    invitation = Method(plans.invitation)
    revoke_invitation = Method(plans.revoke_invitation)
    view = Method(plans.view)
    turn = Method(plans.turn)
    submit = Careful(careful.submit)
    check = Method(plans.check)
    replace = Careful(careful.replace)
    submission = Method(plans.submission)
    events = Method(plans.events)
    combats = Listing(plans.combats)
    combat = Method(plans.combat)
    record = Method(plans.record)
    verify = Careful(careful.verify)
    leaderboard = Listing(plans.leaderboard)
    create_webhook = Method(plans.create_webhook)
    webhooks = Listing(plans.webhooks)
    webhook = Method(plans.webhook)
    change_webhook = Method(plans.change_webhook)
    delete_webhook = Method(plans.delete_webhook)
    rotate_webhook = Method(plans.rotate_webhook)
    test_webhook = Method(plans.test_webhook)
    deliveries = Listing(plans.deliveries)
    replay_delivery = Method(plans.replay_delivery)
