"""The steps of k-concealment: boxes grown greedily, and largest sets of pairs."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.generalization import loss
from oracles.generalization_domains import random_domain
from scipy.optimize import linprog

from discreet.generalization.baselines.k_concealment import grow, regular
from discreet.generalization.boxes import scratch


@pytest.mark.parametrize("seed", range(4))
def test_each_box_takes_in_what_widens_it_least(seed: int) -> None:
    domain, k = random_domain(12, seed), 4
    cover = np.full((12, k), -1, np.int64)
    grow(domain.tables, scratch(domain.tables.start[-1]), domain.codes, 0, 12, k, cover)
    for i, row in enumerate(cover.tolist()):
        assert row[0] == i and len(set(row)) == k
        for m in range(1, k):
            costs = [loss(domain, [[*row[:m], j]]) for j in range(12) if j not in row[:m]]
            assert loss(domain, [row[: m + 1]]) == pytest.approx(min(costs), abs=1e-7)


@pytest.mark.parametrize("seed", range(12))
def test_no_set_of_pairs_is_larger(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = 7, int(rng.integers(2, 5))
    inside = rng.random((n, n)) < rng.choice([0.2, 0.4, 0.7])
    np.fill_diagonal(inside, True)
    used, supply, demand = regular(inside, k)
    assert not (used & ~inside).any() and used.diagonal().all()
    assert (used.sum(axis=1) + supply == k).all() and (used.sum(axis=0) + demand == k).all()
    assert (supply >= 0).all() and (demand >= 0).all()
    sums = np.concatenate([np.kron(np.eye(n), np.ones(n)), np.kron(np.ones(n), np.eye(n))])
    bounds = [(int(i == j), int(inside[i, j])) for i in range(n) for j in range(n)]
    most = linprog(-np.ones(n * n), A_ub=sums, b_ub=np.full(2 * n, k), bounds=bounds)
    assert used.sum() == pytest.approx(-most.fun, abs=1e-6)
