"""Drakkars: longships sail round the coast, raid towns and each other, and come home with their cargo."""

from holmgang.engine.game import Game
from holmgang.engine.messages import say

GAME = Game(
    "drakkars",
    __name__,
    rules=".rules.rules:Drakkars",
    judge=".bot:DrakkarsJudge",
    face=".terminal.face:DrakkarsFace",
    language=".training:DrakkarsLanguage",
    laws=".laws:DrakkarsLaws",
    place=2,
    blurb=say("Sail round the coast by cards of the gods, raid towns and each other, and bring the cargo home."),
    usual=3,
)
