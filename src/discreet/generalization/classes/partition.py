"""Partition the records into classes of k … 2k − 1 of least joint cost (`costs.py`): k-anonymity by local recoding.

Classes grow one after another within blocks (`greedy.py`). Then rounds of exchange (`exchange.py`) within blocks of
neighboring classes, cut elsewhere each round, alternate with rounds in which a few neighboring classes are taken apart
and built anew, which is kept where it is cheaper. Every step keeps k records and l known values in every class, so that
the search can stop at any moment. Blocks are disjoint, and each draws from its own seed: the result does not depend on
who computes what. (Local search for this problem: A. Gionis, T. Tassa, "k-Anonymization with minimal loss of
information", 2009, shows that the best partition is hard to find; exchange by assignment is `reassignment.py` made
to keep the classes.)
"""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults
from discreet.generalization.classes.costs import class_costs
from discreet.generalization.classes.exchange import exchange_block
from discreet.generalization.classes.greedy import greedy_blocks
from discreet.generalization.domain import Domain, Floats, Integers
from discreet.generalization.partition import NO_RANDOM, Partition, kd_blocks
from discreet.generalization.reassignment import chunks, default_rounds
from discreet.generalization.travel import call as travel
from discreet.kernels.randoms import next_random, seeded
from discreet.methods import Detail, Status
from discreet.scale import ordered_map, workers
from discreet.work import Deadline, Reporter

BLOCK = 512
"""Classes that exchange records together."""

BUILT, LATE = 2000, 8
"""Records among which classes are built at first; where time is up already, so many times k."""

REBUILT, EVERY = 4, 2
"""So many neighboring classes are taken apart together, each time so many rounds have passed."""

PATIENCE = 0.25
"""The search ends when so large a share of its rounds passed without any gain."""


@dataclass(frozen=True)
class Classes:
    """`labels[i]`: the class of record i, numbered from 0 by the first record of each; `loss` is the mean cost a cell.

    `status` is "complete" where the search ran to its end, else "time limit".
    """

    labels: Integers = field(repr=False)
    loss: float
    method: str
    status: Status
    detail: Detail


class _Task(NamedTuple):
    domain: Domain
    values: Integers
    k: int
    l: int
    pool: Executor
    deadline: Deadline


def partition(
    domain: Domain,
    k: int,
    *,
    values: Integers | None = None,
    l: int = 1,
    seed: int = 0,
    deadline: Deadline,
    report: Reporter,
    executor: Executor | None = None,
) -> Classes:
    """Classes of at least k records, with at least l distinct known `values` (−1: not known) each, of small loss.

    Without l no class has 2k records; with l one may, where values are too uneven.
    """
    known = _values(domain, k, values, l)
    with workers(executor) as pool:
        task = _Task(domain, known, k, l if l > 1 else 0, pool, deadline)
        random = seeded(seed)
        report("classes", None)
        labels = _start(task, np.uint64(next_random(random)))
        start = _loss(task, labels)
        rounds = default_rounds(domain.n, k)
        labels, done, stopped = _improve(task, labels, rounds, random, report)
    loss = _loss(task, labels)
    labels = _by_first(labels)
    detail: Detail = {"classes": int(labels.max()) + 1, "start_loss": start, "rounds": done}
    return Classes(labels, loss, "exchange", "time limit" if stopped else "complete", detail)


def _values(domain: Domain, k: int, values: Integers | None, l: int) -> Integers:
    """The sensitive values as 0, 1, …, −1 where unknown; all unknown where none are due."""
    faults = Faults()
    faults.check(k >= 1, "k must be a whole number, 1 or more")
    faults.check(k <= domain.n, f"k = {k} is larger than the number of records ({domain.n}): choose a smaller k")
    out = np.full(domain.n, -1, np.int64)
    if l > 1 and faults.check(values is not None, f"l = {l} needs the values that are to differ"):
        assert values is not None
        known = np.asarray(values) >= 0
        distinct, out[known] = np.unique(np.asarray(values)[known], return_inverse=True)
        faults.check(
            distinct.size >= l,
            f"l = {l} distinct known values are due in every class, and there are {distinct.size} in all: "
            "choose a smaller l",
        )
    faults.raise_if_any()
    return out


def _by_first(labels: Integers) -> Integers:
    """Classes numbered by their first record."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(first.size, np.int64)
    rank[np.argsort(first)] = np.arange(first.size)
    return rank[inverse]


def _runs(labels: Integers) -> Partition:
    """Records in the order of their classes, and where each class begins."""
    order = np.argsort(labels, kind="stable")
    return order, np.concatenate([[0], np.cumsum(np.bincount(labels))]).astype(np.int64)


def _costs(task: _Task, labels: Integers) -> Floats:
    """The cost of every class: its size times that of a record."""
    order, starts = _runs(labels)
    each: Floats = class_costs(task.domain.tables, task.domain.codes, order, starts)
    return each * np.diff(starts)


def _loss(task: _Task, labels: Integers) -> float:
    return float(_costs(task, labels).sum() / task.domain.codes.size)


def _start(task: _Task, seed: np.uint64) -> Integers:
    """Classes built within blocks of records."""
    domain = task.domain
    least = LATE * task.k
    size = least if task.deadline.passed else max(BUILT, least)
    order, ends = kd_blocks(domain.tables, domain.codes, np.arange(domain.n), size, size // 4, NO_RANDOM)
    return _built(task, order, _diverse(task.values[order], ends, task.l), False, seed)


def _diverse(values: Integers, ends: Integers, l: int) -> Integers:
    """Blocks that hold fewer than l known values are joined to those that follow; the last to those before."""
    if l == 0:
        return ends
    kept, held = [0], set[int]()
    for low, high in pairwise(ends):
        held |= set(values[low:high].tolist()) - {-1}
        if len(held) >= l:
            kept.append(int(high))
            held = set()
    if len(kept) == 1:
        return np.array([0, ends[-1]], np.int64)
    kept[-1] = int(ends[-1])
    return np.array(kept, np.int64)


def _built(task: _Task, order: Integers, ends: Integers, anywhere: bool, seed: np.uint64) -> Integers:
    """Classes built within the given blocks of records."""
    spans = chunks(ends, task.k)
    t, codes, constants = task.domain.tables, task.domain.codes, (task.k, task.l, anywhere)
    work = (
        (greedy_blocks, t, codes[rows], ends[a : b + 1] - ends[a], task.values[rows], *constants, own)
        for a, b in spans
        for rows, own in ((order[ends[a] : ends[b]], seed ^ np.uint64(a)),)
    )
    labels = np.empty(task.domain.n, np.int64)
    classes = 0
    for (a, b), found in zip(spans, ordered_map(task.pool, travel, work)):
        labels[order[ends[a] : ends[b]]] = found + classes
        classes += int(found.max()) + 1
    return labels


def _improve(
    task: _Task, labels: Integers, rounds: int, random: NDArray[np.uint64], report: Reporter
) -> tuple[Integers, int, bool]:
    """Better classes, the rounds done, and whether the deadline ended them."""
    price = np.zeros(task.domain.n, np.int32)
    idle, last = 0, _loss(task, labels)
    for done in range(rounds):
        if task.deadline.passed:
            return labels, done, True
        report("classes", done / rounds, loss=last)
        labels = _exchanged(task, labels, price, random)
        if done % EVERY == EVERY - 1:
            labels = _rebuilt(task, labels, random)
        now = _loss(task, labels)
        idle, last = (idle + 1, last) if now >= last else (0, now)
        if idle > PATIENCE * rounds:
            return labels, done + 1, False
    return labels, rounds, False


def _neighbors(task: _Task, order: Integers, starts: Integers, size: int, random: NDArray[np.uint64]) -> Partition:
    """Blocks of classes, cut by the values of a random member of each."""
    sizes = np.diff(starts)
    rng = np.random.default_rng(int(next_random(random)))
    member = order[starts[:-1] + (rng.random(sizes.size) * sizes).astype(np.int64)]
    keys = np.ascontiguousarray(task.domain.codes[member])
    blocks: Partition = kd_blocks(task.domain.tables, keys, np.arange(sizes.size), size, max(1, size // 4), random)
    return blocks


def _sorted(order: Integers, starts: Integers, classes: Integers) -> Partition:
    """The records of the classes in their given order, and where each class begins."""
    sizes = np.diff(starts)[classes]
    ends = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return order[np.repeat(starts[classes] - ends[:-1], sizes) + np.arange(ends[-1])], ends


def _exchanged(task: _Task, labels: Integers, price: NDArray[np.int32], random: NDArray[np.uint64]) -> Integers:
    """One round of exchange; `price` is brought up to date."""
    runs = _runs(labels)
    classes, ends = _neighbors(task, *runs, BLOCK, random)
    order, starts = _sorted(*runs, classes)
    seed = np.uint64(next_random(random))
    t, codes, values = task.domain.tables, task.domain.codes, task.values
    work = (
        (exchange_block, t, codes[rows], values[rows], price[rows], begins, task.k, task.l, own)
        for a, b in pairwise(ends)
        for rows, begins, own in ((order[starts[a] : starts[b]], starts[a : b + 1] - starts[a], seed ^ np.uint64(a)),)
    )
    out = np.empty_like(labels)
    for (a, b), (found, prices) in zip(pairwise(ends), ordered_map(task.pool, travel, work)):
        rows = order[starts[a] : starts[b]]
        out[rows] = found + a
        price[rows] = prices
    return out


def _rebuilt(task: _Task, labels: Integers, random: NDArray[np.uint64]) -> Integers:
    """Few neighboring classes taken apart and built anew, where that is cheaper."""
    runs = _runs(labels)
    classes, ends = _neighbors(task, *runs, REBUILT, random)
    order, starts = _sorted(*runs, classes)
    cuts = starts[ends]
    block = np.empty(labels.size, np.int64)
    block[order] = np.repeat(np.arange(ends.size - 1), np.diff(cuts))
    anew = _built(task, order, cuts, True, np.uint64(next_random(random)))

    def by_block(found: Integers) -> Floats:
        run, begin = _runs(found)
        total: Floats = np.bincount(block[run[begin[:-1]]], _costs(task, found), ends.size - 1)  # type: ignore[assignment]
        return total

    better = by_block(anew) < by_block(labels) - 1e-12
    joined = np.where(better[block], anew + labels.max() + 1, labels)
    return np.unique(joined, return_inverse=True)[1]
