"""The faults of an action: its shape, its position, or its time."""

from __future__ import annotations

from msgspec import Struct

from .messages import Said


class Fault(Struct, frozen=True):
    """Why an action is not legal: the rule it breaks and a sentence for a person."""

    rule: str
    detail: Said


class MalformedAction(Exception):
    """The value has not the shape of any action of this turn kind.

    `pointer` is a JSON pointer (RFC 6901) into the action.
    """

    def __init__(self, pointer: str, detail: Said) -> None:
        super().__init__(f"{pointer or '/'}: {detail}")
        self.pointer = pointer
        self.detail = detail


class IllegalAction(Exception):
    """The action has the right shape, but the rules do not allow it here."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(f"{fault.rule}: {fault.detail}")
        self.rule = fault.rule
        self.detail = fault.detail


class NotAwaited(Exception):
    """The seat owes no choice now: the game asks others, is over, or has this seat's choice already."""


class InvalidOption(Exception):
    """A game option is wrong. `pointer` is a JSON pointer into the options; `rule` the rule id it breaks."""

    def __init__(self, pointer: str, rule: str, detail: Said) -> None:
        super().__init__(f"{pointer or '/'}: {detail}")
        self.pointer = pointer
        self.rule = rule
        self.detail = detail
