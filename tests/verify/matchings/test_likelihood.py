"""The greatest probability of a pair: exact against all permutations, estimates within their errors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.likelihood import pair_shares, random_fits

from discreet.verify.matchings.flow import Graph, graph
from discreet.verify.matchings.likelihood import SEED, _merge, beliefs, largest_probability
from discreet.verify.matchings.likelihood_exact import largest_share, states
from discreet.verify.matchings.likelihood_sample import Component, shares


def as_graph(fits: np.ndarray) -> Graph:
    """Rows and people of one member each."""
    ones = np.ones(len(fits), np.int64)
    return graph(fits.sum(axis=1).astype(np.int64), np.nonzero(fits)[1].astype(np.int32), ones, ones)


def as_classes(fits: np.ndarray) -> Graph:
    """Equal rows and equal columns put together, as the check does it with equal boxes and originals."""
    rows, row_count = np.unique(fits, axis=0, return_counts=True)
    columns, first, column_count = np.unique(fits, axis=1, return_index=True, return_counts=True)
    small = np.unique(fits[:, first], axis=0)
    assert small.shape == (len(rows), columns.shape[1])
    order = [int(np.flatnonzero((small == row[first]).all(axis=1))[0]) for row in rows]
    small = small[order]
    return graph(
        small.sum(axis=1).astype(np.int64),
        np.nonzero(small)[1].astype(np.int32),
        row_count.astype(np.int64),
        column_count.astype(np.int64),
    )


@settings(max_examples=300, deadline=None)
@given(n=st.integers(1, 7), seed=st.integers(0, 10**6))
def test_the_greatest_share_equals_that_over_all_permutations(n: int, seed: int) -> None:
    fits = random_fits(n, np.random.default_rng(seed))
    truth = pair_shares(fits).max()
    for g in (as_graph(fits), as_classes(fits)):
        found = largest_probability(g)
        assert found is not None
        assert found.method == "exact"
        assert found.error == 0
        assert found.probability == pytest.approx(truth, rel=1e-12)


@pytest.mark.parametrize("seed", range(30))
def test_estimates_lie_within_their_errors(seed: int) -> None:
    rng = np.random.default_rng(seed)
    fits = random_fits(int(rng.integers(3, 8)), rng)
    truth = pair_shares(fits)
    found = largest_probability(as_classes(fits), exact_work=0, moves=400_000)
    assert found is not None
    # Of all pairs the walk watches those that belief propagation names: here, the likeliest is among them.
    assert abs(found.probability - truth.max()) <= 5 * found.error + 0.004
    if found.method != "exact":
        assert 0 < found.error < 0.05


def test_belief_propagation_is_right_on_complete_graphs_and_near_on_others() -> None:
    merged = _merge(as_classes(np.ones((6, 6), bool)))
    assert beliefs(merged, 40) == pytest.approx(1 / 6)
    fits = random_fits(7, np.random.default_rng(4))
    merged = _merge(as_graph(fits))
    assert np.abs(beliefs(merged, 40).max() - pair_shares(fits).max()) < 0.1


def outlier(n: int) -> np.ndarray:
    """The first person lies in the first two boxes only, the first box holds three people, all others all the rest."""
    fits = np.ones((n, n), bool)
    fits[0, 3:] = False
    fits[2:, 0] = False
    return fits


def test_k_candidates_can_hide_badly() -> None:
    for n, expected in ((6, pair_shares(outlier(6)).max()), (1000, 999 / 1001)):
        found = largest_probability(as_classes(outlier(n)))
        assert found is not None
        assert found.probability == pytest.approx(expected, rel=1e-12)
    estimate = largest_probability(as_classes(outlier(1000)), exact_work=0)
    assert estimate is not None
    assert estimate.method.startswith("estimated")
    assert abs(estimate.probability - 999 / 1001) < 5 * estimate.error + 1e-3


def test_a_long_chain_of_intervals_is_estimated() -> None:
    n = 400
    fits = np.abs(np.arange(n)[:, None] - np.arange(n)[None, :]) <= 1
    # Matchings of a path: Fibonacci numbers. The person at the end stays with F(n)/F(n+1), the golden section.
    found = largest_probability(as_graph(fits))
    assert found is not None
    assert found.method.startswith("estimated")
    assert abs(found.probability - 0.6180339887) < 5 * found.error + 1e-3
    again = largest_probability(as_graph(fits))
    assert again == found


def test_a_walk_that_does_not_get_far_gives_no_figure() -> None:
    n = 400
    fits = np.abs(np.arange(n)[:, None] - np.arange(n)[None, :]) <= 2
    assert largest_probability(as_graph(fits), moves=2000) is None


def test_all_perfect_matchings_are_visited_alike() -> None:
    fits = random_fits(5, np.random.default_rng(12))
    truth = pair_shares(fits)
    rows, people = np.nonzero(fits)
    ends = np.append(0, np.cumsum(fits.sum(axis=1))).astype(np.int64)
    start = _merge(as_graph(fits))
    assert start.rows.sum() == 5
    reach = np.concatenate([np.arange(1, m + 1) for m in fits.sum(axis=1)])
    each = np.arange(5)
    for r, p in zip(rows.tolist(), people.tolist()):
        if truth[r, p] == 0:
            continue
        row_of = _some_matching(fits)
        c = Component(ends, people.astype(np.int64), reach, np.arange(6), each, each, row_of)
        one = np.ones(1, np.int64)
        _, share, error, steps = shares(c, np.array([r]), np.array([p]), one, one, SEED, 200_000)
        assert steps > 0
        assert abs(share - truth[r, p]) < 5 * error + 1e-3


def _some_matching(fits: np.ndarray) -> np.ndarray:
    from scipy.optimize import linear_sum_assignment

    rows, people = linear_sum_assignment(fits, maximize=True)
    row_of = np.empty(len(fits), np.int64)
    row_of[people] = rows
    return row_of


def test_states_are_counted_up_to_a_limit() -> None:
    assert states(np.array([1, 2, 3]), 100) == 24
    assert states(np.full(200, 9), 100) == 100
    ends, other = np.array([0, 2, 4]), np.array([0, 1, 0, 1])
    assert largest_share(ends, other, np.array([1, 2]), np.array([2, 1])) == pytest.approx(1 / 3)
