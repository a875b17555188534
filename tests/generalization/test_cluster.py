from __future__ import annotations

import numpy as np
import pytest
from oracles.generalization_domains import random_domain

from discreet.generalization.methods import solve

distributed = pytest.importorskip("distributed")


@pytest.mark.parametrize("processes", [False, True], ids=["threads", "processes"])
def test_a_dask_cluster_gives_the_same_matches(processes: bool) -> None:
    def compilations() -> int:
        """How many kernels a worker compiled itself rather than loaded."""
        from discreet.generalization import boxes, reassignment
        from discreet.generalization.matching import iterations
        from discreet.solvers import assignment

        kernels = (
            boxes.fill_exact, reassignment.give_up, reassignment.exchange, iterations.added_costs, assignment.assign,
        )  # fmt: skip
        return sum(sum(kernel.stats.cache_misses.values()) for kernel in kernels)

    domain = random_domain(500, 4)
    values = np.random.default_rng(4).integers(0, 5, domain.n)
    options = {"random_state": 2, "rounds": 3, "partition_size": 100}
    here, diverse_here = solve(domain, 3, **options), solve(domain, 3, values=values, l=2, **options)
    with (
        distributed.LocalCluster(
            n_workers=2 if processes else 1,
            threads_per_worker=1 if processes else 2,
            processes=processes,
            dashboard_address=None,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        there = solve(domain, 3, executor=client.get_executor(), **options)
        diverse_there = solve(domain, 3, values=values, l=2, executor=client.get_executor(), **options)
        if processes:  # what ran here was compiled here: the workers load it
            assert set(client.run(compilations).values()) == {0}
    assert (here.matches == there.matches).all()
    assert diverse_here.matchings is not None
    assert (diverse_here.matchings == diverse_there.matchings).all()
