"""How a construction ends: leftover records join the nearest group, and groups of 2k or more are split.

Splitting never raises SSE and makes every size k .. 2k−1. The papers leave large groups alone (V-MDAV, TFRP)
or split them by a fixed-size method (MST); here the fixed-size method is passed in, MDAV where the paper
names none.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from discreet.kernels import unchecked
from discreet.microaggregation.constructions.mdav import mdav_kernel
from discreet.microaggregation.problem import Floats, Labels

FixedSize = Callable[[Floats, int], Labels]


def split_large(points: Floats, labels: Labels, k: int, fixed_size: FixedSize = mdav_kernel) -> Labels:
    """The partition with every group of 2k or more records partitioned by itself."""
    labels = labels.copy()
    sizes = np.bincount(labels)
    order = np.argsort(labels, kind="stable")
    ends = np.cumsum(sizes)
    groups = len(sizes)
    for p in np.flatnonzero(sizes >= 2 * k):
        members = order[ends[p] - sizes[p] : ends[p]]
        parts = fixed_size(np.ascontiguousarray(points[members]), k)
        # The first part keeps the group's label.
        labels[members[parts > 0]] = groups - 1 + parts[parts > 0]
        groups += int(parts.max())
    return labels


@unchecked
def join_nearest(points: Floats, labels: Labels, groups: int) -> None:
    """Each record without a label (−1) joins the group of nearest centroid, centroids taken before anyone
    joins."""
    n, d = points.shape
    means, size = np.zeros((groups, d)), np.zeros(groups)
    for x in range(n):
        if labels[x] >= 0:
            p = labels[x]
            size[p] += 1
            for l in range(d):
                means[p, l] += (points[x, l] - means[p, l]) / size[p]
    for x in range(n):
        if labels[x] < 0:
            best = np.inf
            for p in range(groups):
                t = 0.0
                for l in range(d):
                    t += (points[x, l] - means[p, l]) ** 2
                if t < best:
                    best = t
                    labels[x] = p
