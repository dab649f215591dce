"""What the laws need to know of Tafl."""

from holmgang.engine.laws import Laws


class TaflLaws(Laws):
    options = (
        {},
        {"board": "brandubh", "repetition": "defenders"},
        {"starts": "defenders", "castle": "crossed", "goal": "corner", "king": "unarmed", "taken_by": "four"},
        {"board": "brandubh", "castle": "closed", "goal": "edge", "free_castle": "harmless", "repetition": "attackers"},
    )
