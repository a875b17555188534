"""Columns that number rows, or groups of rows, only together: a cluster and the number of a household within it.

Two columns number rows where hardly any combination of their values repeats, in less room than chance needs for that.
They group rows where combinations are shared by 2 to 20 rows, and

- one of them is named as an id or a household and the other as a cluster of these, or
- they are one to one with a column that was left out and groups rows, or
- some other column of the original is the same within combinations, and neither within one of the two alone nor
  between neighboring combinations. A column that follows from two others, as an end from a beginning and a length,
  is the same too: but then each of the three follows from the others, which the number of a household does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from discreet.verify.groups import dense
from discreet.verify.left.chance import divergence, few_repeated, surprising
from discreet.verify.left.grouping import AGREEMENT, LARGEST, SOME, is_called_group
from discreet.verify.left.identifier import REPEATED, tokens
from discreet.verify.left.recodes import one_to_one
from discreet.verify.left.values import Values

Integers = NDArray[np.int64]
MOST_COLUMNS = 25
LIKELY = 0.75
CLUSTERS = frozenset(
    ["psu", "ssu", "cluster", "segment", "block", "ea", "village", "tract", "community", "street", "house"]
)


def crossings(columns: Sequence[Values]) -> Iterator[tuple[Values, Values, Values]]:
    """Pairs of columns that are neither constant nor nearly unique, and their combination as a column."""
    fit = [one for one in columns if 2 <= one.size <= one.codes.size / 2][:MOST_COLUMNS]
    for a, b in combinations(fit, 2):
        if a.size * b.size * LARGEST >= a.codes.size:
            yield (
                a,
                b,
                Values(f"{a.name} and {b.name}", dense(a.codes * b.size + b.codes), a.known & b.known, None, "words"),
            )


def numbers_rows(a: Values, b: Values, both: Values, tests: int) -> bool:
    """Whether hardly any combination repeats, and that is beyond chance."""
    n = both.codes.size
    repeated = n - both.size
    return repeated <= REPEATED * n and surprising(few_repeated(n, repeated, float(a.size) * b.size), tests)


def groups_together(
    a: Values, b: Values, both: Values, dropped: Iterable[Values], others: Iterable[Values], tests: int
) -> bool:
    """Whether equal combinations show which rows belong together."""
    counts = np.bincount(both.codes)
    shared = (counts >= 2) & (counts <= LARGEST)
    if counts[shared].sum() < SOME * both.codes.size or counts.max() > LARGEST:
        return False
    if any(one_to_one(both, other) for other in dropped):
        return True
    if any(is_called_group(one.name) and CLUSTERS.intersection(tokens(two.name)) for one, two in ((a, b), (b, a))):
        return True
    return any(_agree(a, b, both, other, tests) for other in others if other.name not in (a.name, b.name))


def _agree(a: Values, b: Values, both: Values, other: Values, tests: int) -> bool:
    """Whether another column is the same within combinations, and not for lesser reasons."""
    if other.size < 2 or other.size > 0.9 * other.codes.size:
        return False
    agree, compared = _equal_within(both.codes, other.codes)
    if compared == 0 or agree < AGREEMENT:
        return False
    lesser = max(_equal_within(one.codes, other.codes)[0] for one in (a, b))
    frequent = float(np.bincount(other.codes).max()) / other.codes.size
    chance = max(lesser, frequent, _equal_between(a, b, other))
    if chance > LIKELY or not surprising(compared * divergence(agree, chance), tests * 20):
        return False
    return not (_follows(a, other, b) and _follows(b, other, a))


def _equal_within(groups: Integers, values: Integers) -> tuple[float, int]:
    """How often rows that follow one another in a group are equal, and how many are compared."""
    order = np.argsort(groups, kind="stable")
    same = np.diff(groups[order]) == 0
    equal = np.diff(values[order]) == 0
    compared = int(same.sum())
    return (float(equal[same].mean()) if compared else 0.0), compared


def _equal_between(a: Values, b: Values, other: Values) -> float:
    """How often neighboring combinations are equal: those of the same value of one column, the other's in order."""
    found = []
    for one, two in ((a, b), (b, a)):
        place = two.order if two.places is None else two.places
        order = np.lexsort((np.nan_to_num(place) if place is not None else two.codes, one.codes))
        near = (np.diff(one.codes[order]) == 0) & (np.diff(two.codes[order]) != 0)
        equal = np.diff(other.codes[order]) == 0
        found.append(float((equal[near].sum() + 1.0) / (near.sum() + 1.0)))
    return max(found)


def _follows(a: Values, b: Values, target: Values) -> bool:
    """Whether the third column follows from two others."""
    agree, compared = _equal_within(dense(a.codes * b.size + b.codes), target.codes)
    return compared > 0 and agree >= AGREEMENT
