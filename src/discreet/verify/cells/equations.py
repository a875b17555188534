"""Tables with given margins, for the checker: exact sums, exact bounds from any multipliers, and a closed form.

Whatever a solver says is only a hint here. A table counts when it is whole, non-negative and has every margin, in
integers. A bound counts when multipliers prove it in integers: for any λ, one number per count of every margin,

    D·x_c = λ·b + Σ_i r_i x_i,   r = D·e_c − Aᵀλ,   hence   D·x_c ≤ λ·b + Σ_i max(r_i·least_i, r_i·top_i)

over all tables, since least_i ≤ x_i ≤ top_i: what every count leaves for a cell once the others have taken their most,
or their least (and ≥ with the minimum for the other side).

Where the margins, contained ones left out, can be taken off one by one such that each shares with the rest only what
one of the rest contains, the sharp bounds are known (Dobra and Fienberg, Theorem 1): from above the least of the
counts, from below max(0, Σ n_g − Σ n_s), or 0 where a variable of two or more categories is in no margin.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Axes = tuple[int, ...]
LARGEST = 1 << 62
# Below this, sums of the products cannot leave 64 bits.
SAFE = 2.0**61
ROUNDS, MANY = 50, 1 << 16
# Multipliers of such programs are fractions with small denominators: one of these makes them whole.
DENOMINATORS = (1, 2, 6, 12, 60, 2520, 5040 * 64)


class Equations:
    """One unknown per cell, in flat order; one equation per count of every margin."""

    def __init__(self, shape: Sequence[int], margins: Iterable[tuple[Axes, Ints]]) -> None:
        self.shape = tuple(int(size) for size in shape)
        self.n = int(np.prod(self.shape, dtype=np.int64))
        self.margins = [(tuple(axes), np.asarray(values, np.int64)) for axes, values in margins]
        if not self.margins:
            raise InputError("no margin is given: name the released ones")
        if any(int((v < 0).sum()) for _, v in self.margins):
            raise InputError("a margin has a negative count")
        totals = {exact_sum(values) for _, values in self.margins}
        if len(totals) > 1 or max(totals) > LARGEST:
            raise InputError("the margins have different totals, or one beyond 2^62")
        self.total = totals.pop()
        # The counts of all margins, one after another.
        self.sums = np.concatenate([values.reshape(-1) for _, values in self.margins])

    @property
    def least(self) -> Ints:
        return self._box[0]

    @property
    def top(self) -> Ints:
        return self._box[1]

    @cached_property
    def _box(self) -> tuple[Ints, Ints]:
        """Bounds that the counts put on the cells they sum, exchanged a few times."""
        least, top = np.zeros(self.shape, np.int64), np.full(self.shape, self.total, np.int64)
        for axes, values in self.margins:
            np.minimum(top, self.spread(axes, values), out=top)
        for _ in range(ROUNDS if self.n <= MANY else 1):
            before = least, top
            for axes, values in self.margins:
                drop = tuple(a for a in range(len(self.shape)) if a not in axes)
                known = self.spread(axes, values)
                least = np.maximum(least, known - _others(top, drop))
                top = np.minimum(top, known - _others(least, drop))
            if np.array_equal(least, before[0]) and np.array_equal(top, before[1]):
                break
        return least.reshape(-1), top.reshape(-1)

    def spread(self, axes: Axes, values: NDArray[np.int64]) -> Ints:
        """An array over `axes` with one axis per variable."""
        return values.reshape([self.shape[a] if a in axes else 1 for a in range(len(self.shape))])

    def rows(self) -> list[Ints]:
        """The cells that each count of every margin sums, in the order of `sums`."""
        index = np.arange(self.n).reshape(self.shape)
        found: list[Ints] = []
        for axes, _ in self.margins:
            rest = [a for a in range(len(self.shape)) if a not in axes]
            moved = index.transpose([*axes, *rest])
            found.extend(moved.reshape(int(np.prod([self.shape[a] for a in axes], dtype=np.int64)), -1))
        return found

    def left(self, x: Ints) -> Ints:
        """What each count of every margin exceeds the table's own by."""
        table = x.reshape(self.shape)
        parts = []
        for axes, values in self.margins:
            drop = tuple(a for a in range(len(self.shape)) if a not in axes)
            parts.append((values - table.sum(axis=drop, dtype=np.int64)).reshape(-1))
        return np.concatenate(parts)

    def has(self, table: NDArray[np.generic]) -> bool:
        """Whether a table is non-negative, whole and has every margin."""
        x = np.asarray(table).reshape(-1)
        if x.dtype.kind == "f":
            if not (np.isfinite(x).all() and (x == np.rint(x)).all() and (np.abs(x) <= LARGEST).all()):
                return False
            x = x.astype(np.int64)
        if x.size != self.n or x.dtype.kind not in "iu" or (x < 0).any():
            return False
        # No sum of cells exceeds the sum of all: with this, none wraps around.
        return exact_sum(x) == self.total and not self.left(x.astype(np.int64)).any()

    def proven(self, cell: int, side: int, multipliers: Floats) -> int:
        """The whole number beyond which no table goes at the cell, as far as these multipliers prove."""
        best = int(self.top[cell] if side > 0 else self.least[cell])
        if not np.isfinite(multipliers).all() or np.abs(multipliers).max(initial=0.0) > 1e6:
            return best
        for denominator in DENOMINATORS:
            whole = np.rint(multipliers * denominator).astype(np.int64)
            rest, at = np.zeros(self.shape, np.int64), 0
            for axes, values in self.margins:
                rest = rest - self.spread(axes, whole[at : at + values.size].reshape(values.shape))
                at += values.size
            residual = rest.reshape(-1)
            residual[cell] += denominator
            ends = (self.top, self.least) if side > 0 else (self.least, self.top)
            value = _dot(whole, self.sums) + _dot(residual, np.where(residual > 0, *ends))
            found = value // denominator if side > 0 else -(-value // denominator)
            best = min(best, found) if side > 0 else max(best, found)
        return best

    def closed_form(self) -> tuple[Ints, Ints] | None:
        """The sharp bounds of every cell, where the margins are those of a decomposable model."""
        wide = [{a for a in axes if self.shape[a] > 1} for axes, _ in self.margins]
        kept = [
            i
            for i, some in enumerate(wide)
            if not any(some < other or (some == other and j < i) for j, other in enumerate(wide))
        ]
        order = _take_off({i: wide[i] for i in kept})
        if order is None:
            return None
        if not self._agree(kept):
            raise InputError("the margins contradict one another")
        first = order[-1][0]
        low = high = self.spread(*self.margins[first])
        for i, shared in reversed(order[:-1]):
            axes, values = self.margins[i]
            known = self.spread(axes, values)
            drop = tuple(a for a in range(len(self.shape)) if a not in shared)
            # Each count is at most that of the separator: once at 0 the sum stays below it.
            low = np.maximum(low + (known - known.sum(axis=drop, keepdims=True, dtype=np.int64)), 0)
            high = np.minimum(high, known)
        if any(size > 1 and not any(a in wide[i] for i in kept) for a, size in enumerate(self.shape)):
            low = np.zeros_like(low)
        return tuple(np.broadcast_to(bound, self.shape).reshape(-1) for bound in (low, high))  # type: ignore[return-value]

    def _agree(self, kept: list[int]) -> bool:
        """Whether all margins have the same counts where they overlap."""
        for axes, values in self.margins:
            mine = self.spread(axes, values)
            for j in kept:
                other_axes, other = self.margins[j]
                drop = tuple(a for a in range(len(self.shape)) if a not in axes or a not in other_axes)
                both = (mine, self.spread(other_axes, other))
                first, second = (v.sum(axis=drop, keepdims=True, dtype=np.int64) for v in both)
                if not np.array_equal(first, second):
                    return False
        return True


def _take_off(sets: dict[int, set[int]]) -> list[tuple[int, set[int]]] | None:
    """Sets one by one, each with what it shares with the rest, which one of the rest contains; None where none fits."""
    order: list[tuple[int, set[int]]] = []
    rest = dict(sets)
    while rest:
        for i, some in rest.items():
            others = [other for j, other in rest.items() if j != i]
            shared = some & set().union(*others) if others else set()
            if not others or any(shared <= other for other in others):
                order.append((i, shared))
                del rest[i]
                break
        else:
            return None
    return order


def _others(bounds: Ints, drop: Axes) -> Ints:
    """Of each cell, the sum of the others along the axes; more than any count where it is larger than that."""
    # Sums may wrap around; those that did are told by floats, which do not.
    rest = bounds.sum(axis=drop, keepdims=True) - bounds
    about = bounds.sum(axis=drop, keepdims=True, dtype=np.float64) - bounds
    return np.where(about > 6.0e18, LARGEST + 1, rest)


def exact_sum(values: NDArray[np.generic]) -> int:
    """The sum of non-negative numbers below 2^63 as a Python integer."""
    flat = np.asarray(values).reshape(-1).astype(np.uint64)
    high, low = flat >> np.uint64(32), flat & np.uint64(0xFFFFFFFF)
    return (int(high.sum()) << 32) + int(low.sum())


def _dot(first: Ints, second: Ints) -> int:
    """Σ first·second exactly."""
    if float(np.abs(first).astype(np.float64) @ np.abs(second).astype(np.float64)) < SAFE:
        return int(first @ second)
    used = np.flatnonzero(first)
    return sum(a * b for a, b in zip(first[used].tolist(), second[used].tolist()))
