"""Accounts are deleted: nothing is left of who it was, and what it played stays.

In one transaction the name, former names, tokens, webhooks, blocks and kept answers go; seeks go with their tokens, and
challenges are withdrawn and declined. The player's row stays under another name, since games refer to it: their records
hold as before. What an account was in the middle of may be much: a worker ends it one by one (`worker.departing`). The
account leaves the seats of games that have not started, resigns from those that have, withdraws from tournaments, and
cancels those that it has made and not started, and its ladders. Answers that are kept for keys of others may hold the
name for a day more: to look through all of them would take too long.

Whatever else a player comes to own is deleted by `DeparturesTable.delete_account` if a statement does it, here if it
takes more, and by that worker if there may be much of it.
"""

from __future__ import annotations

from typing import Protocol

from holmgang.app.accounts.names import GONE, composed, folded
from holmgang.app.accounts.players import SHOWN_DAYS, look_of, player
from holmgang.app.accounts.tokens import hold, need, need_free
from holmgang.app.errors import InvalidField
from holmgang.app.meeting import challenges
from holmgang.app.ports import NAMES, DeparturesTable, PlayersTable
from holmgang.app.records.players import Principal
from holmgang.engine.messages import say


class DeletionTables(challenges.ChallengeTables, DeparturesTable, PlayersTable, Protocol): ...


def delete(tables: DeletionTables, principal: Principal, name: str) -> None:
    """Delete the caller's account; `name` is theirs, so that it is no mistake. In a transaction."""
    need(principal, "manage")
    need_free(principal)
    hold(tables, principal)
    mine = player(tables, principal.player)
    if composed(name) != mine.name:
        raise InvalidField("/name", say("This is not your name: to delete your account, write it just as it is."))
    for each in tables.all_names(mine.id):
        tables.release_look(look_of(each), each, folded(each), mine.id, SHOWN_DAYS)
    challenges.leave(tables, mine.id)
    tables.delete_account(mine.id, GONE)
    tables.touch(NAMES)
