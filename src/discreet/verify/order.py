"""Are the rows of a shuffled release where they were? Judged only where chance cannot explain it (below 1e-9).

By left columns: rows whose left values are unique in both tables stand at position p in one and q in the other. Under a
uniform shuffle the number of rows at their old place (or mirrored, or right after the row they followed) is s or more
with probability at most 1/s!: there are C(m, s) choices of s rows and each holds with probability (m − s)!/m!. The
correlation of the ranks of p and q (Spearman) has mean 0 and variance 1/(m − 1).

By boxes alone: the number of rows i such that original i lies in box i is a sum over a random permutation of zeros and
ones with mean M = E/n, for E pairs of an original and a box that holds it; it exceeds M by t or more with probability
at most exp(−t²/(4M + 2t)) (Chatterjee 2007, Stein's method for concentration inequalities, proposition 1.1). The same
for the file turned by any number of rows, forward and backward, with a bound for all of them together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numba import njit

from discreet.verify.groups import Codes
from discreet.verify.matchings.reading import Reading

SUCCESSES = 14  # 14! > 8e10, for each of six counts
DEVIATIONS = 8.0
LOG_CHANCE = 24.0  # exp(−24) < 4e-11, for each of two directions; shared by the n turns of each
ALL_PAIRS = 2_000
SAMPLE = 1_000_000
PROBES = 40
AT_ONCE = 1 << 20

FAILURE = "the rows stand in the order of the original, or nearly: whoever has it knows who is who"
UNJUDGED = (
    "the order of rows: these files do not tell whether it is that of the original, so they must have been shuffled"
)


def aligned(old: Codes, new: Codes) -> bool | None:
    """Whether rows that can be recognized by their left values keep their places; None where they are too few to tell.

    `old` and `new` number the left values of the rows of both tables.
    """
    size = int(max(old.max(initial=0), new.max(initial=0))) + 1
    once = (np.bincount(old, minlength=size) == 1) & (np.bincount(new, minlength=size) == 1)
    at, to = np.full(size, -1, np.int64), np.full(size, -1, np.int64)
    at[old], to[new] = np.arange(old.size), np.arange(new.size)
    return keep_places(at[once], to[once], new.size)


def keep_places(p: Codes, q: Codes, rows: int) -> bool | None:
    """Likewise, of rows that stand at p in the original and at q in the release, of so many rows."""
    m = p.size
    if m < SUCCESSES:
        return None
    order = np.argsort(p, kind="stable")
    ranks = np.argsort(np.argsort(q[order], kind="stable"), kind="stable")
    steps = np.diff(ranks)
    place = np.arange(m)
    counts = (
        (p == q).sum(),
        (p == rows - 1 - q).sum(),
        (ranks == place).sum(),
        (ranks == m - 1 - place).sum(),
        (steps == 1).sum(),
        (steps == -1).sum(),
    )
    if max(counts) >= SUCCESSES:
        return True
    correlation = float(np.corrcoef(place, ranks)[0, 1])
    return abs(correlation) * np.sqrt(m - 1.0) > DEVIATIONS


def fitting(readings: Sequence[Reading]) -> bool | None:
    """Whether far more rows hold the original of their own place than a shuffle explains; None if none could."""
    n = readings[0].codes.size
    if n <= ALL_PAIRS:
        rows = np.arange(n, dtype=np.int64)
        expected = sum(int(held_pairs(readings, np.full(n, i, np.int64), rows).sum()) for i in range(n)) / n
    else:
        rng = np.random.default_rng(0)
        hits = int(held_pairs(readings, rng.integers(0, n, SAMPLE), rng.integers(0, n, SAMPLE)).sum())
        expected = n * (hits + 8.0 * np.sqrt(hits + 16.0) + 20.0) / SAMPLE
    chance = LOG_CHANCE + np.log(n)  # for each of n turns
    needed = expected + chance + np.sqrt(chance**2 + 4.0 * chance * expected)
    if needed > n:
        return None
    for back in (False, True):
        if max(_held(readings, turn, back) for turn in _likely_turns(readings, back)) > needed:
            return True
    return False


def _held(readings: Sequence[Reading], turn: int, back: bool) -> int:
    """How many rows hold the original of their place in the file, turned and perhaps backward."""
    n = readings[0].codes.size
    return sum(int(held_pairs(readings, rows, _turned(rows + turn, n, back)).sum()) for rows in _pieces(n))


def _turned(places: Codes, n: int, back: bool) -> Codes:
    return n - 1 - places % n if back else places % n


def _pieces(n: int) -> Iterator[Codes]:
    """The numbers of all rows, some at a time: there may be more rows than fit into memory."""
    for first in range(0, n, AT_ONCE):
        yield np.arange(first, min(first + AT_ONCE, n), dtype=np.int64)


def _likely_turns(readings: Sequence[Reading], back: bool) -> list[int]:
    """By how many rows the originals may have been turned: none, and what fits most of a few published rows best."""
    n = readings[0].codes.size
    fits = np.zeros(n, np.uint8)
    for row in np.unique(np.linspace(0, n - 1, PROBES).astype(np.int64)).tolist():
        for turns in _pieces(n):
            fits[turns] += held_pairs(readings, np.full(turns.size, row, np.int64), _turned(row + turns, n, back))
    best = [0]
    for _ in range(min(3, n)):
        best.append(int(np.argmax(fits)))
        fits[best[-1]] = 0
    return best


def held_pairs(readings: Sequence[Reading], boxes: Codes, originals: Codes) -> Any:
    """For pairs of a published row and an original, whether the one's box holds the other."""
    held = np.ones(boxes.size, np.bool_)
    for r in readings:
        _narrow(r.codes, r.texts, r.run_ends, r.run_low, r.run_high, boxes, originals, held)
    return held


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _narrow(codes: Any, texts: Any, ends: Any, low: Any, high: Any, boxes: Any, originals: Any, held: Any) -> None:
    for i in range(boxes.size):
        if not held[i]:
            continue
        code, text = codes[originals[i]], texts[boxes[i]]
        inside = code < 0
        for q in range(ends[text], ends[text + 1]):
            if low[q] <= code <= high[q]:
                inside = True
                break
        held[i] = inside
