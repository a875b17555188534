"""The part of each key in the scores of special uniques (SUDA2): the longest bar is the key to coarsen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from discreet.report.bars import lying

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def contributions(parts: Mapping[str, float]) -> Figure:
    """`parts` are shares of 1 by key; drawn in percent, the largest first."""
    order = sorted(parts, key=lambda name: -parts[name])
    return lying("Part of each key in special uniques", order, [100 * parts[name] for name in order], "% of all scores")
