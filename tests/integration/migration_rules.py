"""The rules for migrations, as a judge of their statements: what may run while the code before is at work.

What is not known to be harmless is a fault. A migration that takes something away must say, by raising
`schema_floor.oldest`, that code which needs it may no longer run; code of the schema version before it still may.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from alembic.migration import MigrationContext
from alembic.operations import Operations

if TYPE_CHECKING:
    from alembic.script import Script

_VOLATILE = re.compile(r"DEFAULT .*(clock_timestamp|random|gen_random_uuid|nextval|timeofday)\(", re.IGNORECASE)
_FLOOR = re.compile(r"UPDATE schema_floor SET oldest\s*=\s*'(\d{4})'")
_HARMLESS = (
    r"COMMENT ON ",
    r"(DELETE FROM|INSERT INTO|UPDATE) alembic_version",
    r"UPDATE schema_floor SET oldest",
    r"CREATE (UNLOGGED )?TABLE ",
    r"CREATE (UNIQUE )?INDEX CONCURRENTLY ",
    r"DROP INDEX CONCURRENTLY IF EXISTS ",
    r"ALTER TABLE \S+ ADD COLUMN ",
    r"ALTER TABLE \S+ ADD CONSTRAINT .* NOT VALID$",
    r"ALTER TABLE \S+ ADD CONSTRAINT \S+ (UNIQUE|PRIMARY KEY) USING INDEX ",
    r"ALTER TABLE \S+ VALIDATE CONSTRAINT ",
    r"ALTER TABLE \S+ DROP CONSTRAINT ",
    r"ALTER TABLE \S+ ALTER COLUMN \S+ SET DEFAULT ",
    r"ALTER TABLE \S+ ALTER COLUMN \S+ DROP NOT NULL$",
    r"ALTER TABLE \S+ SET \((fillfactor|autovacuum_\w+)",
)
_ALONE = re.compile(r"(CREATE (UNIQUE )?|DROP )INDEX CONCURRENTLY ")
_REPEATABLE = re.compile(r"ALTER TABLE \S+ ADD COLUMN IF NOT EXISTS |CREATE TABLE IF NOT EXISTS |COMMENT ON ")
"""What may come before a block without a transaction, which commits it. The block may fail, and then all is run again.
"""
_CONTRACTION = (r"ALTER TABLE \S+ DROP COLUMN ", r"DROP TABLE ", r"ALTER TABLE \S+ ALTER COLUMN \S+ DROP DEFAULT$")
"""Short, and harmless to code that does not use what goes."""


def statements(script: Script) -> list[str]:
    """What a migration runs to upgrade, as alembic would print it."""
    out = io.StringIO()
    context = MigrationContext.configure(dialect_name="postgresql", opts={"as_sql": True, "output_buffer": out})
    with Operations.context(context):
        script.module.upgrade()
    whole = re.sub(r"^(BEGIN|COMMIT);$", "", out.getvalue(), flags=re.MULTILINE)
    return [" ".join(part.split()) for part in whole.split(";\n") if part.strip()]


def faults(statements: Iterable[str], before: str) -> list[str]:
    """What is wrong with a migration that follows the revision `before`: one sentence a statement."""
    found, new = [], set[str]()
    all_of_them = list(statements)
    floors = [match[1] for each in all_of_them if (match := _FLOOR.match(each))]
    for place, each in enumerate(all_of_them):
        created = re.match(r"CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\S+)", each)
        if created:
            new.add(created[1])
        table = re.match(r"(?:ALTER TABLE|INSERT INTO|CREATE (?:UNIQUE )?INDEX \S+ ON) (\S+)", each)
        if table and table[1] in new:
            continue
        if any(re.match(pattern, each) for pattern in _CONTRACTION):
            if not floors:
                found.append(f"takes something away from code that may still run: {each}")
        elif not any(re.match(pattern, each) for pattern in _HARMLESS):
            found.append(f"is not known to be harmless while others are at work: {each}")
        elif "ADD COLUMN" in each and "NOT NULL" in each and "DEFAULT" not in each:
            found.append(f"has the code before fail to insert rows: {each}")
        elif any(map(_ALONE.match, all_of_them[place:])) and not (_ALONE.match(each) or _REPEATABLE.match(each)):
            found.append(f"cannot be run again, though what comes after it may fail: {each}")
        elif "ADD COLUMN" in each and _VOLATILE.search(each):
            found.append(f"writes every row of the table anew, with all others locked out: {each}")
    found += [f"locks out the code that it replaces: oldest = {floor}" for floor in floors if floor > before]
    return found
