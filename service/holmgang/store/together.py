"""What one transaction writes on the coordinator of a cluster and at a node: both or neither.

Citus has a single node commit first, and then the coordinator: who is killed in between, or fails to commit, leaves the
node's part without the other. It commits in two phases once a table of the coordinator is written that is its own.
"""

from __future__ import annotations

from .rows import Rows, Statement

TABLE = "CREATE TABLE IF NOT EXISTS together (one int)"
"""Without a row, ever."""
PLACE = "SELECT citus_add_local_table_to_metadata('together')"
_BOTH = Statement("DELETE FROM together")


class Together(Rows):
    def together(self) -> None:
        """To be called in a transaction that writes rows of the coordinator beside those of a game."""
        self.execute(_BOTH)
