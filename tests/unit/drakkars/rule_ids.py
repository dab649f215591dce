"""Every rule id of Drakkars."""

from __future__ import annotations

_LISTED = """
D1 D1.1 D1.2 D1.3 D1.4 D1.5 D1.6 D1.7
D2 D2.1 D2.2 D2.3 D2.4
D3 D3.1 D3.2 D3.3 D3.4
D4 D4.1 D4.2 D4.2.1 D4.2.2 D4.2.3 D4.2.4 D4.2.5 D4.2.6 D4.2.7 D4.3 D4.4 D4.5
D5 D5.1 D5.2 D5.3 D5.4 D5.5 D5.6 D5.6.1 D5.6.2 D5.6.3 D5.6.4
D6 D6.1 D6.2
D7 D7.1 D7.2 D7.3
D8 D8.1 D8.2 D8.3 D8.4 D8.5 D8.6
"""
RULE_IDS = tuple(_LISTED.split())
