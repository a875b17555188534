"""Margins of one table laid end to end, as compiled loops need them: which axes each has, and its counts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.tables.graph import Axes
from discreet.tables.table import Ints

# Margins of tables are summed by a list of places where that is no longer than this.
PLACES = 1 << 20


class Laid:
    """Bit a of `masks[i]` says whether margin i keeps axis a; `counts` has the margins one after another."""

    def __init__(self, shape: tuple[int, ...], margins: Mapping[Axes, Ints]) -> None:
        self.shape = np.array(shape, np.int64)
        masks = []
        for axes in margins:
            mask = 0
            for a in axes:
                mask |= 1 << a
            masks.append(mask)
        self.masks = np.array(masks, np.int64)
        self.counts = np.concatenate([values.ravel() for values in margins.values()]) if masks else self.masks

    @cached_property
    def places(self) -> Ints | None:
        """Of each margin and cell, where it counts; None where that is too long."""
        if self.masks.size * int(self.shape.prod()) > PLACES:
            return None
        return _placed(self.shape, self.masks)


@njit(cache=True, nogil=True)
def _placed(shape: Ints, masks: Ints) -> Ints:
    n = 1
    for size in shape:
        n *= size
    places = np.empty((masks.size, n), np.int64)
    offset = 0
    for i in range(masks.size):
        places[i, 0] = offset
        done, step = 1, 1
        for a in range(shape.size - 1, -1, -1):
            inside = masks[i] >> a & 1
            for level in range(1, shape[a]):
                for c in range(done):
                    places[i, level * done + c] = places[i, c] + level * step * inside
            done *= shape[a]
            step *= shape[a] if inside else 1
        offset += step
    return places


@njit(cache=True, nogil=True)
def cap(upper: Ints, places: Ints, counts: Ints) -> None:
    """No cell exceeds a margin that counts it."""
    for i in range(places.shape[0]):
        for c in range(places.shape[1]):
            upper[c] = min(upper[c], counts[places[i, c]])


@njit(cache=True, nogil=True)
def fitting(tables: Ints, places: Ints, counts: Ints) -> NDArray[np.bool_]:
    """Which of the tables, one per row, are non-negative and have all margins."""
    fits = np.ones(tables.shape[0], np.bool_)
    sums = np.empty_like(counts)
    for t in range(tables.shape[0]):
        sums[:] = 0
        for c in range(places.shape[1]):
            if tables[t, c] < 0:
                fits[t] = False
            for i in range(places.shape[0]):
                sums[places[i, c]] += tables[t, c]
        for p in range(counts.size):
            if sums[p] != counts[p]:
                fits[t] = False
    return fits


@njit(cache=True, nogil=True)
def reach(
    tables: Ints, first: int, inner_lower: Ints, inner_upper: Ints, low_witness: Ints, high_witness: Ints
) -> None:
    """Take the tables, numbered from `first` on, into account where they go further than those before."""
    for t in range(tables.shape[0]):
        for c in range(tables.shape[1]):
            value = tables[t, c]
            if value > inner_upper[c]:
                inner_upper[c], high_witness[c] = value, first + t
            if value < inner_lower[c]:
                inner_lower[c], low_witness[c] = value, first + t
