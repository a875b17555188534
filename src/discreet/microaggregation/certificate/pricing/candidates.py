"""Short lists of candidates in pricing: who can still be in a group below the limit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet.kernels import unchecked
from discreet.kernels.least import insert, least_sum
from discreet.kernels.sorting import sort_along
from discreet.microaggregation.certificate.space import Floats, Ints, Space


class Candidates(NamedTuple):
    """Who may join a root, filled anew for every root and size.

    | field | what it is |
    |---|---|
    | partial | by record: its marginal cost beside the root alone |
    | record | the candidates |
    | value | by candidate: the marginal cost and half its least distances to others |
    | local | by record: its place among the candidates, or −1 |
    | scratch | as long as there may be candidates, for anything |
    | smallest | the least values, rising |
    """

    partial: Floats
    record: Ints
    value: Floats
    local: Ints
    scratch: Floats
    smallest: Floats


@unchecked
def filter_candidates(lists: Candidates, count: int, t: int, base: float, limit: float) -> int:
    """Keep the candidates that can be in a group below the limit; 0 where no group can be."""
    if count < t:
        return 0
    value, record = lists.value, lists.record
    total = least_sum(value, count, lists.smallest[:t])
    if base + total >= limit:
        return 0
    last = lists.smallest[t - 1]
    fence = limit - base - total + last
    kept = 0
    for x in range(count):
        if value[x] <= last or value[x] < fence:
            value[kept] = value[x]
            record[kept] = record[x]
            kept += 1
    return kept


@unchecked
def tighten(space: Space, lists: Candidates, count: int, t: int, inverse: float, base: float, limit: float) -> int:
    """Filter again with neighbor sums over the candidates that are left."""
    record, local = lists.record, lists.local
    for x in range(count):
        local[record[x]] = x
    last = space.near.shape[1]
    for x in range(count):
        v = record[x]
        got = 0
        m = 0.0
        if t > 1:
            for y in range(last):
                w = space.near[v, y]
                if local[w] >= 0:
                    m += space.distance[v, w]
                    got += 1
                    if got == t - 1:
                        break
        lists.value[x] = lists.partial[v] + 0.5 * m * inverse
    for x in range(count):
        local[record[x]] = -1
    return filter_candidates(lists, count, t, base, limit)


@unchecked
def force_each(space: Space, lists: Candidates, count: int, t: int, inverse: float, base: float, limit: float) -> int:
    """Drop every candidate v with which no group can be below the limit, by the bound after choosing v."""
    record, value, scratch = lists.record, lists.value, lists.scratch
    smallest = lists.smallest[: t - 1]
    kept = 0
    for y in range(count):
        w = record[y]
        scratch[y] = lists.partial[w] + 0.5 * inverse * space.near_sum[w, t - 2]
    for x in range(count):
        v = record[x]
        held: int = np.int64(0)  # type: ignore[assignment]  # not a literal: numba would compile `insert` twice
        for y in range(count):
            if y != x:
                held = insert(smallest, held, scratch[y] + space.distance[v, record[y]] * inverse)
        total = 0.0
        for y in range(t - 1):
            total += smallest[y]
        if held == t - 1 and total < limit - base - lists.partial[v]:
            # Marked by sign in `value`; compacted below so that every candidate is judged against the same list.
            value[x] = 1.0
            kept += 1
        else:
            value[x] = -1.0
    at = 0
    for x in range(count):
        if value[x] > 0.0:
            record[at] = record[x]
            at += 1
    return kept


@unchecked
def keep_least(lists: Candidates, count: int, cap: int) -> None:
    """Move the `cap` least values to the front."""
    value, record, scratch = lists.value, lists.record, lists.scratch
    for x in range(count):
        scratch[x] = value[x]
    sort_along(scratch, record.copy(), count)
    fence = scratch[cap - 1]
    at = 0
    for x in range(count):
        if value[x] < fence:
            value[at], value[x] = value[x], value[at]
            record[at], record[x] = record[x], record[at]
            at += 1
    for x in range(at, count):
        if at == cap:
            break
        if value[x] == fence:
            value[at], value[x] = value[x], value[at]
            record[at], record[x] = record[x], record[at]
            at += 1
