"""Certificates of small random instances against every partition, whole and cut off in many places.

Four to twelve records: normal, clustered, on a line, with ties, with duplicates, with an outlier. The optimum comes
from dynamic programming over sets of records. Certificates are cut off by branches, nodes, groups to enumerate, rounds
of cuts and time; in a part of them the method for large files is made to run.
"""

from __future__ import annotations

from itertools import combinations
from unittest.mock import patch

import numpy as np
from numba import njit

from benchmarks.harness import Case
from discreet.instruments.certificates import check_certificate
from discreet.microaggregation.certificate import certify, efforts
from discreet.microaggregation.problem import centroids
from discreet.verify.certificates import verify_certificate

INSTANCES = 5000


def random_points(random: np.random.Generator, n: int) -> tuple[str, np.ndarray]:
    kind = str(random.choice(["normal", "clustered", "line", "ties", "duplicates", "outlier"]))
    points = random.standard_normal((n, 1 if kind == "line" else int(random.integers(1, 5))))
    if kind == "clustered":
        points += 8.0 * random.integers(0, 3, (n, 1))
    elif kind == "ties":
        points = np.round(points)
    elif kind == "duplicates":
        points[random.integers(n, size=n // 2)] = points[0]
    elif kind == "outlier":
        points[random.integers(n)] *= 30.0
    return kind, points


def optimum(points: np.ndarray, k: int) -> float:
    """Least SSE over all partitions into groups of k .. 2k−1."""
    n = len(points)
    masks, costs = [], []
    for size in range(k, min(2 * k, n + 1)):
        groups = np.array(list(combinations(range(n), size)))
        held = points[groups]
        masks.append((1 << groups).sum(axis=1))
        costs.append(np.square(held - held.mean(axis=1, keepdims=True)).sum(axis=(1, 2)))
    return float(_least(n, np.concatenate(masks), np.concatenate(costs)))


@njit(cache=True)
def _least(n: int, masks: np.ndarray, costs: np.ndarray) -> float:
    best = np.full(1 << n, np.inf)
    best[0] = 0.0
    for done in range((1 << n) - 1):
        if best[done] < np.inf:
            missing = ~done & (done + 1)
            for g in range(masks.size):
                if masks[g] & missing and not masks[g] & done:
                    joined = done | masks[g]
                    best[joined] = min(best[joined], best[done] + costs[g])
    return best[-1]


def compared() -> list[tuple[object, ...]]:
    counts: dict[str, np.ndarray] = {}
    for seed in range(INSTANCES):
        random = np.random.default_rng([7, seed])
        n = int(random.integers(4, 13))
        k = int(random.integers(2, n // 2 + 1))
        kind, points = random_points(random, n)
        plain = efforts.EFFORTS["default"]
        work = plain._replace(
            cut_rounds=int(random.choice([0, 1, plain.cut_rounds])),
            branches=int(random.choice([0, 1, 3, 20, plain.branches])),
            budgets=((), (5,), (20, 200), plain.budgets)[int(random.integers(4))],
            nodes=int(random.choice([0, 1, 5, plain.nodes])),
            dives=int(random.integers(3)),
        )
        cut_off = random.random() < 0.75
        limit = float(random.choice([0.0, 1e-3, 5e-3])) if random.random() < 0.15 else None
        large = 0 if random.random() < 0.2 else efforts.MOST_RECORDS
        levels = {**efforts.EFFORTS, "default": work if cut_off else plain}
        with patch.object(efforts, "EFFORTS", levels), patch.object(efforts, "MOST_RECORDS", large):
            found = certify(points, k, time_limit=limit)
        best = optimum(points, k)
        scale = 1e-9 * best + 1e-12
        published = centroids(points, found.labels)
        checked = check_certificate(found.payload, points, published, k, "none", time_limit=None)
        verdict = verify_certificate(points, checked.payload, k=k, scale="none", published=published)
        counts.setdefault(kind, np.zeros(6, int))
        counts[kind] += (
            1,
            found.lower_bound > best + scale,
            found.sse < best - scale,
            found.status == "optimal",
            found.status == "optimal" and found.sse > best + 1e-7 * best + scale,
            verdict.outcome == "safe" and checked.note is None,
        )
    return [(kind, *row.tolist()) for kind, row in sorted(counts.items())]


CASES = {
    "certificate-random": Case(
        f"Certificates of {INSTANCES} random instances of 4 to 12 records against every partition",
        ("kind", "instances", "bound above the optimum", "SSE below it", "proven", "proven and not optimal", "checked"),
        compared,
        short=False,
    )
}
