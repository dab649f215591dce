"""The colours of pictures of boards, for light and dark, and the style sheet that is made of them.

Roles change with the theme. Hues are of things (clans, stones, coins) and stay; what is written on one is black or
white, whichever stands out more, and its outline is the ink of the theme. Every clan has a shape and a number besides.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import cache

THEMES = ("auto", "light", "dark")
"""`auto` follows what the reader's system prefers."""

ROLES: Mapping[str, tuple[str, str]] = {
    "paper": ("#fbf8f1", "#14181d"),
    "panel": ("#f0eadc", "#212830"),
    "ink": ("#1c1a15", "#f0ece3"),
    "muted": ("#574f40", "#b9b2a3"),
    "line": ("#8c8470", "#7d7a70"),
    "sea": ("#d3e5f0", "#1c3648"),
    "deep": ("#b9d6e8", "#142a3c"),
    "foam": ("#f6fbfd", "#4b7288"),
    "land": ("#ead9b2", "#4a3c22"),
    "meadow": ("#dde6c4", "#2f3b26"),
    "furrow": ("#d3c795", "#564a2c"),
    "earth": ("#6b5230", "#b39a6c"),
    "wave": ("#8fb6cf", "#3f6480"),
    "leaf": ("#6f9150", "#6d8c55"),
    "rock": ("#a39782", "#847a68"),
    "alert": ("#8f1638", "#ff9fb2"),
}
"""Light and dark."""

HUES: Mapping[str, str] = {
    "clan0": "#0072b2",
    "clan1": "#e8731a",
    "clan2": "#f0e442",
    "clan3": "#12a57c",
    "clan4": "#d488b4",
    "clan5": "#7cc8f0",
    "grass": "#86a95c",
    "wood": "#7a4a20",
    "clay": "#c0583a",
    "stone": "#9aa3ad",
    "gold": "#f2c230",
    "silver": "#c9ced4",
    "copper": "#a65628",
    "card": "#fffdf7",
    "barrel": "#7a4a20",
}
FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
"""What the reader has: nothing is fetched."""


def luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours (WCAG 2.2), from 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def on(hue: str) -> str:
    """The colour of what is written on a hue."""
    return max("#000000", "#ffffff", key=lambda text: contrast(HUES[hue], text))


def _roles(dark: bool) -> str:
    return "".join(f".f-{name}{{fill:{pair[dark]}}}.s-{name}{{stroke:{pair[dark]}}}" for name, pair in ROLES.items())


@cache
def style(theme: str) -> str:
    """The style sheet of one of the themes."""
    hues = "".join(f".f-{name}{{fill:{hue}}}.o-{name}{{fill:{on(name)}}}" for name, hue in HUES.items())
    base = f"text{{font-family:{FONT};font-variant-numeric:tabular-nums}}.b{{font-weight:700}}.n{{fill:none}}"
    base += ".t{fill:none;stroke:#000;stroke-opacity:.4}"  # grain, joints, cracks: what a thing is made of
    base += "path{stroke-linejoin:round}"
    if theme == "auto":
        return f"{base}{hues}{_roles(False)}@media (prefers-color-scheme:dark){{{_roles(True)}}}"
    return base + hues + _roles(theme == "dark")


@cache
def mark_style() -> str:
    """The style sheet of marks in the clans' colours, which a page draws on a picture: `by0` and so on."""
    return "".join(f".by{name[4:]}{{stroke:{hue}}}" for name, hue in HUES.items() if name.startswith("clan"))


@cache
def style_hash(theme: str) -> str:
    """The style sheet's digest, as a Content-Security-Policy names it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(style(theme).encode()).digest()).decode()
