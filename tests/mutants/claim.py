"""Small changes of Claim's source, at least one for each rule, that each break the rule they are named after."""

from __future__ import annotations

from .mutant import Mutant

FOLDER = "service/holmgang/games/claim/rules/"


def _in(file: str, *changes: tuple[str, str, str]) -> tuple[Mutant, ...]:
    return tuple(Mutant(rule, FOLDER + file, old, new) for rule, old, new in changes)


MUTANTS: tuple[Mutant, ...] = (
    *_in(
        "battle.py",
        (
            "K3",
            'd.chaser, d.active, d.phase = NOWHERE, (d.active + 1) % d.players, "begin"',
            'd.chaser, d.phase = NOWHERE, "begin"',
        ),
        ("K3.2", "w.effects.append(TurnSkipped(seat=seat))", "w.effects.append(ChaseEnded(seat=seat))"),
        ("K4", "for caught in catches:", "for caught in catches[:1]:"),
        ("K4.3", "if not further_catches(w.land, d, d.active, d.chaser):", "if True:"),
        (
            "K4.4",
            "            give_back(w, territory)\n            due.append(territory)",
            "            give_back(w, territory)",
        ),
        (
            "K4.4",
            "d.caught = put(d.caught, victim, d.caught[victim] + 1)",
            "d.removed = put(d.removed, victim, d.removed[victim] + 1)",
        ),
        ("K6.3", "MOST_TURNS = 200", "MOST_TURNS = 199"),
        ("K6.3", "MOST_REPEATS = 4", "MOST_REPEATS = 3"),
    ),
    *_in(
        "claims.py",
        (
            "K2.3",
            'if d.active != d.first:\n        d.phase = "stake_first"\n        return',
            "if d.active != d.first:\n        d.active = d.first",
        ),
        ("K2.4", 'if d.battle_starts == "second":', 'if d.battle_starts == "third":'),
        (
            "K4.2",
            '    judge_castles(w)\n    if d.phase != "over":',
            "    for stake in stakes:\n        point = w.land.numbers[stake.point]\n        for victim, there, _, _ in __import__('holmgang.games.claim.rules.moving', fromlist=['Nets']).Nets(w.land, d, d.active).catches(point, point):\n            d.pieces = put(d.pieces, victim, d.pieces[victim] & ~(1 << there))\n            d.caught = put(d.caught, victim, d.caught[victim] + 1)\n    judge_castles(w)\n    if d.phase != \"over\":",
        ),
        ("K5", "foes |= board.pieces[foe]", "foes |= 0"),
        ("K5", "board.castles[territory] in partners", "board.castles[territory] == seat"),
    ),
    *_in(
        "ending.py",
        (
            "K6",
            'd.phase, d.reason, d.awaited, d.due, d.chaser = "over"',
            'd.phase, d.reason, d.awaited, d.due, d.chaser = "march"',
        ),
        ("K6.1", "wanted = CASTLES if len(mine) == 1 else TEAM_CASTLES", "wanted = CASTLES"),
        ("K6.2", "if len(left) != 1 or", "if len(left) > 2 or"),
        ("K6.3", "            sum(board.castles.count(s) for s in team),\n", ""),
    ),
    *_in(
        "island.py",
        ("K1", "numbers.get((x - 1, y), NOWHERE)", "numbers.get((x - 1, y - 1), NOWHERE)"),
        ("K1.1", "PARTS = {2: (2, 1), 3: (3, 1), 4: (4, 1)}", "PARTS = {2: (2, 1), 3: (2, 1), 4: (4, 1)}"),
        ("K1.1", "if _reach(points) != points:", "if False:"),
        ("K1.1", "if _reach(sea) != sea:", "if False:"),
        (
            "K1.2",
            '2: (Part("double", 0, 0, 0), Part("double", 0, 4, 0)',
            '2: (Part("double", 0, 1, 0), Part("double", 0, 5, 0)',
        ),
        ("K1.3", "if mine & points:", "if False:"),
        ("K1.3", ">= len(COLUMNS):", "> len(COLUMNS):"),
        ("K1.3", "part._replace(x=part.x - left", "part._replace(x=part.x"),
        ("K1.4", "PIECES = 18", "PIECES = 17"),
    ),
    *_in(
        "moving.py",
        ("K3.1", "or taken >> behind & 1 or behind in landed", "or behind in landed"),
        ("K3.1", "if len(set(path)) < len(path):", "if False:"),
        ("K4.1", "if behind == NOWHERE or (self.closers", "if (self.closers"),
        ("K4.1", "gone = ~(1 << start)", "gone = -1"),
    ),
    *_in(
        "setup.py",
        ("K2", 'd.phase, d.active = "cull", d.first', 'd.phase, d.active = "stake_first", d.first'),
        ("K2.1", '    d.active = (seat + 1) % d.players\n    d.phase = "lay"', '    d.phase = "lay"'),
        ("K2.2", "most = 2 if board.players == 3 else REMOVED", "most = REMOVED"),
        ("K2.2", "min(most, REMOVED - board.removed[foe])", "most"),
    ),
    Mutant(
        "K1.4",
        "service/holmgang/engine/teams.py",
        "((0, 2), (1, 3)) if players == 4",
        "((0, 1), (2, 3)) if players == 4",
    ),
)
