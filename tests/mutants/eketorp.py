"""Small changes of Eketorp's source, at least one for each rule, that each break the rule they are named after."""

from __future__ import annotations

from .mutant import Mutant

FOLDER = "service/holmgang/games/eketorp/rules/"


def _in(file: str, *changes: tuple[str, str, str]) -> tuple[Mutant, ...]:
    return tuple(Mutant(rule, FOLDER + file, old, new) for rule, old, new in changes)


MUTANTS: tuple[Mutant, ...] = (
    *_in(
        "board.py",
        ("E1", "CARDS_OF_A_VALUE = 9", "CARDS_OF_A_VALUE = 8"),
        ("E1.1", "STONES = (52, 42, 12, 6)", "STONES = (51, 42, 12, 6)"),
        ("E1.1", "STONES = (52, 42, 12, 6)", "STONES = (52, 42, 12, 7)"),
        ("E1.4", "\nHEIGHT = 3", "\nHEIGHT = 4"),
        ("E1.5", " - g.more_players", ""),
        ("E1.5", "if asked > stones:", "if asked > stones + 1:"),
        ("E1.5", "MOST_KINDS = 2", "MOST_KINDS = 3"),
        ("E1.5", '"A g2, B w2, C g2*, D w2*, E w1, F c1",', '"A g2, B w2, C g2, D w2*, E w1, F c1",'),
        ("E2.1", "VIKINGS = {3: 8, 4: 6, 5: 6, 6: 5}", "VIKINGS = {3: 8, 4: 6, 5: 5, 6: 5}"),
        ("E2.2", "AMULETS = 5", "AMULETS = 4"),
        ("E2.3", "LOW = 3", "LOW = 2"),
        ("E3", "ROUNDS = 10", "ROUNDS = 9"),
    ),
    *_in(
        "model.py",
        ("E1.3", '"E", "F", "G"]', '"E", "F", "G", "H"]'),
        ("E1.4", "wall: Annotated[int, Meta(ge=1, le=6)]", "wall: Annotated[int, Meta(ge=1, le=7)]"),
    ),
    *_in(
        "rounds.py",
        ("E1.2", "deck=(CARDS_OF_A_VALUE,) * 6,", "deck=(CARDS_OF_A_VALUE,) * 5 + (8,),"),
        ("E2", "        turn=0,", "        turn=1,"),
        (
            "E2.3",
            "    elif seat + 1 < d.players:\n        d.drawer = seat + 1",
            "    elif seat:\n        d.drawer = seat - 1",
        ),
        ("E2.4", "if n not in d.shown]", "if n not in d.shown[-1:]]"),
        ("E2.5", "if d.first_option == NOBODY:", "if d.first_option < d.players:"),
        ("E3.1", "put_out = min(group.number, supply[group.kind])", "put_out = group.number"),
        ("E3.1", "stones[group.field][group.kind] += put_out", "stones[group.field] = [put_out, 0, 0, 0]"),
        (
            "E3.2",
            "asked = tuple(s for s in range(d.players) if d.home[s] and",
            "asked = tuple(s for s in range(d.players) if",
        ),
        ("E3.3", "vikings[FIELDS.index(name)][seat] = count", "vikings[FIELDS.index(name)][seat] = 1"),
        ("E4", '    d.chooser = d.first\n    d.phase = "choose"', '    d.taker = d.first\n    d.phase = "spoil"'),
        ("E4.3", "d.settled = d.standing = 0", "d.settled = 0"),
        ("E6", "start_round(w, d.round + 1)", "start_round(w, d.round + 2)"),
        ("E6.1", "sum(map(len, walls)) == WALL_STONES", "sum(map(len, walls)) >= WALL_STONES - 1"),
        ("E6.1", "if complete or d.round == ROUNDS:", "if complete or d.round == ROUNDS + 1:"),
        ("E6.2", "d.hospital = ((0,) * d.players, worst, middle)", "d.hospital = ((0,) * d.players, middle, worst)"),
        ("E6.3", "tuple((0, 0, f[2], f[3]) for f in d.stones)", "tuple((0, 0, 0, f[3]) for f in d.stones)"),
        ("E6.4", "d.first = (d.first + 1) % d.players", "d.first = (d.first - 1) % d.players"),
    ),
    *_in(
        "moves.py",
        ("E3.2", "if sent > self._home:", "if sent > self._home + 1:"),
        ("E3.2", "if name not in self._targets:", "if int(name[0]) >= self._players:"),
        ("E5.3", "if len(action.stones) != self._must:", "if len(action.stones) > self._must:"),
        ("E5.3", "if not free[laid.wall - 1]:", "if free[laid.wall - 1] < 0:"),
    ),
    *_in(
        "combat.py",
        ("E1.4", "taken = {str(2 * engine + 1 + n)", "taken = {str(engine + 1 + n)"),
        ("E4.1", "total > sum(state.stones[field])", "total >= sum(state.stones[field])"),
        ("E4.1", "if total > 1 and max(vikings) < total and", "if total > 1 and"),
        ("E4.2", "seat = (seat + 1) % d.players\n    d.chooser", "seat = (seat - 1) % d.players\n    d.chooser"),
        ("E4.2", "d.chooser = (d.chooser + 1) % d.players", "d.chooser = d.chooser"),
        ("E4.3", "d.amulets = add(d.amulets, seat, -len(hand))", "d.amulets = add(d.amulets, seat, -1)"),
        ("E4.3", "if d.amulets[seat] < len(d.hands[seat])", "if d.amulets[seat] <= len(d.hands[seat])"),
        ("E4.3", "started=how,\n        asking=seat,", "started=how,\n        asking=defender,"),
        ("E4.6", "pile = (*d.piles[seat], got)", "pile = (*d.piles[seat], own)"),
        ("E4.6", "        if not hand:", "        if len(hand) < 2:\n            pile = (*hand, *pile)"),
        ("E4.7", "d.home = add(d.home, seat, -1)", "d.home = add(d.home, seat, -2)"),
        ("E4.7.1", "d.settled |= 1 << fight.space - FIELD_COUNT", "d.settled |= 0"),
        ("E4.7.3", "undefended=opponent == BESIEGE and d.home[defender] == 0", "undefended=opponent == BESIEGE"),
        ("E4.7.5", "        if total > worth:", "        if total >= worth:"),
        ("E4.7.5", "    taken[kept] -= 1", "    taken[kept] -= 0"),
        ("E4.7.5", "total += wall[-n] + 1", "total += wall[n - 1] + 1"),
        ("E4.8", "d.sieges[siege] & ~(1 << seat)", "d.sieges[siege] & ~(1 << fight.attacker)"),
        ("E5", 'd.phase, d.field, d.taker = "spoil", 0, d.first', 'd.phase, d.field, d.taker = "spoil", 7, d.first'),
        ("C1", "d.chooser = (d.chooser + 1) % d.players", "d.chooser = min(d.chooser + 1, d.players - 1)"),
        ("C3", "if len(d.hands[s]) > 1 and", "if len(set(d.hands[s])) > 1 and"),
        ("C3", "if len(options) == 1:", "if not options:"),
    ),
    *_in(
        "work.py",
        (
            "E4.4",
            "fight.attacker if mine > theirs else fight.defender",
            "fight.attacker if mine < theirs else fight.defender",
        ),
        ("E4.5", "station = 0 if fight.difference >= 3 else 1", "station = 0 if fight.difference > 3 else 1"),
        (
            "E4.5",
            "return ((fight.attacker, 2), (fight.defender, 2))",
            "return ((fight.attacker, 1), (fight.defender, 2))",
        ),
        ("E4.7.2", "station + fight.siege", "station"),
        ("E4.7.2", "station + fight.siege", "station + (fight.space >= 7)"),
        ("E4.7.3", "0 if fight.undefended else fight.cards[1]", "fight.cards[1]"),
        ("E4.7.4", "return ((fight.attacker, 2), (fight.defender, 2))", "return ((fight.attacker, 2),)"),
    ),
    *_in(
        "building.py",
        ("E5.1", "d.taker = (seat + 1) % d.players", "d.taker = seat"),
        ("E5.1", "while left and sum(taken) < sum(vikings):", "while left:\n        vikings = (left,) * d.players"),
        ("E5.2", "home[seat] += bits >> seat & 1", "home[seat] += 0"),
        ("E5.4", "return total >= free or sum(", "return sum("),
        ("C6", "for kind in reversed(range(len(KINDS))):", "for kind in range(len(KINDS)):"),
    ),
    *_in(
        "scoring.py",
        ("E7", "COMPLETE_BONUS = 5", "COMPLETE_BONUS = 4"),
        (
            "E7",
            "complete = len(built) + sum(aside) >= WALL_STONES",
            "complete = len(built) + sum(aside) >= WALL_STONES - 1",
        ),
        ("E7", "+ sum((kind + 1) * n for kind, n in enumerate(aside))", ""),
        (
            "C5",
            "scores[team[0]]))",
            "scores[team[0]], team))",
        ),
        ("C6", "lambda team: (not state.resigned >> team[0] & 1,", "lambda team: (True,"),
    ),
    *_in(
        "rules.py",
        ("C2", "            if not d.awaited:\n                d.phase = after", "            d.phase = after"),
        (
            "C6",
            "        d.resigned |= 1 << seat",
            "        d.resigned |= 1 << seat\n        d.sealed = put(d.sealed, seat, None)",
        ),
        ("C7", "if d.players - d.resigned.bit_count() == 1:", "if d.players - d.resigned.bit_count() == 0:"),
        ("C7", "if d.players - d.resigned.bit_count() == 1:", "if d.players - d.resigned.bit_count() <= 2:"),
    ),
    Mutant("C2", "service/holmgang/engine/work.py", "d.turn += 1", "d.turn += 2"),
    Mutant("C4", "service/holmgang/engine/tuples.py", "while value >= counts[at]:", "while value > counts[at]:"),
    Mutant("C1", "service/holmgang/engine/options.py", "not 0 <= first < seats", "not 0 <= first <= seats"),
)
