"""Claim, for 2 to 4 players: pieces hop, catch between two sides, and claim territories. See RULES.md."""

from holmgang.engine.game import Game
from holmgang.engine.messages import say

GAME = Game(
    "claim",
    __name__,
    rules=".rules.rules:ClaimRules",
    judge=".bot:ClaimJudge",
    face=".terminal:ClaimFace",
    language=".training:ClaimLanguage",
    laws=".laws:ClaimLaws",
    place=3,
    blurb=say("Hop, catch between two sides, and raise three castles. No luck but who starts."),
)
