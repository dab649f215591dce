"""What commands that let bots play are given, checked: a game, its seats and options, bots by name, and files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from holmgang import registry
from holmgang.engine.errors import InvalidOption
from holmgang.engine.rules import AnyRules, players

from .simulating import Plan


def rules_of(game: str) -> AnyRules:
    """The rules of the game that was asked for."""
    try:
        return registry.latest(game)
    except registry.UnknownRuleset as fault:
        raise click.UsageError(str(fault)) from None


def plan_of(rules: AnyRules, seats: int, settings: Sequence[str], bots: tuple[str, ...], seed: int) -> Plan:
    """What is played, once the game takes the seats and options."""
    if seats not in rules.seat_counts:
        raise click.UsageError(f"{rules.title} takes {players(rules)}, not {seats}.")
    options = dict(map(_setting, settings))
    try:
        rules.configure(seats, options)
    except InvalidOption as fault:
        raise click.UsageError(f"Option {fault.pointer} (rule {fault.rule}): {fault.detail}") from None
    return Plan(rules.ruleset, seats, options, bots, seed)


def _setting(text: str) -> tuple[str, Any]:
    name, given, value = text.partition("=")
    if not given:
        raise click.UsageError(f"An option is written NAME=VALUE, not '{text}'.")
    try:
        return name, json.loads(value)
    except (ValueError, RecursionError):
        return name, value


def unwritable(file: Path | None, fault: OSError) -> click.ClickException:
    return click.ClickException(f"{file} cannot be written: {fault.strerror}.")


def need_folder(file: Path) -> None:
    if not file.parent.is_dir():
        raise click.UsageError(f"There is no folder {file.parent}.")
