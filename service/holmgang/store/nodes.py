"""How a server says that it is away, and a coordinator that one of its nodes is.

Citus gives most faults of a node's connection the code of a lost connection (08006), or the node's own. Those below
come as internal errors (XX000). Citus' messages are not translated; those of libpq it passes on.
"""

from __future__ import annotations

import psycopg
from psycopg import errors as pg

_STARTS = (
    # of a transaction that has written there, while it goes on or when it commits
    "failure on connection marked as essential: ",
    "failed to prepare transaction '",
    "could not commit transaction for shard ",
    # of libpq, whose connection breaks while it waits for an answer
    "server closed the connection unexpectedly",
    "SSL connection has been closed unexpectedly",
    "could not receive data from server: ",
    "could not send data to server: ",
    "no connection to the server",
    "connection not open",
    # of a coordinator that is going down itself
    "postmaster was shut down, exiting",
)


def is_away(fault: psycopg.Error) -> bool:
    """Whether a statement failed because the server, or a node that it needs, is away or at its limits."""
    if isinstance(fault, pg.InternalError_):
        return (fault.diag.message_primary or "").startswith(_STARTS)
    return isinstance(fault, psycopg.OperationalError | psycopg.InterfaceError)
