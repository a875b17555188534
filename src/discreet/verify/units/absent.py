"""Left columns of a release that leaves records out: published rows must be rows of the original, as often or less."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.verify.groups import combine
from discreet.verify.other_columns import MORE_WAYS, SEVERAL_STYLES, TORN, Findings, joint
from discreet.verify.readers import Table
from discreet.verify.values.styles import one_style

Integers = NDArray[np.int64]


def compare_part(before: Table, after: Table, left: Sequence[str], findings: Findings) -> tuple[Integers, Integers]:
    """Left columns as a part of the multiset of original rows; a number for each left row of both tables."""
    was, now = [np.zeros(before.rows, np.int64)], [np.zeros(after.rows, np.int64)]
    changed, spelled, styled = [], [], []
    for name in left:
        a, b = before.column(name), after.column(name)
        old, new = joint(a, b)
        if not part_of(new[b.codes], old[a.codes]):
            changed.append(name)
            continue
        if np.unique(new).size < b.size:
            spelled.append(name)
        elif not one_style(a, b):
            styled.append(name)
        was.append(old[a.codes])
        now.append(new[b.codes])
    if changed:
        findings.altered(changed, "column {}, which is not among the protected ones, holds values of no original")
    if spelled:
        findings.altered(spelled, MORE_WAYS)
    if styled:
        findings.altered(styled, SEVERAL_STYLES)
    rows = combine([np.concatenate(pair) for pair in zip(was, now)])
    first, second = rows[: before.rows], rows[before.rows :]
    if len(was) > 1 and not part_of(second, first):
        joined = [name for name in left if name not in changed]
        findings.altered(joined, TORN)
    return first, second


def part_of(few: Integers, many: Integers) -> bool:
    """Whether every number occurs among `many` at least as often as among `few`."""
    size = int(max(few.max(initial=0), many.max(initial=0))) + 1
    return bool((np.bincount(few, minlength=size) <= np.bincount(many, minlength=size)).all())
