"""Three attackers: prosecutor, journalist, marketer (El Emam, "Guide to the De-Identification of Personal Health
Information", 2013; ARX has the same).

The prosecutor knows that a person is in the file: 1/f for each record (counted). The journalist wants anybody, and
compares with the population: 1/F (estimated by the weights). The marketer wants many, and is content with the share of
right links. Over J classes:

    prosecutor: highest max 1/f, average J/n          journalist: highest max 1/F, average max(J/ΣF, Σ (f/F)/n)
    marketer: Σ (f/F)/n
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.measure.risk.frequencies import Classes

Floats = NDArray[np.float64]

MODEL = "the sum of weights"


class Attackers(NamedTuple):
    """The highest and the average risk under each attacker."""

    prosecutor_highest: float
    prosecutor_average: float
    journalist_highest: float
    journalist_average: float
    marketer: float


def attackers(found: Classes, f: Floats, F: Floats) -> Attackers:
    """The risks of a file whose classes occur f times in it and F times in the population."""
    n = float(found.size.sum())
    links = float((found.size / F).sum()) / n
    return Attackers(
        prosecutor_highest=float((1.0 / f).max()),
        prosecutor_average=float((found.size / f).sum()) / n,
        journalist_highest=float((1.0 / F).max()),
        journalist_average=max(float(len(F)) / float(F.sum()), links),
        marketer=links,
    )
