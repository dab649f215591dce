"""Tafl, for 2 players: a king breaks out of a ring twice as strong. See RULES.md."""

from holmgang.engine.game import Game
from holmgang.engine.messages import say

ABOUT = say("A king and a few men break out of a ring that is twice as strong.")
GAME = Game("tafl", __name__, rules=".rules.rules:Tafl", judge=".bot:TaflJudge", laws=".laws:TaflLaws", blurb=ABOUT)
