"""The nearest other records of every record: brute force in cache-sized tiles, a k-d tree where that is too
much.

Equal distances go to the record that comes first (brute force) or as the tree finds them (large n); either
way the same points give the same lists.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.kernels.least import insert_item
from discreet.scale import ordered_map, workers
from discreet.work import thread_count

Floats = NDArray[np.float64]
Indices = NDArray[np.int32]

_BRUTE_FORCE = 30_000
_TILE = 256


def search_tree(points: Floats) -> Any:
    """A k-d tree over points, for whoever asks for more than the nearest of each."""
    from scipy.spatial import cKDTree

    return cKDTree(points)


def nearest(points: Floats, count: int) -> tuple[Indices, Floats]:
    """For every record, `count` other records by rising distance, and the squared distances."""
    n = len(points)
    count = min(count, n - 1)
    if n > _BRUTE_FORCE:
        return _tree(points, count)
    if n * n < 4_000_000 or thread_count() == 1:
        return nearest_kernel(np.ascontiguousarray(points.T), 0, n, count)
    columns = np.ascontiguousarray(points.T)
    pieces = 4 * thread_count()
    cuts = [(columns, n * p // pieces, n * (p + 1) // pieces, count) for p in range(pieces)]
    with workers(None) as pool:
        parts = list(ordered_map(pool, nearest_kernel, cuts))
    return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])


def _tree(points: Floats, count: int) -> tuple[Indices, Floats]:
    n = len(points)
    found = search_tree(points).query(points, count + 1, workers=thread_count())
    distance, index = np.asarray(found[0]), np.asarray(found[1])
    # The record itself comes first, unless it has twins; drop it, or else the farthest.
    keep = index != np.arange(n)[:, None]
    keep[keep.all(axis=1), -1] = False
    return index[keep].reshape(n, count).astype(np.int32), np.square(distance[keep].reshape(n, count))


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def nearest_kernel(columns: Floats, lo: int, hi: int, count: int) -> tuple[Indices, Floats]:
    """Neighbors of the records lo .. hi−1 among all; `columns` holds the points transposed, in either
    precision."""
    d, n = columns.shape
    index = np.empty((hi - lo, count), np.int32)
    distance = np.empty((hi - lo, count), columns.dtype)
    tile = np.empty(_TILE, columns.dtype)
    for x in range(lo, hi):
        near, where = distance[x - lo], index[x - lo]
        held: int = np.int64(0)  # type: ignore[assignment]  # not a literal: numba would compile `insert_item` twice
        bar = columns.dtype.type(np.inf)
        for start in range(0, n, _TILE):
            width = min(_TILE, n - start)
            tile[:width] = 0
            for l in range(d):
                c = columns[l, x]
                row = columns[l, start : start + width]
                for i in range(width):
                    t = row[i] - c
                    tile[i] += t * t
            for i in range(width):
                t = tile[i]
                if t < bar and start + i != x:
                    held = insert_item(near, where, held, t, start + i)
                    if held == count:
                        bar = near[count - 1]
    return index, distance
