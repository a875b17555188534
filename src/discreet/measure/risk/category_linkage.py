"""Record linkage by categories: a person is linked to the published record that agrees in most columns. Counted.

    d(i, r) = number of columns in which the original of person i and the published record r differ

Of m published records that are equally near the guess is right with probability 1/m, if the own one is among them. With
`blocks`, what the intruder knows for sure, only records of the own block are compared. The published record of row i
belongs to the original of row i. In a large file evenly spaced persons are asked (`asked`), each against all records.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.measure.risk.frequencies import classes

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]

_WORK, _FEWEST = 200_000_000, 200


def asked(n: int, compared: int) -> Codes:
    """The persons who are asked where each is compared with `compared` values: all, or evenly spaced ones."""
    some = max(_FEWEST, _WORK // max(compared, 1))
    return np.arange(n) if n <= some else np.linspace(0, n - 1, some).astype(np.int64)


def category_linkage(original: Codes, published: Codes, *, blocks: Codes | None = None) -> Floats:
    """Per person asked the probability that linking to a published record that agrees most is right."""
    n, d = original.shape
    block = np.zeros(n, np.int64) if blocks is None else blocks
    found = classes(np.column_stack([block, published]))  # numbered by block first
    kinds = published[found.first]
    bounds = np.searchsorted(block[found.first], np.arange(int(block.max(initial=0)) + 2))
    persons = asked(n, len(kinds) * d // max(len(bounds) - 1, 1))
    out = np.zeros(len(persons))
    for place, person in enumerate(persons.tolist()):
        low, high = bounds[block[person]], bounds[block[person] + 1]
        apart = (kinds[low:high] != original[person]).sum(axis=1)
        near = apart == apart.min()
        if near[found.of[person] - low]:
            out[place] = 1.0 / found.size[low:high][near].sum()
    return out
