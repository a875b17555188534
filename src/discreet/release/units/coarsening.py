"""Is one table a coarser version of another? Which of its variables is which, and which categories were merged.

A view has some of the variables of a table, each perhaps renamed, its categories renamed, reordered or merged. Only
counts tell: what is looked for is an injective map of the view's variables into those of the table and, per variable,
a map of categories, such that the table, summed along them, is the view. Variables are settled one after the other;
given those before, a category of the table is a column of counts, and columns are put together to those of the view,
the largest first, never above what is left. Equal names are tried first. The search ends after `MOST_STEPS`.

Several maps of categories may exist. Any will do: they give the same counts, and only they are told. Which variable is
which matters, because whoever asks knows what a variable means: where counts leave a choice, names must settle it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from discreet.errors import InputError
from discreet.release.engine import Ints, Table

MOST_STEPS = 200_000
Mapping = dict[str, tuple[str, tuple[int, ...]]]


def find_mapping(view: Table, base: Table) -> Mapping | None:
    """Per variable of the view that of the base and, per category of that, the view's; None if it is no view."""
    if view.total != base.total or len(view.names) > len(base.names):
        return None
    found = next(_Search(view, base).extend(0, (), ()), None)
    if found is None:
        return None
    axes, maps = found
    return {view.names[i]: (base.names[axes[i]], maps[i]) for i in range(len(axes))}


def find_view(view: Table, base: Table) -> Mapping | None:
    """The same, where it is certain which variable is which: by the counts, or by its name."""
    mapping = find_mapping(view, base)
    if mapping is None:
        return None
    doubtful = []
    for i, name in enumerate(view.names):
        of, filled = mapping[name][0], view.margin([name]).dense() > 0
        if name == of or filled.sum() < 2:  # one category only: it tells nothing, of whichever variable it is
            continue
        others = [a for a, other in enumerate(base.names) if other != of]
        if any(next(_Search(view, base, {i: a}).extend(0, (), ()), None) for a in others):
            doubtful.append(name)
    if doubtful:
        raise InputError(
            f"by its counts {', '.join(map(repr, doubtful))} may be one or another variable: name it as it is there"
        )
    return mapping


def coarsen(counts: Ints, maps: Sequence[Sequence[int]], shape: Sequence[int]) -> Ints:
    """An array summed along maps of categories, one per axis; `shape` is that of the result."""
    for axis, (places, size) in enumerate(zip(maps, shape)):
        moved = np.moveaxis(counts, axis, 0)
        joined = np.zeros((size, *moved.shape[1:]), np.int64)
        np.add.at(joined, np.asarray(places, np.int64), moved)
        counts = np.moveaxis(joined, 0, axis)
    return np.ascontiguousarray(counts)


class _Search:
    def __init__(self, view: Table, base: Table, fixed: dict[int, int] | None = None) -> None:
        self.view, self.base, self.fixed = view, base, fixed or {}
        self.counts, self.target = base.dense(), view.dense()
        self.steps = 0

    def extend(
        self, i: int, axes: tuple[int, ...], maps: tuple[tuple[int, ...], ...]
    ) -> Iterator[tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]]:
        """Complete maps, given those of the first i variables of the view."""
        if i == len(self.view.names):
            yield axes, maps
            return
        goal = self._margin(self.target, range(i + 1)).reshape(-1, self.view.shape[i])
        filled = int((goal.sum(axis=0) > 0).sum())
        free = [a for a in range(len(self.base.names)) if a not in axes and self.base.shape[a] >= filled]
        if i in self.fixed:
            free = [a for a in free if a == self.fixed[i]]
        for axis in sorted(free, key=lambda a: (self.base.names[a] != self.view.names[i], a)):
            columns = self._columns(axes, maps, axis)
            for places in self._group(columns, goal, self._hints(i, axis)):
                yield from self.extend(i + 1, (*axes, axis), (*maps, places))

    def _columns(self, axes: Sequence[int], maps: Sequence[Sequence[int]], axis: int) -> Ints:
        """Counts by what is settled, in the view's categories, and by the categories of one more variable."""
        chosen = (*axes, axis)
        order = sorted(chosen)
        margin = self._margin(self.counts, order)
        margin = margin.transpose([order.index(a) for a in chosen])
        size = self.base.shape[axis]
        joined = coarsen(margin, (*maps, range(size)), (*self.view.shape[: len(axes)], size))
        return joined.reshape(-1, size)

    @staticmethod
    def _margin(counts: Ints, keep: Sequence[int]) -> Ints:
        return np.asarray(counts.sum(axis=tuple(a for a in range(counts.ndim) if a not in set(keep))))

    def _hints(self, i: int, axis: int) -> list[int | None]:
        """Per category of the base the category of the view with the same name."""
        places = {str(level): place for place, level in enumerate(self.view.categories[i])}
        return [places.get(str(level)) for level in self.base.categories[axis]]

    def _group(self, columns: Ints, goal: Ints, hints: Sequence[int | None]) -> Iterator[tuple[int, ...]]:
        """Ways to put the columns together so that they sum to the goal's."""
        order = sorted(range(columns.shape[1]), key=lambda j: -int(columns[:, j].sum()))
        left = goal.copy()
        places = [0] * len(order)

        def put(k: int) -> Iterator[tuple[int, ...]]:
            self.steps += 1
            if self.steps > MOST_STEPS:
                raise InputError(
                    "it was not found out whether the table is a coarser version: name variables and categories alike"
                )
            if k == len(order):
                yield tuple(places)
                return
            column, hint = columns[:, order[k]], hints[order[k]]
            ranked = sorted(range(left.shape[1]), key=lambda v: v != hint)
            for v in ranked if column.any() else ranked[:1]:
                if (left[:, v] < column).any():
                    continue
                left[:, v] -= column
                places[order[k]] = v
                yield from put(k + 1)
                left[:, v] += column

        yield from put(0)
