"""Every statement that the store sends to a cluster, found by what its code can reach, and where it is carried out."""

from __future__ import annotations

import inspect
import pkgutil
import re
import sys
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

from holmgang import store as package
from holmgang.store.access import Reading
from holmgang.store.figures import _count
from holmgang.store.rows import Statement
from holmgang.store.sources import APART
from tests.integration.test_queries import MADE

if TYPE_CHECKING:
    import psycopg


def _counts() -> Iterator[Statement]:
    yield _count(APART.games.as_string(), "status")
    yield _count(APART.awaited.as_string(), "played_by")


_MADE = {**MADE, _count: _counts}
_SQL = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b.*\b(FROM|INTO|SET)\b", re.DOTALL)
_TO_FILL_IN = re.compile(r"\{\w+\}")
_PARAMETER = re.compile(r"%\((\w+)\)s|%s")
_UUID = "00000000-0000-0000-0000-00000000000"
_VALUES = {
    "uuid": f"{_UUID}1",
    # several: of one alone Citus would ask one node
    "uuid[]": f"{{{','.join(f'{_UUID}{n}' for n in range(10))}}}",
    "json": "[]",
    "bytea": "\\x01",
    "timestamp with time zone": "2026-01-01",
    "interval": "1 s",
}


class Found(NamedTuple):
    """A statement, named by where it is written."""

    name: str
    text: str


def reached(*roots: type) -> list[Found]:
    """The statements in the methods of these classes, and in what those call."""
    reach = _Reach()
    for root in roots:
        for name in dir(root):
            reach.method(root, name)
    return sorted(reach.found)


class _Reach:
    def __init__(self) -> None:
        self.found: set[Found] = set()
        self._seen: set[FunctionType] = set()

    def method(self, owner: type, name: str) -> None:
        """As it is called on `owner`; what it overrides is reached only by `super`."""
        for base in owner.__mro__:
            found = vars(base).get(name)
            if isinstance(found, Statement):
                self.found.add(Found(f"{owner.__name__}.{name}", found.text))
                return
            function = _function(found)
            if function is not None:
                self.function(function)
                if "super" not in function.__code__.co_names:
                    return

    def function(self, function: FunctionType) -> None:
        if not function.__module__.startswith(f"{package.__name__}.") or function in self._seen:
            return
        self._seen.add(function)
        here = f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}"
        for made, calls in _MADE.items():
            if function is inspect.unwrap(made):
                self.found.update(Found(here, statement.text) for statement in calls())
                return
        for code in _codes(function.__code__):
            for text in code.co_consts:
                if isinstance(text, str) and text != function.__doc__:
                    self.text(here, text)
            for name in code.co_names:
                self.value(name, function.__globals__.get(name))

    def text(self, name: str, text: str) -> None:
        if _SQL.match(text) and not _TO_FILL_IN.search(text):
            self.found.add(Found(name, text))

    def value(self, name: str, value: Any) -> None:
        if isinstance(value, Reading):
            self.found.add(Found(_named(name, value), value.apart.text))
        elif isinstance(value, Statement):
            self.found.add(Found(_named(name, value), value.text))
        elif isinstance(value, str) and _SQL.match(value):
            self.text(_named(name, value), value)
        elif (function := _function(value)) is not None:
            self.function(function)


def _named(name: str, value: object) -> str:
    """With the module that sets it, not one that imports it."""
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        loaded = sys.modules.get(module.name)
        if loaded is None or getattr(loaded, name, None) is not value:
            continue
        if re.search(rf"^(\w+, )*{name}\b[^()]*=", inspect.getsource(loaded), re.MULTILINE):
            return f"{module.name.rpartition('.')[2]}.{name}"
    raise LookupError(name)


def _function(value: Any) -> FunctionType | None:
    value = getattr(value, "fget", None) or getattr(value, "func", None) or value
    value = inspect.unwrap(value) if callable(value) else value
    return value if isinstance(value, FunctionType) else None


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _codes(inner)


def place(connection: psycopg.Connection, text: str) -> str:
    """Where a statement is carried out: on the `coordinator`, at `one shard`, at several `shards`, or `in parts`, where
    the coordinator puts together what several statements have found. Raises psycopg's fault where Citus refuses it."""
    names: list[str] = []

    def number(found: re.Match[str]) -> str:
        name = found[1] or f"at {found.start()}"
        if name not in names:
            names.append(name)
        return f"${names.index(name) + 1}"

    numbered = _PARAMETER.sub(number, text).replace("%%", "%")
    connection.execute(f"PREPARE asked AS {numbered}".encode())
    types = connection.execute(
        "SELECT unnest(parameter_types)::text FROM pg_prepared_statements WHERE name = 'asked'"
    ).fetchall()
    connection.execute("DEALLOCATE asked")
    values = [_value(kind) for (kind,) in types]
    with_values = re.sub(r"\$(\d+)", lambda found: values[int(found[1]) - 1], numbered)
    plan = "\n".join(line for (line,) in connection.execute(f"EXPLAIN (COSTS OFF) {with_values}".encode()))
    if "Citus" not in plan:
        return "coordinator"
    if "Subplan" in plan or "INSERT ... SELECT" in plan:
        return "in parts"
    return "one shard" if set(re.findall(r"Task Count: (\d+)", plan)) == {"1"} else "shards"


def _value(kind: str) -> str:
    value = _VALUES.get(kind, "{}" if kind.endswith("[]") else "1")
    return f"'{value}'::{kind}"
