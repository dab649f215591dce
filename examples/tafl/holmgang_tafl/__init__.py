"""Tafl, for 2 players: a king breaks out of a ring twice as strong. See RULES.md."""

from service.engine.game import Game

GAME = Game("tafl", __name__, rules=".rules.rules:Tafl", judge=".bot:TaflJudge", laws=".laws:TaflLaws")
