"""All resources, as blueprints: to import this is to have declared every operation on them."""

from holmgang.api.operation.declaration import Resources

from .analyses import routes as analyses
from .blocks import routes as blocks
from .challenges.routes import challenges
from .combats import routes as combats
from .entries import routes as entries
from .events import routes as events
from .games.routes import games
from .invitations import routes as invitations
from .leaderboards.routes import leaderboards
from .me.routes import me
from .players.routes import players
from .presence import routes as presence
from .records import routes as records
from .rematches import routes as rematches
from .rounds import routes as rounds
from .rulesets.routes import rulesets
from .seats import routes as seats
from .seeks.routes import seeks
from .service.routes import operations
from .standings import routes as standings
from .submissions import routes as submissions
from .tokens import routes as tokens
from .tournament_events import routes as tournament_events
from .tournaments.routes import tournaments
from .turns import routes as turns
from .webhooks.routes import webhooks

SHARED = (
    *(analyses, blocks, combats, events, invitations, presence, records, rematches, seats, submissions, tokens, turns),
    *(entries, rounds, standings, tournament_events),
)
"""What adds its operations to a blueprint of another resource."""
BLUEPRINTS: tuple[Resources, ...] = (
    players,
    me,
    rulesets,
    games,
    challenges,
    seeks,
    tournaments,
    leaderboards,
    webhooks,
    operations,
)
