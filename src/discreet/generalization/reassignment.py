"""Reassignment: every record gives up one match and the freed records are assigned anew, optimally.

In each block of a partition, record i drops one of its matches other than itself; the dropped records are the columns
of an assignment problem whose costs are what each adds to the box that is left. Dropping and taking back is feasible,
so the loss never rises; a fresh random partition each round removes the borders. What makes a round worth more:

- a price per record, the negated column dual of its last assignment: a record that many want is dear. Prices start
  the duals of the next assignment, which then has few rows to augment;
- which match to drop: mostly the one whose saving plus price is greatest, sometimes the one with the greatest saving,
  sometimes any. A record in a crowd learns from the prices which of its matches others need more;
- blocks are cut by the values of a random match of each record rather than its own, so that those who compete for the
  same matches meet;
- numbers that are published as means have outliers, which cost most and, being cut apart by other attributes, seldom
  meet: in every third round the rows of the greatest loss are a block of their own.

Blocks are disjoint in rows, so a round is a map over blocks; prices are read at its start and merged in the order of
the blocks, hence the result does not depend on who computes what.
"""

from __future__ import annotations

from concurrent.futures import Executor

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.generalization.boxes import block_of, costs, fill_exact, fill_row, forget, gcp, savings, scratch
from discreet.generalization.domain import MEAN, Codes, Domain, Integers, Tables
from discreet.generalization.partition import Partition, kd_blocks
from discreet.generalization.travel import call
from discreet.kernels.compile import inlined
from discreet.kernels.randoms import below, next_random, uniform
from discreet.kernels.sorting import stable_order
from discreet.scale import ordered_map
from discreet.solvers.assignment import FAR, FORBIDDEN, assign
from discreet.work import Deadline, Reporter

Costs = NDArray[np.int32]

WORST, PRICED = 0.2, 0.6
"""How often the match with the greatest saving is dropped, and how often the greatest saving plus price."""

JITTER = 0.03
"""The noise on saving plus price, in units of one attribute's full range."""

CHUNK = 20_000
"""Records times k of one piece of work."""

BLOCK = 256
"""Records that are assigned anew together."""

OUTLIERS = 3
"""In one of so many rounds the rows of the greatest loss meet, where there are means."""

MOMENTS = 12
"""How often the loss is computed on the way, for whoever watches."""

NO_PRICES: Costs = np.empty((0, 0), np.int32)
NO_EXTRA: Costs = np.empty(0, np.int32)

Reassigned = tuple[Integers, Integers, Costs]


@inlined
def _dropped(gain: NDArray[np.float64], price: Costs, unit: float, random: NDArray[np.uint64]) -> int:
    """The slot to give up; slot 0 is the record itself and stays."""
    k = gain.shape[0]
    if k == 2:
        return 1
    draw = uniform(random)
    if draw >= WORST + PRICED:
        return 1 + below(random, k - 1)
    best, slot = -np.inf, 1
    for r in range(1, k):
        worth = gain[r] + 1e-3 * uniform(random)
        if draw >= WORST:
            worth = gain[r] + unit * price[r] + JITTER * uniform(random)
        if worth > best:
            best, slot = worth, r
    return slot


@inlined
def _place(values: Integers, value: int) -> int:
    """Where `value` stands, or would, in sorted values."""
    low, high = 0, values.shape[0]
    while low < high:
        middle = (low + high) // 2
        if values[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def give_up(t: Tables, ids: Integers, codes: Codes, prices: Costs, seed: np.uint64) -> Integers:
    """The slot that each row gives up.

    `ids[r]` are the matches of row r (itself first), `codes[r]` their values, `prices[r]` their prices.
    """
    rows, k = ids.shape
    slot = np.empty(rows, np.int64)
    s = scratch(t.start[-1])
    gain = np.empty(k, np.float64)
    random = np.empty(1, np.uint64)
    for r in range(rows):
        random[0] = seed ^ (np.uint64(ids[r, 0]) * np.uint64(0xD1B54A32D192ED03))
        if k > 2:
            savings(t, s, codes[r], gain)
        slot[r] = _dropped(gain, prices[r], 1.0 / t.scale, random)
    return slot


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def exchange(
    t: Tables, ids: Integers, codes: Codes, prices: Costs, slot: Integers, ends: Integers, extra: Costs
) -> tuple[Integers, Costs]:
    """For every row: the record it receives in its slot, and the new price of the record it gave up.

    `extra` is empty or holds, block after block and row after row, what a pair costs beyond the loss. Without prices
    nobody holds to what is given up, and the duals begin at the least costs.
    """
    rows, k, d = codes.shape
    taken, new_price = np.empty(rows, np.int64), np.empty(rows, np.int32)
    s = scratch(t.start[-1])
    others = np.empty((k, d), np.int32)
    pair, priced = 0, prices.shape[0] > 0
    for b in range(ends.shape[0] - 1):
        low, size = ends[b], ends[b + 1] - ends[b]
        columns, freed = np.empty((size, d), np.int32), np.empty(size, np.int64)
        dual, held = np.empty(size, np.int32), np.empty(size if priced else 0, np.int32)
        before = 0
        for i in range(size):
            r = low + i
            freed[i], dual[i] = ids[r, slot[r]], FAR
            for a in range(d):
                columns[i, a] = codes[r, slot[r], a]
            if priced:
                dual[i], held[i] = -prices[r, slot[r]], i
                before += dual[i]
        if size < 2:
            for i in range(size):
                taken[low + i], new_price[low + i] = freed[i], -dual[i]
            pair += size
            continue
        cost = np.empty((size, size), np.int32)
        by_id, sorted_ids = stable_order(freed), np.empty(size, np.int64)
        for i in range(size):
            sorted_ids[i] = freed[by_id[i]]
        block = block_of(t, s, columns)
        for i in range(size):
            r = low + i
            for q in range(k - 1):
                for a in range(d):
                    others[q, a] = codes[r, q + (q >= slot[r]), a]
            fill_exact(t, s, block, others, k - 1, block.exact)
            fill_row(block, t.scale, cost[i])
            if extra.shape[0] > 0:
                for c in range(size):
                    cost[i, c] = min(cost[i, c] + extra[pair], FORBIDDEN)
                    pair += 1
            for q in range(k):
                if q != slot[r]:
                    p = _place(sorted_ids, ids[r, q])
                    while p < size and sorted_ids[p] == ids[r, q]:
                        cost[i, by_id[p]] = FORBIDDEN
                        p += 1
            if not priced:
                for c in range(size):
                    dual[c] = min(dual[c], cost[i, c])
        forget(s, block)
        column = assign(cost, dual, held)
        after = 0
        for i in range(size):
            after += dual[i]
        shift = (after - before) // size
        for i in range(size):
            taken[low + i] = freed[column[i]] if column[i] >= 0 else freed[i]
            new_price[low + i] = shift - dual[i]
    return taken, new_price


def reassign_blocks(
    t: Tables, ids: Integers, codes: Codes, prices: Costs, ends: Integers, seed: np.uint64
) -> Reassigned:
    """For every row: the slot it gave up, the record it received there, and the new price of the record it gave up."""
    slot = give_up(t, ids, codes, prices, seed)
    return slot, *exchange(t, ids, codes, prices, slot, ends, NO_EXTRA)


def improve(
    domain: Domain,
    matches: Integers,
    *,
    rounds: int,
    seed: int,
    pool: Executor,
    deadline: Deadline,
    report: Reporter,
    block: int = 256,
) -> tuple[int, Costs]:
    """Improve `matches` in place for `rounds` rounds or until the deadline; the rounds done, and the final prices."""
    n, k = matches.shape
    price = np.zeros(n, np.int32)
    random = np.array([seed], np.uint64)
    everyone = np.arange(n)
    told = -(-rounds // MOMENTS)
    for done in range(rounds):
        if deadline.passed or k < 2:
            return done, price
        if done % told == 0:
            report("reassign", done / rounds, loss=gcp(domain.tables, domain.codes, matches))
        else:
            report("reassign", done / rounds)
        member = np.empty(n, np.int64)
        random_members(matches, random, member)
        order, ends = kd_blocks(domain.tables, domain.codes[member], everyone, block, block // 4, random)
        if done % OUTLIERS == 0:
            order, ends = outliers_meet(domain, matches, (order, ends), block)
        round_seed = np.uint64(next_random(random))
        spans = chunks(ends, k)
        work = (
            (reassign_blocks, domain.tables, ids, domain.codes[ids], price[ids], ends[a : b + 1] - ends[a], round_seed)
            for a, b in spans
            for ids in (matches[order[ends[a] : ends[b]]],)
        )
        results = list(ordered_map(pool, call, work))
        for (a, b), (slot, taken, new_price) in zip(spans, results):
            rows = order[ends[a] : ends[b]]
            price[matches[rows, slot]] = new_price
            matches[rows, slot] = taken
    return rounds, price


def outliers_meet(domain: Domain, matches: Integers, partition: Partition, block: int) -> Partition:
    """With means: the rows of the greatest loss come first, as one block, and leave those they were in."""
    order, ends = partition
    if order.size <= block or not (domain.tables.kind == MEAN).any():
        return partition
    dearest = np.argsort(-costs(domain.tables, domain.codes, matches), kind="stable")[:block]
    gone = np.isin(order, dearest)
    left = ends - np.concatenate([[0], np.cumsum(gone)])[ends]
    return np.concatenate([dearest, order[~gone]]), np.unique(np.concatenate([[0], block + left]))


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def random_members(matches: Integers, random: NDArray[np.uint64], out: Integers) -> None:
    """A random match of each record, itself included."""
    n, k = matches.shape
    for i in range(n):
        out[i] = matches[i, below(random, k)]


def chunks(ends: Integers, k: int) -> list[tuple[int, int]]:
    """Runs of blocks, as (first, last + 1), of about `CHUNK`/k records each: pieces of work that cost alike."""
    goal = max(1, CHUNK // max(k, 1))
    spans, first = [], 0
    for b in range(1, ends.size):
        if ends[b] - ends[first] >= goal or b == ends.size - 1:
            spans.append((first, b))
            first = b
    return spans


def default_rounds(n: int, k: int) -> int:
    """Four million records in all, fewer where k makes a round dear; 20 … 400 rounds."""
    return int(np.clip(4_000_000 / max(n, 1) * min(1.0, np.sqrt(10 / k)), 20, 400))
