from __future__ import annotations

import pytest
from oracles.generalization_domains import random_domain

from discreet.generalization.methods import solve

distributed = pytest.importorskip("distributed")


def test_a_dask_cluster_gives_the_same_matches() -> None:
    domain = random_domain(500, 4)
    options = {"random_state": 2, "rounds": 3, "partition_size": 100}
    here = solve(domain, 3, **options)
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        there = solve(domain, 3, executor=client.get_executor(), **options)
    assert (here.matches == there.matches).all()
