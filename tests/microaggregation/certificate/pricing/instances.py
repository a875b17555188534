"""Records, cuts and multipliers at random, with the reduced costs of all groups by definition."""

from __future__ import annotations

import numpy as np
from oracles.certificate import all_groups, optimum, random_points, reduced_costs

from discreet.microaggregation.certificate.cuts.cut import Cut

PATTERNS = [((1, 1, 1), 2), ((1, 1, 1, 1, 1), 3), ((2, 1, 1, 1), 3), ((3, 3, 2, 2, 1), 4), ((1, 1, 1, 1, 1), 2)]


def instance(seed: int):
    random = np.random.default_rng(seed)
    n, k = int(random.integers(6, 12)), int(random.integers(2, 5))
    k = min(k, n // 2)
    points = random_points(random, n)
    groups = all_groups(n, k)
    cuts = []
    for _ in range(int(random.integers(0, 7))):
        numerators, divisor = PATTERNS[int(random.integers(len(PATTERNS)))]
        records = random.choice(n, len(numerators), replace=False)
        order = np.argsort(records)
        cuts.append(Cut(tuple(int(records[o]) for o in order), tuple(numerators[o] for o in order), divisor))
    share = optimum(points, k) / n + 1e-3
    weights = share * random.random(len(cuts))
    multipliers = share * (0.3 + 1.2 * random.random(n)) * random.choice([1.0, 1.0, -0.5], n)
    costs = reduced_costs(points, groups, multipliers, cuts, weights)
    return random, points, k, groups, cuts, weights, multipliers, costs
