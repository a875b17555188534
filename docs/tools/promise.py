"""The picture of the first page: what microaggregation does, and what it costs beside what it must cost.

`python docs/tools/promise.py` draws it anew, wide and narrow. Its figures are read from docs/benchmarks/peers.md, and a
test draws it again and compares: the picture cannot say what the benchmarks do not.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

DOCS = Path(__file__).resolve().parents[1]
STYLE = """
    text { fill: #2b2f36; font-family: system-ui, sans-serif; font-size: 13px }
    .b { font-weight: 600; font-size: 15px } .s { fill: #5b6472 } .v { font-size: 12px }
    .axis { stroke: #8a94a3; fill: none } .tie { stroke: #b9c3d0; stroke-width: 1.4 }
    .old { fill: #5f7288 } .new { fill: #b3541e }
    .floor { fill: #51657d; fill-opacity: .16 } .edge { stroke: #51657d; stroke-width: 1.5; fill: none }
    .peer { stroke: #5f7288; stroke-width: 2; stroke-dasharray: 6 4; fill: none } .box { fill: #fff; stroke: #5f7288 }
    .ours { stroke: #b3541e; stroke-width: 2.6; fill: none } .u { fill: #b3541e } .p { fill: #51657d }
    @media (prefers-color-scheme: dark) {
      text { fill: #e4e7eb } .s { fill: #a9b2bf } .axis { stroke: #77808d } .tie { stroke: #566070 }
      .old { fill: #9fb2c8 } .new, .u { fill: #f0945c } .ours { stroke: #f0945c }
      .floor { fill: #9fb2c8; fill-opacity: .2 } .edge { stroke: #9fb2c8 }
      .peer { stroke: #9fb2c8 } .box { fill: #1e2129; stroke: #9fb2c8 } .p { fill: #b7c5d6 }
    }
"""
WORDS = (
    "Left: 27 records, each joined to the mean of its group of three or more, which is published in its place. "
    "Right: information loss of the Census file for k = 3, 5 and 10. sdcMicro's MDAV loses {peer}; discreet {ours}, "
    "which is at or just above the proven floor of {floor} that no method can get below."
)


def figures() -> dict[int, tuple[float, float, float]]:
    """Per k the loss of Census by sdcMicro and by discreet, and the bound, as the benchmarks' page has them."""
    page = (DOCS / "benchmarks" / "peers.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| Census \| (\d+) \| ([\d.]+) \| [\d.]+ \| [\d.]+ \| ([\d.]+) \| ([\d.]+) \|$", page, re.M)
    return {int(k): (float(peer), float(ours), float(floor)) for k, peer, ours, floor in rows}


def groups(x0: float, y0: float) -> list[str]:
    """27 records and the means of their groups of three, as shapes in a square of 250."""
    from discreet.microaggregation import solve

    draw = np.random.default_rng(12)
    centers = np.repeat([[60.0, 62.0], [190.0, 86.0], [112.0, 196.0]], 9, axis=0)
    points = np.clip(centers + draw.normal(scale=34.0, size=(27, 2)), 6, 244)
    labels = solve(points, 3, method="mdav").labels
    means = np.array([points[labels == label].mean(axis=0) for label in labels])
    points, means = points + np.array([x0, y0]), means + np.array([x0, y0])
    ties = [
        f'<line class="tie" x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}"/>'
        for (a, b), (c, d) in zip(points, means)
    ]
    dots = [f'<circle class="old" cx="{a:.1f}" cy="{b:.1f}" r="3.6"/>' for a, b in points]
    unique = np.unique(means.round(1), axis=0)
    marks = [f'<rect class="new" x="{a - 5:.1f}" y="{b - 5:.1f}" width="10" height="10"/>' for a, b in unique]
    return [*ties, *dots, *marks]


def losses(x0: float, y0: float, width: float) -> list[str]:
    """Loss over k: the peer's, ours and the floor, in a box of `width` by 220."""
    found, height, most = figures(), 220.0, 15.0

    def at(k: int, loss: float) -> tuple[float, float]:
        return x0 + (k - 2.4) / 8.2 * width, y0 + height * (1 - loss / most)

    def line(place: int) -> str:
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(k, row[place]) for k, row in found.items()))

    (left, _), (right, _) = at(min(found), 0), at(max(found), 0)
    bottom = y0 + height
    out = [f'<polyline class="axis" points="{x0},{y0} {x0},{bottom} {x0 + width},{bottom}"/>']
    out += [f'<polygon class="floor" points="{left:.1f},{bottom} {line(2)} {right:.1f},{bottom}"/>']
    out += [f'<polyline class="edge" points="{line(2)}"/>', f'<polyline class="peer" points="{line(0)}"/>']
    out += [f'<polyline class="ours" points="{line(1)}"/>']
    for k, (peer, ours, _) in found.items():
        (x, y), (_, z) = at(k, peer), at(k, ours)
        out += [f'<rect class="box" x="{x - 5:.1f}" y="{y - 5:.1f}" width="10" height="10"/>']
        out += [f'<circle class="u" cx="{x:.1f}" cy="{z:.1f}" r="5.5"/>']
        out += [f'<text class="v" x="{x:.1f}" y="{y - 11:.1f}" text-anchor="middle">{peer:.2f}</text>']
        out += [f'<text class="v u" x="{x + 4:.1f}" y="{z + 20:.1f}" text-anchor="middle">{ours:.2f}</text>']
        out += [f'<text class="s" x="{x:.1f}" y="{bottom + 18:.1f}" text-anchor="middle">k = {k}</text>']
    middle, low = at(7, 0)
    out += [f'<text class="p" x="{middle:.1f}" y="{low - 44:.1f}" text-anchor="middle">no method can get here:</text>']
    out += [f'<text class="p" x="{middle:.1f}" y="{low - 27:.1f}" text-anchor="middle">proven, and checked</text>']
    x, y = at(7, 12.6)
    out += [f'<text class="s" x="{x - 8:.1f}" y="{y:.1f}" text-anchor="end">sdcMicro, MDAV</text>']
    # Along its line, between the last two k.
    (a, b), (c, d) = (at(k, found[k][1]) for k in sorted(found)[-2:])
    x, y, angle = (a + 2 * c) / 3, (b + 2 * d) / 3 - 8, np.degrees(np.arctan2(d - b, c - a))
    turned = f'transform="translate({x:.1f} {y:.1f}) rotate({angle:.1f})"'
    return [*out, f'<text class="u" {turned} text-anchor="middle">discreet</text>']


def drawing(*, narrow: bool) -> str:
    """The picture as SVG: two parts side by side, or one below the other."""
    found = figures()
    said = WORDS.format(**{name: ", ".join(f"{row[place]:.2f} %" for row in found.values()) for place, name in
                           enumerate(("peer", "ours", "floor"))})  # fmt: skip
    width, height = (360, 690) if narrow else (760, 346)
    (ax, ay), (bx, by) = ((48, 58), (36, 418)) if narrow else ((28, 66), (360, 72))
    head = ((14, 24), (14, 374)) if narrow else ((14, 24), (346, 24))
    parts = [
        f'<text class="b" x="{head[0][0]}" y="{head[0][1]}">What is published: means of groups</text>',
        f'<text class="s" x="{head[0][0]}" y="{head[0][1] + 19}">every dot leaves as the square it is tied to</text>',
        f'<text class="b" x="{head[1][0]}" y="{head[1][1]}">What it costs, and what it must cost</text>',
        f'<text class="s" x="{head[1][0]}" y="{head[1][1] + 19}">information loss of the Census file, %</text>',
        *groups(ax, ay),
        *losses(bx, by, 300 if narrow else 380),
    ]
    body = "\n  ".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-labelledby="said">\n'
        f'  <title id="said">{said}</title>\n  <style>{STYLE}  </style>\n  {body}\n</svg>\n'
    )


if __name__ == "__main__":
    for name, narrow in (("promise.svg", False), ("promise-narrow.svg", True)):
        (DOCS / "images" / name).write_text(drawing(narrow=narrow), encoding="utf-8")
