"""An intruder who uses all left columns together: which share of the persons is found, against 1/k.

Keys are predicted from all left columns by trees (`trees.py`) grown on the original itself, the worst case; each row
by trees that have not seen it (two halves). Of a person's candidates the one is chosen whose left columns make the
person's keys likeliest: the greatest Σ ln p(key of the person | left columns of the row). The right one is one of those
that carry the person's left values, each as likely; equally likely choices share the success.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.verify.left.candidates import Candidates
from discreet.verify.left.pairs import cut
from discreet.verify.left.trees import Parts, grow
from discreet.verify.left.values import Values

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

CLASSES = 16
PARTS = 24
LEAST_ROWS = 40
GROWN_ON = 10_000


def found_together(
    left: Sequence[Values],
    keys: Sequence[Values],
    candidates: Candidates,
    own: Integers,
    same: NDArray[np.bool_],
) -> tuple[float, float] | None:
    """The share of persons found and its standard error; None where there is too little to go by.

    Row r carries the left values of person own[r]; `same` tells of each pair whether its row carries the person's left
    values.
    """
    n = own.size
    per_person = np.bincount(candidates.person, minlength=candidates.persons.size)
    if n < LEAST_ROWS or not left or not keys or not per_person.all():
        return None
    columns = [Parts(*cut(values, PARTS), values.places is not None) for values in left]
    half = np.random.default_rng(0).permutation(n) % 2
    score = np.zeros(candidates.row.size)
    person, shown = candidates.persons[candidates.person], own[candidates.row]
    carried, place = np.unique(shown, return_inverse=True)
    for key in keys:
        classes, size = cut(key, CLASSES)
        if size < 2:
            continue
        shares = np.empty((carried.size, size))
        for part in (0, 1):
            rows = np.flatnonzero(half != part)
            tree = grow(columns, classes, size, rows[:: max(1, rows.size // GROWN_ON)])
            mine = half[carried] == part
            shares[mine] = tree.predict(columns, carried[mine])
        score += np.log(shares)[place, classes[person]]
    first = np.cumsum(per_person) - per_person
    best = np.repeat(np.maximum.reduceat(score, first), per_person)
    chosen = score >= best - 1e-9
    alike, picked, both = (
        np.bincount(candidates.person[which], minlength=per_person.size) for which in (same, chosen, chosen & same)
    )
    success = both / np.maximum(alike, 1) / picked
    return float(success.mean()), float(success.std() / np.sqrt(success.size))
