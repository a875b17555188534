"""The distinct records of a domain, boxes and numbers apart, and what numbers add to the price of a set.

Let the sets S_1 … S_n have k records each and let every record be in k of them. The variance of numbers x in a set is
a sum over pairs,

    1/(2k²) Σ_{u, v in S} (x_u − x_v)²

so that the loss of all sets together is

    Σ_r [ cost(box of S_r) + variance ]
        =  Σ_u 1/k Σ_{S_r ∋ u} [ cost(box of S_r) + Σ_{v in S_r} q_uv ],   q_uv = (x_u − x_v)² / (2k)
        ≥  Σ_u min_{S ∋ u} [ cost(box of S) + Σ_{v in S} q_uv ] .

To a record u, the numbers of another one, v, are thus a price q_uv on v in the searches for boxes. With g gaps in a set
and c = k − g ≤ k − 1 known numbers, the variance is over c of them, so 1/(2k) is too little but safe, and the share of
gaps, weight · g/k, is spread over the 2cg pairs of a gap and a number: q_uv = weight / (2(k − 1)) is safe there.

Classes of k to 2k − 1 records are no better: k-subsets along a random ring of a class are sets as above, their boxes
are within that of the class, and their variance (and share of gaps) is on average at most that of the class.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from discreet.generalization.domain import MEAN, Codes, Domain, Floats, Integers, boxes_of
from discreet.kernels import inner


class Numbers(NamedTuple):
    """Of each record and number a place, whose squared differences are prices (NaN: a gap); the price of a gap."""

    places: Floats
    gap: Floats


@inner
def apart(numbers: Numbers, i: int, j: int) -> float:
    """What the numbers of records i and j add to the price of either to the other."""
    total = 0.0
    for c in range(numbers.gap.shape[0]):
        x, y = numbers.places[i, c], numbers.places[j, c]
        if np.isnan(x) or np.isnan(y):
            total += 0.0 if np.isnan(x) and np.isnan(y) else numbers.gap[c]
        else:
            total += (x - y) * (x - y)
    return total


@dataclass(frozen=True)
class Distinct:
    """The distinct records of a domain.

    `boxes` is the domain of what is published as boxes, `codes` its codes for each distinct record, `numbers` the rest;
    `whole` holds all codes. `copies`: how often each occurs; `which`: the distinct record of each record.
    """

    domain: Domain
    boxes: Domain
    whole: Codes
    codes: Codes
    numbers: Numbers
    copies: Integers
    which: Integers

    @property
    def cells(self) -> int:
        """Records times attributes: what losses are a mean over."""
        return self.domain.codes.size


def distinct(domain: Domain, k: int) -> Distinct:
    """The distinct records of a domain, for sets of k."""
    whole, copies, which = distinct_records(domain.codes)
    boxes, t = boxes_of(domain), domain.tables
    first = np.flatnonzero(np.r_[True, np.diff(np.sort(which)) > 0])
    codes = np.ascontiguousarray(boxes.codes[np.argsort(which, kind="stable")[first]])
    means = np.flatnonzero(t.kind == MEAN)
    places = t.position[t.start[means] + whole[:, means]] / np.sqrt(2.0 * k)
    gap = t.whole[means] / (2.0 * (k - 1))
    return Distinct(domain, boxes, whole, codes, Numbers(np.ascontiguousarray(places), gap), copies, which)


def distinct_records(codes: Codes) -> tuple[Codes, Integers, Integers]:
    """Distinct rows, how often each occurs, and the distinct row of each row."""
    order = np.lexsort(codes.T)
    ordered = codes[order]
    new = np.ones(len(codes), bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    first = np.flatnonzero(new)
    which = np.empty(len(codes), np.int64)
    which[order] = np.cumsum(new) - 1
    return np.ascontiguousarray(ordered[first]), np.diff(np.append(first, len(codes))), which
