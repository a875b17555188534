"""Disclosure risk of released margins: small cells that are pinned or bounded narrowly.

A policy is data: counts 1 … c are small, and a small cell should keep at least w between its bounds (U − L ≥ w). Given
the true counts, the small cells are known; from the margins alone, a cell is told to be small where its bounds prove
it (1 ≤ L and U ≤ c).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, whole
from discreet.tables.table import Ints


@dataclass(frozen=True)
class RiskPolicy:
    """Counts from 1 to `c` are sensitive and need bounds at least `w` apart."""

    c: int = 2
    w: int = 3

    @classmethod
    def of(cls, policy: RiskPolicy | Mapping[str, Any] | None) -> RiskPolicy:
        """From a policy, a mapping such as {"c": 2, "w": 3} (other keys of a server's policy are left alone)."""
        if policy is None:
            return cls()
        if isinstance(policy, RiskPolicy):
            return policy
        faults = Faults()
        values = {}
        for name, default in (("c", cls.c), ("w", cls.w)):
            number = whole(policy.get(name, default))
            faults.check(number is not None and number >= 1, f"{name} in the policy must be a whole number, 1 or more")
            values[name] = number or 1
        faults.raise_if_any()
        return cls(**values)


@dataclass(frozen=True)
class RiskFigures:
    """Flat arrays over all cells, and how many are in each class."""

    sensitive: NDArray[np.bool_]
    exposed: NDArray[np.bool_]
    pinned: NDArray[np.bool_]
    undecided: NDArray[np.bool_]


def assess(
    policy: RiskPolicy,
    outer: tuple[Ints, Ints],
    inner: tuple[Ints, Ints],
    counts: Ints | None,
) -> RiskFigures:
    """Sensitive cells; those certainly closer than w (outer bounds), pinned ones, and those where work is left.

    Inner bounds are attained by tables, so an inner width of w or more proves that a cell is safe.
    """
    lower, upper = (bound.reshape(-1) for bound in outer)
    low, high = (bound.reshape(-1) for bound in inner)
    if counts is not None:
        flat = counts.reshape(-1)
        sensitive = (flat >= 1) & (flat <= policy.c)
    else:
        sensitive = (lower >= 1) & (upper <= policy.c)
    exposed = sensitive & (upper - lower < policy.w)
    undecided = sensitive & ~exposed & (high - low < policy.w)
    return RiskFigures(sensitive, exposed, sensitive & (upper == lower), undecided)
