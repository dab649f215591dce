"""What the laws need to know of Toy."""

from __future__ import annotations

from service.engine.laws import Laws


class ToyLaws(Laws):
    options = ({}, {"cards": 1})
    reveals = frozenset({"Revealed"})
