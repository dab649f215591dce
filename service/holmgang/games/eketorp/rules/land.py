"""Where it all happens: the island of Öland in its sea, the fields, a ring fort and the engines before it."""

from __future__ import annotations

from holmgang.engine.drawing import WIDTH, Canvas

SHORE = 4.0
"""How far the island is from the picture's sides."""
SWELL = "q3,-3 6,0t6,0 6,0"
SHIP = "q13,8 26,0l2,-5-1,7q-14,9-28,0l-1,-7z"
SAIL = "v-9q7,2 14,0v9q-7,-2-14,0z"


def island(canvas: Canvas, at: int, top: float, coast: float, bottom: float) -> None:
    """The sea from `top` on and the island from `coast` on, behind what was drawn since there were `at` lines."""
    after, canvas.lines = canvas.lines[at:], canvas.lines[:at]
    canvas.rect(0, top, WIDTH, bottom - top, "f-sea")
    for x in (12, 66, 150, 232, 290):
        canvas.draw(x, coast - 7 - x % 4, SWELL, "n", "s-wave", line=1.4)
    canvas.draw(346, coast - 8, SHIP, "f-earth")
    canvas.draw(352, coast - 7, SAIL, "f-card", "s-earth")
    high, across = bottom - coast - 8, WIDTH - 2 * SHORE
    steps = round(high / 60)
    down, along = f"{high / steps / 2:.1f}", f"{across / 16:.1f}"
    north, south = f"q{along},-6 {2 * float(along):g},0t{2 * float(along):g},0", f"t-{2 * float(along):g},0"
    east = f"q4,{float(down) / 2:g} 0,{down}t0,{down}"
    west = f"q-4,-{float(down) / 2:g} 0,-{down}t0,-{down}"
    way = f"{north * 4}{east * steps}q-{along},5-{2 * float(along):g},0{south * 7}{west * steps}z"
    canvas.draw(SHORE, coast, way, "n", "s-wave", line=9)
    canvas.draw(SHORE, coast, way, "f-meadow", "s-land", line=6)
    canvas.lines += after


def field(canvas: Canvas, number: int, x: float, y: float, w: float, h: float) -> None:
    """A field in its fence, with furrows along or across."""
    canvas.draw(x + 1, y + 2, f"l{w - 3:g},-2 2,{h - 1:g}-{w - 1:g},1z", "f-land", "s-earth", line=2, dash="1.2 4")
    if number % 2:
        rows = int((w - 8) / 7)
        canvas.draw(x + 7, y + 4, f"v{h - 8:g}" + f"m7,{8 - h:g}v{h - 8:g}" * rows, "n", "s-furrow")
    else:
        rows = int((h - 8) / 6)
        canvas.draw(x + 5, y + 5, f"h{w - 10:g}" + f"m{10 - w:g},6h{w - 10:g}" * rows, "n", "s-furrow")


def wood(canvas: Canvas, x: float, y: float, w: float, h: float) -> None:
    """Firs round a grave field, where there is no village."""
    for row in range(int(h / 26)):
        for column in range(7):
            away = abs(column - 3) / 4 + abs(2 * (row * 26 + 13) / h - 1)
            if away > 0.75 and (row * 3 + column * 5) % 4:
                canvas.draw(
                    x + 10 + (column + row % 2 / 2) * (w - 24) / 6.5, y + row * 26, FIR, "f-grass", "s-ink", line=0.7
                )
    for n, (right, down) in enumerate(((-26, 6), (-4, -4), (18, 8))):
        canvas.draw(x + w / 2 + right, y + h / 2 + down, RUNE_STONE, "f-stone", "s-ink", line=0.8)
        canvas.draw(x + w / 2 + right + 4, y + h / 2 + down - 3 + n % 2, RUNES, "t")
    for right, down in ((-40, 22), (10, 30), (-12, 24)):
        canvas.draw(x + w / 2 + right, y + h / 2 + down, SHEEP, "f-card", "s-ink", line=0.7)


SIDE, BEFORE = 6.0, 12.0
"""How much higher a ring wall ends at its sides than in its front, and how much of it lies before its stones."""

FIR = "l6,9h-3l5,8h-6.5v3h-3v-3h-6.5l5,-8h-3z"
RUNE_STONE = "c-1,-9 0,-18 7,-20q8,2 8,20z"
RUNES = "v-9l3,3m2,6v-9m0,4l3,-2"
SHEEP = "q-3,-6 3,-7q7,-2 9,1l3,-1 1,3-3,1q0,3-2,3v3h-1.5v-3h-5v3h-1.5v-3q-2,0-3,0z"


def grove(canvas: Canvas, x: float, y: float, w: float) -> None:
    """Firs, sheep and a rune stone, where there is no field."""
    for right, down in ((14, 0), (29, 7), (w - 12, 4)):
        canvas.draw(x + right, y + down + 2, FIR, "f-grass", "s-ink", line=0.7)
    canvas.draw(x + w - 42, y + 26, RUNE_STONE, "f-stone", "s-ink", line=0.8)
    canvas.draw(x + w - 38, y + 23, RUNES, "t")
    for right, down in ((38, 37), (54, 31)):
        canvas.draw(x + right, y + down, SHEEP, "f-card", "s-ink", line=0.7)


def fort(canvas: Canvas, x: float, y: float, w: float, foot: float) -> None:
    """A ring wall of earth and timber with a hall in it; `foot` is where in its front the stones stand."""
    wide, high = f"{w / 2:g}", f"{foot - y - SIDE:g}"
    canvas.draw(
        x,
        foot - SIDE,
        f"a{wide},{high} 0 0 1 {w:g},0a{wide},{SIDE + BEFORE:g} 0 0 1-{w:g},0z",
        "f-earth",
        "s-ink",
        line=0.8,
    )
    within = f"a{w / 2 - 6:g},{foot - y - SIDE - 7:g} 0 0 1 {w - 12:g},0z"
    canvas.draw(x + 6, foot - SIDE, within, "f-land")
    canvas.draw(
        x + 3,
        foot - SIDE,
        f"a{w / 2 - 3:g},{foot - y - SIDE - 3:g} 0 0 1 {w - 6:g},0",
        "n",
        "s-ink",
        line=5,
        dash="0.8 3",
    )
    canvas.draw(x + w / 2 - 27, y + 16, "q5,-14 27,-15q22,1 27,15z", "f-furrow", "s-ink", line=0.8)
    canvas.draw(x + w / 2 - 4, y + 16, "v-8h8v8z", "f-earth")


ENGINES = {
    "catapult": "m2,13h18m-15,0l6,-8 6,8m-14,-4l17,-8m-1,-1q-3,2 0,4 4,0 4,-3m-15,9a2,2 0 1 0 .1,0m11,0a2,2 0 1 0 .1,0",
    "boat": "m0,6q3,8 11,8t11,-8l-3,3h-16zm11,3v-9m-6,1q6,2 12,0v6q-6,-2-12,0z",
    "ram": "m1,6l10,-6 10,6m-18,-1v10m16,-10v10m-19,-5h18m0,-2h3v4h-3zm-11,-4v4m6,-4v4",
}


def engine(canvas: Canvas, name: str, x: float, y: float) -> None:
    """What stands before two walls, 22 units wide and 16 high."""
    canvas.draw(x, y, ENGINES[name], "n", "s-muted", line=1.3)
