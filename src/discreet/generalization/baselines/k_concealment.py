"""k-concealment by growing boxes (A. Gionis, A. Mazza, T. Tassa, "k-Anonymization revisited", 2008; T. Tassa, A. Mazza,
A. Gionis, "k-Concealment", 2012), and what it lacks made up.

1. (k, 1): every record's box takes in, one after another, the record that widens it least, until it holds k.
2. (1, k): an original that lies in fewer than k boxes is taken in by those it widens least.

Every original then lies in k boxes and every box holds k originals, which hides each record among k as long as it is
looked at alone. It is not enough: with all records taken together some of the k may be excluded. So

3. a largest set of pairs with at most k per box and per original is sought; boxes with pairs to spare then take in
   originals that lack them, the cheapest pairs first.

The published boxes cover all that the steps took in, and the k-regular graph of step 3 is the one to draw from.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.generalization.boxes import Scratch, block_of, fill_exact, fill_row, forget, scratch
from discreet.generalization.domain import Codes, Domain, Integers, Tables
from discreet.generalization.methods import Call, Matches, Outcome
from discreet.kernels.compile import inner
from discreet.kernels.sorting import stable_order
from discreet.work import Deadline, Reporter

Costs = NDArray[np.int32]
NEIGHBORHOOD = 2_000


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def grow(t: Tables, s: Scratch, codes: Codes, first: int, last: int, k: int, cover: NDArray[np.int64]) -> None:
    """Step 1 for records first … last−1 of a block: `cover[i, :k]` becomes the k records of box i."""
    n, d = codes.shape
    block = block_of(t, s, codes)
    row = np.empty(n, np.int32)
    members = np.empty((k, d), np.int32)
    for i in range(first, last):
        cover[i, 0] = i
        members[0] = codes[i]
        for m in range(1, k):
            fill_exact(t, s, block, members, m, block.exact)
            fill_row(block, t.scale, row)
            for r in range(m):
                row[cover[i, r]] = 1 << 28
            best = np.argmin(row)
            cover[i, m] = best
            members[m] = codes[best]
    forget(s, block)


@inner
def take_in(
    t: Tables, s: Scratch, codes: Codes, cover: Integers, size: Integers, needs: Integers, inside: NDArray[np.bool_]
) -> None:
    """Step 2: original j is taken in by `needs[j]` more boxes, those it widens least."""
    n, d = codes.shape
    width = cover.shape[1]
    for j in range(n):
        if needs[j] <= 0:
            continue
        block = block_of(t, s, codes[j : j + 1])
        row = np.empty(1, np.int32)
        added = np.empty(n, np.int32)
        members = np.empty((width, d), np.int32)
        for i in range(n):
            if inside[i, j] or size[i] == width:
                added[i] = 1 << 28
                continue
            for r in range(size[i]):
                members[r] = codes[cover[i, r]]
            fill_exact(t, s, block, members, size[i], block.exact)
            fill_row(block, t.scale, row)
            added[i] = row[0]
        forget(s, block)
        for i in stable_order(added)[: needs[j]]:
            if added[i] < 1 << 28:
                cover[i, size[i]] = j
                size[i] += 1
                inside[i, j] = True


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def regular(inside: NDArray[np.bool_], k: int) -> tuple[NDArray[np.bool_], Integers, Integers]:
    """A largest set of pairs with at most k per box and per original; what boxes and originals still lack."""
    n = inside.shape[0]
    used = np.zeros((n, n), np.bool_)
    supply, demand = np.full(n, k, np.int64), np.full(n, k, np.int64)
    for i in range(n):  # the own pair first, then whatever fits
        used[i, i] = True
        supply[i] -= 1
        demand[i] -= 1
    for i in range(n):
        for j in range(n):
            if supply[i] > 0 and demand[j] > 0 and inside[i, j] and not used[i, j]:
                used[i, j] = True
                supply[i] -= 1
                demand[j] -= 1
    came_row, came_column = np.empty(n, np.int64), np.empty(n, np.int64)
    queue = np.empty(n, np.int64)
    for source in range(n):
        while supply[source] > 0:
            came_row[:] = -1
            came_column[:] = -2
            came_column[source] = -1
            queue[0] = source
            head, tail, sink = 0, 1, -1
            while head < tail and sink < 0:
                i = queue[head]
                head += 1
                for j in range(n):
                    if came_row[j] >= 0 or used[i, j] or not inside[i, j]:
                        continue
                    came_row[j] = i
                    if demand[j] > 0:
                        sink = j
                        break
                    for q in range(n):
                        if used[q, j] and q != j and came_column[q] == -2:
                            came_column[q] = j
                            queue[tail] = q
                            tail += 1
            if sink < 0:
                break
            supply[source] -= 1
            demand[sink] -= 1
            j = sink
            while True:
                i = came_row[j]
                used[i, j] = True
                j = came_column[i]
                if j < 0:
                    break
                used[i, j] = False
    return used, supply, demand


@inner
def _put(cover: Integers, size: Integers, inside: NDArray[np.bool_], i: int, j: int) -> None:
    if not inside[i, j]:
        cover[i, size[i]] = j
        size[i] += 1
        inside[i, j] = True


@inner
def make_up(
    t: Tables,
    s: Scratch,
    codes: Codes,
    cover: Integers,
    size: Integers,
    inside: NDArray[np.bool_],
    used: NDArray[np.bool_],
    supply: Integers,
    demand: Integers,
) -> int:
    """Step 3: add the pairs that are missing, the cheapest first; where only used pairs are left, exchange two."""
    d = codes.shape[1]
    made = 0
    members = np.empty((cover.shape[1], d), np.int32)
    while supply.sum() > 0:
        rows, columns = np.flatnonzero(supply > 0), np.flatnonzero(demand > 0)
        cost = np.empty((rows.size, columns.size), np.int32)
        block = block_of(t, s, codes[columns])
        for a in range(rows.size):
            i = rows[a]
            for r in range(size[i]):
                members[r] = codes[cover[i, r]]
            fill_exact(t, s, block, members, size[i], block.exact)
            fill_row(block, t.scale, cost[a])
        forget(s, block)
        before = made
        for pair in stable_order(cost.ravel()):
            i, j = rows[pair // columns.size], columns[pair % columns.size]
            if supply[i] > 0 and demand[j] > 0 and not used[i, j]:
                used[i, j] = True
                _put(cover, size, inside, i, j)
                supply[i] -= 1
                demand[j] -= 1
                made += 1
        if made == before:
            i, j = rows[0], columns[0]
            for pair in range(used.size):
                q, p = pair // used.shape[1], pair % used.shape[1]
                free = size[q] < cover.shape[1] and size[i] < cover.shape[1]
                if free and used[q, p] and q != p and q != i and p != j and not (used[i, p] or used[q, j]):
                    used[q, p] = False
                    used[i, p] = used[q, j] = True
                    _put(cover, size, inside, i, p)
                    _put(cover, size, inside, q, j)
                    break
            supply[i] -= 1
            demand[j] -= 1
            made += 1
    return made


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def conceal_block(t: Tables, codes: Codes, k: int) -> tuple[Integers, Integers, Integers]:
    """Matches and cover within one block, and how much steps 2 and 3 had to add."""
    n = codes.shape[0]
    s = scratch(t.start[-1])
    width = min(n, 16 * k + 16)
    cover = np.empty((n, width + 2 * k), np.int64)
    size = np.full(n, k, np.int64)
    grow(t, s, codes, 0, n, k, cover)
    inside = np.zeros((n, n), np.bool_)
    for i in range(n):
        for r in range(k):
            inside[i, cover[i, r]] = True
    needs = k - inside.sum(axis=0)
    added = np.zeros(2, np.int64)
    added[0] = np.maximum(needs, 0).sum()
    take_in(t, s, codes, cover[:, :width], size, needs, inside)
    used, supply, demand = regular(inside, k)
    added[1] = make_up(t, s, codes, cover, size, inside, used, supply, demand)
    matches = np.empty((n, k), np.int64)
    for i in range(n):
        matches[i, 0] = i
        m = 1
        for j in range(n):
            if used[i, j] and j != i and m < k:
                matches[i, m] = j
                m += 1
        if m < k:
            matches[i, 0] = -1
        for r in range(size[i], cover.shape[1]):
            cover[i, r] = i
    return matches, cover, added


def run(call: Call) -> Outcome:
    domain, k = call.problem.domain, call.problem.k
    matches, cover, finished, detail = conceal(domain, k, call.deadline, call.report)
    return Outcome(Matches(matches, cover), "k-concealment", "complete" if finished else "time limit", detail)


def conceal(
    domain: Domain, k: int, deadline: Deadline, report: Reporter
) -> tuple[Integers, Integers, bool, dict[str, float | int | str]]:
    """k-concealment in blocks of about two thousand records; blocks after the deadline get ring matches."""
    from discreet.generalization.partition import NO_RANDOM, kd_blocks
    from discreet.generalization.ring import ring_blocks

    size = max(NEIGHBORHOOD, 4 * k)
    order, ends = kd_blocks(domain.tables, domain.codes, np.arange(domain.n), size, size // 4, NO_RANDOM)
    matches = np.empty((domain.n, k), np.int64)
    cover = np.tile(np.arange(domain.n)[:, None], (1, 18 * k + 16))
    late, second, third = 0, 0, 0
    for b in range(ends.size - 1):
        rows = order[ends[b] : ends[b + 1]]
        report("k-concealment", b / (ends.size - 1))
        inside = domain.codes[rows]
        slots: Integers | None = None
        if not deadline.passed:
            slots, local, added = conceal_block(domain.tables, inside, k)
            if (slots[:, 0] >= 0).all():
                cover[rows[:, None], np.arange(local.shape[1])[None, :]] = rows[local]
                second, third = second + int(added[0]), third + int(added[1])
            else:
                slots = None
        if slots is None:
            late += 1
            slots = ring_blocks(domain.tables, inside, np.array([0, rows.size]), k).astype(np.int64)
            cover[rows, :k] = rows[slots]
        matches[rows] = rows[slots]
    widest = int((cover != np.arange(domain.n)[:, None]).sum(axis=1).max()) + 1
    detail: dict[str, float | int | str] = {"taken_in": second, "made_up": third, "ring_blocks": late}
    return matches, _packed(cover, widest), late == 0, detail


def _packed(cover: Integers, width: int) -> Integers:
    """Drop the padding that no row needs."""
    own = cover == np.arange(cover.shape[0])[:, None]
    own[:, 0] = False
    return np.take_along_axis(cover, np.argsort(own, axis=1, kind="stable"), axis=1)[:, : width + 1]
