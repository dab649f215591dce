"""Eketorp, for 3 to 6 players: secret placement, battle cards that are swapped, sieges, walls. See RULES.md."""

from holmgang.engine.game import Game
from holmgang.engine.messages import say

GAME = Game(
    "eketorp",
    __name__,
    rules=".rules.rules:Eketorp",
    judge=".bot.scout:EketorpScout",
    face=".terminal:EketorpFace",
    language=".training:EketorpLanguage",
    laws=".laws:EketorpLaws",
    place=1,
    blurb=say("Send your Vikings out in secret, fight with cards that change hands, and build the dearest ring wall."),
    usual=4,
)
