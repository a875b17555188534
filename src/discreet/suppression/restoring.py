"""Take blanks back wherever every combination of m keys that loses or wins records keeps k of them, or vanishes.

Records that publish the same are looked at together, one blanked column at a time, the dearest first: all of them take
their own values back at once or, where that breaks a class, those with one of the values. Passes go on until nothing
can be taken back.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from discreet.suppression.tuples import tuples_of
from discreet.work import Deadline

Codes = NDArray[np.int64]
Flags = NDArray[np.bool_]
Row = tuple[int, ...]

BLANK = -1


class _Published:
    """Rows that are published, by distinct row and blanks, and how many records share each combination of m keys."""

    def __init__(self, codes: Codes, blank: Flags, k: int, m: int) -> None:
        d = codes.shape[1]
        self._k = k
        sets = list(combinations(range(d), m))
        self._with = [[(at, columns) for at, columns in enumerate(sets) if j in columns] for j in range(d)]
        self._groups = tuples_of(np.column_stack([codes, blank]))
        self._own = self._groups.codes[:, :d]
        self._rows = [tuple(row) for row in np.where(self._groups.codes[:, d:], BLANK, self._own).tolist()]
        self._size: Counter[Row] = Counter()
        for row, count in zip(self._rows, self._groups.size.tolist()):
            for at, columns in enumerate(sets):
                self._size[(at, *(row[j] for j in columns))] += count

    def sweep(self, j: int, deadline: Deadline) -> bool:
        """Take back what is possible in one column; whether anything was."""
        alike: dict[Row, dict[int, list[int]]] = {}
        for g, row in enumerate(self._rows):
            if row[j] == BLANK:
                alike.setdefault(row, {}).setdefault(int(self._own[g, j]), []).append(g)
        changed = False
        for row, by_value in alike.items():
            if deadline.passed:
                break
            whole = self._take_back(row, j, by_value)
            changed |= whole
            if not whole and len(by_value) > 1:
                for value, members in by_value.items():
                    changed |= self._take_back(row, j, {value: members})
        return changed

    def _take_back(self, row: Row, j: int, by_value: dict[int, list[int]]) -> bool:
        """Let these groups of a row publish their values in column j, if all classes allow it."""
        count = {value: int(self._groups.size[members].sum()) for value, members in by_value.items()}
        gone = sum(count.values())
        leave = [(at, *(row[c] for c in columns)) for at, columns in self._with[j]]
        if not all(self._size[q] == gone or self._size[q] - gone >= self._k for q in leave):
            return False
        join = []
        for value, number in count.items():
            then = (*row[:j], value, *row[j + 1 :])
            join += [((at, *(then[c] for c in columns)), number) for at, columns in self._with[j]]
        if not all(self._size[q] + number >= self._k for q, number in join):
            return False
        for q in leave:
            self._size[q] -= gone
        for q, number in join:
            self._size[q] += number
        for value, members in by_value.items():
            for g in members:
                self._rows[g] = (*row[:j], value, *row[j + 1 :])
        return True

    def blanks(self) -> Flags:
        """The blanks of every record."""
        return (np.array(self._rows, np.int64) == BLANK)[self._groups.of]


def restored(codes: Codes, blank: Flags, cost: Codes, k: int, m: int, deadline: Deadline) -> Flags:
    """Fewer blanks that keep the promise on every m keys, from blanks that do."""
    published = _Published(codes, blank, k, m)
    columns = np.argsort(-cost, kind="stable").tolist()
    changed = True
    while changed and not deadline.passed:
        changed = sum(published.sweep(j, deadline) for j in columns) > 0
    return published.blanks()
