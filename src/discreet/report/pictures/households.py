"""How many households (or persons with several rows) there are of each size; sizes too rare to hide in are marked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from discreet.report.bars import standing
from discreet.report.figures import mark_confidential, tell

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_SIZES = 16


def households(units: Mapping[int, int], k: int, *, what: str = "households") -> Figure:
    """`units` counts by size. A size that fewer than k have is rare, and its count confidential."""
    sizes = sorted(units)
    names, counts = [str(size) for size in sizes[:MOST_SIZES]], [units[size] for size in sizes[:MOST_SIZES]]
    rare = [count < k for count in counts]
    rest = sizes[MOST_SIZES:]
    if rest:
        names.append(f"{rest[0]} or more")
        counts.append(sum(units[size] for size in rest))
        rare.append(any(units[size] < k for size in rest))
    title = f"{what.capitalize()} by size"
    if any(rare):
        title += f" (hatched: a size that fewer than {k} have)"
    figure = standing(title, names, counts, "rows of each", what, marked=rare)
    if any(rare):
        tell(figure, f"Rare: {', '.join(name for name, so in zip(names, rare) if so)}.")
    mark_confidential(figure, any(units[size] < k for size in sizes))
    return figure
