"""Tournaments that were paired by bbpPairings, which FIDE endorses, and the Berger tables of the FIDE Handbook."""

from __future__ import annotations

import re

from holmgang.tournaments.meetings import Meeting

WORTH = {"1": 1.0, "=": 0.5, "0": 0.0, "+": 1.0, "-": 0.0, "U": 1.0, "Z": 0.0}

ELEVEN = """
 1   6 b 1   4 w 1   3 b =   8 w 1   2 b =
 2   7 w =   5 b 1   4 w =   6 b 1   1 w =
 3   8 b 1  11 w 1   1 w =   5 b 1   4 w =
 4   9 w 1   1 b 0   2 b =  11 w 1   3 b =
 5  10 b 1   2 w 0  11 b 1   3 w 0   8 b =
 6   1 w 0   7 b 1  10 w 1   2 w 0   0 - U
 7   2 b =   6 w 0   8 b 0   0 - U  10 w =
 8   3 w 0   9 b 1   7 w 1   1 b 0   5 w =
 9   4 b 0   8 w 0   0 - U  10 b =  11 w =
10   5 w 0   0 - U   6 b 0   9 w =   7 b =
11   0 - U   3 b 0   5 w 0   4 b 0   9 b =
"""
"""11 players, five rounds, a bye in each."""

TWENTY = """
 1  11 w 1   6 b 1   3 w 0   2 b 1   7 b 1   5 w 1   4 w =
 2  12 b 1   7 w 0  10 b 1   1 w 0  14 b -   6 b 1   9 w 1
 3  13 w 1   8 b 1   1 b 1   7 w =   5 b +   4 b =  15 w -
 4  14 b =  20 w 1   5 b 0   9 w 1  15 b 1   3 w =   1 b =
 5  15 w 1   9 b =   4 w 1   6 b 1   3 w -   1 b 0  14 w 1
 6  16 b 1   1 w 0  11 b 1   5 w 0  12 b =   2 w 0  10 b 1
 7  17 w 1   2 b 1   9 w 1   3 b =   1 w 0  14 b =   8 w -
 8  18 b 1   3 w 0  14 b =  15 w 0  20 b 1  10 w 1   7 b +
 9  19 w 1   5 w =   7 b 0   4 b 0  18 w =  13 b +   2 b 0
10  20 b =  14 w =   2 w 0  13 b 1  17 w 1   8 b 0   6 w 0
11   1 b 0  16 w 1   6 w 0  18 b =  13 w 0  17 b 1  12 b 1
12   2 w 0  17 b 0  16 w 1  19 b 1   6 w =  15 b 0  11 w 0
13   3 b 0  18 w =  19 b =  10 w 0  11 b 1   9 w -  16 w 0
14   4 w =  10 b =   8 w =  17 b =   2 w +   7 w =   5 b 0
15   5 b 0  19 w =  20 b 1   8 b 1   4 w 0  12 w 1   3 b +
16   6 w 0  11 b 0  12 b 0  20 w 0  19 w =  18 b 1  13 b 1
17   7 b 0  12 w 1  18 b =  14 w =  10 b 0  11 w 0  19 w 1
18   8 w 0  13 b =  17 w =  11 w =   9 b =  16 w 0  20 b =
19   9 b 0  15 b =  13 w =  12 w 0  16 b =  20 w =  17 b 0
20  10 w =   4 b 0  15 w 0  16 b 1   8 w 0  19 b =  18 w =
"""
"""20 players, seven rounds, with players who did not turn up (+ and -)."""

THREE_ROUNDS = """
 1   4 w 1   2 b 1
 2   5 b 1   1 w 0
 3   6 w 1   4 b 1
 4   1 b 0   3 w 0
 5   2 w 0   6 b 1
 6   3 b 0   5 w 0
"""
"""Six players, of whom the fourth is not there in the third round: 1-5, 3-2, and 6 has a bye."""

BERGER = {
    4: "1-4 2-3, 4-3 1-2, 2-4 3-1",
    6: "1-6 2-5 3-4, 6-4 5-3 1-2, 2-6 3-1 4-5, 6-5 1-4 2-3, 3-6 4-2 5-1",
    8: "1-8 2-7 3-6 4-5, 8-5 6-4 7-3 1-2, 2-8 3-1 4-7 5-6, 8-6 7-5 1-4 2-3, 3-8 4-2 5-1 6-7, 8-7 1-6 2-5 3-4,"
    " 4-8 5-3 6-2 7-1",
}
"""Annex 1 of C.05, by rounds, the first of a pair with White."""


def meetings(text: str) -> list[Meeting]:
    """The meetings of a table of results: for each player and round the opponent, the colour and the result."""
    results: dict[tuple[int, int], tuple[int, str, str]] = {}
    for line in text.strip().splitlines():
        player, *rest = re.findall(r"\S+", line)
        for number in range(len(rest) // 3):
            opponent, colour, result = rest[3 * number : 3 * number + 3]
            results[int(player), number + 1] = int(opponent), colour, result
    found = []
    for (player, number), (opponent, colour, result) in results.items():
        if not opponent:
            found.append(Meeting(number, (str(player),), (WORTH[result],)))
        elif colour == "w":
            theirs = results[opponent, number][2]
            absent = tuple(str(each) for each, said in ((player, result), (opponent, theirs)) if said == "-")
            found.append(Meeting(number, (str(player), str(opponent)), (WORTH[result], WORTH[theirs]), absent))
    return found
