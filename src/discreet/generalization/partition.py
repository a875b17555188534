"""Cut the records into blocks small enough for dense assignment.

`lexicographic` sorts by the attributes in a chosen order and cuts runs of equal size (seed paper, section 8.1; Doka,
Xue, Tsoumakos, Karras, "k-Anonymization by Freeform Generalization", 2015). `kd_blocks` halves the records at the
value nearest the median of the attribute that narrows the halves most, until a block is small enough; with a random
state the gain of each attribute is multiplied by the square of a random number, so that every call cuts elsewhere and
a record near a border of one partition is inside a block of the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.generalization.domain import INTERVAL, MEAN, SET, Codes, Domain, Floats, Integers, Tables
from discreet.kernels import inner
from discreet.kernels.compile import inlined
from discreet.kernels.randoms import below, uniform
from discreet.kernels.sorting import stable_order

Partition = tuple[Integers, Integers]
"""Records in the order of their blocks, and where each block begins (one entry more than blocks)."""


def lexicographic(domain: Domain, size: int, order: Sequence[int] | None = None) -> Partition:
    """Runs of about `size` records in the lexicographic order of the attributes.

    Without an order, attributes with fewer values come first: the early ones are then uniform within a block.
    """
    if order is None:
        order = np.argsort([a.size for a in domain.attributes], kind="stable").tolist()
    records = np.lexsort(domain.codes[:, list(order)[::-1]].T).astype(np.int64)
    blocks = max(1, round(domain.n / size))
    return records, np.linspace(0, domain.n, blocks + 1).astype(np.int64)


@inlined
def _tally(keys: Codes, records: Integers, a: int, size: int, count: Integers, value: Integers, times: Integers) -> int:
    """The distinct codes of attribute `a` among `records`, ascending, and how often each occurs."""
    m = records.shape[0]
    found = 0
    if size <= 4 * m + 64:
        for v in range(size + 1):
            count[v] = 0
        for r in records:
            count[keys[r, a] + 1] += 1
        for v in range(size + 1):
            if count[v] > 0:
                value[found], times[found] = v - 1, count[v]
                found += 1
        return found
    codes = np.empty(m, np.int64)
    for q in range(m):
        codes[q] = keys[records[q], a]
    for q in stable_order(codes):
        if found > 0 and value[found - 1] == codes[q]:
            times[found - 1] += 1
        else:
            value[found], times[found] = codes[q], 1
            found += 1
    return found


@inner
def _spread(kind: int, unit: float, position: Floats, value: Integers, times: Integers, chosen: Integers) -> float:
    """The cost on an attribute of covering the chosen values; `position` is that of the attribute's own values."""
    if kind == MEAN:
        known, total, squares = 0, 0.0, 0.0
        for q in chosen:
            x = position[value[q]]
            if not np.isnan(x):
                known += times[q]
                total += times[q] * x
                squares += times[q] * x * x
        middle = total / known if known > 0 else 0.0
        return max(squares / known - middle * middle, 0.0) if known > 0 else 0.0
    if kind != INTERVAL:
        return max(chosen.shape[0] - 1, 0) * unit
    least, most = np.inf, -np.inf
    for q in chosen:
        v = value[q]
        if v >= 0 and not np.isnan(position[v]):
            least, most = min(least, position[v]), max(most, position[v])
    return max(most - least, 0.0)


@inlined
def _divide(keys: Codes, part: Integers, a: int, chosen: Integers, marked: NDArray[np.bool_], buffer: Integers) -> None:
    """Records with one of the chosen values of attribute `a` come first; both sides keep their order."""
    for v in chosen:
        marked[v + 1] = True
    near, far = 0, 0
    for r in part:
        if marked[keys[r, a] + 1]:
            part[near] = r
            near += 1
        else:
            buffer[far] = r
            far += 1
    for q in range(far):
        part[near + q] = buffer[q]
    for v in chosen:
        marked[v + 1] = False


class CutScratch(NamedTuple):
    """Working memory of `best_cut_of`; `chosen` holds the values on the near side of the best cut."""

    counts: Integers
    value: Integers
    times: Integers
    rarity: Integers
    chosen: Integers


@inner
def room_for(t: Tables, n: int) -> CutScratch:
    widest = 0
    for a in range(t.kind.shape[0]):
        widest = max(widest, t.start[a + 1] - t.start[a])
    most = max(widest, n) + 1
    value, times, rarity = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, np.int64)
    return CutScratch(np.empty(widest + 1, np.int64), value, times, rarity, np.empty(most, np.int64))


@inner
def best_cut_of(
    t: Tables, keys: Codes, part: Integers, least: int, random: NDArray[np.uint64], room: CutScratch
) -> tuple[int, int, int]:
    """The attribute that narrows the halves of `part` most (−1: no cut leaves `least` on both sides), the records on
    the near side, and how many of its values are there: the first so many of `room.chosen`."""
    m = part.shape[0]
    count, value, times, rarity = room.counts, room.value, room.times, room.rarity
    best, best_a, best_cut, best_count = -1.0, -1, 0, 0
    for a in range(keys.shape[1]):
        size = t.start[a + 1] - t.start[a]
        found = _tally(keys, part, a, size, count, value, times)
        if found < 2:
            continue
        for q in range(found):  # categories by falling frequency, numbers as they stand
            rarity[q] = -times[q] if t.kind[a] == SET else q
        chosen = stable_order(rarity[:found])
        running, cut, nearest, split = 0, 0, m, 0
        for q in range(found - 1):
            running += times[chosen[q]]
            if abs(2 * running - m) < nearest:
                nearest, cut, split = abs(2 * running - m), running, q + 1
        if cut < least or m - cut < least:
            continue
        kind, position = t.kind[a], t.position[t.start[a] : t.start[a + 1]]
        whole = _spread(kind, t.unit[a], position, value, times, chosen)
        left = _spread(kind, t.unit[a], position, value, times, chosen[:split])
        right = _spread(kind, t.unit[a], position, value, times, chosen[split:])
        gain = whole - (cut * left + (m - cut) * right) / m
        if random.shape[0] > 0:
            draw = uniform(random)
            gain *= draw * draw
        if gain > best:
            best, best_a, best_cut, best_count = gain, a, cut, split
            for q in range(split):
                room.chosen[q] = value[chosen[q]]
    return best_a, best_cut, best_count


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def kd_blocks(
    t: Tables, keys: Codes, records: Integers, largest: int, least: int, random: NDArray[np.uint64]
) -> Partition:
    """Blocks of at most `largest` records (where the cuts allow, at least `least`), by the values in `keys`.

    Row i of `keys` stands for record i. `random` is the generator's state; with an empty one each cut is the best.
    """
    n = records.shape[0]
    order, buffer = np.empty(n, np.int64), np.empty(n, np.int64)
    for q in range(n):
        order[q] = records[q]
    room = room_for(t, n)
    marked = np.empty(room.counts.shape[0], np.bool_)
    for v in range(marked.shape[0]):
        marked[v] = False
    stack = np.empty((128, 2), np.int64)
    stack[0, 0], stack[0, 1] = 0, n
    depth = 1
    ends = np.empty(n + 1, np.int64)
    ends[0] = 0
    blocks = 0
    while depth > 0:
        depth -= 1
        low, high = stack[depth, 0], stack[depth, 1]
        m = high - low
        if m <= largest:
            blocks += 1
            ends[blocks] = high
            continue
        part = order[low:high]
        best_a, best_cut, best_count = best_cut_of(t, keys, part, least, random, room)
        if best_a < 0:
            best_cut = m // 2
            if random.shape[0] > 0:
                for q in range(m - 1, 0, -1):
                    r = below(random, q + 1)
                    part[q], part[r] = part[r], part[q]
        else:
            _divide(keys, part, best_a, room.chosen[:best_count], marked, buffer)
        stack[depth, 0], stack[depth, 1] = low + best_cut, high
        stack[depth + 1, 0], stack[depth + 1, 1] = low, low + best_cut
        depth += 2
    return order, ends[: blocks + 1]


NO_RANDOM: NDArray[np.uint64] = np.zeros(0, np.uint64)
