"""How many tables have given margins, and the table of a given number among them.

*Exact.* Depth-first search over the free cells of the lattice (see `lattice`): with the cells before it chosen, a cell
can only take values for which every other cell can still come inside its bounds; the last free cell contributes the
length of its interval at once. The work is bounded; beyond it the count is

*estimated.* The tables are halved again and again: a uniform walk tells which share has a certain cell at or below
its median, the walk goes on in that half, until what is left can be enumerated. The logarithm of the count is the sum
of the logarithms of the shares; its standard error comes from the batch means of each walk.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log, sqrt
from typing import NamedTuple

import numpy as np
from numba import njit

from discreet.tables.draw.sampling import OutOfTimeError, RandomWalk, default_steps
from discreet.tables.state.atom import AtomState
from discreet.tables.table import Ints
from discreet.tables.theory.lattice import Lattice
from discreet.work import Deadline, Reporter

WORK_LIMIT = 400_000_000
FIRST_WORK = 2_000_000
BATCHES = 20
NO_LIMIT = 1 << 60


@dataclass(frozen=True)
class TableCount:
    """`value` is exact, or an estimate with the standard error of its natural logarithm; `log10` is of either."""

    exact: bool
    value: float
    log10: float
    log_error: float
    steps: int


class SearchTree(NamedTuple):
    """Cells are origin + matrix · free ones, within lower and upper, the free ones within low and high.

    Column j of the matrix is not 0 in rows columns[starts[j]:starts[j+1]]; the free cells from j on add between
    rest_low[j] and rest_high[j] to each cell.
    """

    origin: Ints
    matrix: Ints
    lower: Ints
    upper: Ints
    low: Ints
    high: Ints
    rest_low: Ints
    rest_high: Ints
    columns: Ints
    starts: Ints


class Enumeration:
    """The search tree over the free cells of a lattice, within bounds that hold for every table."""

    def __init__(self, lattice: Lattice, right_side: Ints, lower: Ints, upper: Ints) -> None:
        self.lattice = lattice
        origin = lattice.complete(np.zeros(lattice.size, np.int64), right_side)
        matrix = lattice.coordinates
        free_low, free_high = lower[lattice.free], upper[lattice.free]
        self.order = _search_order(matrix, free_high - free_low)
        self.matrix = np.ascontiguousarray(matrix[:, self.order])
        self.low, self.high = free_low[self.order], free_high[self.order]
        self.origin, self.lower, self.upper = origin, lower, upper
        # Partial sums that may leave 64 bits are not searched; floats cannot wrap around.
        about = lattice.complete(np.zeros(lattice.size), right_side.astype(np.float64))
        reach = np.abs(self.matrix).astype(np.float64) @ np.maximum(np.abs(self.low), np.abs(self.high))
        self.possible = bool((np.abs(about) + 2.0 * reach + upper).max(initial=0.0) < 9.0e18)
        ends = self.matrix * self.low, self.matrix * self.high
        zero = np.zeros((lattice.size, 1), np.int64)
        rest_low = np.hstack([np.cumsum(np.minimum(*ends)[:, ::-1], axis=1)[:, ::-1], zero])
        rest_high = np.hstack([np.cumsum(np.maximum(*ends)[:, ::-1], axis=1)[:, ::-1], zero])
        self._tree = SearchTree(
            origin, self.matrix, lower, upper, self.low, self.high,
            np.ascontiguousarray(rest_low.T), np.ascontiguousarray(rest_high.T), *_columns(self.matrix),
        )  # fmt: skip

    def count(self, limit: int = WORK_LIMIT, deadline: Deadline | None = None) -> int | None:
        """The number of tables; None where the work would exceed `limit` rows looked at, or time.

        With a time limit, the search is begun anew with eight times the work as long as the last try leaves room.
        """
        none = np.zeros(0, np.int64)
        if not self.possible:
            return None
        if deadline is None or deadline.limit is None:
            total, _ = self._search(none, limit)
            return None if total < 0 else total
        work = min(limit, FIRST_WORK)
        while deadline.remaining > 0:
            began = deadline.elapsed
            total, _ = self._search(none, work)
            if total >= 0:
                return total
            if work >= limit or 8 * (deadline.elapsed - began) > deadline.remaining:
                return None
            work = min(limit, 8 * work)
        return None

    def tables(self, numbers: Ints) -> Ints:
        """The tables of these numbers (ascending, counted from 0), one per row."""
        _, chosen = self._search(np.asarray(numbers, np.int64), NO_LIMIT)
        return np.asarray(self.origin + chosen @ self.matrix.T)

    def _search(self, numbers: Ints, limit: int) -> tuple[int, Ints]:
        chosen = np.zeros((numbers.size, self.low.size), np.int64)
        if self.low.size == 0:
            inside = bool(((self.origin >= self.lower) & (self.origin <= self.upper)).all())
            return int(inside), chosen
        return int(_search(self._tree, numbers, chosen, limit)), chosen


def count_tables(
    state: AtomState,
    *,
    deadline: Deadline,
    reporter: Reporter,
    seed: int = 0,
    limit: int = WORK_LIMIT,
    walk_steps: int | None = None,
) -> TableCount:
    """The number of tables with the margins of a state whose bounds are known and that has a first table."""
    lattice = state.lattice
    found = Enumeration(lattice, state.right_side, state.lower, state.upper).count(limit, deadline)
    if found is not None:
        return TableCount(True, float(found), log(found) / log(10) if found else -np.inf, 0.0, 0)
    return _estimate(state, deadline, reporter, seed, walk_steps)


def _estimate(
    state: AtomState, deadline: Deadline, reporter: Reporter, seed: int, walk_steps: int | None
) -> TableCount:
    lattice = state.lattice
    lower, upper = state.lower.copy(), state.upper.copy()
    start, log_count, variance, steps = state.tables[0], 0.0, 0.0, 0
    level = 0
    while True:
        rest = Enumeration(lattice, state.right_side, lower, upper).count(2_000_000)
        if rest is not None:
            log_count += log(rest)
            break
        reporter("halving", None, log10=log_count / log(10))
        walk = RandomWalk(lattice, start, lower, upper, seed + 7919 * level, deadline=deadline)
        if walk.stuck:
            # Only this table is left, of counts too large to be enumerated.
            break
        thin = walk_steps or max(200, default_steps(walk.moves) // 20)
        try:
            walk.settle(20 * thin)
            samples = np.array([walk.sample(thin) for _ in range(BATCHES * 20)])
        except OutOfTimeError:
            # What is left is at least one table: the estimate so far is a lower one, with no error to speak of.
            return TableCount(False, _value(log_count), log_count / log(10), float("inf"), steps)
        steps += (len(samples) + 40) * thin
        cell, cut, share = _split(samples, lower, upper)
        low_half = samples[:, cell] <= cut
        keep_low = share >= 0.5
        inside = low_half if keep_low else ~low_half
        batches = inside.reshape(BATCHES, -1).mean(axis=1)
        mean = float(inside.mean())
        log_count -= log(mean)
        variance += float(batches.var(ddof=1)) / BATCHES / mean**2
        if keep_low:
            upper[cell] = cut
        else:
            lower[cell] = cut + 1
        start = samples[np.nonzero(inside)[0][-1]]
        level += 1
    return TableCount(False, _value(log_count), log_count / log(10), sqrt(variance), steps)


def _value(log_count: float) -> float:
    return exp(log_count) if log_count < 700 else float("inf")


def _split(samples: Ints, lower: Ints, upper: Ints) -> tuple[int, int, float]:
    """The cell and value that split the samples most evenly; the share at or below the value."""
    median = np.sort(samples, axis=0)[(len(samples) - 1) // 2]
    best = (2.0, 0, 0, 0.0)
    for cut in (median, median - 1):
        share = (samples <= cut).mean(axis=0)
        usable = (cut >= lower) & (cut < upper)
        score = np.where(usable, np.abs(share - 0.5), 2.0)
        cell = int(score.argmin())
        best = min(best, (float(score[cell]), cell, int(cut[cell]), float(share[cell])))
    return best[1], best[2], best[3]


def _search_order(matrix: Ints, widths: Ints) -> Ints:
    """Free cells in an order that completes rows early: next comes the row with the fewest left, narrow cells first."""
    used = matrix != 0
    left = used.sum(axis=1).astype(np.int64)
    remaining = np.ones(matrix.shape[1], np.bool_)
    order = []
    while remaining.any():
        open_rows = np.nonzero(left > 0)[0]
        row = open_rows[left[open_rows].argmin()]
        candidates = np.nonzero(used[row] & remaining)[0]
        for j in candidates[np.argsort(widths[candidates], kind="stable")]:
            order.append(int(j))
            remaining[j] = False
            left -= used[:, j]
    return np.array(order, np.int64)


def _columns(matrix: Ints) -> tuple[Ints, Ints]:
    """Rows with a non-zero coefficient, column by column."""
    parts = [np.nonzero(matrix[:, j])[0] for j in range(matrix.shape[1])]
    starts = np.concatenate([[0], np.cumsum([p.size for p in parts])]).astype(np.int64)
    return (np.concatenate(parts).astype(np.int64) if parts else np.zeros(0, np.int64)), starts


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _search(tree: SearchTree, numbers: Ints, chosen: Ints, limit: int) -> int:
    """Counts the tables; stores the free cells of those whose numbers are asked for. −1 where the limit is hit."""
    matrix, lower, upper, low, high = tree.matrix, tree.lower, tree.upper, tree.low, tree.high
    rest_low, rest_high, columns, starts = tree.rest_low, tree.rest_high, tree.columns, tree.starts
    d = low.size
    x = tree.origin.copy()
    value, last = np.zeros(d, np.int64), np.zeros(d, np.int64)
    total, work, depth, asked = np.int64(0), 0, 0, 0
    entering = True
    while depth >= 0:
        if entering:
            first, final = low[depth], high[depth]
            for p in range(starts[depth], starts[depth + 1]):
                i = columns[p]
                a = matrix[i, depth]
                # lower ≤ x + a·v + rest ≤ upper for some value of the rest
                need = lower[i] - x[i] - rest_high[depth + 1, i]
                most = upper[i] - x[i] - rest_low[depth + 1, i]
                if a > 0:
                    first = max(first, -((-need) // a))
                    final = min(final, most // a)
                else:
                    first = max(first, -(most // (-a)))
                    final = min(final, (-need) // (-a))
            work += starts[depth + 1] - starts[depth]
            if work > limit or total > (np.int64(1) << 60):
                return -1
            if depth == d - 1:
                if final >= first:
                    while asked < numbers.size and numbers[asked] < total + final - first + 1:
                        for j in range(d - 1):
                            chosen[asked, j] = value[j]
                        chosen[asked, d - 1] = first + numbers[asked] - total
                        asked += 1
                    total += final - first + 1
                    if numbers.size > 0 and asked == numbers.size:
                        return int(total)
                entering = False
                depth -= 1
                continue
            if first > final:
                entering = False
                depth -= 1
                continue
            value[depth], last[depth] = first, final
            for p in range(starts[depth], starts[depth + 1]):
                x[columns[p]] += matrix[columns[p], depth] * first
            depth += 1
        elif value[depth] < last[depth]:
            value[depth] += 1
            for p in range(starts[depth], starts[depth + 1]):
                x[columns[p]] += matrix[columns[p], depth]
            depth += 1
            entering = True
        else:
            for p in range(starts[depth], starts[depth + 1]):
                x[columns[p]] -= matrix[columns[p], depth] * value[depth]
            depth -= 1
    return int(total)
