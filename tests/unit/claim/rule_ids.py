"""Every rule id of Claim."""

from __future__ import annotations

_LISTED = """
K1 K1.1 K1.2 K1.3 K1.4
K2 K2.1 K2.2 K2.3 K2.4
K3 K3.1 K3.2
K4 K4.1 K4.2 K4.3 K4.4
K5
K6 K6.1 K6.2 K6.3
"""
RULE_IDS = tuple(_LISTED.split())
