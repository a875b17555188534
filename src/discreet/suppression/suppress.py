"""The door of the room: codes of keys in, blanks out, with a lower bound and the prices that prove it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError
from discreet.suppression.combinations import class_combinations, cover_combinations
from discreet.suppression.cover import cover
from discreet.suppression.prices import PRICE_SCALE, proven
from discreet.suppression.restoring import restored
from discreet.suppression.search import Classes, classes
from discreet.suppression.tuples import Tuples, tuples_of
from discreet.work import Deadline, Reporter

Codes = NDArray[np.int64]
Flags = NDArray[np.bool_]
Semantics = Literal["class", "cover"]
Status = Literal["optimal", "solved", "feasible"]

MOST_KEYS = 16


@dataclass(frozen=True, slots=True)
class Suppression:
    """Cells to blank, what they cost, and why no suppression costs much less.

    `prices` has a whole number for each distinct combination of keys, in the order of first appearance, over
    `PRICE_SCALE`; the bound they give, by `prices.py`, is `bound`.
    """

    blank: Flags
    value: int
    bound: Fraction
    prices: Codes
    status: Status
    """"optimal" where the bound proves it, "solved" where HiGHS found that nothing is cheaper, else "feasible"."""


def suppress(
    codes: Codes,
    cost: Codes,
    k: int,
    *,
    semantics: Semantics,
    combinations: int | None,
    deadline: Deadline,
    reporter: Reporter,
    seed: int,
) -> Suppression:
    """The cheapest blanks found under which every record is one of k, on all keys or on every `combinations` of them.

    Without a time limit the work is fixed, and the result follows from the seed; with one the search of classes goes
    on until the time is up or nothing better is possible.
    """
    n, d = codes.shape
    if n < k:
        raise InputError(f"{n} records cannot be alike in classes of k = {k}: lower k")
    if d > MOST_KEYS:
        raise InputError(f"local suppression takes at most {MOST_KEYS} keys; {d} are given")
    m = d if combinations is None else min(combinations, d)
    reporter("counting combinations")
    tuples = tuples_of(codes)
    cheapest = cover(tuples, cost, k) if m == d else cover_combinations(tuples, cost, k, m)
    floor = int(tuples.size @ cheapest.cost)
    prices = cheapest.cost * PRICE_SCALE
    blank = cheapest.blank[tuples.of, None] >> np.arange(d) & 1 == 1
    if semantics == "cover":
        return Suppression(blank, floor, Fraction(floor), prices, "optimal")
    solved, bound = False, Fraction(floor)
    if m < d:
        half = deadline.until(0.5)
        everywhere = classes(tuples, cost, k, cover(tuples, cost, k), half, reporter, seed)
        candidates = (
            restored(codes, _rows(tuples, everywhere, d), cost, k, m, deadline),
            class_combinations(codes, cost, k, m, blank, deadline, reporter),
        )
        blank = min(candidates, key=lambda each: int((each @ cost).sum()))
    else:
        found = classes(tuples, cost, k, cheapest, deadline, reporter, seed)
        blank, solved = _rows(tuples, found, d), found.solved
        better = Fraction(proven(tuples, cost, k, found.prices), PRICE_SCALE)
        if better > bound:
            prices, bound = found.prices, better
    value = int((blank @ cost).sum())
    status: Status = "optimal" if ceil(bound) >= value else "solved" if solved else "feasible"
    return Suppression(blank, value, bound, prices, status)


def _rows(tuples: Tuples, found: Classes, d: int) -> Flags:
    """Blanks of each record: those of a tuple take its patterns in the order of the file."""
    by_tuple = np.argsort(found.tuple_of, kind="stable")
    masks = np.repeat(found.blank[by_tuple], found.records[by_tuple])
    out = np.empty(tuples.of.size, np.int64)
    out[np.argsort(tuples.of, kind="stable")] = masks
    return out[:, None] >> np.arange(d) & 1 == 1
