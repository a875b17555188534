"""Population uniques by a log-linear model: how many sample uniques are unique in the population too. Estimated.

With μ_c the expected count of cell c in the sample under independence of the keys, n Π (n_{j, c_j} / n), counts Poisson
and π = 1/weight the chance to be drawn, the rest of the population adds v = μ (1 − π)/π to a cell, and over the records
that are unique in the sample (Skinner, Holmes, "Estimating the re-identification risk per record in microdata", 1998):

    τ1 = Σ exp(−v)  sample uniques that are population uniques          τ2 = Σ (1 − exp(−v))/v  expected right matches

Main effects have this closed form, over the cells that occur only. sdcMicro's modRisk leaves /π out of the exponent and
divides by the number of occupied cells, so its figure is neither τ1 nor a share of records: it cannot agree.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.measure.risk.frequencies import Classes

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]

MODEL = "a log-linear model (independent keys)"


class Population(NamedTuple):
    """τ1, sample uniques that are unique in the population, and τ2, matches of sample uniques that are right."""

    uniques: float
    matches: float


def expected_counts(keys: Codes, found: Classes) -> Floats:
    """μ of every class under independence of the keys."""
    n, d = keys.shape
    rows = keys[found.first] + 1
    out = np.full(len(rows), float(n))
    for j in range(d):
        out *= np.bincount(keys[:, j] + 1)[rows[:, j]] / n
    return out


def population_uniques(keys: Codes, found: Classes, weights: Floats) -> Population:
    """τ1 and τ2 of a sample with these weights, each 1 or more."""
    alone = found.size == 1
    rest = expected_counts(keys, found)[alone] * (weights[found.first[alone]] - 1.0)
    right = np.divide(-np.expm1(-rest), rest, out=np.ones_like(rest), where=rest > 0)
    return Population(float(np.exp(-rest).sum()), float(right.sum()))
