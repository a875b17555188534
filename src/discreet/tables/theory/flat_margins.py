"""Margins of one table end to end, as compiled loops need them: which axes each has, and its counts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from math import prod

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.tables.table import Ints
from discreet.tables.theory.graph import Axes, mask_of

# Counts are compared by a list of their cells where that is no longer than this.
PLACES = 1 << 20


class FlatMargins:
    """Bit a of `masks[i]` says whether margin i keeps axis a; `counts` has the margins one after another."""

    def __init__(self, shape: tuple[int, ...], margins: Mapping[Axes, Ints]) -> None:
        self.shape = np.array(shape, np.int64)
        self.masks = np.array([mask_of(axes) for axes in margins], np.int64)
        self.counts = np.concatenate([values.ravel() for values in margins.values()]) if margins else self.masks

    def fit(self, tables: Ints, others: tuple[FlatMargins, ...] = ()) -> Ints | None:
        """The tables, one per row, that are non-negative and have these margins and the others.

        None where that takes too long.
        """
        fits = np.ones(len(tables), np.bool_)
        for some in (self, *others):
            if some.listed is None:
                return None
            _drop_unfit(fits, tables, *some.listed, some.counts)
        return np.asarray(tables[fits])

    def cap(self, upper: Ints) -> None:
        """Lower the bounds of cells, in place, to the counts that hold them."""
        if self.listed is not None:
            _cap(upper, *self.listed[:2], self.counts)
            return
        shape = tuple(self.shape.tolist())
        at = 0
        for mask in self.masks.tolist():
            sizes = [size if mask >> a & 1 else 1 for a, size in enumerate(shape)]
            values = self.counts[at : at + prod(sizes)].reshape(sizes)
            np.minimum(upper, np.broadcast_to(values, shape).reshape(-1), out=upper)
            at += values.size

    @cached_property
    def listed(self) -> tuple[Ints, Ints, Ints] | None:
        """Starts and cells: those that sum to each count; and counts that imply the others. None where too long."""
        if self.masks.size * int(self.shape.prod()) > PLACES:
            return None
        return _listed(self.shape, self.masks, self.counts.size)


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _listed(shape: Ints, masks: Ints, counts: int) -> tuple[Ints, Ints, Ints]:
    """Of the counts over the same levels, at level 0 elsewhere, the first implies the others (see `lattice`)."""
    n = 1
    for size in shape:
        n *= size
    starts, fill = np.zeros(counts + 1, np.int64), np.zeros(counts, np.int64)
    cells, place = np.empty(masks.size * n, np.int64), np.zeros(n, np.int64)
    chosen, seen = np.empty(counts, np.int64), np.zeros(n, np.bool_)
    first, many = 0, 0
    for mask in masks:
        done, step = 1, 1
        for a in range(shape.size - 1, -1, -1):
            inside = mask >> a & 1
            for level in range(1, shape[a]):
                for c in range(done):
                    place[level * done + c] = place[c] + level * step * inside
            done *= shape[a]
            step *= shape[a] if inside else 1
        for p in range(first, first + step):
            fill[p] = starts[p]
            starts[p + 1] = starts[p] + n // step
        for c in range(n):
            p = first + place[c]
            if fill[p] == starts[p] and not seen[c]:
                # The first cell of a count has level 0 on all other axes.
                seen[c] = True
                chosen[many] = p
                many += 1
            cells[fill[p]] = c
            fill[p] += 1
        first += step
    return starts, cells, chosen[:many]


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _cap(upper: Ints, starts: Ints, cells: Ints, counts: Ints) -> None:
    """No cell exceeds a margin that counts it."""
    for p in range(counts.size):
        for q in range(starts[p], starts[p + 1]):
            upper[cells[q]] = min(upper[cells[q]], counts[p])


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _drop_unfit(fits: NDArray[np.bool_], tables: Ints, starts: Ints, cells: Ints, chosen: Ints, counts: Ints) -> None:
    """Of the tables, one per row, those stay that are non-negative and have the chosen counts, hence all counts."""
    for t in range(tables.shape[0]):
        table = tables[t]
        if not fits[t]:
            continue
        for p in chosen:
            left = counts[p]
            for q in range(starts[p], starts[p + 1]):
                left -= table[cells[q]]
            if left != 0:
                fits[t] = False
                break
        # Sums of cells that are not negative wrap around only where the sum of all does, which a float tells.
        least, total = np.int64(0), 0.0
        for c in range(table.size):
            least = min(least, table[c])
            total += table[c]
        if least < 0 or total > 9.0e18:
            fits[t] = False
