"""The rules by name and version. A game keeps the version that it was started under."""

from __future__ import annotations

from service.engine.rules import AnyRules

from .claim.rules import ClaimRules
from .drakkars.rules import Drakkars
from .eketorp.rules import Eketorp

_ALL: tuple[AnyRules, ...] = (Eketorp(), Drakkars(), ClaimRules())
"""Every version that can still be played, the latest of each ruleset last."""

_BY_VERSION = {(rules.ruleset, rules.version): rules for rules in _ALL}
_LATEST = {rules.ruleset: rules for rules in _ALL}


class UnknownRuleset(LookupError):
    """There is no such ruleset, or not in that version."""


def find(ruleset: str, version: str) -> AnyRules:
    """The rules of a ruleset in one version."""
    try:
        return _BY_VERSION[ruleset, version]
    except KeyError:
        raise UnknownRuleset(f"no rules for {ruleset} {version}") from None


def latest(ruleset: str) -> AnyRules:
    """The rules that new games are started under."""
    try:
        return _LATEST[ruleset]
    except KeyError:
        raise UnknownRuleset(f"no ruleset {ruleset}") from None


def all_latest() -> tuple[AnyRules, ...]:
    return tuple(_LATEST.values())


def names() -> tuple[str, ...]:
    return tuple(_LATEST)
