"""How much of a sensitive value the keys give away: l-diversity and t-closeness of each class. Counted.

With r_1 >= … >= r_m the counts of the sensitive values in a class, as shares p, and Q their shares in the file:

    distinct   m                                     (Machanavajjhala et al., "l-diversity", 2007)
    entropy    exp(−Σ p ln p)
    recursive  the largest l such that r_1 < c (r_l + … + r_m), 0 where there is none
    closeness  equal ground distance ½ Σ |p − Q|;    ordered Σ_i |Σ_{v <= i} (p_v − Q_v)| / (m − 1)   (Li et al. 2007)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.measure.risk.frequencies import Classes

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]


class Diversity(NamedTuple):
    """Per class: distinct values, effective number of values by entropy, and l of recursive (c, l)-diversity."""

    distinct: Codes
    entropy: Floats
    recursive: Codes


class _Counts(NamedTuple):
    """Each value that occurs in a class: the class, the value, how often; class by class, values ascending."""

    home: Codes
    value: Codes
    times: Codes


def _counted(found: Classes, values: Codes) -> tuple[_Counts, int]:
    span = int(values.max()) + 1
    both, count = np.unique(found.of * span + values, return_counts=True)
    return _Counts(both // span, both % span, count), span


def diversity(found: Classes, values: Codes, *, c: float = 2.0) -> Diversity:
    """The three forms of l-diversity of each class; `values` numbers the sensitive values from 0."""
    counts, _ = _counted(found, values)
    size = found.size.astype(np.float64)
    share = counts.times / size[counts.home]
    distinct = np.bincount(counts.home, minlength=len(size))
    entropy = np.exp(-np.bincount(counts.home, weights=share * np.log(share), minlength=len(size)))
    order = np.lexsort((-counts.times, counts.home))
    home, count = counts.home[order], counts.times[order]
    first = np.concatenate([[0], np.cumsum(distinct)[:-1]])
    before = np.concatenate([[0], np.cumsum(count)[:-1]])
    rest = size[home] - (before - before[first][home])
    fits = count[first][home] < c * rest
    return Diversity(distinct, entropy, np.bincount(home, weights=fits, minlength=len(size)).astype(np.int64))


def closeness(found: Classes, values: Codes, *, ordered: bool = False) -> Floats:
    """Distance of each class' sensitive values from those of the file; `ordered` where their numbers are ranks."""
    counts, span = _counted(found, values)
    overall = np.bincount(values, minlength=span) / len(values)
    share = counts.times / found.size[counts.home]
    m = len(found.size)
    if not ordered:
        # What a class lacks adds its whole share in the file.
        common = np.abs(share - overall[counts.value]) - overall[counts.value]
        return np.asarray(0.5 * (1.0 + np.bincount(counts.home, weights=common, minlength=m)), np.float64)
    out = np.empty(m)
    block = max(1, 4_000_000 // span)
    goal = np.cumsum(overall)
    for lo in range(0, m, block):
        hi = min(m, lo + block)
        inside = (counts.home >= lo) & (counts.home < hi)
        table = np.zeros((hi - lo, span))
        table[counts.home[inside] - lo, counts.value[inside]] = share[inside]
        apart = np.abs(np.cumsum(table, axis=1) - goal)[:, :-1].sum(axis=1)
        out[lo:hi] = apart / max(1, span - 1)
    return out
