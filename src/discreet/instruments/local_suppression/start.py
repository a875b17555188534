"""Matches from classes: where hierarchies know values and * only, local suppression is a release to begin with.

A box over such attributes is a value or *, which costs the attribute's weight: what a blank costs. The members of a
class, k or more, are matches of one another: member i of a class in some order gets members i … i + k − 1, around the
end, so each is in k boxes, and no box is wider than the class. Members with equal values stand together in the order,
so that some boxes are narrower.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.generalization.domain import TREE, Domain
from discreet.suppression.suppress import MOST_KEYS, suppress
from discreet.work import Deadline, Reporter

Integers = NDArray[np.int64]

SHARE = 0.3
"""The part of a time limit that the search of classes may take."""

FINEST = 1000


def class_matches(domain: Domain, k: int, deadline: Deadline, report: Reporter, seed: int) -> Integers | None:
    """k matches for every record, from the best classes found; None where attributes have other boxes, or gaps."""
    flat = all(a.kind == TREE and a.hierarchy is not None and a.hierarchy.height <= 1 for a in domain.attributes)
    if not flat or domain.d > MOST_KEYS or (domain.codes < 0).any():
        return None
    codes = domain.codes.astype(np.int64)
    found = suppress(
        codes,
        _costs(domain),
        k,
        semantics="class",
        combinations=None,
        deadline=deadline.until(SHARE),
        reporter=report,
        seed=seed,
    )
    return rings(np.where(found.blank, -1, codes), codes, k)


def rings(published: Integers, codes: Integers, k: int) -> Integers:
    """The next k members of everybody's class, itself first; `published` has −1 for blanks."""
    n = len(codes)
    order = np.lexsort((*codes.T, *published.T))
    shown = published[order]
    new = np.ones(n, bool)
    new[1:] = (shown[1:] != shown[:-1]).any(axis=1)
    first = np.flatnonzero(new)
    size = np.diff(np.append(first, n))
    of = np.cumsum(new) - 1
    place = np.arange(n) - first[of]
    steps = (place[:, None] + np.arange(k)) % size[of][:, None]
    matches = np.empty((n, k), np.int64)
    matches[order] = order[first[of][:, None] + steps]
    return matches


def _costs(domain: Domain) -> Integers:
    """The weights of the attributes as whole numbers, to a thousandth of the least."""
    weights = np.array([attribute.weight for attribute in domain.attributes])
    cost = np.rint(FINEST * weights / weights.min()).astype(np.int64)
    return np.asarray(cost // np.gcd.reduce(cost), np.int64)
