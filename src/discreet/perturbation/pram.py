"""PRAM, the post-randomization method: every category is drawn anew from a matrix of transition probabilities.

    P_ij = probability that a record of category i is published as j,        rows sum to 1

Invariant: π'P = π' for the shares π of the file, so that published counts are those of the file in expectation, and
tables need no correction (Gouweleeuw, Kooiman, Willenborg, de Wolf, "Post randomisation for statistical disclosure
control: theory and implementation", 1998). Two ways:

* `donors`: with probability s a record keeps its category, else it takes that of a record drawn at random. That is
  P = s·I + (1 − s)·1π', invariant for any π, without a matrix to store, also for several columns as one. Whoever sees
  category j published is right to believe it with probability P_jj = s + (1 − s)·π_j.
* `draw`: by a matrix of one's own. `two_stage` makes one invariant: R = P·Q with Q_jk = π_k P_kj / Σ_l π_l P_lj, the
  way back by Bayes' rule (Kooiman, Willenborg, Gouweleeuw, "PRAM: a method for disclosure limitation", 1997).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.perturbation.randoms import Randoms

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]

# Matrices are written down with some digits: shares that differ by less are the same.
SAME = 1e-6


def donors(strata: Codes, stay: float, randoms: Randoms, purpose: str) -> Codes:
    """Per record the one whose category it takes, itself where it keeps its own; within its stratum."""
    n = len(strata)
    order = np.argsort(strata, kind="stable")
    count = np.bincount(strata)
    first = np.cumsum(count) - count
    place = np.floor(randoms.uniform(f"donor of {purpose}", n) * count[strata]).astype(np.int64)
    found: Codes = order[first[strata] + place]
    return np.where(randoms.uniform(f"stay of {purpose}", n) < stay, np.arange(n), found)


def invariant(shares: Floats, stay: float) -> Floats:
    """The matrix of `donors` for one stratum."""
    return stay * np.eye(len(shares)) + (1.0 - stay) * np.tile(shares, (len(shares), 1))


def draw(codes: Codes, matrix: Floats, randoms: Randoms, purpose: str) -> Codes:
    """Per record a category from the row of its own; one of probability 0 is never drawn."""
    u = randoms.uniform(f"draw of {purpose}", len(codes))
    out = codes.copy()
    for category in np.unique(codes).tolist():
        rows = np.flatnonzero(codes == category)
        possible = np.flatnonzero(matrix[category] > 0)
        sums = np.cumsum(matrix[category, possible])
        place = np.searchsorted(sums, u[rows] * sums[-1], side="right")
        out[rows] = possible[np.minimum(place, len(possible) - 1)]
    return out


def two_stage(matrix: Floats, shares: Floats) -> Floats:
    """An invariant matrix made of any: there by P, and back by Bayes' rule."""
    there = shares @ matrix
    reached = np.where(there > 0, there, 1.0)
    back = (shares[:, None] * matrix / reached).T  # back[j, k]: published as j, was k
    return np.asarray(matrix @ back, np.float64)


def matrix_faults(matrix: Floats, shares: Floats) -> list[str]:
    """What is wrong with a matrix of transition probabilities, in words."""
    if matrix.shape != (len(shares), len(shares)):
        return [f"is not square over its {len(shares)} values"]
    faults = []
    if not np.isfinite(matrix).all() or (matrix < 0).any() or (matrix > 1 + SAME).any():
        return ["has entries that are no probabilities"]
    odd = int((np.abs(matrix.sum(axis=1) - 1.0) > SAME).sum())
    if odd:
        faults.append(f"has {odd} rows whose probabilities do not sum to 1")
    elif float(np.abs(shares @ matrix - shares).max(initial=0.0)) > SAME:
        faults.append("is not invariant: it would change the expected shares of the values")
    return faults
