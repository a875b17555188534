"""Record linkage: the share of persons that someone who knows the original numbers finds again. Counted.

Distance-based: each original record is linked to the nearest published one, columns divided by their standard deviation
(Pagliuca, Seri 1999; Domingo-Ferrer, Torra 2001). Rank-based: the same with the ranks of the values, which no monotone
masking hides (Muralidhar, Domingo-Ferrer 2016). The published record of row i belongs to the original of row i. Where m
published records are equally near the guess is right with probability 1/m: ties are shared, not broken by row order.
With `blocks`, what the intruder knows for sure, a person is linked within the block of the own record only.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.measure.utility.loss import scales

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]

# Distances that differ by less than this share of their length are the same.
_SAME = 1e-9
_BUCKETS = 32
_ROUGH = 2.0


def linkage_risk(original: Floats, published: Floats, *, sample: int = 20_000) -> float:
    """Expected share of persons that nearest-record linkage re-identifies, on the first `sample` persons."""
    from scipy.spatial import cKDTree

    divisor = scales(original)
    varied = divisor > 0
    if not varied.any() or len(original) == 0:
        return 1.0 / max(len(original), 1)
    x = original[:sample, varied] / divisor[varied]
    classes, own, sizes = np.unique(published[:, varied], axis=0, return_inverse=True, return_counts=True)
    _, nearest = cKDTree(classes / divisor[varied]).query(x)
    own = np.ravel(own)[: len(x)]
    return float(np.where(nearest == own, 1.0 / sizes[own], 0.0).mean())


def distance_linkage(original: Floats, published: Floats, *, threads: int = 1, blocks: Codes | None = None) -> Floats:
    """Per person the probability that linking to the nearest published record is right."""
    divisor = scales(original)
    varied = divisor > 0
    if not varied.any():
        sizes = np.bincount(np.zeros(len(original), np.int64) if blocks is None else blocks)
        return 1.0 / (sizes[blocks] if blocks is not None else np.full(len(original), sizes.sum()))
    x, y = original[:, varied] / divisor[varied], published[:, varied] / divisor[varied]
    if blocks is not None:  # one more coordinate, in which blocks are farther apart than any two records
        apart = blocks * (
            1.0 + 2.0 * float(np.linalg.norm(np.maximum(x.max(0), y.max(0)) - np.minimum(x.min(0), y.min(0))))
        )
        x, y = np.column_stack([x, apart]), np.column_stack([y, apart])
    return _linked(x, y, threads)


def rank_linkage(original: Floats, published: Floats, *, threads: int = 1, blocks: Codes | None = None) -> Floats:
    """The same with the ranks of the values in their own file; equal values share the mean of their ranks."""
    return distance_linkage(_ranks(original), _ranks(published), threads=threads, blocks=blocks)


def _ranks(values: Floats) -> Floats:
    from scipy.stats import rankdata

    return np.asarray(rankdata(values, axis=0), np.float64)


def _linked(x: Floats, y: Floats, threads: int) -> Floats:
    """Probabilities of right links between rows that are to be compared as they are.

    Only whether some record is nearer than the own one matters. A rough search, which may return one up to three times
    as far as the nearest, settles that for most who are not found; the others are asked in buckets of like distance,
    none farther than the own one.
    """
    from scipy.spatial import cKDTree

    points, own, sizes = np.unique(y, axis=0, return_inverse=True, return_counts=True)
    own = own.ravel()
    reach = np.sqrt(np.square(x - points[own]).sum(axis=1))
    tree = cKDTree(points)
    out = np.zeros(len(x))
    rough = np.asarray(tree.query(x, 1, eps=_ROUGH, workers=threads)[0])
    left = np.flatnonzero(rough >= reach * (1 - _SAME))
    order = left[np.argsort(reach[left], kind="stable")]
    for part in np.array_split(order, min(_BUCKETS, len(order)) or 1):
        if not len(part):
            continue
        limit = reach[part[-1]] * (1 + 2 * _SAME) + np.finfo(float).tiny
        near = np.asarray(tree.query(x[part], 2, distance_upper_bound=limit, workers=threads)[0])
        first = near[:, 0] >= reach[part] * (1 - _SAME)
        tied = first & (near[:, 1] <= reach[part] * (1 + _SAME))
        alone = part[first & ~tied]
        out[alone] = 1.0 / sizes[own[alone]]
        for i in part[tied]:
            among = tree.query_ball_point(x[i], reach[i] * (1 + _SAME))
            out[i] = 1.0 / sizes[among].sum()
    return out
