"""Methods by name: from a domain and k to matches, what they cost and how they were found.

| method | what it does |
|---|---|
| `auto`, `reassign` | `hungarian`, then rounds of `reassignment.py`; for k = 2 the optimum (`pairs.py`) |
| `greedy`, `sort-greedy`, `hungarian` | k − 1 matchings one after another, within blocks (`matching/`) |
| `ring`, `mondrian` | groups of k … 2k − 1 (`ring.py`, `baselines/mondrian.py`) |
| `k-concealment` | boxes grown until each record has k candidates (`baselines/k_concealment.py`) |
| `min-cost-flow` | k matchings of least total distance (`baselines/min_cost_flow.py`) |
| `mip` | the optimum, for a handful of records (`baselines/mip.py`) |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from discreet.errors import Faults, InputError
from discreet.generalization.baselines.mondrian import groups, whole_groups
from discreet.generalization.boxes import gcp
from discreet.generalization.domain import Domain, Floats, Integers
from discreet.generalization.matching.iterations import match_blocks
from discreet.generalization.pairs import optimal_pairs
from discreet.generalization.partition import NO_RANDOM, Partition, kd_blocks, lexicographic
from discreet.generalization.reassignment import chunks, improve
from discreet.generalization.ring import ring, ring_blocks
from discreet.generalization.travel import call
from discreet.scale import ordered_map, workers
from discreet.work import Deadline, ProgressCallback, Reporter

BLOCK_OPTIONS = ("partition", "partition_size", "attribute_order")
OPTIONS: dict[str, tuple[str, ...]] = {
    "reassign": (*BLOCK_OPTIONS, "rounds", "block_size"),
    "greedy": BLOCK_OPTIONS,
    "sort-greedy": BLOCK_OPTIONS,
    "hungarian": BLOCK_OPTIONS,
    "ring": (),
    "mondrian": (),
    "k-concealment": (),
    "min-cost-flow": BLOCK_OPTIONS,
    "mip": (),
}
METHODS = ("auto", *OPTIONS)
UNTIMED = ("ring", "mondrian")  # done before a limit could matter
PARTITIONS = ("kd", "lexicographic")
SIZES = {"greedy": 2000, "sort-greedy": 1000, "hungarian": 2000, "reassign": 2000, "min-cost-flow": 300}
MOST_MIP_RECORDS = 14
MOST_PAIRS = 20_000
ROUNDS_BEFORE_PAIRS = 20


@dataclass(frozen=True)
class Solution:
    """`matches[i]`: the k originals of record i, itself first; every original occurs k times.

    `cover[i]` lists what the published box must cover where that is more (None: just the matches). `matchings`, where
    given, splits the matches into k disjoint perfect matchings in a way the draw must keep to. `prices`, where the
    method has them, say how much records are wanted as matches, in units of cost: a start for a lower bound.
    """

    matches: Integers = field(repr=False)
    cover: Integers | None = field(repr=False)
    gcp: float
    method: str
    status: str
    detail: Mapping[str, float | int | str]
    matchings: Integers | None = field(default=None, repr=False)
    prices: Floats | None = field(default=None, repr=False)

    @property
    def covered(self) -> Integers:
        return self.matches if self.cover is None else self.cover


@dataclass(frozen=True)
class Options:
    partition: str = "kd"
    partition_size: int | None = None
    attribute_order: Sequence[int] | None = None
    rounds: int | None = None
    block_size: int = 256


@dataclass(frozen=True)
class Run:
    """What every method receives."""

    domain: Domain
    k: int
    options: Options
    seed: int
    pool: Executor
    deadline: Deadline
    report: Reporter


@dataclass(frozen=True)
class Found:
    """What a method hands back."""

    matches: Integers
    status: str
    detail: dict[str, float | int | str]
    cover: Integers | None = None
    prices: Floats | None = None


def check_call(faults: Faults, domain_names: Sequence[str], method: str, options: Mapping[str, Any]) -> Options:
    """Note what is wrong with a method and its options; returns them with names turned into numbers."""
    known = OPTIONS["reassign" if method == "auto" else method] if method in METHODS else ()
    faults.check(method in METHODS, f"unknown method {method!r}: choose one of {', '.join(METHODS)}")
    if method in METHODS:
        for name in options:
            allowed = f"it has {', '.join(known)}" if known else "it has none"
            faults.check(name in known, f"method {method!r} has no option {name!r}: {allowed}")
    partition = options.get("partition", "kd")
    faults.check(partition in PARTITIONS, f"unknown partition: choose one of {', '.join(PARTITIONS)}")
    for name in ("partition_size", "rounds", "block_size"):
        value = options.get(name)
        least = 0 if name == "rounds" else 2
        fits = isinstance(value, int | np.integer) and not isinstance(value, bool) and least <= int(value) < 2**31
        faults.check(value is None or fits, f"{name} must be a whole number, {least} or more, below 2^31")
    order = options.get("attribute_order")
    places: list[int] | None = None
    if order is not None:
        faults.check(partition == "lexicographic", 'attribute_order needs partition="lexicographic"')
        named = list(order) if not isinstance(order, str) else [order]
        complete = sorted(map(str, named)) == sorted(domain_names)
        if faults.check(complete, "attribute_order must name every quasi-identifier once"):
            places = [list(domain_names).index(name) for name in named]
    return Options(
        partition=partition if partition in PARTITIONS else "kd",
        partition_size=options.get("partition_size"),
        attribute_order=places,
        rounds=options.get("rounds"),
        block_size=options.get("block_size") or 256,
    )


def solve(
    domain: Domain,
    k: int,
    *,
    method: str = "auto",
    time_limit: float | None = None,
    random_state: int = 0,
    executor: Executor | None = None,
    progress: ProgressCallback | None = None,
    **options: Any,
) -> Solution:
    """Find matches by the named method."""
    faults = Faults()
    chosen = check_call(faults, [a.name for a in domain.attributes], method, options)
    whole = isinstance(k, int | np.integer) and not isinstance(k, bool)
    if faults.check(whole and k >= 2, "k must be a whole number, 2 or more"):
        faults.check(k <= domain.n, f"k = {k} is larger than the number of records ({domain.n}): choose a smaller k")
    faults.raise_if_any()
    name = "reassign" if method == "auto" else method
    deadline = Deadline(time_limit)
    with workers(executor) as pool:
        run = Run(domain, int(k), chosen, int(random_state), pool, deadline, Reporter(progress))
        found = _FINDERS[name](run)
    loss = gcp(domain.tables, domain.codes, found.matches if found.cover is None else found.cover)
    return Solution(found.matches, found.cover, loss, name, found.status, found.detail, prices=found.prices)


def partition_of(run: Run, method: str) -> Partition:
    """Blocks for a method that works within blocks; each holds at least k records."""
    size = max(run.options.partition_size or SIZES[method], 4 * run.k)
    run.report("partition", None)
    if run.options.partition == "lexicographic":
        return lexicographic(run.domain, size, run.options.attribute_order)
    everyone = np.arange(run.domain.n)
    return kd_blocks(run.domain.tables, run.domain.codes, everyone, size, size // 4, NO_RANDOM)


def by_block(run: Run, partition: Partition, kernel: Callable[..., Any], *extra: Any) -> tuple[Integers, bool]:
    """Run a kernel on every block; blocks that the deadline leaves over get ring matches. True if all were done."""
    order, ends = partition
    tables, codes, k = run.domain.tables, run.domain.codes, run.k
    matches = np.empty((run.domain.n, k), np.int64)
    spans = chunks(ends, k)
    late = [False] * len(spans)

    def work() -> Any:
        for number, (a, b) in enumerate(spans):
            late[number] = run.deadline.passed
            inside = codes[order[ends[a] : ends[b]]]
            arguments = (tables, inside, ends[a : b + 1] - ends[a], k)
            yield (ring_blocks, *arguments) if late[number] else (kernel, *arguments, *extra)

    done = 0
    for (a, b), slots in zip(spans, ordered_map(run.pool, call, work())):
        rows = order[ends[a] : ends[b]]
        offset = np.repeat(ends[a:b] - ends[a], np.diff(ends[a : b + 1]))
        matches[rows] = rows[slots + offset[:, None]]
        done += rows.size
        run.report("matching", done / run.domain.n)
    return matches, not any(late)


def _in_blocks(method: str) -> Callable[[Run], Found]:
    def find(run: Run) -> Found:
        partition = partition_of(run, method)
        matches, complete = by_block(run, partition, match_blocks, method)
        detail: dict[str, float | int | str] = {"blocks": partition[1].size - 1}
        return Found(matches, "complete" if complete else "time limit", detail)

    return find


def _reassign(run: Run) -> Found:
    domain, k = run.domain, run.k
    rounds = default_rounds(domain.n, k) if run.options.rounds is None else run.options.rounds
    pairs = k == 2 and domain.n <= MOST_PAIRS and run.options.rounds is None
    if pairs:
        rounds = ROUNDS_BEFORE_PAIRS
    partition = partition_of(run, "reassign")
    matches, complete = by_block(run, partition, match_blocks, "hungarian")
    start = gcp(domain.tables, domain.codes, matches)
    done, price = improve(
        domain,
        matches,
        rounds=rounds,
        seed=run.seed,
        pool=run.pool,
        deadline=run.deadline,
        report=run.report,
        block=max(run.options.block_size, 2),
    )
    if pairs:
        complete &= optimal_pairs(domain, matches, price, run.pool, run.deadline, run.report)
    detail: dict[str, float | int | str] = {"blocks": partition[1].size - 1, "start_gcp": start, "rounds": done}
    limited = not complete or (done < rounds and run.deadline.passed)
    return Found(matches, "time limit" if limited else "complete", detail, prices=price / domain.tables.scale)


def default_rounds(n: int, k: int) -> int:
    """Four million records in all, fewer where k makes a round dear; 20 … 400 rounds."""
    return int(np.clip(4_000_000 / max(n, 1) * min(1.0, np.sqrt(10 / k)), 20, 400))


def _ring(run: Run) -> Found:
    partition = groups(run.domain, run.k)
    return Found(ring(run.domain, partition, run.k), "complete", {"groups": partition[1].size - 1})


def _mondrian(run: Run) -> Found:
    partition = groups(run.domain, run.k)
    matches = ring(run.domain, partition, run.k)
    return Found(matches, "complete", {"groups": partition[1].size - 1}, whole_groups(partition))


def _flow(run: Run) -> Found:
    from discreet.generalization.baselines.min_cost_flow import flow_blocks

    partition = partition_of(run, "min-cost-flow")
    matches, complete = by_block(run, partition, flow_blocks)
    return Found(matches, "complete" if complete else "time limit", {"blocks": partition[1].size - 1})


def _k_concealment(run: Run) -> Found:
    from discreet.generalization.baselines.k_concealment import conceal

    matches, cover, finished, detail = conceal(run.domain, run.k, run.deadline, run.report)
    return Found(matches, "complete" if finished else "time limit", detail, cover)


def _mip(run: Run) -> Found:
    from discreet.generalization.baselines.mip import optimum

    if run.domain.n > MOST_MIP_RECORDS:
        raise InputError(
            f"method 'mip' finds the optimum for at most {MOST_MIP_RECORDS} records, and there are {run.domain.n}: "
            'use method "reassign"'
        )
    matches, proven, nodes = optimum(run.domain, run.k, run.deadline)
    return Found(matches, "optimal" if proven else "time limit", {"nodes": nodes})


_FINDERS: dict[str, Callable[[Run], Found]] = {
    "reassign": _reassign,
    "greedy": _in_blocks("greedy"),
    "sort-greedy": _in_blocks("sort-greedy"),
    "hungarian": _in_blocks("hungarian"),
    "ring": _ring,
    "mondrian": _mondrian,
    "k-concealment": _k_concealment,
    "min-cost-flow": _flow,
    "mip": _mip,
}
