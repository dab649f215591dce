"""Where is found what is due: which seats owe a choice, and how their games stand.

The games say so themselves. Where they are distributed over nodes, the coordinator has an inbox and an agenda, with
columns of the same names: see `agenda`.
"""

from __future__ import annotations

from typing import NamedTuple

from psycopg.sql import SQL, Composable

RUNS = SQL("(g.rated OR g.clock = 'runs')")
"""Whether the clock of game `g` runs though no person is there."""


class Source(NamedTuple):
    awaited: SQL
    """The table of seats that owe a choice."""
    games: SQL
    """The table of how games stand."""
    goes_on: Composable
    """Whether game `g`, in which seat `a` owes a choice, goes on, as `deadlines.goes_on` says."""
    players: SQL
    """The players in the games of `%(games)s`: a query with one column."""


# A game goes on for a person who is there, and to its end if its clock runs or no person can return to it. A game that
# no person ever joined has no row to aggregate: only those of tournaments go on.
BESIDE = Source(
    SQL("awaited"),
    SQL("games"),
    SQL("""
        coalesce(
            (
                SELECT
                    bool_or(p.absent_since IS NULL AND p.resigned_at IS NULL OR {runs})
                    OR bool_and(p.resigned_at IS NOT NULL)
                FROM seats p
                JOIN games g ON g.id = p.game_id
                WHERE p.game_id = a.game_id AND p.bot IS NULL
            ),
            (SELECT g.tournament IS NOT NULL FROM games g WHERE g.id = a.game_id)
        )
    """).format(runs=RUNS),
    SQL("SELECT DISTINCT player_id FROM seats WHERE game_id = ANY(%(games)s)"),
)
APART = Source(
    SQL("inbox"),
    SQL("agenda"),
    SQL("g.goes_on"),
    SQL("SELECT DISTINCT unnest(players) FROM agenda WHERE id = ANY(%(games)s)"),
)
