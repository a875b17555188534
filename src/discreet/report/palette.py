"""Colors of pictures, each with a light and a dark form, and the style that lets a picture follow its reader.

A picture is drawn in the light colors. `styled` turns each of them into a variable of CSS with that color as its
fallback, and adds a style sheet that gives the variables their dark values on a dark screen: a page that is printed
stays light. Blue against vermilion, and steps that differ in lightness, can be told apart by everybody (Okabe and Ito,
"Color Universal Design", 2008), also in gray.
"""

from __future__ import annotations

import re

INK = "#1f2a44"
PAPER = "#fefefe"
LINE = "#c9d1de"
ACCENT = "#2f6f8f"
SECOND = "#c2570c"
SOFT = "#a8c5d1"
# From little to much, and from less over unchanged to more; dark text is legible on all but the last two, and the ends.
RAMP = ("#eef4f8", "#cfe1ec", "#a3c7dc", "#78b0cf", "#2c6f97", "#174a69")
DIVERGING = ("#a04205", "#e39a60", "#f7d9bf", "#f3f5f7", "#c3dded", "#6fabcd", "#1f628b")
# Lines and marks of several kinds: far apart in lightness or in blue, which everybody sees; marks by their shapes too.
SERIES = (ACCENT, SECOND, "#222299", "#779999", "#660044", "#5588ff", "#991100")

DARK = {
    INK: "#e4e9f2",
    PAPER: "#1d2536",
    LINE: "#4a5672",
    ACCENT: "#7fbdd6",
    SECOND: "#f4a261",
    SOFT: "#46687b",
    **dict(zip(RAMP, ("#232e42", "#28405a", "#2c5470", "#2f6480", "#7fb6d2", "#c9e4f2"))),
    **dict(zip(DIVERGING, ("#ffb77a", "#85501f", "#5c3d22", "#2a3346", "#27485d", "#2e647f", "#a5d4ee"))),
    **dict(zip(SERIES[2:], ("#5588ff", "#ffee33", "#aa5588", "#88ffee", "#cc6600"))),
}
"""Every color of ours and what it is on a dark screen. A picture names colors by their places here: add at the end."""

ON_RAMP = (INK, INK, INK, INK, PAPER, PAPER)
ON_DIVERGING = (PAPER, INK, INK, INK, INK, INK, PAPER)

_NAMES = {color: f"--dp-{place}" for place, color in enumerate(DARK)}
_BLACK = "#000000"  # what matplotlib draws in where nothing else is said; black fills it leaves to the reader
_HEX = re.compile(r"#[0-9a-f]{6}\b")
_TAG = re.compile(r"<[a-zA-Z][^>]*>")
_FAMILY = 'system-ui, "Segoe UI", "DejaVu Sans", sans-serif'


def styled(text: str) -> tuple[str, str]:
    """The elements of an SVG with our colors as variables, and the style sheet that gives them their values."""
    used: set[str] = {INK, PAPER}

    def variable(found: re.Match[str]) -> str:
        color = INK if found[0] == _BLACK else found[0]
        if color not in _NAMES:
            return color
        used.add(color)
        return f"var({_NAMES[color]}, {color})"

    text = _TAG.sub(lambda tag: _HEX.sub(variable, tag[0]), text)
    light = "".join(f"{_NAMES[color]}:{color};" for color in DARK if color in used)
    dark = "".join(f"{_NAMES[color]}:{other};" for color, other in DARK.items() if color in used)
    ground = f"background:var({_NAMES[PAPER]},{PAPER});fill:var({_NAMES[INK]},{INK});"
    whole = f"{light}{ground}font-family:{_FAMILY};height:auto"
    sheet = (
        f".discreet-picture{{{whole}}}"
        ".discreet-picture *{stroke-linejoin:round;stroke-linecap:butt}"
        f"@media screen and (prefers-color-scheme:dark){{.discreet-picture{{{dark}}}}}"
    )
    return text, sheet
