"""k-regular graphs of least total cost, against a linear program and all permutations."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from oracles.generalization import is_regular, loss
from oracles.generalization_domains import random_domain
from scipy.optimize import linprog

from discreet.generalization.baselines.min_cost_flow import flow_blocks, k_regular


def least(cost: np.ndarray, k: int) -> float:
    """The transportation problem with one unit a pair at most and own pairs fixed; its vertices are whole."""
    n = len(cost)
    sums = np.concatenate([np.kron(np.eye(n), np.ones(n)), np.kron(np.ones(n), np.eye(n))])
    bounds = [(1, 1) if i == j else (0, 1) for i in range(n) for j in range(n)]
    return float(linprog(cost.ravel(), A_eq=sums, b_eq=np.full(2 * n, k), bounds=bounds).fun)


@pytest.mark.parametrize("seed", range(12))
def test_no_regular_graph_with_all_own_pairs_costs_less(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 9))
    k = int(rng.integers(1, n + 1))
    cost = rng.integers(0, 50, (n, n)).astype(np.int32)
    used = k_regular(cost, k)
    assert used.diagonal().all()
    assert (used.sum(axis=0) == k).all() and (used.sum(axis=1) == k).all()
    assert cost[used].sum() == pytest.approx(least(cost, k), abs=1e-6)


def test_pairs_are_the_best_permutation_without_fixed_points() -> None:
    domain = random_domain(6, 3)
    slots = flow_blocks(domain.tables, domain.codes, np.array([0, 6]), 2)
    assert is_regular(slots, 2) and slots[:, 0].tolist() == list(range(6))
    others = [order for order in permutations(range(6)) if all(i != j for i, j in enumerate(order))]
    assert loss(domain, slots.tolist()) == pytest.approx(
        min(loss(domain, list(enumerate(order))) for order in others), abs=1e-6
    )


def test_blocks_are_matched_each_by_itself() -> None:
    domain = random_domain(15, 1)
    both = flow_blocks(domain.tables, domain.codes, np.array([0, 8, 15]), 3)
    assert is_regular(both[:8], 3) and is_regular(both[8:], 3)
    alone = flow_blocks(domain.tables, domain.codes[8:], np.array([0, 7]), 3)
    assert both[8:].tolist() == alone.tolist()
