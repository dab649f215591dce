"""Every rule id of Eketorp."""

from __future__ import annotations

_LISTED = """
E1 E1.1 E1.2 E1.3 E1.4 E1.5
E2 E2.1 E2.2 E2.3 E2.4 E2.5
E3 E3.1 E3.2 E3.3
E4 E4.1 E4.2 E4.3 E4.4 E4.5 E4.6 E4.7 E4.7.1 E4.7.2 E4.7.3 E4.7.4 E4.7.5 E4.8
E5 E5.1 E5.2 E5.3 E5.4
E6 E6.1 E6.2 E6.3 E6.4
E7
C1 C2 C3 C4 C5 C6 C7
"""
RULE_IDS = tuple(_LISTED.split())
