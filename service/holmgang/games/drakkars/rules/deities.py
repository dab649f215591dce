"""The deities' cards as they are drawn: value, emblem and name, and what two of them do together (D4.2)."""

from __future__ import annotations

from holmgang.engine.drawing import NORMAL, SMALLEST, Canvas
from holmgang.engine.messages import Said, say

from .coast import FREYA, FREYR, FRIGG, HEIMDALL, IDUNN, NJORD, ODIN, SIF, THOR, TYR

WIDE, HIGH = 49.0, 62.0

NAMES = {
    FREYR: say("Freyr"), IDUNN: say("Idunn"), NJORD: say("Njord"), SIF: say("Sif"), FRIGG: say("Frigg"),
    FREYA: say("Freya"), HEIMDALL: say("Heimdall"), TYR: say("Tyr"), THOR: say("Thor"), ODIN: say("Odin"),
}  # fmt: skip
TOGETHER: dict[int, Said] = {
    FREYR: say("+{card}: pair", card=FREYA), FREYA: say("+{card}: pair", card=FREYR),
    IDUNN: say("+{card}: back", card=HEIMDALL), HEIMDALL: say("+{card}: back", card=IDUNN),
    SIF: say("+{card}: fog", card=THOR), THOR: say("+{card}: fog", card=SIF),
    FRIGG: say("+{card}: swap", card=ODIN), ODIN: say("+{card}: swap", card=FRIGG),
    NJORD: say("and 3 more"), TYR: say("launch"),
}  # fmt: skip
"""What stands at the foot of a card: the card that goes with it, and what they do; Njord and Tyr go with any."""

EMBLEMS = {
    # the sun over the fields
    FREYR: "M10 4.4 C17.4 4.4 17.4 15.6 10 15.6 C2.6 15.6 2.6 4.4 10 4.4 Z M8.8 0.4 L11.2 0.4 L10 3.4 Z"
    " M8.8 19.6 L11.2 19.6 L10 16.6 Z M0.4 8.8 L3.4 10 L0.4 11.2 Z M19.6 8.8 L16.6 10 L19.6 11.2 Z"
    " M2.4 4 L4 2.4 L5.4 5.4 Z M17.6 4 L16 2.4 L14.6 5.4 Z M2.4 16 L4 17.6 L5.4 14.6 Z M17.6 16 L16 17.6 L14.6 14.6 Z",
    # the apple
    IDUNN: "M10 6.4 C13 3.4 18.4 5.4 17.2 11.4 C16.2 16.6 12.6 19.2 10 17.6 C7.4 19.2 3.8 16.6 2.8 11.4 C1.6 5.4 7 3.4"
    " 10 6.4 Z M9.5 5.4 C9.3 3 10.6 1 13.4 0.6 C13.4 3 12 4.8 9.5 5.4 Z",
    # waves
    NJORD: "M0.5 8 C4 2 7 2 10 6 C13 10 16 9.4 19.5 4.4 L19.5 8 C16 13.4 13 13.4 10 9.6 C7 6 4 6 0.5 11.4 Z"
    " M0.5 15 C4 9.4 7 9.4 10 13.2 C13 17 16 16.4 19.5 11.6 L19.5 15 C16 20 13 20.2 10 16.6 C7 13 4 13 0.5 18.4 Z",
    # an ear of corn
    SIF: "M9.4 7 L10.6 7 L10.6 19.6 L9.4 19.6 Z M10 0.4 Q13 3.4 10 6.4 Q7 3.4 10 0.4 Z"
    " M10.8 8 Q11 3.6 15.6 4 Q15.4 8.2 10.8 8 Z M9.2 8 Q9 3.6 4.4 4 Q4.6 8.2 9.2 8 Z"
    " M10.8 12.2 Q11 7.8 15.6 8.2 Q15.4 12.4 10.8 12.2 Z M9.2 12.2 Q9 7.8 4.4 8.2 Q4.6 12.4 9.2 12.2 Z"
    " M10.8 16.4 Q11 12 15.6 12.4 Q15.4 16.6 10.8 16.4 Z M9.2 16.4 Q9 12 4.4 12.4 Q4.6 16.6 9.2 16.4 Z",
    # the key of the house
    FRIGG: "M10 0.6 C15.4 0.6 15.4 8.8 10 8.8 C4.6 8.8 4.6 0.6 10 0.6 Z"
    " M10 2.8 C7.4 2.8 7.4 6.6 10 6.6 C12.6 6.6 12.6 2.8 10 2.8 Z"
    " M9 8.6 L11 8.6 L11 19.4 L9 19.4 Z M11 12 L15 12 L15 14 L11 14 Z M11 16.4 L16 16.4 L16 18.6 L11 18.6 Z",
    # the heart
    FREYA: "M10 18.6 C4 13.8 0.8 10.4 1.4 6.4 C2.2 1.6 8.4 1.2 10 5.6 C11.6 1.2 17.8 1.6"
    " 18.6 6.4 C19.2 10.4 16 13.8 10 18.6 Z",
    # the horn
    HEIMDALL: "M1 3 L5 1 C5.6 8 9.4 12.6 16.6 12 L19.4 10.4 L18.6 15.4 L16.4 14.6 C7 18 1.4 11 1 3 Z"
    " M5.8 13 L7.6 15 L6 19.4 L4.4 18.6 Z",
    # the rune that bears his name
    TYR: "M10 0.4 L18 8.4 L16.2 10.6 L11.4 5.8 L11.4 19.6 L8.6 19.6 L8.6 5.8 L3.8 10.6 L2 8.4 Z",
    # the hammer
    THOR: "M2 2.6 L16 2.6 L18.4 5 L18.4 9.4 L11.8 9.4 L11.8 19.4 L8.2 19.4 L8.2 9.4 L2 9.4 Z",
    # the eye that is left to him
    ODIN: "M0.6 10 C5 3 15 3 19.4 10 C15 17 5 17 0.6 10 Z"
    " M3.4 10 C7.4 14.8 12.6 14.8 16.6 10 C12.6 5.2 7.4 5.2 3.4 10 Z"
    " M10 6.8 C14.2 6.8 14.2 13.2 10 13.2 C5.8 13.2 5.8 6.8 10 6.8 Z",
}
"""Each in a square of 20. What is cut out of an outline runs the other way round."""


def deity(canvas: Canvas, value: int, x: float, y: float) -> None:
    """An open card, with its upper left corner at a point."""
    canvas.rect(x + 0.5, y + 0.5, WIDE - 1, HIGH - 1, "f-card", "s-ink", corner=4, line=1)
    middle = x + WIDE / 2
    canvas.text(x + 5, y + 14, str(value), 13, fill="o-card", bold=True)
    canvas.outline(middle - 10 if value < ODIN else middle - 5, y + 9, EMBLEMS[value], "o-card")
    canvas.text(middle, y + 42, NAMES[value], NORMAL, fill="o-card", at="middle", bold=True, room=WIDE - 5)
    canvas.stroke(x + 6, y + 46, x + WIDE - 6, y + 46, "s-muted", line=0.6)
    canvas.text(middle, y + 56, TOGETHER[value], SMALLEST + 0.5, fill="o-card", at="middle", room=WIDE - 4)
