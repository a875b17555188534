"""The intruder of `measure.risk.intruder`, pair by pair: what each cell covers as a Python set or an interval."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from discreet.measure.utility.columns import ANYTHING, MISSING, Categories, Column, Numbers


def _known(column: Column, i: int) -> Any:
    return float(column.low[i]) if isinstance(column, Numbers) else int(column.plain()[i])


def _members(column: Categories, q: int) -> set[int] | None:
    code = int(column.codes[q])
    if code in (MISSING, ANYTHING):
        return None
    return set(column.member[column.first[code] : column.first[code + 1]].tolist())


def covers(before: Column, after: Column, i: int, q: int) -> bool:
    x = _known(before, i)
    if isinstance(after, Numbers):
        low, high = float(after.low[q]), float(after.high[q])
        return not math.isfinite(low) or low <= x <= high
    members = _members(after, q)
    return members is None or x in members


def chances(
    original: Sequence[Column], published: Sequence[Column], records: Any, persons: Any, *, ranks: bool = False
) -> tuple[float, float]:
    """The expected share of right links by candidates and by distance, each in the better direction."""
    n, m, draws = len(records), len(persons), records.shape[1]
    mine = [(i, int(q)) for i in range(n) for q in records[i] if q >= 0]
    strict = [all(covers(a, b, i, q) for i, q in mine) for a, b in zip(original, published)]
    apart = [_distance(a, b, ranks and not hard) for a, b, hard in zip(original, published, strict)]

    def fits(i: int, q: int) -> bool:
        return all(covers(a, b, i, q) for a, b, hard in zip(original, published, strict) if hard)

    def far(i: int, q: int) -> float:
        return math.fsum(one(i, q) for one in apart)

    forth = [_one([(far(i, q), q in records[i]) for q in range(m) if fits(i, q)], draws) for i in range(n)]
    back = [
        _one([(far(i, q), sum(int(p) == i for p in persons[q])) for i in range(n) if fits(i, q)], draws)
        for q in range(m)
    ]
    return tuple(max(float(np.mean([one[part] for one in way])) for way in (forth, back)) for part in (0, 1))  # type: ignore[return-value]


def _one(found: list[tuple[float, Any]], draws: int) -> tuple[float, float]:
    if not found:
        return 0.0, 0.0
    best = min(distance for distance, _ in found)
    near = [int(own) for distance, own in found if distance <= best * (1 + 1e-9)]
    return sum(int(own) for _, own in found) / draws / len(found), sum(near) / draws / len(near)


def _distance(before: Column, after: Column, ranks: bool) -> Callable[[int, int], float]:
    if isinstance(before, Numbers) and isinstance(after, Numbers):
        every = [x for x in before.low.tolist() if math.isfinite(x)]
        least, most = (min(every), max(every)) if every else (0.0, 0.0)
        ends = [
            (low, high) if math.isfinite(low) else (least, most)
            for low, high in zip(after.low.tolist(), after.high.tolist())
        ]
        x, y = before.low.tolist(), [(low + high) / 2 for low, high in ends]
        wide = [(high - low) ** 2 / 12 for low, high in ends]
        if ranks:
            x, y, wide = _rank(x), _rank(y), [0.0] * len(y)
        known = [one for one in x if math.isfinite(one)]
        unit = np.var(known, ddof=1) if len(known) > 1 and max(known) > min(known) else math.inf
        return lambda i, q: ((x[i] - y[q]) ** 2 + wide[q]) / unit if math.isfinite(x[i]) else 0.0
    assert isinstance(before, Categories) and isinstance(after, Categories)
    values = before.plain().tolist()
    differ = 1 - sum((values.count(one) / len(values)) ** 2 for one in set(values))

    def category(i: int, q: int) -> float:
        members = _members(after, q)
        if differ <= 1e-15:
            return 0.0
        size = max(after.values, 1) if members is None else len(members)
        inside = members is None or values[i] in members
        return (1 - 1 / size if inside else 1.0) * 2 / differ

    return category


def _rank(values: list[float]) -> list[float]:
    known = [one for one in values if math.isfinite(one)]

    def rank(one: float) -> float:
        below, same = sum(other < one for other in known), sum(other == one for other in known)
        return (below + (same + 1) / 2 - 0.5) / len(known)

    return [rank(one) if math.isfinite(one) else math.nan for one in values]
