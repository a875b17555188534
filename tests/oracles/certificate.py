"""Slow and obvious: all groups, the least SSE over all partitions, reduced costs by definition."""

from __future__ import annotations

from itertools import combinations

import numpy as np


def all_groups(n: int, k: int) -> list[tuple[int, ...]]:
    return [c for size in range(k, min(2 * k - 1, n) + 1) for c in combinations(range(n), size)]


def group_sse(points: np.ndarray, group: tuple[int, ...]) -> float:
    chosen = points[list(group)]
    return float(np.square(chosen - chosen.mean(axis=0)).sum())


def optimum(points: np.ndarray, k: int) -> float:
    """Least SSE over all partitions into groups of k .. 2k−1, by dynamic programming over subsets."""
    n = len(points)
    by_lowest: dict[int, list[tuple[int, float]]] = {i: [] for i in range(n)}
    for group in all_groups(n, k):
        by_lowest[group[0]].append((sum(1 << v for v in group), group_sse(points, group)))
    best = np.full(1 << n, np.inf)
    best[0] = 0.0
    for done in range(1 << n):
        if best[done] == np.inf or done == (1 << n) - 1:
            continue
        lowest = next(i for i in range(n) if not done >> i & 1)
        for mask, cost in by_lowest[lowest]:
            if not mask & done and best[done] + cost < best[done | mask]:
                best[done | mask] = best[done] + cost
    return float(best[-1])


def reduced_costs(points: np.ndarray, groups: list, multipliers: np.ndarray, cuts: list, weights) -> np.ndarray:
    """By definition; a cut is (records, numerators, divisor)."""
    out = []
    for group in groups:
        value = group_sse(points, group) - sum(multipliers[v] for v in group)
        for (records, numerators, divisor), weight in zip(cuts, weights):
            value += weight * (sum(a for v, a in zip(records, numerators) if v in group) // divisor)
        out.append(value)
    return np.array(out)


def roots(groups: list, multipliers: np.ndarray) -> np.ndarray:
    """The member of largest multiplier, the first of equals."""
    return np.array([max(group, key=lambda v: (multipliers[v], -v)) for group in groups])


def random_points(random: np.random.Generator, n: int) -> np.ndarray:
    """Uniform, clustered, on a line, with ties, with duplicates, or with an outlier."""
    d = int(random.integers(1, 5))
    points = random.standard_normal((n, d))
    kind = int(random.integers(6))
    if kind == 1:
        points += 8.0 * random.integers(0, 3, (n, 1))
    elif kind == 2:
        points = random.uniform(size=(n, 1))
    elif kind == 3:
        points = np.round(points)
    elif kind == 4:
        points[random.integers(n, size=n // 2)] = points[0]
    elif kind == 5:
        points[random.integers(n)] *= 30.0
    return points


def listed_groups(points: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Every group as a row of members (padded with −1), with its size and SSE."""
    groups = all_groups(len(points), k)
    members = np.full((len(groups), 2 * k - 1), -1, np.int32)
    for row, group in zip(members, groups):
        row[: len(group)] = group
    sizes = np.array([len(group) for group in groups], np.int32)
    return members, sizes, np.array([group_sse(points, group) for group in groups])


def plain(points: np.ndarray):
    """Points as the checker's enumeration takes them, not scaled."""
    from discreet.verify.certificates.points import Points

    return Points(np.ascontiguousarray(points, np.float64), np.ones(points.shape[1]))


def handed_out(points: np.ndarray, payload: dict, labels: np.ndarray, k: int):
    """The certificate of the room as the instrument would hand it out, and what the check says of it on the way."""
    from discreet.instruments.certificates import check_certificate
    from discreet.microaggregation.problem import centroids

    return check_certificate(payload, points, centroids(points, labels), k, "none", time_limit=None)


def padded(groups: list[tuple[int, ...]], width: int) -> np.ndarray:
    rows = np.full((len(groups), width), -1, np.int32)
    for g, group in enumerate(groups):
        rows[g, : len(group)] = group
    return rows


def whole_master(
    points: np.ndarray, k: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, float, np.ndarray, np.ndarray]:
    """The linear relaxation over all groups, by the simplex method."""
    from discreet.microaggregation.certificate.space import group_costs, measure
    from discreet.solvers.master_lp import MasterLP

    n = len(points)
    members = padded(all_groups(n, k), 2 * k - 1)
    sizes = (members >= 0).sum(axis=1).astype(np.int32)
    costs = group_costs(measure(points, k).distance, members, sizes)
    lp = MasterLP(np.ones(n), np.ones(n))
    start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    lp.add_columns(costs, start, members[members >= 0], np.ones(int(sizes.sum())))
    solution = lp.solve()
    assert solution.solved
    return members, sizes, costs, solution.value, solution.duals, solution.x
