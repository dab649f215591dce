"""Toy, for 2 or 3 players: cards played in secret, and points for the best. See RULES.md."""

from holmgang.engine.game import Game

GAME = Game(
    "toy",
    __name__,
    rules=".rules.toy:Toy",
    judge=".bot:ToyJudge",
    face=".terminal:ToyFace",
    language=".training:ToyLanguage",
    laws=".laws:ToyLaws",
)
