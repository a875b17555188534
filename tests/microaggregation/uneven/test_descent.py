"""Local search for records with weights and gaps."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.uneven import losses, partitions

from discreet.microaggregation.uneven.descent import descend
from discreet.microaggregation.uneven.records import BLANK, uneven_records, uneven_sse
from discreet.work import Deadline, Reporter

FREE = {"deadline": Deadline(None), "report": Reporter(None)}


def drawn(seed: int, n: int, gaps: float) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    values = np.where(rng.random((n, 2)) < gaps, np.nan, rng.normal(size=(n, 2)))
    return values, rng.lognormal(sigma=1.0, size=n)


def cost(values: np.ndarray, weights: np.ndarray, labels: np.ndarray, k: int) -> float:
    """What the search counts: what is lost, and values that are blanked and gaps that are filled."""
    records = uneven_records(values, weights, "sd")[0]
    total = uneven_sse(records, labels, k)
    for j in range(values.shape[1]):
        for group in np.unique(labels):
            inside = labels == group
            known = inside & records.known[:, j]
            changed = known if known.sum() < k else inside & ~known
            times = BLANK if known.sum() < k else 1.0
            total += times * records.change[j] * records.weights[changed].sum() if known.any() else 0.0
    return float(total)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 3), st.sampled_from([0.0, 0.2]))
def test_never_worse_than_the_start_nor_better_than_the_best(seed: int, k: int, gaps: float) -> None:
    values, weights = drawn(seed, 8, gaps)
    start = np.arange(8) // k
    start[start == 8 // k] = 8 // k - 1
    records = uneven_records(values, weights, "sd")[0]
    labels, changes, ended = descend(records, k, start, **FREE)
    assert ended and np.bincount(labels).min() >= k
    before, after = cost(values, weights, start, k), cost(values, weights, labels, k)
    assert after <= before + 1e-9 and (changes == 0) == bool((labels == start).all())
    best = min(cost(values, weights, np.array(some), k) for some in partitions(8, k))
    assert after >= best - 1e-9
    error, _ = losses(values, weights, labels.tolist(), k)
    assert abs(error - uneven_sse(records, labels, k)) <= 1e-9 * (1 + error)


def test_it_reaches_the_optimum_of_small_files_most_of_the_time() -> None:
    reached = 0
    for seed in range(40):
        values, weights = drawn(seed, 8, 0.1)
        labels, _, _ = descend(uneven_records(values, weights, "sd")[0], 2, np.arange(8) // 2, **FREE)
        best = min(cost(values, weights, np.array(some), 2) for some in partitions(8, 2))
        reached += cost(values, weights, labels, 2) <= best + 1e-9
    assert reached >= 30


def test_a_heavy_record_draws_the_mean_and_the_groups_follow() -> None:
    """By distances alone 0 and 1 go together; but where both are heavy, a light one costs each of them less."""
    values = np.array([[0.0], [1.0], [3.0], [4.0]])
    start = np.array([0, 0, 1, 1])
    even, _, _ = descend(uneven_records(values, None, "sd")[0], 2, start, **FREE)
    uneven, _, _ = descend(uneven_records(values, np.array([1000.0, 1000, 1, 1]), "sd")[0], 2, start, **FREE)
    assert even.tolist() == [0, 0, 1, 1] and uneven.tolist() == [0, 1, 0, 1]


def test_one_gap_costs_no_column() -> None:
    """A group of k with one gap would be blank there: another record joins it instead."""
    rng = np.random.default_rng(3)
    values = rng.normal(size=(30, 2))
    values[4, 0] = np.nan
    records = uneven_records(values, None, "sd")[0]
    labels, _, _ = descend(records, 3, np.arange(30) // 3, **FREE)
    own = labels == labels[4]
    assert (~np.isnan(values[own, 0])).sum() >= 3


def test_a_passed_deadline_is_said() -> None:
    values, weights = drawn(1, 200, 0.1)
    records = uneven_records(values, weights, "sd")[0]
    _, _, ended = descend(records, 4, np.arange(200) // 4, deadline=Deadline(0), report=Reporter(None))
    assert not ended
