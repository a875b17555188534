"""Methods that match within blocks: cut the records into blocks, match each by itself, on the executor.

Blocks that the deadline leaves over get ring matches (`ring.py`): every release has its k matches.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

import numpy as np

from discreet.generalization.domain import Integers
from discreet.generalization.matching.iterations import match_blocks
from discreet.generalization.methods import Call, Matches, Outcome
from discreet.generalization.partition import NO_RANDOM, Partition, kd_blocks, lexicographic
from discreet.generalization.reassignment import chunks
from discreet.generalization.ring import ring_blocks
from discreet.generalization.travel import call as travel
from discreet.scale import ordered_map, workers

# Records in a block, unless `partition_size` says so.
SIZES = {"greedy": 2000, "sort-greedy": 1000, "hungarian": 2000, "reassign": 2000, "min-cost-flow": 300}


def run_greedy(call: Call) -> Outcome:
    return matched(call, "greedy", match_blocks, "greedy")


def run_sort_greedy(call: Call) -> Outcome:
    return matched(call, "sort-greedy", match_blocks, "sort-greedy")


def run_hungarian(call: Call) -> Outcome:
    return matched(call, "hungarian", match_blocks, "hungarian")


def matched(call: Call, method: str, kernel: Callable[..., Any], *extra: Any) -> Outcome:
    """What a kernel finds in every block."""
    with workers(call.executor) as pool:
        partition = partition_of(call, method)
        matches, complete = by_block(call, pool, partition, kernel, *extra)
    blocks = partition[1].size - 1
    return Outcome(Matches(matches), method, "complete" if complete else "time limit", {"blocks": blocks})


def partition_of(call: Call, method: str) -> Partition:
    """Blocks for a method that works within blocks; each holds at least k records."""
    domain, options = call.problem.domain, call.options
    size = max(int(options.get("partition_size") or SIZES[method]), 4 * call.problem.k)
    call.report("partition", None)
    if options.get("partition") == "lexicographic":
        order, names = options.get("attribute_order"), [attribute.name for attribute in domain.attributes]
        named = [order] if isinstance(order, str) else order
        return lexicographic(domain, size, None if named is None else [names.index(name) for name in named])
    return kd_blocks(domain.tables, domain.codes, np.arange(domain.n), size, size // 4, NO_RANDOM)


def by_block(
    call: Call, pool: Executor, partition: Partition, kernel: Callable[..., Any], *extra: Any
) -> tuple[Integers, bool]:
    """Run a kernel on every block; blocks that the deadline leaves over get ring matches. True if all were done."""
    order, ends = partition
    domain, k = call.problem.domain, call.problem.k
    matches = np.empty((domain.n, k), np.int64)
    spans = chunks(ends, k)
    late = [False] * len(spans)

    def work() -> Any:
        for number, (a, b) in enumerate(spans):
            late[number] = call.deadline.passed
            inside = domain.codes[order[ends[a] : ends[b]]]
            arguments = (domain.tables, inside, ends[a : b + 1] - ends[a], k)
            yield (ring_blocks, *arguments) if late[number] else (kernel, *arguments, *extra)

    done = 0
    for (a, b), slots in zip(spans, ordered_map(pool, travel, work())):
        rows = order[ends[a] : ends[b]]
        offset = np.repeat(ends[a:b] - ends[a], np.diff(ends[a : b + 1]))
        matches[rows] = rows[slots + offset[:, None]]
        done += rows.size
        call.report("matching", done / domain.n)
    return matches, not any(late)
