"""Short lists of candidates in pricing: the t least of them, who can still matter, and sorting."""

from __future__ import annotations

from discreet.kernels import inner
from discreet.microaggregation.certificate.space import Floats, Ints, Space


@inner
def least_sum(value: Floats, count: int, t: int, smallest: Floats) -> float:
    """The sum of the t least values, which are left in `smallest`, sorted."""
    held = 0
    for x in range(count):
        v = value[x]
        if held < t:
            at = held
            held += 1
        elif v < smallest[t - 1]:
            at = t - 1
        else:
            continue
        while at > 0 and smallest[at - 1] > v:
            smallest[at] = smallest[at - 1]
            at -= 1
        smallest[at] = v
    total = 0.0
    for x in range(t):
        total += smallest[x]
    return total


@inner
def filter_candidates(
    value: Floats, record: Ints, count: int, t: int, base: float, limit: float, smallest: Floats
) -> int:
    """Keep the candidates that can be in a group below the limit; 0 where no group can be."""
    if count < t:
        return 0
    total = least_sum(value, count, t, smallest)
    if base + total >= limit:
        return 0
    fence = limit - base - total + smallest[t - 1]
    kept = 0
    for x in range(count):
        if value[x] <= smallest[t - 1] or value[x] < fence:
            value[kept] = value[x]
            record[kept] = record[x]
            kept += 1
    return kept


@inner
def tighten(
    space: Space,
    partial: Floats,
    value: Floats,
    record: Ints,
    count: int,
    t: int,
    inverse: float,
    base: float,
    limit: float,
    smallest: Floats,
    local: Ints,
) -> int:
    """Filter again with neighbor sums over the candidates that are left."""
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
        value[x] = partial[v] + 0.5 * m * inverse
    for x in range(count):
        local[record[x]] = -1
    return filter_candidates(value, record, count, t, base, limit, smallest)


@inner
def force_each(
    distance: Floats,
    near_sum: Floats,
    partial: Floats,
    record: Ints,
    value: Floats,
    count: int,
    t: int,
    inverse: float,
    base: float,
    limit: float,
    scratch: Floats,
    smallest: Floats,
) -> int:
    """Drop every candidate v with which no group can be below the limit, by the bound after choosing v."""
    kept = 0
    for y in range(count):
        w = record[y]
        scratch[y] = partial[w] + 0.5 * inverse * near_sum[w, t - 2]
    for x in range(count):
        v = record[x]
        need = limit - base - partial[v]
        held = 0
        for y in range(count):
            if y == x:
                continue
            z = scratch[y] + distance[v, record[y]] * inverse
            if held < t - 1:
                at = held
                held += 1
            elif z < smallest[t - 2]:
                at = t - 2
            else:
                continue
            while at > 0 and smallest[at - 1] > z:
                smallest[at] = smallest[at - 1]
                at -= 1
            smallest[at] = z
        total = 0.0
        for y in range(t - 1):
            total += smallest[y]
        if held == t - 1 and total < need:
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


@inner
def keep_least(value: Floats, record: Ints, count: int, cap: int, scratch: Floats) -> None:
    """Move the `cap` least values to the front."""
    for x in range(count):
        scratch[x] = value[x]
    sort(scratch, record.copy(), count)
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


@inner
def sort(value: Floats, payload: Ints, count: int) -> None:
    """Sort value[:count] and carry `payload` along: Shell's method, stable enough for short and middling lists."""
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap >= 1:
        for x in range(gap, count):
            v, p = value[x], payload[x]
            y = x
            while y >= gap and value[y - gap] > v:
                value[y], payload[y] = value[y - gap], payload[y - gap]
                y -= gap
            value[y], payload[y] = v, p
        gap //= 3
