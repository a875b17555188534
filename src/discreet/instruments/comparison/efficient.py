"""Which of several releases are efficient: none other has less risk and less loss.

b dominates a where  risk_b <= risk_a  and  loss_b <= loss_a,  one of them less. A measured risk is what the attacks
that were tried find, and others may find more; so a release whose protection is measured only never dominates one
whose protection is proven. (The map: Duncan, Keller-McNulty, Stokes, "Disclosure risk vs. data
utility: the R-U confidentiality map", 2001.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

# Figures that differ by less are the same.
SAME = 1e-12


class Point(NamedTuple):
    """A release on the map: its measured risk, its loss, and whether its protection is proven."""

    risk: float
    loss: float
    proven: bool


def dominates(one: Point, other: Point) -> bool:
    """Whether `one` is at least as good in both and better in one."""
    if other.proven and not one.proven:
        return False
    less = (other.risk - one.risk, other.loss - one.loss)
    return min(less) >= -SAME and max(less) > SAME


def dominators(points: Sequence[Point]) -> list[list[int]]:
    """For each point those that dominate it, the ones with the least loss first."""
    order = sorted(range(len(points)), key=lambda place: (points[place].loss, points[place].risk, place))
    return [[b for b in order if dominates(points[b], point)] for point in points]
