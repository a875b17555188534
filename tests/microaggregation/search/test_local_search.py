from __future__ import annotations

import numpy as np
from drawn import clouds
from oracles import microaggregation as oracle

from discreet.microaggregation.constructions.mdav import mdav
from discreet.microaggregation.search.local_search import improve
from discreet.microaggregation.search.moves import grouped, padded
from discreet.solvers.neighbours import nearest


def test_local_search_leaves_no_improving_migration_or_swap() -> None:
    points = clouds(60, 2, 3)
    near, _ = nearest(points, 59)
    state = grouped(padded(points), mdav(points, 3), 3)
    improve(state, near, 3, 1e-12, 1000, True)
    best, labels = oracle.sse_of_labels(state.points, state.labels), state.labels.copy()
    sizes = np.bincount(labels)
    for x in range(60):
        for z in range(60):
            p, q = labels[x], labels[z]
            if p == q:
                continue
            trial = labels.copy()
            trial[x], trial[z] = q, p
            assert oracle.sse_of_labels(points, trial) >= best - 1e-9
            if sizes[p] > 3 and sizes[q] < 5:
                trial[z] = q
                assert oracle.sse_of_labels(points, trial) >= best - 1e-9
